// The events of a hand, reconstructed from the data in the state.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "env/core/at.h"
#include "env/games/poker/state.h"
#include "env/hands/hand_comparison.h"

namespace dealer::poker {
namespace {

using Kind = Event::Kind;

// Seats dealt in, from the dealer's left.
class Seats {
 public:
  explicit Seats(const State& state) {
    const int players = state.rules().players;
    for (int i = 1; i <= players; ++i)
      if (const Seat seat = (state.dealer() + i) % players; !state.is_out(seat)) seat_[at(size_++)] = seat;
  }
  int size() const { return size_; }
  Seat operator[](int i) const { return seat_[at(i)]; }
  const Seat* begin() const { return seat_.data(); }
  const Seat* end() const { return seat_.data() + size_; }

 private:
  std::array<Seat, kMaxSeats> seat_{};
  int size_ = 0;
};

class EventWriter {
 public:
  EventWriter(const State& state, State::Story& story, std::vector<Event>& out)
      : state_(state), rules_(state.rules()), story_(story), bets_(story.bets), out_(out), seats_(state) {}

  void write_events() {
    using Next = State::Story::Next;
    for (;;) {
      switch (story_.next) {
        case Next::kHand:
          begin();
          post_forced_bets();
          story_.next = Next::kStreet;
          break;
        case Next::kStreet:
          if (story_.street == state_.street()) return end();
          ++story_.street;
          deal();
          story_.drawn = 0;
          story_.next = street().draw ? Next::kDraw : Next::kRound;
          break;
        case Next::kDraw:
          if (!draw()) return;
          story_.next = Next::kRound;
          break;
        case Next::kRound:
          story_.next = street().betting ? Next::kAction : Next::kStreet;
          if (street().betting) open_round();
          break;
        case Next::kAction:
          if (act()) break;
          if (story_.street == state_.street() && !state_.hand_over()) return;
          story_.next = Next::kStreet;
          break;
        case Next::kNothing:
          return;
      }
    }
  }

 private:
  const Street& street() const { return rules_.street[at(story_.street)]; }

  Event& add(Kind kind, Seat seat, std::string what = {}) {
    Event& event = add_event(out_, kind, seat, std::max(story_.street, 0));
    event.what = std::move(what);
    return event;
  }

  // From high to low, in the usual order of display: the order of dealing stays hidden.
  void set_cards(Event& event, std::vector<CardId> cards) const {
    std::sort(cards.begin(), cards.end(), std::greater<>());
    event.count = static_cast<int>(cards.size());
    event.cards = std::move(cards);
  }
  void hide_from_others(Event& event) const {
    event.faces = viewer_bit(event.seat);
    for (std::size_t i = 0; i < event.cards.size(); ++i)
      if (!rules_.is_opaque(event.cards[i])) event.open |= 1U << i;
  }

  int hand_number() const { return state_.hands_finished() - (state_.hand_over() ? 1 : 0); }

  void begin() {
    Event& event = add(Kind::kHandBegun, state_.dealer());
    event.hand = hand_number();
    for (Seat seat = 0; seat < rules_.players; ++seat) event.values.push_back(state_.chips(seat));
    event.cards = state_.taken_out();
  }

  // ---- Chips. A state stores the betting history; the chips follow from it by the rules.

  void pay(Event& event, Chips chips) {
    event.amount = chips;
    event.all_in = chips > 0 && chips == story_.stack[at(event.seat)];
    story_.stack[at(event.seat)] -= chips;
  }

  void post(Seat seat, const char* what, Chips chips) {
    if (chips > 0) pay(add(Kind::kPosted, seat, what), chips);
  }

  void post_forced_bets() {
    SeatSet in = 0;
    for (const Seat seat : seats_) {
      story_.stack[at(seat)] = state_.chips(seat);
      in = static_cast<SeatSet>(in | betting::bit(seat));
    }
    bets_.start(rules_.bets, story_.stack.data(), in, state_.dealer());
    for (const Seat seat : seats_) post(seat, "ante", bets_.paid(seat) - bets_.bet(seat));
    if (rules_.bets.big_blind == 0) return;
    // Heads-up the dealer has the small blind.
    const int small = seats_.size() == 2 ? 1 : 0;
    const Seat big = seats_[1 - small];
    post(seats_[small], "small_blind", bets_.bet(seats_[small]));
    post(big, "big_blind", bets_.bet(big));
  }

