// The story of betting hands: an accountant who is told nothing else comes to the same stacks, pots and payouts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/games/poker/random_rules.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker {
namespace {

using Kind = Event::Kind;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
      game = make({"random", "random", "poker", ""}, config);
    } catch (const ConfigError&) {
      continue;
    }
    ++taken;
    SCOPED_TRACE(text);
    test::check_events(*game, 10);
    if (testing::Test::HasFailure()) return;
  }
}

// ---- Hands to read.

std::string line_of(const GameRules& rules, const Event& event) {
  std::string text = std::string(name_of(event.kind));
  if (event.seat >= 0) text += fmt::format(" {}", event.seat);
  if (event.kind == Kind::kMatchEnded) text += fmt::format(" winners {:b}", event.seats);
  if (!event.half.empty()) text += fmt::format(" {}", event.half);
  if (!event.what.empty()) text += " " + event.what;
  if (event.amount > 0) text += fmt::format(" {}", event.amount);
  if (event.total > event.amount) text += fmt::format(" to {}", event.total);
  if (event.all_in) text += " all-in";
  if (event.pot > 0) text += fmt::format(" pot {}", event.pot);
  if (event.count > 0 || event.kind == Kind::kDiscarded) text += fmt::format(" {}", event.count);
  if (!event.cards.empty()) text += ": " + rules.deck->to_string(event.cards);
  if (!event.values.empty()) text += fmt::format(" {}", fmt::join(event.values, " "));
  return text;
}

// The events as the viewer sees them, a line each, from that street on.
std::vector<std::string> lines(const State& state, Viewer viewer, int street = 0) {
  std::vector<std::string> told;
  for (const Event& event : story(state))
    if (const std::optional<Event> seen = seen_by(event, viewer); seen && seen->street >= street)
      told.push_back(line_of(state.rules(), *seen));
  return told;
}

using Lines = std::vector<std::string>;

TEST(PokerEvents, TellASidePot) {
  const GameRules rules = rules_of(
      "procedure: holdem\nplayers: 3\nlimit: no_limit\nmin_bet: 10\nblinds: [5, 10]\nepisode: match\nmatch_hands: 5\n");
  GivenHand hand(rules, {"Ks Kd", "As Ad", "Qs Qd"}, "Kc 7d 7h 2s 3c");
  hand.chips({1500, 50, 1450}).bets(0, 0, 100).bets(0, 1, 0).bets(0, 2, 0).bets(1, 2, 200).bets(1, 0, 0);
  const State state = hand.bets(2, 2, 0).bets(2, 0, 0).bets(3, 2, 0).bets(3, 0, 0).play();
  EXPECT_EQ(lines(state, 2),
            (Lines{"hand_begun 0 1500 50 1450", "posted 1 small_blind 5", "posted 2 big_blind 10", "dealt 1 down 2",
                   "dealt 2 down 2: Qd Qs", "dealt 0 down 2", "acted 0 raise 100", "acted 1 call 45 to 50 all-in",
                   "acted 2 call 90 to 100", "dealt board 3: Kc 7d 7h", "acted 2 bet 200", "acted 0 call 200",
                   "dealt board 1: 2s", "acted 2 check", "acted 0 check", "dealt board 1: 3c", "acted 2 check",
                   "acted 0 check",
                   // Somebody is all-in: everybody shows, from the first to act of the last round on.
                   "shown 2 two pair, queens and sevens 2: Qd Qs", "shown 0 full house, kings over sevens 2: Kd Ks",
                   "shown 1 two pair, aces and sevens 2: Ad As", "won 0 full house, kings over sevens 150",
                   "won 0 full house, kings over sevens 500 pot 1", "hand_ended 350 -50 -300"}));
}

