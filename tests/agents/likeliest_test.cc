#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "agents/agent.h"

namespace dealer::likeliest_test {
namespace {

// Does what is least likely.
class Contrary final : public Agent {
 public:
  explicit Contrary(std::optional<std::vector<double>> policy) : policy_(std::move(policy)) {}
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation&) override { return Action{5}; }
  std::optional<std::vector<double>> policy(const Observation&) override { return policy_; }

 private:
  std::optional<std::vector<double>> policy_;
};

TEST(LikeliestDecision, IsThatOfThePolicyAndTheLowestOfEqualOnes) {
  const Observation seen{0, {}, 0b101010};  // actions 1, 3 and 5
  const auto told = [&](std::optional<std::vector<double>> policy) {
    Contrary agent(std::move(policy));
    return likeliest_decision(agent, seen);
  };
  EXPECT_EQ(told({{0.2, 0.7, 0.1}}), Decision(Action{3}));
  EXPECT_EQ(told({{0.4, 0.4, 0.2}}), Decision(Action{1}));
  EXPECT_EQ(told({{0.2, 0.4, 0.4}}), Decision(Action{3}));
  EXPECT_EQ(told({{0, 0, 1}}), Decision(Action{5}));
  EXPECT_EQ(told(std::nullopt), Decision(Action{5})) << "it tells none";
  EXPECT_EQ(told({{0.5, 0.5}}), Decision(Action{5})) << "of another position";
}

}  // namespace
}  // namespace dealer::likeliest_test
