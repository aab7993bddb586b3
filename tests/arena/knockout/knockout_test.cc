// Whole tournaments: chips, places, stakes, equal agents and failing ones.
#include "arena/knockout/knockout.h"

#include "tests/arena/knockout/support.h"

namespace dealer::knockout::knockout_test {
namespace {

using namespace test;

std::string without_time(const Result& result) {
  nlohmann::ordered_json json = to_json(result);
  json.erase("seconds");
  return json.dump();
}

Amount sum(const std::vector<Amount>& chips) { return std::accumulate(chips.begin(), chips.end(), Amount{0}); }

// One tournament in one seating, reconstructed from its hands.
struct BettingHistory {
  std::map<int, Amount> chips;
  std::map<int, Amount> last;  // before the hand in which it was eliminated
  std::map<int, int> out;
  std::map<int, int> table;
  std::vector<int> agents;
  std::set<int> played;  // in the current hand
  int hand = -1;
  int hands_at_tables = 0;
};

class Watch {
 public:
  explicit Watch(Options& options) : options_(options) {
    options.watch = [this](const TableHand& hand) { see(hand); };
  }

  // Checks the invariants of every hand.
  void see(const TableHand& hand) {
    BettingHistory& history = histories[{hand.tournament, hand.seating}];
    if (history.hand < 0)
      for (std::size_t p = 0; p < hand.agent_of_player.size(); ++p)
        history.chips[static_cast<int>(p)] = *options_.stack;
    ASSERT_TRUE(hand.hand == history.hand || hand.hand == history.hand + 1);
    if (hand.hand > history.hand) history.played.clear();
    history.hand = hand.hand;
    history.agents = hand.agent_of_player;
    ++history.hands_at_tables;
    ASSERT_GE(hand.players.size(), 2U);
    ASSERT_LE(static_cast<int>(hand.players.size()), options_.table_size);
    ASSERT_EQ(hand.players.size(), hand.before.size());
    discarded += sum(hand.before) - sum(hand.after);
    ASSERT_GE(sum(hand.before), sum(hand.after));
    ASSERT_TRUE(std::find(hand.players.begin(), hand.players.end(), hand.dealer) != hand.players.end());
    for (std::size_t seat = 0; seat < hand.players.size(); ++seat) {
      const int player = hand.players[seat];
      ASSERT_TRUE(history.played.insert(player).second) << "at two tables";
      ASSERT_EQ(hand.before[seat], history.chips[player]);
      ASSERT_GT(hand.before[seat], 0);
      ASSERT_GE(hand.after[seat], 0);
      history.chips[player] = hand.after[seat];
      history.table[player] = hand.table;
      if (hand.after[seat] > 0) continue;
      history.out[player] = hand.hand;
      history.last[player] = hand.before[seat];
    }
    multipliers[hand.hand].insert(hand.multiplier);
    sizes.insert(static_cast<int>(hand.players.size()));
  }

  std::map<std::pair<std::int64_t, int>, BettingHistory> histories;
  std::map<int, std::set<int>> multipliers;
  std::set<int> sizes;
  Amount discarded = 0;

