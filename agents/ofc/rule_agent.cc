#include "agents/ofc/rule_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/ofc/row_distribution.h"
#include "agents/ofc/turn_agent.h"

namespace dealer::ofc {
namespace {

constexpr int kQueen = 10;

// By HandCategory: the points of a made hand, royalties and row points together.
constexpr std::array<double, 10> kMiddleWorth = {0, 1.5, 3, 5, 6, 9, 12, 20, 30, 50};
constexpr std::array<double, 10> kBackWorth = {0, 2, 5, 6, 8, 10, 12, 16, 21, 31};

bool one_suit(CardSet cards) { return (cards & ~suit_mask(suit_of(lowest(cards)))) == 0; }

// True if all ranks are different and within five of each other; aces count high.
bool straight_in_sight(CardSet cards) {
  unsigned ranks = 0;
  for_each(cards, [&](Card card) { ranks |= 1U << rank_of(card); });
  return std::popcount(ranks) == size(cards) && std::bit_width(ranks) - std::countr_zero(ranks) <= 5;
}

double draw_worth(Row row, CardSet cards) {
  constexpr std::array<double, 5> kFlush = {0, 0, 0.5, 1.5, 3.5}, kStraight = {0, 0, 0.2, 0.7, 2};
  const auto count = at(size(cards));
  if (count < 2 || count > 4) return 0;
  const double scale = row == kBack ? 1 : 0.6;
  if (one_suit(cards)) return scale * kFlush[count];
  return straight_in_sight(cards) ? scale * kStraight[count] : 0;
}

double row_worth(Row row, CardSet cards) {
  const HandRank rank = dealer::evaluate(cards);
  const auto hand = static_cast<std::size_t>(category(rank));
  if (hand == 0 || row == kFront) return row == kFront ? 0 : draw_worth(row, cards);
  const double high = hand == 1 ? 0.06 * first_rank(rank) : 0;
  return (row == kMiddle ? kMiddleWorth : kBackWorth)[hand] + high;
}

double front_worth(CardSet cards) {
  const HandRank rank = dealer::evaluate(cards);
  switch (category(rank)) {
    case HandCategory::kPair:
      return first_rank(rank) >= kQueen ? 12 : std::max(0, first_rank(rank) - 3);
    case HandCategory::kTrips:
      return 20;
    default:
      return rank == 0 ? 0 : 0.05 * first_rank(rank);
  }
}

// The fair agent's rough estimate of a board, complete or not, in points; later streets forgive less. street: 0..4.
double heuristic_value(const Board& board, int street) {
  constexpr std::array<double, 5> kDisorder = {3, 6, 10, 16, 30};
  const std::array<HandRank, 3> rank = {dealer::evaluate(board.row[kFront]), dealer::evaluate(board.row[kMiddle]),
                                        dealer::evaluate(board.row[kBack])};
  double worth =
      front_worth(board.row[kFront]) + row_worth(kMiddle, board.row[kMiddle]) + row_worth(kBack, board.row[kBack]);
  const double cost = kDisorder[at(street)];
  // High cards alone do not count as disorder while the row behind can still grow.
  const auto disorder = [&](Row weak, Row strong) {
    const bool made = category(rank[weak]) != HandCategory::kHighCard || board.room(strong) == 0;
    if (!made || rank[weak] < rank[strong] || (rank[weak] == rank[strong] && strong == kBack)) return 0.0;
    // A gap of two categories is harder to close than one of one.
    const int gap = static_cast<int>(category(rank[weak])) - static_cast<int>(category(rank[strong]));
    return board.room(strong) == 0 ? 40.0 : cost * (1 + 0.5 * gap);
  };
  worth -= disorder(kFront, kMiddle) + disorder(kMiddle, kBack);
  // Big cards belong behind; the front stays free for coming cards.
  for_each(board.row[kBack] | board.row[kMiddle], [&](Card card) { worth += 0.01 * rank_of(card); });
  return worth - 0.15 * (street < 3 ? size(board.row[kFront]) : 0);
}

// Follows simple rules: builds pairs and draws from the back to the front, keeps the rows in order, puts queens or
// better in front if the rows behind are strong enough. It counts no cards.
class Fair final : public TurnAgent {
 public:
  using TurnAgent::TurnAgent;

