// Turns of 7-Hand Poker with all choices tried, and the agent against a responder that knows its policy.
#include "arena/lines_file.h"
#include "arena/studies/checks.h"
#include "arena/studies/seven_hand/advice.h"
#include "arena/studies/seven_hand/counter.h"
#include "arena/studies/seven_hand/report.h"
#include "arena/studies/seven_hand/responses.h"
#include "arena/studies/seven_hand/tries.h"
#include "env/games/seven_hand/game.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::seven_hand::seven_hand_tries_test {
namespace {

using namespace test;
using dealer::seven_hand::kFirstChip;
using dealer::seven_hand::State;

class Tries : public testing::Test {
 protected:
  StudyContext place(const std::string& agent, int threads = 1) const {
    return {folder_ / "", game_, make_agents(agent, game_), 7, threads, {}, {}};
  }
  std::vector<Tried> read(const std::string& file) const {
    std::vector<Tried> all;
    LinesFile::read(folder_ / file, kTriesUnit, [&](std::string_view line) {
      all.push_back(read_tried(line).value());
      return true;
    });
    return all;
  }
  GamePtr game_ = make_game("seven_hand");
  TempFolder folder_;
};

TEST_F(Tries, ALineTellsAllOfThem) {
  Tried tried;
  tried.number = 12;
  tried.turn = tried.laying.turn = 3;
  tried.laid = {1.0, -1.0, 0.0, std::nullopt, std::nullopt};
  tried.laying.role = kSecond;
  tried.laying.cards = 7;
  tried.laying.line = {kNotYet, kNobody, kStarter, kSecond, kNotYet, kNotYet, kNotYet};
  tried.laying.opposite = {5, 0, 0, 0, 1, 0, 0};
  tried.named = {1.0, std::nullopt, std::nullopt, std::nullopt, -1.0, 0.0, std::nullopt};
  const std::string line = line_of(tried);
  EXPECT_EQ(line, "12 3 1 -1 0 - - 1 3 -1 -2 0 1 -1 -1 -1 5 0 0 0 1 0 0 1 - - - -1 0 -\n");
  const auto again = read_tried(line.substr(0, line.size() - 1));
  ASSERT_TRUE(again);
  EXPECT_EQ(line_of(*again), line);
  EXPECT_EQ(again->laying.free, 0b0110001U);
  EXPECT_EQ(again->laying.turn, 3);
  for (const std::string& bad : {line.substr(0, line.size() - 3), line.substr(0, line.size() - 1) + " 1",
                                 "x" + line.substr(2, line.size() - 3), std::string()})
    EXPECT_FALSE(read_tried(bad)) << bad;
}

// The heuristic agent is deterministic, so its result after every chip can be replayed by its
// agents, one decision after the other.
TEST_F(Tries, ArePlayedToTheEndByTheAgent) {
  ASSERT_TRUE(try_turns(place("rule"), 20, folder_ / "tries.txt"));
  const auto& rules = dealer::seven_hand::as_seven_hand(*game_)->rules();
  const auto agent = make_agents("rule", game_)->make();
  const auto act = [&](State& state) {
    const Observation seen = seen_in(state, *game_);
    agent->reset(seen.player, 0);
    state.apply_and_hold(agent->act(seen).action);
  };
  int named = 0, turns = 0;
  for (const Tried& tried : read("tries.txt")) {
    State state;
    state.reset(rules, derive(derive(7, 0x54524945), static_cast<std::uint64_t>(tried.number)));
    const Seat starter = 1 - state.dealer(), mover = tried.laying.role == kStarter ? starter : 1 - starter;
    while (state.mover() != mover || state.finished_turns(mover) + 1 != tried.turn) act(state);
    EXPECT_EQ(std::count_if(tried.laid.begin(), tried.laid.end(), [](const auto& value) { return value.has_value(); }),
              std::min(5, size(state.hand(mover))));
    const int before = state.turns();
    while (!state.naming() && state.turns() == before) act(state);
    ++turns;
    if (!state.naming()) continue;
    EXPECT_EQ(tried.laying.count(), size(state.picked()));
    for (int chip = 0; chip < kChips; ++chip) {
      const auto c = at(chip);
      EXPECT_EQ(tried.named[c].has_value(), (state.legal_mask() >> (kFirstChip + chip) & 1) != 0);
      EXPECT_EQ(tried.laying.opposite[c], tried.named[c] ? size(state.laid(1 - mover, chip)) : 0);
      if (!tried.named[c]) continue;
      State played = state;
      played.apply_and_hold(kFirstChip + chip);
      while (!played.hand_over()) act(played);
      EXPECT_EQ(*tried.named[c], played.return_of(1 - mover)) << tried.number << ' ' << chip;
      ++named;
    }
    // The agent's own number of cards is among those tried.
    State played = state;
    act(played);
    while (!played.hand_over()) act(played);
    EXPECT_EQ(tried.laid[at(size(state.picked()) - 1)], played.return_of(mover));
  }
  EXPECT_GT(turns, 12);
  EXPECT_GT(named, 40);
}

TEST_F(Tries, OtherLinesAreRefused) {
  write_bytes(folder_ / "bad", "1 2 3\ntries 5\n");
  EXPECT_TRUE(refuses<FileError>("bad:1: this is not a line of the study; start again in another folder",
                                 [&] { count_tries(folder_ / "bad"); }));
}

// Advice comes from significant differences, and is tested by the agent against itself.
TEST_F(Tries, AdviceIsPutToTheTest) {
  Figure advice = AdviceCounter().figures();
  EXPECT_TRUE(advice.is_null() && advised(advice).empty()) << "nothing was tried";
  AdviceCounter counter;
  counter.add({});
  advice = counter.figures();
  for (const double unclear : {0.005, -0.005}) {
    set_all(advice, {unclear, 0.01, 100});
    EXPECT_TRUE(advised(advice).empty());
  }
  set(advice, "differences/middle_ends_many", {-0.5, 0.01, 100});
  set(advice, "differences/many_few_late", {0.5, 0.01, 100});
  const std::vector<std::string_view> names = advised(advice);
  EXPECT_EQ(names, (std::vector<std::string_view>{"many_ends", "many_late"}));

  const auto file = folder_ / "checks.txt";
  ASSERT_TRUE(play_checks(place("random"), names, 3, folder_ / "none"));
  EXPECT_EQ(count_checks(folder_ / "none", what_is_preferred).size(), 0U) << "random has no option to prefer anything";
  StudyContext stopped = place("default");
  int asked = 0;
  stopped.stop = [&] { return ++asked > 40; };
  ASSERT_FALSE(play_checks(stopped, names, 12, file));
  ASSERT_TRUE(play_checks(place("default"), names, 12, file));
  const Figure checks = count_checks(file, what_is_preferred);
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[1].text("prefers"), "many_late");
  EXPECT_EQ(checks[0]["points"].estimate().count, 24);
  MatchOptions match;
  match.game = game_;
  match.agents = {make_agents("default[prefers=many_ends]", game_), make_agents("default", game_)};
  match.deals = 12;
  match.seed = derive(7, 0x434845434b);
  EXPECT_NEAR(checks[0]["points"].estimate().value, play_match(match).agents[0].points.ratio(), 1e-6);
  Figure all = Counter().figures(Figure(), "");
  all.set("checks", checks);
  const std::string page = report_of({"seven_hand", "seven_hand", "default", 1, 2, 1, "0"}, all);
  EXPECT_FALSE(has(page, "The advice put to the test")) << "nothing was tried";
  all.set("advice", advice);
  EXPECT_TRUE(has(report_of({"seven_hand", "seven_hand", "default", 1, 2, 1, "0"}, all),
                  "lays four or five cards in its last three turns"));
  const std::vector<std::string> sentences = conclusions_of(all);
  EXPECT_EQ(
      std::ranges::count_if(sentences, [](const std::string& each) { return has(each, "ested against the agent"); }),
      2);
}

