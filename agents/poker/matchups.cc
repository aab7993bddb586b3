#include "agents/poker/matchups.h"

#include <algorithm>
#include <bitset>
#include <tuple>

#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer::resolve {
namespace {

constexpr std::size_t kBoardCards = 5, kCards = kBoardCards + 2;
// The number of sampled boards if there are too many to enumerate.
constexpr std::size_t kBoards = 150;
constexpr std::uint64_t kSeed = 0x626f61726473ULL;
// The tile size: the number of hands, and of vectors of columns, whose sums fit into registers.
constexpr std::size_t kRows = kSimdWidth == 16 ? 5 : 3, kTile = 4;

// Computes `tile` vectors of columns of the values of some hands.
template <std::size_t tile>
void multiply(const float* edge, std::size_t rows, std::size_t count, const float* reach, std::size_t columns,
              float* value) {
  SimdVector sum[kRows][tile] = {};
  // Missing hands are computed like the first one.
  std::array<const float*, kRows> from{};
  for (std::size_t r = 0; r < kRows; ++r) from[r] = edge + (r < rows ? r : 0) * count;
  for (std::size_t o = 0; o < count; ++o, reach += columns) {
    SimdVector other[tile];
    for (std::size_t c = 0; c < tile; ++c) other[c] = load_vector(reach + c * kSimdWidth);
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t c = 0; c < tile; ++c) sum[r][c] = multiply_add(from[r][o], other[c], sum[r][c]);
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < tile; ++c) store_vector(value + r * columns + c * kSimdWidth, sum[r][c]);
}

std::vector<CardId> cards_beside(const poker::GameRules& rules, std::span<const CardId> seen) {
  std::vector<CardId> left;
  for (const CardId card : std::span(rules.new_deck).first(at(rules.deck->cards_in_play())))
    if (std::find(seen.begin(), seen.end(), card) == seen.end()) left.push_back(card);
  std::sort(left.begin(), left.end());
  return left;
}

}  // namespace

std::vector<Hand> hands_beside(const poker::GameRules& rules, std::span<const CardId> seen) {
  const std::vector<CardId> left = cards_beside(rules, seen);
  std::vector<Hand> hands;
  for (std::size_t b = 1; b < left.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) hands.push_back({{left[a], left[b]}});
  return hands;
}

Matchups::Matchups(const poker::GameRules& rules, std::span<const CardId> board) : hands_(hands_beside(rules, board)) {
  if (board.size() == kBoardCards) {
    std::vector<CardId> cards;
    for (const Hand& hand : hands_) {
      cards.insert(cards.end(), board.begin(), board.end());
      cards.insert(cards.end(), hand.cards.begin(), hand.cards.end());
    }
    std::vector<HandValue> values(hands_.size());
    rules.high->compiled().evaluate_hands(kCards, cards, values);
    for (std::size_t h = 0; h < hands_.size(); ++h) hands_[h].value = values[h];
    std::sort(hands_.begin(), hands_.end(),
              [](const Hand& a, const Hand& b) { return std::tie(a.value, a.cards) < std::tie(b.value, b.cards); });
    for (std::size_t h = 0; h < hands_.size(); ++h)
      if (h == 0 || hands_[h].value != hands_[h - 1].value) ties_.push_back(h);
    ties_.push_back(hands_.size());
  } else {
    compare(rules, board);
  }
  index_.assign(number(0, kMaxDeckCards), -1);
  for (std::size_t h = 0; h < hands_.size(); ++h)
    index_[number(hands_[h].cards[0], hands_[h].cards[1])] = static_cast<std::int16_t>(h);
}

