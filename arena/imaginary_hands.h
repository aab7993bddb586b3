#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "arena/beliefs.h"
#include "arena/control_variates.h"
#include "arena/match.h"
#include "env/games/poker/game.h"

namespace dealer {

// The AIVAT correction of a hand of two players: what chance gave to seat 0 and took from seat 1.
struct HandCorrection {
  // The hands held, against those that could have been; and the cards that came when nobody could bet any more.
  Correction hands = 0;
  // The cards that came before: the first of the board, the next, and all after it. Of the pot as it stood then, while
  // what is bet later makes them worth more: to be multiplied by what a regression finds.
  static constexpr std::size_t kStreets = 3;
  std::array<Correction, kStreets> cards{};
};

// Hold'em for two in which every hand stands for others that the players could have held: the imaginary observations of
// Bowling, Johanson, Burch and Szafron, "Strategy Evaluation in Extensive Games with Importance Sampling" (2008), and
// AIVAT (see ChanceTerms). Of both players so many other hands are drawn. Each counts by how likely its owner would
// have done with it what was done: by the policy where an agent tells it; else the agent is asked again with the seed
// that it had, and the hand counts or not. Nothing else of the hand depends on them, so the mean over all of them,
// corrections taken out, is the result's mean when only which of them was held is left to chance. One object serves one
// thread.
class ImaginaryHands {
 public:
  // Throws UsageError naming the game where it is not hold'em for two with hands of two cards, one hand an episode and
  // one ranking, and naming an agent that hears events.
  ImaginaryHands(const GamePtr& game, std::span<const AgentFactoryPtr> agents, int hands, int deals);

  struct Hand {
    const Env& dealt;  // before the first decision
    std::span<const PlayedDecision> decisions;
    std::span<const int> agent_of_seat;
    std::array<std::uint64_t, 2> agent_seeds;  // by seat
    std::uint64_t seed;                        // of other hands and cards
  };
  // Throws AgentFailure when an agent would not do again what it did.
  HandCorrection measure(const Hand& hand);

 private:
  using State = poker::State;
  using TwoCards = std::array<CardId, 2>;
  struct HeldHand {
    TwoCards cards;
    double weight = 1;
  };
  using Range = std::vector<HeldHand>;  // the first is the one that was held
  // Cards that came to the board after a decision.
  struct Board {
    std::size_t from, to;
    std::size_t street;
    bool last;    // nobody decides any more
    double paid;  // by each player so far
  };
  // Of seat 0 against seat 1, summed over boards: 1 for a hand that wins, -1 for one that loses.
  struct Showdowns {
    std::vector<double> sum, count;  // [hands of seat 0, hands of seat 1]
    void clear(std::size_t pairs) {
      sum.assign(pairs, 0);
      count.assign(pairs, 0);
    }
  };

  void follow(const Hand& hand);
  void draw_hands(Seat seat, RandomStream& rng);
  void weigh(const Hand& hand, Seat seat);
  void ask_evaluator(const Hand& hand, Seat seat, StateEvaluator<State>& evaluator);
  void ask_agent(const Hand& hand, Seat seat, Agent& agent);
  void weigh_pairs();
  void show(std::span<const CardId> board, Showdowns& shown);
  void deal_more(std::span<CardId> board, std::size_t from, std::size_t to, RandomStream& rng);
  void run_out(std::span<const CardId> begun, int boards, RandomStream& rng, Showdowns& shown);
  double correction_of(const Board& board, RandomStream& rng);
  [[noreturn]] void deviates(const Hand& hand, Seat seat) const;

  std::shared_ptr<const poker::Game> game_;
  std::vector<AgentFactoryPtr> makers_;
  const std::size_t hands_;
  const int deals_;
  const std::vector<CardId> in_play_;
  std::vector<std::unique_ptr<StateEvaluator<State>>> evaluators_;  // by agent; null: it tells no policy
  std::vector<std::unique_ptr<Agent>> agents_;
  // The hand being measured.
  State dealt_, end_;
  std::vector<Board> boards_;
  std::array<Range, 2> range_;
  std::vector<double> pair_;  // [hands of seat 0, hands of seat 1], together 1
  // Work space.
  std::vector<State> states_;
  std::vector<CardId> pool_;
  std::vector<HandValue> values_;
  Showdowns here_, others_;
};

}  // namespace dealer