TEST(PokerEvents, TellWhatGoesBackAndWhoPostsShort) {
  const GameRules rules = rules_of(
      "procedure: holdem\nplayers: 2\nlimit: no_limit\nmin_bet: 10\nblinds: [5, 10]\nante: 2\nepisode: match\n");
  const State state = GivenHand(rules, {"Ks Kd", "As Ad"}, "Kc 7d 7h 2s 3c").chips({1991, 9}).bets(0, 0, 0).play();
  EXPECT_EQ(lines(state, kSpectator),
            (Lines{"hand_begun 0 1991 9", "posted 1 ante 2", "posted 0 ante 2", "posted 0 small_blind 5",
                   "posted 1 big_blind 7 all-in", "dealt 1 down 2", "dealt 0 down 2", "acted 0 call 2 to 7",
                   "dealt board 3: Kc 7d 7h", "dealt board 1: 2s", "dealt board 1: 3c",
                   "shown 1 two pair, aces and sevens 2: Ad As", "shown 0 full house, kings over sevens 2: Kd Ks",
                   "won 0 full house, kings over sevens 18", "hand_ended 9 -9", "match_ended winners 1 1000 -1000"}));
  State other = GivenHand(rules, {"Ks Kd", "As Ad"}).chips({1700, 300}).play();
  other.bet_to_and_hold(1698);
  other.apply_and_hold(kCall);
  const Lines told = lines(other, kSpectator);
  const auto call = std::find(told.begin(), told.end(), "acted 1 call 288 to 298 all-in");
  ASSERT_NE(call, told.end());
  EXPECT_EQ(*(call - 1), "acted 0 raise 1693 to 1698 all-in");
  EXPECT_EQ(*(call + 1), "returned 0 1400");
}

TEST(PokerEvents, TellNothingOfTheHandsWhenAllFold) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 3\n");
  State state = GivenHand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d"}).play();
  for (const Action action : {kCall, kFirstBet, kFold, kFold}) state.apply_and_hold(action);
  EXPECT_EQ(lines(state, kSpectator),
            (Lines{"hand_begun 0 1000 1000 1000", "posted 1 ante 10", "posted 2 ante 10", "posted 0 ante 10",
                   "dealt 1 down 5", "dealt 2 down 5", "dealt 0 down 5", "acted 1 check", "acted 2 bet 10",
                   "acted 0 fold", "acted 1 fold", "won 2 40", "hand_ended -10 -10 20"}));
}

TEST(PokerEvents, TellDrawsAndWhoShowsInWhichOrder) {
  const GameRules rules = rules_of("procedure: draw\nplayers: 4\n");
  GivenHand hand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "As Ad 3h 6s 9d", "Qs Qd 2h 6d 9h Jc 4c"});
  for (const Seat seat : {1, 2, 3, 0}) hand.bets(0, seat, 0).discards(seat, seat == 3 ? "2h 6d" : "");
  hand.bets(1, 1, 0).bets(1, 2, 20).bets(1, 3, 40).bets(1, 0, 0).bets(1, 1, 0).bets(1, 2, 0);
  const State state = hand.play();
  const Lines own = lines(state, 3, 1), others = lines(state, 2, 1);
  EXPECT_EQ(Lines(own.begin(), own.begin() + 5),
            (Lines{"discarded 1 0", "discarded 2 0", "discarded 3 2: 6d 2h", "drew 3 2: Jc 4c", "discarded 0 0"}));
  EXPECT_EQ(Lines(others.begin(), others.begin() + 5),
            (Lines{"discarded 1 0", "discarded 2 0", "discarded 3 2", "drew 3 2", "discarded 0 0"}));
  // The last to raise shows first; who cannot win mucks.
  EXPECT_EQ(Lines(others.begin() + 5, others.end()),
            (Lines{"acted 1 check", "acted 2 bet 20", "acted 3 raise 40", "acted 0 call 40", "acted 1 call 40",
                   "acted 2 call 20 to 40", "shown 3 one pair, queens 5: Qd Qs Jc 9h 4c", "mucked 0 5",
                   "shown 1 one pair, kings 5: Kd Ks 9c 7s 5h", "shown 2 one pair, aces 5: Ad As 9d 6s 3h",
                   "won 2 one pair, aces 200", "hand_ended -50 -50 150 -50"}));
}

