#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <vector>

#include "agents/evaluator.h"
#include "arena/local_choice.h"
#include "env/games/poker/game.h"

namespace dealer::poker {

// The hands that the others may hold at a decision of draw, stud and hold'em, when they play as agents of a kind. A
// sample is dealt at the beginning of the hand, all that agree with the cards this player has seen by now being equally
// likely, and played as the hand has gone: every action of another player multiplies the weight by its probability.
// What others discard is drawn from the agent's policy, of the discards that look the same from outside; the weight is
// multiplied by their sum.
class HiddenHands {
 public:
  struct Move {
    Seat seat;
    bool drawing;
    Decision decision;  // others' discards are not looked at
  };

  // Throws UsageError when the agents do not tell their policy.
  HiddenHands(std::shared_ptr<const Game> game, const AgentFactory& others, int samples);

  // The hand at its beginning: first_decision(), or as it was dealt. What is hidden in it has no part.
  void begin_hand(const State& dealt, Seat me);
  void played(const Move& move) { course_.push_back(move); }
  // All that can be where this player is to act, with how likely it is, in any unit. What is hidden in `now` has no
  // part. Where the others did what the agent never does all hands are equally likely; agrees() tells.
  std::vector<Likely<State>>& find(const State& now, RandomStream& rng);
  bool agrees() const { return agrees_; }

  const std::vector<Likely<State>>& range() const { return range_; }
  const std::vector<CardId>& in_play() const { return in_play_; }
  PositionEvaluator& evaluator() { return *evaluator_; }

  // Asks for states in which an agent is to act, `count` of them by number: [count, actions], until the next call.
  template <class StateOf>
  std::span<const double> ask(std::size_t count, StateOf state_of) {
    if (questions_.size() < count) questions_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const State& state = state_of(i);
      Observation& question = questions_[i];
      question.player = state.current_player();
      question.data.resize(static_cast<std::size_t>(game_->observation_spec().size()));
      state.observe(question.player, question.data.data());
      question.legal_mask = state.legal_mask();
      question.amounts = state.amount_range();
    }
    answers_.resize(count * static_cast<std::size_t>(game_->num_actions()));
    evaluator_->evaluate(std::span(questions_).first(count), answers_);
    return answers_;
  }

 private:
  using CardSet = std::bitset<kMaxDeckCards>;

  CardSet seen_cards(const State& now) const;
  void deal(const State& now, const CardSet& seen, RandomStream& rng);
  void replay(const State& now, std::size_t from, RandomStream& rng);
  void weigh_bet(const Decision& decision);
  void weigh_draw(const State& now, Seat seat, RandomStream& rng);
  void drop_unlikely();

  std::shared_ptr<const Game> game_;
  const GameRules& rules_;
  std::unique_ptr<PositionEvaluator> evaluator_;
  std::size_t samples_;

  Seat me_ = 0;
  State dealt_;  // the hand in progress at its beginning
  std::vector<CardId> in_play_;
  std::vector<Move> course_;
  // The range: dealt when these cards had been seen, and played so far.
  CardSet seen_;
  std::size_t played_ = 0;
  std::vector<Likely<State>> range_;
  bool agrees_ = true;

  std::vector<Observation> questions_;
  std::vector<double> answers_;
};

}  // namespace dealer::poker
