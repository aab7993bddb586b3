// Encodes a seat's observation as numbers, and decodes it to a view.
#include <fmt/format.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <utility>

#include "env/games/seven_hand/observation_parts.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {
namespace {

// Tables indexed by small numbers.
using Table = std::array<float, 8>;

template <int n>
constexpr Table shares() {
  Table table{};
  for (std::size_t i = 0; i <= n; ++i) table[i] = static_cast<float>(i) / static_cast<float>(n);
  return table;
}
constexpr auto kTurnShare = shares<kTurns>();
constexpr auto kLaidShare = shares<kMostLaid>();
// Indexed by Chip; the former for each seat.
constexpr std::array<Table, kSeats> kWonBy = {{{0, 1, -1, 0}, {0, -1, 1, 0}}};
constexpr Table kTied = {0, 0, 0, 1};
static_assert(kDraws == kTurns, "draws are written as shares of turns");

#if defined(__AVX2__)
// Looks up each byte.
__m256 looked_up(std::uint64_t bytes, const Table& table) {
  const __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(bytes)));
  return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table.data()), index);
}
#endif

#if defined(__AVX512F__)
// Numbers are written in blocks; the last block of a part runs over into the next part, which is written after it.
constexpr int kLanes = 16;
static_assert(part::kShown + (kCards + kLanes - 1) / kLanes * kLanes <= part::kSize);

// Mask of the cards 16 * i .. 16 * i + 15 in the set.
template <int i>
__mmask16 chunk(CardSet cards) {
  return static_cast<__mmask16>(cards >> (i * kLanes));
}

// Calls f<0>() .. f<3>().
template <class F>
void for_each_chunk(F&& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (f.template operator()<static_cast<int>(i)>(), ...); }
  (std::make_index_sequence<(kCards + kLanes - 1) / kLanes>());
}
#endif

// Writes kCards numbers: `value` for the cards of the set, 0 for the others. Without branches on the cards, which would
// be unpredictable. May write up to 12 numbers more.
void write_cards(CardSet cards, float value, float* out) {
#if defined(__AVX512F__)
  const __m512 all = _mm512_set1_ps(value);
  for_each_chunk([&]<int i>() { _mm512_storeu_ps(out + i * kLanes, _mm512_maskz_mov_ps(chunk<i>(cards), all)); });
#else
  for (int half = 0; half < 2; ++half) {
    const auto bits = static_cast<std::uint32_t>(cards >> (half * 26));
    for (int i = 0; i < 26; ++i) out[half * 26 + i] = (bits >> i & 1) != 0 ? value : 0.0F;
  }
#endif
}

// The same for seven disjoint sets, set i with table[byte i of `bytes`]; table[0] is 0.
void write_cards(const std::array<CardSet, 7>& sets, std::uint64_t bytes, const Table& table, float* out) {
#if defined(__AVX512F__)
  // Set number of each card, one bit at a time.
  const std::array<CardSet, 3> plane = {sets[0] | sets[2] | sets[4] | sets[6], sets[1] | sets[2] | sets[5] | sets[6],
                                        sets[3] | sets[4] | sets[5] | sets[6]};
  const __m512 values = _mm512_castps256_ps512(looked_up(bytes << 8, table));
  for_each_chunk([&]<int i>() {
    __m512i number = _mm512_maskz_mov_epi32(chunk<i>(plane[0]), _mm512_set1_epi32(1));
    number = _mm512_mask_or_epi32(number, chunk<i>(plane[1]), number, _mm512_set1_epi32(2));
    number = _mm512_mask_or_epi32(number, chunk<i>(plane[2]), number, _mm512_set1_epi32(4));
    _mm512_storeu_ps(out + i * kLanes, _mm512_maskz_permutexvar_ps(0xffff, number, values));
  });
#else
  write_cards(0, 0, out);
  for (std::size_t k = 0; k < sets.size(); ++k)
    for_each(sets[k], [&](Card card) { out[card] = table[bytes >> (8 * k) & 0xff]; });
#endif
}

// Looks up each chip's number: writes kChips numbers, the first chip's in the lowest byte, and may write one
// more.
void write_chips(std::uint64_t bytes, const Table& table, float* out) {
#if defined(__AVX2__)
  _mm256_storeu_ps(out, looked_up(bytes, table));
#else
  for (std::size_t c = 0; c < kChips; ++c) out[c] = table[bytes >> (8 * c) & 0xff];
#endif
}

