#include "env/cards/card.h"
#include "env/core/random.h"
#include "tests/cli/run_dealer.h"

namespace dealer::ofc_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;

const std::string kA = "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d";
const std::string kB = "Ad Ac Qh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d";
const std::string kWorked = R"({"points":[-6,6],"royalties":[6,11],"foul":[false,false],"fantasyland":[false,true]})"
                            "\n";

TEST(OfcScore, ScoresTheWorkedExample) {
  const ProgramResult result = run_dealer("ofc score '" + kA + "' '" + kB + "'");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, kWorked);
  EXPECT_EQ(run_here({"ofc", "score", kA, kB, "--json"}).out, kWorked);
}

TEST(OfcScore, ThreeBoardsAreSettledPairwise) {
  // C fouls: it loses all rows to A and B and pays their royalties.
  const ProgramResult result = run_here({"ofc", "score", kA, kB, "4h 4d Kc / 2h 8c 9c Tc Jc / 3s 4s 5s 8s Kh"});
  EXPECT_EQ(result.out,
            R"({"points":[6,23,-29],"royalties":[6,11,0],"foul":[false,false,true],"fantasyland":[false,true,false]})"
            "\n");
}

TEST(OfcScore, AnswersALineForEveryDeal) {
  const ProgramResult result = run_dealer("ofc score --stdin", kA + ";" + kB + "\n\n" + kB + " ; " + kA);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, kWorked +
                            R"({"points":[6,-6],"royalties":[11,6],"foul":[false,false],"fantasyland":[true,false]})"
                            "\n");
  EXPECT_EQ(run_dealer("ofc score --stdin").out, "");
  EXPECT_EQ(run_dealer("ofc score --stdin").status, 0);
}

TEST(OfcScore, ABadLineIsNamedAndTheLinesBeforeAreWhole) {
  const ProgramResult result =
      run_dealer("ofc score --stdin", kA + ";" + kB + "\n\n" + kA + "\n" + kA + ";" + kB + "\n");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, kWorked);
  EXPECT_EQ(result.err, "dealer: line 3: 1 boards given; expected 2 or 3\n");
}

TEST(OfcScore, RefusesWhatIsNoDeal) {
  test::expect_refused({"ofc", "score"}, {{{kA, kA}, "card 3h is on two boards of the deal"},
                                          {{kA}, "1 boards given; expected 2 or 3"},
                                          {{kA, "Ad Ac Qh"}, "has not three rows"},
                                          {{kA, "Ad Ac Zh / As Ah Ts Td 2s / 5d 6d 7h 8d 9d"}, "'Zh' is no card"},
                                          {{}, "give either 2 or 3 boards or --stdin"},
                                          {{kA, kB, "--stdin"}, "give either 2 or 3 boards or --stdin"},
                                          {{kA, kB, "--game", "oofc"}, "did you mean 'ofc'?"}});
}

TEST(OfcScore, ScoresByTheRulesNamed) {
  const ProgramResult result = run_here({"ofc", "score", kA, kB, "--game", "ofc[points.row=2]"});
  EXPECT_EQ(nlohmann::json::parse(result.out)["points"], nlohmann::json({-7, 7}));
}

TEST(OfcFantasyland, SetsAHandForRoyaltiesAndForStaying) {
  const std::string cards = "9s 9h Qs As Ts 9d Ks 6h 6c 7d 5s Kh Qh 9c";
  const ProgramResult royalties = run_here({"ofc", "fantasyland", cards});
  EXPECT_EQ(royalties.status, 0) << royalties.err;
  EXPECT_EQ(royalties.out, R"({"front":"Kh Ks Qh","middle":"As Qs Ts 9s 5s","back":"9c 9d 9h 6c 6h","discard":"7d",)"
                           R"("royalties":22,"stays":false,"value":22.0})"
                           "\n");
  const std::string staying = R"({"front":"Qh 6c 6h","middle":"As Ks Qs Ts 5s","back":"Kh 9c 9d 9h 9s","discard":"7d",)"
                              R"("royalties":19,"stays":true,"value":28.5})"
                              "\n";
  EXPECT_EQ(run_here({"ofc", "fantasyland", cards, "--stay-value", "9.5"}).out, staying);
  // The cards as words of their own.
  EXPECT_EQ(run_dealer("ofc fantasyland --stay-value 9.5 " + cards).out, staying);
}

TEST(OfcFantasyland, AnswersALineForEveryHand) {
  RandomStream rng(11);
  std::string input;
  constexpr int kHands = 50;
  std::vector<CardSet> hands;
  for (int i = 0; i < kHands; ++i) {
    CardSet hand = 0;
    while (size(hand) < 14) hand |= bit(static_cast<Card>(rng.below(kCards)));
    hands.push_back(hand);
    input += to_string(hand) + "\n";
  }
  const std::vector<std::string> lines = test::lines_of(run_dealer("ofc fantasyland --stdin", input).out);
  ASSERT_EQ(lines.size(), hands.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto json = nlohmann::json::parse(lines[i]);
    const std::string all = json["front"].get<std::string>() + json["middle"].get<std::string>() +
                            json["back"].get<std::string>() + json["discard"].get<std::string>();
    EXPECT_EQ(to_set(parse_cards(all)), hands[i]) << lines[i];
  }
}

TEST(OfcFantasyland, RefusesWhatIsNoHand) {
  EXPECT_EQ(run_here({"ofc", "fantasyland", "As Kd"}).err, "dealer: 2 cards given; a Fantasyland hand has 13 to 17\n");
  EXPECT_EQ(run_dealer("ofc fantasyland --stdin", "As Kd As\n").err, "dealer: line 1: card As is given twice\n");
  EXPECT_EQ(run_here({"ofc", "fantasyland"}).status, 2);
}

}  // namespace
}  // namespace dealer::ofc_test
