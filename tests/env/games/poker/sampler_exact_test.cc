// Sampled states of small games: their frequencies against all deals, worked out one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/env/games/poker/exact_deals.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Where the cards of a state lie, as its seats see them.
Deal deal_of(const State& state) {
  Deal deal;
  for (Seat seat = 0; seat < state.rules().players; ++seat) {
    const View view = state.view(seat);
    for (const SeenCard& card : view.own().cards) deal.hand[at(seat)][at(card.when)] |= CardMask{1} << card.card;
    for (int draw = 0; draw < state.rules().draws; ++draw)
      for (const SeenCard& card : view.own().discarded[at(draw)])
        deal.discarded[at(seat)][at(draw)][at(card.when)] |= CardMask{1} << card.card;
  }
  return deal;
}
Deal without_stock(Deal deal) {
  deal.stock = deal.table = 0;
  return deal;
}

CardMask mask_of(const std::vector<SeenCard>& cards, int when) {
  CardMask mask = 0;
  for (const SeenCard& card : cards) mask |= card.when == when ? CardMask{1} << card.card : 0;
  return mask;
}

struct Case {
  const char* name;
  const char* deck;
  const char* text;
  int hands;
  int reshuffled;  // of these at least, in the middle of a hand
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class ExactDraw : public testing::TestWithParam<Case> {
 protected:
  test::TempFolder folder_;
  GameRules rules_ = read();
  GameRules read() {
    test::write_bytes(folder_ / "small.yaml", GetParam().deck);
    return rules_of(fmt::format("procedure: draw\ndeck: {}\n{}", (folder_ / "small.yaml").string(), GetParam().text));
  }

  static constexpr std::size_t kMostDeals = 60000;

  // A hand played at random, and at the same time all deals that a seat cannot tell from it.
  struct Position {
    State state;
    Seat me;
    ExactDeals deals;
    int reshuffles = 0;
  };

  CardMask visible(const Position& p, Seat seat) const {
    CardMask transparent = 0;
    for (const CardId card : rules_.transparent) transparent |= CardMask{1} << card;
    return seat == p.me ? ~CardMask{0} : transparent;
  }
  ExactDeals::Seen received(const Position& p, Seat seat, int when) const {
    return {visible(p, seat), mask_of(p.state.view(p.me).player[at(seat)].cards, when)};
  }
  ExactDeals::Seen discarded(const Position& p, Seat seat, int draw) const {
    ExactDeals::Seen seen{visible(p, seat)};
    const View view = p.state.view(p.me);
    for (const SeenCard& card : view.player[at(seat)].discarded[at(draw)]) seen.cards |= CardMask{1} << card.card;
    return seen;
  }

  // Draws of one, two or all cards keep the number of deals small; so does standing pat.
  unsigned random_discard(RandomStream& rng) const {
    static constexpr std::array<int, 6> kCounts = {0, 1, 1, 2, 4, 5};
    const int count = kCounts[rng.below(kCounts.size())];
    unsigned mask = 0;
    while (std::popcount(mask) < count) mask |= 1U << rng.below(kDrawHand);
    return mask;
  }

  std::optional<Position> play(std::uint64_t seed, bool to_the_end) const {
    RandomStream rng(seed, 31);
    State state;
    state.reset_and_hold(rules_, seed);
    const std::vector<CardId> deck = rules_.deck->in_play(state.view(0).taken_out);
    CardMask in_play = 0;
    for (const CardId card : deck) in_play |= CardMask{1} << card;
    const auto me = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules_.players)));
    Position p{state, me, ExactDeals(in_play)};
    for (int i = 1; i <= rules_.players; ++i) {
      const Seat seat = (state.dealer() + i) % rules_.players;
      p.deals.deal(seat, received(p, seat, 0));
    }
    int stock = static_cast<int>(deck.size()) - kDrawHand * rules_.players;
    const std::uint32_t draws = 1 + rng.below(static_cast<std::uint32_t>(rules_.draws * rules_.players));
    for (std::uint32_t drawn = 0; !p.state.hand_over();) {
      const Seat seat = p.state.current_player();
      if (!p.state.drawing()) {
        const bool folds = rng.below(10) == 0 && (p.state.legal_mask() & 1) != 0;
        p.state.apply_and_hold(folds ? kFold : kCall);
        if (folds) p.deals.fold(seat);
        continue;
      }
      if (!to_the_end && drawn++ == draws) break;
      const unsigned mask = random_discard(rng);
      int draw = 0;
      while (p.state.view(p.me).player[at(seat)].drawn[at(draw)] >= 0) ++draw;
      p.state.apply_and_hold(rules_.first_discard() + static_cast<Action>(mask));
      const int count = std::popcount(mask);
      p.reshuffles += stock < count ? 1 : 0;
      // How many are left after a reshuffle does not matter here: the stock is short from then on.
      stock = stock < count ? 0 : stock - count;
      if (!p.deals.draw(seat, draw, count, discarded(p, seat, draw), received(p, seat, draw + 1), kMostDeals))
        return {};
    }
    return p;
  }
};

