#include "agents/poker/draw_preference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/games/poker/game.h"
#include "env/hands/hand_rank.h"

namespace dealer::poker {
namespace {

constexpr std::string_view kPrefers = "prefers", kHigh = "high", kAceToFive = "ace_to_five";
constexpr int kJack = 10;  // aces are 0

constexpr std::array<DrawPreference, 2> kPreferences = {{
    {"weak_pat", "stands pat with every weak hand at the last draw", true},
    {"weak_draw", "draws to every weak hand at the last draw", false},
}};

EvaluatorAttributes attributes_around(const EvaluatorAttributes& agent) {
  return {.policy = true, .value = agent.value, .cheap = agent.cheap};
}

class PreferringEvaluator final : public PositionEvaluator {
 public:
  PreferringEvaluator(std::shared_ptr<const Game> game, std::unique_ptr<PositionEvaluator> agent, bool stands_pat)
      : game_(std::move(game)), agent_(std::move(agent)), stands_pat_(stands_pat) {}

  EvaluatorAttributes attributes() const override { return attributes_around(agent_->attributes()); }

  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    agent_->evaluate(seen, policy, value);
    const auto actions = at(game_->num_actions());
    for (std::size_t i = 0; !policy.empty() && i < seen.size(); ++i)
      if (is_concerned(seen[i])) prefer(policy.subspan(i * actions, actions));
  }

 private:
  const GameRules& rules() const { return game_->rules(); }

  bool is_concerned(const Observation& seen) const {
    const View view = State::decode(rules(), seen.data);
    if (!view.drawing || view.street + 1 != rules().streets) return false;
    std::vector<CardId> hand;
    for (const SeenCard& card : view.own().cards) hand.push_back(card.card);
    return rules().high->ranking().name() == kHigh ? weak_high(hand) : weak_low(hand);
  }

  // An agent that always stands pat continues to do so: its policy has no other discard.
  void prefer(std::span<double> row) const {
    double& pat = row[at(rules().first_discard())];
    const double sum = std::accumulate(row.begin(), row.end(), 0.0), draws = sum - pat;
    if (!stands_pat_ && draws <= 0) return;
    if (stands_pat_) std::fill(row.begin(), row.end(), 0.0);
    pat = stands_pat_ ? 1 : 0;
    for (double& each : row) each /= stands_pat_ ? 1 : draws;
  }

  std::shared_ptr<const Game> game_;
  std::unique_ptr<PositionEvaluator> agent_;
  bool stands_pat_;
};

class PreferringAgents final : public AgentFactory {
 public:
  PreferringAgents(std::string spec, AgentFactoryPtr agents, std::shared_ptr<const Game> game, bool stands_pat)
      : AgentFactory(std::move(spec)),
        agents_(std::move(agents)),
        game_(std::move(game)),
        stands_pat_(stands_pat),
        attributes_(attributes_around(attributes_of(*agents_, *game_))) {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<EvaluatorAgent>(make_evaluator(), *game_); }
  int tables_at_once() const override { return agents_->tables_at_once(); }
  EvaluatorAttributes attributes() const override { return attributes_; }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<PreferringEvaluator>(game_, dealer::make_evaluator(*agents_, *game_), stands_pat_);
  }

 private:
  AgentFactoryPtr agents_;
  std::shared_ptr<const Game> game_;
  bool stands_pat_;
  EvaluatorAttributes attributes_;
};

std::shared_ptr<const Game> with_weak_hands(const GamePtr& game) {
  auto poker = std::dynamic_pointer_cast<const Game>(game);
  const auto is_known = [](const GameRules& rules) {
    const std::string& ranking = rules.high->ranking().name();
    return rules.draws > 0 && rules.deck->begins_as_standard() && rules.deck->size() == kCards &&
           (ranking == kHigh || ranking == kAceToFive);
  };
  if (!poker || !is_known(poker->rules()))
    throw UsageError(
        fmt::format("{}: '{}' is not draw poker with five of 52 cards, high or ace to five, in which weak "
                    "hands are known",
                    kPrefers, game->spec()));
  return poker;
}

}  // namespace

std::span<const DrawPreference> draw_preferences() { return kPreferences; }

std::string_view what_is_preferred(std::string_view preference) {
  for (const DrawPreference& each : kPreferences)
    if (each.name == preference) return each.what;
  return {};
}

bool weak_high(std::span<const CardId> hand) {
  CardSet set = 0;
  for (const CardId card : hand) set |= bit(static_cast<Card>(card));
  return category(evaluate5(set)) < HandCategory::kTwoPair;
}

bool weak_low(std::span<const CardId> hand) {
  unsigned ranks = 0;
  for (const CardId card : hand) ranks |= 1U << (rank_of(static_cast<Card>(card)) + 1) % kRanks;
  return std::popcount(ranks) < static_cast<int>(hand.size()) || std::bit_width(ranks) - 1 > kJack;
}

bool is_draw_preference(const dealer::Game& game, std::string_view key) {
  return key == kPrefers && as_poker(game) != nullptr;
}

AgentFactoryPtr make_preferring_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game) {
  std::vector<std::string_view> names = {"nothing"};
  for (const DrawPreference& preference : kPreferences) names.push_back(preference.name);
  Config options = agent_options(spec, [](std::string_view key) { return key == kPrefers; });
  const std::size_t chosen = options.get_choice(kPrefers, names.front(), names);
  options.finish();
  if (chosen == 0) return agents;
  auto poker = with_weak_hands(game);
  check_policy(*agents, *game);
  return std::make_shared<PreferringAgents>(to_string(spec), std::move(agents), std::move(poker),
                                            kPreferences[chosen - 1].stands_pat);
}

}  // namespace dealer::poker
