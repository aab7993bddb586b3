#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/measure/measure.h"
#include "bench/random_hands.h"
#include "env/core/thread_seconds.h"
#include "env/hands/direct_evaluator.h"
#include "env/hands/hand_rank.h"

namespace dealer {
namespace {

constexpr std::size_t kMeasuredHands = 1 << 20;
// Together the chunks exceed the second-level cache.
constexpr std::size_t kChunk = 1 << 15;

// rank_chunk(cards) ranks kChunk hands.
template <class F>
double measure(std::size_t hand_size, double seconds, F&& rank_chunk, std::size_t deck_size = kCards) {
  const std::vector<Card> cards = random_hands(kMeasuredHands, hand_size, hand_size, deck_size);
  std::vector<double> rates;
  double start = thread_seconds();
  const double end = start + seconds;
  for (std::size_t first = 0; start < end || rates.empty(); first = (first + kChunk) % kMeasuredHands) {
    rank_chunk(cards.data() + first * hand_size);
    const double stop = thread_seconds();
    rates.push_back(kChunk / (stop - start));
    start = stop;
  }
  const auto median = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), median, rates.end());
  return *median;
}

double measure_reference(std::size_t hand_size, double seconds) {
  std::vector<std::uint32_t> packed(kChunk);
  return measure(hand_size, seconds, [&](const Card* cards) {
    for (std::uint32_t& result : packed) {
      result = packed_reference(to_set(cards, hand_size));
      cards += hand_size;
    }
  });
}

}  // namespace

double measure_evaluate5(double seconds) {
  std::vector<HandRank> ranks(kChunk);
  return measure(5, seconds, [&](const Card* cards) { evaluate5({cards, kChunk * 5}, ranks); });
}

double measure_evaluate7(double seconds) {
  std::vector<HandRank> ranks(kChunk);
  return measure(7, seconds, [&](const Card* cards) { evaluate7({cards, kChunk * 7}, ranks); });
}

double measure_evaluator(const Evaluator& evaluator, int cards, double seconds) {
  std::vector<HandValue> values(kChunk);
  const auto size = static_cast<std::size_t>(cards);
  const auto rank_chunk = [&](const Card* hands) {
    if (cards == 5)
      evaluator.evaluate5({hands, kChunk * size}, values);
    else
      evaluator.evaluate7({hands, kChunk * size}, values);
  };
  return measure(size, seconds, rank_chunk, static_cast<std::size_t>(evaluator.deck().size()));
}

double measure_rules(const Evaluator& evaluator, int cards, double seconds) {
  return measure_evaluator(*make_direct_evaluator(evaluator.deck_ptr(), evaluator.ranking_ptr()), cards, seconds);
}

double measure_reference5(double seconds) { return measure_reference(5, seconds); }
double measure_reference7(double seconds) { return measure_reference(7, seconds); }

}  // namespace dealer
