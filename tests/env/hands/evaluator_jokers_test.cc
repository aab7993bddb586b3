// Hands with jokers against all their readings.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/env/hands/evaluator_checks.h"

namespace dealer::evaluator_jokers_test {
namespace {

using test::codes;
using test::expect_best_of_six_and_seven;
using test::for_all_hands;
using test::for_random_hands;
using test::high;
using test::make;
using test::SameOrder;
using test::SlowHands;
using test::SlowRanking;

// The keys of five-card hands of a deck without jokers, each worked out when it is first asked for; by the
// combinatorial number of the sorted cards.
class Keys {
 public:
  Keys(const Deck& deck, const SlowHands& slow) : slow_(slow) {
    for (std::size_t card = 0; card < choose_.size(); ++card) {
      choose_[card][0] = card;
      for (std::size_t i = 1; i < 5; ++i)
        choose_[card][i] = card == 0 ? 0 : choose_[card - 1][i] + choose_[card - 1][i - 1];
    }
    keys_.resize(choose_[static_cast<std::size_t>(deck.size())][4]);
  }
  std::uint64_t operator()(const std::array<CardId, 5>& sorted) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < 5; ++i) number += choose_[sorted[i]][i];
    std::uint64_t& key = keys_[number];
    if (key == 0) key = slow_.key(sorted);
    return key;
  }

 private:
  const SlowHands& slow_;
  std::array<std::array<std::size_t, 5>, kMaxDeckCards> choose_{};  // [n][i]: C(n, i + 1)
  std::vector<std::uint64_t> keys_;                                 // 0: not known yet
};

// The best of all readings of a hand's jokers, as cards of `full`, a deck with every card that a joker may be.
class Readings {
 public:
  Readings(const Deck& deck, const Deck& full, const SlowHands& slow, bool fives)
      : full_(full), slow_(slow), keys_(full, slow), fives_(fives) {
    for (int id = 0; id < deck.size(); ++id)
      card_.push_back(
          deck.is_joker(static_cast<CardId>(id)) ? kJoker : *full.try_parse(deck.to_string(static_cast<CardId>(id))));
  }

  std::uint64_t best(std::span<const CardId> hand) {
    std::array<CardId, 5> cards{};
    std::size_t n = 0;
    for (const CardId id : hand)
      if (card_[id] != kJoker) insert(cards, n++, card_[id]);
    return read(cards, n, 0, false);
  }

 private:
  static constexpr CardId kJoker = 255;

  static void insert(std::array<CardId, 5>& sorted, std::size_t n, CardId card) {
    for (; n > 0 && sorted[n - 1] > card; --n) sorted[n] = sorted[n - 1];
    sorted[n] = card;
  }

  std::uint64_t read(const std::array<CardId, 5>& cards, std::size_t n, int first, bool duplicate) {
    if (n == 5) {
      if (!duplicate) return keys_(cards);
      const bool alike = full_.card(cards[0]).rank == full_.card(cards[4]).rank;
      return alike && std::all_of(cards.begin(), cards.end(),
                                  [&](CardId id) { return full_.card(id).rank == full_.card(cards[0]).rank; })
                 ? slow_.key(cards)
                 : 0;
    }
    std::uint64_t best = 0;
    for (int id = first; id < full_.size(); ++id) {
      const auto card = static_cast<CardId>(id);
      const auto end = cards.begin() + static_cast<std::ptrdiff_t>(n);
      const bool held = std::find(cards.begin(), end, card) != end;
      const auto same_rank =
          std::count_if(cards.begin(), end, [&](CardId c) { return full_.card(c).rank == full_.card(card).rank; });
      if ((held || same_rank >= 4) && !fives_) continue;
      std::array<CardId, 5> with = cards;
      insert(with, n, card);
      best = std::max(best, read(with, n + 1, id, duplicate || held));
    }
    return best;
  }

  const Deck& full_;
  const SlowHands& slow_;
  Keys keys_;
  bool fives_;
  std::vector<CardId> card_;  // of the full deck, by card of the deck
};

struct JokerCase {
  const char* deck;
  const char* full;
  const char* ranking;
  SlowRanking slow;
};

std::vector<JokerCase> joker_cases() {
  SlowRanking fives{codes("NON P1 P2 K3 ST FL FH K4 SF K5"), false, true, true, {}, 0};
  const SlowRanking low{codes("K4 FH K3 P2 P1 NON"), true, false, true, {}, 0};
  return {
      {"standard_52[jokers=1]", "standard_52", "high", high()},
      {"standard_52[jokers=2]", "standard_52", "high", high()},
      {"standard_52[jokers=1]", "standard_52", "high[five_of_a_kind=true]", fives},
      {"standard_52[jokers=2]", "standard_52", "high[five_of_a_kind=true]", fives},
      {"standard_52[jokers=2]", "standard_52", "ace_to_five", low},
      {"washizu_add[jokers=1]", "washizu_add[jokers=0]", "high", high()},
      {"washizu_replace_suit[jokers=2]", "washizu_add[jokers=0]", "high", high()},
      {"washizu_replace_suit[jokers=1]", "washizu_add[jokers=0]", "high[five_of_a_kind=true]", fives},
  };
}

class JokerCases : public testing::TestWithParam<std::size_t> {};

// Hands with jokers against the best of all their readings, each valued by hand: all hands of decks of up to 54 cards,
// ten million of larger ones; of any, fifty thousand in the tests that every change must pass.
TEST_P(JokerCases, JokersAreReadAsWhatIsBest) {
  const JokerCase c = joker_cases()[GetParam()];
  const EvaluatorPtr evaluator = make(c.deck, c.ranking);
  const DeckPtr full = Deck::make(c.full);
  const SlowHands slow(*full, c.slow);
  Readings readings(evaluator->deck(), *full, slow, evaluator->ranking().five_of_a_kind());
  SameOrder order;
  std::vector<HandValue> values;
  const auto check = [&](std::span<const CardId> hands) {
    values.resize(hands.size() / 5);
    evaluator->evaluate5(hands, values);
    for (std::size_t i = 0; i < values.size(); ++i) order.add(values[i], readings.best(hands.subspan(5 * i, 5)));
  };
  const int size = evaluator->deck().size();
  if (size <= 54 && test::repetitions(2) == 2)
    for_all_hands(size, 5, check);
  else
    for_random_hands(size, 5, test::all_tests() ? std::size_t{10'000'000} : std::size_t{50'000}, check);
  order.expect(std::string(c.deck) + " " + c.ranking);
}

TEST_P(JokerCases, BestFiveOfSixAndSeven) {
  const JokerCase c = joker_cases()[GetParam()];
  expect_best_of_six_and_seven(*make(c.deck, c.ranking), std::string(c.deck) + " " + c.ranking);
}

INSTANTIATE_TEST_SUITE_P(All, JokerCases, testing::Range(std::size_t{0}, joker_cases().size()));
}  // namespace
}  // namespace dealer::evaluator_jokers_test
