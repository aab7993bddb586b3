// The sentences of a report about the strength of a study's players.
#include "arena/studies/strength.h"

#include <gtest/gtest.h>

namespace dealer::studies {
namespace {

TEST(StudyStrength, OfManyGamesNamesOneThatWasNotMeasured) {
  const std::vector<Exploited> known = {{"draw", "default", "rule:fair", "chips", -1.09, 0.31, 5523}};
  const std::string measured =
      "Strength of the agent: dealer exploit found no response that beats default in draw. The best response, "
      "rule:fair, wins -1.09 ± 0.31 chips a hand (5523 deals).";
  const std::string unknown =
      " was not measured; dealer exploit --game 'razz' --against 'rule' --json measures it, and exploited=FILE brings "
      "its output into this report.";
  const std::string first = "The exploitability of rule in razz";
  EXPECT_EQ(strength_of(known, {{"draw", "default"}}), measured);
  EXPECT_EQ(strength_of(known, {{"razz", "rule"}}), first + unknown);
  EXPECT_EQ(strength_of(known, {{"razz", "rule"}, {"draw", "default"}, {"draw", "rule"}, {"stud", "rule"}}),
            measured + " " + first + " and of the agents in 2 other games" + unknown);
  EXPECT_EQ(strength_of(known, {}), "");
}

}  // namespace
}  // namespace dealer::studies
