// Complete states that agree with one seat's observation: unknown cards are drawn at random.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "env/cards/shuffle.h"
#include "env/games/ofc/observation_parts.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// A card of the hand and its place; kInHand while it is still to be placed.
struct Known {
  int street;
  Card card;
  std::uint8_t where;
};
constexpr std::uint8_t kInHand = 4;

// The ways to place five opening cards, lowest card first.
using Opening = std::array<std::uint8_t, 5>;
constexpr std::size_t kOpenings = 232;
constexpr std::array<Opening, kOpenings> kAllOpenings = [] {
  std::array<Opening, kOpenings> all{};
  std::size_t count = 0;
  for (unsigned code = 0; code < 243; ++code) {
    Opening opening{};
    int front = 0;
    unsigned rest = code;
    for (std::uint8_t& row : opening) {
      row = static_cast<std::uint8_t>(rest % 3);
      rest /= 3;
      front += row == kFront ? 1 : 0;
    }
    if (front <= kRowSize[kFront]) all[count++] = opening;
  }
  return all;
}();

// Places of the cards of a Fantasyland hand, in some order: the first ones of the list.
constexpr std::array<std::uint8_t, kMaxHand> kFantasylandPlaces = [] {
  std::array<std::uint8_t, kMaxHand> places{};
  std::size_t count = 0;
  for (std::uint8_t row = 0; row < kRows; ++row)
    for (int i = 0; i < kRowSize[row]; ++i) places[count++] = row;
  while (count < kMaxHand) places[count++] = kToDiscard;
  return places;
}();

}  // namespace

// Fills a sampler from an observation, seat by seat.
class State::Sampler::Reader {
 public:
  Reader(Sampler& sampler, const GameRules& rules, std::span<const float> observation)
      : sampler_(sampler),
        state_(sampler.base_),
        rules_(rules),
        data_(observation.data()),
        view_(decode(rules, observation)),
        part_(rules.players) {}

  void read() {
    read_table();
    for (int rel = 0; rel < rules_.players; ++rel) read_seat(rel);
    if (size(seen_) + static_cast<int>(sampler_.drawn_) > kCards) refuse_observation("too many cards are placed");
    for_each(kFullDeck & ~seen_, [&](Card card) { sampler_.unseen_[sampler_.unseen_count_++] = card; });
    if (view_.turn < 0)
      end_hand();
    else
      take_turn();
  }

  Seat seat_of(int rel) const { return (view_.me + rel) % rules_.players; }

 private:
  void read_table() {
    const int n = rules_.players;
    state_.rules_ = &rules_;
    state_.dealer_ = static_cast<std::int8_t>(seat_of(view_.dealer));
    state_.street_ = static_cast<std::int8_t>(view_.turn < 0 ? kStreets : view_.street);
    state_.open_.fill(7);
    state_.hands_finished_ = count_of(data_[part_.hands], kHandsScale, 0, kMostScaledHands);
    for (int rel = 0; rel < n; ++rel) {
      const auto o = at(seat_of(rel));
      state_.fantasyland_[o] = view_.fantasyland[at(rel)];
      state_.out_[o] = view_.out[at(rel)];
      if (rules_.episode != Episode::kMatch) continue;
      state_.points_[o] = count_of(data_[part_.points + rel], rules_.all_points());
      if (!rules_.is_tournament()) state_.return_[o] = state_.points_[o] - rules_.start_points;
    }
    if (view_.turn < 0) return;
    if (state_.live_players() < 2 || view_.out[at(view_.turn)]) refuse_observation("the player to act is out");
    if (!state_.acts(seat_of(view_.turn))) refuse_observation("the player to act does not act on this street");
    if (state_.out_[at(state_.dealer_)]) refuse_observation("the dealer is out");
  }

  // Number of turns that the seat has finished: 0 to 5, in Fantasyland 0 or 1.
  int finished_turns(Seat seat) const {
    if (view_.turn < 0) return state_.in_fantasyland(seat) ? 1 : kStreets;
    if (!state_.acts(seat)) return 1;  // in Fantasyland, after the first street
    for (Seat next = state_.next_acting(state_.dealer_); next != seat_of(view_.turn); next = state_.next_acting(next))
      if (next == seat) return state_.street_ + 1;
    return state_.street_;
  }

  // The observer sees no other board before its own Fantasyland hand is set, and no other Fantasyland hand until the
  // end.
  bool hidden(int rel) const {
    if (rel == 0 || view_.turn < 0) return false;
    return view_.fantasyland[at(rel)] != 0 || (view_.fantasyland[0] != 0 && finished_turns(view_.me) == 0);
  }

