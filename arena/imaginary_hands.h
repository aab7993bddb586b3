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

// The AIVAT correction of a two-player hand: the chance term of seat 0, opposite for seat 1.
struct HandCorrection {
  // The term of the hands held, relative to possible ones; and of the cards dealt when no more bets were possible.
  Correction hands = 0;
  // The terms of the earlier cards: the first of the board, the next, and all after it. They are relative to the pot at
  // that time, and later bets increase the stakes: so they are multiplied by a regression coefficient.
  static constexpr std::size_t kStreets = 3;
  std::array<Correction, kStreets> cards{};
};

// Two-player hold'em in which every hand also represents others that the players could have held: the imaginary
// observations of Bowling, Johanson, Burch and Szafron, "Strategy Evaluation in Extensive Games with Importance
// Sampling" (2008), and AIVAT (see ChanceTerms). For each player `hands` alternatives are sampled, weighted by the
// probability that their owner would have acted as observed: from the policy if the agent has one; otherwise the agent
// is asked again with its original seed, and the weight is 0 or 1. Nothing else in the hand depends on them, so the
// corrected mean over all of them is the conditional expectation of the result given everything but the hands held. One
// object serves one thread.
class ImaginaryHands {
 public:
  // Throws UsageError naming the game unless it is two-player hold'em with two hole cards, one hand per episode and one
  // ranking, and naming an agent that observes events.
  ImaginaryHands(const GamePtr& game, std::span<const AgentFactoryPtr> agents, int hands, int deals);

  struct Hand {
    const Env& dealt;  // before the first decision
    std::span<const PlayedDecision> decisions;
    std::span<const int> agent_of_seat;
    std::array<std::uint64_t, 2> agent_seeds;  // by seat
    std::uint64_t seed;                        // of the alternative hands and cards
  };
  // Throws AgentFailure if an agent does not repeat its decision.
  HandCorrection measure(const Hand& hand);

 private:
  using State = poker::State;
  using TwoCards = std::array<CardId, 2>;
  struct HeldHand {
    TwoCards cards;
    double weight = 1;
  };
  using Range = std::vector<HeldHand>;  // the first is the one held
  // Board cards dealt after a decision.
  struct Board {
    std::size_t from, to;
    std::size_t street;
    bool last;    // no more decisions
    double paid;  // by each player so far
  };
  // The result of seat 0 against seat 1, summed over boards: 1 for a win, -1 for a loss.
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
  std::vector<std::unique_ptr<StateEvaluator<State>>> evaluators_;  // by agent; null: it has no policy
  std::vector<std::unique_ptr<Agent>> agents_;
  // The current hand.
  State dealt_, end_;
  std::vector<Board> boards_;
  std::array<Range, 2> range_;
  std::vector<double> pair_;  // [hands of seat 0, hands of seat 1], sums to 1
  // Scratch memory.
  std::vector<State> states_;
  std::vector<CardId> pool_;
  std::vector<HandValue> values_;
  Showdowns here_, others_;
};

}  // namespace dealer
