// The last two turns against an independent, slow enumeration of the cards to come.
#include "agents/ofc/endgame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "agents/ofc/last_turn_values.h"
#include "agents/ofc/turn_values.h"
#include "env/core/registry.h"
#include "tests/agents/ofc/ofc_support.h"

namespace dealer::ofc::endgame_test {
namespace {

class EndgameTest : public testing::Test {
 protected:
  explicit EndgameTest(const char* spec = "ofc[episode=hand]",
                       const std::shared_ptr<const ValueModel>& model = test::shipped_model())
      : game_(make_game(spec)),
        play_(model, as_ofc(*game_)->rules()),
        network_(play_, 0, false),
        endgame_(play_, 0, true) {}

  // Calls f(view) for each turn of hands in which everybody follows the network, until it has been called that often
  // for turns of that street.
  template <class F>
  void for_turns(int street, int turns, const F& f) {
    State state;
    for (std::uint64_t seed = 0; turns > 0; ++seed) {
      state.reset_and_hold(play_.rules(), seed);
      while (!state.hand_over() && turns > 0) {
        const View view = state.view(state.current_player());
        if (view.fantasyland[0] != 0) break;
        if (view.street == street) {
          now_ = state;
          f(view);
          --turns;
        }
        const Placement best = network_.best(view, 1).front().placement;
        for (const Action action : line_of(MacroAction(best.board, view.discards | best.discards), state))
          state.apply_and_hold(action);
      }
    }
  }

  double stake(const Board& own, const Board& other, bool deals) const {
    return play_.end_of_hand().stake(evaluate(own, play_.rules().scoring), evaluate(other, play_.rules().scoring),
                                     false, deals);
  }
  // The board that maximises value(board).
  template <class F>
  static Board best_last(const Board& board, CardSet hand, const F& value) {
    PlacementBuffer placements;
    const int count = enumerate_placements(board, hand, 1, placements);
    double most = -std::numeric_limits<double>::infinity();
    Board best;
    for (int i = 0; i < count; ++i) {
      const Board& board_then = placements[static_cast<std::size_t>(i)].board;
      if (const double worth = value(board_then); worth > most) {
        most = worth;
        best = board_then;
      }
    }
    return best;
  }

  // Plays on from now_ with that placement: possible cards are dealt, the network places the others'
  // fourth turns, their last turns are greedy; the own last turn maximises the value given the visible
  // ends and the mean over hidden ones.
  double played_out(const View& view, const Placement& placement, int ways) {
    struct End {
      std::array<Board, kMaxSeats> board;  // by relative seat
      CardSet hand = 0;                    // of the own last turn
    };
    std::vector<float> seen(static_cast<std::size_t>(State::observation_spec(play_.rules()).size()));
    now_.observe(view.me, seen.data());
    const State::Sampler sampler(play_.rules(), seen);
    RandomStream rng(view.seen());
    std::vector<End> ends(static_cast<std::size_t>(ways));
    for (End& end : ends) {
      State state = sampler.draw(rng);
      const auto place = [&](const View& from, const Board& board) {
        const CardSet thrown = from.hand & ~board.cards();
        for (const Action action : line_of(MacroAction(board, from.discards | thrown), state))
          state.apply_and_hold(action);
      };
      place(view, placement.board);
      while (!state.hand_over()) {
        const View theirs = state.view(state.current_player());
        const int seat = (theirs.me - view.me + view.players) % view.players;
        if (seat == 0) end.hand = theirs.hand;
        const Board board = theirs.street == kStreets - 1
                                ? best_last(theirs.board[0], theirs.hand,
                                            [&](const Board& done) {
                                              return play_.value_against_unseen_board(
                                                  evaluate(done, play_.rules().scoring), theirs.dealer == 0);
                                            })
                                : network_.best(theirs, 1).front().placement.board;
        end.board[static_cast<std::size_t>(seat)] = board;
        place(theirs, board);
      }
    }
    const auto acts_before = [&](int seat) {
      const auto order = [&](int of) { return (of - view.dealer - 1 + view.players) % view.players; };
      return order(seat) < order(0);
    };
    double sum = 0;
    for (const End& end : ends) {
      const auto worth = [&](const Board& own) {
        double points = 0;
        for (int seat = 1; seat < view.players; ++seat) {
          const auto s = static_cast<std::size_t>(seat);
          if (acts_before(seat))
            points += stake(own, end.board[s], view.dealer == 0);
          else
            for (const End& other : ends) points += stake(own, other.board[s], view.dealer == 0) / ways;
        }
        return points;
      };
      sum += worth(best_last(placement.board, end.hand, worth));
    }
    return sum / ways;
  }

