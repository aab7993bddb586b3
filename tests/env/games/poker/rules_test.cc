// Rule files: defaults and errors, each with one line giving the place and what is allowed.
//
// A million hands under random rules, checked at every step: chips are conserved, players pay at most their stacks,
// some seat can always act, every hand and match ends, every card is in one place, and the payouts are those of a
// referee that counts chip by chip. For some hands the events must give the same cards and payouts; the shared harness
// checks their chips.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"
#include "tests/support/paths.h"

namespace dealer::poker::rules_test {
namespace {

TEST(PokerRules, Defaults) {
  const GameRules draw = rules_of("procedure: draw\n");
  EXPECT_EQ(draw.bets.limit, betting::Limit::kStructured);
  EXPECT_EQ(draw.bets.offers.size(), 1U) << "there is one size to bet";
  EXPECT_EQ(draw.stack, 1000);
  EXPECT_EQ(draw.bets.ante, 10);
  EXPECT_EQ(draw.bets.raises_per_player, 2);
  EXPECT_EQ(draw.bets.raises_per_round, betting::kNoCap);
  EXPECT_TRUE(draw.bets.check_raise);
  EXPECT_EQ(draw.draws, 1);
  EXPECT_EQ(draw.rounds, 2);
  EXPECT_EQ(draw.deck->jokers(), 0);
  const GameRules no_limit = rules_of("procedure: holdem\nlimit: no_limit\n");
  EXPECT_EQ(no_limit.bets.size[0], 100);
  EXPECT_EQ(no_limit.stack, 10000);
  EXPECT_EQ(no_limit.bets.small_blind, 50);
  EXPECT_EQ(no_limit.bets.big_blind, 100);
  EXPECT_EQ(no_limit.bets.ante, 0);
  EXPECT_EQ(rules_of("procedure: holdem\nante: 0\n").bets.big_blind, 10);
  EXPECT_EQ(rules_of("procedure: holdem\nante: 5\n").bets.big_blind, 0);
  EXPECT_EQ(rules_of("procedure: stud\nlimit: pot_limit\n").bets.size[0], 10);
  EXPECT_EQ(rules_of("procedure: stud\n").bets.ante, 10);
  EXPECT_EQ(rules_of("procedure: stud\n").bets.bring_in, 0);
}

TEST(PokerRules, WhatCannotBePlayedIsRefused) {
  const auto refusal = [](std::string text) {
    for (std::size_t end; (end = text.find("; ")) != std::string::npos;) text.replace(end, 2, "\n");
    std::string message = test::error_message<ConfigError>([&] { rules_of(text); });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    const std::string source = test::source_dir() + "/";
    if (const std::size_t at = message.find(source); at != std::string::npos) message.erase(at, source.size());
    return message;
  };
  test::check_cases("poker.refused", refusal);
  std::string most = "limit: no_limit; bets: [min";
  for (int i = 1; i < betting::kMaxOffers; ++i) most += fmt::format(", {}", i);
  EXPECT_EQ(refusal(most + "]"), "(no error)");
  EXPECT_NE(refusal(most + ", all_in]").find("29 bets; expected at most 28"), std::string::npos);
}

TEST(PokerRules, EveryGameFileCanBePlayedWithAnotherProcedure) {
  for (const char* game : {"court_tarot", "court_extra", "court_color"})
    for (const char* procedure : {"draw", "stud", "holdem"})
      EXPECT_EQ(make_game(std::string(game) + "[procedure=" + procedure + ",players=6]")->players(), 6);
}

// Frequencies of rare cases: in all hands, and in those with checked events.
struct Seen {
  int hands = 0, showdowns = 0, three_pots = 0, lows = 0, discards = 0, shared_cards = 0, reshuffles = 0, mucked = 0,
      matches = 0;
  int observed = 0, returned = 0, bring_ins = 0, short_blinds = 0, completed = 0, without_decision = 0, ended = 0,
      all_ins = 0, any_amount = 0;
};

class Table {
 public:
  Table(const GameRules& rules, RandomStream& rng, Seen& seen) : rules_(rules), rng_(rng), seen_(seen) {}

