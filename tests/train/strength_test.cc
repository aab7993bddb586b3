#include "train/strength.h"

#include "tests/support/testing.h"

namespace dealer::strength_test {
namespace {

std::vector<Metric> match(double mean, double ci95) {
  return {{"loss", 0.1}, {"match/rule", mean}, {"match/rule_ci95", ci95}, {"match/random", 10}};
}

TEST(Strength, ComparesTheLastTwoEvaluations) {
  Strength strength;
  EXPECT_EQ(strength.text(), "");
  strength.add(match(4.304, 0.3));
  EXPECT_EQ(strength.text(), "rule +4.30 ± 0.30");
  // Metrics between evaluations and final results have no effect.
  strength.add(std::vector<Metric>{{"loss", 0.2}});
  strength.add(std::vector<Metric>{{"final/rule", 9}, {"final/rule_ci95", 0.1}});
  EXPECT_EQ(strength.text(), "rule +4.30 ± 0.30");
  strength.add(match(4.74, 0.4));
  EXPECT_EQ(strength.text(), "rule +4.74 ± 0.40, as before");
  strength.add(match(5.31, 0.4));
  EXPECT_EQ(strength.text(), "rule +5.31 ± 0.40, better");
  strength.add(match(-4, 0.3));
  EXPECT_EQ(strength.text(), "rule -4.00 ± 0.30, worse");
}

TEST(Strength, TellsTheDistanceFromAnEquilibriumWhereItIsMeasured) {
  Strength strength;
  for (const double distance : {0.5, 0.25}) {
    std::vector<Metric> figures = match(1, 0.1);
    figures.emplace_back("exploitability", distance);
    strength.add(figures);
  }
  EXPECT_EQ(strength.text(), "exploitability 0.2500, better");
  strength.add(std::vector<Metric>{{"exploitability", 0.3}});
  EXPECT_EQ(strength.text(), "exploitability 0.3000, worse");
}

TEST(Strength, NamesNoIntervalThatNobodyKnows) {
  Strength strength;
  for (int i = 0; i < 2; ++i) strength.add(match(i, NAN));
  EXPECT_EQ(strength.text(), "rule +1.00, as before");
}

}  // namespace
}  // namespace dealer::strength_test
