#include <gtest/gtest.h>

#include "env/core/error.h"
#include "frontends/terminal/generic_view.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/error_message.h"

namespace dealer::terminal::session_test {
namespace {

SessionOptions options_for(const GamePtr& game, std::uint64_t seed, int hands = 0) {
  SessionOptions options = session_options(game, make_agents("rule", game), make_agents("rule", game), seed, hands);
  options.echo = true;
  return options;
}

std::string play(const std::string& input, std::uint64_t seed, const std::string& spec = "ofc", int hands = 0) {
  const GamePtr game = make_game(spec);
  return sit(game, options_for(game, seed, hands), input).text;
}

TEST(Session, PlaysHandsUntilTheyArePlayed) {
  // Enter after a hand deals the next; after a complete plan it confirms.
  const std::string text = play(repeat("take\n\n", 100), 3, "ofc", 4);
  expect_parts(text, {"\nHand 4\n", "\nAfter 4 hands: you "});
  expect_none(text, {"\nHand 5\n"});
  EXPECT_EQ(count(text, "\nScore: you "), 4);
}

// In a narrow terminal there is room to type after the prompt.
TEST(Session, ThePromptIsShortOnNarrowScreens) {
  const GamePtr game = make_game("kuhn");
  for (const int width : {0, 40, 49, 50}) {
    SessionOptions options = options_for(game, 1);
    options.style.width = width;
    options.echo = false;
    const std::string text = sit(game, std::move(options), "take\n").text;
    const bool narrow = width == 40 || width == 49;
    EXPECT_EQ(contains(text, "\nEnter deals, quit ends > "), narrow) << width << text;
    EXPECT_EQ(contains(text, "\nEnter deals the next hand, quit ends > "), !narrow) << width << text;
  }
}

// Cards stay on the line of their row.
TEST(Session, PlacementsAreNotBroken) {
  const GamePtr game = make_game("ofc");
  SessionOptions options = options_for(game, 4);
  options.style.width = 40;
  const std::string text = sit(game, std::move(options), "hint\n").text;
  EXPECT_TRUE(contains(text, "\nrule would play: 8d front, 3c middle,\nAs 9s 4s back\n")) << text;
}

TEST(Session, TheWidthIsThatOfNow) {
  const GamePtr game = make_game("holdem[players=6]");
  std::istringstream in("rules\nrules\n");
  std::ostringstream out;
  SessionOptions options = options_for(game, 1);
  options.style.width = 60;
  options.width = [&out] { return count(out.str(), "Texas") == 0 ? 100 : 40; };
  Session(game, std::move(options), in, out).run();
  const auto longest = [](const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : lines_of(text)) most = std::max(most, line.size());
    return most;
  };
  const std::size_t second = out.str().rfind("Texas");
  EXPECT_GT(longest(out.str().substr(0, second)), 80U);
  EXPECT_LE(longest(out.str().substr(second)), 40U);
}

TEST(Session, PlansAreUndoneUntilConfirmed) {
  const std::string text = play("f f m m b\nundo\nb\nundo\nundo\nquit\n", 3);
  for (const auto& [part, times] :
       {std::pair("Enter confirms", 1), {"place 5", 3}, {"place 4", 1}, {"there is nothing to undo", 1}})
    EXPECT_EQ(count(text, part), times) << part << text;
}

TEST(Session, NothingIsPlayedBeforeItIsConfirmed) {
  const std::string text = play("f f m m b\nscore\nquit\n", 3);
  expect_parts(text, {"After 0 hands"});
  expect_none(text, {"street 2"});
  expect_parts(play("f f m m b\n\nquit\n", 3), {"street 2"});
  expect_parts(play("f f m m b\nconfirm\nquit\n", 3), {"street 2"});
  expect_parts(play("f f m\n\nquit\n", 3), {"not yet: place 2; 'help' says how"});
}

TEST(Session, MistakesAreNamedAndChangeNothing) {
  const std::string text = play("hnt\nzz f\nf f f f\nf m b x\nquit\n", 3);
  expect_parts(text, {"did you mean 'hint'?", "'zz' is neither a card of yours nor a row",
                      "the front has room for 3, not for 4", "nothing is discarded on this turn"});
  EXPECT_EQ(count(text, "street 1 of 5"), 1);
}

TEST(Session, HelpsAndExplains) {
  const std::string text = play("help\nrules\nhint\nsolve\nquit\n", 3);
  expect_parts(text, {"undo ", "Kd f, 6h x", "  22, 222            0      10\n", "  66, 666            1      14\n",
                      "  AA, AAA            9      22\n", "Fantasyland: with QQ or better"});
  EXPECT_EQ(count(text, "rule would play: "), 2);
  EXPECT_EQ(count(text, "'take' plans this"), 2);
}

TEST(Session, TheEndOfInputIsAQuietQuit) {
  for (const std::string input : {"", "f", "f f m m b\n", "f f m m b\n\n"})
    expect_parts(play(input, 3), {"After 0 hands: you 0, rule 0\n"});
  // Also between two hands.
  expect_parts(play(repeat("take\n\n", 5) + "q\n", 3), {"After 1 hand: "});
}

TEST(Session, BetweenHandsOnlyTheNextCanBeDealt) {
  const std::string text = play(repeat("take\n\n", 5) + "f f m\nscore\nhelp\n\nquit\n", 3);
  expect_parts(text, {"Enter deals; help, score, rules and quit work here, too", "Hand 2"});
}

TEST(Session, AMatchShowsPointsAndItsEnd) {
  const std::string text = play(repeat("take\n\n", 30), 2, "ofc[episode=match,match.hands=2]", 3);
  expect_parts(text, {"; points: you 200, rule 200", "The match is over: you "});
}

TEST(Session, EverySeatNeedsAnOpponent) {
  const GamePtr game = make_game("ofc[players=3]");
  SessionOptions options = options_for(game, 1);
  options.opponents.pop_back();
  std::istringstream in;
  std::ostringstream out;
  EXPECT_EQ(error_message<UsageError>([&] { Session(game, options, in, out); }),
            "1 opponents given; 'ofc[players=3]' has room for 2");
}

TEST(Session, OutputThatFailsIsAnError) {
  const GamePtr game = make_game("ofc");
  std::istringstream in("help\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(Session(game, options_for(game, 1), in, out).run(), FileError);
}

// Random play up to some decision; the pictures for every seat are compared with those of tables that the seat cannot
// distinguish.
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
    const std::unique_ptr<Env> env = table_at(spec, 1);
    return GenericView({{"a", "b"}, env->current_player()}, {}).picture(*env);
  };
  expect_parts(picture("holdem[limit=no_limit]"),
               {"you may: fold, call 50, raise to 200, ", ", raise to any amount from 200 to 10000\n"});
  // A range of one amount has the same effect as the action.
  expect_parts(picture("holdem"), {"you may: fold, call 5, raise to 20\n"});
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

// Input at a table where actions are played at once.

std::string play(const std::string& input, const std::string& spec = "holdem[limit=no_limit]", std::uint64_t seed = 1) {
  const GamePtr game = make_game(spec);
  const AgentFactoryPtr random = make_agents("random", game);
  SessionOptions options = session_options(game, random, random, seed);
  options.echo = true;
  return sit(game, std::move(options), input).text;
}

const std::string kQuestion = "raise to 10000, all-in? (y/n) ";

TEST(SessionBetting, AnAllInIsAskedFor) {
  for (const char* input : {"allin\nquit\n", "r 10000\nquit\n", "a\nn\nquit\n", "a\nundo\nq\n"}) {
    const std::string text = play(input);
    EXPECT_TRUE(contains(text, kQuestion)) << input << text;
    EXPECT_FALSE(contains(text, "\nyou raise to 10000")) << input << text;
    EXPECT_TRUE(text.ends_with("After 0 hands: you 0, random 0\n")) << input << text;
  }
  for (const char* input : {"allin\ny\nquit\n", "r max\nYES\nquit\n", "a\nn\na\ny\nquit\n"})
    EXPECT_TRUE(contains(play(input), "\nyou raise to 10000")) << input;
}

TEST(SessionBetting, NoTakesTheAllInBack) {
  const std::string text = play("allin\nn\nn\nquit\n");
  EXPECT_EQ(text.find(kQuestion), text.rfind(kQuestion)) << text;
  EXPECT_TRUE(contains(text, "'n' is not possible here")) << "there is nothing to take back any more";
}

// An accidental key must not bet everything.
TEST(SessionBetting, EnterConfirmsNothing) {
  const std::string text = play("allin\n\n\nquit\n");
  EXPECT_TRUE(contains(text, kQuestion + "\ny plays it, n takes it back\n" + kQuestion + "\ny plays it")) << text;
  EXPECT_FALSE(contains(text, "\nyou raise")) << text;
}

// Another action replaces the all-in to be confirmed.
TEST(SessionBetting, WhoThinksBetterCalls) {
  const std::string text = play("allin\nc\nquit\n");
  EXPECT_TRUE(contains(text, "\nyou call 50\n")) << text;
  EXPECT_FALSE(contains(text, "\nyou raise")) << text;
}

TEST(SessionBetting, OtherActionsAreNotAskedFor) {
  for (const auto& [typed, observed] : {std::pair("c", "you call 50"), std::pair("r 250", "you raise to 250"),
                                        std::pair("f", "you fold"), std::pair("r 9999", "you raise to 9999")}) {
    const std::string text = play(std::string(typed) + "\nquit\n");
    EXPECT_TRUE(contains(text, std::string("\n") + observed)) << text;
    EXPECT_FALSE(contains(text, "raise to 9999, all-in?")) << text;
  }
}

// Discards are final: the plan is shown first.
TEST(SessionBetting, DiscardsAreConfirmed) {
  const auto drawing = [](const std::string& typed) { return play("k\n" + typed + "quit\n", "draw", 3); };
  const std::string shown = drawing("d 1 2\n");
  expect_parts(shown, {"\n  you       990       As* 8c* 5s  4c  2c\n",
                       "\nyou discard As 8c: Enter confirms, undo takes it back\nconfirm? "});
  expect_none(shown, {"\nyou discard As 8c\n"});
  for (const char* typed : {"d 2 3\n\n", "d 1\nundo\nd 2 3\ny\n", "d 1\nd 2 3\nc\n", "d 1\nn\nd 2 3\nconfirm\n"})
    EXPECT_EQ(count(drawing(typed), "\nyou discard 8c 5s\n"), 1) << typed << drawing(typed);
  expect_parts(drawing("undo\n"), {"there is nothing to undo"});
  // Other decisions are played at once.
  expect_none(drawing("d 2 3\n\nk\n"), {"you check: Enter"});
}

// Prefixes of choices take precedence over those of commands: "co" completes and does not confirm.
TEST(SessionBetting, ActionsComeBeforeCommands) {
  const std::string stud = "stud[bring_in=3,min_bet=10]";
  std::uint64_t seed = 0;
  while (!contains(play("quit\n", stud, seed), "complete to 10 (r)")) ASSERT_LT(++seed, 20U);
  const std::string text = play("co\nquit\n", stud, seed);
  EXPECT_TRUE(contains(text, "\nyou complete to 10\n")) << text;
  EXPECT_TRUE(contains(play("ru\nquit\n", stud, seed), "Seven-card stud")) << "no action begins so";
}

// Keys without a character, arrows and others, are no part of a line.
TEST(SessionBetting, KeysOfATerminalAreNotTyped) {
  for (const char* typed : {"\x1b[Ac", "c\x1b[3~", "\x1b[1;5Dc", "\x1bOPc\x7f", "\x01\x1b[15~ca\x1bOH", "call\t50"}) {
    const std::string text = play(std::string(typed) + "\nquit\n");
    EXPECT_TRUE(contains(text, "\nyou call 50\n")) << text;
    EXPECT_FALSE(contains(text, "\x1b") || contains(text, "\x7f")) << text;
  }
}

}  // namespace
}  // namespace dealer::terminal::session_test
