// Sampled states of small games: their frequencies against an enumeration of all deals.
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

struct Case {
  const char* name;
  std::string deck;
  std::string text;
  int hands;
  int reshuffled = 0;  // minimum number of these with a reshuffle during the hand
  // Rare positions that must occur: the observer drew across a reshuffle and cannot tell which of the cards came
  // before, and one is more likely to than another.
  std::vector<std::uint64_t> seeds = {};
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
std::string name_of_case(const testing::TestParamInfo<Case>& param) { return param.param.name; }

class Exact : public testing::TestWithParam<Case> {
 protected:
  // Samples states for the seat's observation and compares the frequencies of f(state) with exact probabilities.
  template <class Key, class F>
  void expect_drawn(const State& state, Seat seat, const std::map<Key, double>& exact, int draws, RandomStream& rng,
                    F f) const {
    ASSERT_TRUE(exact.contains(f(state))) << "the real deal is not among those worked out";
    const State::Sampler sampler(rules_, observed(state, seat));
    std::map<Key, int> counts;
    for (int i = 0; i < draws; ++i) ++counts[f(sampler.draw(rng))];
    EXPECT_LT(test::deviations(exact, counts, draws), 4.5) << exact.size() << " deals";
  }

  test::TempFolder folder_;
  GameRules rules_ = read();

 private:
  GameRules read() const {
    test::write_bytes(folder_ / "small.yaml", GetParam().deck);
    return rules_of(fmt::format("deck: {}\n{}", (folder_ / "small.yaml").string(), GetParam().text));
  }
};

// Places of the cards of a state, as its seats see them.
Deal deal_of(const State& state) {
  Deal deal;
  for (Seat seat = 0; seat < state.rules().players; ++seat) {
    const View view = state.view(seat);
    for (const SeenCard& card : view.own().cards) deal.hand[at(seat)][at(card.when)] |= bit_of(card);
    for (int draw = 0; draw < state.rules().draws; ++draw)
      for (const SeenCard& card : view.own().discarded[at(draw)])
        deal.discarded[at(seat)][at(draw)][at(card.when)] |= bit_of(card);
  }
  return deal;
}

std::map<Deal, double> without_stock(const std::map<Deal, double>& deals) {
  std::map<Deal, double> exact;
  for (const auto& [deal, probability] : deals) {
    Deal seen = deal;
    seen.stock = seen.table = 0;
    exact[seen] += probability;
  }
  return exact;
}

class ExactDraw : public Exact {
 protected:
  static constexpr std::size_t kMostDeals = 100000;

  // A hand played at random.
  struct Position {
    State state;
    Seat me;
    int reshuffles = 0;
    CardMask in_play = 0;
    // Records the movements of cards; false when there are too many deals.
    std::vector<std::function<bool(ExactDeals&)>> steps = {};
  };

  static std::optional<ExactDeals> work_out(const Position& p) {
    ExactDeals deals(p.in_play);
    for (const auto& step : p.steps)
      if (!step(deals)) return {};
    return deals;
  }

  CardMask visible(const Position& p, Seat seat) const {
    return seat == p.me ? ~CardMask{0} : mask_of(rules_.transparent);
  }
  ExactDeals::Seen received(const Position& p, Seat seat, int when) const {
    std::vector<SeenCard> cards = p.state.view(p.me).player[at(seat)].cards;
    std::erase_if(cards, [&](const SeenCard& card) { return card.when != when; });
    return {visible(p, seat), mask_of(cards)};
  }
  ExactDeals::Seen discarded(const Position& p, Seat seat, int draw) const {
    return {visible(p, seat), mask_of(p.state.view(p.me).player[at(seat)].discarded[at(draw)])};
  }

  // Draws of one, two or all cards keep the number of deals small; so does standing pat. In some hands the observer
  // draws most cards, so that it gets its discards back, from two stocks at once.
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
    p.in_play = mask_of(deck);
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
      // The number left after a reshuffle does not matter here: the stock is short from then on.
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
    std::array<double, 32> to_come{};
    for (const auto& [deal, probability] : deals->normalized()) {
      const std::array<double, 32> chance = chances_to_come(deal, kDrawHand);
      for (std::size_t card = 0; card < to_come.size(); ++card) to_come[card] += probability * chance[card];
    }
    RandomStream rng(seed, 32);
    std::array<int, 32> came{};
    const auto count = [&](State state) {
      const Deal deal = deal_of(state);
      const Seat seat = state.current_player();
      state.apply_and_hold(rules_.first_discard() + 31);
      for (const CardId card : state.cards(seat)) ++came[card];
      return deal;
    };
    expect_drawn(p.state, p.me, without_stock(deals->normalized()), draws, rng, count);
    for (std::size_t card = 0; card < came.size(); ++card) {
      const double mean = draws * to_come[card], spread = std::sqrt(mean * (1 - std::min(1.0, to_come[card])));
      // The real deal is counted once more.
      EXPECT_NEAR(came[card], mean, 5 * spread + 1 + 1e-6) << "card " << card << " of those that come next";
    }
  }
  EXPECT_GE(reshuffled, test::repetitions(GetParam().reshuffled) - 1);
}

