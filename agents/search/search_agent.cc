#include "agents/search/search_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/search/make_search.h"
#include "env/core/error.h"
#include "env/games/visit.h"

namespace dealer {
namespace {

// The number of choices in a hint.
constexpr std::size_t kExplained = 5;

class SearchAgent final : public Agent {
 public:
  SearchAgent(const Game& game, std::unique_ptr<Search> search, int policy_runs)
      : unit_(game.unit()), search_(std::move(search)), policy_runs_(policy_runs) {}

  void reset(Seat, std::uint64_t seed) override {
    seed_ = seed;
    searched_ = {};
    line_.clear();
    ahead_.clear();
  }

  Decision act(const Observation& seen) override {
    for (std::size_t i = 0; i < ahead_.size(); ++i)
      if (ahead_[i] == seen.data) return line_[i + 1];
    const SearchResult& result = searched(seen);
    line_ = result.choices[result.chosen].actions;
    ahead_ = result.ahead;
    return line_.front();
  }

  std::optional<std::vector<double>> policy(const Observation& seen) override {
    if (policy_runs_ == 0) return std::nullopt;
    const std::vector<Action> legal = seen.legal_actions();
    std::vector<double> share(legal.size());
    for (int run = 0; run < policy_runs_; ++run) {
      const SearchResult result = search_->run(seen, derive(seed_of(seen), static_cast<std::uint64_t>(run)));
      const Action action = result.choices[result.chosen].actions.front();
      share[static_cast<std::size_t>(std::find(legal.begin(), legal.end(), action) - legal.begin())] +=
          1.0 / policy_runs_;
    }
    return share;
  }

  std::optional<double> value(const Observation& seen) override {
    const ChoiceValue& best = searched(seen).choices.front();
    return best.simulations > 0 ? std::optional(best.value) : std::nullopt;
  }

  std::string explain(const Observation& seen) override {
    std::string text;
    const SearchResult& result = searched(seen);
    for (std::size_t i = 0; i < std::min(kExplained, result.choices.size()); ++i) {
      const ChoiceValue& choice = result.choices[i];
      if (choice.simulations == 0) return fmt::format("{}: the only choice\n", choice.text);
      text += fmt::format("{:+9.3f} +- {:.3f} {}  {}  ({} simulations)\n", choice.value, choice.error, unit_,
                          choice.text, choice.simulations);
    }
    return text;
  }

  Search& search() { return *search_; }

 private:
  // The seed of a search is a function of the position, so that repeated queries agree.
  std::uint64_t seed_of(const Observation& seen) const { return hash_of(seen.data, seed_); }

  const SearchResult& searched(const Observation& seen) {
    if (seen.legal_mask == 0) throw UsageError("there is nothing to choose: the observer is not to act");
    if (searched_ != seen.data) {
      result_ = search_->run(seen, seed_of(seen));
      searched_ = seen.data;
    }
    return result_;
  }

  std::string unit_;
  std::unique_ptr<Search> search_;
  int policy_runs_;
  std::uint64_t seed_ = 0;
  std::vector<float> searched_;  // the observation of the last search
  SearchResult result_;          // of it
  Line line_;                    // the line being played
  std::vector<std::vector<float>> ahead_;
};

SearchMaker make_search(const SearchSetup& setup, const GamePtr& game) {
  for (const auto& [name, family] : agent_families())
    if (family.search != nullptr && family.plays(*game)) return family.search(setup, game);
  return visit(*game, [&]<class S>(const TypedGame<S>& typed) {
    return make_search<S>(std::static_pointer_cast<const TypedGame<S>>(typed.shared_from_this()), RandomPlay<S>(),
                          setup);
  });
}

// Provides action values by searching, then comparing the search's choice with the given one
// over as many new samples: the samples of the search are biased in favour of its choice.
// nullopt from a search that cannot compare.
class SearchEvaluator final : public AgentEvaluator {
 public:
  SearchEvaluator(std::unique_ptr<SearchAgent> agent, const Game& game, const std::string& spec,
                  EvaluatorAttributes attributes)
      : AgentEvaluator(std::move(agent), game, spec), attributes_(attributes) {}

