// Sampled down cards of stud and hold'em with small decks: their frequencies against all deals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "env/core/at.h"
#include "tests/env/games/poker/exact_deals.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/temp_folder.h"

namespace dealer::poker::sampler_exact_down_cards_test {
namespace {

struct Case {
  const char* name;
  const char* text;
  int hands;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

constexpr const char* kSixteenCards =
    "ranks: 2 3 4 5\nsuits:\n  spades: {symbol: s}\n  hearts: {symbol: h}\n"
    "  diamonds: {symbol: d}\n  clubs: {symbol: c}\n";

// Two players: the down cards of the other, those dealt first and the last one.
struct Down {
  CardMask first = 0, last = 0;
  friend auto operator<=>(const Down&, const Down&) = default;  // NOLINT(modernize-use-nullptr)
};

class ExactDownCards : public testing::TestWithParam<Case> {
 protected:
  test::TempFolder folder_;
  GameRules rules_ = read();
  GameRules read() {
    test::write_bytes(folder_ / "small.yaml", kSixteenCards);
    return rules_of(fmt::format("deck: {}\n{}", (folder_ / "small.yaml").string(), GetParam().text));
  }

  static CardMask bit(CardId card) { return CardMask{1} << card; }
  // By place in a hand: two down cards, four up, one down.
  static Down down_of(std::span<const CardId> cards) {
    Down down;
    for (std::size_t i = 0; i < cards.size(); ++i)
      if (i < 2)
        down.first |= bit(cards[i]);
      else if (i == 6)
        down.last = bit(cards[i]);
    return down;
  }

  // The best five-card hand of what somebody has, one after the other.
  HandValue best(CardMask cards) const {
    HandValue value = 0;
    for (CardMask five = 0; five < CardMask{1} << rules_.deck->size(); ++five) {
      if (std::popcount(five) != 5 || (five & ~cards) != 0) continue;
      std::vector<CardId> hand;
      for (int card = 0; card < rules_.deck->size(); ++card)
        if ((five >> card & 1) != 0) hand.push_back(static_cast<CardId>(card));
      value = std::max(value, rules_.high->evaluate(hand));
    }
    return value;
  }
};

TEST_P(ExactDownCards, FrequenciesAreThoseOfAllDeals) {
  constexpr int kDraws = 20000;
  int mucked = 0, ended = 0;
  const int hands = test::repetitions(GetParam().hands);
  for (int hand = 0; hand < hands; ++hand) {
    SCOPED_TRACE(fmt::format("hand {}", hand));
    RandomStream rng(static_cast<std::uint64_t>(hand), 41);
    State state;
    state.reset_and_hold(rules_, static_cast<std::uint64_t>(hand));
    const auto me = static_cast<Seat>(rng.below(2)), other = static_cast<Seat>(1 - me);
    for (auto steps = rng.below(16); steps > 0 && !state.hand_over(); --steps) {
      const bool bets = rng.below(6) == 0 && (state.legal_mask() & std::uint64_t{1} << kFirstBet) != 0;
      state.apply_and_hold(bets ? kFirstBet : kCall);
    }
    const View view = state.view(me);
    CardMask unseen = 0, known = 0, opaque = 0;
    for (const CardId card : rules_.deck->in_play(view.taken_out)) {
      unseen |= bit(card);
      if (rules_.is_opaque(card)) opaque |= bit(card);
    }
    for (const CardId card : view.board) known |= bit(card);
    for (const View::Player& player : view.player)
      for (const SeenCard& card : player.cards) known |= bit(card.card);
    unseen &= ~known;
    // Up cards and those seen through come first, so what the state holds says how many are to be filled in.
    const std::span<const CardId> real = state.cards(other);
    CardMask seen_first = 0, seen_last = 0, up = 0;
    for (std::size_t i = 0; i < real.size(); ++i) {
      if ((known >> real[i] & 1) == 0) continue;
      (i < 2 ? seen_first : i == 6 ? seen_last : up) |= bit(real[i]);
    }
    const int first = 2 - std::popcount(seen_first);
    const bool last = real.size() == 7 && seen_last == 0;
    const View::Player& player = view.player[at(other)];
    CardMask shown = 0;
    for (const CardId card : player.shown) shown |= bit(card);
    CardMask mine = 0;
    for (const CardId card : state.cards(me)) mine |= bit(card);
    CardMask board = 0;
    for (const CardId card : view.board) board |= bit(card);
    const HandValue to_beat = player.mucked ? best(mine | board) : 0;
    ended += player.showed || player.mucked ? 1 : 0;
    mucked += player.mucked ? 1 : 0;
    std::map<Down, double> exact;
    std::map<CardMask, bool> loses;
    for (CardMask two = 0; two <= (unseen & opaque); ++two) {
      if (std::popcount(two) != first || (two & ~(unseen & opaque)) != 0) continue;
      for (CardMask rest = last ? unseen & opaque & ~two : CardMask{1}; rest != 0; rest &= rest - 1) {
        const CardMask one = last ? rest & -rest : 0;
        const CardMask all = seen_first | seen_last | up | two | one;
        if (player.showed && all != shown) continue;
        if (player.mucked) {
          const auto [entry, added] = loses.try_emplace(all);
          if (added) entry->second = best(all | board) < to_beat;
          if (!entry->second) continue;
        }
        exact[{seen_first | two, seen_last | one}] = 1;
      }
    }
    for (auto& [down, probability] : exact) probability = 1 / static_cast<double>(exact.size());
    ASSERT_TRUE(exact.contains(down_of(real))) << "the real deal is not among those worked out";
    const State::Sampler sampler(rules_, observed(state, me));
    std::map<Down, int> counts;
    for (int i = 0; i < kDraws; ++i) ++counts[down_of(sampler.draw(rng).cards(other))];
    EXPECT_LT(test::deviations(exact, counts, kDraws), 4.5) << exact.size() << " deals";
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(ended, hands / 10);
  EXPECT_GE(mucked, hands / 40);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExactDownCards,
    testing::Values(Case{"stud", "procedure: stud\nplayers: 2\n", 120},
                    Case{"stud_transparent", "procedure: stud\nplayers: 2\nwashizu: replace_suit\n", 120},
                    Case{"stud_mixed", "procedure: stud\nplayers: 2\nwashizu: replace_random\n", 60},
                    Case{"holdem", "procedure: holdem\nplayers: 2\n", 60},
                    Case{"holdem_transparent", "procedure: holdem\nplayers: 2\nwashizu: add\n", 60}),
    [](const testing::TestParamInfo<Case>& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace dealer::poker::sampler_exact_down_cards_test
