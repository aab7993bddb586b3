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
  view.taken_out.assign(suits_taken_out().begin(), suits_taken_out().end());
  view.round = rules_->street[at(street_)].round;
  view.pot = bets_.pot();
  if (turn_ == seat && drawing_ == 0) {
    view.to_call = bets_.to_call();
    for (std::uint64_t rest = legal_ >> kFirstBet; rest != 0; rest &= rest - 1) {
      const int offer = std::countr_zero(rest);
      view.raises.push_back({kFirstBet + offer, bets_.offered(rules_->bets.offers[at(offer)])});
    }
  }
  const SeatSet in = at_showdown(), show = shown();
  for (Seat owner = 0; owner < rules_->players; ++owner) {
    View::Player player;
    player.out = is_out(owner);
    player.folded = !player.out && !bets_.is_live(owner);
    player.stack = bets_.stack(owner);
    player.bet = bets_.bet(owner);
    player.paid = bets_.paid(owner);
    player.card_count = count_[at(owner)];
    for (std::size_t i = 0; i < cards(owner).size(); ++i) {
      if (sees(seat, owner, i)) player.cards.push_back({cards(owner)[i], when(owner, i)});
      if (is_up(i)) player.up.push_back(cards(owner)[i]);
    }
    // The two down cards of stud, the cards of hold'em: their order says nothing.
    std::sort(player.cards.begin(), player.cards.end(),
              [](const SeenCard& a, const SeenCard& b) { return a.card < b.card; });
    for (int draw = 0; draw < rules_->draws; ++draw) {
      player.drawn[at(draw)] = discard_count(draw, owner);
      for (int i = 0; i < discard_count(draw, owner); ++i)
        if (const SeenCard gone = discarded(draw, owner, i); owner == seat || !rules_->is_opaque(gone.card))
          player.discarded[at(draw)].push_back(gone);
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

bool State::PastActions::next(const State& state) {
  const int players = state.rules().players;
  // What is left of the lap: two bits for every seat.
  const auto row = [&] {
    if (lap_ < 0) return 0U;
    return static_cast<unsigned>(state.laps_from(lap_)) >> (2 * lane_) & ((1U << (2 * (players - lane_))) - 1);
  };
  while (row() == 0) {
    if (lap_ + 1 >= state.laps_) return false;
    ++lap_;
    lane_ = 0;
    while (round + 1 < state.rounds_begun_ && state.round_begin_[at(round + 1)] <= lap_) ++round;
    turn = lap_ - state.round_begin_[at(round)];
  }
  lane_ += std::countr_zero(row()) / 2;
  const unsigned code = row() & 3U;
  seat = state.first_[at(round)] + lane_;
  seat -= seat >= players ? players : 0;
  kind = static_cast<Kind>(code - 1);
  total = kind == kBet ? state.amount(state.packing().amounts + kAmountBytes * amounts_++) : 0;
  ++lane_;
  return true;
}

std::vector<PastAction> State::past_actions() const {
  std::vector<PastAction> actions;
  for (PastActions past; past.next(*this);) actions.push_back({past.round, past.seat, past.kind, past.total});
  return actions;
}

}  // namespace dealer::poker