void Matchups::compare(const poker::GameRules& rules, std::span<const CardId> board) {
  const std::size_t count = hands_.size(), to_come = kBoardCards - board.size();
  std::vector<CardId> left = cards_beside(rules, board);
  RandomStream rng(kSeed, 0);
  std::vector<std::int16_t> won(count * count), counted(count * count);
  // A hand beats those whose `high` is lower than its rank, and loses to those whose `low` is higher. Hands that
  // conflict with the board neither beat nor lose to any.
  std::vector<std::uint16_t> rank(count), low(count), high(count);
  std::vector<std::int16_t> held(count);
  std::vector<HandValue> values, order;
  std::vector<CardId> cards;
  std::vector<std::size_t> beside;
  for (std::size_t b = 0; b < (to_come == 1 ? left.size() : kBoards); ++b) {
    if (to_come == 1)
      std::swap(left[0], left[b]);
    else
      shuffle_first(std::span(left), to_come, rng);
    std::bitset<kMaxDeckCards> comes;
    for (std::size_t c = 0; c < to_come; ++c) comes.set(left[c]);
    cards.clear();
    beside.clear();
    for (std::size_t h = 0; h < count; ++h) {
      if (comes[hands_[h].cards[0]] || comes[hands_[h].cards[1]]) continue;
      beside.push_back(h);
      cards.insert(cards.end(), board.begin(), board.end());
      cards.insert(cards.end(), left.begin(), left.begin() + static_cast<std::ptrdiff_t>(to_come));
      cards.insert(cards.end(), hands_[h].cards.begin(), hands_[h].cards.end());
    }
    values.resize(beside.size());
    rules.high->compiled().evaluate_hands(kCards, cards, values);
    order = values;
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    std::fill(low.begin(), low.end(), 0);
    std::fill(high.begin(), high.end(), UINT16_MAX);
    std::fill(held.begin(), held.end(), std::int16_t{0});
    for (std::size_t i = 0; i < beside.size(); ++i) {
      const auto place = std::lower_bound(order.begin(), order.end(), values[i]) - order.begin();
      rank[beside[i]] = low[beside[i]] = high[beside[i]] = static_cast<std::uint16_t>(place + 1);
      held[beside[i]] = 1;
    }
    for (const std::size_t h : beside) {
      const std::uint16_t own = rank[h];
      std::int16_t* const wins = won.data() + h * count;
      std::int16_t* const counts = counted.data() + h * count;
      for (std::size_t o = 0; o < count; ++o) {
        wins[o] = static_cast<std::int16_t>(wins[o] + (own > high[o] ? 1 : 0) - (own < low[o] ? 1 : 0));
        counts[o] = static_cast<std::int16_t>(counts[o] + held[o]);
      }
    }
  }
  edge_.resize(count * count);
  for (std::size_t h = 0; h < count; ++h)
    for (std::size_t o = 0; o < count; ++o) {
      const auto shares = [&](CardId card) { return card == hands_[o].cards[0] || card == hands_[o].cards[1]; };
      if (shares(hands_[h].cards[0]) || shares(hands_[h].cards[1]) || counted[h * count + o] == 0) continue;
      edge_[h * count + o] = static_cast<float>(won[h * count + o]) / static_cast<float>(counted[h * count + o]);
    }
}

// Sums of the reach, in total and by card, one row of columns each.
class Held {
 public:
  explicit Held(std::size_t columns) : columns_(columns), sums_((kMaxDeckCards + 1) * columns) {}

  void add(const Hand& hand, const float* reach) {
    for (std::size_t c = 0; c < columns_; c += kSimdWidth) {
      const SimdVector more = load_vector(reach + c);
      for (float* row : {all(), with(hand.cards[0]), with(hand.cards[1])})
        store_vector(row + c, load_vector(row + c) + more);
    }
  }
  // The reach of hands that share no card with the hand. reach: of the hand itself, if it has been added.
  SimdVector beside(const Hand& hand, const float* reach, std::size_t column) {
    const SimdVector sum = load_vector(all() + column) - load_vector(with(hand.cards[0]) + column) -
                           load_vector(with(hand.cards[1]) + column);
    return reach == nullptr ? sum : sum + load_vector(reach + column);
  }

 private:
  float* all() { return sums_.data(); }
  float* with(CardId card) { return sums_.data() + (1 + std::size_t{card}) * columns_; }

  std::size_t columns_;
  AlignedFloats sums_;
};

void Matchups::folds(std::span<const float> reach, std::size_t columns, std::span<float> value) const {
  Held held(columns);
  for (std::size_t h = 0; h < hands_.size(); ++h) held.add(hands_[h], &reach[h * columns]);
  for (std::size_t h = 0; h < hands_.size(); ++h)
    for (std::size_t c = 0; c < columns; c += kSimdWidth)
      store_vector(&value[h * columns + c], held.beside(hands_[h], &reach[h * columns], c));
}

void Matchups::showdowns(std::span<const float> reach, std::size_t columns, std::span<float> value) const {
  const std::size_t count = hands_.size();
  if (edge_.empty()) {
    Held weaker(columns);
    // Weaker hands counted twice and ties once, less all hands: weaker minus stronger.
    folds(reach, columns, value);
    for (std::size_t t = 0; t + 1 < ties_.size(); ++t) {
      const auto group = [&](const auto& each) {
        for (std::size_t h = ties_[t]; h < ties_[t + 1]; ++h) each(h);
      };
      group([&](std::size_t h) {
        for (std::size_t c = 0; c < columns; c += kSimdWidth)
          store_vector(&value[h * columns + c],
                       weaker.beside(hands_[h], nullptr, c) - load_vector(&value[h * columns + c]));
      });
      group([&](std::size_t h) { weaker.add(hands_[h], &reach[h * columns]); });
      group([&](std::size_t h) {
        for (std::size_t c = 0; c < columns; c += kSimdWidth)
          store_vector(&value[h * columns + c],
                       load_vector(&value[h * columns + c]) + weaker.beside(hands_[h], &reach[h * columns], c));
      });
    }
    return;
  }
  for (std::size_t c = 0; c < columns;) {
    const std::size_t left = (columns - c) / kSimdWidth;
    const auto go = [&]<std::size_t tile>() {
      for (std::size_t h = 0; h < count; h += kRows)
        multiply<tile>(&edge_[h * count], std::min(kRows, count - h), count, &reach[c], columns,
                       &value[h * columns + c]);
      c += tile * kSimdWidth;
    };
    if (left >= kTile)
      go.template operator()<kTile>();
    else if (left >= 2)
      go.template operator()<2>();
    else
      go.template operator()<1>();
  }
}

}  // namespace dealer::resolve
