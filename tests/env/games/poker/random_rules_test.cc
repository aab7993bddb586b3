// A million hands under random rules, checked at every step: chips are conserved, nobody pays more than they have,
// somebody can always act, every hand and match ends, every card is in one place, and the payouts are those of a
// referee who counts chip by chip. Of some hands an accountant who is told nothing but their events comes to the same
// stacks, pots and payouts.
#include "tests/env/games/poker/random_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"
#include "tests/env/betting/pot_referee.h"
#include "tests/env/games/poker/table.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::poker::random_rules_test {
namespace {

using Kind = Event::Kind;

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
  Seat dealer = -1;
  SeatSet live = 0;
  std::array<std::vector<CardId>, kMaxSeats> hand;
  std::vector<CardId> board;
  std::map<int, Chips> pots;  // what was won of each

  Chips pot() const {
    Chips chips = 0;
    for (const Chips p : paid) chips += p;
    return chips;
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
        dealer = event.seat;
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
  int street_ = 0;
  bool acted_ = false;
  SeatSet shown_ = 0;
};

// How often what is rare came up: in all hands, and in those that the accountant was told.
struct Seen {
  int hands = 0, showdowns = 0, three_pots = 0, lows = 0, discards = 0, shared_cards = 0, reshuffles = 0, mucked = 0,
      matches = 0;
  int told = 0, returned = 0, bring_ins = 0, short_blinds = 0, completed = 0, without_decision = 0, ended = 0,
      all_ins = 0, any_amount = 0;
};

class Table {
 public:
  Table(const GameRules& rules, RandomStream& rng, Seen& seen) : rules_(rules), rng_(rng), seen_(seen) {}

  // Plays one episode; returns its hands. `told`: the accountant is.
  int play(std::uint64_t seed, bool told) {
    told_ = told;
    total_ = std::int64_t{rules_.players} * rules_.stack;
    for (state_.reset_and_hold(rules_, seed);; state_.next_hand()) {
      story_.clear();
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
      if (told_) tell();
      if (testing::Test::HasFailure() || state_.hand_over()) return;
      const std::uint64_t legal = state_.legal_mask();
      ASSERT_GT(std::popcount(legal), 1) << "somebody without a choice is to act";
      ASSERT_FALSE(state_.is_out(state_.current_player()));
      const AmountRange range = state_.amount_range();
      if (told_ && !range.empty() && rng_.below(3) == 0) {
        ++seen_.any_amount;
        state_.bet_to_and_hold(range.low +
                               static_cast<Chips>(rng_.below(static_cast<std::uint32_t>(range.high - range.low) + 1)));
        continue;
      }
      // Folds are rare, so that many come to the showdown.
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

  // The story so far goes on from what was told before, and the accountant's books say what the state does.
  void tell() {
    std::vector<Event> now = story(state_);
    ASSERT_GE(now.size(), story_.size());
    ASSERT_TRUE(std::equal(story_.begin(), story_.end(), now.begin())) << "the story has changed";
    story_ = std::move(now);
    const Accountant books(rules_, story_);
    const betting::Bets& bets = state_.bets();
    ASSERT_EQ(books.dealer, state_.dealer());
    ASSERT_EQ(books.live, bets.live());
    ASSERT_TRUE(
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
    if (state_.hand_over()) check_end(books);
  }

  void check_end(const Accountant& books) {
    const HandRecord hand = state_.last_hand();
    ASSERT_EQ(books.won, hand.payout);
    Chips odd = hand.odd_chips;
    for (std::size_t pot = 0; pot < at(hand.pots); ++pot) {
      const auto won = books.pots.find(static_cast<int>(pot));
      odd -= hand.pot_chips[pot] - (won == books.pots.end() ? 0 : won->second);
    }
    ASSERT_EQ(odd, 0) << "the pots do not hold what was won of them";
    for (Seat seat = 0; seat < rules_.players; ++seat)
      ASSERT_EQ(books.stack[at(seat)] + books.won[at(seat)], state_.chips(seat) + hand.net[at(seat)]);
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
    ++seen_.told;
    int decisions = 0;
    for (const Event& event : story_) {
      const bool posted = event.kind == Kind::kPosted, acted = event.kind == Kind::kActed;
      seen_.returned += event.kind == Kind::kReturned ? 1 : 0;
      seen_.bring_ins += posted && event.what == "bring_in" ? 1 : 0;
      seen_.short_blinds += posted && event.what == "big_blind" && event.all_in ? 1 : 0;
      seen_.completed += acted && event.what == "complete" ? 1 : 0;
      seen_.ended += event.kind == Kind::kMatchEnded ? 1 : 0;
      seen_.all_ins += acted && event.all_in ? 1 : 0;
      decisions += acted || event.kind == Kind::kDiscarded ? 1 : 0;
    }
    seen_.without_decision += decisions == 0 ? 1 : 0;
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
  bool told_ = false;
  std::vector<Event> story_;
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
    EXPECT_GT(count, seen.told / 2000);
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
    test::check_events(*game, 10);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace dealer::poker::random_rules_test
