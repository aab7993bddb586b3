// Hands that begin with chips from earlier ones: Env::reset(seed, start) and Env::carry_over().
#include "env/core/table_start.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "tests/env/harness/random_play.h"
#include "tests/support/error_message.h"

namespace dealer::table_start_test {
namespace {

using test::error_message;
using test::play_randomly;
using test::repetitions;

Amount sum(const std::vector<Amount>& chips) { return std::accumulate(chips.begin(), chips.end(), Amount{0}); }

// Chips for every seat, some with very few, at most `all` in total.
TableStart random_start(int players, Amount all, RandomStream& rng) {
  TableStart start;
  for (int left = players; left > 0; --left) {
    const Amount most = all - sum(start.chips) - (left - 1);
    const Amount limit = rng.below(3) == 0 ? std::min<Amount>(most, 8) : most;
    start.chips.push_back(1 + static_cast<Amount>(rng.below(static_cast<std::uint32_t>(limit))));
  }
  start.dealer = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(players + 1))) - 1;
  start.match_seed = rng.bits64();
  return start;
}

// In every position: hidden information can be sampled, positions can be saved, numbers are within bounds.
void check_position(const Env& env, Env& other, std::uint64_t seed) {
  const ObservationSpec& spec = env.game().observation_spec();
  const Seat seat = std::max(env.current_player(), 0);
  const Observation seen = env.observe(seat);
  for (const ObservationPart& part : spec.parts())
    for (int i = part.offset; i < part.offset + part.size(); ++i) {
      const float value = seen.data[static_cast<std::size_t>(i)];
      ASSERT_GE(value, part.low) << part.name;
      ASSERT_LE(value, part.high) << part.name;
    }
  other.deserialize(env.serialize());
  ASSERT_EQ(other.serialize(), env.serialize());
  other.sample_state(seen, seed);
  ASSERT_EQ(other.observe(seat).data, seen.data);
  const std::string sampled = other.serialize();
  other.deserialize(sampled);
}

class Tournament : public testing::TestWithParam<std::pair<const char*, Amount>> {
 protected:
  GamePtr game_ = make_game(GetParam().first);
  Amount all_ = GetParam().second;
  bool ofc_ = game_->id().family == "ofc";
  bool progressive_ = game_->name() == "ofc_progressive";
};

TEST_P(Tournament, HandsConserveWhatWasBrought) {
  const auto env = game_->new_env({.hold_hands = true}), other = game_->new_env({.hold_hands = true});
  RandomStream rng(5);
  const int players = game_->players();
  bool some_are_out = false;
  for (int i = 0; i < repetitions(60); ++i) {
    TableStart start = random_start(players, all_, rng);
    if (ofc_) {
      for (int seat = 0; seat < players; ++seat)
        start.privileges.push_back(static_cast<std::uint8_t>(rng.below(2) == 0 ? 0
                                                             : progressive_    ? 14 + rng.below(4)
                                                                               : 14));
      start.hands = static_cast<int>(rng.below(40));
    }
    env->reset(static_cast<std::uint64_t>(i), start);
    const Event begun = env->events(kOmniscient).front();
    EXPECT_EQ(begun.kind, Event::Kind::kHandBegun);
    EXPECT_TRUE(std::equal(begun.values.begin(), begun.values.end(), start.chips.begin(), start.chips.end()));
    for (std::size_t seat = 0; seat < start.privileges.size(); ++seat)
      EXPECT_EQ((begun.seats >> seat & 1) != 0, start.privileges[seat] != 0);
    EXPECT_TRUE(start.dealer < 0 || begun.seat == start.dealer);
    play_randomly(
        *env, rng, [&](const Env& at) { check_position(at, *other, rng.bits64()); }, [](const Step&, Seat, Action) {});
    ASSERT_TRUE(env->terminated());
    EXPECT_THROW(env->next_hand(), UsageError);
    const TableStart after = env->carry_over();
    const std::vector<double> won = env->returns();
    const Event ended = env->events(kOmniscient).back();
    ASSERT_EQ(ended.kind, Event::Kind::kHandEnded) << "a hand of a tournament is not a match that ends";
    EXPECT_EQ(sum(after.chips) + ended.amount, sum(start.chips));
    for (std::size_t seat = 0; seat < after.chips.size(); ++seat) {
      EXPECT_EQ(after.chips[seat], start.chips[seat] + static_cast<Amount>(won[seat]));
      EXPECT_EQ(ended.values[seat], after.chips[seat] - start.chips[seat]);
      EXPECT_GE(after.chips[seat], 0);
      some_are_out |= after.chips[seat] == 0;
      EXPECT_TRUE(after.chips[seat] > 0 || after.privileges.empty() || after.privileges[seat] == 0)
          << "in Fantasyland without points";
    }
    EXPECT_GT(after.chips[static_cast<std::size_t>(after.dealer)], 0);
    EXPECT_EQ(after.hands, ofc_ ? start.hands + 1 : 0);
    if (ofc_ || after.chips[static_cast<std::size_t>((begun.seat + 1) % players)] == 0) continue;
    EXPECT_EQ(after.dealer, (begun.seat + 1) % players);
  }
  EXPECT_TRUE(some_are_out);
}

