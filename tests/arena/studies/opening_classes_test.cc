// The chart of OFC's openings by class.
#include "arena/studies/fantasyland/opening_classes.h"

#include "env/games/ofc/game.h"
#include "tests/arena/testing.h"

namespace dealer::studies::fantasyland::opening_classes_test {
namespace {

using namespace test;

std::string class_of(const char* text) {
  return std::string(opening_classes()[opening_class_of(canonical(cards(text)))].name);
}

TEST(OpeningClasses, TellOpeningsApart) {
  for (const auto& [text, name] : std::map<const char*, const char*>{{"Qs Jh 9d 4c 2s", "queen_high"},
                                                                     {"As Jh 9d 4c 2s", "ace_high"},
                                                                     {"Ks Js 3s 8h 9d", "three_flush"},
                                                                     {"As 2s 5s 9h Td", "three_straight_flush"},
                                                                     {"As Qs Ts 9h 2d", "three_straight_flush"},
                                                                     {"As 9s 2s 4h 5d", "three_flush"},
                                                                     {"9s 8h 7d 6c 2s", "straight_draw"},
                                                                     {"Ks 9s 7s 2s 5d", "flush_draw"},
                                                                     {"Ts Th 7s 2s 5s", "pair_t"},
                                                                     {"Ts Th 9d 9c 5s", "two_pair_high"},
                                                                     {"4s 4h 4d 9c 5s", "trips"},
                                                                     {"As Ks Qs Js Ts", "full_house"}})
    EXPECT_EQ(class_of(text), name) << text;
}

TEST(OpeningClasses, KnowTheCardsThatMakeThem) {
  for (const auto& [text, key] : std::map<const char*, const char*>{{"As Jh 9d 4c 2s", "As"},
                                                                    {"Ks Js 3s 8h 9d", "Ks Js 3s"},
                                                                    {"9s 8h 7d 6c 2s", "9s 8h 7d 6c"},
                                                                    {"Ks Qh Jd Tc 2s", "Ks Qh Jd Tc"},
                                                                    {"Ts Th 7s 2s 5s", "Ts Th"},
                                                                    {"Ts Th 9d 9c 5s", "Ts Th 9d 9c"},
                                                                    {"9s 8h 7d 6c 5s", "9s 8h 7d 6c 5s"}}) {
    const OpeningCards opening = canonical(cards(text));
    std::multiset<int> ranks, expected;
    for_each(key_cards(opening), [&](Card card) { ranks.insert(rank_of(card)); });
    for_each(cards(key), [&](Card card) { expected.insert(rank_of(card)); });
    EXPECT_EQ(ranks, expected) << text;
  }
}

// The openings of a class are sorted by ranks and suits, with which values may change.
TEST(OpeningChart, AFewOpeningsAreLikeAll) {
  const auto suited = [] {
    return [](const OpeningCards& cards) {
      std::array<int, 4> suits{};
      for (const Card card : cards) ++suits[static_cast<std::size_t>(suit_of(card))];
      return OpeningAdvice{0, 0, static_cast<double>(std::ranges::max(suits)), 0, 0, 0};
    };
  };
  const std::vector<OpeningClass> some = opening_chart(suited, 60, 1), all = opening_chart(suited, 1'000'000, 1);
  for (std::size_t c = 0; c < all.size(); ++c)
    EXPECT_NEAR(some[c].value, all[c].value, 0.25) << opening_classes()[c].name;
}

// Pairs go to the back, the rest to the middle; two pair are divided; without a pair all goes to the front and middle.
OpeningAdvice advice_of(const OpeningCards& cards) {
  dealer::ofc::Board board;
  std::map<int, int> counts;
  for (const Card card : cards) ++counts[rank_of(card)];
  int highest_pair = -1;
  for (const auto& [rank, count] : counts)
    if (count > 1) highest_pair = rank;
  for (const Card card : cards)
    board.row[rank_of(card) == highest_pair ? dealer::ofc::kBack : dealer::ofc::kMiddle] |= bit(card);
  OpeningAdvice advice;
  advice.best = code_of(cards, board);
  advice.value = highest_pair;
  advice.foul = 0.25;
  advice.fantasyland = highest_pair >= 0 ? 0.5 : 0;
  return advice;
}

TEST(OpeningClasses, MakeAChart) {
  std::atomic<int> asked = 0;
  const auto make_rate = [&]() -> RateOpening {
    return [&](const OpeningCards& cards) {
      ++asked;
      return advice_of(cards);
    };
  };
  const std::vector<OpeningClass> chart = opening_chart(make_rate, 20, 3);
  ASSERT_EQ(chart.size(), opening_classes().size());
  double share = 0;
  int rated = 0;
  for (std::size_t i = 0; i < chart.size(); ++i) {
    const OpeningClass& one = chart[i];
    const std::string name(opening_classes()[i].name);
    share += one.share;
    rated += one.rated;
    EXPECT_GT(one.rated, 0) << name;
    EXPECT_LE(one.rated, 20) << name;
    EXPECT_NEAR(one.key_in[0] + one.key_in[1] + one.key_in[2] + one.key_divided, 1, 1e-9) << name;
    double shapes = 0;
    for (const OpeningClass::Shape& shape : one.shapes) shapes += shape.share;
    EXPECT_NEAR(shapes, 1, 1e-9) << name;
    EXPECT_EQ(opening_class_of(one.example), i) << name;
    EXPECT_EQ(one.foul, 0.25);
    if (name.starts_with("pair_")) {
      EXPECT_EQ(one.key_in[dealer::ofc::kBack], 1) << name;
      EXPECT_EQ(one.shapes.front().cards, (std::array<int, 3>{0, 3, 2})) << name;
      EXPECT_EQ(one.fantasyland, 0.5);
    }
    if (name.starts_with("two_pair")) {
      EXPECT_EQ(one.key_divided, 1) << name;
    }
    if (name == "pair_a") {
      EXPECT_EQ(one.value, 12);
      EXPECT_NEAR(one.share, 84'480.0 / kOpeningDeals, 1e-12);
    }
    if (name == "ace_high") {
      EXPECT_EQ(one.key_in[dealer::ofc::kMiddle], 1);
    }
  }
  EXPECT_NEAR(share, 1, 1e-9);
  EXPECT_EQ(asked, rated);
  const OpeningClass all = all_openings_of(chart);
  EXPECT_EQ(all.rated, rated);
  EXPECT_NEAR(all.share, 1, 1e-9);
  EXPECT_NEAR(all.foul, 0.25, 1e-9);
  EXPECT_NEAR(all.key_in[0] + all.key_in[1] + all.key_in[2] + all.key_divided, 1, 1e-9);
}

// Plays the first legal action: the front first.
FakeFactory first_legal() {
  return {"first", [] { return std::make_unique<FakeAgent>(FakeAgent::Functions{}); }};
}

TEST(OpeningPlayer, PlaysTheCardsItIsGiven) {
  const GamePtr game = make_game("ofc");
  OpeningPlayer player(*game, first_legal());
  const OpeningCards opening = canonical(cards("As Ah Kd 7d 2d"));
  const OpeningAdvice advice = player.play(opening, 1);
  // The lowest three fill the front, the others the middle.
  EXPECT_EQ(dealer::ofc::to_string(board_of(opening, advice.best)),
            dealer::ofc::to_string(dealer::ofc::Board{{cards("2d 7d Kd"), cards("As Ah"), 0}}));
  EXPECT_TRUE(advice.foul == 0 || advice.foul == 1);
  const OpeningAdvice again = player.play(opening, 1);
  EXPECT_EQ(again.value, advice.value);
  const OpeningAdvice mean = player.mean(opening, 8);
  EXPECT_EQ(mean.best, advice.best);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) sum += player.play(opening, seed).value;
  EXPECT_NEAR(mean.value, sum / 8, 1e-9);
}

// Records the players' views in the playouts of an opening.
struct Playouts {
  GamePtr game = make_game("ofc");
  std::vector<dealer::ofc::View> views;
  void play(const OpeningCards& opening, Opponents opponents) {
    const FakeFactory watching("watching", [&] {
      return std::make_unique<FakeAgent>(FakeAgent::Functions{.act = [&](const Observation& seen) -> Decision {
        views.push_back(dealer::ofc::State::decode(dealer::ofc::as_ofc(*game)->rules(), seen.data));
        return std::countr_zero(seen.legal_mask);
      }});
    });
    OpeningPlayer(*game, watching, opponents).play(opening, 1);
  }
  CardSet first_hand(int player) const {
    const auto first = std::ranges::find(views, player, &dealer::ofc::View::me);
    return first == views.end() ? 0 : first->hand;
  }
};

TEST(OpeningPlayer, DealsOtherCardsToEveryOpening) {
  std::set<CardSet> hands;
  for (const char* text : {"As Kh 9d 7d 2d", "As Kh 9d 7d 2s", "As Kh 9d 7d 2h"}) {
    Playouts playouts;
    playouts.play(canonical(cards(text)), Opponents::kNormal);
    EXPECT_EQ(playouts.views.front().fantasyland, (dealer::ofc::FantasylandCards{}));
    const CardSet opponents = playouts.first_hand(1 - playouts.views.front().me);
    EXPECT_EQ(size(opponents), kOpeningCards);
    hands.insert(opponents);
  }
  EXPECT_EQ(hands.size(), 3U) << "the playouts of openings would not be independent";
}

TEST(OpeningPlayer, PlaysAgainstFantasyland) {
  Playouts playouts;
  const OpeningCards opening = canonical(cards("As Ah Kd 7d 2d"));
  playouts.play(opening, Opponents::kInFantasyland);
  const dealer::ofc::View& first = playouts.views.front();
  EXPECT_EQ(first.hand, set_of(opening));
  EXPECT_EQ(first.fantasyland, (dealer::ofc::FantasylandCards{0, 14, 0}));
  EXPECT_EQ(size(playouts.first_hand(1 - first.me)), 14);
}

TEST(OpeningClasses, HaveIntervals) {
  int calls = 0;
  const auto make_rate = [&]() -> RateOpening {
    return [&](const OpeningCards&) { return OpeningAdvice{.value = calls++ % 2 == 0 ? 1.0 : -1.0}; };
  };
  const std::vector<OpeningClass> chart = opening_chart(make_rate, 100, 1);
  double squares = 0;
  for (const OpeningClass& one : chart) {
    EXPECT_EQ(one.value, 0);
    EXPECT_NEAR(one.value_ci95, 0.196, 1e-4);
    squares += one.share * one.share;
  }
  EXPECT_NEAR(all_openings_of(chart).value_ci95, 0.196 * std::sqrt(squares), 1e-4);
}

TEST(OpeningPlayer, RefusesAgentsThatObserveEvents) {
  const FakeFactory observing("observing", [] {
    return std::make_unique<FakeAgent>(FakeAgent::Functions{.on_events = [](std::span<const Event>) {}});
  });
  EXPECT_NE(error_message<UsageError>([&] { OpeningPlayer(*make_game("ofc"), observing); }).find("observes events"),
            std::string::npos);
}

}  // namespace
}  // namespace dealer::studies::fantasyland::opening_classes_test