  void open_round() {
    bets_.open_round(rules_.bets, street().round, state_.began(street().round));
    write_returned();
  }

  // False if there are no further actions in this round.
  bool act() {
    auto past = story_.past;
    if (!past.next(state_) || past.round != street().round) return false;
    story_.past = past;
    act({past.round, past.seat, past.kind, past.total});
    write_returned();
    return true;
  }

  void act(const PastAction& action) {
    const Seat seat = action.seat;
    if (action.action == kFold) {
      add(Kind::kActed, seat, "fold").total = bets_.bet(seat);
      bets_.fold(rules_.bets);
      return;
    }
    const bool call = action.action == kCall;
    const Chips chips = call ? bets_.to_call() : action.total - bets_.bet(seat);
    Event& event = call && bets_.bring_in_due()
                       ? add(Kind::kPosted, seat, "bring_in")
                       : add(Kind::kActed, seat, call ? (chips == 0 ? "check" : "call") : word_of_bet());
    pay(event, chips);
    event.total = bets_.bet(seat) + chips;
    if (call)
      bets_.call(rules_.bets);
    else
      bets_.bet_to(rules_.bets, action.total);
  }

  const char* word_of_bet() const {
    if (bets_.completes() || bets_.bring_in_due()) return "complete";
    return bets_.level() == 0 ? "bet" : "raise";
  }

  // Unmatched chips returned at the end of a round.
  void write_returned() {
    for (const Seat seat : seats_) {
      const Chips more = bets_.stack(seat) - story_.stack[at(seat)];
      if (more == 0) continue;
      add(Kind::kReturned, seat).amount = more;
      story_.stack[at(seat)] = bets_.stack(seat);
    }
  }

  // ---- Cards.

  // Cards of a seat that came at one time, face down or up; in draw games including those discarded since.
  std::vector<CardId> came(Seat seat, int when, bool up) const {
    std::vector<CardId> cards;
    const std::span<const CardId> hand = state_.cards(seat);
    for (std::size_t i = 0; i < hand.size(); ++i)
      if (state_.when(seat, i) == when && state_.is_up(i) == up) cards.push_back(hand[i]);
    for (int draw = 0; draw < rules_.draws; ++draw)
      for (int i = 0; i < state_.discard_count(draw, seat); ++i)
        if (const SeenCard discarded = state_.discarded(draw, seat, i); discarded.when == when)
          cards.push_back(discarded.card);
    return cards;
  }

  void deal() {
    // One shared card if the stock of stud is too small.
    const bool last = story_.street + 1 == rules_.streets;
    const bool shared = rules_.procedure == Procedure::kStud && last && !state_.board().empty();
    for (const Seat seat : seats_) {
      if (shared || !bets_.is_live(seat)) continue;
      if (street().down > 0) {
        Event& event = add(Kind::kDealt, seat, "down");
        set_cards(event, came(seat, story_.street, false));
        hide_from_others(event);
      }
      if (street().up > 0) set_cards(add(Kind::kDealt, seat, "up"), came(seat, story_.street, true));
    }
    const int count = shared ? 1 : street().board;
    if (count == 0) return;
    const std::span<const CardId> cards = state_.board().subspan(at(story_.board), at(count));
    set_cards(add(Kind::kDealt, -1, "board"), {cards.begin(), cards.end()});
    story_.board += count;
  }

  // False while some seat has yet to discard.
  bool draw() {
    const int number = story_.street - (rules_.streets - rules_.draws);
    for (; story_.drawn < seats_.size(); ++story_.drawn) {
      const Seat seat = seats_[story_.drawn];
      if (!bets_.is_live(seat)) continue;
      const int count = state_.discard_count(number, seat);
      if (count < 0) return false;
      std::vector<CardId> cards;
      for (int i = 0; i < count; ++i) cards.push_back(state_.discarded(number, seat, i).card);
      Event& discarded = add(Kind::kDiscarded, seat);
      set_cards(discarded, std::move(cards));
      hide_from_others(discarded);
      if (count == 0) continue;
      Event& drew = add(Kind::kDrew, seat);
      set_cards(drew, came(seat, number + 1, false));
      hide_from_others(drew);
    }
    return true;
  }

  // ---- The end.