 private:
  Placement choose(const View& view) override {
    return best_placement(view, [&](const Board& board) { return heuristic_value(board, view.street); });
  }
};

constexpr std::array<std::string_view, kRuleStyles.size() + 1> kStyleNames = {"fair", "expert", "careful", "bold"};

// The net fraction of rows of this kind that a row beats at a table of fair players, from -1 (none) to 1 (all):
// measured in self-play by category, with pairs spread over their ranks.
double row_percentile(Row row, HandRank rank) {
  constexpr std::array<std::array<double, 10>, kRows> kBeats = {{{.30, .56, 1, 1, 1, 1, 1, 1, 1, 1},
                                                                 {.05, .36, .73, .89, .95, .98, .99, 1, 1, 1},
                                                                 {.03, .12, .27, .39, .48, .70, .93, .99, 1, 1}}};
  const HandCategory hand = category(rank);
  double beats = kBeats[row][static_cast<std::size_t>(hand)];
  if (hand == HandCategory::kPair) beats += (row == kFront ? 0.04 : 0.02) * (first_rank(rank) - 3);
  return 2 * beats - 1;
}

// The estimates for one board.
struct Estimate {
  double value = 0;
  double safe = 0;         // probability of no foul
  double fantasyland = 0;  // probability of entering
};

class Judge {
  // The number of subsets of a turn's cards; the front takes fewer.
  static constexpr std::size_t kSubsets = 32;

 public:
  Judge(const GameRules& rules, const RuleStyle& style, const View& view)
      : rules_(rules), style_(style), live_(Live::after_turn(view, style.taken[at(4 - view.street)], style.pairs)) {
    for (auto& known : known_) known.reserve(kSubsets);
    worth_ = rules.episode == Episode::kHand ? 0 : style.fantasyland;
  }

  Estimate judge(const Board& board) {
    const Prospect& front = prospect(kFront, board.row[kFront]);
    const Prospect& middle = prospect(kMiddle, board.row[kMiddle]);
    const Prospect& back = prospect(kBack, board.row[kBack]);
    const End& base = middle.ends[at(middle.count - 1)];
    const Sums under_base = under(front, front.at_least(base.rank));
    const Sums& over_base = back.over[at(back.at_least(base.rank))];
    Estimate sum;
    // From strong to weak, so that the number of ends of the other rows compatible with a middle's rank only grows.
    for (int i = 0, f = 0, b = 0; i < middle.count; ++i) {
      const End& m = middle.ends[at(i)];
      f = front.at_least(m.rank, f);
      b = back.at_least(m.rank, b);
      const Sums& over = back.over[at(b)];
      add(sum, m.chance, under(front, f), m.value, over);
      // A middle that would become too strong for the back can usually be left alone.
      add(sum, m.chance * style_.avoid, under_base, base.value, over_base - over);
    }
    sum.value -= (1 - sum.safe) * style_.foul;
    return sum;
  }

 private:
  struct End {
    HandRank rank;
    double chance;
    double value;
    bool enters;
  };
  // Sums over several ends of a row: probability, probability-weighted value, and probability of Fantasyland.
  struct Sums {
    double chance = 0, value = 0, enters = 0;
    Sums operator-(const Sums& o) const { return {chance - o.chance, value - o.value, enters - o.enters}; }
  };
  struct Prospect {
    CardSet cards;
    int count;
    std::array<End, kMaxRowEnds> ends;         // strongest first
    std::array<Sums, kMaxRowEnds + 1> over{};  // [i]: over the i strongest

