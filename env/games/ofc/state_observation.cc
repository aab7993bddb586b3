// Encodes a seat's observation as numbers, and decodes it to a view.
#include <fmt/format.h>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>

#include "env/games/ofc/observation_parts.h"
#include "env/games/ofc/state.h"

namespace dealer::ofc {
namespace {

// Cards are written without branches on the progress of the hand, which cannot be predicted: all entries of a list,
// from the last to the first, using a table whose row gives the number of valid ones. Unused entries name card 0 and
// write a zero there, before that card's own entry is written.
template <int size>
using ValueTable = std::array<std::array<float, size>, size + 1>;

// The street of the i-th placed or discarded card of a hand.
constexpr ValueTable<kBoardCards> placed_values(bool fantasyland) {
  ValueTable<kBoardCards> table{};
  for (std::size_t count = 0; count <= kBoardCards; ++count)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t street = fantasyland || i < 5 ? 1 : (i - 1) / 2;
      table[count][i] = static_cast<float>(street) / 5.0F;
    }
  return table;
}
constexpr ValueTable<kMaxHand - kBoardCards> discard_values(bool fantasyland) {
  ValueTable<kMaxHand - kBoardCards> table{};
  for (std::size_t count = 0; count < table.size(); ++count)
    for (std::size_t i = 0; i < count; ++i) table[count][i] = fantasyland ? 0.2F : static_cast<float>(i + 2) / 5.0F;
  return table;
}
constexpr ValueTable<kMaxHand> ones() {
  ValueTable<kMaxHand> table{};
  for (std::size_t count = 0; count <= kMaxHand; ++count)
    for (std::size_t i = 0; i < count; ++i) table[count][i] = 1;
  return table;
}
constexpr std::array<ValueTable<kBoardCards>, 2> kPlacedValues = {placed_values(false), placed_values(true)};
constexpr std::array<ValueTable<kMaxHand - kBoardCards>, 2> kDiscardValues = {discard_values(false),
                                                                              discard_values(true)};
constexpr ValueTable<kMaxHand> kOnes = ones();

void check_size(std::span<const float> observation, const ObservationParts& part) {
  if (observation.size() != static_cast<std::size_t>(part.size))
    refuse_observation(fmt::format("{} numbers, expected {}", observation.size(), part.size));
}

// Bit c: values[c] is not 0. kCards numbers.
CardSet cards_at(const float* values) {
  CardSet set = 0;
#if defined(__AVX512F__)
  for (int i = 0; i < kCards; i += 16) {
    const auto lanes = static_cast<__mmask16>(i + 16 <= kCards ? 0xffff : (1 << (kCards - i)) - 1);
    const __m512 part = _mm512_maskz_loadu_ps(lanes, values + i);
    set |= CardSet{_mm512_cmp_ps_mask(part, _mm512_setzero_ps(), _CMP_NEQ_UQ)} << i;
  }
#elif defined(__AVX__)
  static_assert(kCards % 8 == 4);
  for (int i = 0; i + 8 <= kCards; i += 8) {
    const __m256 nonzero = _mm256_cmp_ps(_mm256_loadu_ps(values + i), _mm256_setzero_ps(), _CMP_NEQ_UQ);
    set |= CardSet{static_cast<unsigned>(_mm256_movemask_ps(nonzero))} << i;
  }
  const __m128 last = _mm_cmpneq_ps(_mm_loadu_ps(values + kCards - 4), _mm_setzero_ps());
  set |= CardSet{static_cast<unsigned>(_mm_movemask_ps(last))} << (kCards - 4);
#else
  for (int i = 0; i < kCards; ++i) set |= CardSet{values[i] != 0} << i;
#endif
  return set;
}

}  // namespace

float fantasyland_value(int cards, const GameRules& rules) {
  return rules.scoring.bonus.progressive() ? static_cast<float>(cards) / kMaxHand : 1.0F;
}

namespace {

// The inverse; 0 for 0.
std::uint8_t fantasyland_cards(float value, const GameRules& rules) {
  if (value == 0) return 0;
  const auto& numbers = rules.scoring.bonus.fantasyland_cards;
  for (const std::uint8_t cards : numbers)
    if (fantasyland_value(cards, rules) == value) return cards;
  refuse_observation(fmt::format("part 'fantasyland' holds {}, which is not a number of cards of this game", value));
}

}  // namespace

ObservationSpec State::observation_spec(const Rules& rules) {
  const int n = rules.players;
  ObservationSpec spec;
  spec.add("rows", {n, kRows, kCards},
           "card in a row: (street + 1) / 5 of its placing, else 0; players from the observer leftwards; rows front, "
           "middle, back; cards 4 * rank + suit (2..A, s h d c)");
  spec.add("discards", {kCards}, "own discards: (street + 1) / 5, else 0");
  spec.add("hand", {kCards}, "1: own card still to be placed this turn");
  spec.add("next", {kCards},
           "1: the card the next action places (the lowest in hand); all 0 when the observer is not to act");
  spec.add("fantasyland", {n},
           rules.scoring.bonus.progressive() ? "cards of the player's Fantasyland hand / 17, 0 in a normal hand"
                                             : "1: the player is in Fantasyland this hand");
  spec.add("out", {n}, "1: the player is out of the match");
  spec.add("dealer", {n}, "one-hot: the dealer");
  spec.add("turn", {n}, "one-hot: the player to act; all 0 at the end");
  spec.add("seat", {n}, "one-hot: absolute seat of the observer");
  spec.add("street", {5}, "one-hot: 0 the opening five cards, 1..4 three cards each");
  spec.add("places_left", {1}, "cards the observer has yet to place this turn / 13");
  spec.add("discards_left", {1}, "cards the observer has yet to discard this turn / 4");
  spec.add("points", {n}, "match: points / points of all players; else 0");
  spec.add("won", {n}, "match, at the end of a hand: points won or lost in it / points of all players; else 0", -1);
  spec.add("hands", {1}, "hands finished in this episode / 1024", 0, kMostScaledHands);
  return spec;
}

