// The standard evaluator against the table-free reference, on the same random hands, and compiled rankings.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/random_hands.h"
#include "env/hands/batch.h"
#include "env/hands/evaluator.h"
#include "env/hands/hand_rank.h"

namespace dealer {
namespace {

constexpr std::size_t kHands = 1 << 20;

void count_hands(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(kHands));
}

void rank_batch(benchmark::State& state, hand_batch::Evaluate evaluate_many, std::size_t hand_size) {
  const std::vector<Card> cards = random_hands(kHands, hand_size, hand_size);
  std::vector<HandRank> ranks(kHands);
  while (state.KeepRunning()) {
    evaluate_many(cards.data(), kHands, ranks.data());
    benchmark::ClobberMemory();
  }
  count_hands(state);
}

// The compiled ranking of a deck.
void rank_compiled(benchmark::State& state, const EvaluatorPtr& evaluator, std::size_t hand_size) {
  const auto deck = static_cast<std::size_t>(evaluator->deck().size());
  const std::vector<CardId> cards = random_hands(kHands, hand_size, hand_size, deck);
  std::vector<HandValue> values(kHands);
  while (state.KeepRunning()) {
    if (hand_size == 5)
      evaluator->evaluate5(cards, values);
    else
      evaluator->evaluate7(cards, values);
    benchmark::ClobberMemory();
  }
  count_hands(state);
}

// The time to compile a ranking.
void compile_ranking(benchmark::State& state, const std::string& deck_name) {
  const DeckPtr deck = Deck::make(deck_name);
  const RankingPtr ranking = Ranking::make(deck->default_ranking());
  while (state.KeepRunning()) benchmark::DoNotOptimize(compile_evaluator(deck, ranking));
}

// Reads the cards from the array, like the batch functions.
void rank_reference(benchmark::State& state, std::size_t hand_size) {
  const std::vector<Card> cards = random_hands(kHands, hand_size, hand_size);
  while (state.KeepRunning()) {
    for (std::size_t i = 0; i < kHands; ++i) {
      benchmark::DoNotOptimize(packed_reference(to_set(cards.data() + i * hand_size, hand_size)));
    }
  }
  count_hands(state);
}

// From card sets, one call per hand.
void rank_sets(benchmark::State& state, HandRank (*evaluate_one)(CardSet), std::size_t hand_size) {
  const std::vector<Card> cards = random_hands(kHands, hand_size, hand_size);
  std::vector<CardSet> sets(kHands);
  for (std::size_t i = 0; i < kHands; ++i) sets[i] = to_set(cards.data() + i * hand_size, hand_size);
  while (state.KeepRunning()) {
    for (const CardSet set : sets) benchmark::DoNotOptimize(evaluate_one(set));
  }
  count_hands(state);
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const auto& kernel : hand_batch::kernels()) {
    const std::string name(kernel.name);
    benchmark::RegisterBenchmark(("evaluate5/" + name).c_str(), rank_batch, kernel.evaluate5, 5U);
    benchmark::RegisterBenchmark(("evaluate7/" + name).c_str(), rank_batch, kernel.evaluate7, 7U);
  }
  benchmark::RegisterBenchmark("reference5", rank_reference, 5U);
  benchmark::RegisterBenchmark("reference7", rank_reference, 7U);
  benchmark::RegisterBenchmark("evaluate3/set", rank_sets, static_cast<HandRank (*)(CardSet)>(evaluate3), 3U);
  benchmark::RegisterBenchmark("evaluate5/set", rank_sets, static_cast<HandRank (*)(CardSet)>(evaluate5), 5U);
  benchmark::RegisterBenchmark("evaluate7/set", rank_sets, static_cast<HandRank (*)(CardSet)>(evaluate7), 7U);
  for (const std::string& name : deck_names()) {
    const auto evaluator = [name] {
      const DeckPtr deck = Deck::make(name);
      return make_evaluator(deck, Ranking::make(deck->default_ranking()));
    };
    for (const std::size_t size : {5U, 7U})
      benchmark::RegisterBenchmark(("evaluate" + std::to_string(size) + "/" + name).c_str(),
                                   [=](benchmark::State& state) { rank_compiled(state, evaluator(), size); });
    benchmark::RegisterBenchmark(("compile/" + name).c_str(),
                                 [=](benchmark::State& state) { compile_ranking(state, name); });
  }
  return true;
}();

}  // namespace
}  // namespace dealer
