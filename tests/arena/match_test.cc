#include "arena/match.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/support/error_message.h"

namespace dealer {
namespace {

MatchOptions match(const std::string& game, const std::vector<std::string>& agents, std::int64_t deals) {
  MatchOptions options;
  options.game = make_game(game);
  for (const std::string& agent : agents) options.agents.push_back(make_agents(agent, options.game));
  options.deals = deals;
  options.seed = 11;
  return options;
}

std::string without_time(const MatchResult& result) {
  nlohmann::json json = to_json(result);
  json.erase("seconds");
  return json.dump();
}

struct Mirror {
  const char* game;
  const char* agent;
  int deals;
};

std::ostream& operator<<(std::ostream& out, const Mirror& mirror) {
  return out << mirror.agent << " at " << mirror.game;
}

class AgainstItself : public testing::TestWithParam<Mirror> {};

TEST_P(AgainstItself, APolicyHasExactlyZero) {
  const auto& [game, agent, deals] = GetParam();
  MatchOptions options = match(game, {}, deals);
  for (int i = 0; i < options.game->players(); ++i) options.agents.push_back(make_agents(agent, options.game));
  const MatchResult result = play_match(options);
  EXPECT_GE(result.hands_played, result.episodes);
  EXPECT_EQ(result.episodes, deals * (options.game->players() == 2 ? 2 : 6));
  for (const AgentResult& each : result.agents) {
    EXPECT_EQ(each.mean(), 0);
    EXPECT_EQ(each.ci95(), 0);
    // Everybody has the same figures, too.
    for (std::size_t i = 0; i < each.rates.size(); ++i)
      EXPECT_EQ(each.rates[i].numerator, result.agents[0].rates[i].numerator) << each.rates[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Agents, AgainstItself,
                         testing::Values(Mirror{"ofc", "random", 200}, Mirror{"ofc", "rule", 100},
                                         Mirror{"ofc", "rule:expert", 60}, Mirror{"ofc[players=3]", "random", 60},
                                         Mirror{"ofc[players=3]", "rule:expert", 20},
                                         Mirror{"ofc[episode=hand]", "rule", 30},
                                         Mirror{"ofc[episode=match,match.hands=5]", "random", 20},
                                         Mirror{"ofc[episode=match,match.hands=5]", "rule:expert", 10},
                                         Mirror{"ofc[players=3,episode=match,match.hands=4]", "rule", 4}));

TEST(Match, EveryHandWrittenPlayerBeatsRandomByFar) {
  for (const char* style : {"rule", "rule:expert", "rule:careful", "rule:bold"}) {
    const MatchResult result = play_match(match("ofc", {style, "random"}, 300));
    const AgentResult& rule = result.agents[0];
    EXPECT_GT(rule.mean() - rule.ci95(), 5) << style;
    EXPECT_EQ(rule.mean(), -result.agents[1].mean());
    EXPECT_EQ(rule.ci95(), result.agents[1].ci95());
    EXPECT_GT(result.agents[1].rate("foul_rate"), 0.5);
  }
}

TEST(Match, TheExpertBeatsTheRulesOfThumb) {
  const MatchResult result = play_match(match("ofc", {"rule:expert", "rule"}, 600));
  const AgentResult& expert = result.agents[0];
  EXPECT_GT(expert.mean() - expert.ci95(), 0);
  EXPECT_LT(expert.rate("foul_rate"), 0.25);
  EXPECT_GT(expert.rate("fantasyland_rate"), 0.1);
  EXPECT_LT(result.agents[1].rate("foul_rate"), 0.3);
  EXPECT_GT(result.agents[1].rate("fantasyland_rate"), 0.05);
}

TEST(Match, DoesNotDependOnTheThreads) {
  MatchOptions options = match("ofc[players=3]", {"rule", "random", "rule:expert"}, 40);
  std::string text;
  options.describe = [](const PlayedHand& hand) {
    return std::to_string(hand.deal) + '/' + std::to_string(hand.seating) + '/' + std::to_string(hand.hand) + '\n';
  };
  options.log = [&](std::string_view more) { text += more; };
  const std::string one = without_time(play_match(options));
  const std::string log = text;
  for (const int threads : {2, 5}) {
    options.threads = threads;
    text.clear();
    EXPECT_EQ(without_time(play_match(options)), one);
    EXPECT_EQ(text, log);
  }
}

TEST(Match, TheSeedDecidesTheDeals) {
  MatchOptions options = match("ofc", {"rule", "random"}, 20);
  const std::string first = without_time(play_match(options));
  EXPECT_EQ(without_time(play_match(options)), first);
  options.seed = 12;
  EXPECT_NE(play_match(options).agents[0].mean(), nlohmann::json::parse(first)["mean"][0]);
}

TEST(Match, SeatingsAreFair) {
  EXPECT_EQ(seatings(2), (std::vector<std::vector<int>>{{0, 1}, {1, 0}}));
  EXPECT_EQ(seatings(3).size(), 6U);
  for (const int players : {2, 3, 4, 10}) {
    const auto all = seatings(players);
    EXPECT_EQ(std::set<std::vector<int>>(all.begin(), all.end()).size(), all.size());
    for (int seat = 0; seat < players; ++seat) {
      std::vector<std::size_t> times(static_cast<std::size_t>(players));
      for (const auto& seating : all) ++times[static_cast<std::size_t>(seating[static_cast<std::size_t>(seat)])];
      for (const std::size_t t : times) EXPECT_EQ(t, all.size() / static_cast<std::size_t>(players));
    }
  }
}

TEST(Match, WithoutDuplicatesSeatingsTakeTurns) {
  MatchOptions options = match("ofc", {"random", "random"}, 10);
  options.duplicate = false;
  std::string text;
  options.describe = [](const PlayedHand& hand) { return std::to_string(hand.agent_of_seat[0]); };
  options.log = [&](std::string_view more) { text += more; };
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.episodes, 10);
  EXPECT_EQ(text, "0101010101");
}

// Played again from its seed with the decisions told, every hand has the same words, events and points.
void check_replayable(MatchOptions options, int at_least) {
  SCOPED_TRACE(options.game->spec());
  const std::size_t players = options.agents.size();
  std::vector<double> total(players);
  std::int64_t hands = 0;
  const std::unique_ptr<Env> env = options.game->new_env({.hold_hands = true});
  options.describe = [&](const PlayedHand& hand) {
    ++hands;
    std::vector<double> points(players), before(players);
    if (hand.hand == 0) {
      env->reset(hand.seed);
    } else {
      before = env->returns();
      env->next_hand();
    }
    for (const PlayedDecision& taken : hand.decisions) {
      EXPECT_EQ(env->current_player(), taken.seat);
      EXPECT_EQ(env->parse_decision(taken.text), taken.decision);
      env->step(taken.decision);
    }
    EXPECT_TRUE(env->hand_over());
    for (std::size_t s = 0; s < players; ++s) points[s] = env->returns()[s] - before[s];
    EXPECT_EQ(points, hand.points);
    EXPECT_EQ(env->events(kOmniscient), std::vector<Event>(hand.events.begin(), hand.events.end()));
    for (std::size_t s = 0; s < players; ++s) total[static_cast<std::size_t>(hand.agent_of_seat[s])] += points[s];
    return std::string();
  };
  options.log = [](std::string_view) {};
  const MatchResult result = play_match(options);
  EXPECT_EQ(hands, result.hands_played);
  EXPECT_GT(hands, at_least);
  EXPECT_EQ(result.agents[0].mean(), total[0] / static_cast<double>(hands));
}

TEST(Match, PlayedHandsCanBeReplayed) {
  check_replayable(match("ofc", {"rule:expert", "rule:bold"}, 40), 80);
  check_replayable(match("leduc", {"rule", "random"}, 40), 79);
  // Here the ante takes somebody's last chip now and then, so that nobody has anything to decide in the hand.
  check_replayable(match("draw[episode=match,stack=30,ante=10,min_bet=10,big_bet=20]", {"random", "random"}, 40), 100);
}

TEST(Match, TellsProgressAndStops) {
  MatchOptions options = match("ofc", {"random", "random"}, 1000);
  std::atomic<bool> stop = false;
  std::int64_t last = 0;
  options.stop = &stop;
  options.progress = [&](std::int64_t done) {
    EXPECT_GT(done, last);
    last = done;
    if (done >= 100) stop = true;
  };
  const MatchResult result = play_match(options);
  EXPECT_EQ(result.deals, last);
  EXPECT_GE(result.deals, 100);
  EXPECT_LT(result.deals, 1000);
}

TEST(Match, JsonHasTheContractsFields) {
  const nlohmann::json json = to_json(play_match(match("ofc", {"rule", "random"}, 3)));
  EXPECT_EQ(json["game"], "ofc");
  EXPECT_EQ(json["agents"], (nlohmann::json{"rule", "random"}));
  EXPECT_EQ(json["hands"], 3);
  EXPECT_EQ(json["unit"], "points/hand");
  EXPECT_GE(json["hands_played"], 6);
  EXPECT_GE(json["seconds"], 0);
  for (const char* list : {"mean", "ci95", "stats"}) EXPECT_EQ(json[list].size(), 2U) << list;
  for (const auto& stats : json["stats"]) EXPECT_TRUE(stats["foul_rate"].is_number());
  // Random play has not been in Fantasyland in three deals: nothing is known about staying there.
  EXPECT_TRUE(json["stats"][1]["fantasyland_stay_rate"].is_null());
}

TEST(Match, OneDealTellsNoInterval) {
  const nlohmann::json json = to_json(play_match(match("ofc", {"rule", "random"}, 1)));
  EXPECT_TRUE(json["ci95"][0].is_null());
}

TEST(Match, RefusesWhatCannotBePlayed) {
  using test::error_message;
  EXPECT_EQ(error_message<UsageError>([] {
              play_match(match("ofc[players=3]", {"rule", "random"}, 1));
            }),
            "2 agents given; 'ofc[players=3]' is a game of 3 players");
  EXPECT_EQ(error_message<UsageError>([] {
              play_match(match("ofc", {"rule", "random"}, 0));
            }),
            "0 hands to deal; expected at least 1");
  MatchOptions options = match("ofc", {"rule", "random"}, 1);
  options.threads = -1;
  EXPECT_EQ(error_message<UsageError>([&] { play_match(options); }), "-1 threads; expected 0 (all) or more");
}

class Cheat final : public Agent {
 public:
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation&) override { return 9; }
};
class Cheats final : public AgentFactory {
 public:
  std::unique_ptr<Agent> make() const override { return std::make_unique<Cheat>(); }
  const std::string& spec() const override { return spec_; }

 private:
  std::string spec_ = "cheat";
};

TEST(Match, NamesWhoPlayedAnIllegalAction) {
  MatchOptions options = match("ofc", {"random"}, 64);
  options.agents.push_back(std::make_shared<Cheats>());
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const std::string message = test::error_message<IllegalAction>([&] { play_match(options); });
    EXPECT_TRUE(message.starts_with("agent 'cheat' in seat ")) << message;
    EXPECT_NE(message.find("action 9"), std::string::npos) << message;
  }
}

TEST(Match, RatesAreAskedByName) {
  const MatchResult result = play_match(match("ofc", {"random", "random"}, 2));
  EXPECT_EQ(result.agents[0].rate("fantasyland_stay_rate"), 0);
  EXPECT_THROW(result.agents[0].rate("foul"), UsageError);
}

}  // namespace
}  // namespace dealer
