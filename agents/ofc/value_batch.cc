#include "agents/ofc/value_batch.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "agents/ofc/fantasyland_play.h"
#include "agents/ofc/turn_agent.h"
#include "env/core/error.h"

namespace dealer::ofc {
namespace {

class ValueBatch final : public AgentBatch {
 public:
  ValueBatch(std::shared_ptr<const ModelPlay> play, int tables)
      : play_(std::move(play)),
        evaluator_(play_->evaluator()),
        plans_(static_cast<std::size_t>(tables)),
        questions_(static_cast<std::size_t>(tables)) {}

  void reset(int table, Seat /*seat*/, std::uint64_t /*seed*/) override { plan_of(table) = {}; }

  void add(int table, const Observation& observation, Decision& decision) override {
    MacroAction& plan = plan_of(table);
    const OwnCards own = State::decode_own(play_->rules(), observation.data);
    if (!plan.goes_on(own)) {
      const View view = decode_turn(play_->rules(), observation);
      if (!view.fantasyland[0]) return ask(view, plan, decision);
      plan = plan_fantasyland(view, play_->fantasyland_goal());
    }
    decision = plan.next(own.hand);
  }

  void flush() override {
    evaluator_.flush();
    for (std::size_t i = 0; i < asked_; ++i) {
      const Question& question = questions_[i];
      std::array<float, kMaxPlacements> totals;
      const Placement& best = question.placements[best_of(question.rated(totals))];
      *question.plan = MacroAction(best.board, question.discards | best.discards);
      *question.decision = question.plan->next(question.hand);
    }
    asked_ = 0;
  }

 private:
  // A turn whose placements are being valued.
  struct Question {
    MacroAction* plan = nullptr;
    Decision* decision = nullptr;
    CardSet hand = 0, discards = 0;
    std::size_t count = 0, opponents = 0;
    PlacementBuffer placements;
    std::array<float, kMaxPlacements*(kMaxSeats - 1)> values;

    std::span<const float> rated(std::array<float, kMaxPlacements>& totals) const {
      const std::span<float> sums(totals.data(), count);
      add_up(std::span(values.data(), count * opponents), sums);
      return sums;
    }
  };

  MacroAction& plan_of(int table) {
    if (table < 0 || static_cast<std::size_t>(table) >= plans_.size())
      throw UsageError(fmt::format("there is no table {}; tables are 0 to {}", table, plans_.size() - 1));
    return plans_[static_cast<std::size_t>(table)];
  }

  void ask(const View& view, MacroAction& plan, Decision& decision) {
    if (asked_ == questions_.size()) throw UsageError("a second question about a table before flush()");
    Question& question = questions_[asked_];
    question.plan = &plan;
    question.decision = &decision;
    question.hand = view.hand;
    question.discards = view.discards;
    question.opponents = static_cast<std::size_t>(view.players - 1);
    question.count = static_cast<std::size_t>(
        enumerate_placements(view.board[0], view.hand, view.discards_left, question.placements));
    evaluator_.add(view, std::span(question.placements.data(), question.count), play_->end_of_hand(),
                   question.values.data());
    ++asked_;
  }

  std::shared_ptr<const ModelPlay> play_;
  AfterstateEvaluator evaluator_;
  std::vector<MacroAction> plans_;  // by table
  std::vector<Question> questions_;
  std::size_t asked_ = 0;
};

}  // namespace

std::unique_ptr<AgentBatch> make_value_batch(std::shared_ptr<const ModelPlay> play, int tables) {
  return std::make_unique<ValueBatch>(std::move(play), tables);
}

}  // namespace dealer::ofc