template <class T>
std::uint64_t bytes_of(const std::array<T, kChips>& numbers) {
  static_assert(sizeof(T) == 1);
  // Two overlapping loads: data assembled byte by byte in memory would cause a store-forwarding stall.
  std::uint32_t first = 0, last = 0;
  std::memcpy(&first, numbers.data(), 4);
  std::memcpy(&last, numbers.data() + kChips - 4, 4);
  const std::uint64_t bytes = first | static_cast<std::uint64_t>(last) << (8 * (kChips - 4));
  return bytes;
}

std::uint64_t sizes_of(const std::array<CardSet, kChips>& sets) {
  std::uint64_t bytes = 0;
  for (std::size_t c = 0; c < kChips; ++c) bytes |= static_cast<std::uint64_t>(size(sets[c])) << (8 * c);
  return bytes;
}

CardSet cards_at(const float* values) {
  CardSet set = 0;
  for (int card = 0; card < kCards; ++card) set |= CardSet{values[card] != 0} << card;
  return set;
}

}  // namespace

ObservationSpec State::observation_spec(const Rules&) {
  ObservationSpec spec;
  spec.add("hand", {kCards}, "1: own card in hand; cards 4 * rank + suit (2..A, s h d c)");
  spec.add("picked", {kCards}, "1: own card chosen for the turn in progress, its chip not yet named");
  spec.add("drawn", {kCards}, "own cards, laid ones too: 1 / 7 dealt, (d + 1) / 7 of the d-th draw; else 0");
  spec.add("laid", {kChips, kCards}, "own card at a chip: the turn in which it was laid / 7, else 0");
  spec.add("shown", {kCards}, "the opponent's card that was turned up: the turn in which it was laid / 7, else 0");
  spec.add("count", {kSeats, kChips}, "cards laid at a chip / 5; own, then the opponent's");
  spec.add("turn_laid", {kSeats, kChips}, "turn in which they were laid / 7; own, then the opponent's");
  spec.add("won", {kChips}, "1: own chip, -1: the opponent's, else 0", -1);
  spec.add("tied", {kChips}, "1: a chip at which the hands tied");
  spec.add("pending", {kMostLaid}, "one-hot: 1..5 cards wait for their chip; all 0 if none do");
  spec.add("turn", {kSeats}, "one-hot: the player to act, the observer first; all 0 at the end");
  spec.add("starter", {kSeats}, "one-hot: who had the first turn, the observer first");
  spec.add("seat", {kSeats}, "one-hot: absolute seat of the observer");
  spec.add("turns", {1}, "turns finished by both / 14");
  spec.add("hand_size", {kSeats},
           "cards in hand / 20, without those that wait for their chip; own, then the opponent's before it chose");
  spec.add("stock", {1}, "cards in the stock / 36");
  spec.add("hands", {1}, "hands finished in this episode / 1024", 0, kMostScaledHands);
  spec.add("points", {1}, "own points of this episode / the most a player can win", -1);
  return spec;
}

void State::observe(Seat seat, float* out) const {
  const auto me = at(seat), other = at(1 - seat);
  const bool mine = mover_ == seat;
  write_cards(hand_[me], 1, out + part::kHand);
  write_cards(mine ? picked_ : 0, 1, out + part::kPicked);
  std::array<CardSet, kDraws> drawn{};
  const int own_draws = draws(seat);
  for (int draw = 0; draw < kDraws; ++draw) drawn[at(draw)] = draw < own_draws ? draws_[me][at(draw)] : 0;
  write_cards(drawn, 0x07060504030201, kTurnShare, out + part::kDrawn);
  const auto &own_turn = turn_laid_[me], &their_turn = turn_laid_[other];
  std::array<CardSet, kChips> shown;
  for (std::size_t c = 0; c < kChips; ++c) {
    shown[c] = own_turn[c] != 0 ? laid_[other][c] : 0;
    write_cards(laid_[me][c], kTurnShare[own_turn[c]], out + part::kLaid + c * kCards);
  }
  write_cards(shown, bytes_of(their_turn), kTurnShare, out + part::kShown);
  write_chips(sizes_of(laid_[me]), kLaidShare, out + part::kCount);
  write_chips(sizes_of(laid_[other]), kLaidShare, out + part::kCount + kChips);
  write_chips(bytes_of(own_turn), kTurnShare, out + part::kTurnLaid);
  write_chips(bytes_of(their_turn), kTurnShare, out + part::kTurnLaid + kChips);
  const std::uint64_t chips = bytes_of(chip_);
  write_chips(chips, kWonBy[me], out + part::kWon);
  write_chips(chips, kTied, out + part::kTied);
  std::memset(out + part::kPending, 0, static_cast<std::size_t>(part::kSize - part::kPending) * sizeof(float));
  if (naming_) out[part::kPending + size(picked_) - 1] = 1;
  if (to_act_ != kTerminal) out[part::kTurn + (to_act_ == seat ? 0 : 1)] = 1;
  out[part::kStarter + (seat == dealer_ ? 1 : 0)] = 1;
  out[part::kSeat + seat] = 1;
  out[part::kTurns] = static_cast<float>(turns_) / (kSeats * kTurns);
  out[part::kHandSize] = static_cast<float>(size(hand_[me])) / kMostHand;
  // The number of cards chosen so far is hidden until the turn is complete.
  const int held = size(hand_[other]) + (!mine && !naming_ ? size(picked_) : 0);
  out[part::kHandSize + 1] = static_cast<float>(held) / kMostHand;
  out[part::kStock] = static_cast<float>(stock()) / kStock;
  out[part::kHands] = static_cast<float>(std::min<int>(hands_finished_, kMostHands)) / kHandsScale;
  out[part::kPoints] = static_cast<float>(return_of(seat)) / static_cast<float>(rules_->most_points());
}

