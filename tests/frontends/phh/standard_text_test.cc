#include "frontends/phh/standard_text.h"

#include <gtest/gtest.h>

#include "tests/frontends/phh/replaying.h"

namespace dealer::phh::standard_text_test {
namespace {

TEST(StandardText, ShowsFractionsAsThoseOfMoney) {
  EXPECT_EQ(money_text(12505, 1), "1250.50");
  EXPECT_EQ(money_text(-5, 1), "-0.50");
  EXPECT_EQ(money_text(kUnknownStack, 1), "inf");
  EXPECT_EQ(money_text(12505, 0), "12505");
  EXPECT_EQ(money_text(12505, 2), "125.05");
  EXPECT_EQ(money_text(12505, 4), "1.2505");
  const HandHistory hand = parse_hand(raised("winnings = [0, 0, 12.5]\n"));
  const std::string text = standard_text(StandardReplay(hand));
  EXPECT_NE(text.find("\np3 wins 4.50\n"), std::string::npos) << text;
}

TEST(StandardText, CallsASingleDrawTheDraw) {
  const auto text = [](const std::string& variant, const char* bets) {
    const HandHistory hand = parse_hand(fmt::format(R"(variant = '{}'
antes = [0, 0]
blinds_or_straddles = [1, 2]
{}
starting_stacks = [20, 20]
actions = ['d dh p1 ??????????', 'd dh p2 ??????????', 'p2 cc', 'p1 cc', 'p1 sd', 'p2 sd']
)",
                                                    variant, bets));
    return standard_text(StandardReplay(hand));
  };
  EXPECT_NE(text("N2L1D", "min_bet = 2").find("\nDraw, pot 4\n"), std::string::npos);
  EXPECT_NE(text("F2L3D", "small_bet = 2\nbig_bet = 4").find("\nFirst draw, pot 4\n"), std::string::npos);
}

// Decimals are shown as the file has them.
TEST(StandardText, ShowsAmountsInTheDecimalsOfTheFile) {
  const HandHistory hand = parse_hand(R"(variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [62.50, 100, 100]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 AsAh', 'p3 cbr 6.25', 'p1 f', 'p2 cc', 'd db 2c7d9h', 'p2 f']
winnings = [0, 0, 12.35]
players = ['Ann', '', 'Cid']
)");
  const StandardReplay replay(hand);
  EXPECT_EQ(standard_text(replay), R"(NT, no-limit hold'em
  SB  Ann  62.50
  BB  p2  100.00
  BTN Cid  100.00
Before the flop
  Ann posts the blind of 0.50
  p2 posts the blind of 1.00
  Ann gets ?? ??
  p2 gets ?? ??
  Cid gets As Ah
  Cid raises to 6.25
  Ann folds
  p2 calls 5.25
Flop, pot 13.00
  board 2c 7d 9h
  p2 folds
Cid wins 12.35
  Ann finishes with 62.00 (-0.50)
  p2 finishes with 93.75 (-6.25)
  Cid finishes with 106.10 (+6.10)
)");
  const auto events = standard_events(replay).dump();
  for (const char* part :
       {R"({"event":"posted","seat":0,"street":0,"what":"blind","amount":0.5,"all_in":false})",
        R"({"event":"acted","seat":2,"street":0,"action":"raise","amount":6.25,"total":6.25,"all_in":false})",
        R"({"event":"hand_ended","net":[-0.5,-6.25,6.1],"rake":0.65})", R"("cards":["As","Ah"],"count":2)"})
    EXPECT_NE(events.find(part), std::string::npos) << part << '\n' << events;
}

}  // namespace
}  // namespace dealer::phh::standard_text_test