TEST(PokerEvents, TellTheBringInAndBothHalves) {
  const GameRules rules =
      rules_of("procedure: stud\nplayers: 2\nlow: eight_or_better\nante: 5\nmin_bet: 10\nbring_in: 3\n");
  GivenHand hand(rules, {"Ks Kd Kh Qs Qd 9c 8h", "As 2d 3h 4c 6s Jc Jd"});
  hand.bets(0, 1, 0).bets(0, 0, 10).bets(0, 1, 0);
  for (int round = 1; round < 5; ++round) hand.bets(round, 0, 0).bets(round, 1, 0);
  const State state = hand.play();
  EXPECT_EQ(lines(state, 0), (Lines{"hand_begun 0 1000 1000",
                                    "posted 1 ante 5",
                                    "posted 0 ante 5",
                                    "dealt 1 down 2",
                                    "dealt 1 up 1: 3h",
                                    "dealt 0 down 2: Kd Ks",
                                    "dealt 0 up 1: Kh",
                                    "posted 1 bring_in 3",
                                    "acted 0 complete 10",
                                    "acted 1 call 7 to 10",
                                    "dealt 1 up 1: 4c",
                                    "dealt 0 up 1: Qs",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 up 1: 6s",
                                    "dealt 0 up 1: Qd",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 up 1: Jc",
                                    "dealt 0 up 1: 9c",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "dealt 1 down 1",
                                    "dealt 0 down 1: 8h",
                                    "acted 0 check",
                                    "acted 1 check",
                                    "shown 0 full house, kings over queens 7: Kd Kh Ks Qd Qs 9c 8h",
                                    "shown 1 one pair, jacks; low 6-4-3-2-A 7: As Jc Jd 6s 4c 3h 2d",
                                    "won 0 high full house, kings over queens 15",
                                    "won 1 low 6-4-3-2-A 15",
                                    "hand_ended 0 0"}));
}

TEST(PokerEvents, TellOddChipsAndSharedMatches) {
  const GameRules rules = rules_of(
      "procedure: draw\nplayers: 3\nante: 1\nodd_chips: discard\nepisode: match\nmatch_hands: 1\nshow_all: false\n");
  State state = GivenHand(rules, {"2c 4d 6h 8s Tc", "Ks Kd 5h 7s 9c", "Kh Kc 5s 7h 9d"}).play();
  while (!state.hand_over()) state.apply_and_hold(state.drawing() ? rules.first_discard() : kCall);
  const Lines told = lines(state, kSpectator);
  EXPECT_EQ(Lines(told.end() - 7, told.end()),
            (Lines{"shown 1 one pair, kings 5: Kd Ks 9c 7s 5h", "shown 2 one pair, kings 5: Kc Kh 9d 7h 5s",
                   "mucked 0 5", "won 1 one pair, kings 1", "won 2 one pair, kings 1", "hand_ended 1 -1 0 0",
                   "match_ended winners 110 -1 0 0"}));
}

// Everybody sees Washizu cards, wherever they are dealt, drawn or discarded, and no other hidden card.
TEST(PokerEvents, WashizuCardsAreOpen) {
  for (const char* mix : {"replace_suit", "replace_random", "add"}) {
    const GameRules rules =
        rules_of(fmt::format("procedure: draw\nplayers: 4\nlimit: washizu\nstack: 20\nwashizu: {}\njokers: 1\n", mix));
    RandomStream rng(5);
    int open = 0, hidden = 0;
    for (int hand = 0; hand < test::repetitions(200); ++hand) {
      State state;
      state.reset_and_hold(rules, rng.bits64());
      while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
      const std::vector<Event> events = story(state);
      ASSERT_EQ(events.front().cards.size(), std::string_view(mix) == "replace_random" ? 13U : 0U);
      for (const CardId card : events.front().cards)
        for (Seat seat = 0; seat < 4; ++seat)
          ASSERT_EQ(std::count(state.cards(seat).begin(), state.cards(seat).end(), card), 0);
      for (const Event& event : events) {
        if (event.kind != Kind::kDealt && event.kind != Kind::kDrew && event.kind != Kind::kDiscarded) continue;
        for (const Viewer viewer : {kSpectator, 0, 1, 2, 3}) {
          const std::optional<Event> seen = seen_by(event, viewer);
          ASSERT_TRUE(seen);
          ASSERT_EQ(seen->count, static_cast<int>(event.cards.size()));
          std::vector<CardId> expected = event.cards;
          if (viewer != event.seat) std::erase_if(expected, [&](CardId card) { return rules.is_opaque(card); });
          ASSERT_EQ(seen->cards, expected);
          open += viewer == kSpectator ? static_cast<int>(expected.size()) : 0;
          hidden += viewer == kSpectator ? static_cast<int>(event.cards.size() - expected.size()) : 0;
        }
      }
    }
    EXPECT_GT(open, test::repetitions(200));
    EXPECT_GT(hidden, test::repetitions(200));
  }
}

}  // namespace
}  // namespace dealer::poker