View State::decode(const Rules& rules, std::span<const float> observation) {
  if (observation.size() != static_cast<std::size_t>(part::kSize))
    refuse_observation(fmt::format("{} numbers, expected {}", observation.size(), part::kSize));
  const float* const data = observation.data();
  View view;
  view.me = one_hot(data + part::kSeat, kSeats, "seat");
  view.starter = one_hot(data + part::kStarter, kSeats, "starter");
  if (view.me < 0 || view.starter < 0) refuse_observation("part 'seat' or 'starter' is empty");
  view.to_act = one_hot(data + part::kTurn, kSeats, "turn");
  view.hand = cards_at(data + part::kHand);
  view.picked = cards_at(data + part::kPicked);
  for (int card = 0; card < kCards; ++card) {
    const int draw = count_of(data[part::kDrawn + card], kDraws);
    if (draw > 0) view.drawn[at(draw - 1)] |= bit(static_cast<Card>(card));
  }
  for (int draw = 0; draw < kDraws; ++draw) {
    const int cards = size(view.drawn[at(draw)]);
    if (cards != (draw == 0 ? kOpening : kDraw) && !(cards == 0 && draw > 0))
      refuse_observation(fmt::format("{} cards of draw {}", cards, draw));
  }
  for (std::size_t side = 0; side < kSeats; ++side) {
    for (std::size_t c = 0; c < kChips; ++c) {
      const std::size_t place = side * kChips + c;
      view.count[side][c] = static_cast<std::uint8_t>(count_of(data[part::kCount + place], kMostLaid));
      view.turn[side][c] = static_cast<std::uint8_t>(count_of(data[part::kTurnLaid + place], kTurns));
    }
    view.hand_size[side] = count_of(data[static_cast<std::size_t>(part::kHandSize) + side], kMostHand);
  }
  for (std::size_t c = 0; c < kChips; ++c)
    view.cards[0][c] = cards_at(data + static_cast<std::size_t>(part::kLaid) + c * kCards);
  for (int card = 0; card < kCards; ++card) {
    const int turn = count_of(data[part::kShown + card], kTurns);
    for (std::size_t c = 0; c < kChips && turn != 0; ++c)
      if (view.turn[1][c] == turn) view.cards[1][c] |= bit(static_cast<Card>(card));
  }
  for (std::size_t c = 0; c < kChips; ++c) {
    const float won = data[part::kWon + c];
    view.owner[c] = data[part::kTied + c] != 0 ? kNobody : won > 0 ? 0 : won < 0 ? 1 : kNotYet;
  }
  view.pending = one_hot(data + part::kPending, kMostLaid, "pending") + 1;
  view.naming = view.pending > 0;
  view.turns = count_of(data[part::kTurns], kSeats * kTurns);
  view.stock = count_of(data[part::kStock], kStock);
  view.ties_count = rules.ties == Ties::kBoth;
  return view;
}

View State::view(Seat seat) const {
  std::array<float, part::kSize> numbers;
  observe(seat, numbers.data());
  return decode(*rules_, numbers);
}

}  // namespace dealer::seven_hand
