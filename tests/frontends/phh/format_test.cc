// The format alone: TOML, fields, actions. Other tests cover the meaning of hands.
#include <gtest/gtest.h>

#include "env/core/random.h"
#include "tests/env/harness/random_play.h"
#include "tests/frontends/phh/replaying.h"
#include "tests/support/error_message.h"

namespace dealer::phh::format_test {
namespace {

using test::error_message;
using Kind = HandAction::Kind;

constexpr const char* kHand = R"(# A televised hand, shortened.
variant = 'NT'
ante_trimming_status = true
antes = [500, 500, 500]  # each
blinds_or_straddles = [1_000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000.50, 553500]
actions = [
  # Deals
  'd dh p1 Ac2d',
  "d dh p2 ????",
  'd dh p3 7h6h',

  # Before the flop
  'p3 cbr 7000.25  # raises',
  'p1 f',
  '',
  '# somebody sneezes',
  'p2 cc',
  'd db Jc3d5c',
  'p2 sm', 'p3 sm -',
]
finishing_stacks = [1, 2, 3]
author = 'A "quoted" name'
time = 11:30:00
seats = [1, 2, 6]
_more = {a = 1, 'b c' = ["x", true]}
)";

HandHistory parse(std::string text) { return parse_hand(std::move(text), "x.phh"); }

std::string refusal(std::string text) {
  return error_message<ParseError>([&] { parse(std::move(text)); });
}

std::string with(const std::string& from, const std::string& to) { return test::changed(kHand, from, to); }

TEST(HandHistories, AreReadFieldByField) {
  const HandHistory hand = parse(kHand);
  EXPECT_EQ(hand.variant, "NT");
  EXPECT_EQ(hand.decimals, 2);
  EXPECT_EQ(hand.antes, (std::vector<Amount>{50000, 50000, 50000}));
  EXPECT_EQ(hand.blinds_or_straddles, (std::vector<Amount>{100000, 200000, 0}));
  EXPECT_EQ(hand.min_bet, 200000);
  EXPECT_FALSE(hand.small_bet);
  EXPECT_EQ(hand.starting_stacks[1], 200050);
  EXPECT_EQ(hand.finishing_stacks, (std::vector<Amount>{100, 200, 300}));
  EXPECT_EQ(hand.other_text("author"), "A \"quoted\" name");
  EXPECT_EQ(hand.other_text("_more"), std::nullopt);
  EXPECT_EQ(hand.line_of("min_bet"), 6);
  struct Read {
    std::size_t number;
    Kind kind;
    std::vector<std::string> cards;
    Amount amount;
    std::string comment;
    int line;
  };
  ASSERT_EQ(hand.actions.size(), 11U);
  EXPECT_EQ(hand.actions[0].player, 0);
  for (const Read& read : {Read{0, Kind::kDealHole, {"Ac", "2d"}, 0, "", 10},
                           {1, Kind::kDealHole, {"??", "??"}, 0, "", 11},
                           {3, Kind::kBetTo, {}, 700025, "raises", 15},
                           {5, Kind::kNote, {}, 0, "", 17},
                           {6, Kind::kNote, {}, 0, "somebody sneezes", 18},
                           {9, Kind::kShow, {}, 0, "", 21},
                           {10, Kind::kShow, {"-"}, 0, "", 21}}) {
    const HandAction& action = hand.actions[read.number];
    EXPECT_EQ(std::tie(action.kind, action.cards, action.amount, action.comment, action.line),
              std::tie(read.kind, read.cards, read.amount, read.comment, read.line))
        << read.number;
  }
}

TEST(HandHistories, AreWrittenAsTheyAreRead) {
  const std::string text = to_string(parse(kHand));
  EXPECT_EQ(to_string(parse(text)), text);
  EXPECT_NE(text.find("blinds_or_straddles = [1000.00, 2000.00, 0.00]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  'p3 cbr 7000.25 # raises',\n"), std::string::npos) << text;
  EXPECT_NE(text.find("_more = {a = 1, 'b c' = ['x', true]}\n"), std::string::npos) << text;
  EXPECT_NE(text.find("time = 11:30:00\n"), std::string::npos) << text;
}

TEST(HandHistories, StandManyInAFileUnderHeadings) {
  const std::string one = to_string(parse(kHand));
  HistoryReader reader("[1]\n" + one + "\n['2']\n" + one, "x.phhs");
  const auto first = reader.next(), second = reader.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->heading, "1");
  EXPECT_EQ(second->heading, "2");
  EXPECT_EQ(to_string(*first), "[1]\n" + one);
  EXPECT_FALSE(reader.next());
}

TEST(HandHistories, AMalformedHandDoesNotHideTheNext) {
  const std::string good = to_string(parse(kHand));
  HistoryReader reader("[1]\nvariant = NT\n" + good + "\n[2]\n" + good, "x.phhs");
  EXPECT_EQ(error_message<ParseError>([&] { reader.next(); }).rfind("x.phhs:2: 'NT' is not a value", 0), 0U);
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->heading, "2");
  EXPECT_FALSE(reader.next());
}

