#include <gtest/gtest.h>

#include <cmath>

#include "agents/poker/hand_cdf.h"
#include "agents/poker/pot_share.h"
#include "tests/agents/poker/facts_probe.h"

namespace dealer::poker::holdem_facts_test {
namespace {

using test::FactsProbe;

struct Exact {
  double share = 0, two = 0, four = 0, percentile = 0, high = 0, low = 0, qualifies = 0;
  std::vector<double> becomes;
};

// Over all boards to come, and on each over all hands of an opponent.
Exact exact(const GameRules& rules, const std::vector<CardId>& own, const std::vector<CardId>& board) {
  std::vector<CardId> unseen;
  for (int id = 0; id < rules.deck->size(); ++id) {
    const auto card = static_cast<CardId>(id);
    if (std::count(own.begin(), own.end(), card) + std::count(board.begin(), board.end(), card) == 0)
      unseen.push_back(card);
  }
  const auto value = [&](const Evaluator& evaluator, std::vector<CardId> cards, CardId a, CardId b) {
    cards.insert(cards.end(), {a, b});
    return evaluator.evaluate(cards);
  };
  const auto low_value = [&](const std::vector<CardId>& cards, CardId a, CardId b) {
    if (!rules.low) return HandValue{0};
    const HandValue low = value(*rules.low, cards, a, b);
    return rules.low->qualifies(low) ? low + 1 : 0;
  };
  Exact sum;
  sum.becomes.resize(rules.high->ranking().categories().size());
  double boards = 0;
  const auto on_board = [&](const std::vector<CardId>& full) {
    const HandValue high = value(*rules.high, full, own[0], own[1]), low = low_value(full, own[0], own[1]);
    double won = 0, high_won = 0, low_won = 0, hands = 0;
    for (const CardId a : unseen) {
      for (const CardId b : unseen) {
        if (a >= b || std::count(full.begin(), full.end(), a) + std::count(full.begin(), full.end(), b) > 0) continue;
        const HandValue other = value(*rules.high, full, a, b), other_low = low_value(full, a, b);
        won += static_cast<double>(pot_won(high, low, other, other_low));
        high_won += static_cast<double>(beats(high, other));
        low_won += low > 0 ? static_cast<double>(beats(low, other_low)) : 0;
        ++hands;
      }
    }
    const double share = won / hands;
    sum.share += share;
    // Hands that are drawn at random one after the other.
    sum.two += share * std::max(0.0, won - 1) / (hands - 1);
    double four = 1;
    for (int i = 0; i < 4; ++i) four *= std::max(0.0, won - i) / (hands - i);
    sum.four += four;
    sum.high += high_won / hands;
    sum.low += low_won / hands;
    sum.qualifies += low > 0 ? 1 : 0;
    ++sum.becomes[static_cast<std::size_t>(rules.high->category(high, 7))];
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
  double hands = 0;
  for (const CardId a : unseen) {
    for (const CardId b : unseen) {
      if (a >= b) continue;
      sum.percentile +=
          static_cast<double>(beats(value(*rules.high, board, own[0], own[1]), value(*rules.high, board, a, b)));
      ++hands;
    }
  }
  sum.percentile /= hands;
  return sum;
}

void expect_near(FactsProbe& probe, std::string_view own, std::string_view board, double tolerance,
                 double percentile_tolerance) {
  const GameRules& rules = probe.rules();
  probe.clear().cards("hand", own).cards("board", board);
  if (rules.players == 4) probe.set("folded", 2);
  const Exact slow = exact(rules, rules.deck->parse(own), rules.deck->parse(board));
  const auto what = [&] { return std::string(own) + " on " + std::string(board); };
  const auto fact = [&](std::string_view name) { return static_cast<double>(probe[name]); };
  EXPECT_NEAR(fact("hand.percentile"), slow.percentile, percentile_tolerance) << what();
  EXPECT_NEAR(fact("share"), slow.share, tolerance) << what();
  EXPECT_NEAR(fact("share.four"), slow.four, 1.6 * tolerance) << what();
  // Two of three opponents are still in.
  EXPECT_NEAR(fact("share.all"), rules.players == 4 ? slow.two : slow.share, tolerance) << what();
  for (std::size_t c = 0; c < slow.becomes.size(); ++c)
    EXPECT_NEAR(fact("becomes." + rules.high->ranking().categories()[c].code), slow.becomes[c], 2 * tolerance)
        << what();
  if (!rules.low) return;
  EXPECT_NEAR(fact("share.high"), slow.high, tolerance) << what();
  EXPECT_NEAR(fact("share.low"), slow.low, tolerance) << what();
  EXPECT_NEAR(fact("low.becomes"), slow.qualifies, 2 * tolerance) << what();
}

TEST(HoldemFacts, TheRiverIsExact) {
  for (const char* spec : {"holdem", "holdem[players=4]", "holdem[low=eight_or_better]", "holdem[jokers=1]"}) {
    FactsProbe probe(spec);
    expect_near(probe, "As Kd", "2h 7s 9c Kh 3s", 1e-5, 1e-5);
    expect_near(probe, "4s 5d", "2h 7s 8c Kh 3s", 1e-5, 1e-5);
    expect_near(probe, "2c 3d", "Ts Js Qs Ks As", 1e-5, 1e-5);
  }
  FactsProbe tarot("court_tarot[procedure=holdem,players=2]");
  expect_near(tarot, "As t12", "2h 7s t3 Th 3s", 1e-5, 1e-5);
}

TEST(HoldemFacts, TheTurnMeetsEveryRiver) {
  for (const char* spec : {"holdem", "holdem[low=eight_or_better]"}) {
    FactsProbe probe(spec);
    expect_near(probe, "As Kd", "2h 7s 9c Kh", 0.03, 0.1);
    expect_near(probe, "4s 5s", "2h 7s 8s Kh", 0.03, 0.1);
  }
}

TEST(HoldemFacts, TheFlopIsSampled) {
  FactsProbe probe("holdem");
  expect_near(probe, "As Kd", "2h 7s Kh", 0.04, 1e-5);
  expect_near(probe, "4s 5s", "2h 7s 8s", 0.04, 1e-5);
  expect_near(probe, "3c 9d", "2h 7s 8s", 0.04, 1e-5);
  FactsProbe split("holdem[low=eight_or_better]");
  expect_near(split, "As 2d", "3h 7s Kh", 0.05, 1e-5);
}

// Known chances against a random hand.
TEST(HoldemFacts, PairsAreRankedBeforeTheFlop) {
  FactsProbe probe("holdem[players=3]");
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
  // Two more aces among five cards of fifty, and so on: about one in 8.5 ends as trips or better of its own.
  EXPECT_NEAR(probe["becomes.P1"], 0.36, 0.02);
  EXPECT_EQ(probe["becomes.NON"], 0);
}

TEST(HoldemFacts, HighLowBeforeTheFlop) {
  FactsProbe probe("holdem[low=eight_or_better]");
  EXPECT_GT(probe.cards("hand", "As 2s")["low.becomes"], 0.3F);
  EXPECT_NEAR(probe.clear().cards("hand", "As 2s")["share.low"], 0.3, 0.1);
  EXPECT_LT(probe.clear().cards("hand", "Ks Kd")["low.becomes"], 0.05F);
  EXPECT_GT(probe.clear().cards("hand", "Ks Kd")["share.high"], 0.8F);
}

// What one game's encoder remembers of cards is nothing to another's.
TEST(HoldemFacts, OfTheSameCardsInTwoGames) {
  FactsProbe high("holdem"), split("holdem[low=eight_or_better]");
  for (FactsProbe* probe : {&high, &split}) probe->cards("hand", "As 2d").cards("board", "3h 7s Kh");
  const std::vector<float> first = high.facts(), second = split.facts();
  EXPECT_GT(split["low.becomes"], 0.3F);
  EXPECT_EQ(high.facts(), first);
  EXPECT_EQ(split.facts(), second);
}

// Real positions, washizu cards among them, against showdowns dealt by many random numbers.
TEST(HoldemFacts, AgreeWithTheTable) {
  for (const char* spec :
       {"holdem", "court_tarot[procedure=holdem,players=2]", "holdem[deck=washizu_replace_random]"}) {
    const FactsProbe probe(spec);
    const GameRules& rules = probe.rules();
    const auto env = probe.game()->new_env({});
    RandomStream rng(8);
    env->reset(1);
    double differences = 0, squares = 0;
    int compared = 0;
    for (; compared < 60; ++compared) {
      const Observation seen = env->observe(env->current_player());
      const View view = State::decode(rules, seen.data);
      std::vector<float> facts(probe.encoder().names().size());
      probe.encoder().encode(seen.data.data(), facts.data());
      const double share = static_cast<double>(FactsProbe::named(probe.encoder(), facts, "share"));
      RandomStream deals(static_cast<std::uint64_t>(compared));
      View hidden = view;
      hidden.player[static_cast<std::size_t>(1 - view.me)].cards.clear();
      const double slow = pot_share(rules, hidden, nullptr, 1500, deals);
      differences += share - slow;
      squares += (share - slow) * (share - slow);
      const std::vector<Action> legal = seen.legal_actions();
      const bool bet = rng.below(4) == 0 && legal.size() > 2;
      if (env->step(bet ? legal[2] : legal[std::min<std::size_t>(1, legal.size() - 1)]).terminated)
        env->reset(rng.bits64());
    }
    EXPECT_NEAR(differences / compared, 0, 0.015) << spec;
    EXPECT_LT(std::sqrt(squares / compared), 0.035) << spec;
  }
}

}  // namespace
}  // namespace dealer::poker::holdem_facts_test
