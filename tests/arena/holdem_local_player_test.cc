// Luck told from play in hold'em.
#include "arena/holdem_local_player.h"

#include "agents/poker/holdem_equity.h"
#include "tests/arena/testing.h"

namespace dealer::holdem_local_player_test {
namespace {

using namespace test;
using poker::kCall;
using poker::kFold;

double call(const Observation& /*seen*/, Action action) { return action == kCall ? 1 : 0; }

// Bets and calls by the ranks of its two cards, whatever the board.
double by_ranks(const Observation& seen, Action action) {
  double like = 0;
  for (std::size_t card = 0; card < 52; ++card)
    if (seen.data[card] > 0) like += static_cast<double>(card / 4) / 24;
  const auto unit = [&](Action a) { return a == kFold ? 1 - like : a == kCall ? 0.4 : 2 * like * like; };
  double sum = 0;
  for (Action a = 0; a < 32; ++a) sum += (seen.legal_mask >> a & 1) != 0 ? unit(a) : 0;
  return unit(action) / sum;
}

class HoldemLocalPlayers : public testing::Test {
 protected:
  struct Played {
    double won, paid;  // with luck taken out, and as it came
    poker::State end;
  };
  Played play(const std::string& spec, const Chance& chance, std::uint64_t seed, LocalBets bets) {
    const auto game = game_of<poker::Game>(spec);
    const AgentFactoryPtr agents = by_policy(chance);
    const auto agent = agents->make();
    poker::HoldemLocalPlayer player(game, *agents, 50, std::move(bets));
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

// Where nobody bets a hand is worth what its two cards are before the board, whatever comes.
TEST_F(HoldemLocalPlayers, CountACheckedHandByItsTwoCards) {
  const auto game = game_of<poker::Game>("holdem");
  const poker::HoldemEquities equities(game->rules());
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Played played = play("holdem", call, seed, {.from = 4});
    const std::span<const CardId> own = played.end.cards(static_cast<Seat>(seed % 2));
    const double share = static_cast<double>(equities.pairs()(own[0], own[1]).share[0]);
    EXPECT_NEAR(played.won, 10 * (2 * share - 1), 1.2) << seed << ": a big blind of 10";
  }
}

// What is taken out has no mean, and is most of the variance.
TEST_F(HoldemLocalPlayers, TakeOutLuckAndNothingElse) {
  for (const char* spec : {"holdem", "holdem[limit=no_limit,stack=1000]"}) {
    constexpr int kHands = 250;
    double won = 0, luck = 0, won2 = 0, luck2 = 0, paid2 = 0;
    for (std::uint64_t seed = 0; seed < kHands; ++seed) {
      const Played played = play(spec, by_ranks, seed, {.from = seed % 4 < 2 ? 0 : 2});
      const double off = played.paid - played.won;
      won += played.won;
      luck += off;
      won2 += played.won * played.won;
      luck2 += off * off;
      paid2 += played.paid * played.paid;
    }
    const double error = std::sqrt(luck2) / kHands;
    EXPECT_LT(std::abs(luck / kHands), 2.5 * error) << spec;
    EXPECT_GT(won / kHands, 3 * std::sqrt(won2) / kHands) << spec;
    EXPECT_LT(won2 - won * won / kHands, paid2 / 2.5) << spec;
  }
}

}  // namespace
}  // namespace dealer::holdem_local_player_test
