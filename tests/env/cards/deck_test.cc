#include "env/cards/deck.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "env/cards/card.h"
#include "env/core/error.h"
#include "env/hands/ranking.h"
#include "tests/env/harness/game_harness.h"
#include "tests/support/error_message.h"
#include "tests/support/temp_folder.h"

namespace dealer::deck_test {
namespace {

using test::error_message;

Deck read(std::string_view yaml) {
  Config config = Config::parse(yaml, "d.yaml");
  Deck deck = Deck::read("d", config);
  config.finish();
  return deck;
}

std::string refusal(std::string_view yaml) {
  return error_message<ConfigError>([&] { read(yaml); });
}

constexpr std::string_view kRanks = "ranks: A 2 3 4 5 6 7 8 9 T\n";
constexpr std::string_view kFour =
    "ranks: A 2 3 4 5 6 7 8 9 T\n"
    "suits:\n"
    "  a: {symbol: a}\n  b: {symbol: b}\n  c: {symbol: c}\n  d: {symbol: d}\n";

std::string with(std::string_view start, std::string_view rest) { return std::string(start) + std::string(rest); }

TEST(Deck, EveryShippedDeckLoads) {
  const std::vector<std::pair<std::string, int>> sizes = {{"court_color_52", 52},
                                                          {"court_color_52_prototype_1", 52},
                                                          {"court_color_52_prototype_2", 52},
                                                          {"court_color_52_prototype_3", 52},
                                                          {"court_extra_52", 52},
                                                          {"court_tarot_52", 52},
                                                          {"court_tarot_53", 53},
                                                          {"court_tarot_54", 54},
                                                          {"neo_tarot_54", 54},
                                                          {"short_36", 36},
                                                          {"standard_52", 52},
                                                          {"standard_52_ace_low", 52},
                                                          {"tarot_78", 78},
                                                          {"washizu_add", 66},
                                                          {"washizu_replace_random", 53},
                                                          {"washizu_replace_suit", 53}};
  std::vector<std::string> names;
  for (const auto& [name, size] : sizes) {
    const DeckPtr deck = Deck::make(name);
    EXPECT_EQ(deck->cards_in_play(), size) << name;
    EXPECT_NO_THROW(Ranking::make(deck->default_ranking())) << name;
    names.push_back(name);
  }
  EXPECT_EQ(deck_names(), names);
}

TEST(Deck, TheStandardDeckHasTheIndicesOfCard) {
  const DeckPtr deck = Deck::make("standard_52[jokers=2]");
  ASSERT_EQ(deck->size(), 54);
  EXPECT_TRUE(deck->begins_as_standard());
  for (int id = 0; id < kCards; ++id)
    EXPECT_EQ(deck->to_string(static_cast<CardId>(id)), to_string(static_cast<Card>(id)));
  EXPECT_EQ(deck->to_string(CardId{53}), "X2");
  EXPECT_TRUE(deck->is_joker(53));
}

TEST(Deck, TrumpsAndCourtCardsHaveNames) {
  const DeckPtr tarot = Deck::make("court_tarot_54");
  EXPECT_EQ(tarot->to_string(tarot->parse("t0 T13, as")), "t0 t13 As");
  EXPECT_TRUE(tarot->has_trumps());
  const DeckPtr color = Deck::make("court_color_52");
  EXPECT_FALSE(color->has_trumps());
  EXPECT_TRUE(color->is_court());
  const CardId jack = *color->try_parse("Js");
  EXPECT_EQ(color->card(jack).rank, -1);
  EXPECT_EQ(color->suits()[static_cast<std::size_t>(color->card(jack).suit)].color, Color::kBlack);
}

TEST(Deck, ReadsCardsTogetherOrApart) {
  const DeckPtr standard = Deck::make("standard_52");
  EXPECT_EQ(standard->parse("KdQd6h"), standard->parse("Kd Qd, 6h"));
  const DeckPtr tarot = Deck::make("tarot_78");
  EXPECT_EQ(tarot->to_string(tarot->parse("t13t1As")), "t13 t1 As");
  EXPECT_EQ(error_message<ParseError>([&] { standard->parse("Kd 1x"); }),
            "'1x' is not a card of 'standard_52'; cards look like 2s, Ac");
  EXPECT_EQ(error_message<ParseError>([&] { standard->parse("X1"); }),
            "'X1' is not a card of 'standard_52'; it has no jokers");
  EXPECT_EQ(error_message<ParseError>([&] { Deck::make("washizu_add")->parse("X2"); }),
            "'X2' is not a card of 'washizu_add'; it has 1 joker");
  EXPECT_EQ(error_message<ParseError>([&] { standard->parse("Kd kd"); }), "the card Kd is given twice");
}

TEST(Cards, MessagesShowLettersOfSeveralBytesWhole) {
  for (const auto& [text, shown] : {std::pair("Ah 日本", "'日'"), std::pair("Aé", "'Aé'"), std::pair("Kx", "'Kx'")})
    EXPECT_TRUE(error_message<ParseError>([&, typed = text] {
                  parse_cards(typed);
                }).starts_with(std::string(shown) + " is not"))
        << text;
}

TEST(Deck, WashizuCardsComeInThreeWays) {
  const DeckPtr add = Deck::make("washizu_add");
  EXPECT_TRUE(add->card(*add->try_parse("Aw")).transparent);
  EXPECT_FALSE(add->card(*add->try_parse("As")).transparent);
  const DeckPtr suit = Deck::make("washizu_replace_suit[washizu_replaces=hearts]");
  EXPECT_FALSE(suit->try_parse("Ah"));
  EXPECT_EQ(suit->absent_suit()->name, "hearts");
  const DeckPtr random = Deck::make("washizu_replace_random");
  EXPECT_EQ(random->size(), 66);
  const std::vector<std::uint8_t> out = {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3};
  const std::vector<CardId> cards = random->in_play(out);
  EXPECT_EQ(cards.size(), 53U);
  EXPECT_TRUE(std::is_sorted(cards.begin(), cards.end()));
  EXPECT_EQ(std::count(cards.begin(), cards.end(), *random->try_parse("2s")), 0);
  EXPECT_EQ(std::count(cards.begin(), cards.end(), *random->try_parse("3s")), 1);
  EXPECT_EQ(std::count(cards.begin(), cards.end(), *random->try_parse("Ac")), 0);
  EXPECT_EQ(std::count(cards.begin(), cards.end(), *random->try_parse("Aw")), 1);
}

TEST(Deck, ARankingsFileMayLieBesideTheDecks) {
  const test::TempFolder folder;
  test::write_bytes(folder / "d.yaml", with(kFour, "ranking: r.yaml\n"));
  test::write_bytes(folder / "r.yaml", "order: [NON, P1]\n");
  const DeckPtr deck = Deck::make((folder / "d.yaml").string());
  EXPECT_EQ(Ranking::make(deck->default_ranking())->categories().size(), 2U);
}

TEST(Deck, RefusesBadFilesInOneLineThatNamesThePlace) {
  test::check_cases("decks.refused", [](std::string yaml) {
    for (const auto& [name, start] : {std::pair("four\n", kFour), {"...\n", kRanks}})
      if (yaml.starts_with(name)) yaml.replace(0, std::string_view(name).size(), start);
    return refusal(yaml);
  });
  EXPECT_TRUE(
      refusal(with(kFour, "ranking: hihg\n"))
          .starts_with("d.yaml:7: ranking: there is no ranking 'hihg'; did you mean 'high'?; expected the path of"));
  EXPECT_TRUE(error_message<UsageError>([] {
                Deck::make("standard_25");
              }).starts_with("there is no deck 'standard_25'; did you mean 'standard_52'?"));
}

}  // namespace
}  // namespace dealer::deck_test
