#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/cards/deck.h"
#include "env/cards/shuffle.h"
#include "env/core/random.h"
#include "env/hands/evaluator.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {

// Rankings implemented again, card by card from the rules, without tables or YAML.
struct SlowRanking {
  std::vector<std::string> order;  // codes, weak to strong
  bool low = false;                // the weakest category that holds counts, lower ranks win
  bool aces_high = false;
  bool by_ranks = false;
  std::vector<int> half_flushes;  // numbers of trumps, weak to strong
  int lowest_bad_rank = 0;        // code H9: some rank of at least that
  bool wheel = true;              // high aces are below the two as well
};

// Order of hands of one to five cards without jokers: larger is stronger, equal ties.
class SlowHands {
 public:
  SlowHands(const Deck& deck, SlowRanking ranking);
  std::uint64_t key(std::span<const CardId> hand) const;
  // The counts of a hand.
  struct Counts {
    int cards = 0, pips = 0, trumps = 0, black = 0, red = 0;
    int of_rank[32] = {}, black_of_rank[32] = {}, red_of_rank[32] = {}, trump[32] = {};
    int of_suit[8] = {}, pips_of_suit[8] = {}, extra_of_suit[8] = {};
  };
  // Position of the category in the order.
  static int place(std::uint64_t key) { return static_cast<int>(key >> 53); }

 private:
  // rank: 2..14, 1..13 with low aces, in decks with other ranks likewise by their place; 0 for unranked cards.
  struct Card {
    char kind;   // p pip, t trump, e unranked
    char color;  // b, r or -
    int suit;
    int rank;
  };
  int strength(const Counts& hand) const;
  using Condition = bool (*)(const SlowHands&, const Counts&);
  static Condition condition(const std::string& code);
  bool straight(const Counts& hand) const;
  int compared(const std::string& code, const Counts& hand, int* ranks) const;

  std::vector<Card> cards_;
  SlowRanking ranking_;
  std::vector<Condition> order_;
  int ace_;  // its rank where aces are high
};

// The codes of a SlowRanking, separated by spaces.
inline std::vector<std::string> codes(std::string_view text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == ' ')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

inline SlowRanking high() { return {codes("NON P1 P2 K3 ST FL FH K4 SF"), false, true, true, {}, 0}; }

// The evaluator of the deck and ranking of those names; without a ranking, of the deck's own.
inline EvaluatorPtr make(const std::string& deck_name, const std::string& ranking = {}) {
  const DeckPtr deck = Deck::make(deck_name);
  return make_evaluator(deck, Ranking::make(ranking.empty() ? deck->default_ranking() : ranking));
}
// From files with these contents.
inline EvaluatorPtr custom(std::string_view deck_yaml, std::string_view ranking_yaml) {
  Config deck = Config::parse(deck_yaml, "d.yaml"), ranking = Config::parse(ranking_yaml, "r.yaml");
  return make_evaluator(std::make_shared<const Deck>(Deck::read("d", deck)),
                        std::make_shared<const Ranking>(Ranking::read("r", ranking)));
}

// Values and keys must give the same order.
class SameOrder {
 public:
  void add(HandValue value, std::uint64_t key) {
    if (value >= keys_.size()) keys_.resize(std::size_t{value} + 1, kNone);
    if (keys_[value] == kNone) keys_[value] = key;
    disagreements_ += keys_[value] != key ? 1 : 0;
  }
  void expect(const std::string& what) {
    EXPECT_EQ(disagreements_, 0) << what;
    std::erase(keys_, kNone);
    for (std::size_t i = 1; i < keys_.size(); ++i) ASSERT_LT(keys_[i - 1], keys_[i]) << what;
  }
  std::size_t values() const { return keys_.size(); }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::vector<std::uint64_t> keys_;
  int disagreements_ = 0;
};

// Calls f(hands) with many hands of `size` cards one after the other: all there are, in batches.
template <class F>
void for_all_hands(int deck, int size, F&& f) {
  constexpr std::size_t kBatch = 1 << 12;
  std::vector<CardId> hand(static_cast<std::size_t>(size)), hands;
  std::iota(hand.begin(), hand.end(), CardId{0});
  for (bool more = true; more;) {
    hands.insert(hands.end(), hand.begin(), hand.end());
    more = false;
    for (int place = size - 1; place >= 0 && !more; --place) {
      const auto at = static_cast<std::size_t>(place);
      if (hand[at] >= deck - size + place) continue;
      ++hand[at];
      std::iota(hand.begin() + place + 1, hand.end(), static_cast<CardId>(hand[at] + 1));
      more = true;
    }
    if (!more || hands.size() == kBatch * hand.size()) {
      f(std::span<const CardId>(hands));
      hands.clear();
    }
  }
}

template <class F>
void for_random_hands(int deck, std::size_t size, std::size_t count, F&& f) {
  RandomStream rng(size);
  std::vector<CardId> cards(static_cast<std::size_t>(deck));
  std::iota(cards.begin(), cards.end(), CardId{0});
  constexpr std::size_t kBatch = 1 << 12;
  std::vector<CardId> hands;
  for (std::size_t done = 0; done < count; done += kBatch) {
    hands.clear();
    for (std::size_t i = 0; i < kBatch; ++i) {
      shuffle_first(std::span(cards), size, rng);
      hands.insert(hands.end(), cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(size));
    }
    f(std::span<const CardId>(hands));
  }
}

// Six and seven cards, singly and in batches, against the best of their hands of five.
inline void expect_best_of_six_and_seven(const Evaluator& evaluator, const std::string& name) {
  for (const std::size_t size : {6U, 7U}) {
    const auto hands = static_cast<std::size_t>(repetitions(size == 7 ? 300000 : 20000));
    std::vector<HandValue> sevens;
    int wrong = 0;
    for_random_hands(evaluator.deck().size(), size, hands, [&](std::span<const CardId> cards) {
      if (size == 7) {
        sevens.resize(cards.size() / 7);
        evaluator.evaluate7(cards, sevens);
      }
      std::array<CardId, 5> five{};
      for (std::size_t i = 0; i < cards.size(); i += size) {
        HandValue best = 0;
        for (unsigned chosen = 0; chosen < 1U << size; ++chosen) {
          if (std::popcount(chosen) != 5) continue;
          std::size_t n = 0;
          for (std::size_t c = 0; c < size; ++c)
            if (((chosen >> c) & 1) != 0) five[n++] = cards[i + c];
          best = std::max(best, evaluator.evaluate(five));
        }
        wrong += evaluator.evaluate(cards.subspan(i, size)) != best ? 1 : 0;
        if (size == 7) wrong += sevens[i / 7] != best ? 1 : 0;
      }
    });
    EXPECT_EQ(wrong, 0) << name << ", " << size << " cards";
  }
}

}  // namespace dealer::test
