#include "agents/poker/holdem_equity.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <utility>

#include "agents/empirical_cdf.h"
#include "agents/poker/hand_cdf.h"
#include "agents/poker/input_features.h"
#include "agents/poker/sampled_showdowns.h"
#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

constexpr int kBoards = 100'000;
constexpr int kSameMix = 100;  // number of boards per composition of the deck
constexpr std::size_t kMostOpponentPairs = 24;
constexpr std::uint64_t kPairTableSeed = 0x9a1;

std::vector<CardId> draw_deck(const GameRules& rules, RandomStream& rng) {
  std::vector<std::uint8_t> taken_out(rules.random_mix() ? rules.deck->ranks().size() : 0);
  for (std::uint8_t& suit : taken_out) suit = static_cast<std::uint8_t>(rng.below(Deck::kReplaceable));
  return rules.deck->in_play(taken_out);
}

// On the flop: runouts, and opponent hands for each; on the turn: opponent hands for every river.
constexpr std::size_t kRunouts = 128, kFlopHands = 12, kTurnHands = 16;
// The number of random partitions of the unseen cards into pairs that these hands come from.
constexpr std::size_t kPartings = 8;
constexpr std::size_t kTurnPercentile = 64;  // number of hands that a hand of six is compared with
constexpr std::size_t kMostPairs = kMaxDeckCards * (kMaxDeckCards - 1) / 2;
static_assert(kRunouts * (kFlopHands + 1) <= kMostPairs && kMaxDeckCards * (kTurnHands + 1) <= kMostPairs);

// Boards at random, each with hands from the rest of the deck that are compared with one another.
class RandomBoards {
 public:
  explicit RandomBoards(const GameRules& rules)
      : rules_(rules), categories_(*rules.high), qualifying_(rules.low ? HandCategories(*rules.low).qualifying() : 0) {}

  void deal_next() {
    if (dealt_++ % kSameMix == 0) deck_ = draw_deck(rules_, rng_);
    count_ = std::min(kMostOpponentPairs, (deck_.size() - kMaxBoard) / 2);
    shuffle_first(std::span(deck_), kMaxBoard + 2 * count_, rng_);
    for (std::size_t i = 0; i < count_; ++i) {
      std::copy_n(deck_.begin(), kMaxBoard, cards_.begin() + static_cast<std::ptrdiff_t>(i * kHandCards));
      for (const std::size_t k : {0U, 1U}) cards_[i * kHandCards + kMaxBoard + k] = deck_[kMaxBoard + 2 * i + k];
    }
    const std::span<const CardId> filled(cards_.data(), count_ * kHandCards);
    rules_.high->evaluate7(filled, std::span(high_).first(count_));
    if (rules_.low) {
      rules_.low->evaluate7(filled, std::span(low_).first(count_));
      for (HandValue& value : low_) value = value >= qualifying_ ? value + 1 : 0;
    }
  }

  std::size_t count() const { return count_; }
  CardId hole(std::size_t i, std::size_t card) const { return deck_[kMaxBoard + 2 * i + card]; }

  // Adds how hand i does against the others.
  void add_to(PairTable::Pair& pair, std::size_t i) const {
    // In quarters of a pot, which sum exactly; branch-free, as most of the time is spent here.
    int won = 0, high_won = 0, low_won = 0;
    for (std::size_t other = 0; other < count_; ++other) {
      const int of_high = 2 * ((high_[i] > high_[other]) + (high_[i] >= high_[other]));
      const int of_low = 2 * ((low_[i] > low_[other]) + (low_[i] >= low_[other]));
      high_won += of_high;
      low_won += of_low;
      won += (low_[i] | low_[other]) == 0 ? of_high : (of_high + of_low) / 2;
    }
    // Removes the ties with itself.
    const auto quarters = [](int sum) { return static_cast<float>(sum - 2) / 4; };
    const float each = 1 / static_cast<float>(count_ - 1);
    for (std::size_t k = 0; k < pair.share.size(); ++k)
      pair.share[k] += beats_several(quarters(won), count_ - 1, static_cast<int>(k) + 1);
    pair.high += quarters(high_won) * each;
    if (low_[i] > 0) pair.low += quarters(low_won) * each;
    pair.qualifies += low_[i] > 0 ? 1.0F : 0.0F;
    ++pair.becomes[categories_.of(high_[i])];
  }

