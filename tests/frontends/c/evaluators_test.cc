#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "agents/ofc/fantasyland.h"
#include "env/core/random.h"
#include "env/core/registry.h"
#include "env/hands/hand_comparison.h"
#include "tests/frontends/c/c99_calls.h"
#include "tests/frontends/c/c_support.h"
#include "tests/support/texts.h"

// Hands and Fantasyland settings through the C interface, against the C++ ones.
namespace dealer::test::evaluators_test {
namespace {

std::vector<CardId> random_cards(int deck_size, std::size_t count, RandomStream& rng) {
  std::vector<CardId> deck(static_cast<std::size_t>(deck_size));
  std::iota(deck.begin(), deck.end(), CardId{0});
  for (std::size_t i = 0; i < count; ++i)
    std::swap(deck[i], deck[i + rng.below(static_cast<std::uint32_t>(deck.size() - i))]);
  deck.resize(count);
  return deck;
}

TEST(CEvaluators, NameTheDecksAndRankings) {
  EXPECT_EQ(list_of(dc_deck_names), deck_names());
  EXPECT_EQ(list_of(dc_ranking_names), ranking_names());
}

class EveryCDeck : public testing::TestWithParam<std::string> {};

TEST_P(EveryCDeck, ValuesHandsAsTheOtherDoes) {
  const DeckPtr deck = Deck::make(GetParam());
  const EvaluatorPtr evaluator = make_evaluator(deck, Ranking::make(deck->default_ranking()));
  const CEvaluator same = open_evaluator(GetParam());
  std::int32_t cards = 0;
  EXPECT_DC_OK(dc_evaluator_num_cards(same.get(), &cards));
  ASSERT_EQ(cards, deck->size());
  for (int card = 0; card < cards; ++card) {
    const char* text = nullptr;
    EXPECT_DC_OK(dc_evaluator_card_text(same.get(), static_cast<CardId>(card), &text));
    EXPECT_EQ(text, deck->to_string(static_cast<CardId>(card)));
  }
  RandomStream rng(4);
  for (int i = 0; i < 350; ++i) {
    const int size = 1 + i % 7;
    const std::vector<CardId> hand = random_cards(cards, static_cast<std::size_t>(size), rng);
    dc_hand result = {};
    EXPECT_DC_OK(dc_evaluate(same.get(), hand.data(), hand.size(), &result));
    const HandValue value = evaluator->evaluate(hand);
    const int category = evaluator->category(value, size);
    const auto expect_value = [&] {
      EXPECT_EQ(result.value, value);
      EXPECT_EQ(result.index, category);
      EXPECT_EQ(result.code, evaluator->ranking().categories()[static_cast<std::size_t>(category)].code);
      EXPECT_EQ(result.category, evaluator->ranking().categories()[static_cast<std::size_t>(category)].name);
      EXPECT_EQ(result.qualifies != 0, evaluator->qualifies(value, size));
    };
    expect_value();
    result = {};
    EXPECT_DC_OK(dc_evaluator_describe(same.get(), value, size, &result));
    expect_value();
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(EveryCDeck, ValuesManyHandsAsOne) {
  const CEvaluator evaluator = open_evaluator(GetParam());
  std::int32_t cards = 0;
  EXPECT_DC_OK(dc_evaluator_num_cards(evaluator.get(), &cards));
  RandomStream rng(5);
  for (const int size : {5, 7}) {
    constexpr std::size_t kHands = 203;
    std::vector<CardId> hands;
    for (std::size_t i = 0; i < kHands; ++i)
      for (const CardId card : random_cards(cards, static_cast<std::size_t>(size), rng)) hands.push_back(card);
    std::vector<std::uint32_t> values(kHands);
    EXPECT_DC_OK(dc_evaluate_many(evaluator.get(), size, hands.data(), kHands, values.data()));
    for (std::size_t i = 0; i < kHands; ++i) {
      dc_hand one = {};
      EXPECT_DC_OK(dc_evaluate(evaluator.get(), hands.data() + i * static_cast<std::size_t>(size),
                               static_cast<std::size_t>(size), &one));
      ASSERT_EQ(values[i], one.value);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Decks, EveryCDeck, testing::ValuesIn(deck_names()), [](const auto& one) { return one.param; });

std::uint32_t value_of(const char* cards) {
  std::uint32_t value = 0;
  EXPECT_DC_OK(c99_value("standard_52", cards, &value));
  return value;
}

TEST(CEvaluators, OrderHands) {
  EXPECT_GT(value_of("2s 2h 3d 4c 5s"), value_of("As Kh Qd Jc 9s"));
  EXPECT_GT(value_of("AsKsQsJsTs"), value_of("2s 2h 2d 2c 3s 3h 3d"));
  EXPECT_EQ(value_of("As Kh Qd Jc 9s"), value_of("9h Jd Qc Ks Ad"));
}

// Value of these cards under a ranking, and the hand's name.
std::pair<dc_hand, std::string> hand_of(const char* ranking, const char* text) {
  const CEvaluator evaluator = open_evaluator("standard_52", ranking);
  std::uint8_t cards[7] = {};
  std::size_t count = 0;
  dc_hand hand = {};
  EXPECT_DC_OK(dc_evaluator_parse_cards(evaluator.get(), text, cards, 7, &count));
  EXPECT_EQ(count, 5U);
  EXPECT_DC_OK(dc_evaluate(evaluator.get(), cards, count, &hand));
  const std::string name =
      text_of([&](char** made) { return dc_evaluator_hand_name(evaluator.get(), cards, count, made); });
  return {hand, name + ", " + hand.category};
}

TEST(CEvaluators, HaveRankingsNamesAndHandsThatMayNotWin) {
  const auto [high, name] = hand_of("high", "Ks Kh 8d 8c As");
  EXPECT_EQ(name, "two pair, kings and eights, two pair");
  EXPECT_NE(high.value, hand_of("ace_to_five", "Ks Kh 8d 8c As").first.value);
  EXPECT_EQ(hand_of("eight_or_better", "8s 6h 4d 3c As").first.qualifies, 1);
  EXPECT_EQ(hand_of("eight_or_better", "9s 6h 4d 3c As").first.qualifies, 0);
}

class CEvaluatorErrors : public testing::Test {
 protected:
  const CEvaluator evaluator_ = open_evaluator("standard_52");
  dc_hand hand_ = {nullptr, nullptr, -9, -9, 0};
  std::uint32_t values_[2] = {123, 456};
  void expect_refused(dc_status status, dc_status expected, const std::string& message) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(std::string(dc_last_error()), message);
    EXPECT_EQ(hand_.index, -9);
    EXPECT_EQ(values_[0], 123U);
    EXPECT_EQ(values_[1], 456U);
  }
};

TEST_F(CEvaluatorErrors, OfSingleHands) {
  const auto refused = [&](const std::vector<std::uint8_t>& cards, const std::string& message) {
    expect_refused(dc_evaluate(evaluator_.get(), cards.data(), cards.size(), &hand_), DC_USAGE, message);
  };
  refused({3, 9, 3}, "card 2c is given twice");
  refused({0, 52}, "there is no card 52 in 'standard_52'; expected 0 to 51");
  refused({0, 1, 2, 3, 4, 5, 6, 7}, "8 cards given; a hand has 1 to 7");
  const std::uint8_t card = 0;
  expect_refused(dc_evaluate(evaluator_.get(), &card, 0, &hand_), DC_USAGE, "0 cards given; a hand has 1 to 7");
  expect_refused(dc_evaluator_describe(evaluator_.get(), 0xffffffffU, 5, &hand_), DC_USAGE,
                 "there is no value 4294967295; expected 0 to 7461");
  expect_refused(dc_evaluator_describe(evaluator_.get(), 0, 8, &hand_), DC_USAGE, "hands of 8 cards; expected 1 to 7");
}

TEST_F(CEvaluatorErrors, OfManyHands) {
  const CEvaluator tarot = open_evaluator("tarot_78");
  std::vector<std::uint8_t> cards(35);
  std::iota(cards.begin(), cards.end(), std::uint8_t{0});
  struct Case {
    const CEvaluator& evaluator;
    int size;
    std::size_t hands, at;
    std::uint8_t card;
    const char* message;
  };
  for (const Case& each : {Case{evaluator_, 5, 2, 9, 6, "hand 1: card 3d is given twice"},
                           {evaluator_, 5, 2, 9, 52, "hand 1: there is no card 52 in 'standard_52'; expected 0 to 51"},
                           {evaluator_, 6, 1, 0, 0, "hands of 6 cards; expected 5 or 7"},
                           {evaluator_, 7, 5, 34, 28, "hand 4: card 9s is given twice"},
                           {tarot, 7, 2, 12, 11, "hand 1: card 3c is given twice"},
                           {tarot, 7, 2, 12, 78, "hand 1: there is no card 78 in 'tarot_78'; expected 0 to 77"}}) {
    std::vector<std::uint8_t> hands = cards;
    hands[each.at] = each.card;
    std::vector<std::uint32_t> values(each.hands, 123);
    EXPECT_EQ(dc_evaluate_many(each.evaluator.get(), each.size, hands.data(), each.hands, values.data()), DC_USAGE);
    EXPECT_STREQ(dc_last_error(), each.message);
    EXPECT_EQ(values, std::vector<std::uint32_t>(each.hands, 123));
  }
  EXPECT_DC_OK(dc_evaluate_many(evaluator_.get(), 7, nullptr, 0, nullptr));
  EXPECT_DC_OK(dc_evaluate_many(tarot.get(), 7, cards.data(), 1, values_));
}

TEST_F(CEvaluatorErrors, OfTexts) {
  std::uint8_t cards[2] = {99, 99};
  std::size_t count = 77;
  EXPECT_EQ(dc_evaluator_parse_cards(evaluator_.get(), "As Xx", cards, 2, &count), DC_PARSE);
  EXPECT_EQ(dc_evaluator_parse_cards(evaluator_.get(), "As As", cards, 2, &count), DC_PARSE);
  EXPECT_EQ(dc_evaluator_parse_cards(evaluator_.get(), "As Ks Qs", cards, 2, &count), DC_USAGE);
  EXPECT_STREQ(dc_last_error(), "3 cards given; there is room for 2");
  EXPECT_EQ(count, 77U);
  EXPECT_EQ(cards[0], 99);
  dc_evaluator* none = nullptr;
  EXPECT_EQ(dc_evaluator_open("standard", nullptr, &none), DC_USAGE);
  EXPECT_EQ(dc_evaluator_open("standard_52", "hihg", &none), DC_USAGE);
  EXPECT_EQ(none, nullptr);
}

std::vector<CardId> of(CardSet set) {
  std::vector<CardId> cards;
  for_each(set, [&](Card card) { cards.insert(cards.begin(), card); });
  return cards;
}

TEST(CFantasyland, IsSetAsTheSolverSetsIt) {
  const CGame ofc = open_game("ofc");
  RandomStream rng(2);
  for (std::size_t count = 13; count <= 17; ++count)
    for (const double stay : {0.0, 9.5}) {
      const std::vector<CardId> cards = random_cards(kCards, count, rng);
      const CardSet set = to_set(cards);
      ofc::FantasylandGoal goal;
      goal.stay_value = stay;
      const ofc::Setting best = ofc::solve_fantasyland(set, goal);
      const auto& row = best.board.row;
      dc_setting setting = {};
      EXPECT_DC_OK(dc_fantasyland(ofc.get(), cards.data(), cards.size(), stay, &setting));
      EXPECT_EQ(std::vector<CardId>(setting.front, setting.front + 3), of(row[ofc::kFront]));
      EXPECT_EQ(std::vector<CardId>(setting.middle, setting.middle + 5), of(row[ofc::kMiddle]));
      EXPECT_EQ(std::vector<CardId>(setting.back, setting.back + 5), of(row[ofc::kBack]));
      ASSERT_EQ(setting.num_discards, static_cast<int>(count) - 13);
      EXPECT_EQ(std::vector<CardId>(setting.discards, setting.discards + setting.num_discards), of(best.discards));
      EXPECT_EQ(std::tuple(setting.royalties, setting.stays != 0, setting.value),
                std::tuple(best.royalties, best.stays, best.value));
      expect_members(Json::parse(text_of([&](char** text) {
                       return dc_fantasyland_json(ofc.get(), to_string(set).c_str(), stay, text);
                     })),
                     {{"front", to_string(row[ofc::kFront])},
                      {"middle", to_string(row[ofc::kMiddle])},
                      {"back", to_string(row[ofc::kBack])},
                      {"discard", to_string(best.discards)},
                      {"royalties", best.royalties},
                      {"stays", best.stays},
                      {"value", best.value}});
    }
}

TEST(CFantasyland, KnowsTheRulesOfTheGame) {
  const char* const cards = "9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s";
  const auto royalties = [&](const char* spec) {
    const CGame ofc = open_game(spec);
    return Json::parse(
        text_of([&](char** text) { return dc_fantasyland_json(ofc.get(), cards, 0, text); }))["royalties"];
  };
  EXPECT_NE(royalties("ofc"), royalties("ofc[royalties.back.four_of_a_kind=99]"));
}

TEST(CFantasyland, RefusesOtherHandsAndGames) {
  const CGame ofc = open_game("ofc"), holdem = open_game("holdem");
  std::vector<CardId> cards(18);
  std::iota(cards.begin(), cards.end(), CardId{0});
  dc_setting setting = {};
  setting.royalties = -9;
  const auto refused = [&](const CGame& game, std::size_t count, double stay, const char* message) {
    EXPECT_EQ(dc_fantasyland(game.get(), cards.data(), count, stay, &setting), DC_USAGE);
    EXPECT_STREQ(dc_last_error(), message);
    EXPECT_EQ(setting.royalties, -9);
  };
  refused(ofc, 12, 0, "12 cards given; a Fantasyland hand has 13 to 17");
  refused(ofc, 18, 0, "18 cards given; a Fantasyland hand has 13 to 17");
  refused(holdem, 14, 0, "'holdem' is not Open-Face Chinese");
  refused(ofc, 14, std::nan(""), "stay_value is not a finite number");
  cards[13] = 52;
  refused(ofc, 14, 0, "there is no card 52; expected 0 to 51");
  cards[13] = 0;
  refused(ofc, 14, 0, "card 2s is given twice");
  char* json = nullptr;
  EXPECT_EQ(dc_fantasyland_json(ofc.get(), "As Ks Zz", 0, &json), DC_PARSE);
  EXPECT_EQ(json, nullptr);
}

}  // namespace
}  // namespace dealer::test::evaluators_test
