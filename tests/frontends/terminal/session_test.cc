#include "frontends/terminal/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "frontends/terminal/generic_view.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::session_test {
namespace {

using test::contains;
using test::count;
using test::repeat;

SessionOptions options_for(const GamePtr& game, std::uint64_t seed, int hands = 0) {
  SessionOptions options =
      test::session_options(game, make_agents("rule", game), make_agents("rule", game), seed, hands);
  options.echo = true;
  return options;
}

std::string play(const std::string& input, std::uint64_t seed, const std::string& spec = "ofc", int hands = 0) {
  const GamePtr game = make_game(spec);
  return test::sit(game, options_for(game, seed, hands), input).text;
}

TEST(Session, PlaysHandsUntilTheyArePlayed) {
  // Enter after a hand deals the next; after a complete plan it confirms.
  const std::string text = play(repeat("take\n\n", 100), 3, "ofc", 4);
  EXPECT_TRUE(contains(text, "\nHand 4\n"));
  EXPECT_FALSE(contains(text, "\nHand 5\n"));
  EXPECT_EQ(count(text, "\nScore: you "), 4);
  EXPECT_TRUE(contains(text, "\nAfter 4 hands: you ")) << text;
}

// Where the line is short there is room to type behind the prompt.
TEST(Session, ThePromptIsShortOnNarrowScreens) {
  const GamePtr game = make_game("kuhn");
  for (const int width : {0, 40, 49, 50}) {
    SessionOptions options = options_for(game, 1);
    options.style.width = width;
    options.echo = false;
    const std::string text = test::sit(game, std::move(options), "take\n").text;
    const bool narrow = width == 40 || width == 49;
    EXPECT_EQ(contains(text, "\nEnter deals, quit ends > "), narrow) << width << text;
    EXPECT_EQ(contains(text, "\nEnter deals the next hand, quit ends > "), !narrow) << width << text;
  }
}

// Cards stay with their row.
TEST(Session, PlacementsAreNotBroken) {
  const GamePtr game = make_game("ofc");
  SessionOptions options = options_for(game, 4);
  options.style.width = 40;
  const std::string text = test::sit(game, std::move(options), "hint\n").text;
  EXPECT_TRUE(contains(text, "\nrule would play: 8d front, 3c middle,\nAs 9s 4s back\n")) << text;
}

// Asked for again and again: the table of the second turn is drawn in the width of then.
TEST(Session, TheWidthIsThatOfNow) {
  const GamePtr game = make_game("holdem[players=6]");
  std::istringstream in("rules\nrules\n");
  std::ostringstream out;
  SessionOptions options = options_for(game, 1);
  options.style.width = 60;
  options.width = [&out] { return count(out.str(), "Texas") == 0 ? 100 : 40; };
  Session(game, std::move(options), in, out).run();
  const std::size_t second = out.str().rfind("Texas");
  int before = 0, after = 0;
  std::istringstream first(out.str().substr(0, second)), rest(out.str().substr(second));
  for (std::string line; std::getline(first, line);) before = std::max(before, static_cast<int>(line.size()));
  for (std::string line; std::getline(rest, line);) after = std::max(after, static_cast<int>(line.size()));
  EXPECT_GT(before, 80);
  EXPECT_LE(after, 40);
}

TEST(Session, TheScoreIsTheSumOfTheHands) {
  const std::string text = play(repeat("take\n\n", 100), 5, "ofc", 6);
  int sum = 0, hands = 0;
  const std::string key = "together ";
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1), ++hands)
    sum += std::stoi(text.substr(at + key.size()));
  EXPECT_EQ(hands, 6);
  const std::size_t end = text.rfind("After 6 hands: you ");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(std::stoi(text.substr(end + std::string("After 6 hands: you ").size())), sum);
}

TEST(Session, FantasylandHandsAreSetFromFourteenCards) {
  // Somewhere in these hands the person gets there, and takes the exact solver's setting.
  const std::string text = play(repeat("take\n\n", 600), 2, "ofc", 60);
  ASSERT_TRUE(contains(text, "14 cards of Fantasyland, "));
  EXPECT_TRUE(contains(text, "place 13, discard 1"));
  EXPECT_TRUE(contains(text, "you, in Fantasyland: royalties "));
  EXPECT_TRUE(contains(text, "rule sets 14 cards of Fantasyland unseen"));
  EXPECT_TRUE(contains(text, "rule sets 14 cards, unseen"));
}