 private:
  const GameRules& rules_;
  HandCategories categories_;
  HandValue qualifying_;
  RandomStream rng_{kPairTableSeed};
  int dealt_ = 0;
  std::vector<CardId> deck_;
  std::size_t count_ = 0;  // number of hands
  std::array<CardId, kMostOpponentPairs * kHandCards> cards_;
  std::array<HandValue, kMostOpponentPairs> high_{}, low_{};
};

}  // namespace

std::vector<std::size_t> PairTable::canonical(const GameRules& rules) {
  const auto deck_size = static_cast<std::size_t>(rules.deck->size());
  const SuitOrder suits(rules);
  std::vector<std::size_t> kept(deck_size * (deck_size - 1) / 2);
  for (std::size_t a = 0; a < deck_size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto first = static_cast<CardId>(a), second = static_cast<CardId>(b);
      SuitOrder::Marks marks{};
      suits.mark(first, 0, marks);
      suits.mark(second, 0, marks);
      const SuitOrder::Suits order = suits.order(marks);
      kept[number(first, second)] = number(suits.rename(first, order), suits.rename(second, order));
    }
  }
  return kept;
}

void PairTable::Pair::divide_by(float dealt) {
  const float scale = 1 / dealt;
  for (std::vector<float>* figures : {&share, &becomes})
    for (float& figure : *figures) figure *= scale;
  for (float* figure : {&high, &low, &qualifies}) *figure *= scale;
}

PairTable::PairTable(const GameRules& rules) {
  const std::vector<std::size_t> kept = canonical(rules);
  pairs_.resize(kept.size());
  for (Pair& pair : pairs_) {
    pair.share.resize(std::max<std::size_t>(kOpponents, static_cast<std::size_t>(rules.players) - 1));
    pair.becomes.resize(rules.high->ranking().categories().size());
  }
  std::vector<float> dealt(pairs_.size());
  RandomBoards boards(rules);
  for (int n = 0; n < kBoards; ++n) {
    boards.deal_next();
    for (std::size_t i = 0; i < boards.count(); ++i) {
      const std::size_t at = kept[number(boards.hole(i, 0), boards.hole(i, 1))];
      ++dealt[at];
      boards.add_to(pairs_[at], i);
    }
  }
  for (std::size_t at = 0; at < pairs_.size(); ++at)
    if (kept[at] == at && dealt[at] != 0) pairs_[at].divide_by(dealt[at]);
  std::vector<float> shares;
  for (std::size_t at = 0; at < pairs_.size(); ++at) {
    if (kept[at] != at) pairs_[at] = pairs_[kept[at]];
    shares.push_back(pairs_[at].share[0]);
  }
  const EmpiricalCdf<float> among(std::move(shares));
  for (Pair& pair : pairs_) pair.percentile = among.below<float>(pair.share[0]);
}

struct HoldemEquities::Values {
  std::array<HandValue, kMostPairs + 1> of;
};

// Hands of five or seven cards, to be valued together.
class HoldemEquities::Hands {
 public:
  explicit Hands(std::size_t size) : size_(size) {}
  // `cards` must be readable for eight bytes, `more` is two cards.
  void add(const CardId* cards, std::size_t count, const CardId* more) {
    CardId* const out = cards_.data() + count_++ * size_;
    std::memcpy(out, cards, sizeof(std::uint64_t));
    std::memcpy(out + count, more, kHoleCards);
  }
  void evaluate(const Evaluator& evaluator, Values& values) const {
    const std::span<const CardId> cards(cards_.data(), count_ * size_);
    if (size_ == kHandCards)
      evaluator.evaluate7(cards, std::span(values.of).first(count_));
    else
      evaluator.evaluate5(cards, std::span(values.of).first(count_));
  }
  std::size_t count() const { return count_; }

 private:
  std::size_t size_, count_ = 0;
  std::array<CardId, (kMostPairs + 1) * kHandCards + sizeof(std::uint64_t)> cards_;
};

HoldemEquities::Tables::Tables(const GameRules& rules)
    : pairs(rules),
      categories(*rules.high),
      suits(rules),
      qualifying(rules.low ? HandCategories(*rules.low).qualifying() : 0) {}

HoldemEquities::HoldemEquities(const GameRules& rules)
    : rules_(rules), tables_(shared_tables<Tables>(fmt::format("{}\n{}", cards_key(rules), rules.players))) {}

