// Hands of our table told in the ACPC's protocol, and played again from what was told.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "agents/acpc/holdem.h"
#include "agents/acpc/match_state.h"
#include "env/core/random_action.h"
#include "env/core/registry.h"

namespace dealer::acpc::hand_teller_test {
namespace {

// What the seats of a table are told.
class TableTold : public testing::TestWithParam<const char*> {
 protected:
  TableTold() : game_(make_game(GetParam())), holdem_(game_), env_(game_->new_env({.hold_hands = true})) {}

  void begin(std::uint64_t seed) {
    env_->reset(seed);
    cursor_ = {};
    tellers_.assign(static_cast<std::size_t>(game_->players()), HandTeller(holdem_.no_limit()));
    told_.assign(tellers_.size(), {});
    for (Seat seat = 0; seat < game_->players(); ++seat) teller(seat).begin(seat, static_cast<std::uint32_t>(seed));
    hear();
  }
  void hear() {
    const EventCursor now = env_->cursor();
    for (Seat seat = 0; seat < game_->players(); ++seat) teller(seat).take(env_->events(seat, cursor_), told(seat));
    cursor_ = now;
  }
  HandTeller& teller(Seat seat) { return tellers_[static_cast<std::size_t>(seat)]; }
  std::vector<MatchState>& told(Seat seat) { return told_[static_cast<std::size_t>(seat)]; }

  // The seat to act is told all, and sees in the hand played again what it sees at the table; it sits elsewhere alone.
  void expect_same_view() {
    const Seat seat = env_->current_player();
    teller(seat).finish(told(seat));
    const MatchState& state = told(seat).back();
    Observation seen = env_->observe(seat);
    ASSERT_EQ(holdem_.to_act(state), state.position);
    const poker::State again = holdem_.replay(state);
    ASSERT_EQ(again.current_player(), state.position);
    std::vector<float> numbers(seen.data.size());
    again.observe(state.position, numbers.data());
    const ObservationPart& own_seat = *game_->observation_spec().find("seat");
    for (int i = 0; i < own_seat.size(); ++i)
      numbers[static_cast<std::size_t>(own_seat.offset + i)] = seen.data[static_cast<std::size_t>(own_seat.offset + i)];
    EXPECT_EQ(numbers, seen.data) << to_string(state, holdem_.deck());
    EXPECT_EQ(again.legal_mask(), seen.legal_mask);
    EXPECT_EQ(again.amount_range(), seen.amounts);
    EXPECT_EQ(teller(seat).to_call(), again.bets().to_call());
    EXPECT_EQ(teller(seat).paid_before(), again.bets().paid(state.position) - again.bets().bet(state.position));
  }

  GamePtr game_;
  Holdem holdem_;
  std::unique_ptr<Env> env_;
  EventCursor cursor_;
  std::vector<HandTeller> tellers_;
  std::vector<std::vector<MatchState>> told_;
};

TEST_P(TableTold, IsTheSameHandForEverybody) {
  RandomStream rng(5);
  int showdowns = 0, folds_for_nothing = 0;
  for (std::uint64_t hand = 0; hand < 400; ++hand) {
    begin(hand);
    std::size_t actions = 0;
    while (!env_->hand_over()) {
      expect_same_view();
      if (HasFatalFailure()) return;
      const Seat seat = env_->current_player();
      const MatchState before = told(seat).back();
      const std::vector<Choice> choices = env_->choices();
      const Choice& choice = choices[rng.below(static_cast<std::uint32_t>(choices.size()))];
      Decision decision(choice.action);
      if (choice.action == kNoAction) {
        const Amount last = (choice.amount.high - choice.amount.low) / choice.amount.step;
        decision = Decision::bet_to(
            choice.amount.low +
            choice.amount.step * static_cast<Amount>(rng.below(static_cast<std::uint32_t>(std::min(last, 3) + 1))));
      }
      // Not too many: most hands should come to a board.
      if (choice.kind == "fold" && rng.below(4) != 0) decision = Decision(poker::kCall);
      const Move move = holdem_.move_of(decision, holdem_.replay(before));
      env_->step(decision);
      ++actions;
      hear();
      teller(seat).finish(told(seat));
      const MatchState& after = told(seat).back();
      const Move made = after.rounds[before.rounds.size() - 1].back();
      if (made.kind == 'f' && teller(seat).to_call() == 0 && move.kind == 'c')
        ++folds_for_nothing;
      else
        EXPECT_EQ(move, made) << to_string(after, holdem_.deck());
    }
    for (Seat seat = 0; seat < game_->players(); ++seat) {
      teller(seat).finish(told(seat));
      // One when the cards were dealt and one after every action.
      EXPECT_EQ(told(seat).size(), actions + 1);
      const MatchState& end = told(seat).back();
      EXPECT_EQ(holdem_.to_act(end), -1);
      EXPECT_EQ(parse_match_state(to_string(end, holdem_.deck()), holdem_.deck()), end);
      const poker::State again = holdem_.replay(end);
      ASSERT_TRUE(again.hand_over());
      EXPECT_EQ(again.last_hand().net[static_cast<std::size_t>(end.position)],
                env_->returns()[static_cast<std::size_t>(seat)]);
      showdowns += again.last_hand().showdown != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(showdowns, 50);
  EXPECT_GT(folds_for_nothing, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Games, TableTold,
    testing::Values("holdem[show_all=true,raises_per_player=null,raises_per_round=3]",
                    "holdem[show_all=true,limit=no_limit,stack=20000,raises_per_player=null]",
                    "holdem[show_all=true,limit=no_limit,stack=1000,raises_per_player=null]",
                    "holdem[show_all=true,players=3,raises_per_player=null,raises_per_round=3]",
                    "holdem[show_all=true,players=3,limit=no_limit,stack=20000,raises_per_player=null]",
                    "holdem[show_all=true,players=6,limit=no_limit,stack=700,odd_chips=discard]"));

}  // namespace
}  // namespace dealer::acpc::hand_teller_test
