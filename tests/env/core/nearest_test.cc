#include "env/core/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dealer::nearest_test {
namespace {

const std::vector<std::string> kGames = {"ofc", "seven_hand", "draw", "holdem", "stud", "stud_hi_lo", "kuhn", "leduc"};

TEST(Nearest, FindsAddedDroppedChangedAndSwappedLetters) {
  EXPECT_EQ(nearest("holdemm", kGames), "holdem");
  EXPECT_EQ(nearest("hldem", kGames), "holdem");
  EXPECT_EQ(nearest("holden", kGames), "holdem");
  EXPECT_EQ(nearest("hodlem", kGames), "holdem");
  EXPECT_EQ(nearest("hold", kGames), "holdem");
  EXPECT_EQ(nearest("ocf", kGames), "ofc");
  EXPECT_EQ(nearest("seven-hand", kGames), "seven_hand");
  EXPECT_EQ(nearest("stud_hilo", kGames), "stud_hi_lo");
}

TEST(Nearest, IgnoresLetterCase) { EXPECT_EQ(nearest("KUHN", kGames), "kuhn"); }

TEST(Nearest, ASwapIsOneChange) {
  const std::vector<std::string> known = {"axxb", "ba"};
  EXPECT_EQ(nearest("ab", known), "ba");
}

TEST(Nearest, PrefersFewerChangesThenTheFirst) {
  const std::vector<std::string> known = {"rates", "rated", "rate"};
  EXPECT_EQ(nearest("rate", known), "rate");
  EXPECT_EQ(nearest("ratex", known), "rates");
}

TEST(Nearest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("bridge", kGames), "");
  EXPECT_EQ(nearest("", kGames), "");
  EXPECT_EQ(nearest("x", std::vector<std::string>{"y"}), "");
  EXPECT_EQ(nearest("ofc", {}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), kGames), "");
  EXPECT_EQ(nearest("ofc", std::vector<std::string>{std::string(100000, 'a')}), "");
}

TEST(DidYouMean, EndsAMessage) {
  EXPECT_EQ(did_you_mean("kuhm", kGames), "; did you mean 'kuhn'?");
  EXPECT_EQ(did_you_mean("bridge", kGames), "");
}

}  // namespace
}  // namespace dealer::nearest_test