// At the end of a hand, with some shown and some mucked hands.
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
      const CardMask shown = mask_of(player.shown);
      if (player.showed) deals->keep_if([&](const Deal& deal) { return hand_of(deal, seat) == shown; });
      if (!player.mucked || seat == p.me) continue;
      ++mucked;
      // A mucked hand has lost to a shown one.
      deals->keep_if([&](const Deal& deal) { return rules_.high->evaluate(cards_of(hand_of(deal, seat))) < best; });
    }
    RandomStream rng(seed, 32);
    expect_drawn(p.state, p.me, without_stock(deals->normalized()), kDraws, rng, deal_of);
  }
  if (positions >= 10) {
    EXPECT_GT(mucked, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExactDraw,
    testing::Values(Case{"draw", small_deck("2 3 4 5", "shdc"), "procedure: draw\nplayers: 2\ndraws: 1\n", 12},
                    Case{"draws", small_deck("2 3 4 5 6", "shc"), "procedure: draw\nplayers: 2\ndraws: 3\n", 60, 20},
                    Case{"transparent", small_deck("2 3 4 5 6", "shdc"),
                         "procedure: draw\nplayers: 2\ndraws: 3\nwashizu: replace_suit\n", 60, 10},
                    Case{"three_players", small_deck("2 3 4 5 6", "shdc"),
                         "procedure: draw\nplayers: 3\ndraws: 2\nwashizu: replace_suit\n", 6, 2},
                    Case{"splits", small_deck("2 3 4 5 6", "shdc", "sh"), "procedure: draw\nplayers: 3\ndraws: 3\n", 14,
                         14, std::vector<std::uint64_t>{2965,  11160, 11536, 11556, 12972, 14634, 19304,
                                                        31329, 35339, 36118, 39881, 40883, 41105, 41573,
                                                        42831, 43446, 44646, 46130, 52286, 57461}},
                    Case{"mixed", small_deck("2 3 4 5", "shdc"),
                         "procedure: draw\nplayers: 2\ndraws: 3\nwashizu: replace_random\n", 30, 10}),
    name_of_case);

// Two players: the other's down cards, the first two and the last one.
struct Down {
  CardMask first = 0, last = 0;
  friend auto operator<=>(const Down&, const Down&) = default;  // NOLINT(modernize-use-nullptr)
};

class ExactDownCards : public Exact {
 protected:
  // By place in a hand: two down cards, four up, one down.
  static Down down_of(std::span<const CardId> cards) {
    Down down;
    for (std::size_t i = 0; i < cards.size(); ++i)
      if (i < 2)
        down.first |= bit_of(cards[i]);
      else if (i == 6)
        down.last = bit_of(cards[i]);
    return down;
  }

  // The best five-card hand among a player's cards, one after the other.
  HandValue best(CardMask cards) const {
    HandValue value = 0;
    for (CardMask five = cards; five != 0; five = (five - 1) & cards)
      if (std::popcount(five) == 5) value = std::max(value, rules_.high->evaluate(cards_of(five)));
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
    const CardMask board = mask_of(view.board), mine = mask_of(state.cards(me));
    CardMask known = board, hidden = 0;
    for (const View::Player& player : view.player) known |= mask_of(player.cards);
    for (const CardId card : rules_.deck->in_play(view.taken_out))
      if (rules_.is_opaque(card)) hidden |= bit_of(card) & ~known;
    // Up cards and transparent ones come first, so the state's counts give the number to fill in.
    const std::span<const CardId> real = state.cards(other);
    CardMask seen_first = 0, seen_last = 0, up = 0;
    for (std::size_t i = 0; i < real.size(); ++i) {
      if ((known >> real[i] & 1) == 0) continue;
      (i < 2 ? seen_first : i == 6 ? seen_last : up) |= bit_of(real[i]);
    }
    const int first = 2 - std::popcount(seen_first);
    const bool last = real.size() == 7 && seen_last == 0;
    const View::Player& player = view.player[at(other)];
    const CardMask shown = mask_of(player.shown);
    const HandValue to_beat = player.mucked ? best(mine | board) : 0;
    ended += player.showed || player.mucked ? 1 : 0;
    mucked += player.mucked ? 1 : 0;
    std::map<Down, double> exact;
    std::map<CardMask, bool> loses;
    for (CardMask two = 0; two <= hidden; ++two) {
      if (std::popcount(two) != first || (two & ~hidden) != 0) continue;
      for (CardMask rest = last ? hidden & ~two : CardMask{1}; rest != 0; rest &= rest - 1) {
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
    expect_drawn(state, me, exact, kDraws, rng, [&](const State& drawn) { return down_of(drawn.cards(other)); });
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(ended, hands / 10);
  EXPECT_GE(mucked, hands / 40);
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExactDownCards,
    testing::Values(
        Case{"stud", small_deck("2 3 4 5", "shdc"), "procedure: stud\nplayers: 2\n", 120},
        Case{"stud_transparent", small_deck("2 3 4 5", "shdc"), "procedure: stud\nplayers: 2\nwashizu: replace_suit\n",
             120},
        Case{"stud_mixed", small_deck("2 3 4 5", "shdc"), "procedure: stud\nplayers: 2\nwashizu: replace_random\n", 60},
        Case{"holdem", small_deck("2 3 4 5", "shdc"), "procedure: holdem\nplayers: 2\n", 60},
        Case{"holdem_transparent", small_deck("2 3 4 5", "shdc"), "procedure: holdem\nplayers: 2\nwashizu: add\n", 60}),
    name_of_case);

}  // namespace
}  // namespace dealer::poker::sampler_exact_test
