#include "arena/local_best_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "arena/exploitability.h"
#include "arena/local_players.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::local_best_response_test {
namespace {

// Decides by a policy: what a derived class says of every legal action, in any unit.
class ByPolicy : public Agent {
 public:
  void reset(Seat, std::uint64_t seed) override { rng_ = RandomStream(seed); }
  std::optional<std::vector<double>> policy(const Observation& seen) override {
    std::vector<double> chances;
    double sum = 0;
    for (const Action action : seen.legal_actions()) {
      chances.push_back(chance(seen, action));
      sum += chances.back();
    }
    for (double& p : chances) p /= sum;
    return chances;
  }
  Decision act(const Observation& seen) override {
    const std::vector<double> chances = *policy(seen);
    double point = static_cast<double>(rng_.uniform());
    std::size_t i = 0;
    while (i + 1 < chances.size() && (point -= chances[i]) >= 0) ++i;
    return seen.legal_actions()[i];
  }

 protected:
  virtual double chance(const Observation& seen, Action action) = 0;

 private:
  RandomStream rng_;
};

constexpr Action kFold = 0, kCall = 1;

class Folder final : public ByPolicy {
  double chance(const Observation& seen, Action action) override {
    return action == kFold || ((seen.legal_mask & 1) == 0 && action == seen.legal_actions().front()) ? 1 : 0;
  }
};

class Caller final : public ByPolicy {
  double chance(const Observation& seen, Action action) override {
    const bool draws = (seen.legal_mask >> kCall & 1) == 0;
    return action == (draws ? seen.legal_actions().front() : kCall) ? 1 : 0;
  }
};

LocalResponseOptions against(const std::string& game, const std::string& agent, std::int64_t deals) {
  LocalResponseOptions options;
  options.game = make_game(game);
  options.against = make_agents(agent, options.game);
  options.deals = deals;
  options.seed = 3;
  return options;
}

template <class A>
LocalResponseOptions against(const std::string& game, std::int64_t deals) {
  LocalResponseOptions options = against(game, "random", deals);
  options.against = test::agents_of<A>("test");
  return options;
}

double exact(const LocalResponseOptions& options) {
  const tabular::GameTree tree(*options.game);
  const auto agent = options.against->make();
  return exploitability(tree, *agent).exploitability;
}

// Nothing gains more than the best response; what never bets again before the end gains most of it.
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

// Against those who never bet, the rule of the local best response is the best there is but for slow play.
TEST(LocalBestResponse, AgainstThoseWhoAlwaysFoldOrCallItIsNearTheBestResponse) {
  const auto near = [](const LocalResponseOptions& options) {
    const LocalResponseResult result = local_best_response(options);
    EXPECT_NEAR(result.points.ratio(), exact(options), 1.5 * result.points.half_width95() + 0.03 * exact(options))
        << options.game->spec();
  };
  near(against<Folder>("kuhn", 4000));
  near(against<Folder>("leduc", 4000));
  near(against<Folder>("mini_draw", 4000));
  near(against<Caller>("kuhn", 4000));
  near(against<Caller>("leduc", 4000));
  near(against<Caller>("mini_draw_single", 4000));
}

// An ante of 10 is won at every hand from the second seat, and from the first by betting.
TEST(LocalBestResponse, BetsUntilTheOtherFolds) {
  for (const char* game : {"draw", "lowball"}) {
    const LocalResponseResult result = local_best_response(against<Folder>(game, 20));
    EXPECT_EQ(result.points.ratio(), 10) << game;
  }
  const LocalResponseResult blinds = local_best_response(against<Folder>("holdem", 20));
  EXPECT_EQ(blinds.points.ratio(), 7.5) << "the blinds are 5 and 10";
}

TEST(LocalBestResponseThorough, WinsMuchFromRandomPlayers) {
  for (const auto& [game, least, deals] :
       {std::tuple("holdem", 10, 40), std::tuple("holdem[limit=no_limit,stack=1000]", 100, 200),
        std::tuple("draw", 5, 40), std::tuple("triple_draw", 10, 40), std::tuple("stud", 10, 40),
        std::tuple("razz", 10, 40), std::tuple("stud_hi_lo", 10, 40), std::tuple("court_extra[players=2]", 5, 40),
        std::tuple("washizu[players=2]", 1, 40)}) {
    LocalResponseOptions options = against(game, "random", deals);
    options.samples = 60;
    const LocalResponseResult result = local_best_response(options);
    EXPECT_GT(result.points.ratio() - result.points.half_width95(), least) << game;
  }
}

// A caller pays every bet: what matters is to bet the better hands, and to draw well.
TEST(LocalBestResponseThorough, BetsGoodHandsAgainstCallers) {
  for (const char* game : {"holdem", "draw", "stud_hi_lo"}) {
    LocalResponseOptions options = against<Caller>(game, 150);
    options.samples = 100;
    const LocalResponseResult result = local_best_response(options);
    EXPECT_GT(result.points.ratio() - result.points.half_width95(), 2) << game;
  }
}

TEST(LocalBestResponse, ThreadsChangeNothing) {
  for (const char* game : {"leduc", "draw", "washizu[players=2,match_hands=4]"}) {
    LocalResponseOptions options = against(game, "random", 12);
    options.samples = 40;
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

// What it wins is counted by hand, of which a match has several.
TEST(LocalBestResponse, PlaysMatchesHandByHand) {
  LocalResponseOptions options = against("draw[episode=match,match_hands=3]", "random", 6);
  options.samples = 20;
  EXPECT_EQ(local_best_response(options).points.denominator(), 6 * 2 * 3);
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

// Bets the least there is, by amount, where it may.
class Namer final : public Agent {
 public:
  void reset(Seat, std::uint64_t) override {}
  Decision act(const Observation& seen) override {
    if (!seen.amounts.empty() && ++bets_ % 2 == 0) return Decision::bet_to(seen.amounts.low + bets_ % 3);
    return kCall;
  }
  std::optional<std::vector<double>> policy(const Observation& seen) override {
    const auto legal = static_cast<std::size_t>(std::popcount(seen.legal_mask));
    return std::vector<double>(legal, 1.0 / static_cast<double>(legal));
  }

 private:
  int bets_ = 0;
};

TEST(LocalBestResponse, UnderstandsAmountsThatNoActionStandsFor) {
  LocalResponseOptions options = against<Namer>("holdem[limit=no_limit]", 5);
  options.samples = 30;
  EXPECT_EQ(local_best_response(options).deals, 5);
}

// Who calls and never bets shares every deal with an agent that does the same.
TEST(LocalBestResponse, ChecksAndCallsUntilItMayBet) {
  for (const char* game : {"holdem", "stud"}) {
    LocalResponseOptions options = against<Caller>(game, 6);
    options.samples = 30;
    const int streets = streets_of_local_response(options);
    EXPECT_EQ(streets, poker::as_poker(*options.game)->rules().streets);
    options.from = streets;
    EXPECT_EQ(local_best_response(options).points.numerator(), 0) << game;
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

// It folds to a raise of three quarters of the pot alone, which the game does not offer.
class FoldsToOneBet final : public ByPolicy {
  double chance(const Observation& seen, Action action) override {
    static const GamePtr game = make_game("holdem[limit=no_limit]");
    const bool folds = poker::State::decode(poker::as_poker(*game)->rules(), seen.data).to_call == 150;
    return action == (folds ? kFold : kCall) ? 1 : 0;
  }
};

TEST(LocalBestResponse, FindsBetsThatTheGameDoesNotOffer) {
  const GamePtr game = make_game("holdem[limit=no_limit]");
  const AgentFactoryPtr agents = test::agents_of<FoldsToOneBet>("test");
  // Weak hands of the button before the flop: what wins the blind for certain is best.
  int odd = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    poker::State state;
    state.reset_and_hold(poker::as_poker(*game)->rules(), seed);
    poker::LocalPlayer player(std::static_pointer_cast<const poker::Game>(game), *agents, 20,
                              {.from = 0, .sizes = {0.75}});
    player.begin_hand(state, state.current_player());
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
    return test::error_message<UsageError>([&] { local_best_response(against(game, agent, 2)); });
  };
  EXPECT_NE(refused("draw", "rule").find("agent 'rule' does not say with which probability"), std::string::npos);
  EXPECT_NE(refused("ofc", "random").find("'ofc' is no betting game"), std::string::npos);
  EXPECT_NE(refused("court_color", "random").find("a game of 3 players"), std::string::npos);
}

TEST(LocalBestResponse, KeepsNoHandsThroughReshuffles) {
  const test::TempFolder folder;
  test::write_bytes(folder / "deck.yaml",
                    "ranks: 7 8 9 T J Q K A\nsuits:\n  spades: {symbol: s, color: black}\n"
                    "  hearts: {symbol: h, color: red}\n  diamonds: {symbol: d, color: red}\n"
                    "  clubs: {symbol: c, color: black}\njokers: 0\nwashizu: none\nwashizu_replaces: spades\n"
                    "ranking: high\n");
  const std::string deck = (folder / "deck.yaml").string();
  EXPECT_EQ(local_best_response(against("draw[deck=" + deck + "]", "random", 2)).deals, 2);
  const std::string message = test::error_message<UsageError>(
      [&] { local_best_response(against("draw[draws=3,deck=" + deck + "]", "random", 2)); });
  EXPECT_NE(message.find("may run out of cards: 32 are in play and 40 may be dealt"), std::string::npos) << message;
}

// What the cards of a hand make a player do who looks at nothing else.
double liking(std::span<const CardId> cards) {
  double sum = 0;
  for (const CardId card : cards) sum += card;
  return sum / (52 * static_cast<double>(cards.size()));
}
double bet_chance(std::span<const CardId> cards, Action action, LegalMask legal) {
  const double like = liking(cards);
  const auto unit = [&](Action a) {
    return a == kFold ? (1 - like) * (1 - like) : a == kCall ? 0.5 : 40 * std::pow(like, 6);
  };
  double sum = 0;
  for (Action a = 0; a <= 2; ++a) sum += (legal >> a & 1) != 0 ? unit(a) : 0;
  return unit(action) / sum;
}
double discard_chance(std::span<const CardId> cards, unsigned mask) {
  const auto unit = [&](unsigned m) {
    double product = 1;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      const double goes = std::max(0.05, 0.95 - 0.9 * cards[i] / 52);
      product *= (m >> i & 1) != 0 ? goes : 1 - goes;
    }
    return product;
  };
  return unit(mask);  // they add up to 1
}

class CardPlayer final : public ByPolicy {
 public:
  explicit CardPlayer(std::shared_ptr<const poker::Game> game) : game_(std::move(game)) {}

 protected:
  double chance(const Observation& seen, Action action) override {
    const poker::View view = poker::State::decode(game_->rules(), seen.data);
    std::vector<CardId> cards;
    for (const poker::SeenCard& card : view.own().cards) cards.push_back(card.card);
    if (view.drawing) return discard_chance(cards, static_cast<unsigned>(action - game_->rules().first_discard()));
    return bet_chance(cards, action, seen.legal_mask);
  }

 private:
  std::shared_ptr<const poker::Game> game_;
};

// Cards that a seat of a state had before it discarded for the first time, or at an earlier street.
std::vector<CardId> cards_at(const poker::State& state, Seat seat, int street) {
  const poker::GameRules& rules = state.rules();
  std::vector<CardId> cards;
  const int draws_done = rules.draws > 0 ? street - (rules.streets - rules.draws) + 1 : 0;
  for (std::size_t i = 0; i < state.cards(seat).size(); ++i)
    if (rules.draws > 0 ? state.when(seat, i) <= draws_done
                        : rules.procedure != poker::Procedure::kStud || state.when(seat, i) <= street)
      cards.push_back(state.cards(seat)[i]);
  for (int draw = draws_done; draw < rules.draws; ++draw)
    for (int i = 0; i < state.discard_count(draw, seat); ++i)
      if (state.discarded(draw, seat, i).when <= draws_done) cards.push_back(state.discarded(draw, seat, i).card);
  std::sort(cards.begin(), cards.end());
  return cards;
}

// How likely a CardPlayer does what it did, by the cards alone. The chance of a fold is never asked for, so legal needs
// no fold where it was free: `facing` says where not.
double slow_weight(const poker::State& state, Seat seat, const std::vector<std::pair<int, LegalMask>>& asked) {
  const poker::GameRules& rules = state.rules();
  double weight = 1;
  std::size_t next = 0;
  for (const poker::PastAction& past : state.past_actions()) {
    if (past.seat != seat) continue;
    const auto& [street, legal] = asked[next++];
    weight *= bet_chance(cards_at(state, seat, street), past.action, legal);
  }
  for (int draw = 0; draw < rules.draws; ++draw) {
    if (state.discard_count(draw, seat) < 0) continue;
    const std::vector<CardId> cards = cards_at(state, seat, rules.streets - rules.draws + draw - 1);
    unsigned mask = 0;
    for (int i = 0; i < state.discard_count(draw, seat); ++i)
      for (std::size_t c = 0; c < cards.size(); ++c)
        mask |= cards[c] == state.discarded(draw, seat, i).card ? 1U << c : 0;
    weight *= discard_chance(cards, mask);
  }
  return weight;
}

struct Mean {
  double sum = 0, weight = 0;
  void add(double x, double w) {
    sum += w * x;
    weight += w;
  }
  double value() const { return sum / weight; }
};

struct Reached {
  poker::State state;
  std::vector<std::pair<int, LegalMask>> asked;  // street and legal actions of the agent's bets
};

// Plays a hand to a late decision of seat `me`, which checks and calls.
bool reach(const poker::Game& game, std::uint64_t seed, Seat me, Agent& agent, poker::LocalPlayer& local,
           Reached& out) {
  poker::State state;
  state.reset_and_hold(game.rules(), seed);
  agent.reset(1 - me, seed);
  local.begin_hand(state, me);
  out.asked.clear();
  for (int own = 0; !state.hand_over();) {
    const bool mine = state.current_player() == me;
    if (mine && state.street() + 1 == game.rules().streets && !state.drawing() && out.asked.size() >= 2) {
      out.state = state;
      return true;
    }
    Decision decision = kCall;
    if (mine && state.drawing()) decision = game.rules().first_discard() + 0b00110;
    if (!mine) {
      Observation seen{1 - me, std::vector<float>(static_cast<std::size_t>(game.observation_spec().size())),
                       state.legal_mask(), state.amount_range()};
      state.observe(1 - me, seen.data.data());
      decision = agent.act(seen);
      if (!state.drawing()) out.asked.emplace_back(state.street(), state.legal_mask());
    }
    own += mine ? 1 : 0;
    if (mine && own == 1) local.decide(state, RandomStream(seed, 99));
    local.played(state, decision);
    state.apply_and_hold(decision.action);
  }
  return false;
}

std::vector<float> seen_by(const poker::State& state, Seat seat) {
  std::vector<float> seen(static_cast<std::size_t>(poker::State::observation_spec(state.rules()).size()));
  state.observe(seat, seen.data());
  return seen;
}

class HiddenHandsThorough : public testing::TestWithParam<const char*> {};

// The same hands, equally likely, as those of the sampler of the game, which knows nothing of the agent, weighted by
// the agent's policy worked out from the cards alone.
TEST_P(HiddenHandsThorough, AreAsLikelyAsTheAgentMakesThem) {
  const GamePtr made = make_game(GetParam());
  const auto game = std::dynamic_pointer_cast<const poker::Game>(made);
  const auto agents = test::agents_of<CardPlayer>("cards", game);
  const auto agent = agents->make();
  constexpr int kSamples = 6000, kSlow = 40'000;
  poker::LocalPlayer local(game, *agents, kSamples);
  Reached reached;
  int compared = 0;
  double gap = 0;
  for (std::uint64_t seed = 0; compared < 6; ++seed) {
    const Seat me = static_cast<Seat>(seed % 2);
    if (!reach(*game, seed, me, *agent, local, reached)) continue;
    local.decide(reached.state, RandomStream(seed, 7));
    const std::vector<float> now = seen_by(reached.state, me);
    Mean fast, slow, first;
    for (const Particle<poker::State>& each : local.range()) {
      EXPECT_EQ(seen_by(each.state, me), now) << "nobody can tell them apart";
      fast.add(liking(each.state.cards(1 - me)), each.weight);
    }
    poker::State::Sampler sampler(game->rules(), now);
    RandomStream rng(seed, 1);
    for (int i = 0; i < kSlow; ++i) {
      poker::State state = sampler.draw(rng);
      slow.add(liking(state.cards(1 - me)), slow_weight(state, 1 - me, reached.asked));
      first.add(liking(state.cards(1 - me)), 1);
    }
    EXPECT_NEAR(fast.value(), slow.value(), 0.012) << GetParam() << ' ' << seed;
    gap += std::abs(slow.value() - first.value());
    ++compared;
  }
  EXPECT_GT(gap, 0.15) << "what the agent did must tell something";
}
INSTANTIATE_TEST_SUITE_P(Games, HiddenHandsThorough,
                         testing::Values("draw", "holdem", "stud", "draw[washizu=replace_suit]",
                                         "draw[washizu=replace_random]", "draw[draws=2]"));

// What it takes a call to be worth before the draw: hands played on one by one, where nobody bets, the agent discards
// by its policy and the player by the means.
TEST(LocalBestResponseThorough, KnowsWhatDrawsAreWorth) {
  for (const char* spec : {"draw", "draw[draws=2]"}) {
    const auto game = std::dynamic_pointer_cast<const poker::Game>(make_game(spec));
    const auto agents = test::agents_of<CardPlayer>("cards", game);
    poker::LocalPlayer local(game, *agents, 3000);
    double spread = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      poker::State state;
      state.reset_and_hold(game->rules(), seed);
      const Seat me = state.current_player();
      local.begin_hand(state, me);
      local.decide(state, RandomStream(seed, 1));
      RandomStream rng(seed);
      Mean slow;
      std::vector<Particle<poker::State>> called;
      for (const Particle<poker::State>& each : local.range()) {
        called.push_back(each);
        called.back().state.apply_and_hold(kCall);
        poker::State on = called.back().state;
        while (!on.hand_over()) {
          if (!on.drawing()) {
            on.apply_and_hold(kCall);
          } else if (on.current_player() == me) {
            on.apply_and_hold(local.throws(on).front());
          } else {
            double point = static_cast<double>(rng.uniform());
            unsigned mask = 0;
            while (mask < 31 && (point -= discard_chance(on.cards(1 - me), mask)) >= 0) ++mask;
            on.apply_and_hold(game->rules().first_discard() + static_cast<Action>(mask));
          }
        }
        slow.add(on.return_of(me), each.weight);
      }
      const double fast = local.play_down(called) / static_cast<double>(called.size());
      EXPECT_NEAR(fast, slow.value(), 0.7) << spec << ' ' << seed;
      spread += std::abs(slow.value());
    }
    EXPECT_GT(spread, 4) << spec;
  }
}

// The player must not know what it cannot see: the agent's own cards are among the hidden hands as often as any others.
TEST(LocalBestResponse, KnowsNoHiddenCards) {
  const auto game = std::dynamic_pointer_cast<const poker::Game>(make_game("holdem"));
  const AgentFactoryPtr random = make_agents("random", game);
  poker::LocalPlayer local(game, *random, 100);
  double held = 0, hands = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    poker::State state;
    state.reset_and_hold(game->rules(), seed);
    const Seat me = state.current_player();
    local.begin_hand(state, me);
    local.decide(state, RandomStream(seed, 1));
    for (const Particle<poker::State>& each : local.range()) {
      ++hands;
      for (const CardId card : each.state.cards(1 - me))
        for (const CardId real : state.cards(1 - me)) held += card == real ? 1 : 0;
    }
  }
  EXPECT_NEAR(held / hands, 2 * 2 / 50.0, 0.006);
}

}  // namespace
}  // namespace dealer::local_best_response_test
