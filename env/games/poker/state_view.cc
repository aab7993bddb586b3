// A state as one seat may see it.
#include <algorithm>
#include <bit>
#include <functional>

#include "env/games/poker/parts.h"
#include "env/games/poker/state.h"

namespace dealer::poker {

View State::view(Seat seat) const {
  View view;
  view.players = rules_->players;
  view.me = seat;
  view.dealer = dealer();
  view.turn = current_player();
  view.drawing = drawing_ != 0;
  view.street = street();
  view.hand_number = std::min<int>(hands_finished_ - hand_over_, kHandsScale);
  view.board.assign(board().begin(), board().end());
  // The flop comes at once.
  if (view.board.size() >= 3) std::sort(view.board.begin(), view.board.begin() + 3, std::greater<>());
  if (rules_->random_mix())
    view.taken_out.assign(taken_out_.begin(),
                          taken_out_.begin() + static_cast<std::ptrdiff_t>(rules_->deck->ranks().size()));
  view.round = rules_->street[at(street_)].round;
  view.pot = bets_.pot();
  if (turn_ == seat && drawing_ == 0) {
    view.to_call = bets_.to_call();
    for (std::uint64_t rest = legal_ >> kFirstBet; rest != 0; rest &= rest - 1) {
      const int offer = std::countr_zero(rest);
      view.raises.push_back({kFirstBet + offer, bets_.offered(rules_->bets, at(offer))});
    }
  }
  const SeatSet in = at_showdown(), show = shown();
  for (Seat owner = 0; owner < rules_->players; ++owner) {
    View::Player player;
    const auto o = at(owner);
    player.out = is_out(owner);
    player.folded = !player.out && !bets_.is_live(owner);
    player.stack = bets_.stack(owner);
    player.bet = bets_.bet(owner);
    player.paid = bets_.paid(owner);
    player.card_count = cards_.count[o];
    for (std::size_t i = 0; i < cards_.count[o]; ++i) {
      if (sees(seat, owner, i)) player.cards.push_back({cards_.hand[o][i], cards_.when[o][i]});
      if (is_up(i)) player.up.push_back(cards_.hand[o][i]);
    }
    // The two down cards of stud, the cards of hold'em: their order says nothing.
    std::sort(player.cards.begin(), player.cards.end(),
              [](const SeenCard& a, const SeenCard& b) { return a.card < b.card; });
    for (int draw = 0; draw < rules_->draws; ++draw) {
      const Discarded& discarded = cards_.discarded[at(draw)][o];
      player.drawn[at(draw)] = discarded.size();
      for (std::size_t i = 0; static_cast<int>(i) < discarded.count; ++i)
        if (owner == seat || !rules_->is_opaque(discarded.card[i]))
          player.discarded[at(draw)].push_back({discarded.card[i], discarded.when[i]});
    }
    player.showed = (show >> owner & 1) != 0;
    player.mucked = (in >> owner & 1) != 0 && !player.showed;
    if (player.showed) {
      player.shown.assign(cards(owner).begin(), cards(owner).end());
      std::sort(player.shown.begin(), player.shown.end());
    }
    view.player.push_back(std::move(player));
  }
  view.actions = past_actions();
  return view;
}

std::vector<PastAction> State::past_actions() const {
  std::vector<PastAction> actions;
  std::size_t bet = 0;
  for (int round = 0; round < rounds_begun_; ++round) {
    const std::size_t end = round + 1 < rounds_begun_ ? round_begin_[at(round + 1)] : events_;
    for (std::size_t e = round_begin_[at(round)]; e < end; ++e) {
      const int kind = event_[e] >> 4;
      actions.push_back({round, event_[e] & 15, kind, kind == kBet ? amount_[bet++] : 0});
    }
  }
  return actions;
}

}  // namespace dealer::poker
