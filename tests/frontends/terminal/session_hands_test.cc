// A session over several hands, against the same hands played without one: agents asked, their observations, results.
// The terminal's output is not compared here.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <ostream>
#include <regex>
#include <streambuf>

#include "env/core/error.h"
#include "tests/frontends/terminal/sitting.h"
#include "tests/support/fake_agents.h"

namespace dealer::terminal::session_hands_test {
namespace {

// A decision request.
struct Asked {
  Seat seat;
  Seat agent;  // the agent made for this seat is asked
  std::vector<float> sees;
  Decision decides;
  bool operator==(const Asked&) const = default;
};
using Story = std::vector<Asked>;

// The players of these tests are deterministic, so that hands depend only on the deal: same position, same action.
AgentFactoryPtr players_for(const GamePtr& game) {
  if (game->id().family == "ofc") return make_agents("rule", game);
  const auto act = [](const Observation& observation) {
    std::uint64_t hash = 1;
    for (const float number : observation.data) hash = mix64(hash ^ std::bit_cast<std::uint32_t>(number));
    const std::vector<Action> legal = observation.legal_actions();
    return Decision(legal[hash % legal.size()]);
  };
  return fake_agents("deterministic", {.act = act});
}

// They record requests and answers.
AgentFactoryPtr telling_agents(const GamePtr& game, Seat made_for, Story& story) {
  const std::shared_ptr<Agent> agent = players_for(game)->make();
  FakeAgent::Functions functions;
  functions.reset = [=](Seat seat, std::uint64_t seed) {
    EXPECT_EQ(seat, made_for);
    agent->reset(seat, seed);
  };
  functions.act = [=, &story](const Observation& observation) {
    story.push_back({observation.player, made_for, observation.data, agent->act(observation)});
    return story.back().decides;
  };
  return fake_agents("telling", functions);
}

struct Played {
  Story story;
  std::vector<std::vector<double>> points;  // of every seat after each hand
  std::string typed;                        // the person's actions as text, each confirmed, and Enter after a hand
  int episodes = 0;
};

// That many hands without a session.
Played play_without(const GamePtr& game, std::uint64_t seed, int hands) {
  Played played;
  const std::unique_ptr<Env> env = game->new_env({.hold_hands = true});
  Dealing dealing(*env, seed);
  const auto players = static_cast<std::size_t>(game->players());
  std::vector<std::unique_ptr<Agent>> agents(players);
  for (auto& agent : agents) agent = players_for(game)->make();
  std::vector<double> before(players);  // from earlier episodes
  played.points.push_back(before);
  while (static_cast<int>(played.points.size()) <= hands) {
    dealing.episode();
    ++played.episodes;
    for (;;) {
      const bool asked = !env->hand_over();
      while (!env->hand_over()) {
        const Seat seat = env->current_player();
        const Observation observation = env->observe(seat);
        const Decision decision = agents[static_cast<std::size_t>(seat)]->act(observation);
        played.story.push_back({seat, seat, observation.data, decision});
        if (seat == 0) played.typed += env->decision_to_string(decision) + "\ny\n";
        env->step(decision);
      }
      if (asked) played.typed += '\n';
      played.points.push_back(before);
      for (std::size_t seat = 0; seat < players; ++seat) played.points.back()[seat] += env->returns()[seat];
      if (env->terminated() || static_cast<int>(played.points.size()) > hands) break;
      env->next_hand();
    }
    before = played.points.back();
  }
  return played;
}

struct Retold : Sat {
  Story story;
};

// A session in which the person takes the adviser's advice, or types the given input.
Retold sit(const GamePtr& game, std::uint64_t seed, int hands, const std::string& input) {
  Retold sat;
  SessionOptions options;
  options.adviser = telling_agents(game, 0, sat.story);
  for (Seat seat = 1; seat < game->players(); ++seat)
    options.opponents.push_back(telling_agents(game, seat, sat.story));
  options.seed = seed;
  options.hands = hands;
  static_cast<Sat&>(sat) = test::sit(game, std::move(options), input);
  return sat;
}

class SessionOf : public testing::TestWithParam<const char*> {};

TEST_P(SessionOf, HandAfterHandThePointsAddUp) {
  const GamePtr game = make_game(GetParam());
  const Played played = play_without(game, 5, 20);
  for (int hands = 1; hands <= 12; ++hands) {
    const Retold sat = sit(game, 5, hands, repeat(kTake, 600));
    // A hand without decisions may end together with the one before it.
    ASSERT_GE(sat.hands, hands);
    ASSERT_LT(static_cast<std::size_t>(sat.hands), played.points.size());
    const auto end = static_cast<std::size_t>(sat.hands);
    EXPECT_EQ(sat.points, played.points[end]) << hands << " hands";
    double sum = 0;
    for (const double points : sat.points) sum += points;
    EXPECT_EQ(sum, 0);
    ASSERT_LE(sat.story.size(), played.story.size());
    EXPECT_TRUE(std::equal(sat.story.begin(), sat.story.end(), played.story.begin())) << hands << " hands";
  }
  EXPECT_NE(played.points.back(), played.points.front());
}

// Whatever was typed before, and whether the input ends or the person quits: only finished hands count.
TEST_P(SessionOf, WhoQuitsInTheMiddleKeepsTheHandsThatAreOver) {
  const GamePtr game = make_game(GetParam());
  const Played played = play_without(game, 8, 40);
  int hands = 0, quits_within = 0;
  for (std::size_t turns = 0; hands < 4; ++turns) {
    ASSERT_LT(turns, 100U) << "four hands are not played";
    std::size_t asked = 0;
    for (const std::string end : {"", "quit\n", "take\nquit\n", "take\n"}) {
      const Retold sat = sit(game, 8, 0, repeat(kTake, turns) + end);
      ASSERT_GE(sat.hands, hands) << turns;
      EXPECT_EQ(sat.points, played.points[static_cast<std::size_t>(sat.hands)]) << turns << ' ' << end;
      if (end.empty()) asked = sat.story.size();
      quits_within += sat.story.size() > asked ? 1 : 0;
      hands = sat.hands;
    }
  }
  EXPECT_GT(quits_within, 0) << "nobody ever quit with a plan made";
}

INSTANTIATE_TEST_SUITE_P(Games, SessionOf,
                         testing::Values("ofc", "ofc[players=3]", "ofc[episode=match]", "kuhn", "leduc", "draw", "stud",
                                         "draw[players=3,limit=no_limit,stack=400,episode=match]",
                                         "holdem[limit=no_limit,stack=400,episode=match]"));

TEST(SessionHands, FantasylandIsPlayedInTheSameEpisode) {
  const GamePtr game = make_game("ofc");
  const Played played = play_without(game, 1, 60);
  ASSERT_LT(played.episodes, 60) << "nobody came to Fantasyland";
  const Retold sat = sit(game, 1, 60, repeat(kTake, 1000));
  EXPECT_EQ(sat.hands, 60);
  EXPECT_EQ(sat.points, played.points[60]);
  EXPECT_EQ(sat.story, played.story);
}

// Actions typed by their names, without an adviser.
TEST(SessionHands, ActionsAreTypedByName) {
  for (const char* spec : {"kuhn", "leduc", "draw"}) {
    const GamePtr game = make_game(spec);
    const Played played = play_without(game, 2, 20);
    const Retold sat = sit(game, 2, 20, played.typed);
    EXPECT_EQ(sat.hands, 20) << spec;
    EXPECT_EQ(sat.points, played.points[20]) << spec;
  }
}

// Complete sessions of every game, played through a pipe by a simulated person that reads the output and types answers.

// A line of input for every prompt, made from the output since the last one.
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

Sat sit_at(const std::string& spec, const std::string& opponents, std::uint64_t seed, int hands, const Typing& type,
           const std::string& adviser = "drawing") {
  const GamePtr game = make_game(spec);
  SessionOptions options =
      session_options(game, make_agents(opponents, game),
                      adviser == "drawing" ? drawing_agents() : make_agents(adviser, game), seed, hands);
  options.echo = true;
  std::ostringstream out;
  Typist typist(out, type);
  std::istream in(&typist);
  return test::sit(game, std::move(options), in, out);
}

bool waits_for_plan(const std::string& news) { return news.ends_with("\n> "); }

// At a prompt without a plan: plays an all-in, confirms a plan, deals the next hand.
std::string go_on(const std::string& news) { return news.ends_with("? (y/n) ") ? "y" : ""; }

// Takes every advice.
Typing take() {
  return [](const std::string& news) { return waits_for_plan(news) ? "take" : go_on(news); };
}

std::string last_line_with(const std::string& text, const std::string& start) {
  const std::size_t at = text.rfind('\n' + start);
  if (at == std::string::npos) return {};
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

// Inputs for the choices of "you may: fold (f), raise to 40 .. 990 (r 40)".
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

// All the numbers in the text.
double sum_of(const std::string& text, const std::string& expression) {
  const std::regex number(expression);
  double sum = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) sum += std::stod((*it)[1]);
  return sum;
}

void expect_whole(const Sat& sat, int hands, const std::string& spec) {
  EXPECT_EQ(sat.hands, hands) << spec;
  EXPECT_TRUE(contains(sat.text, "\nHand " + std::to_string(hands) + '\n')) << spec << sat.text;
  expect_none(sat.text, {"failed", "legal"});
  double sum = 0;
  for (const double points : sat.points) sum += points;
  EXPECT_EQ(sum, -sum_of(sat.text, "; (\\d+) off the table")) << spec;
  const char* won = contains(sat.text, "together ") ? "together ([-+]?\\d+)" : "this hand: you ([-+]?\\d+)";
  EXPECT_EQ(sat.points[0], sum_of(sat.text, won)) << spec;
}

TEST(EveryGame, PlaysThreeHands) {
  ASSERT_GE(game_names().size(), 16U);
  for (const std::string& name : game_names()) {
    const bool ofc = make_game(name)->id().family == "ofc", whole_turns = ofc || name == "seven_hand";
    for (const char* opponents : {"random", "rule"}) {
      const Sat sat = sit_at(name, opponents, 4, 3, whole_turns ? take() : choose_at_random(7));
      expect_whole(sat, 3, name);
      EXPECT_EQ(count(sat.text, ofc ? "together " : "\nthis hand: "), 3) << name << sat.text;
      EXPECT_TRUE(ofc || count(sat.text, "\nyou win ") + count(sat.text, " wins ") >= 3) << name << sat.text;
    }
  }
}

TEST(EveryGame, TheSameSeedAndTheSamePlayGiveTheSame) {
  for (const char* spec : {"ofc", "holdem[limit=no_limit,players=3]", "washizu", "mini_draw"}) {
    const Sat once = sit_at(spec, "rule", 11, 4, take());
    EXPECT_EQ(once.text, sit_at(spec, "rule", 11, 4, take()).text) << spec;
    EXPECT_NE(once.text, sit_at(spec, "rule", 12, 4, take()).text) << spec;
  }
}

TEST(EveryGame, SixSitAtADrawTable) {
  const Sat sat = sit_at("draw[players=6]", "random", 2, 3, choose_at_random(5));
  expect_whole(sat, 3, "draw");
  expect_parts(sat.text, {"against random 1 and random 2 and random 3 and random 4 and random 5;", " discards ",
                          " draws ", "\nrandom 5 posts the ante of 10\n"});
  EXPECT_EQ(count(sat.text, " posts the ante of 10\n"), 15) << sat.text;
  for (const char* own : {"\nyou post the ante of 10\n", "\nyou get "}) EXPECT_EQ(count(sat.text, own), 3);
  expect_none(sat.text, {" gets "});  // others' cards are not seen
}

// Matches to their end: players who are out watch, the winner is announced, and a new match begins.
TEST(EveryGame, WashizuIsPlayedInMatches) {
  const Sat sat = sit_at("washizu[players=3]", "random", 9, 40, choose_at_random(1));
  expect_whole(sat, 40, "washizu");
  EXPECT_GE(count(sat.text, "\nThe match is over: you "), 8) << sat.text;
  expect_parts(sat.text,
               {"; taken out of the deck: ", "; out: you", ", all-in", " from side pot 1 with ", " among them"});
}

// The person has no chips or all are all-in: the hand is shown without a prompt.
TEST(EveryGame, HandsWithoutDecisionsAreShown) {
  const Sat sat =
      sit_at("holdem[episode=match,limit=no_limit,stack=150,players=2]", "random", 1, 60, choose_at_random(2));
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
  const Sat sat = sit_at("kuhn", "rule", 3, 20, choose_at_random(8));
  expect_whole(sat, 20, "kuhn");
  expect_parts(sat.text, {"\nyou check\n", "\nyou bet 1, all-in\n", "\nyou fold\n", "\nrule takes 1 back\n"});
}

TEST(EveryGame, OfcGoesToFantasylandAndBack) {
  const Sat sat = sit_at("ofc[fantasyland.entry_pair=22]", "rule", 2, 40, take());
  expect_whole(sat, 40, "ofc");
  expect_parts(sat.text, {"\nrule sets 14 cards, unseen\n", "rule sets 14 cards of Fantasyland unseen",
                          "goes to Fantasyland\n", "rule, in Fantasyland: "});
  EXPECT_EQ(count(sat.text, "together "), 40);
}

TEST(EveryGame, FromFantasylandTheOthersAreSeenAfterwards) {
  const std::string text = sit_at("ofc[fantasyland.entry_pair=22]", "random", 2, 60, take(), "rule").text;
  expect_parts(text, {"14 cards of Fantasyland, ", "place 13, discard 1", "you, in Fantasyland: royalties ",
                      "\nrandom sets 5 cards, unseen\n"});
  EXPECT_EQ(count(text, "\nrandom sets 5 cards, unseen\n"), count(text, "\nrandom shows ")) << text;
}

}  // namespace
}  // namespace dealer::terminal::session_hands_test
