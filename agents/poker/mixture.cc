#include "agents/poker/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_error.h"
#include "agents/agent_registry.h"
#include "agents/evaluator.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/games/poker/game.h"

namespace dealer::poker {
namespace {

constexpr char kBetween = '+';

class MixtureAgent final : public Agent {
 public:
  MixtureAgent(const GameRules& rules, std::vector<std::unique_ptr<Agent>> members, bool has_policy)
      : rules_(rules), members_(std::move(members)), has_policy_(has_policy) {}

  void reset(Seat seat, std::uint64_t seed) override {
    for (const auto& member : members_) member->reset(seat, seed);
  }
  Decision act(const Observation& observation) override { return who_plays(observation).act(observation); }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    return has_policy_ ? who_plays(observation).policy(observation) : std::nullopt;
  }
  std::optional<double> value(const Observation& observation) override {
    std::optional<double> value = who_plays(observation).value(observation);
    for (auto other = members_.begin(); !value && other != members_.end(); ++other)
      value = (*other)->value(observation);
    return value;
  }
  std::string explain(const Observation& observation) override { return who_plays(observation).explain(observation); }

 private:
  Agent& who_plays(const Observation& observation) {
    return *members_[drawn_member(State::decode(rules_, observation.data), members_.size())];
  }

  const GameRules& rules_;
  std::vector<std::unique_ptr<Agent>> members_;
  bool has_policy_;  // in every hand
};

class MixtureBatch final : public AgentBatch {
 public:
  MixtureBatch(const GameRules& rules, std::vector<std::unique_ptr<AgentBatch>> members, int tables)
      : rules_(rules), members_(std::move(members)), who_plays_(at(tables)) {}

  void reset(int table, Seat seat, std::uint64_t seed) override {
    for (const auto& member : members_) member->reset(table, seat, seed);
  }
  void add(int table, const Observation& observation, Decision& decision) override {
    std::size_t& who = who_plays_[at(table)];
    who = drawn_member(State::decode(rules_, observation.data), members_.size());
    members_[who]->add(table, observation, decision);
  }
  void flush() override {
    for (const auto& member : members_) member->flush();
  }
  std::exception_ptr failure(int table) override { return members_[who_plays_[at(table)]]->failure(table); }

 private:
  const GameRules& rules_;
  std::vector<std::unique_ptr<AgentBatch>> members_;
  std::vector<std::size_t> who_plays_;
};

// Each member is queried for the observations of its hands, and values come from the first member with any.
class MixtureEvaluator final : public PositionEvaluator {
 public:
  using Members = std::vector<std::unique_ptr<PositionEvaluator>>;
  MixtureEvaluator(std::shared_ptr<const Game> game, Members members)
      : game_(std::move(game)),
        actions_(at(game_->num_actions())),
        members_(std::move(members)),
        own_(members_.size()) {}

  EvaluatorAttributes attributes() const override {
    return {.policy = true, .value = value_member() != members_.end(), .cheap = true};
  }
  void evaluate(std::span<const Observation> seen, std::span<double> policy, std::span<double> value) override {
    if (!value.empty()) (*value_member())->evaluate(seen, {}, value);
    if (policy.empty()) return;
    share_out(seen);
    for (std::size_t who = 0; who < members_.size(); ++who) {
      const std::vector<std::size_t>& rows = own_[who];
      if (rows.empty()) continue;
      mine_.clear();
      for (const std::size_t row : rows) mine_.push_back(seen[row]);
      found_.resize(rows.size() * actions_);
      members_[who]->evaluate(mine_, found_);
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy_n(&found_[i * actions_], actions_, &policy[rows[i] * actions_]);
    }
  }

 private:
  Members::const_iterator value_member() const {
    return std::find_if(members_.begin(), members_.end(),
                        [](const auto& member) { return member->attributes().value; });
  }
  void share_out(std::span<const Observation> seen) {
    for (auto& rows : own_) rows.clear();
    for (std::size_t row = 0; row < seen.size(); ++row)
      own_[drawn_member(State::decode(game_->rules(), seen[row].data), members_.size())].push_back(row);
  }

  std::shared_ptr<const Game> game_;
  std::size_t actions_;
  Members members_;
  std::vector<std::vector<std::size_t>> own_;  // rows, by member
  std::vector<Observation> mine_;
  std::vector<double> found_;
};

// Has a policy if all its members have one at low cost.
class MixtureFactory final : public AgentFactory {
 public:
  MixtureFactory(std::string spec, std::shared_ptr<const Game> game, std::vector<AgentFactoryPtr> members)
      : AgentFactory(std::move(spec)), game_(std::move(game)), members_(std::move(members)) {}

