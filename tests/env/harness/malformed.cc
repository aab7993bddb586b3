// Sampled and resampled states, and the handling of malformed bytes and numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "env/core/error.h"
#include "tests/env/harness/game_harness.h"
#include "tests/env/harness/random_play.h"

namespace dealer::test {
namespace {

void play_steps(Env& env, RandomStream& rng, std::uint32_t steps) {
  for (; steps > 0 && env.current_player() != kTerminal; --steps) env.step(random_action(env.legal_mask(), rng));
}

// The last eight bytes of a saved position are the FNV-1a sum of those before.
void forge_checksum(std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const std::size_t size = bytes.size() - sizeof(hash);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ULL;
  std::memcpy(bytes.data() + size, &hash, sizeof(hash));
}

// Long matches are not always played to their end.
constexpr int kFollowedSteps = 100;

void check_playable(Env& env, RandomStream& rng) {
  const Game& game = env.game();
  play_randomly(
      env, rng,
      [&](const Env& e) {
        if (e.current_player() != kTerminal) {
          ASSERT_NE(e.legal_mask(), 0U);
        }
        const bool with_texts = rng.below(16) == 0;
        for (Seat seat = 0; seat < game.players(); ++seat) {
          ASSERT_EQ(e.observe(seat).data.size(), static_cast<std::size_t>(game.observation_spec().size()));
          if (!with_texts) continue;
          ASSERT_FALSE(e.to_string(seat).empty());
          ASSERT_FALSE(e.to_json(seat).empty());
        }
      },
      [&](const Step& step, Seat, Action) {
        double total = 0;
        for (const double reward : step.rewards) total += reward;
        if (game.zero_sum()) {
          ASSERT_EQ(total, 0);
        }
      },
      kFollowedSteps);
}

constexpr int kDeals = 1500;

std::vector<CardId> cards_dealt(const Env& env, EventCursor since) {
  std::vector<CardId> cards;
  for (const Event& event : env.events(kOmniscient, since))
    if (event.kind == Event::Kind::kDealt || event.kind == Event::Kind::kDrew)
      cards.insert(cards.end(), event.cards.begin(), event.cards.end());
  return cards;
}

// Frequency of each card when the decision is played after resampling: equal to the others', within five standard
// errors.
void check_frequencies(const Env& env, Action action) {
  const auto other = env.game().new_env({.hold_hands = true});
  std::map<CardId, int> times;
  std::size_t dealt = 0;
  for (int i = 0; i < kDeals; ++i) {
    other->assign(env);
    other->resample_future(static_cast<std::uint64_t>(i));
    other->step(action);
    const std::vector<CardId> cards = cards_dealt(*other, env.cursor());
    for (const CardId card : cards) ++times[card];
    dealt += cards.size();
  }
  if (dealt == 0) return;
  const double expected = static_cast<double>(dealt) / static_cast<double>(times.size());
  for (const auto& [card, count] : times)
    EXPECT_NEAR(count, expected, 5 * std::sqrt(expected) + 5) << "card " << static_cast<int>(card);
}

}  // namespace

void check_malformed_positions(const Game& game, int hands) {
  const auto env = game.new_env(), other = game.new_env();
  int loaded = 0;
  for_episodes(*env, hands, 5, [&](std::uint64_t seed, RandomStream& rng) {
    play_steps(*env, rng, rng.below(60));
    other->reset(seed + 1);
    const std::string good = env->serialize(), before = other->serialize();
    const auto size = static_cast<std::uint32_t>(good.size());
    const auto refused = [&](const std::string& bytes) {
      ASSERT_THROW(other->deserialize(bytes), ParseError);
      ASSERT_EQ(other->serialize(), before);
    };
    refused("");
    refused(good + '\0');
    for (int i = 0; i < 10; ++i) refused(good.substr(0, rng.below(size)));
    for (int i = 0; i < 20; ++i) {
      std::string bad = good;
      const std::uint32_t where = rng.below(size);
      bad[where] = static_cast<char>(bad[where] ^ static_cast<char>(1 + rng.below(255)));
      refused(bad);
    }
    for (int i = 0; i < 20; ++i) {
      std::string forged = good;
      for (auto count = 1 + rng.below(3); count > 0; --count)
        forged[rng.below(size - 8)] = static_cast<char>(rng.below(2) != 0 ? rng.below(4) : rng.below(256));
      forge_checksum(forged);
      try {
        other->deserialize(forged);
      } catch (const ParseError&) {
        ASSERT_EQ(other->serialize(), before);
        continue;
      }
      ++loaded;
      check_playable(*other, rng);
      other->deserialize(good);
      other->reset(seed + 1);
    }
  });
  EXPECT_GT(loaded, 0) << "not a single changed position was accepted: seeds, at least, may be anything";
}

void check_sampling(const Game& game, int hands) {
  const auto env = game.new_env(), sampled = game.new_env();
  int samples = 0, different = 0;
  for_episodes(*env, hands, 6, [&](std::uint64_t, RandomStream& rng) {
    play_randomly(
        *env, rng,
        [&](const Env& e) {
          if (e.current_player() != kTerminal && rng.below(8) != 0) return;
          for (Seat seat = 0; seat < game.players(); ++seat) {
            const Observation seen = e.observe(seat);
            sampled->sample_state(seen, rng.bits64());
            ASSERT_EQ(sampled->observe(seat).data, seen.data) << e.to_string(seat) << sampled->to_string(seat);
            ASSERT_EQ(sampled->observe(seat).legal_mask, seen.legal_mask);
            ASSERT_EQ(sampled->current_player(), e.current_player());
            ASSERT_EQ(sampled->to_string(seat), e.to_string(seat));
            ASSERT_EQ(sampled->to_json(seat), e.to_json(seat));
            if (e.current_player() != kTerminal) {
              ++samples;
              for (Seat other = 0; other < game.players(); ++other)
                if (sampled->observe(other).data != e.observe(other).data) {
                  ++different;
                  break;
                }
            }
            const std::string bytes = sampled->serialize();
            sampled->deserialize(bytes);
            ASSERT_EQ(sampled->serialize(), bytes);
            check_playable(*sampled, rng);
          }
        },
        [](const Step&, Seat, Action) {});
  });
  EXPECT_GT(samples, hands / 4);  // hands may be short
  EXPECT_GT(different, samples / 4) << "sampled states hardly differ from the real ones";
}

void check_resampling(const Game& game, int hands) {
  const auto env = game.new_env({.hold_hands = true}), other = game.new_env({.hold_hands = true});
  int measured = 0;
  for (int episode = 0, played = 0; played < hands; ++episode, ++played) {
    SCOPED_TRACE(game.spec() + ", seed " + std::to_string(episode));
    const auto seed = static_cast<std::uint64_t>(episode);
    env->reset(seed);
    RandomStream rng(seed, 8);
    for (int step = 0; step < kMaxSteps && env->current_player() != kTerminal; ++step) {
      const Seat seat = env->current_player();
      other->assign(*env);
      EXPECT_EQ(other->serialize(), env->serialize());
      other->resample_future(rng.bits64());
      ASSERT_EQ(other->observe(seat).data, env->observe(seat).data) << env->to_string(seat) << other->to_string(seat);
      ASSERT_EQ(other->legal_mask(), env->legal_mask());
      ASSERT_EQ(other->current_player(), seat);
      ASSERT_EQ(other->events(seat, {}), env->events(seat, {}));
      ASSERT_EQ(other->returns(), env->returns());
      ASSERT_EQ(other->unseen_cards(), env->unseen_cards());
      const std::string bytes = other->serialize();
      ASSERT_NO_THROW(other->deserialize(bytes));
      ASSERT_EQ(other->serialize(), bytes);
      const Action action = random_action(env->legal_mask(), rng);
      const int before = env->unseen_cards();
      if (measured < 5 && rng.below(4) == 0) {
        const auto next = env->clone();
        next->step(action);
        if (next->unseen_cards() != before) {
          ++measured;
          check_frequencies(*env, action);
        }
      }
      // Continues with other cards, so that resampled positions are played to their end.
      if (rng.below(4) == 0) env->resample_future(rng.bits64());
      env->step(action);
    }
    if (testing::Test::HasFailure()) return;
  }
}

void check_malformed_observations(const Game& game, int hands) {
  const auto env = game.new_env(), sampled = game.new_env();
  const std::vector<float> values = {
      0, 1, -1, 0.2F, 0.5F, 2, 1e30F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
  int refused = 0;
  for_episodes(*env, hands, 7, [&](std::uint64_t, RandomStream& rng) {
    play_steps(*env, rng, rng.below(60));
    for (int i = 0; i < 40; ++i) {
      const Seat seat = static_cast<Seat>(rng.below(static_cast<std::uint32_t>(game.players())));
      Observation bad = env->observe(seat);
      for (auto count = 1 + rng.below(3); count > 0; --count) {
        const ObservationPart& part =
            game.observation_spec()
                .parts()[rng.below(static_cast<std::uint32_t>(game.observation_spec().parts().size()))];
        const auto where = part.offset + static_cast<int>(rng.below(static_cast<std::uint32_t>(part.size())));
        bad.data[static_cast<std::size_t>(where)] = values[rng.below(static_cast<std::uint32_t>(values.size()))];
      }
      const std::string before = sampled->serialize();
      try {
        sampled->sample_state(bad, rng.bits64());
      } catch (const UsageError&) {
        ASSERT_EQ(sampled->serialize(), before);
        ++refused;
        continue;
      }
      check_playable(*sampled, rng);
    }
  });
  EXPECT_GT(refused, 0);
}

}  // namespace dealer::test
