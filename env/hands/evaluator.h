#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "env/hands/ranking.h"

namespace dealer {

// Strength of a hand under a ranking: higher is stronger (in lowball, lower cards), equal ties. Values of hands of the
// same size compare; five, six and seven cards count as the same size (the best five of them).
using HandValue = std::uint32_t;

// A ranking compiled for a deck: tables instead of rules. Immutable, for any number of threads.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  const Deck& deck() const { return *deck_; }
  const Ranking& ranking() const { return *ranking_; }
  const DeckPtr& deck_ptr() const { return deck_; }
  const RankingPtr& ranking_ptr() const { return ranking_; }

  // 1 to 7 distinct cards of the deck, in any order; with six and seven the best five. docs/rules says how jokers are
  // read. Precondition: the number of cards (checked in debug builds).
  virtual HandValue evaluate(std::span<const CardId> hand) const = 0;
  // Values many hands at once, several times faster with tables: n * 5 (n * 7) cards, hand after hand; n results.
  // Throws UsageError when the sizes do not match.
  virtual void evaluate5(std::span<const CardId> hands, std::span<HandValue> values) const {
    evaluate_each(5, hands, values);
  }
  virtual void evaluate7(std::span<const CardId> hands, std::span<HandValue> values) const {
    evaluate_each(7, hands, values);
  }
  // For hands of any size, 1 to 7; faster than evaluate() only for five and seven cards. Throws like evaluate5().
  void evaluate_hands(std::size_t cards, std::span<const CardId> hands, std::span<HandValue> values) const;

  // Index into ranking().categories() of a value of a hand of `cards` cards.
  virtual int category(HandValue value, int cards = 5) const = 0;
  // 1 more than the largest value of hands of 1 to 5 cards; with tables the values have no gaps.
  virtual HandValue values(int cards = 5) const = 0;
  // True if the value qualifies (see Ranking::qualifier).
  bool qualifies(HandValue value, int cards = 5) const { return category(value, cards) >= ranking_->qualifier(); }

  // The evaluator to use in loops: one that compiles at its first use forwards calls to it.
  const Evaluator& compiled() const {
    const Evaluator* const ready = ready_.load(std::memory_order_acquire);
    return ready != nullptr ? *ready : compile();
  }

 protected:
  // Hand by hand, with evaluate(). Throws like evaluate5().
  void evaluate_each(std::size_t cards, std::span<const CardId> hands, std::span<HandValue> values) const;
  // Throws UsageError unless there are `cards_each` cards for every value.
  static void check_sizes(std::size_t cards, std::size_t hands, std::size_t values);
  Evaluator(DeckPtr deck, RankingPtr ranking) : deck_(std::move(deck)), ranking_(std::move(ranking)) {}
  // Sets ready_.
  virtual const Evaluator& compile() const {
    ready_.store(this, std::memory_order_release);
    return *this;
  }
  mutable std::atomic<const Evaluator*> ready_ = nullptr;

 private:
  DeckPtr deck_;
  RankingPtr ranking_;
};
using EvaluatorPtr = std::shared_ptr<const Evaluator>;

// Compiles an evaluator, or returns the one compiled earlier in this process for an equal deck and ranking. Throws
// ConfigError when the two do not fit: a category names a kind of cards that the deck lacks, jokers in a Court deck.
EvaluatorPtr make_evaluator(DeckPtr deck, RankingPtr ranking);
// The same, but the tables are compiled when the first hand is evaluated: this saves up to a tenth of a second for
// games that are only listed. Throws like make_evaluator().
EvaluatorPtr make_evaluator_at_first_use(DeckPtr deck, RankingPtr ranking);
// Always compiles, without the cache.
EvaluatorPtr compile_evaluator(DeckPtr deck, RankingPtr ranking);

}  // namespace dealer