  EvaluatorAttributes attributes() const override { return attributes_; }

  ActionValues action_values(const Observation& seen, std::span<const Action> given, std::uint64_t seed) override {
    Search& search = static_cast<SearchAgent&>(agent()).search();
    SearchResult found = search.run(seen, seed);
    ActionValues values;
    values.method = "search";
    values.choices = std::move(found.choices);
    values.favourite = found.chosen;
    const Line line(given.begin(), given.end());
    const auto same = [&](const ChoiceValue& choice) { return choice.actions == line; };
    values.given = static_cast<std::size_t>(std::find_if(values.choices.begin(), values.choices.end(), same) -
                                            values.choices.begin());
    if (values.given == values.favourite) {
      values.difference = 0;
      return values;
    }
    const Line pair[] = {values.choices[values.favourite].actions, line};
    std::optional<Comparison> compared = search.compare(seen, pair, derive(seed, 1));
    if (values.given == values.choices.size()) values.choices.push_back({line, {}, 0, 0, 0});
    if (!compared) return values;
    values.choices[values.favourite] = std::move(compared->first);
    values.choices[values.given] = std::move(compared->second);
    values.difference = compared->difference;
    values.error = compared->error;
    return values;
  }

 private:
  EvaluatorAttributes attributes_;
};

class SearchAgents final : public AgentFactory {
 public:
  // agents: those that guide the search, null if there are none.
  SearchAgents(const SearchSetup& setup, SearchMaker search, AgentFactoryPtr agents, GamePtr game)
      : AgentFactory(setup.spec),
        search_(std::move(search)),
        agents_(std::move(agents)),
        game_(std::move(game)),
        policy_runs_(setup.options.policy_runs) {}

  std::unique_ptr<Agent> make() const override {
    return std::make_unique<SearchAgent>(*game_, search_(), policy_runs_);
  }
  EvaluatorAttributes attributes() const override {
    return {.policy = policy_runs_ > 0, .value = true, .action_values = true};
  }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    return std::make_unique<SearchEvaluator>(std::make_unique<SearchAgent>(*game_, search_(), policy_runs_), *game_,
                                             spec(), attributes());
  }
  std::optional<double> option(std::string_view name) const override {
    return agents_ ? agents_->option(name) : std::nullopt;
  }
  int tables_at_once() const override { return 0; }

 private:
  SearchMaker search_;
  AgentFactoryPtr agents_;
  GamePtr game_;
  int policy_runs_;
};

AgentFactoryPtr make_agents_of(const SearchSetup& setup, SearchMaker search, const AgentFactoryPtr& agents,
                               const GamePtr& game) {
  return std::make_shared<const SearchAgents>(setup, std::move(search), agents, game);
}

SearchSetup read_setup(const Spec& spec, const Spec& search_options) {
  SearchSetup setup{.options = {}, .spec = to_string(spec), .evaluator = {}};
  Config options = agent_options(search_options);
  setup.options = read_search_options(options, setup.spec);
  options.finish();
  return setup;
}

}  // namespace

AgentFactoryPtr make_search_agents(const Spec& spec, const GamePtr& game) {
  const SearchSetup setup = read_setup(spec, spec);
  return make_agents_of(setup, make_search(setup, game), nullptr, game);
}

AgentFactoryPtr make_search_agents(const Spec& spec, const Spec& search_options, const AgentFactoryPtr& agents,
                                   const GamePtr& game) {
  SearchSetup setup = read_setup(spec, search_options);
  if (SearchMaker own = agents->make_search(setup)) return make_agents_of(setup, std::move(own), agents, game);
  check_policy(*agents, *game);
  setup.evaluator = [agents, game] { return make_evaluator(*agents, *game); };
  return make_agents_of(setup, make_search(setup, game), agents, game);
}

}  // namespace dealer
