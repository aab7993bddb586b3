// A million hands under random rules, checked at every step: chips are conserved, nobody pays more than they have,
// somebody can always act, every hand and match ends, every card is in one place, and the payouts are those of a
// referee who counts chip by chip.
#include "tests/env/games/poker/random_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::random_rules_test {
namespace {

// How often what is rare came up.
struct Seen {
  int showdowns = 0, three_pots = 0, lows = 0, discards = 0, shared_cards = 0, reshuffles = 0, mucked = 0, matches = 0;
};

class Table {
 public:
  Table(const GameRules& rules, RandomStream& rng, Seen& seen) : rules_(rules), rng_(rng), seen_(seen) {}

  // Plays one episode; returns its hands.
  int play(std::uint64_t seed) {
    state_.reset(rules_, seed);
    total_ = std::int64_t{rules_.players} * rules_.stack;
    for (;;) {
      play_hand();
      if (testing::Test::HasFailure()) return 0;
      check_end();
      if (testing::Test::HasFailure()) return 0;
      if (over()) break;
      state_.next_hand();
      ++seen_.matches;
    }
    return state_.hands_finished();
  }

 private:
  bool over() const {
    if (rules_.episode == Episode::kHand) return true;
    if (state_.hands_finished() >= rules_.match_hands && rules_.match_hands > 0) return true;
    int with_chips = 0;
    const HandRecord hand = state_.last_hand();
    for (Seat seat = 0; seat < rules_.players; ++seat)
      with_chips += state_.bets().stack(seat) + hand.payout[at(seat)] > 0 ? 1 : 0;
    return with_chips < 2;
  }

  void play_hand() {
    for (int steps = 0; !state_.hand_over(); ++steps) {
      ASSERT_LT(steps, 2000) << "a hand without end";
      check_chips();
      const std::uint64_t legal = state_.legal_mask();
      ASSERT_GT(std::popcount(legal), 1) << "somebody without a choice is to act";
      ASSERT_FALSE(state_.is_out(state_.current_player()));
      // Folds are rare, so that many come to the showdown.
      const bool folds = rng_.below(4) == 0;
      const std::uint64_t mask = folds || (legal & ~std::uint64_t{1}) == 0 ? legal : legal & ~std::uint64_t{1};
      state_.apply_and_hold(test::random_action(mask, rng_));
    }
    check_chips();
  }

  void check_chips() const {
    const betting::Bets& bets = state_.bets();
    std::int64_t at_start = 0;
    Chips paid = 0;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      ASSERT_GE(bets.stack(seat), 0);
      ASSERT_EQ(bets.stack(seat) + bets.paid(seat), state_.chips(seat));
      paid += bets.paid(seat);
      at_start += state_.chips(seat);
    }
    ASSERT_EQ(paid, bets.pot());
    const Chips in_this_hand = state_.hand_over() ? state_.last_hand().odd_chips : 0;
    ASSERT_EQ(at_start + state_.discard_pile() - in_this_hand, total_);
  }

