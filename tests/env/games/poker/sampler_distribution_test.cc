// Sampled states: their distribution against what really lay there, over many hands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker {
namespace {

struct Held {
  CardId card;
  int when;       // it came
  int discarded;  // in which draw; -1: still held
};
using Cards = std::vector<Held>;

// What the others have and had, by seat.
std::vector<Cards> others_cards(const State& state, Seat me) {
  std::vector<Cards> all(static_cast<std::size_t>(state.rules().players));
  for (Seat seat = 0; seat < state.rules().players; ++seat) {
    if (seat == me) continue;
    const View own = state.view(seat);
    Cards& cards = all[static_cast<std::size_t>(seat)];
    for (const SeenCard& card : own.own().cards) cards.push_back({card.card, card.when, -1});
    for (int draw = 0; draw < state.rules().draws; ++draw)
      for (const SeenCard& card : own.own().discarded[static_cast<std::size_t>(draw)])
        cards.push_back({card.card, card.when, draw});
  }
  return all;
}

// Figures of hidden cards together with what the observer knows: small numbers, whose frequencies are compared.
std::vector<int> figures(const View& view, const std::vector<Cards>& hidden) {
  std::set<CardId> gone, mine;
  for (const auto& draw : view.own().discarded)
    for (const SeenCard& card : draw) gone.insert(card.card);
  for (const SeenCard& card : view.own().cards) mine.insert(card.card);
  int discarded_by_me = 0, held_by_me = 0, twice = 0, late = 0, high = 0, first_discards = 0, mine_first = 0;
  std::map<CardId, int> times;
  for (const Cards& cards : hidden)
    for (const Held& held : cards) {
      discarded_by_me += held.discarded < 0 && gone.contains(held.card) ? 1 : 0;
      held_by_me += mine.contains(held.card) ? 1 : 0;
      twice += ++times[held.card] > 1 ? 1 : 0;
      late += held.discarded < 0 ? held.when : 0;
      high += held.discarded < 0 && held.card % 5 == 0 ? 1 : 0;
      first_discards += held.discarded == 0 ? held.card % 3 : 0;
      mine_first += held.discarded >= 0 && held.when == 0 && gone.contains(held.card) ? 1 : 0;
    }
  const Cards& next = hidden[static_cast<std::size_t>((view.me + 1) % view.players)];
  int lowest = 99, kept = 0;
  for (const Held& held : next) {
    if (held.discarded < 0) lowest = std::min<int>(lowest, held.card);
    kept += held.discarded < 0 && held.when == 0 ? 1 : 0;
  }
  return {discarded_by_me, held_by_me, twice, late, high, first_discards, mine_first, lowest / 2, kept};
}

struct Case {
  const char* name;
  const char* text;
  int discard_bits;  // of 8: how likely each card is discarded
  int hands;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

constexpr const char* kSmallDeck =
    "ranks: 2 3 4 5 6\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n";

class TrueDistribution : public testing::TestWithParam<Case> {
 protected:
  test::TempFolder folder_;
  GameRules rules_ = read();

  GameRules read() {
    test::write_bytes(folder_ / "small.yaml", kSmallDeck);
    return rules_of(fmt::format("procedure: draw\ndeck: {}\n{}", (folder_ / "small.yaml").string(), GetParam().text));
  }
  Action any(const State& state, RandomStream& rng) const {
    if (!state.drawing()) {
      // Folds now and then, mostly calls.
      const bool folds = rng.below(12) == 0 && (state.legal_mask() & 1) != 0;
      return folds ? kFold : kCall;
    }
    int mask = 0;
    for (int i = 0; i < kDrawHand; ++i) mask |= static_cast<int>(rng.below(8)) < GetParam().discard_bits ? 1 << i : 0;
    return rules_.first_discard() + mask;
  }
};

// If the cards drawn have the true distribution, nobody can tell them from the real ones by any figure, whatever the
// observer knows: over many hands both have the same frequencies.
TEST_P(TrueDistribution, RealCardsLookLikeDrawnOnes) {
  constexpr std::size_t kFigures = 9;
  std::array<std::map<int, std::array<double, 2>>, kFigures> counts;
  const int hands = test::repetitions(GetParam().hands);
  std::vector<float> observation(static_cast<std::size_t>(State::observation_spec(rules_).size()));
  for (int hand = 0; hand < hands; ++hand) {
    State state;
    RandomStream rng(static_cast<std::uint64_t>(hand), 77);
    state.reset_and_hold(rules_, static_cast<std::uint64_t>(hand));
    // Mostly late in the hand, at times at its end.
    const std::uint32_t steps = 4 + rng.below(40);
    for (std::uint32_t i = 0; i < steps && !state.hand_over(); ++i) state.apply_and_hold(any(state, rng));
    const Seat me = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(rules_.players)));
    state.observe(me, observation.data());
    State::Sampler sampler(rules_, observation);
    const State sampled = sampler.draw(rng);
    const View view = state.view(me);
    const std::vector<int> real = figures(view, others_cards(state, me));
    const std::vector<int> drawn = figures(view, others_cards(sampled, me));
    for (std::size_t f = 0; f < kFigures; ++f) {
      ++counts[f][real[f]][0];
      ++counts[f][drawn[f]][1];
    }
  }
  for (std::size_t f = 0; f < kFigures; ++f) {
    double chi_square = 0;
    int freedom = -1;
    std::array<double, 2> rare{};
    const auto add = [&](const std::array<double, 2>& c) {
      if (c[0] + c[1] == 0) return;
      chi_square += (c[0] - c[1]) * (c[0] - c[1]) / (c[0] + c[1]);
      ++freedom;
    };
    for (const auto& [value, count] : counts[f]) {
      if (count[0] + count[1] >= 20) {
        add(count);
        continue;
      }
      rare[0] += count[0];
      rare[1] += count[1];
    }
    add(rare);
    // Mean n, variance 2n; five standard deviations.
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2.0 * std::max(freedom, 1)) + 3) << "figure " << f;
  }
}

INSTANTIATE_TEST_SUITE_P(Draw, TrueDistribution,
                         testing::Values(Case{"three_players", "players: 3\ndraws: 3\n", 4, 20000},
                                         Case{"heavy", "players: 3\ndraws: 3\n", 6, 20000},
                                         Case{"two_players", "players: 2\ndraws: 3\n", 6, 20000},
                                         Case{"transparent", "players: 3\ndraws: 3\nwashizu: replace_suit\n", 5, 20000},
                                         Case{"mixed", "players: 3\ndraws: 2\nwashizu: replace_random\n", 5, 20000}),
                         [](const testing::TestParamInfo<Case>& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace dealer::poker