TEST(Session, PlansAreUndoneUntilConfirmed) {
  const std::string text = play("f f m m b\nundo\nb\nundo\nundo\nquit\n", 3);
  EXPECT_EQ(count(text, "Enter confirms"), 1) << text;
  EXPECT_EQ(count(text, "place 5"), 3) << text;
  EXPECT_EQ(count(text, "place 4"), 1) << text;
  EXPECT_EQ(count(text, "there is nothing to undo"), 1) << text;
}

TEST(Session, NothingIsPlayedBeforeItIsConfirmed) {
  const std::string text = play("f f m m b\nscore\nquit\n", 3);
  EXPECT_FALSE(contains(text, "street 2"));
  EXPECT_TRUE(contains(text, "After 0 hands"));
  EXPECT_TRUE(contains(play("f f m m b\n\nquit\n", 3), "street 2"));
  EXPECT_TRUE(contains(play("f f m m b\nconfirm\nquit\n", 3), "street 2"));
  EXPECT_TRUE(contains(play("f f m\n\nquit\n", 3), "not yet: place 2; 'help' tells how"));
}

TEST(Session, MistakesAreNamedAndChangeNothing) {
  const std::string text = play("hnt\nzz f\nf f f f\nf m b x\nquit\n", 3);
  EXPECT_TRUE(contains(text, "did you mean 'hint'?")) << text;
  EXPECT_TRUE(contains(text, "'zz' is neither a card of yours nor a row"));
  EXPECT_TRUE(contains(text, "the front has room for 3, not for 4"));
  EXPECT_TRUE(contains(text, "nothing is discarded on this turn"));
  EXPECT_EQ(count(text, "street 1 of 5"), 1);
}

TEST(Session, HelpsAndExplains) {
  const std::string text = play("help\nrules\nhint\nsolve\nquit\n", 3);
  for (const char* part :
       {"undo ", "Kd f, 6h x", "  22, 222            0      10\n", "  66, 666            1      14\n",
        "  AA, AAA            9      22\n", "Fantasyland: with QQ or better"})
    EXPECT_TRUE(contains(text, part)) << part;
  EXPECT_EQ(count(text, "rule would play: "), 2);
  EXPECT_EQ(count(text, "'take' plans just that"), 2);
}

TEST(Session, TheEndOfInputIsAQuietQuit) {
  for (const std::string input : {"", "f", "f f m m b\n", "f f m m b\n\n"})
    EXPECT_TRUE(contains(play(input, 3), "After 0 hands: you 0, rule 0\n")) << input;
  // Also between two hands.
  EXPECT_TRUE(play(repeat("take\n\n", 5) + "q\n", 3).find("After 1 hand: ") != std::string::npos);
}

TEST(Session, BetweenHandsOnlyTheNextCanBeDealt) {
  const std::string text = play(repeat("take\n\n", 5) + "f f m\nscore\nhelp\n\nquit\n", 3);
  EXPECT_TRUE(contains(text, "Enter deals; help, score, rules and quit work here, too")) << text;
  EXPECT_TRUE(contains(text, "Hand 2"));
}

TEST(Session, AMatchShowsPointsAndItsEnd) {
  const std::string text = play(repeat("take\n\n", 30), 2, "ofc[episode=match,match.hands=2]", 3);
  EXPECT_TRUE(contains(text, "; points: you 200, rule 200")) << text;
  EXPECT_TRUE(contains(text, "The match is over: you "));
}

TEST(Session, ThreeAtTheTable) {
  const std::string text = play(repeat("take\n\n", 10), 4, "ofc[players=3]", 1);
  EXPECT_TRUE(contains(text, "against rule 1 and rule 2"));
  EXPECT_TRUE(contains(text, "you against rule 1: "));
  EXPECT_TRUE(contains(text, "you against rule 2: "));
}

