#include "agents/ofc/rule_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/ofc/fantasyland_play.h"
#include "agents/ofc/heuristic_agent.h"
#include "agents/ofc/row_distribution.h"
#include "agents/ofc/turn_agent.h"

namespace dealer::ofc {
namespace {

constexpr std::array<std::string_view, kRuleStyles.size() + 1> kStyleNames = {"fair", "expert", "careful", "bold"};

// The share of its kind of rows that a row beats at a table of fair players, from -1 (none) to 1 (all): measured in
// self-play by category, with pairs spread over their ranks.
double row_standing(Row row, HandRank rank) {
  constexpr std::array<std::array<double, 10>, kRows> kBeats = {{{.30, .56, 1, 1, 1, 1, 1, 1, 1, 1},
                                                                 {.05, .36, .73, .89, .95, .98, .99, 1, 1, 1},
                                                                 {.03, .12, .27, .39, .48, .70, .93, .99, 1, 1}}};
  const HandCategory hand = category(rank);
  double beats = kBeats[row][static_cast<std::size_t>(hand)];
  if (hand == HandCategory::kPair) beats += (row == kFront ? 0.04 : 0.02) * (first_rank(rank) - 3);
  return 2 * beats - 1;
}

// Estimates for one board.
struct Estimate {
  double value = 0;
  double safe = 0;         // chance of no foul
  double fantasyland = 0;  // chance of entering
};

class Judge {
  // Of the cards of a turn; the front takes fewer.
  static constexpr std::size_t kSubsets = 32;

 public:
  Judge(const GameRules& rules, const RuleStyle& style, const View& view)
      : rules_(rules),
        style_(style),
        live_(Live::after_turn(view, style.taken[static_cast<std::size_t>(4 - view.street)], style.pairs)) {
    for (auto& known : known_) known.reserve(kSubsets);
    worth_ = rules.episode == Episode::kHand ? 0 : style.fantasyland;
  }

  Estimate judge(const Board& board) {
    const Prospect& front = prospect(kFront, board.row[kFront]);
    const Prospect& middle = prospect(kMiddle, board.row[kMiddle]);
    const Prospect& back = prospect(kBack, board.row[kBack]);
    const End& base = middle.ends[static_cast<std::size_t>(middle.count - 1)];
    const Sums under_base = under(front, front.at_least(base.rank));
    const Sums& over_base = back.over[static_cast<std::size_t>(back.at_least(base.rank))];
    Estimate sum;
    // From strong to weak, so that the ends of the other rows that reach a middle's rank only grow in number.
    for (int i = 0, f = 0, b = 0; i < middle.count; ++i) {
      const End& m = middle.ends[static_cast<std::size_t>(i)];
      f = front.at_least(m.rank, f);
      b = back.at_least(m.rank, b);
      const Sums& over = back.over[static_cast<std::size_t>(b)];
      add(sum, m.chance, under(front, f), m.value, over);
      // A middle that would grow too strong for the back can mostly be left as it is.
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
  // Over several ends of a row: the chance of one of them, values times chances, chance of Fantasyland.
  struct Sums {
    double chance = 0, value = 0, enters = 0;
    Sums operator-(const Sums& o) const { return {chance - o.chance, value - o.value, enters - o.enters}; }
  };
  struct Prospect {
    CardSet cards;
    int count;
    std::array<End, kMaxRowEnds> ends;         // strongest first
    std::array<Sums, kMaxRowEnds + 1> over{};  // [i]: of the i strongest

    // How many ends are as strong as the rank; at least `from` are.
    int at_least(HandRank rank, int from = 0) const {
      while (from < count && ends[static_cast<std::size_t>(from)].rank >= rank) ++from;
      return from;
    }
  };

  static void add(Estimate& sum, double chance, const Sums& front, double middle, const Sums& back) {
    sum.value += chance * (front.chance * (middle * back.chance + back.value) + front.value * back.chance);
    sum.safe += chance * front.chance * back.chance;
    sum.fantasyland += chance * front.enters * back.chance;
  }

  // The front when its `strong` strongest ends are too much for the middle: these can mostly be left alone, unless the
  // front is too strong as it is.
  Sums under(const Prospect& front, int strong) const {
    if (strong == front.count) return {};
    const End& base = front.ends[static_cast<std::size_t>(front.count - 1)];
    const Sums& too_strong = front.over[static_cast<std::size_t>(strong)];
    Sums sum = front.over[static_cast<std::size_t>(front.count)] - too_strong;
    const double left_alone = style_.avoid * too_strong.chance;
    sum.chance += left_alone;
    sum.value += left_alone * base.value;
    if (base.enters) sum.enters += left_alone;
    return sum;
  }

  // The same few rows come back in many placements.
  const Prospect& prospect(Row row, CardSet cards) {
    std::vector<Prospect>& known = known_[row];
    for (const Prospect& each : known)
      if (each.cards == cards) return each;
    Prospect& fresh = known.emplace_back();
    const RowDistribution distribution = row_distribution(row, cards, live_);
    fresh.cards = cards;
    fresh.count = distribution.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(distribution.count); ++i) {
      const RowEnd& end = distribution.ends[i];
      const bool enters = row == kFront && enters_fantasyland(end.rank, rules_.scoring.bonus);
      const double value = row_royalty(row, end.rank, rules_.scoring.royalties) +
                           style_.rows * row_standing(row, end.rank) + (enters ? worth_ : 0);
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
    PlacementBuffer placements;
    const int count = enumerate_placements(view.board[0], view.hand, view.discards_left, placements);
    Judge judge(rules(), style_, view);
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const double value = judge.judge(placements[i].board).value;
      if (value > most) {
        most = value;
        best = i;
      }
    }
    return placements[best];
  }

  RuleStyle style_;
};

}  // namespace

std::span<const std::string_view> rule_styles() { return kStyleNames; }

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  Config options = rule_options(spec);
  const std::size_t style = options.get_choice("style", kStyleNames[0], kStyleNames);
  options.finish();
  if (style == 0) return make_factory(to_string(spec), [game] { return make_heuristic_agent(game); });
  return make_rule_agents(to_string(spec), kRuleStyles[style - 1], game);
}

AgentFactoryPtr make_rule_agents(std::string spec, const RuleStyle& style, const GamePtr& game) {
  return make_factory(std::move(spec), [game, style] { return std::make_unique<Rule>(game, style); });
}

}  // namespace dealer::ofc
