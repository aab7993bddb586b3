#include "agents/poker/hand_cdf.h"
#include "agents/poker/showdown_equity.h"
#include "tests/agents/poker/features_probe.h"
#include "tests/support/testing.h"

namespace dealer::poker::betting_facts_test {
namespace {

using test::FeaturesProbe;

struct Exact {
  double share = 0, two = 0, four = 0, percentile = 0, high = 0, low = 0, qualifies = 0;
  std::vector<double> becomes;
};

// The result of a hand against others, one by one.
struct Won {
  double whole = 0, high = 0, low = 0, hands = 0;
  void add(const GameRules& rules, const std::vector<CardId>& mine, const std::vector<CardId>& other) {
    const HandValue my_high = rules.high->evaluate(mine), other_high = rules.high->evaluate(other);
    const HandValue my_low = low_of(rules, mine), other_low = low_of(rules, other);
    whole += static_cast<double>(pot_won(my_high, my_low, other_high, other_low));
    high += static_cast<double>(beats(my_high, other_high));
    low += my_low > 0 ? static_cast<double>(beats(my_low, other_low)) : 0;
    ++hands;
  }
  static HandValue low_of(const GameRules& rules, const std::vector<CardId>& cards) {
    const HandValue value = rules.low ? rules.low->evaluate(cards) : 0;
    return rules.low && rules.low->qualifies(value) ? value + 1 : 0;
  }
};

std::vector<CardId> joined(std::vector<CardId> cards, const std::vector<CardId>& more) {
  cards.insert(cards.end(), more.begin(), more.end());
  return cards;
}

std::vector<CardId> all_but(const GameRules& rules, const std::vector<CardId>& seen) {
  std::vector<CardId> rest;
  for (int id = 0; id < rules.deck->size(); ++id)
    if (std::count(seen.begin(), seen.end(), id) == 0) rest.push_back(static_cast<CardId>(id));
  return rest;
}

// Over all future boards, and on each over all hands of an opponent.
Exact exact(const GameRules& rules, const std::vector<CardId>& own, const std::vector<CardId>& board) {
  const std::vector<CardId> unseen = all_but(rules, joined(own, board));
  Exact sum;
  sum.becomes.resize(rules.high->ranking().categories().size());
  double boards = 0;
  const auto against_all = [&](const std::vector<CardId>& full) {
    Won won;
    for (const CardId a : unseen)
      for (const CardId b : unseen)
        if (a < b && std::count(full.begin(), full.end(), a) + std::count(full.begin(), full.end(), b) == 0)
          won.add(rules, joined(full, own), joined(full, {a, b}));
    return won;
  };
  const auto on_board = [&](const std::vector<CardId>& full) {
    const Won won = against_all(full);
    const double share = won.whole / won.hands;
    sum.share += share;
    // Random hands drawn without replacement.
    sum.two += share * std::max(0.0, won.whole - 1) / (won.hands - 1);
    double four = 1;
    for (int i = 0; i < 4; ++i) four *= std::max(0.0, won.whole - i) / (won.hands - i);
    sum.four += four;
    sum.high += won.high / won.hands;
    sum.low += won.low / won.hands;
    sum.qualifies += Won::low_of(rules, joined(full, own)) > 0 ? 1 : 0;
    ++sum.becomes[at(rules.high->category(rules.high->evaluate(joined(full, own)), 7))];
    ++boards;
  };
  std::vector<CardId> full = board;
  const auto deal = [&](const auto& self, std::size_t from) -> void {
    if (full.size() == kMaxBoard) return on_board(full);
    for (std::size_t i = from; i < unseen.size(); ++i) {
      full.push_back(unseen[i]);
      self(self, i + 1);
      full.pop_back();
    }
  };
  deal(deal, 0);
  for (double* figure : {&sum.share, &sum.two, &sum.four, &sum.high, &sum.low, &sum.qualifies}) *figure /= boards;
  for (double& figure : sum.becomes) figure /= boards;
  const Won now = against_all(board);
  sum.percentile = now.high / now.hands;
  return sum;
}

void expect_near(FeaturesProbe& probe, std::string_view own, std::string_view board, double tolerance,
                 double percentile_tolerance) {
  const GameRules& rules = probe.rules();
  probe.clear().cards("hand", own).cards("board", board);
  if (rules.players == 4) probe.set("folded", 2);
  const Exact slow = exact(rules, rules.deck->parse(own), rules.deck->parse(board));
  const auto what = [&] { return std::string(own) + " on " + std::string(board); };
  const auto feature = [&](std::string_view name) { return static_cast<double>(probe[name]); };
  EXPECT_NEAR(feature("hand.percentile"), slow.percentile, percentile_tolerance) << what();
  EXPECT_NEAR(feature("share"), slow.share, tolerance) << what();
  EXPECT_NEAR(feature("share.four"), slow.four, 1.6 * tolerance) << what();
  // Two of three opponents are still in.
  EXPECT_NEAR(feature("share.all"), rules.players == 4 ? slow.two : slow.share, tolerance) << what();
  for (std::size_t c = 0; c < slow.becomes.size(); ++c)
    EXPECT_NEAR(feature("becomes." + rules.high->ranking().categories()[c].code), slow.becomes[c], 2 * tolerance)
        << what();
  if (!rules.low) return;
  EXPECT_NEAR(feature("share.high"), slow.high, tolerance) << what();
  EXPECT_NEAR(feature("share.low"), slow.low, tolerance) << what();
  EXPECT_NEAR(feature("low.becomes"), slow.qualifies, 2 * tolerance) << what();
}

TEST(HoldemFeatures, TheRiverIsExact) {
  for (const char* spec : {"holdem", "holdem[players=4]", "holdem[low=eight_or_better]", "holdem[jokers=1]"}) {
    FeaturesProbe probe(spec);
    expect_near(probe, "As Kd", "2h 7s 9c Kh 3s", 1e-5, 1e-5);
    expect_near(probe, "4s 5d", "2h 7s 8c Kh 3s", 1e-5, 1e-5);
    expect_near(probe, "2c 3d", "Ts Js Qs Ks As", 1e-5, 1e-5);
  }
  FeaturesProbe tarot("court_tarot[procedure=holdem,players=2]");
  expect_near(tarot, "As t12", "2h 7s t3 Th 3s", 1e-5, 1e-5);
}

TEST(HoldemFeatures, TheTurnMeetsEveryRiver) {
  for (const char* spec : {"holdem", "holdem[low=eight_or_better]"}) {
    FeaturesProbe probe(spec);
    expect_near(probe, "As Kd", "2h 7s 9c Kh", 0.03, 0.1);
    expect_near(probe, "4s 5s", "2h 7s 8s Kh", 0.03, 0.1);
  }
}

TEST(HoldemFeatures, TheFlopIsSampled) {
  FeaturesProbe probe("holdem");
  expect_near(probe, "As Kd", "2h 7s Kh", 0.04, 1e-5);
  expect_near(probe, "4s 5s", "2h 7s 8s", 0.04, 1e-5);
  expect_near(probe, "3c 9d", "2h 7s 8s", 0.04, 1e-5);
  FeaturesProbe split("holdem[low=eight_or_better]");
  expect_near(split, "As 2d", "3h 7s Kh", 0.05, 1e-5);
}

TEST(HoldemFeatures, PairsAreRankedBeforeTheFlop) {
  FeaturesProbe probe("holdem[players=3]");
  const auto share = [&](std::string_view own) {
    return static_cast<double>(probe.clear().cards("hand", own)["share"]);
  };
  EXPECT_NEAR(share("As Ah"), 0.852, 0.006);
  EXPECT_NEAR(share("Ks Kd"), 0.824, 0.006);
  EXPECT_NEAR(share("As Ks"), 0.670, 0.006);
  EXPECT_NEAR(share("As Kh"), 0.653, 0.006);
  EXPECT_NEAR(share("7s 2h"), 0.346, 0.006);
  EXPECT_NEAR(share("3s 2h"), 0.323, 0.006);
  EXPECT_EQ(share("As Kh"), share("Ac Kd"));
  probe.clear().cards("hand", "As Ah");
  EXPECT_EQ(probe["category.P1"], 1);
  // Six pairs of aces are the best of 1,326.
  EXPECT_NEAR(probe["hand.percentile"], 1 - 3.0 / 1326, 1e-4);
  EXPECT_NEAR(probe["share.all"], 0.734, 0.012) << "two opponents";
  EXPECT_EQ(probe.set("folded", 2)["share.all"], probe["share"]);
  // Two more aces among five cards of fifty, etc.: about one in 8.5 ends as trips or better on its own.
  EXPECT_NEAR(probe["becomes.P1"], 0.36, 0.02);
  EXPECT_EQ(probe["becomes.NON"], 0);
}

TEST(HoldemFeatures, HighLowBeforeTheFlop) {
  FeaturesProbe probe("holdem[low=eight_or_better]");
  EXPECT_GT(probe.cards("hand", "As 2s")["low.becomes"], 0.3F);
  EXPECT_NEAR(probe.clear().cards("hand", "As 2s")["share.low"], 0.3, 0.1);
  EXPECT_LT(probe.clear().cards("hand", "Ks Kd")["low.becomes"], 0.05F);
  EXPECT_GT(probe.clear().cards("hand", "Ks Kd")["share.high"], 0.8F);
}

// The cached features of one game are not used for another.
TEST(HoldemFeatures, OfTheSameCardsInTwoGames) {
  FeaturesProbe high("holdem"), split("holdem[low=eight_or_better]");
  for (FeaturesProbe* probe : {&high, &split}) probe->cards("hand", "As 2d").cards("board", "3h 7s Kh");
  const std::vector<float> first = high.input_features(), second = split.input_features();
  EXPECT_GT(split["low.becomes"], 0.3F);
  EXPECT_EQ(high.input_features(), first);
  EXPECT_EQ(split.input_features(), second);
}

// Real positions: up to the last card for all of eight players at stud, and draw games with cards that lie open.
TEST(BettingFeatures, AgreeWithShowdownsDealtByManyRandomNumbers) {
  struct Table {
    const char *spec, *feature;
    double bias, deviation;
  };
  for (const Table& table : {
           Table{"holdem", "share", 0.015, 0.035},
           {"court_tarot[procedure=holdem,players=2]", "share", 0.015, 0.035},
           {"holdem[deck=washizu_replace_random]", "share", 0.015, 0.035},
           {"stud", "share", 0.02, 0.05},
           {"stud[players=4]", "share", 0.02, 0.09},
           {"stud[players=8]", "share", 0.02, 0.09},
           {"razz[players=8]", "share", 0.02, 0.09},
           {"stud_hi_lo[players=3]", "share", 0.02, 0.05},
           {"court_tarot[procedure=stud,players=2]", "share", 0.02, 0.05},
           {"washizu[players=3]", "open.share", 0.02, 0.06},
       }) {
    SCOPED_TRACE(table.spec);
    const FeaturesProbe probe(table.spec);
    const GameRules& rules = probe.rules();
    const auto env = probe.game()->new_env({});
    RandomStream rng(8);
    env->reset(1);
    double differences = 0, squares = 0;
    int compared = 0, shared_cards = 0, mattered = 0;
    for (int decision = 0; compared < 60; ++decision) {
      const Observation seen = test::seen_at(*env);
      View view = State::decode(rules, seen.data);
      std::vector<float> input_features(probe.encoder().names().size());
      probe.encoder().encode(seen.data.data(), input_features.data());
      const auto share = static_cast<double>(FeaturesProbe::named(probe.encoder(), input_features, table.feature));
      if (rules.draws > 0 && view.own().drawn[0] < 0) {
        EXPECT_EQ(share, 0);
      } else if (view.live_count() > 1 && decision % rules.players == 0) {
        // The input features of hold'em ignore others' open cards.
        if (table.spec[0] == 'h') view.player[at(1 - view.me)].cards.clear();
        RandomStream deals(at(compared++));
        const double slow = showdown_equity(rules, view, nullptr, 4000, deals);
        differences += share - slow;
        squares += (share - slow) * (share - slow);
        shared_cards += view.board.empty() ? 0 : 1;
        mattered += slow > 0.1 && slow < 0.9 ? 1 : 0;
      }
      const std::vector<Action> legal = seen.legal_actions();
      const std::size_t choice = view.drawing ? rng.below(32) : rng.below(4) == 0 ? 2 : 1;
      if (env->step(legal[std::min(choice, legal.size() - 1)]).terminated) env->reset(rng.bits64());
    }
    EXPECT_NEAR(differences / compared, 0, table.bias);
    EXPECT_LT(std::sqrt(squares / compared), table.deviation);
    EXPECT_TRUE(rules.players < 8 || shared_cards > 0);
    EXPECT_GT(mattered, 10);
  }
}

TEST(StudFeatures, CountLiveCards) {
  FeaturesProbe probe("stud[players=3]");
  probe.cards("hand", "As Ah Ks 5s").cards("up", "Ks 5s", 0).cards("up", "Ad Kd", 1).cards("up", "9s 8s", 2);
  EXPECT_EQ(probe["category.P1"], 1);
  // Two aces, three kings and three fives are live at first, of which one ace and one king are seen.
  EXPECT_FLOAT_EQ(probe["live.pairs"], 6.0F / 8);
  EXPECT_FLOAT_EQ(probe["live.trips"], 1.0F / 2);
  EXPECT_FLOAT_EQ(probe["suit.held"], 3.0F / 5);
  EXPECT_FLOAT_EQ(probe["live.suit"], 8.0F / 10);
  // Live low cards 2, 3, 4, 6, 7 and 8: 24 cards, an eight is seen.
  EXPECT_FLOAT_EQ(probe["live.low"], 23.0F / 24);
  // The cards of a player who folded remain visible.
  probe.set("folded", 2);
  EXPECT_FLOAT_EQ(probe["live.suit"], 8.0F / 10);
  probe.clear().cards("hand", "2s 3h 4d").cards("up", "4d", 0).cards("up", "2d", 1);
  EXPECT_FLOAT_EQ(probe["live.trips"], 0);
  EXPECT_FLOAT_EQ(probe["live.pairs"], 8.0F / 9);
  EXPECT_FLOAT_EQ(probe["suit.held"], 1.0F / 5);
}

// Among all hands of as many cards, counted by hand.
TEST(StudFeatures, RankBoardsAndHands) {
  FeaturesProbe probe("stud[players=3]");
  probe.cards("hand", "As Ah Ad").cards("up", "Ad", 0).cards("up", "2d", 1).cards("up", "8c", 2);
  EXPECT_GT(probe["hand.percentile"], 0.998F);
  EXPECT_NEAR(probe["board.0"], 12.5 / 13, 0.02);
  EXPECT_NEAR(probe["board.1"], 0.5 / 13, 0.02);
  EXPECT_NEAR(probe["board.2"], 6.5 / 13, 0.02);
  EXPECT_EQ(probe.set("folded", 1)["board.1"], 0);
  probe.clear().cards("hand", "As Ah Kd Kc").cards("up", "Kd Kc", 0).cards("up", "3d 2c", 1).cards("up", "3h 3s", 2);
  EXPECT_EQ(probe["category.P2"], 1);
  // 78 of the 1,326 pairs of cards are pairs; eleven ranks of these are below the kings.
  EXPECT_NEAR(probe["board.0"], (1326 - 78 + 66 + 3) / 1326.0, 0.01);
  EXPECT_NEAR(probe["board.1"], 8 / 1326.0, 0.01);
  EXPECT_NEAR(probe["board.2"], (1326 - 78 + 6 + 3) / 1326.0, 0.01);
  FeaturesProbe razz("razz");
  razz.cards("hand", "As 2h 3d").cards("up", "3d", 0).cards("up", "Kd", 1);
  EXPECT_GT(razz["hand.percentile"], 0.99F);
  EXPECT_NEAR(razz["board.0"], 10.5 / 13, 0.02);
  EXPECT_NEAR(razz["board.1"], 0.5 / 13, 0.02);
}

TEST(StudFeatures, CardsOfThoseWhoFoldedDoNotCome) {
  FeaturesProbe probe("stud[players=3]");
  const auto flushes = [&](std::string_view folded) {
    probe.clear().cards("hand", "2s 3s 8s Js 9d").cards("up", "8s Js 9d", 0).cards("up", "5d 6c Kh", 1);
    return probe.cards("up", folded, 2).set("folded", 2)["becomes.FL"];
  };
  // Nine of 40 unseen cards are spades, or five; two are to come.
  EXPECT_NEAR(flushes("4h 7h Qh Td"), 1 - 31.0 * 30 / (40 * 39), 0.06);
  EXPECT_NEAR(flushes("4s 7s Qs Ts"), 1 - 35.0 * 34 / (40 * 39), 0.06);
}

// All seven cards of both are known except three of the other's.
TEST(StudFeatures, SharesComeNearToThoseOfAllDeals) {
  for (const char* spec : {"stud", "razz", "stud_hi_lo"}) {
    FeaturesProbe probe(spec);
    const GameRules& rules = probe.rules();
    probe.cards("hand", "As 2h 5d 5c 7s 8s Kd").cards("up", "5d 5c 7s 8s", 0).cards("up", "6h 4d 9c 9s", 1);
    const std::vector<CardId> mine = rules.deck->parse("As 2h 5d 5c 7s 8s Kd"), open = rules.deck->parse("6h 4d 9c 9s"),
                              unseen = all_but(rules, joined(mine, open));
    Won won;
    for (std::size_t a = 0; a < unseen.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        for (std::size_t c = 0; c < b; ++c) won.add(rules, mine, joined(open, {unseen[a], unseen[b], unseen[c]}));
    const auto near = [&](std::string_view name, double exact) {
      EXPECT_NEAR(static_cast<double>(probe[name]), exact, 0.09) << spec << ' ' << name;
    };
    near("share", won.whole / won.hands);
    EXPECT_EQ(probe["against.1"], probe["share"]) << spec;
    const std::size_t category = at(rules.high->category(rules.high->evaluate(mine), 7));
    EXPECT_NEAR(probe["becomes." + rules.high->ranking().categories()[category].code], 1, 1e-5);
    if (!rules.low) continue;
    near("share.high", won.high / won.hands);
    near("share.low", won.low / won.hands);
    EXPECT_NEAR(probe["low.becomes"], 1, 1e-5);
  }
}

}  // namespace
}  // namespace dealer::poker::betting_facts_test
