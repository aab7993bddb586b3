// What a seat may know, as numbers, and the way back to a view.
#include <fmt/format.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstring>

#include "env/core/error.h"
#include "env/games/seven_hand/observation_parts.h"
#include "env/games/seven_hand/state.h"

namespace dealer::seven_hand {
namespace {

template <int n>
constexpr std::array<float, n + 1> shares() {
  std::array<float, n + 1> table{};
  for (std::size_t i = 0; i <= n; ++i) table[i] = static_cast<float>(i) / static_cast<float>(n);
  return table;
}
constexpr auto kTurnShare = shares<kTurns>();
constexpr auto kLaidShare = shares<kMostLaid>();
// By Chip; the former for each seat.
constexpr std::array<std::array<float, 4>, kSeats> kWonBy = {{{0, 1, -1, 0}, {0, -1, 1, 0}}};
constexpr std::array<float, 4> kTied = {0, 0, 0, 1};
static_assert(kDraws == kTurns, "draws are written as shares of turns");

#if defined(__AVX512F__)
// Those of 16 lanes that lie within kCards.
__mmask16 lanes_at(int i) { return static_cast<__mmask16>(i + 16 <= kCards ? 0xffff : (1 << (kCards - i)) - 1); }
#endif

// kCards numbers: `value` for the cards of the set, 0 for the others. No branch depends on the cards: none is
// predicted.
void write_cards(CardSet cards, float value, float* out) {
#if defined(__AVX512F__)
  const __m512 all = _mm512_set1_ps(value);
  for (int i = 0; i < kCards; i += 16)
    _mm512_mask_storeu_ps(out + i, lanes_at(i), _mm512_maskz_mov_ps(static_cast<__mmask16>(cards >> i), all));
#else
  for (int half = 0; half < 2; ++half) {
    const auto bits = static_cast<std::uint32_t>(cards >> (half * 26));
    for (int i = 0; i < 26; ++i) out[half * 26 + i] = (bits >> i & 1) != 0 ? value : 0.0F;
  }
#endif
}

// The same for sets that have no card in common, set i with value[i].
template <std::size_t n>
void write_cards(const std::array<CardSet, n>& sets, const float* value, float* out) {
#if defined(__AVX512F__)
  for (int i = 0; i < kCards; i += 16) {
    __m512 row = _mm512_setzero_ps();
    for (std::size_t k = 0; k < n; ++k)
      row = _mm512_mask_mov_ps(row, static_cast<__mmask16>(sets[k] >> i), _mm512_set1_ps(value[k]));
    _mm512_mask_storeu_ps(out + i, lanes_at(i), row);
  }
#else
  write_cards(0, 0, out);
  for (std::size_t k = 0; k < n; ++k) for_each(sets[k], [&](Card card) { out[card] = value[k]; });
#endif
}

int one_hot(const float* values, int count, const char* name) {
  int found = -1;
  for (int i = 0; i < count; ++i) {
    if (values[i] == 0) continue;
    if (values[i] != 1 || found >= 0) refuse_observation(fmt::format("part '{}' is not one-hot", name));
    found = i;
  }
  return found;
}

CardSet cards_at(const float* values) {
  CardSet set = 0;
  for (int card = 0; card < kCards; ++card) set |= CardSet{values[card] != 0} << card;
  return set;
}

}  // namespace

void refuse_observation(const std::string& what) { throw UsageError("no observation of this game: " + what); }

int count_of(float share, int scale, float low, float high) {
  if (!(share >= low && share <= high))
    refuse_observation(fmt::format("{} is no share from {} to {}", share, low, high));
  return static_cast<int>(std::lround(share * static_cast<float>(scale)));
}

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
  spec.add("tied", {kChips}, "1: a chip that nobody took");
  spec.add("pending", {kMostLaid}, "one-hot: 1..5 cards wait for their chip; nothing when none do");
  spec.add("turn", {kSeats}, "one-hot: the player to act, the observer first; nothing at the end");
  spec.add("starter", {kSeats}, "one-hot: who had the first turn, the observer first");
  spec.add("seat", {kSeats}, "one-hot: absolute seat of the observer");
  spec.add("turns", {1}, "turns finished by both / 14");
  spec.add("hand_size", {kSeats},
           "cards in hand / 20, without those that wait for their chip; own, then the opponent's before it chose");
  spec.add("stock", {1}, "cards in the stock / 36");
  spec.add("hands", {1}, "hands finished in this episode / 1024", 0, kMostHands / kHandsScale);
  spec.add("points", {1}, "own points of this episode / the most there are", -1);
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
  write_cards(drawn, &kTurnShare[1], out + part::kDrawn);
  constexpr int kAfterCards = part::kCount;
  std::memset(out + kAfterCards, 0, static_cast<std::size_t>(part::kSize - kAfterCards) * sizeof(float));
  const auto &own_turn = turn_laid_[me], &their_turn = turn_laid_[other];
  std::array<CardSet, kChips> shown;
  std::array<float, kChips> shown_in;
  for (std::size_t c = 0; c < kChips; ++c) {
    shown[c] = own_turn[c] != 0 ? laid_[other][c] : 0;
    shown_in[c] = kTurnShare[their_turn[c]];
    write_cards(laid_[me][c], kTurnShare[own_turn[c]], out + part::kLaid + c * kCards);
  }
  for (std::size_t c = 0; c < kChips; ++c) {
    out[part::kTurnLaid + c] = kTurnShare[own_turn[c]];
    out[part::kTurnLaid + kChips + c] = kTurnShare[their_turn[c]];
    out[part::kCount + c] = kLaidShare[at(size(laid_[me][c]))];
    out[part::kCount + kChips + c] = kLaidShare[at(size(laid_[other][c]))];
    out[part::kWon + c] = kWonBy[me][static_cast<std::size_t>(chip_[c])];
    out[part::kTied + c] = kTied[static_cast<std::size_t>(chip_[c])];
  }
  write_cards(shown, shown_in.data(), out + part::kShown);
  if (naming_) out[part::kPending + size(picked_) - 1] = 1;
  if (to_act_ != kTerminal) out[part::kTurn + (to_act_ == seat ? 0 : 1)] = 1;
  out[part::kStarter + (seat == dealer_ ? 1 : 0)] = 1;
  out[part::kSeat + seat] = 1;
  out[part::kTurns] = static_cast<float>(turns_) / (kSeats * kTurns);
  out[part::kHandSize] = static_cast<float>(size(hand_[me])) / kMostHand;
  // Nobody sees how many cards the other has chosen before the turn is complete.
  const int held = size(hand_[other]) + (!mine && !naming_ ? size(picked_) : 0);
  out[part::kHandSize + 1] = static_cast<float>(held) / kMostHand;
  out[part::kStock] = static_cast<float>(stock()) / kStock;
  out[part::kHands] = static_cast<float>(std::min<int>(hands_finished_, kMostHands)) / kHandsScale;
  out[part::kPoints] = static_cast<float>(return_of(seat)) / static_cast<float>(rules_->most_points());
}

View State::decode(const Rules&, std::span<const float> observation) {
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
  return view;
}

View State::view(Seat seat) const {
  std::array<float, part::kSize> numbers;
  observe(seat, numbers.data());
  return decode(*rules_, numbers);
}

}  // namespace dealer::seven_hand