TEST(Session, EverySeatNeedsAnOpponent) {
  const GamePtr game = make_game("ofc[players=3]");
  SessionOptions options = options_for(game, 1);
  options.opponents.pop_back();
  std::istringstream in;
  std::ostringstream out;
  EXPECT_EQ(test::error_message<UsageError>([&] { Session(game, options, in, out); }),
            "1 opponents given; 'ofc[players=3]' has room for 2");
}

TEST(Session, OutputThatFailsIsAnError) {
  const GamePtr game = make_game("ofc");
  std::istringstream in("help\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(Session(game, options_for(game, 1), in, out).run(), FileError);
}

// Random play up to some decision, with the pictures of every seat compared to those of tables that the seat cannot
// tell apart.
TEST(OfcView, ShowsNothingThatIsHidden) {
  for (const char* spec : {"ofc", "ofc[players=3]", "ofc[episode=match,match.hands=2]"}) {
    const GamePtr game = make_game(spec);
    const std::unique_ptr<Env> env = game->new_env();
    Seats seats;
    for (Seat seat = 0; seat < game->players(); ++seat) seats.names.push_back("seat " + std::to_string(seat));
    RandomStream rng(12);
    for (std::uint64_t episode = 0; episode < 8; ++episode) {
      for (env->reset(episode); env->current_player() != kTerminal;) {
        for (seats.me = 0; seats.me < game->players(); ++seats.me) {
          const std::unique_ptr<TableView> view = make_table_view(*game, seats, {});
          if (env->current_player() == seats.me) view->begin_turn(*env);
          const std::unique_ptr<Env> other = env->clone();
          other->sample_state(env->observe(seats.me), rng());
          ASSERT_EQ(view->picture(*env), view->picture(*other)) << spec << " episode " << episode;
        }
        const auto legal = env->legal_actions();
        env->step(legal[rng.below(static_cast<std::uint32_t>(legal.size()))]);
      }
    }
  }
}

TEST(GenericView, ListsTheRangeOfAmounts) {
  const auto picture = [](const char* spec) {
    const std::unique_ptr<Env> env = make_game(spec)->new_env();
    env->reset(1);
    return GenericView({{"a", "b"}, env->current_player()}, {}).picture(*env);
  };
  const std::string any = picture("holdem[limit=no_limit]");
  EXPECT_TRUE(contains(any, "you may: fold, call 50, raise to 200, ")) << any;
  EXPECT_TRUE(contains(any, ", raise to any amount from 200 to 10000\n")) << any;
  // A range of one amount is what an action does.
  EXPECT_TRUE(contains(picture("holdem"), "you may: fold, call 5, raise to 20\n")) << picture("holdem");
}

TEST(GenericView, ShowsAnyGameByItsOwnTexts) {
  const GamePtr game = make_game("ofc");
  const std::unique_ptr<Env> env = game->new_env();
  env->reset(4);
  GenericView view({{"a", "b"}, env->current_player()}, {});
  view.begin_turn(*env);
  EXPECT_TRUE(contains(view.picture(*env), "you may: front, middle, back\n")) << view.picture(*env);
  EXPECT_FALSE(view.complete());
  EXPECT_THROW(view.enter(*env, "sideways"), IllegalAction);
  EXPECT_FALSE(view.undo());
  view.enter(*env, "middle");
  EXPECT_TRUE(view.complete());
  EXPECT_EQ(env->decision_to_string(view.next_decision(*env)), "middle");
  EXPECT_TRUE(view.at_once());
  EXPECT_EQ(view.question(*env), "");
  EXPECT_EQ(view.words(*env), (std::vector<std::string>{"front", "middle", "back"}));
  EXPECT_TRUE(view.undo());
  EXPECT_FALSE(view.complete());
  const std::vector<Decision> decisions = {env->parse_action("back"), env->parse_action("front")};
  EXPECT_EQ(view.describe(*env, decisions), "back, front");
  view.adopt(*env, decisions);
  EXPECT_EQ(view.next_decision(*env), decisions.front());
}

}  // namespace
}  // namespace dealer::terminal::session_test