    // The number of ends at least as strong as the rank; at least `from` of them are.
    int at_least(HandRank rank, int from = 0) const {
      while (from < count && ends[at(from)].rank >= rank) ++from;
      return from;
    }
  };

  static void add(Estimate& sum, double chance, const Sums& front, double middle, const Sums& back) {
    sum.value += chance * (front.chance * (middle * back.chance + back.value) + front.value * back.chance);
    sum.safe += chance * front.chance * back.chance;
    sum.fantasyland += chance * front.enters * back.chance;
  }

  // The front if its `strong` strongest ends exceed the middle: these draws can usually be left alone, unless
  // the front is too strong already.
  Sums under(const Prospect& front, int strong) const {
    if (strong == front.count) return {};
    const End& base = front.ends[at(front.count - 1)];
    const Sums& too_strong = front.over[at(strong)];
    Sums sum = front.over[at(front.count)] - too_strong;
    const double left_alone = style_.avoid * too_strong.chance;
    sum.chance += left_alone;
    sum.value += left_alone * base.value;
    if (base.enters) sum.enters += left_alone;
    return sum;
  }

  // A few rows recur in many placements, so their prospects are cached.
  const Prospect& prospect(Row row, CardSet cards) {
    std::vector<Prospect>& known = known_[row];
    for (const Prospect& each : known)
      if (each.cards == cards) return each;
    Prospect& fresh = known.emplace_back();
    const RowDistribution distribution = row_distribution(row, cards, live_);
    fresh.cards = cards;
    fresh.count = distribution.count;
    for (std::size_t i = 0; i < at(distribution.count); ++i) {
      const RowEnd& end = distribution.ends[i];
      const int entered = row == kFront ? entry_cards(end.rank, rules_.scoring.bonus) : 0;
      const bool enters = entered != 0;
      const double value = row_royalty(row, end.rank, rules_.scoring.royalties) +
                           style_.rows * row_percentile(row, end.rank) +
                           (enters ? worth_ * relative_fantasyland_value(entered) : 0);
      fresh.ends[i] = {end.rank, end.chance, value, enters};
      const Sums& before = fresh.over[i];
      fresh.over[i + 1] = {before.chance + end.chance, before.value + end.chance * value,
                           before.enters + (enters ? end.chance : 0)};
    }
    return fresh;
  }

  const GameRules& rules_;
  const RuleStyle& style_;
  Live live_;
  double worth_ = 0;
  std::array<std::vector<Prospect>, kRows> known_;
};

class Rule final : public TurnAgent {
 public:
  Rule(const GamePtr& game, const RuleStyle& style) : TurnAgent(game), style_(style) {}

  std::string explain(const Observation& observation) override {
    const View view = decode(observation);
    const MacroAction& turn = plan(view);
    if (view.fantasyland[0]) return fmt::format("best setting: {}", to_string(turn.board()));
    const Estimate estimate = Judge(rules(), style_, view).judge(turn.board());
    return fmt::format("{}: foul {:.0f}%, Fantasyland {:.0f}%", to_string(turn.board()), 100 * (1 - estimate.safe),
                       100 * estimate.fantasyland);
  }

 private:
  Placement choose(const View& view) override {
    Judge judge(rules(), style_, view);
    return best_placement(view, [&](const Board& board) { return judge.judge(board).value; });
  }

  RuleStyle style_;
};

}  // namespace

std::span<const std::string_view> rule_styles() { return kStyleNames; }

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = rule_options(spec);
  const std::size_t style = options.get_choice("style", kStyleNames[0], kStyleNames);
  options.finish();
  if (style == 0) return make_factory(to_string(spec), [game] { return std::make_unique<Fair>(game); });
  return make_rule_agents(to_string(spec), kRuleStyles[style - 1], game);
}

AgentFactoryPtr make_rule_agents(std::string spec, const RuleStyle& style, const GamePtr& game) {
  return make_factory(std::move(spec), [game, style] { return std::make_unique<Rule>(game, style); });
}

}  // namespace dealer::ofc
