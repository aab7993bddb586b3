// Variance reduction in hold'em.
#include "arena/holdem_local_response.h"

#include "agents/poker/holdem_equity.h"
#include "tests/arena/testing.h"

namespace dealer::holdem_local_response_test {
namespace {

using namespace test;
using poker::kCall;
using poker::kFold;

double call(const Observation& /*seen*/, Action action) { return action == kCall ? 1 : 0; }

// Bets and calls by the ranks of its two cards, ignoring the board.
double by_ranks(const Observation& seen, Action action) {
  double like = 0;
  for (std::size_t card = 0; card < 52; ++card)
    if (seen.data[card] > 0) like += static_cast<double>(card / 4) / 24;
  const auto unit = [&](Action a) { return a == kFold ? 1 - like : a == kCall ? 0.4 : 2 * like * like; };
  double sum = 0;
  for (Action a = 0; a < 32; ++a) sum += (seen.legal_mask >> a & 1) != 0 ? unit(a) : 0;
  return unit(action) / sum;
}

class HoldemLocalResponses : public testing::Test {
 protected:
  struct Played {
    double won, paid;  // variance-reduced, and actual
    poker::State end;
  };
  Played play(const std::string& spec, const Chance& chance, std::uint64_t seed, LocalBets bets) {
    const auto game = game_of<poker::Game>(spec);
    const AgentFactoryPtr agents = by_policy(chance);
    const auto agent = agents->make();
    poker::HoldemLocalResponse player(game, *agents, 50, std::move(bets));
    poker::State state;
    state.reset_and_hold(game->rules(), seed);
    const Seat me = static_cast<Seat>(seed % 2);
    agent->reset(1 - me, seed);
    player.begin_hand(state, me, RandomStream(seed, 1));
    Observation seen;
    for (std::uint64_t turn = 2; !state.hand_over(); ++turn) {
      observe_turn(state, static_cast<std::size_t>(game->observation_spec().size()), seen);
      const Decision decision =
          state.current_player() == me ? player.decide(state, RandomStream(seed, turn)) : agent->act(seen);
      player.played(state, decision);
      play_and_hold(state, decision);
    }
    return {player.won(state), state.return_of(me), state};
  }
};

// Without bets the value of a hand is that of its two cards preflop, whatever board comes.
TEST_F(HoldemLocalResponses, CountACheckedHandByItsTwoCards) {
  const auto game = game_of<poker::Game>("holdem");
  const poker::HoldemEquities equities(game->rules());
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Played played = play("holdem", call, seed, {.from = 4});
    const std::span<const CardId> own = played.end.cards(static_cast<Seat>(seed % 2));
    const double share = static_cast<double>(equities.pairs()(own[0], own[1]).share[0]);
    EXPECT_NEAR(played.won, 10 * (2 * share - 1), 1.2) << seed << ": a big blind of 10";
  }
}

// On the river the value of each choice is the mean over the other's possible hands, computed one by one.
TEST_F(HoldemLocalResponses, DecideAsTheMeansOverAllHandsSay) {
  const auto game = game_of<poker::Game>("holdem[limit=no_limit,stack=2000]");
  const poker::GameRules& rules = game->rules();
  const AgentFactoryPtr agents = by_policy(by_ranks);
  int folds = 0, bets = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Seat me = static_cast<Seat>(seed % 2);
    const auto agent = agents->make();
    agent->reset(1 - me, seed);
    poker::HoldemLocalResponse player(game, *agents, 5000, {.from = 3});
    poker::State state;
    state.reset_and_hold(rules, seed);
    player.begin_hand(state, me, RandomStream(seed, 1));
    std::vector<std::pair<LegalMask, Action>> did;  // the agent
    const auto seen_of = [&](const poker::State& at, std::span<const CardId> cards) {
      Observation seen{1 - me, std::vector<float>(52), at.legal_mask()};
      for (const CardId card : cards) seen.data[card] = 1;
      return seen;
    };
    Observation seen;
    while (!state.hand_over()) {
      if (state.current_player() != me) {
        observe_turn(state, static_cast<std::size_t>(game->observation_spec().size()), seen);
        const Decision decision = agent->act(seen);
        did.emplace_back(state.legal_mask(), decision.action);
        player.played(state, decision);
        play_and_hold(state, decision);
        continue;
      }
      const Decision decision = player.decide(state, RandomStream(seed, 2));
      if (state.street() == 3) {
        EXPECT_EQ(player.hands().size(), 45U * 44 / 2);
        std::map<Action, double> worth;
        double all = 0;
        for (CardId a = 0; a < 52; ++a)
          for (CardId b = 0; b < a; ++b) {
            std::vector<CardId> known(state.board().begin(), state.board().end()), theirs = known, mine = known;
            known.insert(known.end(), state.cards(me).begin(), state.cards(me).end());
            if (std::ranges::count(known, a) + std::ranges::count(known, b) > 0) continue;
            theirs.insert(theirs.end(), {a, b});
            mine.insert(mine.end(), state.cards(me).begin(), state.cards(me).end());
            const std::array<CardId, 2> held = {a, b};
            double weight = 1;
            for (const auto& [legal, action] : did) {
              Observation then = seen_of(state, held);
              then.legal_mask = legal;
              weight *= by_ranks(then, action);
            }
            all += weight;
            const HandValue x = rules.high->evaluate(mine), y = rules.high->evaluate(theirs);
            const double edge = x > y ? 1 : x < y ? -1 : 0;
            worth[kFold] -= weight * static_cast<double>(state.bets().paid(me));
            poker::State calls = state;
            calls.apply_and_hold(kCall);
            worth[kCall] += weight * edge * static_cast<double>(calls.bets().paid(me));
            for (Action bet = 2; bet < game->num_actions(); ++bet) {
              if ((state.legal_mask() >> bet & 1) == 0) continue;
              poker::State after = state;
              after.apply_and_hold(bet);
              const double gives_up = by_ranks(seen_of(after, held), kFold);
              worth[bet] += weight * (gives_up * static_cast<double>(after.bets().paid(1 - me)) +
                                      (1 - gives_up) * edge * static_cast<double>(after.bets().paid(me)));
            }
          }
        const auto best = std::ranges::max_element(worth, {}, [](const auto& each) { return each.second; });
        EXPECT_NEAR(worth[decision.action], best->second, 1e-6 * all) << seed;
        folds += decision.action == kFold ? 1 : 0;
        bets += decision.action > kCall ? 1 : 0;
      }
      player.played(state, decision);
      play_and_hold(state, decision);
    }
  }
  EXPECT_GT(folds, 0);
  EXPECT_GT(bets, 5);
}

// The chance term has zero mean, and removes most of the variance.
TEST_F(HoldemLocalResponses, SubtractChanceAndNothingElse) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit,stack=1000]"}) {
    constexpr int kHands = 250;
    double won = 0, chance = 0, won2 = 0, chance2 = 0, paid2 = 0;
    for (std::uint64_t seed = 0; seed < kHands; ++seed) {
      const Played played = play(spec, by_ranks, seed, {.from = seed % 4 < 2 ? 0 : 2});
      const double off = played.paid - played.won;
      won += played.won;
      chance += off;
      won2 += played.won * played.won;
      chance2 += off * off;
      paid2 += played.paid * played.paid;
    }
    const double error = std::sqrt(chance2) / kHands;
    EXPECT_LT(std::abs(chance / kHands), 2.5 * error) << spec;
    EXPECT_GT(won / kHands, 3 * std::sqrt(won2) / kHands) << spec;
    EXPECT_LT(won2 - won * won / kHands, paid2 / 2.5) << spec;
  }
}

}  // namespace
}  // namespace dealer::holdem_local_response_test