// With a constant number of players every part has a constant offset.
template <int n>
void State::observe_among(Seat seat, float* out) const {
  constexpr ObservationParts kPart(n);
  Seat owner = seat;
  for (int rel = 0; rel < n; ++rel) {
    const auto o = at(owner);
    const auto& value = kPlacedValues[in_fantasyland(owner) ? 1 : 0][static_cast<std::size_t>(shown(owner, seat))];
    float* rows = out + kPart.rows + rel * kRows * kCards;
    for (std::size_t i = kBoardCards; i-- > 0;) rows[slot_[o][i]] = value[i];
    if (in_fantasyland(owner)) out[kPart.fantasyland + rel] = fantasyland_value(fantasyland_[o], *rules_);
    out[kPart.out + rel] = out_[o] ? 1.0F : 0.0F;
    out[kPart.dealer + rel] = owner == dealer_ ? 1.0F : 0.0F;
    out[kPart.turn + rel] = owner == turn_ ? 1.0F : 0.0F;
    if (rules_->episode == Episode::kMatch) {
      const auto all = static_cast<float>(rules_->all_points());
      out[kPart.points + rel] = static_cast<float>(points_[o]) / all;
      if (turn_ == kTerminal) out[kPart.won + rel] = static_cast<float>(last_.points[o]) / all;
    }
    owner = owner + 1 == n ? 0 : owner + 1;
  }
  const auto me = at(seat);
  const auto& value = kDiscardValues[in_fantasyland(seat) ? 1 : 0][static_cast<std::size_t>(discarded(seat))];
  for (std::size_t i = kMaxHand - kBoardCards; i-- > 0;) out[kPart.discards + discard_[me][i]] = value[i];
  if (turn_ != kTerminal && !out_[me]) observe_hand(seat, out + kPart.hand);
  if (turn_ == seat) {
    out[kPart.next + card_[me][moved_[me]]] = 1;
    out[kPart.places_left] = static_cast<float>(places_left_) / kBoardCards;
    out[kPart.discards_left] = static_cast<float>(discards_left_) / (kMaxHand - kBoardCards);
  }
  out[kPart.seat + seat] = 1;
  out[kPart.street + std::min<int>(street_, kStreets - 1)] = 1;
  out[kPart.hands] = static_cast<float>(std::min<int>(hands_finished_, kMostHands)) / kHandsScale;
}

void State::observe_hand(Seat seat, float* out) const {
  const auto& cards = card_[at(seat)];
  const std::size_t begin = moved_[at(seat)], count = static_cast<std::size_t>(dealt(seat)) - begin;
  // Cards of later turns are written as zero.
  const auto write = [&](std::size_t width) {
    for (std::size_t i = width; i-- > 0;) out[cards[std::min<std::size_t>(begin + i, kMaxHand - 1)]] = kOnes[count][i];
  };
  if (in_fantasyland(seat))
    write(kMaxHand);
  else
    write(kDealtCards[0]);
}

void State::observe(Seat seat, float* out) const {
  // For a constant size gcc would emit "rep stos", which takes longer than everything else here.
  const int size = ObservationParts(rules_->players).size;
  std::memset(out, 0, static_cast<std::size_t>(size) * sizeof(float));
  if (rules_->players == 2)
    observe_among<2>(seat, out);
  else
    observe_among<3>(seat, out);
}

OwnCards State::decode_own(const Rules& rules, std::span<const float> observation) {
  const ObservationParts part(rules.players);
  check_size(observation, part);
  const float* data = observation.data();
  OwnCards own;
  for (int row = 0; row < kRows; ++row)
    own.board.row[static_cast<std::size_t>(row)] = cards_at(data + part.rows + row * kCards);
  own.discards = cards_at(data + part.discards);
  own.hand = cards_at(data + part.hand);
  own.to_act = own.hand != 0 && cards_at(data + part.next) == (own.hand & -own.hand);
  return own;
}

View State::decode(const Rules& rules, std::span<const float> observation) {
  const int n = rules.players;
  const ObservationParts part(n);
  check_size(observation, part);
  const float* data = observation.data();
  View view;
  view.players = n;
  view.me = one_hot(data + part.seat, n, "seat");
  for (int rel = 0; rel < n; ++rel) {
    for (int row = 0; row < kRows; ++row)
      view.board[rel].row[static_cast<std::size_t>(row)] = cards_at(data + part.rows + (rel * kRows + row) * kCards);
    view.fantasyland[at(rel)] = fantasyland_cards(data[part.fantasyland + rel], rules);
    view.out[at(rel)] = data[part.out + rel] != 0;
  }
  view.discards = cards_at(data + part.discards);
  view.hand = cards_at(data + part.hand);
  view.dealer = one_hot(data + part.dealer, n, "dealer");
  view.turn = one_hot(data + part.turn, n, "turn");
  view.street = one_hot(data + part.street, kStreets, "street");
  view.places_left = count_of(data[part.places_left], kBoardCards);
  view.discards_left = count_of(data[part.discards_left], kMaxHand - kBoardCards);
  if (view.me < 0 || view.dealer < 0 || view.street < 0)
    refuse_observation("part 'seat', 'dealer' or 'street' is empty");
  return view;
}

}  // namespace dealer::ofc
