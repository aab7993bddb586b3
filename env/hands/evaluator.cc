#include "env/hands/evaluator.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "env/core/error.h"
#include "env/hands/direct_evaluator.h"
#include "env/hands/table_evaluator.h"

namespace dealer {

EvaluatorPtr compile_evaluator(DeckPtr deck, RankingPtr ranking) {
  const RankingRules rules(*deck, *ranking);
  const CardKinds kinds(rules, rules.trump_ranks_matter());
  if (tables_refusal(rules, kinds).empty()) return make_table_evaluator(std::move(deck), std::move(ranking));
  return make_direct_evaluator(std::move(deck), std::move(ranking));
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
