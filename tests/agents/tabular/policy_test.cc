// Asking agents for their policy.
#include "agents/tabular/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/support/error_message.h"

namespace dealer::tabular::policy_test {
namespace {

// Says what it is told to say.
class Speaker final : public Agent {
 public:
  explicit Speaker(std::function<std::optional<std::vector<double>>(const Observation&)> policy)
      : policy_(std::move(policy)) {}
  void reset(Seat seat, std::uint64_t) override { seat_ = seat; }
  Decision act(const Observation& observation) override { return observation.legal_actions().front(); }
  bool hears() const override { return hears_; }
  std::optional<std::vector<double>> policy(const Observation& observation) override {
    EXPECT_EQ(observation.player, seat_);
    return policy_(observation);
  }
  bool hears_ = false;

 private:
  std::function<std::optional<std::vector<double>>(const Observation&)> policy_;
  Seat seat_ = -1;
};

class PolicyOf : public testing::Test {
 protected:
  GameTree tree_{*make_game("kuhn")};
  std::string refusal(std::vector<double> said) {
    Speaker agent([&](const Observation&) { return said; });
    return test::error_message<UsageError>([&] { policy_of(tree_, agent); });
  }
};

TEST_F(PolicyOf, AnAgentIsWhatItSaysEverywhere) {
  int asked = 0;
  Speaker agent([&](const Observation& seen) {
    ++asked;
    EXPECT_GE(tree_.find(seen.player, seen.data), 0);
    // Something different for each: by the legal actions and the seat.
    const double p = (seen.legal_mask == 3 ? 0.25 : 0.5) + 0.125 * seen.player;
    return std::vector<double>{p, 1 - p};
  });
  const Policy policy = policy_of(tree_, agent);
  EXPECT_EQ(asked, 12);
  ASSERT_EQ(policy.probability.size(), static_cast<std::size_t>(tree_.sequences()));
  for (const GameTree::InformationSet& set : tree_.sets()) {
    const double p = (set.legal == 3 ? 0.25 : 0.5) + 0.125 * set.seat;
    EXPECT_EQ(policy.probability[static_cast<std::size_t>(set.first)], p);
    EXPECT_EQ(policy.probability[static_cast<std::size_t>(set.first + 1)], 1 - p);
  }
  for (Seat seat = 0; seat < 2; ++seat)
    EXPECT_EQ(policy.probability[static_cast<std::size_t>(tree_.first_sequence(seat))], 1);
}

TEST_F(PolicyOf, RandomIsUniform) {
  EXPECT_EQ(policy_of(tree_, *make_agents("random", make_game("kuhn"))->make()).probability,
            uniform_policy(tree_).probability);
}

// It always takes the first legal action, and does not say so.
TEST_F(PolicyOf, OfASilentAgentIsWhatItDoes) {
  Speaker silent([](const Observation&) { return std::nullopt; });
  const Policy policy = policy_of(tree_, silent);
  for (const GameTree::InformationSet& set : tree_.sets()) {
    EXPECT_EQ(policy.probability[static_cast<std::size_t>(set.first)], 1);
    EXPECT_EQ(policy.probability[static_cast<std::size_t>(set.first + 1)], 0);
  }
}

// Takes another action with one seed in four.
class Moody final : public Agent {
 public:
  void reset(Seat, std::uint64_t seed) override { seed_ = seed; }
  Decision act(const Observation& observation) override {
    const std::vector<Action> legal = observation.legal_actions();
    return seed_ % 4 == 3 ? legal.back() : legal.front();
  }

 private:
  std::uint64_t seed_ = 0;
};

TEST_F(PolicyOf, NeedsAPolicyOfWhoDecidesByChance) {
  Moody agent;
  EXPECT_EQ(test::error_message<UsageError>([&] { policy_of(tree_, agent); }),
            "the agent has no policy, and it decides by chance: at '0: Js |' different seeds make it act differently, "
            "and it does not say with which probability");
}

class Wild final : public Agent {
 public:
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation&) override { return Decision::bet_to(7); }
};

TEST_F(PolicyOf, NeedsLegalActions) {
  Wild agent;
  EXPECT_EQ(test::error_message<UsageError>([&] { policy_of(tree_, agent); }),
            "the agent's decision at '0: Js |' is none of the legal actions");
}

TEST_F(PolicyOf, NeedsNoEvents) {
  Speaker listener([](const Observation&) { return std::vector<double>{0.5, 0.5}; });
  listener.hears_ = true;
  EXPECT_EQ(test::error_message<UsageError>([&] { policy_of(tree_, listener); }),
            "the agent has no policy that could be asked for: it hears events, observations are not enough");
}

TEST_F(PolicyOf, NeedsADistribution) {
  EXPECT_EQ(refusal({0.5, 0.25}),
            "the agent's policy at '0: Js |' is [0.5, 0.25]; expected 2 probabilities that add up to 1");
  for (const std::vector<double>& said :
       {std::vector<double>{1}, {0.5, 0.25, 0.25}, {-0.5, 1.5}, {std::nan(""), 1}, {0, 0}, {}})
    EXPECT_NE(refusal(said).find("expected 2 probabilities"), std::string::npos);
}

}  // namespace
}  // namespace dealer::tabular::policy_test