  // Checks that the values of the network's favourite placements equal those of playing on, for each position.
  void compare_with_playing_on(int turns, int ways) {
    std::map<int, std::array<double, 3>> of_dealer;  // sums of 1, differences, their squares
    for_turns(kStreets - 2, turns, [&](const View& view) {
      const Placement placement = network_.best(view, 1).front().placement;
      for (const ValuedPlacement& each : endgame_.best(view)) {
        if (!(each.placement == placement)) continue;
        const double off = static_cast<double>(each.value) - played_out(view, placement, ways);
        auto& [count, sum, squares] = of_dealer[view.dealer];
        count += 1;
        sum += off;
        squares += off * off;
      }
    });
    EXPECT_EQ(of_dealer.size(), static_cast<std::size_t>(play_.rules().players));
    for (const auto& [dealer, sums] : of_dealer) {
      const auto& [count, sum, squares] = sums;
      const double mean = sum / count, error = std::sqrt((squares / count - mean * mean) / count);
      EXPECT_LT(std::abs(mean), 4 * error) << "dealer " << dealer << ": " << mean << " +- " << error;
    }
  }

  GamePtr game_;
  ModelPlay play_;
  TurnValues network_, endgame_;
  State now_;  // of for_turns()
};

TEST_F(EndgameTest, CoversTheLastTwoTurnsWithoutFantasyland) {
  for (int street = 0; street < kStreets; ++street)
    for_turns(street, 4, [&](const View& view) { EXPECT_EQ(Endgame::covers(view), street >= kStreets - 2); });
  for_turns(kStreets - 2, 1, [](View view) {
    view.fantasyland[1] = 14;
    EXPECT_FALSE(Endgame::covers(view));
  });
}

TEST_F(EndgameTest, LastTurnsAreExact) {
  int chosen_otherwise = 0;
  for_turns(kStreets - 1, 60, [&](const View& view) {
    const std::vector<ValuedPlacement> all = endgame_.best(view);
    double most = -1e9;
    for (const ValuedPlacement& each : all)
      most = std::max(most, last_turn_value(view, each.placement.board, play_.end_of_hand()).points);
    EXPECT_NEAR(last_turn_value(view, all.front().placement.board, play_.end_of_hand()).points, most, 1e-5);
    // The value after subtracting the others' share.
    EXPECT_NEAR(static_cast<double>(all.front().value) - play_.others_share(view, all.front().placement.board), most,
                1e-4);
    chosen_otherwise += all.front().placement.board == network_.best(view, 1).front().placement.board ? 0 : 1;
  });
  EXPECT_GT(chosen_otherwise, 0);
}

// Second to act: the opponent places its last cards first, visibly.
TEST_F(EndgameTest, FourthTurnsAreWorthWhatTheCardsToComeBring) {
  double sum = 0, squares = 0;
  int compared = 0;
  RandomStream rng(4);
  for_turns(kStreets - 2, 400, [&](const View& view) {
    if (view.dealer != 0) return;
    const std::vector<ValuedPlacement> all = endgame_.best(view);
    const Placement by_network = network_.best(view, 1).front().placement;
    if (all.front().placement == by_network) return;
    double gain = 0;
    constexpr int kDeals = 60;
    for (int deal = 0; deal < kDeals; ++deal) {
      CardSet left = kFullDeck & ~view.seen();
      const auto draw = [&] {
        CardSet hand = 0;
        while (size(hand) < 3) hand |= CardSet{1} << rng.below(kCards) & left;
        left &= ~hand;
        return hand;
      };
      const Board other = best_last(view.board[1], draw(), [&](const Board& board) {
        return play_.value_against_unseen_board(evaluate(board, play_.rules().scoring), false);
      });
      const CardSet hand = draw();
      const auto played = [&](const Board& board) {
        return stake(best_last(board, hand, [&](const Board& end) { return stake(end, other, true); }), other, true);
      };
      gain += (played(all.front().placement.board) - played(by_network.board)) / kDeals;
    }
    sum += gain;
    squares += gain * gain;
    ++compared;
  });
  ASSERT_GT(compared, 20);
  const double mean = sum / compared, error = std::sqrt((squares / compared - mean * mean) / compared);
  EXPECT_GT(mean, 2 * error) << mean << " +- " << error << " points in " << compared << " turns";
}

// The dealer sees the opponent's end before its own last turn.
TEST_F(EndgameTest, FourthTurnsAreComparedInTwoSteps) {
  Endgame at_once(play_, {.first_ends = 32}), in_steps(play_, {.kept = 8}), kept_one(play_, {.kept = 1}),
      first_step(play_, {.ends = 8});
  int lowered = 0;
  for_turns(kStreets - 2, 60, [&](const View& view) {
    const std::vector<ValuedPlacement> by_network = network_.best(view, 8);
    std::vector<Placement> placements;
    std::vector<float> network_values;
    for (const ValuedPlacement& each : by_network) {
      placements.push_back(each.placement);
      network_values.push_back(each.value);
    }
    const auto values_by = [&](Endgame& endgame) {
      std::vector<float> values(placements.size());
      endgame.value(view, placements, network_values, values);
      return values;
    };
    const std::vector<float> all = values_by(at_once), steps = values_by(in_steps), one = values_by(kept_one),
                             first = values_by(first_step);
    const std::size_t best = best_of(first);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_NEAR(steps[i], all[i], 1e-4F) << "all are kept";
      if (view.dealer != 0) continue;
      EXPECT_NEAR(one[i], i == best ? all[i] : std::min(first[i], all[best]), 1e-4F);
      lowered += first[i] > all[best] ? 1 : 0;
    }
  });
  EXPECT_GT(lowered, 0);
}

TEST_F(EndgameTest, FourthTurnsAreWorthWhatPlayingOnBrings) { compare_with_playing_on(300, 60); }

class ThreePlayers : public EndgameTest {
 protected:
  ThreePlayers() : EndgameTest("ofc[episode=hand,players=3]") {}
};

TEST_F(ThreePlayers, FourthTurnsAreWorthWhatPlayingOnBrings) { compare_with_playing_on(450, 60); }

// Fantasyland is worth more to the dealer.
std::shared_ptr<const ValueModel> dealers_fantasyland() {
  ValueModel model = *test::shipped_model();
  for (const bool deals : {false, true}) model.chain.at(14, 0, deals) = deals ? 25 : 0;
  return std::make_shared<const ValueModel>(std::move(model));
}

class DealersFantasyland : public EndgameTest {
 protected:
  DealersFantasyland() : EndgameTest("ofc", dealers_fantasyland()) {}
};

TEST_F(DealersFantasyland, FourthTurnsAreWorthWhatPlayingOnBrings) { compare_with_playing_on(300, 60); }

TEST_F(ThreePlayers, PlayTheirLastTurnsToo) {
  int exact = 0;
  for_turns(kStreets - 1, 30, [&](const View& view) {
    exact += Endgame::covers(view) ? 1 : 0;
    EXPECT_EQ(Endgame::covers(view), can_be_exact(view));
  });
  EXPECT_GT(exact, 10);
  for_turns(kStreets - 2, 6, [&](const View& view) {
    for (const ValuedPlacement& each : endgame_.best(view)) EXPECT_TRUE(std::isfinite(each.value));
    EXPECT_EQ(endgame_.best(view).size(), network_.best(view).size());
  });
}

// Fantasyland counts.
class EndgameThorough : public EndgameTest {
 protected:
  EndgameThorough() : EndgameTest("ofc") {}
};

// The loss on the fourth turn against 600 sampled ends for each of the network's twelve best placements.
TEST_F(EndgameThorough, FourthTurnsLoseAtMostTwoHundredthsOfAPoint) {
  constexpr int kTurns = 400;
  Endgame exact(play_, {.ends = 600, .first_ends = 600, .promising = 12, .seed = 77});
  std::map<int, std::pair<int, double>> lost, lost_by_network;  // by dealer
  for_turns(kStreets - 2, kTurns, [&](const View& view) {
    const std::vector<ValuedPlacement> by_network = network_.best(view);
    std::vector<Placement> placements;
    std::vector<float> network_values, values(by_network.size());
    for (const ValuedPlacement& each : by_network) {
      placements.push_back(each.placement);
      network_values.push_back(each.value);
    }
    exact.value(view, placements, network_values, values);
    const float most = *std::max_element(values.begin(), values.end());
    const Placement chosen = endgame_.best(view, 1).front().placement;
    for (std::size_t i = 0; i < placements.size(); ++i) {
      const auto loss = static_cast<double>(most - values[i]);
      if (placements[i] == chosen) ++lost[view.dealer].first, lost[view.dealer].second += loss;
      if (i == 0) lost_by_network[view.dealer].second += loss;
    }
  });
  ASSERT_EQ(lost.size(), 2U);
  for (const auto& [dealer, sum] : lost) {
    const double mean = sum.second / sum.first, network = lost_by_network[dealer].second / sum.first;
    std::printf("%s to act: %.4f points lost a decision in %d; the network alone loses %.4f\n",
                dealer == 0 ? "second" : "first", mean, sum.first, network);
    EXPECT_LT(mean, 0.02);
    EXPECT_GT(network, 2 * mean) << "what the network alone loses is seen";
  }
}

}  // namespace
}  // namespace dealer::ofc::endgame_test
