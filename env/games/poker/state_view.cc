// A state as one seat may see it, and as those see it who may see everything.
#include <algorithm>
#include <bit>
#include <functional>

#include "env/games/poker/history.h"
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
  view.taken_out.assign(taken_out().begin(), taken_out().end());
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

std::vector<PastAction> State::past_actions() const {
  std::vector<PastAction> actions;
  for (PastActions past(*this); past.next();) actions.push_back({past.round, past.seat, past.kind, past.total});
  return actions;
}

// Cards of one seat that came at one time, sorted; in draw games those discarded since are among them.
std::vector<CardId> State::came(Seat seat, int when, int first, int last) const {
  std::vector<CardId> cards;
  for (int i = first; i < std::min<int>(last, count_[at(seat)]); ++i)
    if (this->when(seat, at(i)) == when) cards.push_back(hand(seat)[i]);
  for (int draw = 0; draw < rules_->draws; ++draw)
    for (int i = 0; i < discard_count(draw, seat); ++i)
      if (const SeenCard gone = discarded(draw, seat, i); gone.when == when) cards.push_back(gone.card);
  std::sort(cards.begin(), cards.end());
  return cards;
}

HandLog State::log() const {
  HandLog log;
  log.dealer = dealer();
  for (Seat seat = 0; seat < rules_->players; ++seat) log.chips.push_back(chips(seat));
  const std::vector<PastAction> actions = past_actions();
  using Event = HandEvent::Kind;
  constexpr std::array<Event, 3> kKinds = {Event::kFolded, Event::kCalled, Event::kBetTo};
  SeatSet live = in_;
  std::size_t action = 0;
  int board = 0;
  for (int s = 0; s <= street_; ++s) {
    const Street& street = rules_->street[at(s)];
    const bool shared = s + 1 == rules_->streets && rules_->procedure == Procedure::kStud && board_count_ > 0;
    std::vector<Seat> seats;  // still in, from the dealer's left
    for (int i = 1; i <= rules_->players; ++i) {
      const Seat seat = (dealer_ + i) % rules_->players;
      if ((live >> seat & 1) != 0) seats.push_back(seat);
    }
    if (!street.draw && !shared)
      for (const Seat seat : seats) {
        const int up = rules_->procedure == Procedure::kStud ? 2 : kHandCards;
        if (street.down > 0)
          log.events.push_back(
              {Event::kDealtDown, s, seat, came(seat, s, s == 0 ? 0 : up, s == 0 ? up : kHandCards), {}, 0});
        if (street.up > 0) log.events.push_back({Event::kDealtUp, s, seat, came(seat, s, up, kHandCards), {}, 0});
      }
    const int on_board = std::min(shared ? 1 : street.board, board_count_ - board);
    if (on_board > 0)
      log.events.push_back(
          {Event::kBoard, s, -1, {this->board().begin() + board, this->board().begin() + board + on_board}, {}, 0});
    board += on_board;
    if (street.draw)
      for (const Seat seat : seats) {
        const int draw = s - (rules_->streets - rules_->draws);
        if (discard_count(draw, seat) < 0) continue;
        std::vector<CardId> gone;
        for (int i = 0; i < discard_count(draw, seat); ++i) gone.push_back(discarded(draw, seat, i).card);
        log.events.push_back({Event::kDrew, s, seat, gone, came(seat, draw + 1, 0, kHandCards), 0});
      }
    for (; action < actions.size() && actions[action].round == street.round; ++action) {
      const PastAction& past = actions[action];
      if (past.action == kFold) live = static_cast<SeatSet>(live & ~betting::bit(past.seat));
      log.events.push_back({kKinds[at(past.action)], s, past.seat, {}, {}, past.total});
    }
  }
  return log;
}

}  // namespace dealer::poker