  std::unique_ptr<Agent> make() const override {
    std::vector<std::unique_ptr<Agent>> agents;
    for (const AgentFactoryPtr& member : members_) agents.push_back(member->make());
    return std::make_unique<MixtureAgent>(game_->rules(), std::move(agents), attributes().policy);
  }
  std::unique_ptr<AgentBatch> make_batch(int tables) const override {
    std::vector<std::unique_ptr<AgentBatch>> batches;
    for (const AgentFactoryPtr& member : members_) batches.push_back(member->make_batch(tables));
    return std::make_unique<MixtureBatch>(game_->rules(), std::move(batches), tables);
  }
  int tables_at_once() const override {
    return least([](const AgentFactory& member) { return member.tables_at_once(); }, true);
  }
  int most_tables() const override {
    return least([](const AgentFactory& member) { return member.most_tables(); }, false);
  }
  int most_batches() const override {
    return least([](const AgentFactory& member) { return member.most_batches(); }, false);
  }
  void expect_there() const override {
    for (const AgentFactoryPtr& member : members_) dealer::expect_there(*member);
  }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> all;
    for (const AgentFactoryPtr& member : members_)
      for (std::string& warning : member->warnings()) all.push_back(std::move(warning));
    return all;
  }
  EvaluatorAttributes attributes() const override {
    bool value = false;
    for (const AgentFactoryPtr& member : members_) {
      const EvaluatorAttributes its = member->attributes();
      if (!its.policy || !its.cheap) return {};
      value = value || its.value;
    }
    return {.policy = true, .value = value, .cheap = true};
  }
  std::unique_ptr<PositionEvaluator> make_evaluator() const override {
    if (!attributes().policy) return nullptr;
    MixtureEvaluator::Members evaluators;
    for (const AgentFactoryPtr& member : members_) evaluators.push_back(member->make_evaluator());
    return std::make_unique<MixtureEvaluator>(game_, std::move(evaluators));
  }

 private:
  template <class F>
  int least(const F& f, bool most) const {
    int found = f(*members_.front());
    for (const AgentFactoryPtr& member : members_)
      found = most ? std::max(found, f(*member)) : std::min(found, f(*member));
    return found;
  }

  std::shared_ptr<const Game> game_;
  std::vector<AgentFactoryPtr> members_;
};

}  // namespace

std::size_t drawn_member(const View& view, std::size_t members) {
  // In stud only the hole cards: the others are visible to all.
  std::vector<CardId> dealt;
  for (const SeenCard& card : view.own().cards)
    if (card.when == 0 && std::find(view.own().up.begin(), view.own().up.end(), card.card) == view.own().up.end())
      dealt.push_back(card.card);
  for (const auto& discarded : view.own().discarded)
    for (const SeenCard& card : discarded)
      if (card.when == 0) dealt.push_back(card.card);
  std::sort(dealt.begin(), dealt.end());
  std::uint64_t number = 0;
  for (const CardId card : dealt) number = mix64(number + card + 1);
  return at(mix64(number) % members);
}

bool plays_mixtures(const dealer::Game& game) { return dynamic_cast<const Game*>(&game) != nullptr; }

AgentFactoryPtr make_mixture_agents(const Spec& spec, const GamePtr& game) {
  agent_options(spec).finish();
  std::vector<AgentFactoryPtr> members;
  const std::string names = agent_argument(spec);
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(kBetween, begin), names.size());
    members.push_back(make_agents(names.substr(begin, end - begin), game));
    begin = end + 1;
  }
  if (members.size() < 2)
    throw UsageError(fmt::format(
        "agent '{}': one agent is not a mixture; expected two or more, as in mixture:default+rule", to_string(spec)));
  return make_mixture(to_string(spec), std::move(members), game);
}

AgentFactoryPtr make_mixture(std::string spec, std::vector<AgentFactoryPtr> members, const GamePtr& game) {
  auto poker = std::dynamic_pointer_cast<const Game>(game);
  if (poker == nullptr)
    throw UsageError(fmt::format("agent '{}': mixtures are for betting games; '{}' is none", spec, game->spec()));
  for (const AgentFactoryPtr& member : members)
    if (member->make()->observes())
      throw UsageError(
          fmt::format("agent '{}': '{}' observes the events of its table; expected agents that decide by what they see",
                      spec, member->spec()));
  return std::make_shared<MixtureFactory>(std::move(spec), std::move(poker), std::move(members));
}

}  // namespace dealer::poker
