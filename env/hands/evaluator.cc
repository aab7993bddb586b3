#include "env/hands/evaluator.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "env/hands/direct_evaluator.h"
#include "env/hands/table_evaluator.h"

namespace dealer {
namespace {

class EvaluatorAtFirstUse final : public Evaluator {
 public:
  EvaluatorAtFirstUse(DeckPtr deck, RankingPtr ranking) : Evaluator(std::move(deck), std::move(ranking)) {}

  HandValue evaluate(std::span<const CardId> hand) const override { return compiled().evaluate(hand); }
  void evaluate5(std::span<const CardId> hands, std::span<HandValue> values) const override {
    compiled().evaluate5(hands, values);
  }
  void evaluate7(std::span<const CardId> hands, std::span<HandValue> values) const override {
    compiled().evaluate7(hands, values);
  }
  int category(HandValue value, int cards) const override { return compiled().category(value, cards); }
  HandValue values(int cards) const override { return compiled().values(cards); }

 private:
  const Evaluator& compile() const override {
    std::call_once(once_, [this] { owned_ = make_evaluator(deck_ptr(), ranking_ptr()); });
    ready_.store(owned_.get(), std::memory_order_release);
    return *owned_;
  }

  mutable std::once_flag once_;
  mutable EvaluatorPtr owned_;
};

}  // namespace

void Evaluator::check_sizes(std::size_t cards, std::size_t hands, std::size_t values) {
  if (hands != values * cards)
    throw UsageError(
        fmt::format("{} cards given for {} hands of {}; expected {}", hands, values, cards, values * cards));
}

void Evaluator::evaluate_each(std::size_t cards, std::span<const CardId> hands, std::span<HandValue> values) const {
  check_sizes(cards, hands.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = evaluate(hands.subspan(i * cards, cards));
}

void Evaluator::evaluate_hands(std::size_t cards, std::span<const CardId> hands, std::span<HandValue> values) const {
  if (cards == 5)
    evaluate5(hands, values);
  else if (cards == 7)
    evaluate7(hands, values);
  else
    evaluate_each(cards, hands, values);
}

EvaluatorPtr make_evaluator_at_first_use(DeckPtr deck, RankingPtr ranking) {
  const RankingRules rules(*deck, *ranking);
  const CardKinds kinds(rules, rules.trump_ranks_matter());
  if (!tables_refusal(rules, kinds).empty()) return make_evaluator(std::move(deck), std::move(ranking));
  check_compilable(rules, kinds);
  return std::make_shared<EvaluatorAtFirstUse>(std::move(deck), std::move(ranking));
}

EvaluatorPtr compile_evaluator(DeckPtr deck, RankingPtr ranking) {
  const RankingRules rules(*deck, *ranking);
  const CardKinds kinds(rules, rules.trump_ranks_matter());
  if (tables_refusal(rules, kinds).empty()) return make_table_evaluator(std::move(deck), std::move(ranking));
  return (ranking->distinct() ? make_distinct_evaluator : make_direct_evaluator)(std::move(deck), std::move(ranking));
}

EvaluatorPtr make_evaluator(DeckPtr deck, RankingPtr ranking) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, EvaluatorPtr> compiled;
  const std::lock_guard lock(mutex);
  EvaluatorPtr& evaluator = compiled[{deck->fingerprint(), ranking->fingerprint()}];
  if (!evaluator) evaluator = compile_evaluator(std::move(deck), std::move(ranking));
  return evaluator;
}

}  // namespace dealer