  void read_cards(int offset, std::uint8_t where) {
    for (int card = 0; card < kCards; ++card) {
      const float value = data_[offset + card];
      if (value == 0) continue;
      const float street = std::round(value * 5);
      if (!(street >= 1 && street <= 5)) refuse_observation(fmt::format("{} is not a street", value));
      add({static_cast<int>(street) - 1, static_cast<Card>(card), where});
    }
  }

  void add(const Known& known) {
    if ((seen_ & bit(known.card)) != 0) refuse_observation("a card lies in two places");
    if (known_count_ == kMaxHand) refuse_observation("a player has too many cards");
    seen_ |= bit(known.card);
    known_[known_count_++] = known;
  }

  void read_seat(int rel) {
    const Seat seat = seat_of(rel);
    known_count_ = 0;
    for (int row = 0; row < kRows; ++row)
      read_cards(part_.rows + (rel * kRows + row) * kCards, static_cast<std::uint8_t>(row));
    if (rel == 0) {
      read_cards(part_.discards, kToDiscard);
      const int street = view_.fantasyland[0] != 0 ? 0 : view_.street;
      for_each(view_.hand, [&](Card card) { add({street, card, kInHand}); });
    }
    std::sort(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(known_count_),
              [](const Known& a, const Known& b) { return std::tie(a.street, a.card) < std::tie(b.street, b.card); });
    next_ = 0;
    const int cards = state_.fantasyland_[at(seat)];
    if (state_.out_[at(seat)] && (view_.turn >= 0 || known_count_ == 0)) {
      hide_turns(seat, 0);
    } else if (state_.in_fantasyland(seat)) {
      read_turn(rel, 0, 0, cards, finished_turns(seat) > 0);
      if (cards < kMaxHand) sampler_.hide(Hidden::kCards, seat, cards, cards, kMaxHand);
    } else {
      const int finished = finished_turns(seat);
      for (int street = 0; street < finished; ++street) read_turn(rel, street, begin_of(street), end_of(street), true);
      const bool open = rel == 0 && finished < kStreets && next_ < known_count_;
      if (open) read_turn(rel, finished, begin_of(finished), end_of(finished), false);
      hide_turns(seat, finished + (open ? 1 : 0));
    }
    if (next_ != known_count_) refuse_observation("cards are placed on streets that were not reached");
  }

  static int begin_of(int street) { return street == 0 ? 0 : kDealtCards[at(street - 1)]; }
  static int end_of(int street) { return kDealtCards[at(street)]; }

  // Turns still to be played.
  void hide_turns(Seat seat, int street) {
    for (; street < kStreets; ++street)
      sampler_.hide(Hidden::kTurn, seat, begin_of(street), begin_of(street), end_of(street));
  }

  // The cards [begin, end) of a seat. Unknown are those that others discarded, or all of them.
  void read_turn(int rel, int street, int begin, int end, bool finished) {
    const Seat seat = seat_of(rel);
    auto& cards = state_.card_[at(seat)];
    const int discards = end - begin - (state_.in_fantasyland(seat) ? kBoardCards : street == 0 ? 5 : 2);
    int at_card = begin;
    const std::size_t first = next_;
    while (next_ < known_count_ && known_[next_].street == street) {
      if (at_card == end) refuse_observation(fmt::format("a player has too many cards of street {}", street));
      cards[at(at_card++)] = known_[next_++].card;
    }
    const int count = at_card - begin;
    if (hidden(rel)) {
      if (count > 0) refuse_observation("cards lie open that nobody can see yet");
      sampler_.hide(finished ? Hidden::kPlaced : Hidden::kTurn, seat, begin, begin, end);
      return;
    }
    const int missing = rel == 0 || !finished ? 0 : discards;
    if (count != end - begin - missing)
      refuse_observation(fmt::format("street {} of a player has {} cards", street, count));
    const int discarded = state_.discarded(seat);
    move(seat, first, finished, discards);
    if (missing == 0) return;
    sampler_.hide(Hidden::kDiscarded, seat, begin, at_card, end, discarded);
    state_.moved_[at(seat)] = static_cast<std::uint8_t>(end);
  }

  // Puts the cards of a turn in their places. take_turn() plays the open turn of the player to act.
  void move(Seat seat, std::size_t first, bool finished, int discards) {
    for (std::size_t i = first; i < next_; ++i) {
      const Known& known = known_[i];
      if (!finished) {
        if (known.where != kInHand) played_[played_count_++] = known.where;
        continue;
      }
      if (known.where == kInHand) refuse_observation("cards of a turn that is over are still in hand");
      if (known.where == kToDiscard && discards-- == 0) refuse_observation("too many cards are discarded");
      if (known.where != kToDiscard && ((state_.open_[at(seat)] >> known.where) & 1) == 0)
        refuse_observation(fmt::format("too many cards in the {}", kRowNames[known.where]));
      state_.move_next_card(seat, known.where);
    }
  }