TEST_P(Tournament, RefusesWhatDoesNotGoWithTheRules) {
  const auto env = game_->new_env({.hold_hands = true});
  env->reset(3);
  const std::string before = env->serialize();
  TableStart good;
  good.chips.assign(static_cast<std::size_t>(game_->players()), 10);
  const auto refused = [&](const char* words, auto change) {
    TableStart start = good;
    change(start);
    EXPECT_NE(error_message<UsageError>([&] { env->reset(1, start); }).find(words), std::string::npos) << words;
    EXPECT_EQ(env->serialize(), before);
  };
  refused("expected 1 to", [](TableStart& start) { start.chips[1] = 0; });
  refused("expected at most", [&](TableStart& start) { start.chips[0] = all_; });
  refused("expected at most", [](TableStart& start) { start.chips.pop_back(); });
  refused("dealer 9", [](TableStart& start) { start.dealer = 9; });
  refused("12", [](TableStart& start) { start.privileges.assign(start.chips.size(), 12); });
  EXPECT_THROW(env->carry_over(), UsageError) << "a hand is in progress";
  env->reset(1, good);
}

INSTANTIATE_TEST_SUITE_P(
    Games, Tournament,
    testing::Values(std::pair("ofc[episode=match,match.multiplier_every=3,match.tournament_points=900]", 900),
                    std::pair("ofc[players=3,episode=match,match.tournament_points=1200,fantasyland.entry_pair=22]",
                              1200),
                    std::pair("ofc_progressive[players=3,episode=match,match.tournament_points=600]", 600),
                    std::pair("holdem[tournament_chips=8000]", 8000),
                    std::pair("holdem[players=6,limit=no_limit,stack=500,tournament_chips=9000]", 9000),
                    std::pair("draw[players=4,tournament_chips=5000,stack=300]", 5000),
                    std::pair("stud[players=3,tournament_chips=1000,stack=100,bring_in=5]", 1000),
                    std::pair("washizu[players=3,tournament_chips=120]", 120),
                    std::pair("washizu[players=2,episode=hand,tournament_chips=160,ante=4]", 160)));

// Cards, multiplier, button and Fantasyland of a match equal those of its hands begun one by one.
TEST(TableStart, HandsOneByOneMakeAMatch) {
  for (const auto& [name, players] :
       {std::pair("ofc", 2), {"ofc", 3}, {"ofc_progressive", 2}, {"ofc_progressive", 3}}) {
    const std::string rules = "match.start_points=100,match.multiplier_every=2,fantasyland.entry_pair=22";
    const GamePtr match =
        make_game(fmt::format("{}[players={},episode=match,match.hands=25,{}]", name, players, rules));
    const GamePtr hand = make_game(
        fmt::format("{}[players={},episode=match,match.tournament_points={},{}]", name, players, 100 * players, rules));
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto whole = match->new_env({.hold_hands = true}), single = hand->new_env({.hold_hands = true});
      whole->reset(seed);
      TableStart start;
      start.chips.assign(static_cast<std::size_t>(players), 100);
      RandomStream rng(seed);
      for (int number = 0;; ++number) {
        single->reset(seed, start);
        while (!single->hand_over()) {
          ASSERT_EQ(single->events(kOmniscient), whole->events(kOmniscient)) << "hand " << number;
          ASSERT_EQ(single->observe(0).data, whole->observe(0).data);
          const Action action = test::random_action(whole->legal_mask(), rng);
          whole->step(action);
          single->step(action);
        }
        start = single->carry_over();
        ASSERT_EQ(start, whole->carry_over());
        // A player who is out has no seat in a single hand.
        if (whole->terminated() || std::count(start.chips.begin(), start.chips.end(), 0) > 0) break;
        whole->next_hand();
      }
    }
  }
}

TEST(TableStart, BettingHandsBeginAsTheGameDoes) {
  const auto plain = make_game("washizu[players=3,episode=hand]")->new_env();
  const auto table = make_game("washizu[players=3,episode=hand,tournament_chips=60]")->new_env();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    plain->reset(seed);
    TableStart start;
    start.chips = {20, 20, 20};
    start.match_seed = seed;
    table->reset(seed, start);
    EXPECT_EQ(table->events(kOmniscient), plain->events(kOmniscient));
    // The cards taken out are the match's, the dealt cards the hand's.
    table->reset(seed + 1, start);
    EXPECT_EQ(table->events(kOmniscient).front().cards, plain->events(kOmniscient).front().cards);
    EXPECT_NE(table->events(kOmniscient), plain->events(kOmniscient));
  }
}

TEST(TableStart, OtherGamesHaveNone) {
  for (const char* name : {"kuhn", "seven_hand", "ofc", "holdem"}) {
    const auto env = make_game(name)->new_env();
    const std::string message = error_message<UsageError>([&] { env->reset(1, TableStart{{10, 10}}); });
    EXPECT_NE(message.find("tournament"), std::string::npos) << message;
  }
  EXPECT_NE(error_message<ConfigError>([] { make_game("ofc[match.tournament_points=500]"); }).find("episode: match"),
            std::string::npos);
  // The text of rules without the key is unchanged.
  EXPECT_EQ(make_game("holdem")->id().rules.find("tournament"), std::string::npos);
  EXPECT_EQ(make_game("ofc")->id().rules.find("tournament"), std::string::npos);
}

}  // namespace
}  // namespace dealer::table_start_test