HoldemEquities::Position HoldemEquities::position(std::span<const CardId> own, std::span<const CardId> board,
                                                  std::span<const CardId> taken_out) const {
  const SuitOrder& suits = tables().suits;
  Position position;
  std::copy(own.begin(), own.end(), position.own.begin());
  std::copy(board.begin(), board.end(), position.board.begin());
  position.board_count = board.size();
  const std::span<CardId> mine = std::span(position.own).first(own.size());
  const std::span<CardId> open = std::span(position.board).first(board.size());
  std::sort(mine.begin(), mine.end());
  std::sort(open.begin(), open.end());
  SuitOrder::Marks marks{};
  for (const CardId card : mine) suits.mark(card, 0, marks);
  for (const CardId card : open) suits.mark(card, 1, marks);
  for (const CardId card : taken_out) suits.mark(card, 2, marks);
  const SuitOrder::Suits order = suits.order(marks);
  std::bitset<kMaxDeckCards> seen;
  for (CardId& card : mine) seen.set(card = suits.rename(card, order));
  for (CardId& card : open) seen.set(card = suits.rename(card, order));
  for (const CardId card : taken_out) seen.set(suits.rename(card, order));
  const int deck = rules_.deck->size();
  for (int card = 0; card < deck; ++card) {
    position.unseen[position.left] = static_cast<CardId>(card);
    position.left += seen[static_cast<std::size_t>(card)] ? 0 : 1;
  }
  return position;
}

HoldemEquity HoldemEquities::find(const Position& position, int opponents, bool percentile, float* becomes) const {
  if (position.board_count == 0) return before_flop(position, opponents, becomes);
  if (position.board_count == kMaxBoard) return on_river(position, opponents, becomes);
  HoldemEquity equity = sampled(position, opponents, becomes);
  if (percentile)
    equity.percentile = position.board_count == 3 ? percentile_on_flop(position) : percentile_on_turn(position);
  return equity;
}

HoldemEquity HoldemEquities::before_flop(const Position& position, int opponents, float* becomes) const {
  const PairTable::Pair& pair = pairs()(position.own[0], position.own[1]);
  if (becomes != nullptr) std::copy(pair.becomes.begin(), pair.becomes.end(), becomes);
  return {pair.percentile,
          pair.share[0],
          pair.share[PairTable::kOpponents - 1],
          pair.share[static_cast<std::size_t>(opponents) - 1],
          pair.high,
          pair.low,
          pair.qualifies};
}

// The values of the hands; low ones are 0 if they do not qualify or there is no low.
void HoldemEquities::value(const Hands& hands, Values& high, Values& low) const {
  hands.evaluate(*rules_.high, high);
  if (!rules_.low) return;
  hands.evaluate(*rules_.low, low);
  const HandValue qualifying = tables().qualifying;
  for (HandValue& found : std::span(low.of).first(hands.count())) found = found >= qualifying ? found + 1 : 0;
}

// Adds a board on which the first hand is the observer's.
void HoldemEquities::add_board(const HandValue* high, const HandValue* low, std::size_t count, int opponents,
                               float each, HoldemEquity& equity) const {
  float won = 0, high_won = 0, low_won = 0;
  if (rules_.low) {
    for (std::size_t i = 1; i < count; ++i) {
      won += pot_won(high[0], low[0], high[i], low[i]);
      high_won += beats(high[0], high[i]);
      low_won += low[0] > 0 ? beats(low[0], low[i]) : 0;
    }
    equity.qualifies += low[0] > 0 ? each : 0;
  } else {
    std::uint32_t twice = 0;
    for (std::size_t i = 1; i < count; ++i) twice += (high[0] > high[i] ? 1U : 0U) + (high[0] >= high[i] ? 1U : 0U);
    won = high_won = static_cast<float>(twice) / 2;
  }
  const float scale = 1 / static_cast<float>(count - 1);
  equity.share += each * won * scale;
  equity.four += each * beats_several(won, count - 1, 4);
  equity.all += each * beats_several(won, count - 1, opponents);
  equity.high += each * high_won * scale;
  equity.low += each * low_won * scale;
}

// Against every possible hand of an opponent.
HoldemEquity HoldemEquities::on_river(const Position& position, int opponents, float* becomes) const {
  Hands hands(kHandCards);
  hands.add(position.board.data(), kMaxBoard, position.own.data());
  add_pairs(position, hands);
  Values high, low;
  low.of[0] = 0;
  value(hands, high, low);
  HoldemEquity equity;
  if (hands.count() > 1) add_board(high.of.data(), low.of.data(), hands.count(), opponents, 1, equity);
  equity.percentile = equity.high;
  if (becomes != nullptr) becomes[tables().categories.of(high.of[0])] = 1;
  return equity;
}

