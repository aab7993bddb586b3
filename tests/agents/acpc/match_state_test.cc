// The lines of the ACPC's protocol, read and written.
#include "agents/acpc/match_state.h"

#include <gtest/gtest.h>

#include <string>

#include "env/core/error.h"
#include "tests/support/error_message.h"

namespace dealer::acpc::match_state_test {
namespace {

class MatchStateLine : public testing::Test {
 protected:
  MatchState parse(const std::string& line) { return parse_match_state(line, *deck_); }
  std::string refusal(const std::string& line) {
    return test::error_message<ParseError>([&] { parse(line); });
  }

  DeckPtr deck_ = Deck::make("standard_52");
};

// From the examples of the specification.
constexpr const char* kExamples[] = {
    "MATCHSTATE:0:0::TdAs|",
    "MATCHSTATE:0:0:rrc/rc/crc/crc:TdAs|8hTc/2c8c3h/9c/Kh",
    "MATCHSTATE:1:1:rrc/rc/rf:|Qd7c/2h8h5c/Th",
    "MATCHSTATE:0:0:cr300:9s8h|",
    "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d",
    "MATCHSTATE:1:31:r20000c///:JsTc|Ad6h/4hTsAc/7s/3c",
    "MATCHSTATE:2:55:ccc/ccc/ccc/ccc:||Td9d/6c5d9c/4d/Ks",
    "MATCHSTATE:0:0::|",
};

TEST_F(MatchStateLine, ReadsAndWritesTheExamplesOfTheSpecification) {
  for (const char* line : kExamples) EXPECT_EQ(to_string(parse(line), *deck_), line);
}

TEST_F(MatchStateLine, TellsWhoSeesWhat) {
  const MatchState state = parse("MATCHSTATE:1:31:cr300c/r900:|Ad6h/4hTsAc");
  EXPECT_EQ(state.position, 1);
  EXPECT_EQ(state.hand, 31U);
  EXPECT_EQ(state.rounds, (std::vector<std::vector<Move>>{{{'c', 0}, {'r', 300}, {'c', 0}}, {{'r', 900}}}));
  ASSERT_EQ(state.hole.size(), 2U);
  EXPECT_TRUE(state.hole[0].empty());
  EXPECT_EQ(state.hole[1], deck_->parse("Ad 6h"));
  EXPECT_EQ(state.board, (std::vector<std::vector<CardId>>{deck_->parse("4h Ts Ac")}));
}

TEST_F(MatchStateLine, RefusesWhatIsNone) {
  EXPECT_EQ(refusal("STATE:0:0::TdAs|"), "'STATE:0:0::' does not begin with MATCHSTATE:");
  EXPECT_EQ(refusal("MATCHSTATE:x:0::TdAs|"), "the position is no number");
  EXPECT_EQ(refusal("MATCHSTATE:-1:0::TdAs|"), "the position is no number");
  EXPECT_EQ(refusal("MATCHSTATE:0x:0::TdAs|"), "the position is no number");
  EXPECT_EQ(refusal("MATCHSTATE:0:99999999999::TdAs|"), "the number of the hand is no number");
  EXPECT_EQ(refusal("MATCHSTATE:0"), "a ':' is missing");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:c"), "a ':' is missing");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cx:TdAs|"), "'x' is no action; expected f, c or r");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:r99999999999:TdAs|"), "the size of a raise is no number");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:c:Td|"), "'Td' are not 2 cards");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|/2c3c"), "'2c3c' are not 3 cards");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|/2c3cTd"), "Td lies there twice");
  EXPECT_EQ(refusal("MATCHSTATE:0:0:cc/:TdAs|"), "2 rounds of betting and 0 of cards on the board");
  EXPECT_EQ(refusal("MATCHSTATE:0:0::TdAs"), "1 players; expected 2 to 10");
  EXPECT_EQ(refusal("MATCHSTATE:0:0::||||||||||"), "11 players; expected 2 to 10");
  EXPECT_EQ(refusal("MATCHSTATE:2:0::TdAs|"), "position 2 of 2 players");
  EXPECT_NE(refusal("MATCHSTATE:0:0::TdAx|").find("Ax"), std::string::npos);
}

// Whatever stands there: an error at most.
TEST_F(MatchStateLine, AnyChangeOfALineIsReadOrRefused) {
  for (const char* example : kExamples) {
    const std::string line = example;
    for (std::size_t i = 0; i < line.size(); ++i)
      for (const char c : std::string("\0:/|crf0A-\x7f ", 13)) {
        std::string changed = line;
        changed[i] = c;
        for (const std::string& text : {changed, line.substr(0, i), line.substr(0, i) + c}) {
          try {
            EXPECT_FALSE(to_string(parse(text), *deck_).empty());
          } catch (const ParseError&) {
          }
        }
      }
  }
}

TEST(AcpcMove, IsALetterAndInNoLimitASize) {
  EXPECT_EQ(to_string(Move{'r', 300}), "r300");
  EXPECT_EQ(to_string(Move{'f', 0}), "f");
  std::string_view text = "r12c";
  EXPECT_EQ(take_move(text), (Move{'r', 12}));
  EXPECT_EQ(text, "c");
  EXPECT_EQ(take_move(text), (Move{'c', 0}));
  EXPECT_THROW(take_move(text), ParseError);
}

}  // namespace
}  // namespace dealer::acpc::match_state_test
