#include "agents/poker/resolving_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "agents/poker/round_ranges.h"
#include "env/core/error.h"
#include "env/core/lru_cache.h"
#include "env/games/poker/game.h"

namespace dealer::resolve {
namespace {

constexpr std::string_view kResolve = "resolve", kIterations = "resolve_iterations";
constexpr int kUsualIterations = 100;

std::shared_ptr<const poker::Game> resolvable(const GamePtr& game) {
  auto poker = std::dynamic_pointer_cast<const poker::Game>(game);
  const auto refuse = [&](std::string_view why) {
    throw UsageError(
        fmt::format("resolve: '{}' {}; expected hold'em of two players, one ranking, fresh stacks and "
                    "hidden cards, or resolve=none",
                    game->spec(), why));
  };
  if (poker == nullptr) refuse("is not a betting game");
  if (const std::string_view why = why_not_two_cards(poker->rules()); !why.empty()) refuse(why);
  return poker;
}

// Re-solves the betting of one street, and delegates all others to the agent.
class ResolvingEvaluator final : public PositionEvaluator {
 public:
  ResolvingEvaluator(const std::shared_ptr<const poker::Game>& game, std::unique_ptr<PositionEvaluator> agent,
                     int street, int iterations)
      : game_(game), finder_(game, std::move(agent)), street_(street), iterations_(iterations) {}

  EvaluatorAttributes attributes() const override { return {.policy = true, .value = agent().attributes().value}; }

  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    if (!value.empty()) agent().evaluate(seen, {}, value);
    if (policy.empty()) return;
    std::vector<Observation> others;
    std::vector<std::size_t> rows;
    const auto actions = at(game_->num_actions());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const poker::View view = poker::State::decode(game_->rules(), seen[i].data);
      if (const auto hand = round_of(street_, game_->rules(), view)) {
        write(*hand, view, policy.subspan(i * actions, actions));
      } else {
        others.push_back(seen[i]);
        rows.push_back(i);
      }
    }
    if (others.empty()) return;
    std::vector<double> found(others.size() * actions);
    agent().evaluate(others, found);
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(&found[i * actions], actions, &policy[rows[i] * actions]);
  }

 private:
  PositionEvaluator& agent() const { return finder_.agent(); }

  void write(const PublicHand& hand, const poker::View& view, std::span<double> row) {
    const RoundStart& start = starts_.get(hand.key(), [&] { return finder_.find(hand); });
    const std::size_t held = start.matchups->find(view.own().cards[0].card, view.own().cards[1].card);
    const BettingRound::Policy& solved = policy(start, hand);
    const std::size_t first = held * solved.actions.size();
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t a = 0; a < solved.actions.size(); ++a)
      row[at(solved.actions[a])] = static_cast<double>(solved.rows[first + a]);
  }

  const BettingRound::Policy& policy(const RoundStart& start, const PublicHand& hand) {
    return policies_.get(hand.key() + text_of(hand.path), [&] {
      const std::span<const Decision> path = BettingRound::unusual(start.root, hand.path);
      return rounds_
          .get(hand.key() + text_of(path),
               [&] {
                 BettingRound round(start.root, path, start.matchups, start.ranges);
                 round.run(iterations_);
                 return round;
               })
          .policy(hand.path);
    });
  }

  std::shared_ptr<const poker::Game> game_;
  mutable RangeFinder finder_;
  int street_, iterations_;
  // Many queries share the same start of a round.
  LruCache<RoundStart> starts_{16};
  LruCache<BettingRound> rounds_{16};
  LruCache<BettingRound::Policy> policies_{64};
};

class ResolvingFactory final : public AgentFactory {
 public:
  ResolvingFactory(std::string spec, AgentFactoryPtr agents, std::shared_ptr<const poker::Game> game, int from,
                   int iterations)
      : AgentFactory(std::move(spec)),
        agents_(std::move(agents)),
        game_(std::move(game)),
        from_(from),
        iterations_(iterations),
        attributes_{.policy = true, .value = attributes_of(*agents_, *game_).value} {}

  std::unique_ptr<Agent> make() const override { return std::make_unique<EvaluatorAgent>(make_evaluator(), *game_); }
  int tables_at_once() const override { return 0; }
  EvaluatorAttributes attributes() const override { return attributes_; }
  // The ranges of each street come from the policy on earlier streets.
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    std::unique_ptr<PositionEvaluator> evaluator = dealer::make_evaluator(*agents_, *game_);
    for (int street = from_; street < game_->rules().streets; ++street)
      evaluator = std::make_unique<ResolvingEvaluator>(game_, std::move(evaluator), street, iterations_);
    return evaluator;
  }

 private:
  AgentFactoryPtr agents_;
  std::shared_ptr<const poker::Game> game_;
  int from_, iterations_;
  EvaluatorAttributes attributes_;
};

}  // namespace

bool is_resolve_option(std::string_view key) { return key == kResolve || key == kIterations; }

AgentFactoryPtr make_resolving_agents(const Spec& spec, AgentFactoryPtr agents, const GamePtr& game) {
  Config options = agent_options(spec, is_resolve_option);
  const auto streets = static_cast<int>(options.get_choice(kResolve, "none", {"none", "river", "turn", "flop"}));
  const int iterations = options.get_int<int>(kIterations, kUsualIterations, 1, 100'000);
  options.finish();
  if (streets == 0) return agents;
  auto poker = resolvable(game);
  check_policy(*agents, *game);
  return std::make_shared<ResolvingFactory>(to_string(spec), std::move(agents), poker, poker->rules().streets - streets,
                                            iterations);
}

}  // namespace dealer::resolve
