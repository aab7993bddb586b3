// What the rule files allow.
#include <gtest/gtest.h>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/small/game.h"
#include "tests/support/error_message.h"

namespace dealer::small::options_test {
namespace {

std::string refusal(const std::string& spec) {
  return test::error_message<ConfigError>([&] { make_game(spec); });
}

const Rules& rules_of(const GamePtr& game) { return as_small(*game)->rules(); }

TEST(SmallOptions, AreThePublishedGamesByDefault) {
  const GamePtr kuhn = make_game("kuhn"), leduc = make_game("leduc");
  const Options& k = rules_of(kuhn).options();
  EXPECT_EQ(k.cards(), 3);
  EXPECT_EQ(k.ante, 1);
  EXPECT_EQ(k.bet[0], 1);
  EXPECT_EQ(k.raises, 1);
  EXPECT_EQ(k.rounds, 1);
  const Options& l = rules_of(leduc).options();
  EXPECT_EQ(l.cards(), 6);
  EXPECT_EQ(l.suits, 2);
  EXPECT_EQ(l.ante, 1);
  EXPECT_EQ(l.bet, (std::array{2, 4}));
  EXPECT_EQ(l.raises, 2);
  EXPECT_EQ(kuhn->num_actions(), 3);
  EXPECT_EQ(make_game("mini_draw")->num_actions(), 5);
}

TEST(SmallOptions, ASingleRoundTakesTheBigBet) {
  EXPECT_EQ(rules_of(make_game("mini_draw[rounds=1,small_bet=3,big_bet=5]")).options().bet[0], 5);
  EXPECT_EQ(rules_of(make_game("mini_draw[small_bet=3,big_bet=5]")).options().bet, (std::array{3, 5}));
}

TEST(SmallOptions, RefuseADeckThatIsTooSmall) {
  EXPECT_EQ(
      refusal("leduc[ranks=2,suits=1]"),
      "override 'ranks=2': ranks: 2 ranks in 1 suits are 2 cards; expected at least 3: a card for each player and "
      "one for the board");
  EXPECT_EQ(refusal("mini_draw[hand=3,suits=2]").substr(refusal("mini_draw[hand=3,suits=2]").find("3 ranks")),
            "3 ranks in 2 suits are 6 cards; expected at least 9: two hands of 3 and 3 to draw");
}

TEST(SmallOptions, RefuseWhatIsOutOfRangeOrUnknown) {
  for (const char* spec :
       {"kuhn[cards=2]", "kuhn[cards=14]", "kuhn[ante=0]", "kuhn[bet=1001]", "kuhn[raises=5]", "kuhn[suits=2]",
        "leduc[ranks=1]", "leduc[suits=5]", "leduc[raises=0]", "leduc[hand=2]", "mini_draw[hand=4,suits=4]",
        "mini_draw[rounds=3]", "mini_draw[rounds=0]", "mini_draw[players=2]", "mini_draw[small_bet=x]"})
    EXPECT_NE(refusal(spec).find("allowed"), std::string::npos) << spec << ": " << refusal(spec);
}

TEST(SmallOptions, FamiliesKnowTheirGames) {
  const GamePtr leduc = make_game("leduc");
  EXPECT_NE(as_small(*leduc), nullptr);
  EXPECT_NE(as_small(*leduc, Variant::kLeduc), nullptr);
  EXPECT_EQ(as_small(*leduc, Variant::kKuhn), nullptr);
  EXPECT_EQ(as_small(*make_game("ofc")), nullptr);
}

}  // namespace
}  // namespace dealer::small::options_test
