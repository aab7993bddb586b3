// Sampled states of small games: their frequencies against all deals, worked out one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "env/core/at.h"
#include "tests/env/games/poker/exact_deals.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker::sampler_exact_test {
namespace {

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
  // Rare positions, where not just any: the observer drew across a reshuffle and cannot tell which of the cards came
  // before, and one is likelier to than another.
  std::vector<std::uint64_t> seeds = {};
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

  static constexpr std::size_t kMostDeals = 100000;

  // A hand played at random.
  struct Position {
    State state;
    Seat me;
    int reshuffles = 0;
    CardMask in_play = 0;
    // What happened to the cards; false when there are too many deals.
    std::vector<std::function<bool(ExactDeals&)>> steps = {};
  };

  static std::optional<ExactDeals> work_out(const Position& p) {
    ExactDeals deals(p.in_play);
    for (const auto& step : p.steps)
      if (!step(deals)) return {};
    return deals;
  }

  State::Sampler sampler_of(const Position& p) const { return {rules_, observed(p.state, p.me)}; }

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

  // Draws of one, two or all cards keep the number of deals small; so does standing pat. In some hands the observer
  // draws most, so that it gets cards back which it has discarded, of two stocks at once.
  static unsigned random_discard(RandomStream& rng, bool many, bool few) {
    static constexpr std::array<int, 6> kCounts = {0, 1, 1, 2, 4, 5}, kMany = {3, 4, 4, 5, 5, 5},
                                        kFew = {0, 1, 1, 1, 2, 2};
    const int count = (many ? kMany : few ? kFew : kCounts)[rng.below(kCounts.size())];
    unsigned mask = 0;
    while (std::popcount(mask) < count) mask |= 1U << rng.below(kDrawHand);
    return mask;
  }

  Position play(std::uint64_t seed, bool to_the_end) const {
    RandomStream rng(seed, 31);
    State state;
    state.reset_and_hold(rules_, seed);
    const std::vector<CardId> deck = rules_.deck->in_play(state.view(0).taken_out);
    const auto me = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules_.players)));
    Position p{state, me};
    for (const CardId card : deck) p.in_play |= CardMask{1} << card;
    for (int i = 1; i <= rules_.players; ++i) {
      const Seat seat = (state.dealer() + i) % rules_.players;
      p.steps.emplace_back([seat, seen = received(p, seat, 0)](ExactDeals& deals) {
        deals.deal(seat, seen);
        return true;
      });
    }
    int stock = static_cast<int>(deck.size()) - kDrawHand * rules_.players;
    const bool greedy = rng.below(2) == 0;
    const std::uint32_t draws = 1 + rng.below(static_cast<std::uint32_t>(rules_.draws * rules_.players));
    for (std::uint32_t drawn = 0; !p.state.hand_over();) {
      const Seat seat = p.state.current_player();
      if (!p.state.drawing()) {
        const bool folds = rng.below(10) == 0 && (p.state.legal_mask() & 1) != 0;
        p.state.apply_and_hold(folds ? kFold : kCall);
        if (!folds) continue;
        p.steps.emplace_back([seat](ExactDeals& deals) {
          deals.fold(seat);
          return true;
        });
        continue;
      }
      if (!to_the_end && drawn++ == draws) break;
      const unsigned mask = random_discard(rng, greedy && seat == me, greedy && seat != me);
      int draw = 0;
      while (p.state.view(p.me).player[at(seat)].drawn[at(draw)] >= 0) ++draw;
      p.state.apply_and_hold(rules_.first_discard() + static_cast<Action>(mask));
      const int count = std::popcount(mask);
      p.reshuffles += stock < count ? 1 : 0;
      // How many are left after a reshuffle does not matter here: the stock is short from then on.
      stock = stock < count ? 0 : stock - count;
      p.steps.emplace_back([=, gone = discarded(p, seat, draw), came = received(p, seat, draw + 1)](ExactDeals& deals) {
        return deals.draw(seat, draw, count, gone, came, kMostDeals);
      });
    }
    return p;
  }
};

