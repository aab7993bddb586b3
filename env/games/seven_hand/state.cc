#include "env/games/seven_hand/state.h"

#include <algorithm>

#include "env/cards/shuffle.h"
#include "env/hands/hand_rank.h"

namespace dealer::seven_hand {
namespace {

// The stream of a seed from which the first dealer is drawn; hand h is dealt from stream h.
constexpr std::uint64_t kDealerStream = ~std::uint64_t{0};

constexpr std::array<Card, kCards> kNewDeck = [] {
  std::array<Card, kCards> deck{};
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  return deck;
}();

// Bits of the cards above a given card.
constexpr CardSet above(CardSet card) { return ~(card | (card - 1)); }

}  // namespace

bool threatens(const View& view, int chip, int side) {
  if (view.owner[static_cast<std::size_t>(chip)] != kNotYet) return false;
  for (int first = std::max(0, chip - kAdjacent + 1); first <= std::min(chip, kChips - kAdjacent); ++first) {
    bool all = true;
    for (int c = first; c < first + kAdjacent; ++c) all = all && (c == chip || view.owns(side, c));
    if (all) return true;
  }
  return false;
}

void State::reset(const Rules& rules, std::uint64_t seed) {
  rules_ = &rules;
  seed_ = seed;
  return_ = 0;
  reward_ = 0;
  hands_finished_ = 0;
  RandomStream rng(seed, kDealerStream);
  dealer_ = static_cast<std::int8_t>(rng.below(kSeats));
  deal_hand();
}

// The first cards are the opening hand.
State::Draws State::draws_of(const std::array<std::array<Card, kOwnCards>, kSeats>& cards) {
  Draws draws{};
  for (std::size_t seat = 0; seat < kSeats; ++seat)
    for (std::size_t i = 0; i < kOwnCards; ++i)
      draws[seat][i < kOpening ? 0 : (i - kOpening) / kDraw + 1] |= bit(cards[seat][i]);
  return draws;
}

void State::deal(const Rules& rules, const std::array<std::array<Card, kOwnCards>, kSeats>& cards, Seat dealer) {
  rules_ = &rules;
  seed_ = 0;
  return_ = 0;
  reward_ = 0;
  hands_finished_ = 0;
  begin(draws_of(cards), dealer);
}

void State::deal_hand() {
  RandomStream rng(seed_, static_cast<std::uint64_t>(hands_finished_));
  std::array<Card, kCards> deck = kNewDeck;
  std::array<std::array<Card, kOwnCards>, kSeats> cards;
  shuffle_first(std::span<Card>(deck), kCards, rng);
  std::copy_n(deck.begin(), kOwnCards, cards[0].begin());
  std::copy_n(deck.begin() + kOwnCards, kOwnCards, cards[1].begin());
  begin(draws_of(cards), dealer_);
}

// While the mover lays, the other player has not acted on its last draw, or on its opening hand.
int State::known_draws(Seat seat) const {
  const bool waits = !hand_over() && !naming_ && seat != mover_;
  return draws(seat) - (waits && finished_turns(seat) < kDraws ? 1 : 0);
}

int State::unseen_cards() const {
  int left = kCards;
  for (Seat seat = 0; seat < kSeats; ++seat)
    for (int draw = 0; draw < known_draws(seat); ++draw) left -= size(draws_[at(seat)][at(draw)]);
  return left;
}

void State::resample_future(RandomStream& rng) {
  seed_ = rng.bits64();
  CardSet left = kFullDeck;
  for (Seat seat = 0; seat < kSeats; ++seat)
    for (int draw = 0; draw < known_draws(seat); ++draw) left &= ~draws_[at(seat)][at(draw)];
  std::array<Card, kCards> deck{};
  std::size_t count = 0, next = 0;
  for_each(left, [&](Card card) { deck[count++] = card; });
  shuffle_first(std::span(deck).first(count), count, rng);
  for (Seat seat = 0; seat < kSeats; ++seat) {
    for (int draw = known_draws(seat); draw < kDraws; ++draw) {
      CardSet& cards = draws_[at(seat)][at(draw)];
      const CardSet before = cards;
      const int many = size(before);
      for (cards = 0; size(cards) < many;) cards |= bit(deck[next++]);
      if (draw < draws(seat)) hand_[at(seat)] ^= before ^ cards;
    }
  }
}

void State::begin(const Draws& draws, Seat dealer) {
  draws_ = draws;
  laid_ = {};
  hand_ = {draws[0][0], draws[1][0]};
  picked_ = 0;
  turn_laid_ = {};
  chip_ = {};
  turns_ = 0;
  dealer_ = static_cast<std::int8_t>(dealer);
  start_turn(1 - dealer);
}

void State::start_turn(Seat seat) {
  mover_ = to_act_ = static_cast<std::int8_t>(seat);
  naming_ = false;
  legal_ = hand_[at(seat)];  // three cards at least: two choices
}

// One bit per chip where the seat has not laid.
unsigned State::free_chips(Seat seat) const {
  unsigned free = 0;
  for (std::size_t c = 0; c < kChips; ++c) free |= (turn_laid_[at(seat)][c] == 0 ? 1U : 0U) << c;
  return free;
}

void State::end_laying() {
  const unsigned free = free_chips(mover_);
  if ((free & (free - 1)) == 0) return lay_at(std::countr_zero(free));
  naming_ = true;
  to_act_ = static_cast<std::int8_t>(1 - mover_);
  legal_ = LegalMask{free} << kFirstChip;
}

void State::lay_at(int chip) {
  const auto m = at(mover_);
  laid_[m][at(chip)] = picked_;
  picked_ = 0;
  turn_laid_[m][at(chip)] = static_cast<std::uint8_t>(turns_ / kSeats + 1);
  if (const int draw = turns_ / kSeats + 1; draw < kDraws) hand_[m] |= draws_[m][at(draw)];
  ++turns_;
  const Seat mover = mover_;
  if (turn_laid_[at(1 - mover)][at(chip)] != 0) {
    show_down(chip);
    if (three_adjacent(0) || three_adjacent(1)) return end_hand();
  }
  if (turns_ == kSeats * kTurns) return end_hand();
  start_turn(1 - mover);
}

void State::show_down(int chip) {
  const auto c = at(chip);
  const HandRank second = evaluate(laid_[at(mover_)][c]), first = evaluate(laid_[at(1 - mover_)][c]);
  if (first == second && (rules_->ties == Ties::kNobody || rules_->ties == Ties::kBoth)) {
    chip_[c] = Chip::kTied;
    return;
  }
  const bool takes = second > first || (second == first && rules_->ties == Ties::kSecondMover);
  const Seat winner = takes ? mover_ : 1 - mover_;
  chip_[c] = winner == 0 ? Chip::kSeat0 : Chip::kSeat1;
}

int State::chips(Seat seat) const {
  const auto count = [&](Chip how) { return static_cast<int>(std::count(chip_.begin(), chip_.end(), how)); };
  return count(seat == 0 ? Chip::kSeat0 : Chip::kSeat1) + (rules_->ties == Ties::kBoth ? count(Chip::kTied) : 0);
}

bool State::three_adjacent(Seat seat) const {
  unsigned own = 0;
  const Chip mine = seat == 0 ? Chip::kSeat0 : Chip::kSeat1, also = rules_->ties == Ties::kBoth ? Chip::kTied : mine;
  for (std::size_t c = 0; c < kChips; ++c) own |= (chip_[c] == mine || chip_[c] == also ? 1U : 0U) << c;
  return (own & own >> 1 & own >> 2) != 0;
}

// Net result of seat 0, once the hand is over.
int State::result() const {
  const int margin = chips(0) - chips(1);
  int winner = (margin > 0) - (margin < 0);  // +1: seat 0
  // A tied chip that counts for both may give both of them three: a draw.
  if (const bool three = three_adjacent(0), other_three = three_adjacent(1); three || other_three)
    winner = (three ? 1 : 0) - (other_three ? 1 : 0);
  return winner * (rules_->margin ? std::max(1, winner * margin) : 1);
}

void State::end_hand() {
  reward_ = result();
  return_ += reward_;
  ++hands_finished_;
  naming_ = false;
  to_act_ = kTerminal;
  legal_ = 0;
}

void State::apply_and_hold(Action action) {
  reward_ = 0;
  if (naming_) return lay_at(action - kFirstChip);
  if (action == kStop) return end_laying();
  const CardSet card = bit(static_cast<Card>(action));
  auto& hand = hand_[at(mover_)];
  hand &= ~card;
  picked_ |= card;
  const CardSet more = hand & above(card);
  if (more == 0 || size(picked_) == kMostLaid) return end_laying();
  legal_ = more | LegalMask{1} << kStop;
}

void State::apply(Action action) {
  apply_and_hold(action);
  if (hand_over() && !episode_over()) {
    const std::int32_t reward = reward_;
    next_hand();
    reward_ = reward;
  }
}

void State::next_hand() {
  reward_ = 0;
  dealer_ = static_cast<std::int8_t>(1 - dealer_);
  deal_hand();
}

int State::chip_of(Seat seat, int turn) const {
  const auto& turns = turn_laid_[at(seat)];
  return static_cast<int>(std::find(turns.begin(), turns.end(), turn) - turns.begin());
}

int State::finished_turns(Seat seat) const { return seat == dealer_ ? turns_ / kSeats : (turns_ + 1) / kSeats; }

void State::lay_instead(Seat seat, const std::array<CardSet, kChips>& laid, CardSet picked) {
  CardSet hand = 0;
  for (int draw = 0; draw < draws(seat); ++draw) hand |= draws_[at(seat)][at(draw)];
  for (const CardSet cards : laid) hand &= ~cards;
  laid_[at(seat)] = laid;
  if (mover_ == seat) picked_ = picked;
  hand_[at(seat)] = hand & ~picked;
  if (to_act_ == seat && mover_ == seat && !naming_) legal_ = hand;
}

int State::stock() const { return kCards - kSeats * kOpening - kDraw * (draws(0) + draws(1) - 2); }

Statistics State::statistics(Seat seat) const {
  const auto when = [](bool condition) { return condition ? 1.0 : 0.0; };
  const bool three = three_adjacent(seat);
  double cards = 0;
  for (int chip = 0; chip < kChips; ++chip) cards += size(laid(seat, chip));
  return {{"won", when(reward(seat) > 0), 1},
          {"drawn_hands", when(reward_ == 0), 1},
          {"three_adjacent", when(three), 1},
          {"won_as_starter", when(seat != dealer_ && reward(seat) > 0), when(seat != dealer_)},
          {"chips", static_cast<double>(chips(seat)), 1},
          {"cards_a_turn", cards, static_cast<double>(finished_turns(seat))}};
}

}  // namespace dealer::seven_hand