TEST_P(ExactDraw, FrequenciesAreThoseOfAllDeals) {
  constexpr int kDraws = 20000;
  int positions = 0, reshuffled = 0;
  for (std::uint64_t seed = 0; positions < test::repetitions(GetParam().hands); ++seed) {
    ASSERT_LT(seed, 20000U) << "hardly a position is small enough";
    std::optional<Position> p = play(seed, false);
    if (!p || p->state.hand_over()) continue;
    SCOPED_TRACE(fmt::format("seed {}, {} reshuffles", seed, p->reshuffles));
    ++positions;
    reshuffled += p->reshuffles > 0 ? 1 : 0;
    std::map<Deal, double> exact;
    std::array<double, 32> to_come{};
    for (const auto& [deal, probability] : p->deals.normalized()) {
      exact[without_stock(deal)] += probability;
      const std::array<double, 32> chance = chances_to_come(deal, kDrawHand);
      for (std::size_t card = 0; card < to_come.size(); ++card) to_come[card] += probability * chance[card];
    }
    ASSERT_TRUE(exact.contains(deal_of(p->state))) << "the real deal is not among those worked out";
    std::vector<float> observation(at(State::observation_spec(rules_).size()));
    p->state.observe(p->me, observation.data());
    const State::Sampler sampler(rules_, observation);
    RandomStream rng(seed, 32);
    std::map<Deal, int> counts;
    std::array<int, 32> came{};
    for (int i = 0; i < kDraws; ++i) {
      State sampled = sampler.draw(rng);
      ++counts[deal_of(sampled)];
      const Seat seat = sampled.current_player();
      sampled.apply_and_hold(rules_.first_discard() + 31);
      for (const CardId card : sampled.cards(seat)) ++came[card];
    }
    EXPECT_LT(test::deviations(exact, counts, kDraws), 4.5) << exact.size() << " deals";
    for (std::size_t card = 0; card < came.size(); ++card) {
      const double mean = kDraws * to_come[card], spread = std::sqrt(mean * (1 - std::min(1.0, to_come[card])));
      EXPECT_NEAR(came[card], mean, 5 * spread + 1e-6) << "card " << card << " of those that come next";
    }
  }
  EXPECT_GE(reshuffled, test::repetitions(GetParam().reshuffled) - 1);
}

// At the end of a hand, when some have shown and others mucked.
TEST_P(ExactDraw, FrequenciesAfterTheShowdown) {
  constexpr int kDraws = 20000;
  int positions = 0, mucked = 0;
  for (std::uint64_t seed = 100000; positions < test::repetitions(GetParam().hands) / 2; ++seed) {
    ASSERT_LT(seed, 120000U) << "hardly a position is small enough";
    std::optional<Position> p = play(seed, true);
    if (!p || p->state.view(0).live_count() < 2) continue;
    SCOPED_TRACE(fmt::format("seed {}, {} reshuffles", seed, p->reshuffles));
    ++positions;
    const View view = p->state.view(p->me);
    HandValue best = 0;
    for (const View::Player& player : view.player)
      if (player.showed) best = std::max(best, rules_.high->evaluate(player.shown));
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const View::Player& player = view.player[at(seat)];
      CardMask shown = 0;
      for (const CardId card : player.shown) shown |= CardMask{1} << card;
      if (player.showed) p->deals.keep_if([&](const Deal& deal) { return hand_of(deal, seat) == shown; });
      if (!player.mucked || seat == p->me) continue;
      ++mucked;
      // Whoever mucks has lost to what was shown.
      p->deals.keep_if([&](const Deal& deal) {
        std::vector<CardId> hand;
        for (CardId card = 0; card < 32; ++card)
          if ((hand_of(deal, seat) >> card & 1) != 0) hand.push_back(card);
        return rules_.high->evaluate(hand) < best;
      });
    }
    std::map<Deal, double> exact;
    for (const auto& [deal, probability] : p->deals.normalized()) exact[without_stock(deal)] += probability;
    ASSERT_TRUE(exact.contains(deal_of(p->state))) << "the real deal is not among those worked out";
    std::vector<float> observation(at(State::observation_spec(rules_).size()));
    p->state.observe(p->me, observation.data());
    const State::Sampler sampler(rules_, observation);
    RandomStream rng(seed, 32);
    std::map<Deal, int> counts;
    for (int i = 0; i < kDraws; ++i) ++counts[deal_of(sampler.draw(rng))];
    EXPECT_LT(test::deviations(exact, counts, kDraws), 4.5) << exact.size() << " deals";
  }
  if (positions >= 10) {
    EXPECT_GT(mucked, 0);
  }
}

constexpr const char* kSixteenCards =
    "ranks: 2 3 4 5\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n";
constexpr const char* kFifteenCards =
    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n  clubs: {symbol: c}\n";
constexpr const char* kTwentyCards =
    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n";

INSTANTIATE_TEST_SUITE_P(
    Small, ExactDraw,
    testing::Values(Case{"draw", kSixteenCards, "players: 2\ndraws: 1\n", 12, 0},
                    Case{"draws", kFifteenCards, "players: 2\ndraws: 3\n", 40, 15},
                    Case{"transparent", kTwentyCards, "players: 2\ndraws: 3\nwashizu: replace_suit\n", 60, 10},
                    Case{"three_players", kTwentyCards, "players: 3\ndraws: 2\nwashizu: replace_suit\n", 6, 2},
                    Case{"mixed", kSixteenCards, "players: 2\ndraws: 3\nwashizu: replace_random\n", 30, 10}),
    [](const testing::TestParamInfo<Case>& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace dealer::poker
