#include "env/hands/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/core/random.h"
#include "env/hands/direct_evaluator.h"
#include "env/hands/hand_rank.h"
#include "env/hands/table_batch.h"
#include "env/hands/table_evaluator.h"
#include "tests/env/hands/slow_hands.h"
#include "tests/env/harness/random_play.h"

namespace dealer {
namespace {

using test::SlowHands;
using test::SlowRanking;

std::vector<std::string> codes(std::string_view text) {
  std::vector<std::string> result(1);
  for (const char c : text) {
    if (c == ' ')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

struct Case {
  const char* deck;
  const char* ranking;
  SlowRanking slow;
};

SlowRanking high() { return {codes("NON P1 P2 K3 ST FL FH K4 SF"), false, true, true, {}, 0}; }
SlowRanking high_ace_low() { return {codes("NON P1 P2 K3 ST FL FH K4 SF"), false, false, true, {}, 0}; }
SlowRanking court(std::string_view order, std::vector<int> half_flushes = {}) {
  return {codes(order), false, false, false, std::move(half_flushes), 0};
}
SlowRanking ranks_too(SlowRanking ranking) {
  ranking.by_ranks = true;
  return ranking;
}

constexpr const char* kTarot54 = "NON P1 HF MW P2 K3 ST FH EFL FL K4 SF ESF";
constexpr const char* kTarot78 = "NON P1 HF MW P2 K3 EFL ST FL FH K4 SF ESF";
constexpr const char* kNeo = "NON P1 HF MW P2 K3 EFL ST FH FL K4 SF ESF";
constexpr const char* kExtra = "NON P1 D3 MW P2 K3 D4 SeF ST FH FL D5 K4 SF";
constexpr const char* kColor = "NON P1x P1c CFL MX P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5";

std::vector<Case> cases() {
  const std::vector<int> tarot{3, 2, 4, 1}, neo{3, 4, 2, 1};
  SlowRanking eight{codes("H9 P1 NON"), true, false, true, {}, 9};
  return {
      {"standard_52", "high", high()},
      {"standard_52_ace_low", "high_ace_low", high_ace_low()},
      {"standard_52", "ace_to_five", {codes("K4 FH K3 P2 P1 NON"), true, false, true, {}, 0}},
      {"standard_52", "eight_or_better", eight},
      {"court_tarot_54", "court_tarot_54", court(kTarot54, tarot)},
      {"court_tarot_53", "court_tarot_53", court(kTarot54, tarot)},
      {"court_tarot_52", "court_tarot_52", court("NON P1 HF MW P2 K3 ST FH FL EFL K4 SF ESF", tarot)},
      {"court_tarot_54", "court_tarot_54[ties=ranks]", ranks_too(court(kTarot54, tarot))},
      {"court_extra_52", "court_extra_52", court(kExtra)},
      {"court_extra_52", "court_extra_52[ties=ranks]", ranks_too(court(kExtra))},
      {"court_color_52", "court_color_52", court(kColor)},
      {"court_color_52", "court_color_52[ties=ranks]", ranks_too(court(kColor))},
      {"court_color_52_prototype_1", "court_color_52_prototype_1",
       court("NON P1 MW P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"court_color_52_prototype_2", "court_color_52_prototype_2",
       court("NON P1 MW CFL P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"court_color_52_prototype_3", "court_color_52_prototype_3",
       court("NON P1x P1c MW CFL P2 K3 D3 SeF ST FH D4 FL EFL K4 SF D5")},
      {"neo_tarot_54", "neo_tarot_54", court(kNeo, neo)},
      {"tarot_78", "tarot_78", court(kTarot78, neo)},
      {"tarot_78", "tarot_78[ties=ranks]", ranks_too(court(kTarot78, neo))},
      {"washizu_add[jokers=0]", "high", high()},
      {"washizu_add[jokers=0]",
       "high[five_of_a_kind=true]",
       {codes("NON P1 P2 K3 ST FL FH K4 SF K5"), false, true, true, {}, 0}},
      {"washizu_replace_suit[jokers=0]", "high", high()},
  };
}

EvaluatorPtr make(const std::string& deck, const std::string& ranking) {
  return make_evaluator(Deck::make(deck), Ranking::make(ranking));
}

// Values and keys must be two names for one order.
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

// Six and seven cards, alone and many at once, against the best of their hands of five.
void expect_best_of_six_and_seven(const Evaluator& evaluator, const std::string& name) {
  for (const std::size_t size : {6U, 7U}) {
    const auto hands = static_cast<std::size_t>(test::repetitions(size == 7 ? 300000 : 20000));
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

class EvaluatorCases : public testing::TestWithParam<std::size_t> {
 protected:
  Case case_ = cases()[GetParam()];
  EvaluatorPtr evaluator_ = make(case_.deck, case_.ranking);
  std::string name_ = std::string(case_.deck) + " " + case_.ranking;
};

// Every hand of decks of up to 54 cards; of larger ones ten million at random.
TEST_P(EvaluatorCases, FiveCardsAreOrderedAsByHand) {
  const int size = evaluator_->deck().size();
  const SlowHands slow(evaluator_->deck(), case_.slow);
  SameOrder order;
  std::vector<HandValue> values;
  const auto check = [&](std::span<const CardId> hands) {
    values.resize(hands.size() / 5);
    evaluator_->evaluate5(hands, values);
    for (std::size_t i = 0; i < values.size(); ++i) order.add(values[i], slow.key(hands.subspan(5 * i, 5)));
  };
  if (size <= 54 && test::repetitions(2) == 2)
    for_all_hands(size, 5, check);
  else
    for_random_hands(size, 5, static_cast<std::size_t>(test::repetitions(size <= 54 ? 100000 : 10000000)), check);
  order.expect(name_);
  if (size <= 54 && test::repetitions(2) == 2) {
    EXPECT_EQ(order.values(), evaluator_->values());
  }
}

TEST_P(EvaluatorCases, FewerCardsAreOrderedAsByHand) {
  const SlowHands slow(evaluator_->deck(), case_.slow);
  for (const int size : {1, 2, 3, 4}) {
    SameOrder order;
    const auto check = [&](std::span<const CardId> hands) {
      const auto cards = static_cast<std::size_t>(size);
      for (std::size_t i = 0; i < hands.size(); i += cards) {
        const auto hand = hands.subspan(i, cards);
        order.add(evaluator_->evaluate(hand), slow.key(hand));
      }
    };
    if (size < 4)
      for_all_hands(evaluator_->deck().size(), size, check);
    else
      for_random_hands(evaluator_->deck().size(), 4, 20000, check);
    order.expect(name_);
  }
}

TEST_P(EvaluatorCases, BestFiveOfSixAndSeven) { expect_best_of_six_and_seven(*evaluator_, name_); }

TEST_P(EvaluatorCases, CategoriesAreThoseOfTheValues) {
  const auto categories = evaluator_->ranking().categories();
  const SlowHands slow(evaluator_->deck(), case_.slow);
  for_random_hands(evaluator_->deck().size(), 5, 5000, [&](std::span<const CardId> hands) {
    for (std::size_t i = 0; i < hands.size(); i += 5) {
      const auto hand = hands.subspan(i, 5);
      const auto place = static_cast<std::size_t>(SlowHands::place(slow.key(hand)));
      const int category = evaluator_->category(evaluator_->evaluate(hand));
      ASSERT_EQ(categories[static_cast<std::size_t>(category)].code, case_.slow.order[place]);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, EvaluatorCases, testing::Range(std::size_t{0}, cases().size()));

// The keys of all five-card hands of a deck without jokers, by the combinatorial number of the sorted cards.
class AllKeys {
 public:
  AllKeys(const Deck& deck, const SlowHands& slow) {
    for (std::size_t card = 0; card < choose_.size(); ++card) {
      choose_[card][0] = card;
      for (std::size_t i = 1; i < 5; ++i)
        choose_[card][i] = card == 0 ? 0 : choose_[card - 1][i] + choose_[card - 1][i - 1];
    }
    keys_.resize(number(std::array<CardId, 5>{}) + choose_[static_cast<std::size_t>(deck.size())][4]);
    for_all_hands(deck.size(), 5, [&](std::span<const CardId> hands) {
      for (std::size_t i = 0; i < hands.size(); i += 5) {
        std::array<CardId, 5> hand{};
        std::copy_n(hands.begin() + static_cast<std::ptrdiff_t>(i), 5, hand.begin());
        keys_[number(hand)] = slow.key(hand);
      }
    });
  }
  std::uint64_t operator()(const std::array<CardId, 5>& sorted) const { return keys_[number(sorted)]; }

 private:
  std::size_t number(const std::array<CardId, 5>& sorted) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += choose_[sorted[i]][i];
    return sum;
  }
  std::array<std::array<std::size_t, 5>, kMaxDeckCards> choose_{};  // [n][i]: C(n, i + 1)
  std::vector<std::uint64_t> keys_;
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

  std::uint64_t best(std::span<const CardId> hand) const {
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

  std::uint64_t read(const std::array<CardId, 5>& cards, std::size_t n, int first, bool duplicate) const {
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
  AllKeys keys_;
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
// ten million of larger ones.
TEST_P(JokerCases, JokersAreReadAsWhatIsBest) {
  const JokerCase c = joker_cases()[GetParam()];
  const EvaluatorPtr evaluator = make(c.deck, c.ranking);
  const DeckPtr full = Deck::make(c.full);
  const SlowHands slow(*full, c.slow);
  const Readings readings(evaluator->deck(), *full, slow, evaluator->ranking().five_of_a_kind());
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
    for_random_hands(size, 5, static_cast<std::size_t>(test::repetitions(10000000)), check);
  order.expect(std::string(c.deck) + " " + c.ranking);
}

TEST_P(JokerCases, BestFiveOfSixAndSeven) {
  const JokerCase c = joker_cases()[GetParam()];
  expect_best_of_six_and_seven(*make(c.deck, c.ranking), std::string(c.deck) + " " + c.ranking);
}

INSTANTIATE_TEST_SUITE_P(All, JokerCases, testing::Range(std::size_t{0}, joker_cases().size()));

// The vector code and the plain code read the same tables and must agree.
TEST(Evaluator, KernelsAgree) {
  for (const char* name : {"standard_52[jokers=2]", "court_color_52", "tarot_78", "washizu_add"}) {
    const DeckPtr deck = Deck::make(name);
    const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(deck->default_ranking()));
    for (const std::size_t size : {5U, 7U}) {
      for_random_hands(deck->size(), size, 20000, [&](std::span<const CardId> hands) {
        // Any number of hands, whole vectors or not.
        for (const std::size_t count : {hands.size() / size, std::size_t{1}, std::size_t{63}, std::size_t{65}}) {
          std::vector<HandValue> values(count);
          if (size == 5)
            evaluator->evaluate5(hands.first(count * size), values);
          else
            evaluator->evaluate7(hands.first(count * size), values);
          for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(values[i], evaluator->evaluate(hands.subspan(i * size, size))) << name;
        }
      });
    }
  }
}

// The same order as the evaluator of the standard deck alone, for any number of cards.
TEST(Evaluator, StandardHandsAgreeWithHandRanks) {
  const EvaluatorPtr evaluator = make("standard_52", "high");
  for (std::size_t size = 1; size <= 7; ++size) {
    SameOrder order;
    for_random_hands(52, size, 50000, [&](std::span<const CardId> hands) {
      for (std::size_t i = 0; i < hands.size(); i += size) {
        const auto hand = hands.subspan(i, size);
        CardSet set = 0;
        for (const CardId card : hand) set |= bit(card);
        order.add(evaluator->evaluate(hand), evaluate(set));
      }
    });
    order.expect(std::to_string(size));
  }
}

// Rules applied hand by hand give the order of the tables.
TEST(Evaluator, WithoutTablesTheOrderIsTheSame) {
  for (const auto& [deck_name, ranking_name] : std::initializer_list<std::pair<const char*, const char*>>{
           {"standard_52[jokers=2]", "high[five_of_a_kind=true]"},
           {"standard_52[jokers=1]", "ace_to_five"},
           {"court_color_52", "court_color_52"},
           {"washizu_replace_suit", "high"},
           {"court_tarot_54", "court_tarot_54"}}) {
    const DeckPtr deck = Deck::make(deck_name);
    const RankingPtr ranking = Ranking::make(ranking_name);
    const EvaluatorPtr tables = make_evaluator(deck, ranking), direct = make_direct_evaluator(deck, ranking);
    for (const std::size_t size : {3U, 5U, 7U}) {
      SameOrder order;
      for_random_hands(deck->size(), size, 5000, [&](std::span<const CardId> hands) {
        for (std::size_t i = 0; i < hands.size(); i += size) {
          const auto hand = hands.subspan(i, size);
          order.add(tables->evaluate(hand), direct->evaluate(hand));
          ASSERT_EQ(tables->category(tables->evaluate(hand), static_cast<int>(size)),
                    direct->category(direct->evaluate(hand), static_cast<int>(size)));
        }
      });
      order.expect(std::string(deck_name) + " " + ranking_name);
    }
  }
}

TEST(Evaluator, EightOrBetterQualifies) {
  const EvaluatorPtr evaluator = make("standard_52", "eight_or_better");
  const auto qualifies = [&](std::string_view cards) {
    return evaluator->qualifies(evaluator->evaluate(evaluator->deck().parse(cards)));
  };
  EXPECT_TRUE(qualifies("As 2h 3d 4c 5s"));
  EXPECT_TRUE(qualifies("8s 7h 6d 5c 4s Ks Kh"));
  EXPECT_FALSE(qualifies("9s 4h 3d 2c As"));
  EXPECT_FALSE(qualifies("8s 7h 6d 5c 5s"));
}

TEST(Evaluator, SizesMustFit) {
  const EvaluatorPtr evaluator = make("standard_52", "high");
  std::vector<CardId> cards(10);
  std::vector<HandValue> values(3);
  EXPECT_THROW(evaluator->evaluate5(cards, values), UsageError);
  EXPECT_THROW(evaluator->evaluate7(cards, values), UsageError);
}

TEST(Evaluator, RankingsThatDoNotFitTheDeckAreRefused) {
  EXPECT_THROW(make("standard_52", "court_tarot_54"), ConfigError);
  EXPECT_THROW(make("court_tarot_54", "court_extra_52"), ConfigError);
}

TEST(Evaluator, CompiledAtFirstUseIsTheSame) {
  for (const char* name : {"standard_52", "court_tarot_54", "standard_52[jokers=1]"}) {
    const DeckPtr deck = Deck::make(name);
    const RankingPtr ranking = Ranking::make(deck->default_ranking());
    const EvaluatorPtr real = make_evaluator(deck, ranking), late = make_evaluator_at_first_use(deck, ranking);
    EXPECT_EQ(&late->deck(), deck.get());
    EXPECT_EQ(&late->ranking(), ranking.get());
    EXPECT_EQ(late->values(), real->values());
    std::vector<CardId> cards(static_cast<std::size_t>(deck->size()));
    std::iota(cards.begin(), cards.end(), CardId{0});
    RandomStream rng(3);
    std::vector<CardId> hands;
    for (int i = 0; i < 200; ++i) {
      for (std::size_t at = 0; at < 7; ++at)
        std::swap(cards[at], cards[at + rng.below(static_cast<std::uint32_t>(cards.size() - at))]);
      hands.insert(hands.end(), cards.begin(), cards.begin() + 7);
    }
    std::vector<HandValue> a(200), b(200);
    real->evaluate7(hands, a);
    late->evaluate7(hands, b);
    EXPECT_EQ(a, b) << name;
    const std::span<const CardId> fives(hands.data(), 1000);
    real->evaluate5(fives, a);
    late->evaluate5(fives, b);
    EXPECT_EQ(a, b) << name;
    for (const HandValue value : a) EXPECT_EQ(late->category(value), real->category(value)) << name;
    EXPECT_EQ(late->evaluate(fives.first(3)), real->evaluate(fives.first(3))) << name;
  }
}

TEST(Evaluator, CardsAloneAsInItsTables) {
  for (const char* name : {"standard_52", "court_tarot_54", "tarot_78", "standard_52[jokers=1]"}) {
    const DeckPtr deck = Deck::make(name);
    for (const std::string& ranking : {deck->default_ranking(), std::string("ace_to_five")}) {
      if (deck->is_court() && ranking == "ace_to_five") continue;
      const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(ranking));
      const std::vector<HandValue> values = card_values(*evaluator);
      ASSERT_EQ(values.size(), static_cast<std::size_t>(deck->size()));
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], evaluator->evaluate(std::array<CardId, 1>{static_cast<CardId>(i)})) << name << ' ' << i;
    }
  }
}

// Whoever comes first compiles, the others wait: the thread sanitizer looks on.
TEST(Evaluator, CompiledAtFirstUseByManyThreads) {
  const DeckPtr deck = Deck::make("court_extra_52");
  const EvaluatorPtr late = make_evaluator_at_first_use(deck, Ranking::make(deck->default_ranking()));
  std::array<HandValue, 4> values{};
  std::vector<std::thread> threads;
  for (HandValue& value : values)
    threads.emplace_back([&] { value = late->evaluate(std::array<CardId, 5>{0, 1, 2, 3, 4}); });
  for (std::thread& thread : threads) thread.join();
  for (const HandValue value : values) EXPECT_EQ(value, values[0]);
}

}  // namespace
}  // namespace dealer