struct Answered {
  std::int64_t deal;
  Hand hand;
  int responder;
};

class Responses : public testing::Test {
 protected:
  Responses()
      : config_(Config::parse("agent: random", "test")),
        study_(study_kinds().find("seven_hand")->second.make(config_, game_)) {}

  StudyContext place(const std::string& agent, int threads = 1) const {
    return {{}, game_, make_agents(agent, game_), 7, threads, {}, {}};
  }
  std::vector<Answered> read(const std::string& file, std::int64_t deals) const {
    std::vector<Answered> all;
    read_responses(folder_ / file, game_, *study_, 7, deals, [&](std::int64_t deal, const Hand& hand, int responder) {
      all.push_back({deal, hand, responder});
    });
    return all;
  }
  GamePtr game_ = make_game("seven_hand");
  Config config_;
  std::unique_ptr<Study> study_;
  TempFolder folder_;
};

TEST_F(Responses, TheResponderIsTheAgentWithSearch) {
  EXPECT_EQ(responder_of("rule", game_, 30), "rule[simulations=30,weighted=agent,playouts=agent]");
  EXPECT_EQ(responder_of("default", game_, 30), "default[simulations=30,weighted=agent,playouts=agent,depth=1]");
}

// With rule as the responder against random: checks the roles and the results.
TEST_F(Responses, BothHaveTheSameCardsAndTurns) {
  ASSERT_TRUE(play_responses(place("random"), make_agents("rule", game_), *study_, 12, folder_ / "r"));
  const std::vector<Answered> all = read("r", 12);
  ASSERT_EQ(all.size(), 24U);
  double points = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].deal, static_cast<std::int64_t>(i / 2));
    EXPECT_EQ(all[i].responder, i % 2 == 0 ? kSecond : kStarter);
    points += all[i].hand.points_of(all[i].responder);
    // The first cards laid in the first turn are from the same eight, whoever plays them.
    if (i % 2 == 1) {
      EXPECT_LE(size(all[i].hand.layings[0].cards | all[i - 1].hand.layings[0].cards), 8);
      EXPECT_EQ(all[i].hand.layings[0].role, kStarter);
    }
  }
  EXPECT_GT(points, 18) << "rule wins 99.5% against random";
}

