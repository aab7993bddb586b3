#include "agents/ofc/chain_values.h"

#include <set>

#include "agents/ofc/fantasyland.h"
#include "agents/ofc/model_play.h"
#include "env/games/ofc/game.h"
#include "tests/agents/ofc/ofc_support.h"
#include "tests/support/cards.h"
#include "tests/support/testing.h"

namespace dealer::ofc::chain_values_test {
namespace {

TEST(ChainValues, HaveAPlaceForEveryState) {
  std::set<std::size_t> places;
  for (const int own : {0, 13, 14, 15, 16, 17})
    for (const int other : {0, 13, 14, 15, 16, 17})
      for (const bool deals : {false, true}) places.insert(ChainValues::index(own, other, deals));
  EXPECT_EQ(places.size(), ChainValues::kSize);
  EXPECT_EQ(*places.rbegin(), ChainValues::kSize - 1);
  ChainValues values;
  values.at(16, 0, false) = 4;
  values.at(16, 0, true) = 7;
  EXPECT_EQ(values.fantasyland(16), 5.5);
}

Rules progressive() {
  Rules rules;
  rules.bonus.fantasyland_cards = {14, 15, 16, 17, 14};
  return rules;
}

// The points of all hands from a Fantasyland hand on, played out: hands set exactly, the others' boards drawn.
class PlayedOut {
 public:
  PlayedOut(const Rules& rules, std::span<const Board> boards, double stay_value)
      : rules_(rules), boards_(boards), rows_(row_values_against(boards, rules.bonus)), stay_value_(stay_value) {}

  double mean(int cards, int chains) {
    double sum = 0;
    for (int i = 0; i < chains; ++i) sum += chain(cards, 0);
    return sum / chains;
  }

 private:
  BoardValue board(int cards) {
    if (cards == 0) return evaluate(boards_[rng_.below(static_cast<std::uint32_t>(boards_.size()))], rules_);
    return evaluate(solve_fantasyland(test::random_cards(rng_, cards), {stay_value_, &rows_, &rules_}).board, rules_);
  }
  double chain(int own, int other) {
    double points = 0;
    while (own != 0 || other != 0) {
      const BoardValue mine = board(own), theirs = board(other);
      points += score(mine, theirs, rules_.bonus);
      own = own != 0 ? mine.stays : mine.fantasyland;
      other = other != 0 ? theirs.stays : theirs.fantasyland;
    }
    return points;
  }

  const Rules& rules_;
  std::span<const Board> boards_;
  RowValues rows_;
  double stay_value_;
  RandomStream rng_{5};
};

TEST(EstimatedChainValues, EqualHandsPlayedOut) {
  const Rules rules = progressive();
  const std::vector<Board> boards = test::shipped_model()->boards;
  const ChainValues values = estimated_chain_values(rules, boards);
  PlayedOut play(rules, boards, values.fantasyland(14));
  for (const int cards : {14, 17}) EXPECT_NEAR(values.fantasyland(cards), play.mean(cards, 4000), 0.9) << cards;
  for (const int cards : {15, 16, 17}) EXPECT_GT(values.fantasyland(cards), values.fantasyland(cards - 1) + 1);
  EXPECT_EQ(values.fantasyland(13), 0) << "no hand of these rules has 13 cards";
  for (const int own : {0, 14, 17})
    for (const int other : {0, 14, 17}) EXPECT_EQ(values(own, other, false), -values(other, own, true));
}

TEST(EstimatedChainValues, AreNearTheLearnedOneOfTheShippedModel) {
  const auto model = test::shipped_model();
  EXPECT_NEAR(estimated_chain_values(model->rules, model->boards).fantasyland(14), model->chain.fantasyland(14), 1.5);
}

TEST(ModelPlay, EstimatesWhatFantasylandIsWorthUnderOtherRules) {
  const auto model = test::shipped_model();
  const auto value = [&](const std::string& spec, FantasylandAfter after = kAfterPair) {
    return ModelPlay(model, test::game_of<Game>(spec)->rules()).fantasyland_value(after);
  };
  EXPECT_EQ(value("ofc"), model->chain.fantasyland(14));
  EXPECT_EQ(value("ofc[match.start_points=100]"), model->chain.fantasyland(14)) << "the same scores";
  EXPECT_LT(value("ofc[fantasyland.cards=13]"), value("ofc") - 1);
  EXPECT_GT(value("ofc[fantasyland.cards=16]"), value("ofc") + 3);
  EXPECT_GT(value("ofc_progressive", kAfterTrips), value("ofc_progressive", kAfterAces) + 1);
  EXPECT_NEAR(value("ofc_progressive"), value("ofc"), 1.5);
}

}  // namespace
}  // namespace dealer::ofc::chain_values_test
