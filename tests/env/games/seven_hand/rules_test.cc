// The events of a turn of 7-Hand Poker for each side, invalid positions, options, the samplers' distribution. A referee
// checks laying, naming, drawing and winning (referee_test.cc).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/seven_hand/game.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/chi_square.h"
#include "tests/support/error_message.h"
#include "tests/support/seven_hand.h"

namespace dealer::test::rules_test {
namespace {

using namespace dealer::seven_hand;

class SevenHandEvents : public testing::Test {
 protected:
  // Seat 0 has spades and begins, seat 1 hearts; then the deck from below.
  void lay(const std::string& cards, int chip) {
    for_each(to_set(parse_cards(cards)), [&](Card card) { state_.apply(card); });
    if (!state_.naming()) state_.apply(kStop);
    state_.apply(kFirstChip + chip - 1);
  }
  // The events of the viewer, a line each, from the `first` on.
  std::string observed(Viewer viewer, std::size_t first) const {
    std::vector<Event> events;
    state_.events(events);
    std::string text;
    const std::vector<Event> seen = seen_by(events, viewer);
    for (std::size_t i = first; i < seen.size(); ++i) text += to_json(seen[i], *game_).dump() + '\n';
    return text;
  }

  GamePtr game_ = make_game("seven_hand");
  State state_ = dealt(as_seven_hand(*game_)->rules(), "As Ks Qs Js Ts 9s 8s 7s", "Ah Kh Qh Jh Th 9h 8h 7h");
};

TEST_F(SevenHandEvents, TellATurnAndAShowdown) {
  lay("Ts As", 3);
  lay("Kh", 3);
  EXPECT_EQ(observed(1, 3), R"({"cards":[],"count":2,"event":"laid","seat":0,"street":0}
{"chip":3,"event":"named","seat":1,"street":0}
{"cards":[],"count":3,"event":"drew","seat":0,"street":0}
{"cards":["Kh"],"count":1,"event":"laid","seat":1,"street":0}
{"chip":3,"event":"named","seat":0,"street":0}
{"cards":["7d","6c","6d"],"count":3,"event":"drew","seat":1,"street":0}
{"cards":["As","Ts"],"chip":3,"count":2,"event":"shown","hand":"ace high","seat":0,"street":0}
{"cards":["Kh"],"chip":3,"count":1,"event":"shown","hand":"king high","seat":1,"street":0}
{"amount":0,"chip":3,"event":"won","half":null,"hand":"ace high","pot":0,"seat":0,"street":0}
)");
  EXPECT_TRUE(observed(0, 3).starts_with(R"({"cards":["As","Ts"],"count":2,"event":"laid","seat":0,"street":0})"));
}

TEST_F(SevenHandEvents, ACompleteTieIsShownAndWonByNobody) {
  lay("As Ks", 1);
  lay("Ah Kh", 1);
  const std::string story = observed(kSpectator, 0);
  EXPECT_NE(story.find("\"shown\""), std::string::npos);
  EXPECT_EQ(story.find("\"won\""), std::string::npos);
}

TEST_F(SevenHandEvents, SixCardsAtAChipAreNoPosition) {
  lay("As Ks Qs Js Ts", 3);
  ASSERT_TRUE(state_.valid());
  // After the rules and the seed come the cards at the chips of seat 0, then those of seat 1, then the hands.
  constexpr std::size_t kLaid = 16 + 2 * sizeof(CardSet), kHand = 16 + kSeats * kChips * sizeof(CardSet);
  std::array<char, sizeof(State)> bytes;
  std::memcpy(bytes.data(), &state_, sizeof(State));
  CardSet laid = 0, hand = 0;
  std::memcpy(&laid, &bytes[kLaid], sizeof(CardSet));
  std::memcpy(&hand, &bytes[kHand], sizeof(CardSet));
  ASSERT_EQ(laid, state_.laid(0, 2));
  ASSERT_EQ(hand, state_.hand(0));
  laid |= bit(parse_card("9s"));
  hand &= ~bit(parse_card("9s"));
  std::memcpy(&bytes[kLaid], &laid, sizeof(CardSet));
  std::memcpy(&bytes[kHand], &hand, sizeof(CardSet));
  State forged;
  std::memcpy(static_cast<void*>(&forged), bytes.data(), sizeof(State));
  EXPECT_FALSE(forged.valid());
}

TEST(SevenHand, TheDealAlternates) {
  const GamePtr game = make_game("seven_hand[hands=4]");
  State state;
  state.reset(as_seven_hand(*game)->rules(), 9);
  RandomStream rng(1);
  for (int hand = 1; hand < 4; ++hand) {
    const Seat dealer = state.dealer();
    while (state.hands_finished() < hand) state.apply(random_action(state.legal_mask(), rng));
    EXPECT_EQ(state.dealer(), 1 - dealer);
  }
}

TEST(SevenHand, RefusesOptionsThatTheRulesDoNotAllow) {
  for (const auto& [option, words] : {std::pair("players=3", "players"),
                                      {"ties=neither", "nobody, second_mover, first_mover, both"},
                                      {"hands=0", "hands"}}) {
    const std::string spec = std::string("seven_hand[") + option + "]";
    EXPECT_NE(error_message<ConfigError>([&] { make_game(spec); }).find(words), std::string::npos) << option;
  }
}

// Frequencies of sampled states, against exact counts.
const GameRules& the_rules() {
  static const GamePtr game = make_game("seven_hand");
  return as_seven_hand(*game)->rules();
}

std::vector<float> observed(const State& state, Seat seat) {
  std::vector<float> numbers(static_cast<std::size_t>(State::observation_spec(the_rules()).size()));
  state.observe(seat, numbers.data());
  return numbers;
}

// Lays the lowest cards of the hand, at the first free chip.
void lay(State& state, int count) {
  const Seat mover = state.mover();
  const int turns = state.turns();
  for (int i = 0; i < count; ++i) state.apply(lowest(state.hand(mover)));
  if (!state.naming() && state.turns() == turns) state.apply(kStop);
  if (state.naming()) state.apply(static_cast<Action>(std::countr_zero(state.legal_mask())));
}

// Every way in which the unseen cards may lie is drawn equally often: face down at each chip, in the opponent's hand,
// in the stock. Counted where few are unseen.
TEST(SevenHandSampler, DealsTheUnseenCardsUniformly) {
  int positions = 0;
  for (std::uint64_t seed = 0; positions < 3; ++seed) {
    State state;
    state.reset(the_rules(), seed);
    RandomStream rng(seed, 2);
    // Up to the last turn, so that few cards are unseen.
    while (!state.hand_over() && state.turns() < 13) state.apply(random_action(state.legal_mask(), rng));
    if (state.hand_over()) continue;
    const Seat me = state.dealer(), other = 1 - me;
    double ways = 1;  // to lay the unseen cards
    std::vector<int> piles = {size(state.hand(other))};
    for (int chip = 0; chip < kChips; ++chip)
      if (state.turn_laid(me, chip) == 0 && state.laid(other, chip) != 0)
        piles.push_back(size(state.laid(other, chip)));
    int unseen = 0;
    for (const int pile : piles)
      for (int i = 1; i <= pile; ++i) ways *= static_cast<double>(++unseen) / i;
    if (ways < 20 || ways > 3000) continue;
    ++positions;
    State::Sampler sampler(the_rules(), observed(state, me));
    std::map<std::vector<CardSet>, int> counts;
    const int draws = 200 * static_cast<int>(ways);
    for (int i = 0; i < draws; ++i) {
      const State drawn = sampler.draw(rng);
      std::vector<CardSet> key = {drawn.hand(other)};
      for (int chip = 0; chip < kChips; ++chip) key.push_back(drawn.laid(other, chip));
      ++counts[key];
    }
    ASSERT_EQ(counts.size(), static_cast<std::size_t>(ways + 0.5));
    double chi = 0;
    for (const auto& [key, count] : counts) chi += (count - 200.0) * (count - 200.0) / 200;
    EXPECT_LT(std::abs(test::deviations(chi, ways - 1)), 4.5);
  }
}

// The opponent lays two of eight cards, draws three, lays three of nine: the number of those three that it had from the
// start is hypergeometric, whether or not the cards were turned up.
TEST(SevenHandSampler, RemembersWhatCouldBeLaidWhen) {
  for (const bool shown : {false, true}) {
    State state;
    state.reset(the_rules(), 3);
    const Seat other = state.mover(), me = 1 - other;
    lay(state, 2);  // the opponent, chip 1
    lay(state, 1);  // the observer, chip 1
    lay(state, 3);  // the opponent, chip 2
    if (shown) lay(state, 1);
    ASSERT_EQ(state.turn_laid(other, 1), 2);
    State::Sampler sampler(the_rules(), observed(state, me));
    RandomStream rng(11);
    std::array<int, 4> counts{};
    const int kDraws = test::repetitions(200'000);
    for (int i = 0; i < kDraws; ++i) {
      const State drawn = sampler.draw(rng);
      std::vector<float> numbers = observed(drawn, other);
      const View view = State::decode(the_rules(), numbers);
      ++counts[static_cast<std::size_t>(size(view.drawn[0] & drawn.laid(other, 1)))];
    }
    // C(6, k) C(3, 3 - k) of C(9, 3).
    const std::array<double, 4> expected = {1 / 84.0, 18 / 84.0, 45 / 84.0, 20 / 84.0};
    for (std::size_t k = 0; k < 4; ++k) {
      const double mean = kDraws * expected[k];
      EXPECT_NEAR(counts[k], mean, 4.5 * std::sqrt(mean * (1 - expected[k]))) << k << (shown ? " shown" : "");
    }
  }
}

// The stock: each unseen card is among the next three of either player equally often.
TEST(SevenHandSampler, DealsTheStockUniformly) {
  State state;
  state.reset(the_rules(), 4);
  const Seat me = 1 - state.mover(), other = 1 - me;
  lay(state, 2);
  const State::Sampler sampler(the_rules(), observed(state, me));
  RandomStream rng(17);
  std::array<std::array<int, kCards>, kSeats> drawn{};
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) {
    State then = sampler.draw(rng);
    // Both lay a card, and draw.
    const CardSet before = then.hand(me);
    lay(then, 1);
    for_each(then.hand(me) & ~before, [&](Card card) { ++drawn[0][card]; });
    const CardSet others = then.hand(other);
    lay(then, 1);
    for_each(then.hand(other) & ~others, [&](Card card) { ++drawn[1][card]; });
  }
  const double mean = kDraws * 3.0 / 44;
  for (Card card = 0; card < kCards; ++card) {
    const bool own = (state.hand(me) & bit(card)) != 0;
    for (const auto& counts : drawn) EXPECT_NEAR(counts[card], own ? 0 : mean, own ? 0 : 4.5 * std::sqrt(mean));
  }
}

// The unseen cards: the stock, and during a player's laying the cards that the other has drawn since its own.
TEST(SevenHandRedeal, DealsWhatNobodyHasLookedAt) {
  State state;
  state.reset(the_rules(), 6);
  const Seat first = state.mover(), second = 1 - first;
  RandomStream rng(1);
  const auto expect = [&](int unseen_cards, Seat dealt_anew) {
    EXPECT_EQ(state.unseen_cards(), unseen_cards) << state.turns() << state.naming();
    std::array<int, kSeats> changed{};
    for (int i = 0; i < 8; ++i) {
      State other = state;
      other.resample_future(rng);
      for (Seat seat = 0; seat < kSeats; ++seat) changed[at(seat)] += other.hand(seat) != state.hand(seat) ? 1 : 0;
    }
    for (Seat seat = 0; seat < kSeats; ++seat)
      EXPECT_EQ(changed[at(seat)] > 0, seat == dealt_anew) << state.turns() << state.naming() << seat;
  };
  const auto pick = [&](int count) {
    for (int i = 0; i < count; ++i) state.apply(lowest(state.hand(state.mover())));
    if (!state.naming()) state.apply(kStop);
    ASSERT_TRUE(state.naming());
  };
  const auto name = [&] { state.apply(static_cast<Action>(std::countr_zero(state.legal_mask()))); };
  constexpr Seat kNone = -1;
  expect(44, second);  // the opening hand of the second
  state.apply(lowest(state.hand(first)));
  expect(44, second);
  state.apply(kStop);
  expect(36, kNone);  // the player who names a chip has seen its draw
  name();
  expect(36, first);  // the three cards drawn by the first
  pick(2);
  expect(33, kNone);
  name();
  expect(33, second);
  // Neither player has seen the last three while the first lays its last cards, though they can be nowhere else. No
  // cards are drawn after that.
  for (std::uint64_t seed = 0; state.hand_over() || state.turns() < 13; ++seed) {
    state.reset(the_rules(), seed);
    while (!state.hand_over() && state.turns() < 13) {
      if (state.turns() == 12) {
        EXPECT_EQ(state.unseen_cards(), 3);
      }
      state.apply(random_action(state.legal_mask(), rng));
    }
  }
  expect(0, kNone);
  // When the hand is over all drawn cards have been seen.
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    state.reset(the_rules(), seed);
    while (!state.hand_over()) state.apply_and_hold(random_action(state.legal_mask(), rng));
    expect(kCards - 2 * kOpening - kDraw * (state.draws(0) + state.draws(1) - 2), kNone);
  }
}

TEST(SevenHandSampler, DealsOtherHandsAfterThisOne) {
  const GamePtr game = make_game("seven_hand[hands=2]");
  const GameRules& rules = as_seven_hand(*game)->rules();
  const State::Sampler sampler(rules, game->new_env()->observe(0).data);
  RandomStream rng(3);
  std::set<CardSet> second;
  for (int i = 0; i < 2; ++i) {
    State drawn = sampler.draw(rng);
    while (drawn.hands_finished() == 0) drawn.apply(random_action(drawn.legal_mask(), rng));
    second.insert(drawn.hand(0));
  }
  EXPECT_EQ(second.size(), 2U);
}

TEST(SevenHandTable, TellsWhetherATiedChipCounts) {
  for (const std::string ties : {"nobody", "second_mover", "first_mover", "both"}) {
    const std::unique_ptr<Env> env = make_game("seven_hand[ties=" + ties + "]")->new_env();
    env->reset(1);
    EXPECT_EQ(env->to_json(0)["table"]["ties_count"], ties == "both") << ties;
  }
}

// More cards than a hand or a chip can have.
TEST(SevenHandSampler, RefusesTooManyCards) {
  State state;
  state.reset(the_rules(), 4);
  const ObservationSpec spec = State::observation_spec(the_rules());
  const auto offset = [&](const char* part) { return static_cast<std::size_t>(spec.find(part)->offset); };
  const Seat me = state.mover();
  std::vector<float> numbers = observed(state, me);
  std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(offset("picked")), kCards, 1.0F);
  numbers[offset("pending")] = 1;
  std::swap(numbers[offset("turn")], numbers[offset("turn") + 1]);
  EXPECT_THROW(State::Sampler(the_rules(), numbers), UsageError);

  for (int i = 0; i < 5; ++i) state.apply(lowest(state.legal_mask()));
  state.apply(kFirstChip);
  numbers = observed(state, me);
  EXPECT_NO_THROW(State::Sampler(the_rules(), numbers));
  for (std::size_t card = 0; card < kCards; ++card)
    if (numbers[offset("laid") + card] == 0) numbers[offset("laid") + card] = 1.0F / 7;
  EXPECT_THROW(State::Sampler(the_rules(), numbers), UsageError);
}

}  // namespace
}  // namespace dealer::test::rules_test
