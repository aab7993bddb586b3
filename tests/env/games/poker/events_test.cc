// The story of betting hands: an accountant who is told nothing else comes to the same stacks, pots and payouts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/games/poker/random_rules.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::events_test {
namespace {

using Kind = Event::Kind;

std::vector<Event> story(const State& state) {
  std::vector<Event> events;
  state.events(events);
  return events;
}

// Keeps the books of a hand from its events alone.
class Accountant {
 public:
  Accountant(const GameRules& rules, const std::vector<Event>& events) : rules_(rules) {
    for (const Event& event : events) {
      take(event);
      if (testing::Test::HasFailure()) return;
    }
  }

  std::array<Chips, kMaxSeats> stack{}, bet{}, paid{}, won{};
  SeatSet live = 0;
  std::array<std::vector<CardId>, kMaxSeats> hand;
  std::vector<CardId> board;
  std::map<int, Chips> pots;  // what was won of each

  Chips pot() const {
    Chips chips = 0;
    for (const Chips p : paid) chips += p;
    return chips;
  }

  // What the pots must pay: counted chip by chip, with the hands that were dealt.
  betting::RefereePayouts referee() const {
    betting::Values values;
    const bool showdown = (live & (live - 1)) != 0;
    for (Seat seat = 0; seat < rules_.players && showdown; ++seat) {
      if ((live >> seat & 1) == 0) continue;
      std::vector<CardId> cards = hand[at(seat)];
      cards.insert(cards.end(), board.begin(), board.end());
      values.high[at(seat)] = rules_.high->evaluate(cards);
      if (!rules_.low) continue;
      values.low[at(seat)] = rules_.low->evaluate(cards);
      if (rules_.low->qualifies(values.low[at(seat)])) values.qualified |= betting::bit(seat);
    }
    return betting::referee_payouts(paid, live, values, dealer_, rules_.players, rules_.bets.odd_chips);
  }

 private:
  void pay(const Event& event) {
    paid[at(event.seat)] += event.amount;
    stack[at(event.seat)] -= event.amount;
    ASSERT_GE(stack[at(event.seat)], 0);
    ASSERT_EQ(event.all_in, event.amount > 0 && stack[at(event.seat)] == 0);
  }

  void act(const Event& event) {
    const Seat seat = event.seat;
    ASSERT_NE(live >> seat & 1, 0) << "somebody who is not in acts";
    const Chips level = *std::max_element(bet.begin(), bet.end());
    bet[at(seat)] += event.amount;
    ASSERT_EQ(event.total, bet[at(seat)]);
    if (event.what == "fold") {
      live = static_cast<SeatSet>(live & ~betting::bit(seat));
      ASSERT_EQ(event.amount, 0);
    } else if (event.what == "check") {
      ASSERT_EQ(event.amount, 0);
    } else if (event.what == "call") {
      ASSERT_GT(event.amount, 0);
    } else {
      ASSERT_GT(event.total, level) << event.what;
      ASSERT_EQ(event.what == "bet",
                level == 0 && event.what != "complete" && rules_.bets.limit != betting::Limit::kFree);
    }
    pay(event);
  }

  void receive(Seat seat, const std::vector<CardId>& cards) {
    auto& to = seat < 0 ? board : hand[at(seat)];
    to.insert(to.end(), cards.begin(), cards.end());
  }

