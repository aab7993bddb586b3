#include "agents/poker/hand_cdf.h"
#include "agents/poker/rule_agent.h"
#include "agents/poker/sampled_showdowns.h"
#include "agents/poker/showdown_equity.h"
#include "env/betting/pots.h"
#include "env/cards/shuffle.h"
#include "env/games/poker/game.h"
#include "env/hands/direct_evaluator.h"
#include "tests/support/testing.h"

namespace dealer::poker::showdowns_test {
namespace {

// The first position after these actions in which the seat to act holds these cards.
View view_after(const Game& game, const std::vector<Action>& actions, std::string_view hand = {}) {
  State state;
  state.reset(game.rules(), 0);
  for (const Action action : actions) state.apply(action);
  View view = state.view(state.current_player());
  if (hand.empty()) return view;
  auto& own = view.player[at(view.me)].cards;
  own.clear();
  std::vector<CardId> cards = game.rules().deck->parse(hand);
  std::sort(cards.begin(), cards.end());
  for (const CardId card : cards) own.push_back({card, 0});
  return view;
}

// Win plus half the ties against a random hand; the small blind calls 50 into a pot of 150.
TEST(ShowdownOdds, EquityBeforeTheFlopIsAsPublished) {
  const auto game = test::game_of<Game>("holdem[limit=no_limit]");
  RandomStream rng(1);
  for (const auto& [hand, equity] :
       {std::pair("Ah Ad", 0.852), std::pair("2d 2c", 0.503), std::pair("7h 2d", 0.346), std::pair("Kh Qh", 0.634)}) {
    const View view = view_after(*game, {}, hand);
    EXPECT_NEAR(ShowdownOdds(game->rules()).equity(view, 40'000, rng), equity, 0.012)
        << hand;  // a standard error of 0.25%
    EXPECT_DOUBLE_EQ(ShowdownOdds::needed(view), 0.25);
  }
  EXPECT_EQ(ShowdownOdds::needed(view_after(*test::game_of<Game>("draw"), {})), 0) << "nothing to call";
}

// A player with 1000 chips calls 1000 of a bet of 1800 into a pot of 1800: 800 go back.
TEST(ShowdownOdds, ABetLargerThanTheStackIsNotPartOfThePotOdds) {
  View view;
  view.player.resize(2);
  view.player[0].paid = 900;
  view.player[1].paid = 2700;
  view.pot = 3600;
  view.to_call = 1000;
  EXPECT_DOUBLE_EQ(ShowdownOdds::needed(view), 1000 / 3800.0);
  view.to_call = 1800;
  EXPECT_DOUBLE_EQ(ShowdownOdds::needed(view), 1800 / 5400.0);
}

// The share of the pot decreases with the number of opponents, for any discard.
TEST(ShowdownOdds, EveryOpponentTakesHisPart) {
  const auto game = test::game_of<Game>("draw[players=3]");
  const auto shares = [&](Action second) {
    const View view = view_after(*game, {kCall, second, kCall});
    EXPECT_TRUE(view.drawing);
    RandomStream rng(4);
    std::map<std::string, double> by_cards;
    for (const DiscardOdds& discard : ShowdownOdds(game->rules()).discards(view, 500, rng))
      by_cards[game->rules().deck->to_string(discard.cards)] = discard.share;
    return by_cards;
  };
  const auto two = shares(kCall), one = shares(kFold);
  ASSERT_EQ(one.size(), 32U);
  for (const auto& [cards, share] : one) EXPECT_LT(two.at(cards), share) << cards;
}

// Four to a flush without a pair: 9 of the 47 unseen cards make it, 12 a pair.
TEST(ShowdownOdds, WhatADrawBringsIsWhatTheCardsAre) {
  const auto game = test::game_of<Game>("draw");
  const GameRules& rules = game->rules();
  const auto category = [&](const char* name) {
    const auto all = rules.high->ranking().categories();
    return static_cast<int>(std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; }) -
                            all.begin());
  };
  RandomStream rng(3);
  const View view = view_after(*game, {kCall, kCall}, "9s 7s 4s 2s 3d");
  const std::vector<DiscardOdds> all = ShowdownOdds(rules).discards(view, 20'000, rng);
  ASSERT_EQ(all.size(), 32U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].share, all[i].share);
  const auto to_flush = std::find_if(
      all.begin(), all.end(), [&](const DiscardOdds& each) { return rules.deck->to_string(each.cards) == "3d"; });
  ASSERT_NE(to_flush, all.end());
  const auto& becomes = to_flush->becomes;
  EXPECT_NEAR(becomes.at(category("flush")), 9.0 / 47, 0.01);
  EXPECT_NEAR(becomes.at(category("one pair")), 12.0 / 47, 0.012);
  EXPECT_NEAR(becomes.at(category("high card")), 26.0 / 47, 0.012);
  for (const DiscardOdds& discard : all) {
    double sum = 0;
    for (const auto& [_, share] : discard.becomes) sum += share;
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_GE(discard.share, 0);
    EXPECT_LE(discard.share, 1);
    if (!discard.cards.empty()) continue;
    EXPECT_EQ(discard.becomes, (std::map<int, double>{{category("high card"), 1.0}}));
  }
}

// All but two cards have been seen: these two replace the first of the discarded cards, the others stay, and the result
// of each discard is known.
TEST(ShowdownOdds, OfAStockThatIsTooSmallAllComes) {
  const auto game = test::game_of<Game>("draw");
  const GameRules& rules = game->rules();
  View view = view_after(*game, {kCall, kCall});
  std::vector<CardId> unseen = unseen_cards(rules, view);
  ASSERT_EQ(unseen.size(), 47U);
  for (; unseen.size() > 2; unseen.pop_back()) view.player[at(1 - view.me)].discarded[0].push_back({unseen.back(), 1});
  ASSERT_EQ(unseen_cards(rules, view), unseen);
  RandomStream rng(5);
  const std::vector<DiscardOdds> all = ShowdownOdds(rules).discards(view, 400, rng);
  ASSERT_EQ(all.size(), 32U);
  int short_of_cards = 0;
  for (const DiscardOdds& discard : all) {
    if (discard.cards.size() < 2) continue;
    short_of_cards += discard.cards.size() > 2 ? 1 : 0;
    std::vector<CardId> hand = unseen;
    std::size_t gone = 0;
    for (const SeenCard& seen : view.own().cards) {
      const bool goes = std::find(discard.cards.begin(), discard.cards.end(), seen.card) != discard.cards.end();
      if (!goes || ++gone > 2) hand.push_back(seen.card);
    }
    const int category = rules.high->category(rules.high->evaluate(hand), kDrawHand);
    EXPECT_EQ(discard.becomes, (std::map<int, double>{{category, 1.0}})) << rules.deck->to_string(discard.cards);
  }
  EXPECT_EQ(short_of_cards, 16);
}

constexpr int kSamples = 20000;

// Hold'em: own cards and the board, with unseen opponents.
View holdem_view(const GameRules& rules, std::string_view own, std::string_view board = "") {
  View view;
  view.players = rules.players;
  view.player.resize(at(rules.players));
  for (const CardId card : rules.deck->parse(own)) view.player[0].cards.push_back({card, 0});
  view.board = rules.deck->parse(board);
  return view;
}

double share(const GameRules& rules, const View& view) {
  RandomStream rng(2);
  return showdown_equity(rules, view, nullptr, kSamples, rng);
}

// The observer's mean share of the pots over all hands of one opponent.
double exact_share(const GameRules& rules, const View& view) {
  const std::vector<CardId> unseen = unseen_cards(rules, view);
  std::vector<CardId> own;
  for (const SeenCard& seen : view.own().cards) own.push_back(seen.card);
  constexpr betting::Chips kPaid = 500;
  double paid = 0, hands = 0;
  for (std::size_t a = 0; a < unseen.size(); ++a)
    for (std::size_t b = a + 1; b < unseen.size(); ++b) {
      betting::Values values;
      for (const std::size_t seat : {0U, 1U}) {
        std::vector<CardId> cards = seat == 0 ? own : std::vector<CardId>{unseen[a], unseen[b]};
        cards.insert(cards.end(), view.board.begin(), view.board.end());
        values.high[seat] = rules.high->evaluate(cards);
        values.low[seat] = rules.low->evaluate(cards);
        if (rules.low->qualifies(values.low[seat], 7))
          values.qualified = static_cast<SeatSet>(values.qualified | betting::bit(static_cast<int>(seat)));
      }
      betting::Pots pots = betting::make_pots({kPaid, kPaid}, 0b11);
      paid += betting::settle(pots, values, 0, 2, betting::OddChips::kLeftOfDealer).chips[0];
      ++hands;
    }
  return paid / hands / (2.0 * kPaid);
}

TEST(PotShare, HighLowIsWhatThePotsPayOnAverage) {
  const auto game = test::game_of<Game>("holdem[low=eight_or_better]");
  const GameRules& rules = game->rules();
  struct Hand {
    const char *own, *board;
  };
  for (const Hand& hand : {Hand{"Ac 2d", "Ks Kh 8d 7c 4s"},     // a low that can only be tied, next to no high
                           Hand{"Ac 2d", "3s 4h 5d Kc 9s"},     // both halves, quartered by another ace and deuce
                           Hand{"6c 7d", "3s 4h 5d Kc 9s"},     // a better straight, a poor low
                           Hand{"Qc Qd", "3s 4h Kd Kc 9s"},     // nobody has a low
                           Hand{"Kd Kc", "Ks Kh 8d 7c 5s"},     // all of high, half the pot to a low
                           Hand{"Jc Td", "As 2h 3d 8c 9s"}}) {  // nothing either way
    const View view = holdem_view(rules, hand.own, hand.board);
    EXPECT_NEAR(share(rules, view), exact_share(rules, view), 5 * 0.5 / std::sqrt(kSamples)) << hand.own;
  }
}

// Against one opponent half of all hands have more than half the pot, against two about half more than a third, and
// more than half the pot only pairs and high aces.
TEST(OpeningBook, HandsAreRankedByTheNumberOfOpponents) {
  const GamePtr game = make_game("holdem[limit=no_limit,players=3]");
  const OpeningBook book(as_poker(*game)->rules(), nullptr);
  EXPECT_NEAR(book.better(0.5, 1), 0.5, 0.08);
  EXPECT_NEAR(book.better(1.0 / 3, 2), 0.48, 0.08);
  EXPECT_LT(book.better(0.5, 2), 0.1);
  EXPECT_GT(book.better(0.5, 2), 0);
  for (const int opponents : {1, 2}) {
    EXPECT_EQ(book.better(0, opponents), 1);
    EXPECT_EQ(book.better(1, opponents), 0);
    for (double share = 0.05; share < 1; share += 0.05)
      EXPECT_LE(book.better(share, opponents), book.better(share - 0.05, opponents)) << share;
  }
}

// The texts of cards after canonical suit ordering; one role per word group, groups separated by '/'.
std::string ordered(std::string_view spec, const std::vector<std::string>& groups) {
  const auto game = test::game_of<Game>(spec);
  const GameRules& rules = game->rules();
  const SuitOrder suits(rules);
  SuitOrder::Marks marks{};
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const CardId card : rules.deck->parse(groups[i])) suits.mark(card, static_cast<int>(i), marks);
  const SuitOrder::Suits order = suits.order(marks);
  std::string text;
  for (const std::string& group : groups) {
    std::set<CardId> renamed;
    for (const CardId card : rules.deck->parse(group)) renamed.insert(suits.rename(card, order));
    for (const CardId card : renamed) text += rules.deck->to_string(card) + ' ';
    text += '/';
  }
  return text;
}

TEST(SuitOrder, NamesOfSuitsDoNotMatter) {
  const std::string one = ordered("holdem", {"As Kh", "2s 3s 4d"});
  EXPECT_EQ(one, ordered("holdem", {"Ac Kd", "2c 3c 4h"}));
  EXPECT_EQ(one, ordered("holdem", {"Ah Ks", "3h 2h 4c"}));
  EXPECT_NE(one, ordered("holdem", {"Ah Ks", "2s 3s 4c"})) << "the flush draw is the king's";
  EXPECT_NE(one, ordered("holdem", {"Ah Kh", "2s 3s 4c"}));
  EXPECT_NE(one, ordered("holdem", {"2s 3s 4d", "As Kh"}));
}

// Colours matter there: suits may be exchanged only within black and within red.
TEST(SuitOrder, SuitsThatTheRankingTellsApartKeepTheirNames) {
  const std::string game = "court_color[procedure=holdem]";
  EXPECT_EQ(ordered(game, {"As Ac"}), ordered(game, {"Ac As"}));
  EXPECT_EQ(ordered(game, {"2s 3h"}), ordered(game, {"2c 3d"}));
  EXPECT_NE(ordered(game, {"2s 3c"}), ordered(game, {"2s 3h"}));
  EXPECT_NE(ordered(game, {"2s 3c"}), ordered(game, {"2h 3d"}));
  const std::string trumps = "court_tarot[procedure=holdem]";
  EXPECT_EQ(ordered(trumps, {"2s t3"}), ordered(trumps, {"2d t3"}));
  EXPECT_NE(ordered(trumps, {"2s t3"}), ordered(trumps, {"2s t4"}));
}

TEST(CommonDeals, EachNumberTakesAllPartsOfItsRange) {
  for (const std::size_t size : {32U, 64U, 128U}) {
    const CommonDeals& deals = CommonDeals::of(size);
    ASSERT_EQ(deals.size(), size);
    // The first card and the second of as many cards as there are deals, the second among the remaining ones.
    std::multiset<CardId> first, second;
    for (std::size_t row = 0; row < size; ++row) {
      std::vector<CardId> cards;
      for (std::size_t i = 0; i < size; ++i) cards.push_back(static_cast<CardId>(i));
      deals.deal(row, cards, 2);
      first.insert(cards[0]);
      second.insert(cards[1]);
      EXPECT_EQ(std::set<CardId>(cards.begin(), cards.end()).size(), size) << "they are only moved";
    }
    EXPECT_EQ(std::set<CardId>(first.begin(), first.end()).size(), size);
    EXPECT_GT(std::set<CardId>(second.begin(), second.end()).size(), size * 3 / 4);
  }
  EXPECT_EQ(CommonDeals::of(85).size(), 64U);
  EXPECT_EQ(CommonDeals::of(20).size(), 32U);
}

std::vector<HandValue> random_hands(const Evaluator& evaluator, int count, std::uint64_t seed) {
  std::vector<CardId> deck(at(evaluator.deck().size()));
  std::iota(deck.begin(), deck.end(), CardId{0});
  RandomStream rng(seed);
  std::vector<HandValue> values;
  for (int n = 0; n < count; ++n) {
    shuffle_first(std::span(deck), 5, rng);
    values.push_back(evaluator.evaluate(std::span(deck).first(5)));
  }
  return values;
}

// Hand by hand.
std::uint32_t slow_count(const Evaluator& evaluator, bool low_half, const std::vector<HandValue>& hands,
                         HandValue value) {
  const auto counts = [&](HandValue v) { return !low_half || evaluator.qualifies(v); };
  std::uint32_t twice = 0;
  for (const HandValue hand : hands) {
    if (counts(value) && counts(hand))
      twice += value > hand ? 2 : value == hand ? 1 : 0;
    else
      twice += counts(value) ? 2 : counts(hand) ? 0 : 1;
  }
  return twice;
}

void expect_counts(const EvaluatorPtr& evaluator, bool low_half) {
  const std::vector<HandValue> hands = random_hands(*evaluator, 300, 1);
  const HandCdf cdf(evaluator, low_half, hands);
  EXPECT_EQ(cdf.hands(), hands.size());
  std::vector<HandValue> asked = random_hands(*evaluator, 300, 2);
  asked.insert(asked.end(), hands.begin(), hands.end());  // ties
  asked.push_back(0);
  asked.push_back(evaluator->values() - 1);
  std::vector<std::uint32_t> sums(asked.size(), 7);
  cdf.add_twice_beaten(asked, sums);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::uint32_t expected = slow_count(*evaluator, low_half, hands, asked[i]);
    ASSERT_EQ(cdf.twice_beaten(asked[i]), expected) << asked[i];
    ASSERT_EQ(sums[i], 7 + expected) << asked[i];
  }
}

TEST(HandCdf, CountsAsHandByHand) {
  expect_counts(make_evaluator(Deck::make("standard_52"), Ranking::make("high")), false);
  expect_counts(make_evaluator(Deck::make("court_tarot_54"), Ranking::make("court_tarot_54")), false);
}

TEST(HandCdf, LowsThatDoNotQualifyAreAllTheSame) {
  const auto evaluator = make_evaluator(Deck::make("standard_52"), Ranking::make("eight_or_better"));
  expect_counts(evaluator, true);
  expect_counts(evaluator, false);  // as the only half, every hand counts
}

// Values by the rules are too many for a table.
TEST(HandCdf, CountsWithoutATable) {
  for (const char* ranking : {"high", "eight_or_better"}) {
    const auto evaluator = make_direct_evaluator(Deck::make("standard_52"), Ranking::make(ranking));
    ASSERT_GT(evaluator->values(), 1U << 20);
    expect_counts(evaluator, ranking == std::string("eight_or_better"));
  }
}

}  // namespace
}  // namespace dealer::poker::showdowns_test
