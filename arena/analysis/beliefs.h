#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "arena/analysis/turns.h"
#include "arena/hidden_hands.h"
#include "arena/hidden_small.h"
#include "env/games/poker/script.h"

namespace dealer::analysis {

// Where the seat that is asked may be, with how likely, by what it knew alone. Nothing with `why` where that cannot be
// told. kExact: all positions there are, not a sample.

class PokerBelief {
 public:
  using State = poker::State;
  static constexpr bool kExact = false;

  PokerBelief(const std::shared_ptr<const poker::Game>& game, const AgentFactory& agents, int samples)
      : game_(game), hidden_(game, agents, samples) {}

  const std::vector<Likely<State>>* at(const Question& question, RandomStream& rng, std::string& why) {
    const State now = State::Sampler(game_->rules(), question.seen.data).draw(rng);
    const std::optional<State> dealt = poker::first_decision(now);
    if (!dealt) {
      why = "the stock has run out and was shuffled again: what the others hold is not kept through that";
      return nullptr;
    }
    hidden_.begin_hand(*dealt, question.seen.player);
    for (const PastDecision& past : question.before) hidden_.played({past.seat, past.drawing, past.decision});
    return &hidden_.find(now, rng);
  }
  bool agrees() const { return hidden_.agrees(); }
  PositionEvaluator& evaluator() { return hidden_.evaluator(); }

 private:
  std::shared_ptr<const poker::Game> game_;
  poker::HiddenHands hidden_;
};

class SmallBelief {
 public:
  using State = small::State;
  static constexpr bool kExact = true;

  SmallBelief(const std::shared_ptr<const small::Game>& game, const AgentFactory& agents, int /*samples*/)
      : hidden_(game, agents) {}

  const std::vector<Likely<State>>* at(const Question& question, RandomStream& /*rng*/, std::string& /*why*/) {
    hidden_.begin_hand(question.seen.player);
    for (const PastDecision& past : question.before)
      if (past.seat == question.seen.player) hidden_.decided(key(past.seen), past.decision.action);
    return &hidden_.find(key(question.seen.data));
  }
  bool agrees() const { return hidden_.agrees(); }
  PositionEvaluator& evaluator() { return hidden_.evaluator(); }

 private:
  static std::string key(std::span<const float> seen) {
    std::string bytes(seen.size_bytes(), '\0');
    std::memcpy(bytes.data(), seen.data(), bytes.size());
    return bytes;
  }

  small::HiddenStates hidden_;
};

}  // namespace dealer::analysis
