#include "agents/ofc/chain_values.h"

#include <algorithm>
#include <vector>

#include "agents/ofc/fantasyland.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer::ofc {
namespace {

// Sampled hands by round. A round sets the hands by the value of staying that the round before has found; it moves
// little after the first.
constexpr std::array<std::size_t, 3> kSampledHands = {300, 300, 2000};
constexpr std::uint64_t kHandSeed = 0x0fc;
constexpr int kSweeps = 200;

// The fraction of hands that are followed by one with that many Fantasyland cards.
using Rates = std::array<double, kMaxFantasylandCards + 1>;

// Complete boards of one kind of hand and what follows them.
struct HandSample {
  std::vector<BoardValue> boards;
  Rates next{};
};

CardSet random_hand(int cards, RandomStream& rng) {
  std::array<Card, kCards> deck;
  for (std::size_t i = 0; i < kCards; ++i) deck[i] = static_cast<Card>(i);
  shuffle_first(std::span<Card>(deck), static_cast<std::size_t>(cards), rng);
  CardSet hand = 0;
  for (int i = 0; i < cards; ++i) hand |= bit(deck[static_cast<std::size_t>(i)]);
  return hand;
}

class Estimate {
 public:
  Estimate(const Rules& rules, std::span<const Board> boards)
      : rules_(rules), rows_(row_values_against(boards, rules.bonus)) {
    for (const Board& board : boards) add(samples_[0], evaluate(board, rules), false);
    finish(samples_[0]);
    const auto& numbers = rules.bonus.fantasyland_cards;
    for (int cards = kMinFantasylandCards; cards <= kMaxFantasylandCards; ++cards)
      if (std::find(numbers.begin(), numbers.end(), cards) != numbers.end()) hands_.push_back(cards);
  }

  ChainValues run() {
    for (const std::size_t hands : kSampledHands) {
      const FantasylandGoal goal{values_.fantasyland(rules_.bonus.fantasyland_cards[kAfterStay]), &rows_, &rules_};
      for (std::size_t i = 1; i < hands_.size(); ++i) sample(hands_[i], hands, goal);
      solve(hands);
    }
    return values_;
  }

 private:
  void add(HandSample& sample, const BoardValue& board, bool in_fantasyland) {
    sample.boards.push_back(board);
    ++sample.next[in_fantasyland ? board.stays : board.fantasyland];
  }
  static void finish(HandSample& sample) {
    for (double& rate : sample.next) rate /= static_cast<double>(sample.boards.size());
  }

  void sample(int cards, std::size_t hands, const FantasylandGoal& goal) {
    HandSample& sample = samples_[at(cards)] = {};
    RandomStream rng(kHandSeed, static_cast<std::uint64_t>(cards));
    for (std::size_t i = 0; i < hands; ++i)
      add(sample, evaluate(solve_fantasyland(random_hand(cards, rng), goal).board, rules_), true);
    finish(sample);
  }

  // The mean points of a hand, board i of one side against board i of the other's.
  double points(int own_cards, int other_cards, std::size_t hands) const {
    const auto& own = samples_[at(own_cards)].boards;
    const auto& other = samples_[at(other_cards)].boards;
    double sum = 0;
    for (std::size_t i = 0; i < hands; ++i) sum += score(own[i % own.size()], other[i % other.size()], rules_.bonus);
    return sum / static_cast<double>(hands);
  }

  double value_of_next(int own_cards, int other_cards) const {
    const Rates& own = samples_[at(own_cards)].next;
    const Rates& other = samples_[at(other_cards)].next;
    double sum = 0;
    for (const int mine : hands_)
      for (const int theirs : hands_) sum += own[at(mine)] * other[at(theirs)] * values_(mine, theirs, false);
    return sum;
  }

  void solve(std::size_t hands) {
    std::array<std::array<double, kMaxFantasylandCards + 1>, kMaxFantasylandCards + 1> mean{};
    for (const int own : hands_)
      for (const int other : hands_) mean[at(own)][at(other)] = own > other ? points(own, other, hands) : 0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (const int own : hands_) {
        for (const int other : hands_) {
          if (own <= other) continue;
          const double value = mean[at(own)][at(other)] + value_of_next(own, other);
          for (const bool deals : {false, true}) {
            values_.at(own, other, deals) = value;
            values_.at(other, own, deals) = -value;
          }
        }
      }
    }
  }

  Rules rules_;
  RowValues rows_;
  std::vector<int> hands_ = {0};  // the numbers of Fantasyland cards of these rules, and 0
  std::array<HandSample, kMaxFantasylandCards + 1> samples_;
  ChainValues values_;
};

}  // namespace

ChainValues estimated_chain_values(const Rules& rules, std::span<const Board> boards) {
  return Estimate(rules, boards).run();
}

}  // namespace dealer::ofc