  void check_end() const {
    const betting::Bets& bets = state_.bets();
    const HandRecord hand = state_.last_hand();
    Chips payouts = hand.odd_chips, net = hand.odd_chips;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      payouts += hand.payout[at(seat)];
      net += hand.net[at(seat)];
      ASSERT_GE(state_.chips(seat) + hand.net[at(seat)], 0);
    }
    ASSERT_EQ(payouts, bets.pot());
    ASSERT_EQ(net, 0);
    check_cards();
    betting::Values values;
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      if (!bets.is_live(seat) || bets.live_count() == 1) continue;
      std::vector<CardId> cards(state_.cards(seat).begin(), state_.cards(seat).end());
      cards.insert(cards.end(), state_.board().begin(), state_.board().end());
      ASSERT_EQ(static_cast<int>(cards.size()), rules_.procedure == Procedure::kDraw ? 5 : 7);
      values.high[at(seat)] = rules_.high->evaluate(cards);
      if (!rules_.low) continue;
      values.low[at(seat)] = rules_.low->evaluate(cards);
      if (rules_.low->qualifies(values.low[at(seat)]))
        values.qualified = static_cast<SeatSet>(values.qualified | betting::bit(seat));
    }
    const betting::RefereePayouts referee = betting::referee_payouts(bets.paid(), bets.live(), values, state_.dealer(),
                                                                     rules_.players, rules_.bets.odd_chips);
    ASSERT_EQ(hand.payout, referee.chips);
    ASSERT_EQ(hand.odd_chips, referee.odd_chips);
    check_shown(hand);
    count(hand);
  }

  void count(const HandRecord& hand) const {
    int dealt = std::popcount(hand.in) * kDrawHand;
    for (const int drawn : hand.drawn) dealt += drawn;
    seen_.showdowns += hand.showdown != 0 ? 1 : 0;
    seen_.three_pots += hand.pots >= 3 ? 1 : 0;
    seen_.lows += hand.pot_low[0] != 0 ? 1 : 0;
    seen_.discards += hand.odd_chips > 0 ? 1 : 0;
    seen_.mucked += hand.shown != hand.showdown ? 1 : 0;
    seen_.shared_cards += rules_.procedure == Procedure::kStud && hand.board_count == 1 ? 1 : 0;
    seen_.reshuffles += rules_.draws > 0 && dealt > rules_.deck->cards_in_play() ? 1 : 0;
  }

  // Winners never muck, and who shows is in.
  void check_shown(const HandRecord& hand) const {
    ASSERT_EQ(hand.shown & ~hand.showdown, 0);
    if (state_.bets().live_count() == 1) {
      ASSERT_EQ(hand.shown, 0);
      return;
    }
    for (std::size_t pot = 0; pot < at(hand.pots); ++pot)
      ASSERT_EQ((hand.pot_high[pot] | hand.pot_low[pot]) & ~hand.shown, 0);
    if (rules_.show_all || rules_.low || hand.all_in != 0) {
      ASSERT_EQ(hand.shown, hand.showdown);
    }
  }

  // Cards in hands and on the board, none twice; in the random mix none of those taken out.
  void check_cards() const {
    std::array<bool, kMaxDeckCards> seen{};
    const auto check = [&](CardId card) {
      ASSERT_LT(card, rules_.deck->size());
      ASSERT_FALSE(seen[card]) << "a card lies in two places: " << rules_.deck->to_string(card);
      seen[card] = true;
    };
    for (Seat seat = 0; seat < rules_.players; ++seat)
      if (state_.bets().is_live(seat))
        for (const CardId card : state_.cards(seat)) check(card);
    for (const CardId card : state_.board()) check(card);
  }

  const GameRules& rules_;
  RandomStream& rng_;
  Seen& seen_;
  State state_;
  std::int64_t total_ = 0;
};

TEST(RandomRules, AMillionHandsAreSound) {
  RandomStream rng(2026);
  const int wanted = test::repetitions(1'000'000);
  constexpr int kHandsEach = 500;
  int hands = 0, taken = 0, refused = 0;
  Seen seen;
  while (hands < wanted) {
    const std::string text = random_rules_text(rng);
    SCOPED_TRACE(text);
    GameRules rules;
    try {
      Config config = Config::parse(text, "random");
      rules = read_rules(config);
      config.finish();
    } catch (const ConfigError& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++refused;
      continue;
    }
    ++taken;
    Table table(rules, rng, seen);
    int played = 0;
    while (played < kHandsEach) {
      played += table.play(rng.bits64());
      if (testing::Test::HasFailure()) return;
    }
    hands += played;
  }
  EXPECT_GT(taken, refused) << "most random rules are refused";
  for (const int count : {seen.showdowns, seen.three_pots, seen.lows, seen.discards, seen.shared_cards, seen.reshuffles,
                          seen.mucked, seen.matches})
    EXPECT_GT(count, hands / 1000);
}

TEST(RandomRules, PassTheSharedHarness) {
  RandomStream rng(7);
  for (int taken = 0; taken < test::repetitions(40);) {
    const std::string text = random_rules_text(rng);
    GamePtr game;
    try {
      Config config = Config::parse(text, "random");
      game = game_families().at("poker").make({"random", "random", "poker", ""}, config);
    } catch (const ConfigError&) {
      continue;
    }
    ++taken;
    SCOPED_TRACE(text);
    test::check_observation_spec(*game);
    test::check_positions(*game, 20);
    test::check_refusals(*game, 3);
    test::check_seeds(*game, 10);
    test::check_copies(*game, 10);
    test::check_malformed_positions(*game, 3);
    test::check_sampling(*game, 10);
    test::check_malformed_observations(*game, 3);
    test::check_recall(*game, 3);
    test::check_vector_env(*game, 50);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace dealer::poker::random_rules_test