TEST_P(ExactDraw, FrequenciesAreThoseOfAllDeals) {
  const int draws = GetParam().seeds.empty() ? 20000 : 200000;
  int positions = 0, reshuffled = 0;
  const std::vector<std::uint64_t>& seeds = GetParam().seeds;
  for (std::uint64_t number = 0; positions < test::repetitions(GetParam().hands); ++number) {
    ASSERT_LT(number, seeds.empty() ? 20000 : seeds.size()) << "hardly a position is small enough";
    const std::uint64_t seed = seeds.empty() ? number : seeds[number];
    const Position p = play(seed, false);
    if (p.state.hand_over()) continue;
    std::optional<ExactDeals> deals = work_out(p);
    if (!deals) continue;
    SCOPED_TRACE(fmt::format("seed {}, {} reshuffles", seed, p.reshuffles));
    ++positions;
    reshuffled += p.reshuffles > 0 ? 1 : 0;
    std::map<Deal, double> exact;
    std::array<double, 32> to_come{};
    for (const auto& [deal, probability] : deals->normalized()) {
      exact[without_stock(deal)] += probability;
      const std::array<double, 32> chance = chances_to_come(deal, kDrawHand);
      for (std::size_t card = 0; card < to_come.size(); ++card) to_come[card] += probability * chance[card];
    }
    ASSERT_TRUE(exact.contains(deal_of(p.state))) << "the real deal is not among those worked out";
    const State::Sampler sampler = sampler_of(p);
    RandomStream rng(seed, 32);
    std::map<Deal, int> counts;
    std::array<int, 32> came{};
    for (int i = 0; i < draws; ++i) {
      State sampled = sampler.draw(rng);
      ++counts[deal_of(sampled)];
      const Seat seat = sampled.current_player();
      sampled.apply_and_hold(rules_.first_discard() + 31);
      for (const CardId card : sampled.cards(seat)) ++came[card];
    }
    EXPECT_LT(test::deviations(exact, counts, draws), 4.5) << exact.size() << " deals";
    for (std::size_t card = 0; card < came.size(); ++card) {
      const double mean = draws * to_come[card], spread = std::sqrt(mean * (1 - std::min(1.0, to_come[card])));
      EXPECT_NEAR(came[card], mean, 5 * spread + 1e-6) << "card " << card << " of those that come next";
    }
  }
  EXPECT_GE(reshuffled, test::repetitions(GetParam().reshuffled) - 1);
}

// At the end of a hand, when some have shown and others mucked.
TEST_P(ExactDraw, FrequenciesAfterTheShowdown) {
  if (!GetParam().seeds.empty()) return;
  constexpr int kDraws = 20000;
  int positions = 0, mucked = 0;
  for (std::uint64_t seed = 100000; positions < test::repetitions(GetParam().hands) / 2; ++seed) {
    ASSERT_LT(seed, 120000U) << "hardly a position is small enough";
    const Position p = play(seed, true);
    if (p.state.view(0).live_count() < 2) continue;
    std::optional<ExactDeals> deals = work_out(p);
    if (!deals) continue;
    SCOPED_TRACE(fmt::format("seed {}, {} reshuffles", seed, p.reshuffles));
    ++positions;
    const View view = p.state.view(p.me);
    HandValue best = 0;
    for (const View::Player& player : view.player)
      if (player.showed) best = std::max(best, rules_.high->evaluate(player.shown));
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const View::Player& player = view.player[at(seat)];
      CardMask shown = 0;
      for (const CardId card : player.shown) shown |= CardMask{1} << card;
      if (player.showed) deals->keep_if([&](const Deal& deal) { return hand_of(deal, seat) == shown; });
      if (!player.mucked || seat == p.me) continue;
      ++mucked;
      // Whoever mucks has lost to what was shown.
      deals->keep_if([&](const Deal& deal) {
        std::vector<CardId> hand;
        for (CardId card = 0; card < 32; ++card)
          if ((hand_of(deal, seat) >> card & 1) != 0) hand.push_back(card);
        return rules_.high->evaluate(hand) < best;
      });
    }
    std::map<Deal, double> exact;
    for (const auto& [deal, probability] : deals->normalized()) exact[without_stock(deal)] += probability;
    ASSERT_TRUE(exact.contains(deal_of(p.state))) << "the real deal is not among those worked out";
    const State::Sampler sampler = sampler_of(p);
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

constexpr const char* kHalfTransparent =
    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s, transparent: true}\n  hearts: {symbol: h, transparent: true}\n"
    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n";

INSTANTIATE_TEST_SUITE_P(
    Small, ExactDraw,
    testing::Values(Case{"draw", kSixteenCards, "players: 2\ndraws: 1\n", 12, 0},
                    Case{"draws", kFifteenCards, "players: 2\ndraws: 3\n", 60, 20},
                    Case{"transparent", kTwentyCards, "players: 2\ndraws: 3\nwashizu: replace_suit\n", 60, 10},
                    Case{"three_players", kTwentyCards, "players: 3\ndraws: 2\nwashizu: replace_suit\n", 6, 2},
                    Case{"splits", kHalfTransparent, "players: 3\ndraws: 3\n", 14, 14, {2965,  11160, 11536, 11556,
                                                                                        12972, 14634, 19304, 31329,
                                                                                        35339, 36118, 39881, 40883,
                                                                                        41105, 41573, 42831, 43446,
                                                                                        44646, 46130, 52286, 57461}},
                    Case{"mixed", kSixteenCards, "players: 2\ndraws: 3\nwashizu: replace_random\n", 30, 10}),
    [](const testing::TestParamInfo<Case>& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace dealer::poker::sampler_exact_test
