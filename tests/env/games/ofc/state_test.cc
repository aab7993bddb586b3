// States that random play rarely reaches or leaves at once: hands that begin in Fantasyland, finished hands held on the
// table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "env/core/typed_game.h"
#include "env/games/ofc/observation_parts.h"
#include "tests/env/games/ofc/rule_sets.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/paths.h"

namespace dealer::ofc::state_test {
namespace {

// Every episode is dealt with another set of players in Fantasyland, and another dealer.
struct FantasylandStart : State {
  void reset(const Rules& rules, std::uint64_t seed) {
    FantasylandCards fantasyland{};
    RandomStream rng(seed, 3);
    const std::uint32_t seats = 1 + rng.below((1U << rules.players) - 1);
    const auto& numbers = rules.scoring.bonus.fantasyland_cards;
    for (std::size_t s = 0; s < kMaxSeats; ++s)
      if (((seats >> s) & 1) != 0) fantasyland[s] = numbers[(seed + s) % numbers.size()];
    deal(rules, seed, fantasyland, static_cast<int>(rng.below(static_cast<std::uint32_t>(rules.players))));
  }
  void reset_and_hold(const Rules& rules, std::uint64_t seed) { reset(rules, seed); }
  class Sampler {
   public:
    Sampler(const Rules& rules, std::span<const float> observation) : sampler_(rules, observation) {}
    FantasylandStart draw(RandomStream& rng) const { return {sampler_.draw(rng)}; }