  void take(const Event& event) {
    // Blinds belong to the first round of betting, even when it comes after the draw.
    if (event.street != street_ && acted_) bet = {};
    street_ = event.street;
    acted_ |= event.kind == Kind::kActed;
    switch (event.kind) {
      case Kind::kHandBegun:
        dealer_ = event.seat;
        for (Seat seat = 0; seat < rules_.players; ++seat) {
          stack[at(seat)] = static_cast<Chips>(event.values[at(seat)]);
          if (stack[at(seat)] > 0) live = static_cast<SeatSet>(live | betting::bit(seat));
        }
        break;
      case Kind::kPosted:
        if (event.what != "ante") bet[at(event.seat)] += event.amount;
        pay(event);
        break;
      case Kind::kDealt:
      case Kind::kDrew:
        receive(event.seat, event.cards);
        break;
      case Kind::kDiscarded:
        for (const CardId card : event.cards) ASSERT_EQ(std::erase(hand[at(event.seat)], card), 1U);
        break;
      case Kind::kActed:
        act(event);
        break;
      case Kind::kReturned:
        paid[at(event.seat)] -= event.amount;
        stack[at(event.seat)] += event.amount;
        bet[at(event.seat)] -= std::min(bet[at(event.seat)], event.amount);
        break;
      case Kind::kShown:
        ASSERT_TRUE(std::is_permutation(event.cards.begin(), event.cards.end(), hand[at(event.seat)].begin(),
                                        hand[at(event.seat)].end()));
        ASSERT_FALSE(event.what.empty());
        shown_ = static_cast<SeatSet>(shown_ | betting::bit(event.seat));
        break;
      case Kind::kMucked:
        ASSERT_NE(live >> event.seat & 1, 0);
        ASSERT_EQ(event.count, static_cast<int>(hand[at(event.seat)].size()));
        break;
      case Kind::kWon:
        ASSERT_NE(live >> event.seat & 1, 0);
        // A winner has shown; of those who fold nobody shows.
        ASSERT_EQ(shown_ >> event.seat & 1, (live & (live - 1)) != 0 ? 1 : 0);
        ASSERT_EQ(event.what.empty(), shown_ == 0);
        won[at(event.seat)] += event.amount;
        pots[event.pot] += event.amount;
        break;
      case Kind::kHandEnded:
        for (Seat seat = 0; seat < rules_.players; ++seat)
          ASSERT_EQ(event.values[at(seat)], won[at(seat)] - paid[at(seat)]);
        break;
      default:
        break;
    }
  }

  const GameRules& rules_;
  int dealer_ = 0;
  int street_ = 0;
  bool acted_ = false;
  SeatSet shown_ = 0;
};

// How often what is rare came up.
struct Seen {
  int hands = 0, side_pots = 0, halves = 0, odd = 0, returned = 0, mucked = 0, bring_ins = 0, short_blinds = 0,
      completed = 0, shared = 0, without_decision = 0, matches = 0, all_ins = 0, any_amount = 0;
};

void count(const std::vector<Event>& events, Seen& seen) {
  ++seen.hands;
  int decisions = 0;
  for (const Event& event : events) {
    const bool won = event.kind == Kind::kWon;
    seen.side_pots += won && event.pot == 2 ? 1 : 0;
    seen.halves += won && event.half == "low" ? 1 : 0;
    seen.odd += event.kind == Kind::kHandEnded && event.amount > 0 ? 1 : 0;
    seen.returned += event.kind == Kind::kReturned ? 1 : 0;
    seen.mucked += event.kind == Kind::kMucked ? 1 : 0;
    seen.bring_ins += event.kind == Kind::kPosted && event.what == "bring_in" ? 1 : 0;
    seen.short_blinds += event.kind == Kind::kPosted && event.what == "big_blind" && event.all_in ? 1 : 0;
    seen.completed += event.kind == Kind::kActed && event.what == "complete" ? 1 : 0;
    seen.shared += event.kind == Kind::kDealt && event.seat < 0 && event.street == 4 && event.count == 1 ? 1 : 0;
    seen.matches += event.kind == Kind::kMatchEnded ? 1 : 0;
    seen.all_ins += event.kind == Kind::kActed && event.all_in ? 1 : 0;
    decisions += event.kind == Kind::kActed || event.kind == Kind::kDiscarded ? 1 : 0;
  }
  seen.without_decision += decisions == 0 ? 1 : 0;
}

class Table {
 public:
  Table(const GameRules& rules, RandomStream& rng, Seen& seen) : rules_(rules), rng_(rng), seen_(seen) {}

  int play(std::uint64_t seed) {
    for (state_.reset_and_hold(rules_, seed);; state_.next_hand()) {
      play_hand();
      if (testing::Test::HasFailure() || state_.episode_over()) return state_.hands_finished();
    }
  }