  void take_turn() {
    const Seat turn = seat_of(view_.turn);
    int turns = 1;
    for (Seat next = turn; (next = state_.next_acting(next)) != state_.next_acting(state_.dealer_);) ++turns;
    state_.turns_left_ = static_cast<std::int8_t>(turns);
    state_.start_turn(turn);
    for (std::size_t i = 0; i < played_count_; ++i) {
      if (((state_.legal_ >> played_[i]) & 1) == 0) refuse_observation("cards of this turn lie where they may not");
      state_.play_card(played_[i]);
    }
  }

  void end_hand() {
    Points net;
    state_.last_ = state_.compare_boards(net);
    for (int rel = 0; rel < rules_.players; ++rel) {
      const auto o = at(seat_of(rel));
      const bool match = rules_.episode == Episode::kMatch;
      state_.last_.points[o] =
          match ? count_of(data_[part_.won + rel], rules_.all_points(), -1) : static_cast<std::int32_t>(net[o]);
      if (!match || rules_.is_tournament()) state_.return_[o] = state_.last_.points[o];
    }
  }

  Sampler& sampler_;
  State& state_;
  const GameRules& rules_;
  const float* data_;
  View view_;
  ObservationParts part_;
  CardSet seen_ = 0;
  std::array<Known, kMaxHand> known_{};  // of one seat, in the order of dealing
  std::size_t known_count_ = 0, next_ = 0;
  std::array<std::uint8_t, kMaxHand> played_{};  // of the observer's open turn
  std::size_t played_count_ = 0;
};

void State::Sampler::hide(Hidden::Kind kind, Seat seat, int begin, int from, int end, int discard) {
  hidden_[hidden_count_++] = {kind,
                              static_cast<std::uint8_t>(seat),
                              static_cast<std::uint8_t>(begin),
                              static_cast<std::uint8_t>(from),
                              static_cast<std::uint8_t>(end),
                              static_cast<std::uint8_t>(discard)};
  drawn_ += static_cast<std::size_t>(end - from);
}

State::Sampler::Sampler(const GameRules& rules, std::span<const float> observation) {
  Reader reader(*this, rules, observation);
  reader.read();
  RandomStream rng(0);
  const State state = draw(rng);
  if (!state.valid()) refuse_observation("the position cannot occur");
  std::vector<float> again(observation.size());
  state.observe(reader.seat_of(0), again.data());
  if (!std::equal(again.begin(), again.end(), observation.begin()))
    refuse_observation("its parts contradict each other");
}

State State::Sampler::draw(RandomStream& rng) const {
  State state = base_;
  state.seed_ = rng.bits64();
  std::array<Card, kCards> unseen = unseen_;
  shuffle_first(std::span(unseen.data(), unseen_count_), drawn_, rng);
  const Card* next = unseen.data();
  for (std::size_t i = 0; i < hidden_count_; ++i) {
    const Hidden& hidden = hidden_[i];
    Card* const cards = state.card_[hidden.seat].data();
    const std::size_t count = static_cast<std::size_t>(hidden.end - hidden.from);
    std::copy_n(next, count, cards + hidden.from);
    next += count;
    if (hidden.kind == Hidden::kCards) continue;
    if (hidden.kind == Hidden::kDiscarded) {
      Card* const discards = state.discard_[hidden.seat].data() + hidden.discard;
      std::copy_n(cards + hidden.from, count, discards);
      std::sort(discards, discards + count);
    }
    std::sort(cards + hidden.begin, cards + hidden.end);
    if (hidden.kind == Hidden::kPlaced) state.place_at_random(hidden.seat, rng);
  }
  return state;
}

// Sets the first cards of a seat in a uniformly random way.
void State::place_at_random(Seat seat, RandomStream& rng) {
  if (!in_fantasyland(seat)) {
    for (const std::uint8_t row : kAllOpenings[rng.below(kOpenings)]) move_next_card(seat, row);
    return;
  }
  std::array<std::uint8_t, kMaxHand> places = kFantasylandPlaces;
  const std::span<std::uint8_t> used(places.data(), fantasyland_[at(seat)]);
  shuffle_first(used, used.size(), rng);
  for (const std::uint8_t place : used) move_next_card(seat, place);
}

}  // namespace dealer::ofc