 private:
  Options& options_;
};

TEST(Knockout, ConservesChipsAndCountsPlaces) {
  for (const char* game : {"ofc", "holdem", "holdem[limit=no_limit,stack=2000]", "draw", "razz", "court_tarot"}) {
    SCOPED_TRACE(game);
    // Equal agents would have equal places, whatever is counted.
    Options options = knockout_of(game, {"random", "rule"}, 8, 3);
    options.table_size = 3;
    options.stack = std::string(game).starts_with("ofc") ? 120 : 600;
    options.raise_every = 4;
    Watch watch(options);
    const Result result = play(options);
    EXPECT_EQ(result.tournaments, 3);
    EXPECT_EQ(result.games, 6);
    EXPECT_EQ(result.undecided, 0);
    EXPECT_EQ(watch.discarded, 0);
    EXPECT_EQ(watch.sizes, (std::set<int>{2, 3}));
    std::int64_t hands = 0, rounds = 0;
    // From the reported hands alone.
    std::vector<double> places_of(2);
    for (const auto& [key, history] : watch.histories) {
      std::vector<Ending> endings;
      for (int p = 0; p < 8; ++p)
        endings.push_back(history.out.contains(p) ? Ending{history.out.at(p), history.last.at(p)}
                                                  : Ending{Ending::kStayed, history.chips.at(p)});
      const std::vector<Finish> finishes = finish(endings);
      for (std::size_t p = 0; p < 8; ++p) places_of[at(history.agents[p])] += finishes[p].place() / (4 * 6);
      hands += history.hands_at_tables;
      rounds += history.hand + 1;
      EXPECT_EQ(history.out.size(), 7U) << "one is left";
      Amount all = 0;
      for (const auto& [player, chips] : history.chips) all += chips;
      EXPECT_EQ(all, 8 * *options.stack);
    }
    EXPECT_EQ(result.table_hands, hands);
    EXPECT_EQ(result.rounds, rounds);
    for (const auto& [hand, factors] : watch.multipliers) {
      ASSERT_EQ(factors.size(), 1U);
      const int level = hand / 4;
      const bool ofc = std::string(game).starts_with("ofc");
      EXPECT_TRUE(level >= 5 || *factors.begin() == (ofc ? 1 + level : 1 << level)) << hand;
    }
    for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(result.agents[a].place.value, places_of[a], 1e-9);
    double places = 0;
    for (const AgentPlaces& agent : result.agents) {
      double shares = 0, mean = 0;
      for (std::size_t i = 0; i < agent.places.size(); ++i) {
        shares += agent.places[i].value;
        mean += static_cast<double>(i + 1) * agent.places[i].value;
      }
      EXPECT_NEAR(shares, 1, 1e-12);
      EXPECT_NEAR(mean, agent.place.value, 1e-9);
      EXPECT_EQ(agent.wins.value, agent.places[0].value);
      places += agent.place.value;
    }
    EXPECT_NEAR(places / 2, 4.5, 1e-12);
  }
}

TEST(Knockout, DiscardsOddChipsOfWashizu) {
  Options options = knockout_of("washizu", {"random", "rule"}, 6, 10);
  options.table_size = 4;
  options.stack = 20;
  Watch watch(options);
  const Result result = play(options);
  EXPECT_EQ(result.games, 20);
  EXPECT_GE(watch.discarded, 0);
  for (const auto& [key, history] : watch.histories) EXPECT_EQ(history.out.size(), 5U);
}

// Rising stakes apply to the game: the chips that change hands in a hand without raises.
TEST(Knockout, PlaysForWhatTheLevelSays) {
  Options options = knockout_of("holdem", {"folds", "folds"}, 4, 1);
  options.table_size = 4;
  options.stack = 1000;
  options.raise_every = 3;
  options.hands = 9;
  // Everybody always folds: the big blind wins the small blind, which is half of it.
  enter(options, fake_agents("folds"));
  int hands = 0;
  options.watch = [&](const TableHand& hand) {
    ++hands;
    const Amount small = 5 << (hand.hand / 3);
    EXPECT_EQ(*std::max_element(hand.after.begin(), hand.after.end()) >= 1000, true);
    std::multiset<Amount> won;
    for (std::size_t seat = 0; seat < hand.before.size(); ++seat) won.insert(hand.after[seat] - hand.before[seat]);
    EXPECT_EQ(won, (std::multiset<Amount>{-small, 0, 0, small})) << hand.hand;
  };
  const Result result = play(options);
  EXPECT_EQ(hands, 18);
  EXPECT_EQ(result.undecided, 2);
  EXPECT_EQ(result.rounds, 18);
}

TEST(Knockout, TheButtonGoesRound) {
  Options options = knockout_of("holdem", {"random", "random"}, 4, 20);
  options.table_size = 4;
  options.stack = 1000;
  struct Last {
    std::vector<int> players;
    int dealer = -1;
    std::vector<Amount> after;
  };
  std::map<std::pair<std::int64_t, int>, Last> last;
  int followed = 0;
  options.watch = [&](const TableHand& hand) {
    Last& before = last[{hand.tournament, hand.seating}];
    if (before.dealer >= 0) {
      auto next = at(std::find(before.players.begin(), before.players.end(), before.dealer) - before.players.begin());
      do next = (next + 1) % before.players.size();
      while (before.after[next] == 0);
      EXPECT_EQ(hand.dealer, before.players[next]);
      ++followed;
    }
    before = {hand.players, hand.dealer, hand.after};
  };
  play(options);
  EXPECT_GT(followed, 100);
}

TEST(Knockout, FantasylandGoesWithThePlayer) {
  Options options = knockout_of("ofc[fantasyland.entry_pair=22]", {"rule", "rule"}, 14, 4);
  options.stack = 100;
  std::map<std::pair<std::int64_t, int>, std::map<int, int>> tables;
  int played = 0, moved = 0;
  options.watch = [&](const TableHand& hand) {
    for (std::size_t seat = 0; seat < hand.players.size(); ++seat) {
      auto& table = tables[{hand.tournament, hand.seating}];
      const bool other = table.contains(hand.players[seat]) && table[hand.players[seat]] != hand.table;
      if (hand.privileges[seat] != 0) {
        ++played;
        moved += other ? 1 : 0;
      }
      table[hand.players[seat]] = hand.table;
    }
  };
  play(options);
  EXPECT_GT(played, 20);
  EXPECT_GT(moved, 0) << "somebody took it to another table";
}

TEST(Knockout, IdenticalAgentsComeOutEqual) {
  for (const char* game : {"ofc", "holdem[limit=no_limit]", "washizu"}) {
    SCOPED_TRACE(game);
    const Result result = play(knockout_of(game, {"random", "random", "random"}, 6, 5));
    for (const AgentPlaces& agent : result.agents) {
      EXPECT_EQ(agent.place.value, 3.5);
      EXPECT_FALSE(agent.place.known()) << "nothing was seen to vary";
      EXPECT_FALSE(agent.wins.known());
      for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(agent.places[i].value, result.agents[0].places[i].value);
    }
    for (const PlaceDifference& difference : result.differences) {
      EXPECT_EQ(difference.place.value, 0);
      EXPECT_FALSE(difference.place.known());
    }
  }
}

TEST(Knockout, SharesOfAgentsThatEnterSeveralTimesHaveIntervals) {
  Options options = knockout_of("holdem", {"rule", "folds"}, 6, 12);
  options.stack = 200;
  enter(options, fake_agents("folds"));
  const Result result = play(options);
  // One of the three entries wins every tournament: each has a third, with the precision of twelve out of twelve.
  const double of_all = 1 - std::pow(0.05, 1.0 / 12);
  EXPECT_DOUBLE_EQ(result.agents[0].wins.value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(result.agents[0].wins.ci95, of_all / 3);
  EXPECT_DOUBLE_EQ(result.agents[0].wins.high(), 1.0 / 3) << "no more can be won";
  EXPECT_EQ(result.agents[1].wins.value, 0);
  EXPECT_DOUBLE_EQ(result.agents[1].wins.ci95, of_all / 3);
  EXPECT_EQ(result.agents[0].wins.count, 12 * 2 * 3);
  EXPECT_FALSE(std::isnan(result.agents[0].place.ci95));
}

TEST(Knockout, BetterAgentsComeOutInFront) {
  Options options = knockout_of("ofc", {"random", "rule"}, 4, 20);
  const Result result = play(options);
  EXPECT_TRUE(result.agents[1].place.below(2.5)) << result.agents[1].place.value;
  EXPECT_TRUE(result.agents[0].place.above(2.5));
  EXPECT_TRUE(result.differences[0].place.above(0));
  EXPECT_GT(result.agents[1].wins.value, 0.4) << "of half: each of its two entries";
}

TEST(Knockout, ThreadsChangeNothing) {
  for (const bool duplicate : {true, false}) {
    std::string one, many;
    Options options = knockout_of("ofc", {"random", "rule", "random"}, 6, 7);
    options.duplicate = duplicate;
    options.log = [&](std::string_view text) { one += text; };
    const std::string first = without_time(play(options));
    options.threads = 3;
    options.log = [&](std::string_view text) { many += text; };
    EXPECT_EQ(without_time(play(options)), first);
    EXPECT_EQ(one, many);
    options.seed = 5;
    EXPECT_NE(without_time(play(options)), first);
  }
}

// Every seating moves every agent by one; without duplicates seatings take turns.
TEST(Knockout, SeatingsTakeTurns) {
  Options options = knockout_of("holdem", {"random", "random", "random"}, 6, 2);
  std::map<std::pair<std::int64_t, int>, std::vector<int>> agents;
  options.watch = [&](const TableHand& hand) { agents[{hand.tournament, hand.seating}] = hand.agent_of_player; };
  play(options);
  ASSERT_EQ(agents.size(), 6U);
  for (const auto& [key, seats] : agents)
    for (std::size_t p = 0; p < seats.size(); ++p) EXPECT_EQ(seats[p], (agents[{key.first, 0}][p] + key.second) % 3);
  options.duplicate = false;
  options.tournaments = 4;
  agents.clear();
  EXPECT_EQ(play(options).games, 4);
  std::set<std::vector<int>> different;
  for (const auto& [key, seats] : agents) {
    different.insert(seats);
    EXPECT_EQ(std::count(seats.begin(), seats.end(), 0), 2);
  }
  EXPECT_GT(different.size(), 1U);
}

TEST(Knockout, WhoFailsGivesHandsUpAndForfeits) {
  std::atomic<int> asked = 0;
  Options options = knockout_of("holdem", {"fails", "random"}, 4, 1);
  options.duplicate = false;
  options.raise_every = 5;
  // It throws at every decision except the first.
  enter(options, fake_agents("fails", {.act = [&](const Observation& seen) {
                               if (++asked > 1) throw std::runtime_error("no idea");
                               return Decision(seen.legal_actions().front());
                             }}));
  Watch watch(options);
  options.stack = 1000;
  options.table_size = 6;
  const Result result = play(options);
  // Two entries, three failed hands each, then they are not asked any more.
  EXPECT_EQ(result.agents[0].failures.hands[at(FailureKind::kError)], 6);
  EXPECT_EQ(asked, 7);
  EXPECT_GT(result.agents[0].failures.forfeited, 0);
  EXPECT_EQ(result.agents[1].failures.failed(), 0);
  EXPECT_TRUE(has(result.agents[0].failures.first[0], "of tournament 0: no idea"));
  // The tournament does not count for places.
  EXPECT_EQ(result.tournaments, 1);
  EXPECT_EQ(result.failed_tournaments, 1);
  for (const AgentPlaces& agent : result.agents) EXPECT_EQ(agent.place.count, 0);
  EXPECT_TRUE(to_json(result)["differences"][0]["los"].is_null());
}

TEST(Knockout, StopsWithWhatWasPlayed) {
  Options options = knockout_of("holdem", {"random", "random"}, 4, 1000);
  std::int64_t done = 0;
  options.progress = [&](std::int64_t now) { done = now; };
  options.stop = [&] { return done >= 3; };
  const Result result = play(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.tournaments, 3);
  options.stop = nullptr;
  options.tournaments = 3;
  EXPECT_EQ(to_json(play(options))["agents"], to_json(result)["agents"]);
  options.stop = [] { return true; };
  const Result nothing = play(options);
  EXPECT_EQ(nothing.tournaments, 0);
  EXPECT_TRUE(to_json(nothing)["agents"][0]["place"].is_null());
  EXPECT_TRUE(to_json(nothing)["agents"][0]["ci95"].is_null());
}

TEST(Knockout, TellsEveryHand) {
  std::string text;
  Options options = knockout_of("ofc", {"random", "rule"}, 4, 1);
  options.log = [&](std::string_view more) { text += more; };
  play(options);
  EXPECT_TRUE(text.starts_with("tournament 0, seating 0: 0 ")) << text.substr(0, 200);
  expect_parts(text, {"\nhand 0, table 1, x1, dealer ", "\nhand 10, table 0, x2, dealer ",
                      "goes from table 1 to table 0\n", "\nplaces 1: "});
}

}  // namespace
}  // namespace dealer::knockout::knockout_test