  struct Names {
    std::string high, low;  // low: empty when the hand does not qualify
    std::string both() const { return low.empty() ? high : high + "; low " + low; }
  };

  Names names_of(Seat seat) const {
    std::vector<CardId> cards(state_.cards(seat).begin(), state_.cards(seat).end());
    cards.insert(cards.end(), state_.board().begin(), state_.board().end());
    Names names{hand_name(*rules_.high, cards), {}};
    if (rules_.low && rules_.low->qualifies(rules_.low->evaluate(cards), static_cast<int>(cards.size())))
      names.low = hand_name(*rules_.low, cards);
    return names;
  }

  void show(const HandRecord& hand) {
    Seat seat = bets_.shows_first();
    if (seat < 0) seat = seats_[0];
    for (int i = 0; i < rules_.players; ++i, seat = seat + 1 == rules_.players ? 0 : seat + 1) {
      if ((hand.showdown >> seat & 1) == 0) continue;
      if ((hand.shown >> seat & 1) == 0) {
        add(Kind::kMucked, seat).count = static_cast<int>(state_.cards(seat).size());
        continue;
      }
      names_[at(seat)] = names_of(seat);
      set_cards(add(Kind::kShown, seat, names_[at(seat)].both()),
                {state_.cards(seat).begin(), state_.cards(seat).end()});
    }
  }

  void pay_out(int pot, std::string_view half, Chips chips, SeatSet winners) {
    betting::Payouts payouts;
    betting::share(chips, winners, state_.dealer(), rules_.players, rules_.bets.odd_chips, payouts);
    for (const Seat seat : seats_) {
      if (payouts.chips[at(seat)] == 0) continue;
      Event& event = add(Kind::kWon, seat, half == "low" ? names_[at(seat)].low : names_[at(seat)].high);
      event.amount = payouts.chips[at(seat)];
      event.pot = pot;
      event.half = half;
    }
  }

  void end() {
    if (!state_.hand_over()) return;
    story_.next = State::Story::Next::kNothing;
    const HandRecord hand = state_.last_hand();
    show(hand);
    for (int pot = 0; pot < hand.pots; ++pot) {
      const Chips chips = hand.pot_chips[at(pot)], low = hand.pot_low[at(pot)] != 0 ? chips / 2 : 0;
      const bool halves = hand.pot_low[at(pot)] != 0;
      pay_out(pot, halves ? "high" : "", chips - low, hand.pot_high[at(pot)]);
      if (halves) pay_out(pot, "low", low, hand.pot_low[at(pot)]);
    }
    Event& event = add(Kind::kHandEnded, -1);
    event.hand = hand_number();
    event.amount = hand.odd_chips;
    for (Seat seat = 0; seat < rules_.players; ++seat) event.values.push_back(hand.net[at(seat)]);
    if (rules_.episode == Episode::kMatch && !rules_.is_tournament() && state_.episode_over()) end_match(hand);
  }

  void end_match(const HandRecord& hand) {
    Event& event = add(Kind::kMatchEnded, -1);
    Chips most = 0;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const Chips chips = state_.chips(seat) + hand.net[at(seat)];
      if (chips > most) event.seats = 0;
      most = std::max(most, chips);
      if (chips == most) event.seats = static_cast<SeatSet>(event.seats | betting::bit(seat));
      event.values.push_back(chips - rules_.stack);
    }
  }

  const State& state_;
  const GameRules& rules_;
  State::Story& story_;
  betting::Bets& bets_;
  std::vector<Event>& out_;
  const Seats seats_;
  std::array<Names, kMaxSeats> names_;
};

}  // namespace

std::vector<CardId> State::taken_out() const {
  std::vector<CardId> cards;
  for (int card = 0; rules_->random_mix() && card < rules_->deck->size(); ++card) {
    const DeckCard& face = rules_->deck->card(static_cast<CardId>(card));
    if (!face.transparent && face.suit >= 0 && suits_taken_out()[at(face.rank)] == face.suit)
      cards.push_back(static_cast<CardId>(card));
  }
  return cards;
}

void State::write_events(Story& story, std::vector<Event>& out) const { EventWriter(*this, story, out).write_events(); }

void State::events(std::vector<Event>& out) const {
  Story story;
  write_events(story, out);
}

}  // namespace dealer::poker
