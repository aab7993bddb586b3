// Whole sessions of every game, played through a pipe by somebody who reads what is written and types an answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <regex>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "env/core/error.h"
#include "env/core/random.h"
#include "tests/frontends/terminal/sitting.h"

namespace dealer::terminal::every_game_session_test {
namespace {

using test::contains;
using test::count;
using test::Sat;

// A line for every time the session waits, made from what it has written since the last.
using Typing = std::function<std::string(const std::string& news)>;

class Typist final : public std::streambuf {
 public:
  Typist(std::ostringstream& out, Typing type) : out_(out), type_(std::move(type)) {}

 protected:
  int_type underflow() override {
    const std::string all = out_.str();
    line_ = type_(all.substr(read_)) + '\n';
    read_ = all.size();
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::ostringstream& out_;
  Typing type_;
  std::string line_;
  std::size_t read_ = 0;
};

Sat sit(const std::string& spec, const std::string& opponents, std::uint64_t seed, int hands, const Typing& type,
        const std::string& adviser = "drawing") {
  const GamePtr game = make_game(spec);
  SessionOptions options =
      test::session_options(game, make_agents(opponents, game),
                            adviser == "drawing" ? test::drawing_agents() : make_agents(adviser, game), seed, hands);
  options.echo = true;
  std::ostringstream out;
  Typist typist(out, type);
  std::istream in(&typist);
  return test::sit(game, std::move(options), in, out);
}

bool waits_for_plan(const std::string& news) { return news.ends_with("\n> "); }

// At a prompt where no plan is made: plays an all-in, confirms a plan, deals the next hand.
std::string go_on(const std::string& news) { return news.ends_with("? (y/n) ") ? "y" : ""; }

// Takes whatever the adviser says.
Typing take() {
  return [](const std::string& news) { return waits_for_plan(news) ? "take" : go_on(news); };
}

std::string last_line_with(const std::string& text, const std::string& start) {
  const std::size_t at = text.rfind('\n' + start);
  if (at == std::string::npos) return {};
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

// What to type for the choices of "you may: fold (f), raise to 40 .. 990 (r 40)".
std::vector<std::string> choices_in(const std::string& may) {
  const std::regex key("\\(([^)]+)\\)");
  std::vector<std::string> choices;
  for (std::sregex_iterator it(may.begin(), may.end(), key), end; it != end; ++it) choices.push_back((*it)[1]);
  return choices;
}

// Types one of the choices it reads, by its key.
Typing choose_at_random(std::uint64_t seed) {
  return [rng = RandomStream(seed)](const std::string& news) mutable -> std::string {
    if (!waits_for_plan(news)) return go_on(news);
    const std::vector<std::string> choices = choices_in(last_line_with(news, "you may: "));
    return choices[rng.below(static_cast<std::uint32_t>(choices.size()))];
  };
}

// Of all the numbers that stand there.
double sum_of(const std::string& text, const std::string& expression) {
  const std::regex number(expression);
  double sum = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) sum += std::stod((*it)[1]);
  return sum;
}

void expect_whole(const Sat& sat, int hands, const std::string& spec) {
  EXPECT_EQ(sat.hands, hands) << spec;
  EXPECT_TRUE(contains(sat.text, "\nHand " + std::to_string(hands) + '\n')) << spec << sat.text;
  EXPECT_FALSE(contains(sat.text, "failed")) << spec << sat.text;
  EXPECT_FALSE(contains(sat.text, "legal")) << spec << sat.text;
  double sum = 0;
  for (const double points : sat.points) sum += points;
  EXPECT_EQ(sum, -sum_of(sat.text, "; (\\d+) off the table")) << spec;
  const char* won = contains(sat.text, "together ") ? "together ([-+]?\\d+)" : "this hand: you ([-+]?\\d+)";
  EXPECT_EQ(sat.points[0], sum_of(sat.text, won)) << spec;
}

TEST(EveryGame, PlaysThreeHands) {
  const std::vector<std::string> names = game_names();
  ASSERT_GE(names.size(), 16U);
  for (const std::string& name : names) {
    const bool ofc = name == "ofc", whole_turns = ofc || name == "seven_hand";
    for (const char* opponents : {"random", "rule"}) {
      const Sat sat = sit(name, opponents, 4, 3, whole_turns ? take() : choose_at_random(7));
      expect_whole(sat, 3, name);
      if (ofc) {
        EXPECT_EQ(count(sat.text, "together "), 3) << sat.text;
        continue;
      }
      EXPECT_EQ(count(sat.text, "\nthis hand: "), 3) << name << sat.text;
      EXPECT_GE(count(sat.text, "\nyou win ") + count(sat.text, " wins "), 3) << name << sat.text;
    }
  }
}

TEST(EveryGame, TheSameSeedAndTheSamePlayGiveTheSame) {
  for (const char* spec : {"ofc", "holdem[limit=no_limit,players=3]", "washizu", "mini_draw"}) {
    const Sat once = sit(spec, "rule", 11, 4, take());
    EXPECT_EQ(once.text, sit(spec, "rule", 11, 4, take()).text) << spec;
    EXPECT_NE(once.text, sit(spec, "rule", 12, 4, take()).text) << spec;
  }
}

// Every bet an amount of the range that is listed, some of them after one that is out of it.
TEST(EveryGame, AmountsAreTypedInNoLimitHoldem) {
  const std::regex range("(bet|raise to) (\\d+) \\.\\. (\\d+) ");
  RandomStream rng(3);
  std::vector<std::string> typed;
  std::string may;
  std::string expected;  // what is said to an amount out of range
  int refused = 0;
  const Typing type = [&](const std::string& news) -> std::string {
    if (!waits_for_plan(news)) return go_on(news);
    // The choices are not listed again after a mistake.
    if (expected.empty()) may = last_line_with(news, "you may: ");
    std::smatch match;
    if (!std::regex_search(may, match, range)) return choices_in(may)[1];
    const std::string words = match[1];
    const int low = std::stoi(match[2]), high = std::stoi(match[3]);
    if (expected.empty() && rng.below(2) == 0) {
      ++refused;
      expected = "you cannot " + words + " " + std::to_string(high + 1) + "; you may: ";
      return words + ' ' + std::to_string(high + 1);
    }
    EXPECT_TRUE(contains(news, expected)) << news;
    expected.clear();
    typed.push_back(words + ' ' + std::to_string(std::min(high, low + 1 + static_cast<int>(rng.below(150)))));
    return typed.back();
  };
  const Sat sat = sit("holdem[limit=no_limit,players=3]", "rule:caller", 6, 12, type);
  EXPECT_EQ(sat.hands, 12);
  EXPECT_FALSE(contains(sat.text, "failed")) << sat.text;
  EXPECT_GE(typed.size(), 20U);
  EXPECT_GE(refused, 5);
  // Each was told as it was typed, one after the other.
  std::size_t at = 0;
  for (const std::string& amount : typed) {
    at = sat.text.find("\nyou " + amount, at);
    ASSERT_NE(at, std::string::npos) << amount << sat.text;
  }
  EXPECT_TRUE(contains(sat.text, "posts the small blind of 50"));
  EXPECT_TRUE(contains(sat.text, "\non the board: "));
}

TEST(EveryGame, AmountsThatAreNoneAreRefused) {
  std::vector<std::string> bad = {"raise to x", "raise to -5", "raise to 99999999999999999999", "raise 150", "b 10001"};
  const Typing type = [&](const std::string& news) -> std::string {
    if (!waits_for_plan(news) || bad.empty()) return "quit";
    const std::string line = bad.back();
    bad.pop_back();
    return line;
  };
  const Sat sat = sit("holdem[limit=no_limit]", "rule", 1, 1, type);
  EXPECT_TRUE(bad.empty());
  EXPECT_EQ(sat.hands, 0);
  EXPECT_EQ(count(sat.text, "; you may: fold (f), call 50 (c), raise to 200 .. 10000 (r 200)"), 5) << sat.text;
  EXPECT_FALSE(contains(sat.text, "you raise") || contains(sat.text, "you bet"));
}

TEST(EveryGame, SixSitAtADrawTable) {
  const Sat sat = sit("draw[players=6]", "random", 2, 3, choose_at_random(5));
  expect_whole(sat, 3, "draw");
  EXPECT_TRUE(contains(sat.text, "against random 1 and random 2 and random 3 and random 4 and random 5;"));
  for (int seat = 1; seat < 6; ++seat)
    EXPECT_EQ(count(sat.text, "\nrandom " + std::to_string(seat) + " posts the ante of 10\n"), 3) << sat.text;
  EXPECT_EQ(count(sat.text, "\nyou post the ante of 10\n"), 3);
  EXPECT_EQ(count(sat.text, "\nyou get "), 3);
  EXPECT_FALSE(contains(sat.text, " gets ")) << "others' cards are not seen";
  EXPECT_TRUE(contains(sat.text, " discards ")) << sat.text;
  EXPECT_TRUE(contains(sat.text, " draws ")) << sat.text;
}

// Matches to their end: who is out watches, the winner is told, and a new match begins.
TEST(EveryGame, WashizuIsPlayedInMatches) {
  const Sat sat = sit("washizu[players=3]", "random", 9, 40, choose_at_random(1));
  expect_whole(sat, 40, "washizu");
  EXPECT_GE(count(sat.text, "\nThe match is over: you "), 8) << sat.text;
  EXPECT_TRUE(contains(sat.text, "; taken out of the deck: "));
  EXPECT_TRUE(contains(sat.text, "; out: you")) << sat.text;
  EXPECT_TRUE(contains(sat.text, ", all-in"));
  EXPECT_TRUE(contains(sat.text, " from side pot 1 with ")) << sat.text;
  EXPECT_TRUE(contains(sat.text, " among them")) << "transparent cards are seen";
}

// The person has no chips or all are all-in: the hand is shown, and nobody is asked.
TEST(EveryGame, HandsWithoutDecisionsAreShown) {
  const Sat sat = sit("holdem[episode=match,limit=no_limit,stack=150,players=2]", "random", 1, 60, choose_at_random(2));
  expect_whole(sat, 60, "holdem");
  int alone = 0;
  for (std::size_t at = sat.text.find("\nHand "); at != std::string::npos;) {
    const std::size_t next = sat.text.find("\nHand ", at + 1);
    const std::string hand = sat.text.substr(at, next - at);
    at = next;
    EXPECT_TRUE(contains(hand, "\nthis hand: ")) << hand;
    if (contains(hand, " acts") || contains(hand, " calls") || contains(hand, "you may")) continue;
    if (!contains(hand, " shows ")) continue;
    ++alone;
    EXPECT_TRUE(contains(hand, "posts the ") && contains(hand, "on the board: ") && contains(hand, " with ")) << hand;
  }
  EXPECT_GT(alone, 0);
}

TEST(EveryGame, KuhnIsTyped) {
  const Sat sat = sit("kuhn", "rule", 3, 20, choose_at_random(8));
  expect_whole(sat, 20, "kuhn");
  for (const char* part : {"\nyou check\n", "\nyou bet 1, all-in\n", "\nyou fold\n", "\nrule takes 1 back\n"})
    EXPECT_TRUE(contains(sat.text, part)) << part << sat.text;
}

TEST(EveryGame, OfcGoesToFantasylandAndBack) {
  const Sat sat = sit("ofc[fantasyland.entry_pair=22]", "rule", 2, 40, take());
  expect_whole(sat, 40, "ofc");
  EXPECT_TRUE(contains(sat.text, "\nrule sets 14 cards, unseen\n"));
  EXPECT_TRUE(contains(sat.text, "goes to Fantasyland\n"));
  EXPECT_TRUE(contains(sat.text, "rule, in Fantasyland: ")) << sat.text;
  EXPECT_EQ(count(sat.text, "together "), 40);
}

// Who sets a Fantasyland hand sees nobody's cards before that, and then what lies there.
TEST(EveryGame, FromFantasylandTheOthersAreSeenAfterwards) {
  const std::string text = sit("ofc[fantasyland.entry_pair=22]", "random", 2, 60, take(), "rule").text;
  ASSERT_TRUE(contains(text, "14 cards of Fantasyland, "));
  EXPECT_TRUE(contains(text, "\nrandom sets 5 cards, unseen\n")) << text;
  EXPECT_TRUE(contains(text, "\nrandom shows ")) << text;
  EXPECT_EQ(count(text, "\nrandom sets 5 cards, unseen\n"), count(text, "\nrandom shows ")) << text;
}

}  // namespace
}  // namespace dealer::terminal::every_game_session_test