 private:
  void play_hand() {
    std::vector<Event> before;
    for (;;) {
      const std::vector<Event> now = story(state_);
      ASSERT_GE(now.size(), before.size());
      ASSERT_TRUE(std::equal(before.begin(), before.end(), now.begin())) << "the story has changed";
      check(Accountant(rules_, now));
      if (testing::Test::HasFailure()) return;
      before = now;
      if (state_.hand_over()) break;
      const AmountRange range = state_.amount_range();
      if (!range.empty() && rng_.below(3) == 0) {
        ++seen_.any_amount;
        state_.bet_to_and_hold(range.low +
                               static_cast<Chips>(rng_.below(static_cast<std::uint32_t>(range.high - range.low) + 1)));
        continue;
      }
      const LegalMask legal = state_.legal_mask();
      const bool folds = rng_.below(4) == 0;
      state_.apply_and_hold(
          test::random_action(folds || (legal & ~LegalMask{1}) == 0 ? legal : legal & ~LegalMask{1}, rng_));
    }
    check_end(Accountant(rules_, before));
    count(before, seen_);
  }

  void check(const Accountant& books) const {
    const betting::Bets& bets = state_.bets();
    ASSERT_EQ(books.live, bets.live());
    ASSERT_TRUE(
        std::equal(books.board.begin(), books.board.end(), state_.board().begin(), state_.board().end()) ||
        std::is_permutation(books.board.begin(), books.board.end(), state_.board().begin(), state_.board().end()));
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      ASSERT_EQ(books.stack[at(seat)], bets.stack(seat));
      ASSERT_EQ(books.paid[at(seat)], bets.paid(seat));
      if (!state_.drawing() && !state_.hand_over()) {
        ASSERT_EQ(books.bet[at(seat)], bets.bet(seat));
      }
      const auto& hand = books.hand[at(seat)];
      ASSERT_TRUE(std::is_permutation(hand.begin(), hand.end(), state_.cards(seat).begin(), state_.cards(seat).end()));
    }
    ASSERT_EQ(books.pot(), bets.pot());
  }

  void check_end(const Accountant& books) const {
    const HandRecord hand = state_.last_hand();
    const betting::RefereePayouts referee = books.referee();
    Chips odd = referee.odd_chips;
    ASSERT_EQ(books.won, referee.chips);
    ASSERT_EQ(books.won, hand.payout);
    for (std::size_t pot = 0; pot < at(hand.pots); ++pot) {
      const auto won = books.pots.find(static_cast<int>(pot));
      odd -= hand.pot_chips[pot] - (won == books.pots.end() ? 0 : won->second);
    }
    ASSERT_EQ(odd, 0) << "the pots do not hold what was won of them";
    for (Seat seat = 0; seat < rules_.players; ++seat)
      ASSERT_EQ(books.stack[at(seat)] + books.won[at(seat)], state_.chips(seat) + hand.net[at(seat)]);
  }

  const GameRules& rules_;
  RandomStream& rng_;
  Seen& seen_;
  State state_;
};

std::optional<GameRules> random_rules(RandomStream& rng) {
  try {
    return rules_of(random_rules_text(rng));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

TEST(PokerEvents, AnAccountantRebuildsEveryHandFromThem) {
  RandomStream rng(41);
  Seen seen;
  for (int rule_sets = 0; rule_sets < test::repetitions(800);) {
    const std::optional<GameRules> rules = random_rules(rng);
    if (!rules) continue;
    ++rule_sets;
    Table table(*rules, rng, seen);
    for (int played = 0; played < 40;) {
      const std::uint64_t seed = rng.bits64();
      SCOPED_TRACE(seed);
      played += table.play(seed);
      if (testing::Test::HasFailure()) return;
    }
  }
  for (const int often :
       {seen.side_pots, seen.halves, seen.odd, seen.returned, seen.mucked, seen.bring_ins, seen.short_blinds,
        seen.completed, seen.shared, seen.without_decision, seen.matches, seen.all_ins, seen.any_amount})
    EXPECT_GT(often, seen.hands / 2000);
}

// Of the registered games and of random rules.
TEST(PokerEvents, PassTheSharedHarnessUnderRandomRules) {
  RandomStream rng(42);
  for (int taken = 0; taken < test::repetitions(60);) {
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
    test::check_events(*game, 10);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace dealer::poker::events_test