  // Plays one episode; returns its number of hands. `told`: also checks their events.
  int play(std::uint64_t seed, bool observed) {
    observed_ = observed;
    total_ = std::int64_t{rules_.players} * rules_.stack;
    for (state_.reset_and_hold(rules_, seed);; state_.next_hand()) {
      play_hand();
      if (testing::Test::HasFailure()) return 0;
      check_end();
      if (testing::Test::HasFailure() || over()) return state_.hands_finished();
      ++seen_.matches;
    }
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
    for (int steps = 0;; ++steps) {
      ASSERT_LT(steps, 2000) << "a hand without end";
      check_chips();
      if (testing::Test::HasFailure() || state_.hand_over()) return;
      const std::uint64_t legal = state_.legal_mask();
      ASSERT_GT(std::popcount(legal), 1) << "somebody without a choice is to act";
      ASSERT_FALSE(state_.is_out(state_.current_player()));
      const AmountRange range = state_.amount_range();
      if (observed_ && !range.empty() && rng_.below(3) == 0) {
        ++seen_.any_amount;
        state_.bet_to_and_hold(range.low +
                               static_cast<Chips>(rng_.below(static_cast<std::uint32_t>(range.high - range.low) + 1)));
        continue;
      }
      // Folds are rare, so that many hands reach the showdown.
      const bool folds = rng_.below(4) == 0;
      const std::uint64_t mask = folds || (legal & ~std::uint64_t{1}) == 0 ? legal : legal & ~std::uint64_t{1};
      state_.apply_and_hold(test::random_action(mask, rng_));
    }
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

  // The events of the finished hand, against its state.
  void check_story() const {
    std::array<std::vector<CardId>, kMaxSeats + 1> cards;  // the last of the board
    std::array<Chips, kMaxSeats> won{}, of_pot{};
    SeatSet shown = 0;
    for (const Event& event : story(state_)) {
      auto& hand = cards[event.seat < 0 ? kMaxSeats : at(event.seat)];
      if (event.kind == Event::Kind::kDealt || event.kind == Event::Kind::kDrew)
        hand.insert(hand.end(), event.cards.begin(), event.cards.end());
      if (event.kind == Event::Kind::kDiscarded) {
        for (const CardId card : event.cards) ASSERT_EQ(std::erase(hand, card), 1U);
      }
      if (event.kind == Event::Kind::kShown) {
        ASSERT_TRUE(std::is_permutation(event.cards.begin(), event.cards.end(), hand.begin(), hand.end()));
        ASSERT_FALSE(event.what.empty());
        shown = static_cast<SeatSet>(shown | betting::bit(event.seat));
      }
      if (event.kind == Event::Kind::kWon) {
        won[at(event.seat)] += event.amount;
        of_pot[at(event.pot)] += event.amount;
        ASSERT_EQ(event.what.empty(), shown == 0);
      }
    }
    const HandRecord hand = state_.last_hand();
    ASSERT_EQ(shown, hand.shown);
    ASSERT_EQ(won, hand.payout);
    for (std::size_t pot = 0; pot < at(hand.pots); ++pot) of_pot[pot] -= hand.pot_chips[pot];
    ASSERT_EQ(std::accumulate(of_pot.begin(), of_pot.end(), hand.odd_chips), 0)
        << "pots do not hold what was won of them";
    const auto& board = cards[kMaxSeats];
    ASSERT_TRUE(std::is_permutation(board.begin(), board.end(), state_.board().begin(), state_.board().end()));
    for (Seat seat = 0; seat < rules_.players; ++seat)
      ASSERT_TRUE(std::is_permutation(cards[at(seat)].begin(), cards[at(seat)].end(), state_.cards(seat).begin(),
                                      state_.cards(seat).end()));
    count_told();
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
    if (observed_) check_story();
  }

  void count(const HandRecord& hand) const {
    ++seen_.hands;
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

  void count_told() const {
    ++seen_.observed;
    int decisions = 0;
    for (const Event& event : story(state_)) {
      const bool posted = event.kind == Event::Kind::kPosted, acted = event.kind == Event::Kind::kActed;
      seen_.returned += event.kind == Event::Kind::kReturned ? 1 : 0;
      seen_.bring_ins += posted && event.what == "bring_in" ? 1 : 0;
      seen_.short_blinds += posted && event.what == "big_blind" && event.all_in ? 1 : 0;
      seen_.completed += acted && event.what == "complete" ? 1 : 0;
      seen_.ended += event.kind == Event::Kind::kMatchEnded ? 1 : 0;
      seen_.all_ins += acted && event.all_in ? 1 : 0;
      decisions += acted || event.kind == Event::Kind::kDiscarded ? 1 : 0;
    }
    seen_.without_decision += decisions == 0 ? 1 : 0;
  }

  // Winners never muck, and every seat that shows is still in.
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
  bool observed_ = false;
  std::int64_t total_ = 0;
};

TEST(RandomRules, AMillionHandsAreSound) {
  RandomStream rng(2026);
  const int wanted = test::repetitions(1'000'000);
  constexpr int kHandsEach = 500, kToldEach = 20;
  int taken = 0, refused = 0;
  Seen seen;
  while (seen.hands < wanted) {
    const std::string text = random_rules_text(rng);
    SCOPED_TRACE(text);
    const std::optional<GameRules> rules = allowed_rules(text);
    ++(rules ? taken : refused);
    if (!rules) continue;
    Table table(*rules, rng, seen);
    for (int played = 0; played < kHandsEach;) {
      played += table.play(rng.bits64(), played < kToldEach);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(taken, refused) << "most random rules are refused";
  for (const int count : {seen.showdowns, seen.three_pots, seen.lows, seen.discards, seen.shared_cards, seen.reshuffles,
                          seen.mucked, seen.matches})
    EXPECT_GT(count, seen.hands / 1000);
  for (const int count : {seen.returned, seen.bring_ins, seen.short_blinds, seen.completed, seen.without_decision,
                          seen.ended, seen.all_ins, seen.any_amount})
    EXPECT_GT(count, seen.observed / 2000);
}

TEST(RandomRules, PassTheSharedHarness) {
  RandomStream rng(7);
  for (int taken = 0; taken < test::repetitions(60);) {
    const std::string text = random_rules_text(rng);
    SCOPED_TRACE(text);
    if (!allowed_rules(text)) continue;
    ++taken;
    Config config = Config::parse(text, "random");
    const GamePtr game = game_families().at("poker").make({"random", "random", "poker", ""}, config);
    test::check_all(*game, 0.01);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace dealer::poker::rules_test