TEST(HandHistories, AreRefusedWithPlaceAndReason) {
  const std::string no_amount = " is not an amount; expected a number of chips";
  const std::vector<std::array<std::string, 3>> cases = {
      {"min_bet = 2000\n", "", "2: the field 'min_bet' is missing: variant NT needs it"},
      {"'NT'", "'NX'", "2: 'NX' is not a variant; expected one of FT, NT,"},
      {"[500, 500, 500]", "[500, 500]", "4: antes: 2 numbers for 3 players"},
      {"553500", "0", "7: starting_stacks: a player has nothing; expected more than 0"},
      {"min_bet = 2000", "min_bet = 2000\nmin_bet = 1", "7: key 'min_bet' is given twice"},
      {"min_bet = 2000", "min_bet = '2000'", "6: min_bet: expected a number"},
      {"min_bet = 2000", "min_bet = -2", "6: min_bet: '-2'" + no_amount},
      {"p1 f", "p4 f", "16: there is no p4; players are p1 to p3"},
      {"p1 f", "p1 fold", "16: 'p1 fold': a player cannot 'fold'; expected one of pb, cbr, cc, f, sd, sm, m"},
      {"p1 f", "p0 f", "16: 'p0 f': 'p0' is not an actor; expected d or a player: p1, p2 ..."},
      {"p1 f", "p1 f 3", "16: 'p1 f 3': '3' after 'f'; expected nothing"},
      {"cbr 7000.25", "cbr", "15: 'p3 cbr  # raises': 'cbr' needs something after it"},
      {"cbr 7000.25", "cbr lots", "15: 'p3 cbr lots  # raises': 'lots'" + no_amount},
      {"Jc3d5c", "Jc3d5", "20: 'd db Jc3d5': 'Jc3d5' are not cards; expected cards as in AsKh, or ?? for each unknown"},
      {"d db", "d dx", "20: 'd dx Jc3d5c': the dealer cannot 'dx'; expected 'd dh pN CARDS' or 'd db CARDS'"},
      {"antes = [", "antes = [[", ""},
      {"'p1 f'", "'p1 f", "16: a string does not end on its line"}};
  for (const auto& [from, to, message] : cases)
    EXPECT_TRUE(refusal(with(from, to)).starts_with("x.phh:" + message)) << refusal(with(from, to));
}

TEST(HandHistories, KnowTheStringsOfToml) {
  const auto author = [](const std::string& written) {
    return parse(with("'A \"quoted\" name'", written)).other_text("author");
  };
  const std::string escapes = R"("tab\t\u00e9\U0001F0A1 \"x\"")", meant = "tab\t\u00e9\U0001F0A1 \"x\"";
  EXPECT_EQ(author(escapes), meant);
  EXPECT_EQ(author("'''\ntwo\n'lines' '''"), "two\n'lines' ");
  EXPECT_EQ(author("\"\"\"a\\\n   b\"\"\""), "ab");
  EXPECT_EQ(parse(to_string(parse(with("'A \"quoted\" name'", escapes)))).other_text("author"), meant);
}

TEST(HandActions, KnowOurOwnMovesAndCards) {
  const HandAction move = parse_action("p2 m to the front # why", 0);
  EXPECT_EQ(move.kind, Kind::kMove);
  EXPECT_EQ(move.move, "to the front");
  EXPECT_EQ(to_string(move, 0), "p2 m to the front # why");
  EXPECT_EQ(split_cards("t03AsX1t13Jc"), (std::vector<std::string>{"t03", "As", "X1", "t13", "Jc"}));
  EXPECT_EQ(to_string(parse_action("  p1   sd  AsKh ", 0), 0), "p1 sd AsKh");
  EXPECT_EQ(to_string(parse_action("p1 sd", 0), 0), "p1 sd");
}

// Random damage: a hand, or a ParseError in one line that names the file.
TEST(HandHistories, TakeOrRefuseWhateverComes) {
  const std::string whole = kHand;
  int taken = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(test::repetitions(20000)); ++seed) {
    RandomStream rng(seed, 51);
    std::string text = whole;
    for (auto changes = 1 + rng.below(3); changes > 0; --changes) {
      const auto place = rng.below(static_cast<std::uint32_t>(text.size()));
      switch (rng.below(4)) {
        case 0:
          text[place] = static_cast<char>(rng.below(256));
          break;
        case 1:
          text.insert(place, 1, "[]{}'\"=#,\n.p0"[rng.below(13)]);
          break;
        case 2:
          text.erase(place, rng.below(10));
          break;
        default:
          if (rng.below(4) == 0) text.resize(place);
      }
      if (text.empty()) text = " ";
    }
    SCOPED_TRACE(text);
    try {
      const HandHistory hand = parse(text);
      const std::string written = to_string(hand);
      ASSERT_EQ(to_string(parse(written)), written);
      ++taken;
    } catch (const ParseError& error) {
      const std::string message = error.what();
      ASSERT_EQ(message.rfind("x.phh:", 0), 0U) << message;
      ASSERT_EQ(message.find('\n'), std::string::npos) << message;
      ++refused;
    }
  }
  EXPECT_GT(taken, refused / 50);
  EXPECT_GT(refused, taken / 50);
}

}  // namespace
}  // namespace dealer::phh::format_test