void HoldemEquities::add_pairs(const Position& position, Hands& hands) {
  for (std::size_t a = 1; a < position.left; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const CardId pair[] = {position.unseen[a], position.unseen[b]};
      hands.add(position.board.data(), position.board_count, pair);
    }
  }
}

HoldemEquity HoldemEquities::sampled(const Position& position, int opponents, float* becomes) const {
  const bool flop = position.board_count == 3;
  const std::size_t boards = flop ? kRunouts : position.left, come = kMaxBoard - position.board_count;
  std::array<std::array<CardId, kMaxDeckCards>, kPartings> partings;
  for (std::size_t row = 0; row < kPartings; ++row) {
    partings[row] = position.unseen;
    CommonDeals::of(32).deal(row, std::span(partings[row]).first(position.left),
                             std::min(position.left, CommonDeals::kNumbers));
  }
  const std::size_t pairs = std::min(position.left, CommonDeals::kNumbers) / kHoleCards;
  HoldemEquity equity;
  if (pairs <= come) return equity;
  // Each future card rules out at most one pair.
  const std::size_t count = std::min(flop ? kFlopHands : kTurnHands, pairs - come);
  Hands hands(kHandCards);
  std::array<CardId, 8> board = position.board;
  std::array<CardId, kMaxDeckCards> stock = position.unseen;
  for (std::size_t n = 0; n < boards; ++n) {
    CardId* const last = &board[position.board_count];
    if (flop) {
      stock = position.unseen;
      CommonDeals::of(kRunouts).deal(n, std::span(stock).first(position.left), come);
      std::copy_n(stock.begin(), come, last);
    } else {
      *last = position.unseen[n];
    }
    hands.add(board.data(), kMaxBoard, position.own.data());
    const std::array<CardId, kMaxDeckCards>& parting = partings[n % kPartings];
    const CardId first = last[0], second = last[come - 1];
    std::size_t next = n / kPartings * kFlopHands % pairs;
    for (std::size_t found = 0; found < count; next = next + 1 < pairs ? next + 1 : 0) {
      const CardId* const pair = &parting[kHoleCards * next];
      if (pair[0] == first || pair[0] == second || pair[1] == first || pair[1] == second) continue;
      hands.add(board.data(), kMaxBoard, pair);
      ++found;
    }
  }
  Values high, low;
  std::fill_n(low.of.begin(), rules_.low ? 0 : hands.count(), 0);
  value(hands, high, low);
  const float each = 1 / static_cast<float>(boards);
  const HandCategories& categories = tables().categories;
  for (std::size_t at = 0; at < hands.count(); at += count + 1) {
    if (becomes != nullptr) becomes[categories.of(high.of[at])] += each;
    add_board(&high.of[at], &low.of[at], count + 1, opponents, each, equity);
  }
  return equity;
}

// The percentile of the present hand among all possible hands of an opponent.
float HoldemEquities::percentile_on_flop(const Position& position) const {
  Hands hands(kDrawHand);
  hands.add(position.board.data(), position.board_count, position.own.data());
  add_pairs(position, hands);
  Values values;
  hands.evaluate(*rules_.high, values);
  std::uint32_t twice = 0;
  for (std::size_t i = 1; i < hands.count(); ++i)
    twice += (values.of[0] > values.of[i] ? 1U : 0U) + (values.of[0] >= values.of[i] ? 1U : 0U);
  return static_cast<float>(twice) / (2 * static_cast<float>(hands.count() - 1));
}

float HoldemEquities::percentile_on_turn(const Position& position) const {
  std::array<CardId, kHoleCards + 4> hand{};
  std::copy_n(position.board.begin(), 4, hand.begin() + kHoleCards);
  const auto worth = [&](const CardId* two) {
    std::copy_n(two, kHoleCards, hand.begin());
    return rules_.high->evaluate(hand);
  };
  const HandValue mine = worth(position.own.data());
  const CommonDeals& deals = CommonDeals::of(kTurnPercentile);
  std::array<CardId, kMaxDeckCards> stock;
  float won = 0;
  for (std::size_t n = 0; n < kTurnPercentile; ++n) {
    stock = position.unseen;
    deals.deal(n, std::span(stock).first(position.left), kHoleCards);
    won += beats(mine, worth(stock.data()));
  }
  return won / kTurnPercentile;
}

}  // namespace dealer::poker
