// A match in parts, and one that deals its own cards.
#include <gtest/gtest.h>

#include "env/core/error.h"
#include "tests/arena/match_support.h"
#include "tests/support/error_message.h"

namespace dealer::match_parts_test {
namespace {

using test::match;

std::string log_of(MatchOptions options) {
  std::string text;
  test::write_log(options, text);
  play_match(options);
  return text;
}

TEST(MatchParts, AreTheWhole) {
  MatchOptions whole = match("kuhn", {"random", "rule"}, 50);
  MatchOptions first = match("kuhn", {"random", "rule"}, 21), second = match("kuhn", {"random", "rule"}, 29);
  second.first_deal = 21;
  second.threads = 2;
  EXPECT_EQ(log_of(first) + log_of(second), log_of(whole));
  std::int64_t done = 0;
  second.progress = [&](std::int64_t deals) { done = deals; };
  EXPECT_EQ(play_match(second).deals, 29);
  EXPECT_EQ(done, 29);
  second.first_deal = -1;
  EXPECT_EQ(test::error_message<UsageError>([&] { play_match(second); }),
            "a match from deal -1 on; expected 0 or more");
}

TEST(MatchParts, DealAsTheyAreTold) {
  MatchOptions plain = match("kuhn", {"random", "random"}, 8), same = plain, other = plain;
  std::vector<int> seatings_dealt(2);
  same.deal = [](Env& env, std::uint64_t seed, int) { env.reset(seed); };
  other.deal = [&](Env& env, std::uint64_t, int seating) {
    ++seatings_dealt[static_cast<std::size_t>(seating)];
    env.reset(5);
  };
  EXPECT_EQ(log_of(same), log_of(plain));
  std::vector<std::vector<Event>> hands;
  other.describe = [&](const PlayedHand& hand) {
    hands.emplace_back(hand.events.begin(), hand.events.end());
    return std::string("x");
  };
  other.log = [](std::string_view) {};
  play_match(other);
  EXPECT_EQ(seatings_dealt, (std::vector<int>{8, 8}));
  ASSERT_EQ(hands.size(), 16U);
  const auto dealt = [](const std::vector<Event>& hand) {
    std::vector<std::vector<CardId>> cards;
    for (const Event& event : hand)
      if (event.kind == Event::Kind::kDealt) cards.push_back(event.cards);
    return cards;
  };
  EXPECT_EQ(dealt(hands[0]).size(), 2U);
  for (const auto& hand : hands) EXPECT_EQ(dealt(hand), dealt(hands[0]));
}

}  // namespace
}  // namespace dealer::match_parts_test
