#include "arena/local_best_response.h"

#include "arena/exploitability.h"
#include "arena/holdem_local_response.h"
#include "tests/arena/testing.h"

namespace dealer::local_best_response_test {
namespace {

using namespace test;

constexpr Action kFold = 0, kCall = 1;

double fold(const Observation& seen, Action action) {
  return action == kFold || ((seen.legal_mask & 1) == 0 && action == seen.legal_actions().front()) ? 1 : 0;
}
double call(const Observation& seen, Action action) {
  const bool draws = (seen.legal_mask >> kCall & 1) == 0;
  return action == (draws ? seen.legal_actions().front() : kCall) ? 1 : 0;
}

LocalResponseOptions against(const std::string& game, const std::string& agent, std::int64_t deals, int samples = 0) {
  LocalResponseOptions options;
  options.game = make_game(game);
  options.against = make_agents(agent, options.game);
  options.deals = deals;
  options.seed = 3;
  if (samples > 0) options.samples = samples;
  return options;
}
LocalResponseOptions against(const std::string& game, const Chance& chance, std::int64_t deals, int samples = 0) {
  LocalResponseOptions options = against(game, "random", deals, samples);
  options.against = by_policy(chance);
  return options;
}

double exact(const LocalResponseOptions& options) {
  const tabular::GameTree tree(*options.game);
  const auto agent = options.against->make();
  return exploitability(tree, *agent).exploitability;
}

// No gain exceeds that of the best response; assuming no later bets finds most of it.
TEST(LocalBestResponseThorough, GainsNoMoreThanTheBestResponse) {
  for (const char* game : {"kuhn", "leduc", "mini_draw_single", "mini_draw"})
    for (const auto& [agent, part] : {std::pair("random", 0.85), std::pair("rule", 0.7), std::pair("default", 0.0)}) {
      const LocalResponseOptions options = against(game, agent, 4000);
      const LocalResponseResult result = local_best_response(options);
      const double gain = result.points.ratio(), error = 1.5 * result.points.half_width95(), best = exact(options);
      EXPECT_LT(gain - error, best) << game << ' ' << agent;
      EXPECT_GT(gain + error, part * best) << game << ' ' << agent;
      EXPECT_EQ(result.deals, 4000);
      EXPECT_GT(result.decisions, 8000 * 0.9);
    }
}

// Against players who never bet, the rule of the local best response is optimal except for slow play.
TEST(LocalBestResponse, AgainstThoseWhoAlwaysFoldOrCallItIsNearTheBestResponse) {
  for (const auto& [chance, games] : {std::pair(Chance(fold), Words{"kuhn", "leduc", "mini_draw"}),
                                      {Chance(call), Words{"kuhn", "leduc", "mini_draw_single"}}})
    for (const std::string& game : games) {
      const LocalResponseOptions options = against(game, chance, 4000);
      const LocalResponseResult result = local_best_response(options);
      EXPECT_NEAR(result.points.ratio(), exact(options), 1.5 * result.points.half_width95() + 0.03 * exact(options))
          << game;
    }
}

// It wins an ante of 10 in every hand from the second seat, and by betting from the first; the blinds are 5 and 10.
TEST(LocalBestResponse, BetsUntilTheOtherFolds) {
  for (const auto& [game, won] : {std::pair("draw", 10.0), {"lowball", 10.0}, {"holdem", 7.5}})
    EXPECT_EQ(local_best_response(against(game, fold, 20)).points.ratio(), won) << game;
}

// A caller pays every bet: what matters is to bet the better hands, and to draw well.
TEST(LocalBestResponseThorough, WinsMuchFromRandomPlayersAndFromCallers) {
  const auto expect_more = [](const LocalResponseOptions& options, int least) {
    const LocalResponseResult result = local_best_response(options);
    EXPECT_GT(result.points.ratio() - result.points.half_width95(), least) << options.game->spec();
  };
  for (const auto& [game, least, deals] :
       {std::tuple("holdem", 10, 40), std::tuple("holdem[limit=no_limit,stack=1000]", 80, 200),
        std::tuple("draw", 5, 40), std::tuple("triple_draw", 10, 40), std::tuple("stud", 10, 40),
        std::tuple("razz", 10, 40), std::tuple("stud_hi_lo", 10, 40), std::tuple("court_extra[players=2]", 5, 40),
        std::tuple("washizu[players=2]", 1, 40)})
    expect_more(against(game, "random", deals, 60), least);
  for (const char* game : {"holdem", "draw", "stud_hi_lo"}) expect_more(against(game, call, 150, 100), 2);
}

TEST(LocalBestResponse, ThreadsChangeNothing) {
  for (const char* game : {"leduc", "draw", "washizu[players=2,match_hands=4]"}) {
    LocalResponseOptions options = against(game, "random", 12, 40);
    const auto figures = [&](int threads, std::uint64_t seed) {
      options.threads = threads;
      options.seed = seed;
      const LocalResponseResult result = local_best_response(options);
      return std::tuple(result.points.ratio(), result.points.half_width95(), result.decisions);
    };
    const auto one = figures(1, 5);
    EXPECT_EQ(figures(3, 5), one) << game;
    EXPECT_NE(figures(3, 6), one) << game;
  }
}

// Its winnings are recorded hand by hand, of which a match has several.
TEST(LocalBestResponse, PlaysMatchesHandByHand) {
  LocalResponseOptions options = against("draw[episode=match,match_hands=3]", "random", 6, 20);
  EXPECT_EQ(local_best_response(options).points.denominator(), 6 * 2 * 3);
  // From the events, hand by hand.
  double won = 0;
  int hands = 0;
  options.describe = [&](const PlayedHand& hand) {
    EXPECT_EQ(hand.hand, hands++ % 3);
    EXPECT_EQ(hand.agent_of_seat[static_cast<std::size_t>(hand.seating)], 0);
    for (const Event& event : hand.events) {
      if (event.kind != Event::Kind::kHandEnded) continue;
      EXPECT_EQ(hand.points, std::vector<double>(event.values.begin(), event.values.end()));
      won += static_cast<double>(event.values[static_cast<std::size_t>(hand.seating)]);
    }
    return std::string();
  };
  options.log = [](std::string_view) {};
  EXPECT_EQ(local_best_response(options).points.numerator(), won);
  EXPECT_EQ(hands, 6 * 2 * 3);
  EXPECT_NE(won, 0);
}

TEST(LocalBestResponse, StopsWhenAsked) {
  LocalResponseOptions options = against("leduc", "random", 1000);
  std::int64_t last = 0;
  options.progress = [&](std::int64_t done) { last = done; };
  options.stop = [&] { return last >= 7; };
  const LocalResponseResult result = local_best_response(options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.deals, 7);
  EXPECT_EQ(result.points.clusters(), 7);
}

// Bets of sizes without an action are handled.
TEST(LocalBestResponse, UnderstandsAmounts) {
  LocalResponseOptions options = against("holdem[limit=no_limit]", "random", 5, 30);
  options.against = std::make_shared<FakeFactory>("test", [] {
    FakeAgent::Functions own;
    own.act = [bets = 0](const Observation& seen) mutable {
      const bool names = !seen.amounts.empty() && ++bets % 2 == 0;
      return names ? Decision::bet_to(seen.amounts.low + bets % 3) : Decision(kCall);
    };
    own.policy = [](const Observation& seen) {
      const auto legal = at(std::popcount(seen.legal_mask));
      return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
    };
    return std::make_unique<FakeAgent>(own);
  });
  EXPECT_EQ(local_best_response(options).deals, 5);
}

// A player that calls and never bets splits every deal with an agent that does the same.
TEST(LocalBestResponse, ChecksAndCallsUntilItMayBet) {
  for (const char* game : {"holdem", "stud"}) {
    LocalResponseOptions options = against(game, call, 6, 30);
    const int streets = streets_of_local_response(options);
    EXPECT_EQ(streets, poker::as_poker(*options.game)->rules().streets);
    options.from = streets;
    // In hold'em both seats do not get the same: a showdown counts as its mean over the other's hands.
    if (game == std::string("stud")) {
      EXPECT_EQ(local_best_response(options).points.numerator(), 0);
    }
    options.from = streets - 1;
    EXPECT_GT(local_best_response(options).points.numerator(), 0) << game;
  }
  EXPECT_EQ(streets_of_local_response(against("ofc", "random", 1)), 0);
  EXPECT_EQ(streets_of_local_response(against("court_color", "random", 1)), 0) << "for three";
  EXPECT_EQ(streets_of_local_response(against("leduc", "random", 1)), 1);
}

// Before the flop 150 are in the pot, and 50 to call: the pot is a raise to 300.
TEST(LocalBestResponse, BetsPartsOfThePot) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  poker::State state;
  state.reset_and_hold(poker::as_poker(*game)->rules(), 1);
  const AmountRange range = state.amount_range();
  ASSERT_EQ(range.low, 200);
  EXPECT_EQ(amounts_to_bet(state, {0.5, 1, 3}), (std::vector<Amount>{200, 300, 700, range.high}));
  EXPECT_EQ(amounts_to_bet(state, {0.1, 0.2}), (std::vector<Amount>{200, range.high})) << "no less than allowed";
  EXPECT_TRUE(amounts_to_bet(state, {}).empty());
  const GamePtr limit = make_game("holdem");
  state.reset_and_hold(poker::as_poker(*limit)->rules(), 1);
  EXPECT_TRUE(amounts_to_bet(state, {1}).empty());
}

// It folds only to a raise of three quarters of the pot, which the game does not offer.
TEST(LocalBestResponse, FindsBetsThatTheGameDoesNotOffer) {
  const auto game = game_of<poker::Game>("holdem[limit=no_limit]");
  const AgentFactoryPtr agents = by_policy([&](const Observation& seen, Action action) {
    const bool folds = poker::State::decode(game->rules(), seen.data).to_call == 150;
    return action == (folds ? kFold : kCall) ? 1.0 : 0.0;
  });
  // Weak hands of the button preflop: stealing the blind with certainty is best.
  int odd = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    poker::State state;
    state.reset_and_hold(game->rules(), seed);
    poker::HoldemLocalResponse player(game, *agents, 20, {.from = 0, .sizes = {0.75}});
    player.begin_hand(state, state.current_player(), RandomStream(seed, 2));
    const Decision decision = player.decide(state, RandomStream(seed, 1));
    odd += decision == Decision::bet_to(250) ? 1 : 0;
  }
  EXPECT_GT(odd, 0);
}