const Words kSmall = {"agent=random", "deals=10", "tries=70", "responses=12", "simulations=3", "threads=1"};

TEST_F(Responses, TheStudyTellsWhoAnswers) {
  const auto json = run_study(read_study("seven_hand", kSmall), folder_ / "a").results;
  const auto& responses = json["figures"]["responses"];
  EXPECT_EQ(responses["responder"], "random[simulations=3,weighted=agent,playouts=agent]");
  EXPECT_EQ(responses["hands"], 24) << "more deals than those of the games against itself";
  EXPECT_EQ(json["hands"], 20);
  EXPECT_EQ(json["figures"]["first_move"]["points"]["n"], 20) << "what is of these does not count the others";
}

TEST_F(Responses, BothPartsMayBeLeftOut) {
  Words words = {"agent=random", "deals=4", "tries=0", "responses=0"};
  const auto json = run_study(read_study("seven_hand", words), folder_ / "none").results["figures"];
  EXPECT_TRUE(json["advice"].is_null());
  EXPECT_TRUE(json["responses"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none/tries.txt"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none/responses.txt"));
}

TEST_F(Responses, RefusesWhatCannotBe) {
  register_agent_kind("silent", {.make = [](const Spec& spec, const GamePtr&) { return fake_agents(to_string(spec)); },
                                 .plays = {},
                                 .what = "tells no policy",
                                 .recognises = {}});
  const std::pair<const char*, const char*> cases[] = {
      {"agent=search[simulations=5] responses=0 tries=1",
       "tries: agent 'search[simulations=5]' searches, so that its policy is not known; expected an agent with a "
       "policy, or tries: 0 and responses: 0"},
      {"agent=silent responses=1", "responses: agent 'silent' gives no action probabilities;"},
      {"responses=-1", "responses: -1 is not allowed; expected an integer from 0 to"},
      {"simulations=0", "simulations: 0 is not allowed; expected an integer from 1 to"},
      {"response=5", "unknown key 'response'; did you mean 'responses'?"}};
  for (const auto& [words, why] : cases)
    EXPECT_TRUE(refuses<UsageError>(why, [w = words] { read_study("seven_hand", words_in(w)); }));
  EXPECT_NO_THROW(read_study("seven_hand", {"agent=search[simulations=5]", "responses=0", "tries=0"}));
}

}  // namespace
}  // namespace dealer::studies::seven_hand::seven_hand_tries_test
