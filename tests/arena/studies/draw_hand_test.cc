// Hands of draw games are reconstructed correctly from their events.
#include "arena/studies/poker/draw_hand.h"

#include "env/games/poker/game.h"
#include "tests/arena/studies/testing.h"

namespace dealer::studies::poker::draw_hand_test {
namespace {

using namespace test;
using State = dealer::poker::State;

// Plays randomly and compares the reconstructed hand with the state's own record.
void check_game(const std::string& spec, int hands) {
  const GamePtr game = make_game(spec);
  const auto env = game->new_env({.hold_hands = true});
  const auto& state = dynamic_cast<const TypedEnv<State>&>(*env).state();
  RandomStream rng(5);
  bool folded_early = false, several_raises = false;
  env->reset(1);
  for (int played = 0; played < hands; ++played) {
    if (played > 0) {
      if (env->terminated())
        env->reset(static_cast<std::uint64_t>(played) + 1);
      else
        env->next_hand();
    }
    // The cards held and chips paid by each player at its discard.
    std::vector<std::pair<Seat, Draw>> thrown;
    std::vector<Act> acts;
    while (!env->hand_over()) {
      const std::vector<Action> legal = env->legal_actions();
      const Action action = legal[rng.below(static_cast<std::uint32_t>(legal.size()))];
      const Seat seat = env->current_player();
      if (state.drawing()) {
        Draw draw;
        draw.drew = true;
        std::copy_n(state.cards(seat).begin(), kDrawHand, draw.held.begin());
        draw.thrown = static_cast<unsigned>(action - state.rules().first_discard());
        draw.paid = state.bets().paid(seat);
        thrown.emplace_back(seat, draw);
      } else {
        Act act;
        act.kind = action == dealer::poker::kFold  ? Act::kFold
                   : action > dealer::poker::kCall ? Act::kRaise
                   : state.bets().to_call() > 0    ? Act::kCall
                                                   : Act::kCheck;
        act.seat = seat;
        act.street = state.street();
        act.paid = state.bets().paid(seat);
        for (const Act& before : acts)
          if (before.street == act.street && before.kind == Act::kRaise) act.aggressor = before.seat;
        acts.push_back(act);
      }
      env->step(action);
    }
    const Hand hand = read_draw_hand(env->events(kOmniscient));
    const auto record = state.last_hand();
    ASSERT_EQ(hand.players, game->players());
    EXPECT_EQ(hand.dealer, record.dealer);
    std::array<int, kMaxSeats> draws{};
    for (const auto& [seat, draw] : thrown) {
      const auto s = at(seat);
      const Draw& read = hand.draws[s][at(draws[s]++)];
      EXPECT_TRUE(read.drew);
      EXPECT_EQ(read.held, draw.held);
      EXPECT_EQ(read.thrown, draw.thrown);
      EXPECT_EQ(read.count(), std::popcount(draw.thrown));
      EXPECT_EQ(read.paid, draw.paid);
    }
    ASSERT_EQ(hand.acts.size(), acts.size()) << spec << ' ' << played;
    int raises = 0;
    for (std::size_t i = 0; i < acts.size(); ++i) {
      EXPECT_EQ(hand.acts[i].kind, acts[i].kind);
      EXPECT_EQ(hand.acts[i].seat, acts[i].seat);
      EXPECT_EQ(hand.acts[i].street, acts[i].street);
      EXPECT_EQ(hand.acts[i].paid, acts[i].paid);
      EXPECT_EQ(hand.acts[i].aggressor, acts[i].aggressor);
      raises += acts[i].kind == Act::kRaise;
    }
    several_raises = several_raises || raises > 1;
    for (Seat seat = 0; seat < game->players(); ++seat) {
      const auto s = at(seat);
      EXPECT_EQ(hand.in[s], (record.in >> seat & 1) != 0);
      EXPECT_EQ(hand.net[s], record.net[s]);
      EXPECT_EQ(hand.won[s], record.payout[s]);
      EXPECT_EQ(hand.showdown[s], (record.showdown >> seat & 1) != 0);
      for (int later = draws[s]; later < kMaxDraws; ++later) EXPECT_FALSE(hand.draws[s][at(later)].drew);
      if (!hand.in[s]) continue;
      folded_early = folded_early || (hand.folded[s] && draws[s] == 0);
      if (hand.folded[s]) continue;
      EXPECT_TRUE(std::equal(hand.last[s].begin(), hand.last[s].end(), state.cards(seat).begin()));
      int drawn = 0;
      for (const Draw& draw : hand.draws[s]) drawn += draw.count();
      EXPECT_EQ(drawn, record.drawn[s]);
    }
  }
  EXPECT_TRUE(several_raises) << spec;
  EXPECT_TRUE(folded_early || !state.rules().street[0].betting) << spec;
}

TEST(DrawHandReader, ReadsWhatWasPlayed) {
  for (const char* spec : {"draw", "draw[players=4]", "lowball[players=3]", "triple_draw", "washizu",
                           "washizu[players=2,washizu=add]", "washizu[players=2,washizu=replace_suit]"})
    check_game(spec, 150);
}

}  // namespace
}  // namespace dealer::studies::poker::draw_hand_test