TEST(LocalBestResponse, DealsOnFromTheFirst) {
  LocalResponseOptions options = against("leduc", "rule", 30);
  ClusteredRatio parts;
  for (const auto& [first, deals] : {std::pair(0, 10), {10, 20}}) {
    LocalResponseOptions part = options;
    part.first_deal = first;
    part.deals = deals;
    parts.merge(local_best_response(part).points);
  }
  EXPECT_EQ(parts.sums(), local_best_response(options).points.sums());
}

TEST(LocalBestResponse, SaysWhatItCannotPlay) {
  const auto refused = [](const std::string& game, const std::string& agent) {
    return error_message<UsageError>([&] { local_best_response(against(game, agent, 2)); });
  };
  EXPECT_TRUE(has(refused("draw", "rule"), "agent 'rule' gives no action probabilities"));
  EXPECT_TRUE(has(refused("ofc", "random"), "'ofc' is not a betting game"));
  EXPECT_TRUE(has(refused("court_color", "random"), "a game of 3 players"));
}

TEST(LocalBestResponse, KeepsNoHandsThroughReshuffles) {
  const TempFolder folder;
  write_bytes(folder / "deck.yaml",
              "ranks: 7 8 9 T J Q K A\nsuits:\n  spades: {symbol: s, color: black}\n"
              "  hearts: {symbol: h, color: red}\n  diamonds: {symbol: d, color: red}\n"
              "  clubs: {symbol: c, color: black}\njokers: 0\nwashizu: none\nwashizu_replaces: spades\n"
              "ranking: high\n");
  const std::string deck = (folder / "deck.yaml").string();
  EXPECT_EQ(local_best_response(against("draw[deck=" + deck + "]", "random", 2)).deals, 2);
  const std::string message =
      error_message<UsageError>([&] { local_best_response(against("draw[draws=3,deck=" + deck + "]", "random", 2)); });
  EXPECT_TRUE(has(message, "may run out of cards: 32 are in play and 40 may be dealt"));
}

}  // namespace
}  // namespace dealer::local_best_response_test