   private:
    State::Sampler sampler_;
  };
};
static_assert(GameState<FantasylandStart>);

class FromFantasylandRules : public testing::TestWithParam<GameRules> {
 protected:
  std::shared_ptr<TypedGame<FantasylandStart>> game_ = std::make_shared<TypedGame<FantasylandStart>>(
      GameId{"ofc", "ofc from Fantasyland", "ofc", ""}, GetParam(), "points", true);
};

TEST_P(FromFantasylandRules, PassesTheHarness) { test::check_all(*game_, 0.25); }

std::vector<GameRules> all_rules() {
  std::vector<GameRules> sets;
  for (const int players : {2, 3})
    for (int cards = 13; cards <= 17; ++cards) {
      GameRules rules;
      rules.players = players;
      rules.scoring.bonus.fantasyland_cards.fill(static_cast<std::uint8_t>(cards));
      sets.push_back(rules);
    }
  sets.emplace_back().episode = Episode::kHand;
  GameRules& match = sets.emplace_back();
  match.players = 3;
  match.episode = Episode::kMatch;
  match.match_hands = 4;
  for (const int players : {2, 3}) {
    GameRules& progressive = sets.emplace_back();
    progressive.players = players;
    progressive.scoring.bonus.fantasyland_cards = {14, 15, 16, 17, 13};
    progressive.scoring.bonus.stay_back = HandCategory::kPair;
  }
  return sets;
}

TEST(FromFantasyland, KeepsItsSignature) {
  std::string text;
  for (const GameRules& rules : all_rules()) {
    const auto game =
        std::make_shared<TypedGame<FantasylandStart>>(GameId{"ofc", "ofc", "ofc", ""}, rules, "points", true);
    text += fmt::format("{:016x} {} players, {} cards\n", test::signature(*game, 300), rules.players,
                        rules.scoring.bonus.fantasyland_cards[0]);
  }
  test::check_recorded(std::filesystem::path(test::source_dir()) / "tests/env/golden/ofc_fantasyland.signature", text);
}

INSTANTIATE_TEST_SUITE_P(Ofc, FromFantasylandRules, testing::ValuesIn(all_rules()));

// Calls f(state) at the end of every hand of random episodes.
template <class F>
void at_every_end(int seeds, F f) {
  for (const RuleSet& set : rule_sets()) {
    SCOPED_TRACE(set.name);
    for (int seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      State state = start(set, static_cast<std::uint64_t>(seed));
      RandomStream rng(static_cast<std::uint64_t>(seed), 41);
      for (int hand = 0; hand < 6; ++hand) {
        while (!state.hand_over()) state.apply_and_hold(test::random_action(state.legal_mask(), rng));
        f(state);
        if (testing::Test::HasFailure()) return;
        if (state.episode_over()) break;
        state.next_hand();
      }
    }
  }
}

TEST(OfcHeldHand, EverybodySeesWhatWasShown) {
  int fantasyland = 0, gone_out = 0;
  at_every_end(test::repetitions(100), [&](const State& state) {
    const int n = state.rules().players;
    const ObservationParts part(n);
    ASSERT_EQ(state.legal_mask(), 0U);
    ASSERT_EQ(state.current_player(), kTerminal);
    ASSERT_TRUE(state.valid());
    for (Seat seat = 0; seat < n; ++seat) {
      const std::vector<float> data = observation(state, seat);
      const View seen = State::decode(state.rules(), data);
      ASSERT_EQ(seen.turn, -1);
      ASSERT_EQ(seen.hand, 0U);
      ASSERT_EQ(seen.discards, state.discards(seat));
      ASSERT_EQ(seen.dealer, (state.dealer() - seat + n) % n);
      for (int rel = 0; rel < n; ++rel) {
        const Seat owner = (seat + rel) % n;
        const auto r = static_cast<std::size_t>(rel);
        ASSERT_TRUE(seen.board[rel] == state.board(owner));
        ASSERT_EQ(seen.board[rel].complete(), state.last_hand().played[owner]);
        ASSERT_EQ(seen.fantasyland[r], state.last_hand().fantasyland[owner]);
        ASSERT_EQ(seen.out[r], state.is_out(owner));
        fantasyland += seen.fantasyland[r] != 0 && rel > 0 ? 1 : 0;
        if (state.rules().episode != Episode::kMatch) continue;
        const auto all = static_cast<float>(n * state.rules().start_points);
        ASSERT_EQ(data[static_cast<std::size_t>(part.points + rel)], static_cast<float>(state.points(owner)) / all);
        ASSERT_EQ(data[static_cast<std::size_t>(part.won + rel)], state.reward(owner) / all);
        ASSERT_EQ(seen.out[r], state.points(owner) == 0);
        gone_out += seen.out[r] && seen.board[rel].complete() ? 1 : 0;
      }
    }
  });
  EXPECT_GT(fantasyland, 0);
  EXPECT_GT(gone_out, 0);
}

// The next players in Fantasyland, the dealer and the players who are out follow from visible information.
void expect_same_next(State a, State b) {
  ASSERT_EQ(a.episode_over(), b.episode_over());
  if (a.episode_over()) return;
  a.next_hand();
  b.next_hand();
  EXPECT_EQ(a.dealer(), b.dealer());
  for (Seat seat = 0; seat < a.rules().players; ++seat) {
    EXPECT_EQ(a.in_fantasyland(seat), b.in_fantasyland(seat));
    EXPECT_EQ(a.is_out(seat), b.is_out(seat));
    EXPECT_EQ(a.points(seat), b.points(seat));
  }
  EXPECT_TRUE(b.valid());
}

TEST(OfcHeldHand, SampledStatesGoOnLikeTheRealOne) {
  at_every_end(test::repetitions(60), [&](const State& state) {
    RandomStream rng(5);
    for (Seat seat = 0; seat < state.rules().players; ++seat) {
      const State sampled = State::Sampler(state.rules(), observation(state, seat)).draw(rng);
      ASSERT_TRUE(sampled.valid());
      ASSERT_TRUE(sampled.hand_over());
      ASSERT_EQ(std::memcmp(&sampled.last_hand(), &state.last_hand(), sizeof(HandRecord)), 0);
      expect_same_next(state, sampled);
    }
  });
}

// Changes every byte of a held state in turn: accepted states must play on alike.
TEST(OfcHeldHand, BytesThatContradictTheBoardsAreRefused) {
  int refused = 0, accepted = 0;
  at_every_end(1, [&](const State& state) {
    for (std::size_t i = sizeof(void*); i < sizeof(State); ++i)
      for (const unsigned flip : {1U, 2U, 128U}) {
        State changed = state;
        reinterpret_cast<unsigned char*>(&changed)[i] ^= static_cast<unsigned char>(flip);
        if (!changed.valid()) {
          ++refused;
          continue;
        }
        ++accepted;
        // The number of the hand may change: then a match may be at its end.
        if (changed.hands_finished() != state.hands_finished()) continue;
        expect_same_next(state, changed);
        if (testing::Test::HasFailure()) FAIL() << "byte " << i;
      }
  });
  EXPECT_GT(refused, 4 * accepted);
}

TEST(OfcStatistics, CountFoulsAgainstFantasyland) {
  const GameRules rules = rules_for(3, Episode::kHand);
  for (const FantasylandCards cards : {FantasylandCards{0, 14, 0}, {0, 0, 0}}) {
    int fouls = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      State state;
      state.deal(rules, seed, cards, 0);
      while (!state.hand_over()) state.apply(static_cast<Action>(std::countr_zero(state.legal_mask())));
      for (Seat seat = 0; seat < 3; ++seat) {
        const Statistics figures = state.statistics(seat);
        const auto figure = [&](std::string_view name) {
          return *std::ranges::find(figures, name, [](const Statistic& one) { return std::string_view(one.name); });
        };
        const Statistic against = figure("foul_rate_vs_fantasyland"), all = figure("foul_rate");
        const bool counted = cards[1] != 0 && seat != 1;
        EXPECT_EQ(against.denominator, counted ? 1 : 0);
        EXPECT_EQ(against.numerator, counted ? all.numerator : 0);
        fouls += static_cast<int>(all.numerator);
      }
    }
    EXPECT_GT(fouls, 0);
  }
}

// Earlier versions, in which all Fantasyland hands had the same number of cards, saved 1 for the number.
TEST(OfcBytes, OfEarlierVersionsAreReadAndOtherNumbersOfCardsRefused) {
  GameRules rules;
  rules.scoring.bonus.fantasyland_cards.fill(17);
  State state;
  state.deal(rules, 3, {0, 17, 0}, 0);
  unsigned char bytes[sizeof(State)];
  std::memcpy(bytes, &state, sizeof(state));
  const auto with = [&](std::size_t place, unsigned char value) {
    unsigned char changed[sizeof(State)];
    std::memcpy(changed, bytes, sizeof(bytes));
    changed[place] = value;
    State read;
    std::memcpy(static_cast<void*>(&read), changed, sizeof(read));
    read.attach(&rules);
    return read;
  };
  int places = 0;
  for (std::size_t i = 0; i < sizeof(State); ++i) {
    if (bytes[i] != 17) continue;
    const State read = with(i, 1);
    if (std::memcmp(&read, &state, sizeof(state)) != 0) continue;
    ++places;
    EXPECT_TRUE(read.valid());
    EXPECT_FALSE(with(i, 16).valid());
    EXPECT_FALSE(with(i, 2).valid());
  }
  EXPECT_EQ(places, 1);
}

// Never seen at random. The position is set up through the observation. Seat 2 has queens in front and no foul, but its
// one point goes to seat 1.
TEST(OfcMatch, WhoIsOutEntersNoFantasyland) {
  const GameRules rules = rules_for(3, Episode::kMatch);
  const ObservationParts parts(3);
  std::vector<float> data(static_cast<std::size_t>(parts.size));
  const auto set = [&](int index, float value) { data[static_cast<std::size_t>(index)] = value; };
  const CardSet hand = to_set(parse_cards("2c 6h 7d"));
  CardSet used = hand;
  for (const auto& [seat, points, text] : {std::tuple(0, 200, "Kd Qd 6h / 5h 5c 3h 3c 6s / Js Jh Jd 7s 7d"),
                                           {1, 399, "Jc 8d 7c / As Ah Ac 6c 5d / Ks Kh Kc Ts Td"},
                                           {2, 1, "Qs Qc 3s / 4s 4h 2h 2d 9s / 8s 8h 9h 9c 5s"}}) {
    int placed = 0;
    for (int row = 0; row < kRows; ++row)
      for_each(parse_board(text).row[static_cast<std::size_t>(row)] & ~hand, [&, seat = seat](Card card) {
        // In any order: five cards on the first street, two on every other.
        const int street = placed < 5 ? 0 : (placed - 3) / 2;
        set(parts.rows + (seat * kRows + row) * kCards + card, static_cast<float>(street + 1) / 5);
        used |= bit(card);
        ++placed;
      });
    set(parts.points + seat, static_cast<float>(points) / static_cast<float>(3 * rules.start_points));
  }
  for (int street = 1; street <= 3; ++street) {
    const Card card = lowest(kFullDeck & ~used);
    used |= bit(card);
    set(parts.discards + card, static_cast<float>(street + 1) / 5);
  }
  for_each(hand, [&](Card card) { set(parts.hand + card, 1); });
  for (const int one : {parts.next + lowest(hand), parts.dealer, parts.turn, parts.seat, parts.street + 4}) set(one, 1);
  set(parts.places_left, 2.0F / 13);
  set(parts.discards_left, 1.0F / 4);
  RandomStream rng(1);
  State state = State::Sampler(rules, data).draw(rng);
  state.apply(kToDiscard);
  state.apply(kToFront);  // then only the back is left for the last card
  ASSERT_NE(state.current_player(), kTerminal);
  EXPECT_TRUE(state.last_hand().next[2] && state.is_out(2));
  EXPECT_FALSE(state.in_fantasyland(2));
  EXPECT_EQ(state.points(1), 403);
  EXPECT_EQ(state.dealer(), 1) << "nobody still in the match enters, so the button moves";
}

}  // namespace
}  // namespace dealer::ofc::state_test
