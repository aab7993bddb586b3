// Matches recorded with the competition's own dealer program, replayed: transcripts/README.md.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "agents/acpc/holdem.h"
#include "env/core/registry.h"
#include "tests/frontends/acpc/acpc_server.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/texts.h"

namespace dealer::test::transcripts_test {
namespace {

constexpr const char* kLimit3 = "holdem[players=3,open_fold=false,raises_per_player=null,raises_per_round=3]";
constexpr const char* kNoLimit3 = "holdem[players=3,limit=no_limit,open_fold=false,stack=20000,raises_per_player=null]";

Words lines_in(const std::string& name) {
  return lines_of(read_bytes(source_dir() + "/tests/frontends/acpc/transcripts/" + name));
}

struct Log {
  const char* file;
  const char* game;
  int hands;
  int uneven;  // hands with a pot that does not divide evenly
};

class AcpcLog : public testing::TestWithParam<Log> {};

// Every hand, from every position: the chips equal theirs, except where a pot does not divide.
TEST_P(AcpcLog, ComesToTheSameChips) {
  const acpc::Holdem holdem(make_game(GetParam().game));
  const auto players = static_cast<std::size_t>(holdem.players());
  int hands = 0, uneven = 0;
  std::vector<double> totals(players);
  for (const std::string& line : lines_in(GetParam().file)) {
    const std::vector<std::string> fields = split(line, ":");
    if (fields[0] == "SCORE") {
      const std::vector<std::string> scores = split(fields[1], "|");
      // By seat; in the first hand seat 0 has position 0.
      for (std::size_t seat = 0; seat < players; ++seat) EXPECT_EQ(std::stod(scores[seat]), totals[seat]);
      continue;
    }
    ASSERT_EQ(fields.size(), 6U) << line;
    const std::vector<std::string> values = split(fields[4], "|");
    ASSERT_EQ(values.size(), players);
    bool divides = true;
    for (std::size_t position = 0; position < players; ++position) {
      const acpc::MatchState observed = acpc::parse_match_state(
          "MATCHSTATE:" + std::to_string(position) + ':' + fields[1] + ':' + fields[2] + ':' + fields[3],
          holdem.deck());
      ASSERT_EQ(holdem.to_act(observed), -1) << line;
      const poker::State state = holdem.replay(observed);
      ASSERT_TRUE(state.hand_over()) << line;
      EXPECT_EQ(holdem.net(observed)[position], state.last_hand().net[position]) << line;
      const double value = std::stod(values[position]), net = state.last_hand().net[position];
      const std::size_t seat = (position + static_cast<std::size_t>(hands)) % players;
      totals[seat] += value;
      if (value == std::floor(value))
        EXPECT_EQ(net, value) << line;
      else
        EXPECT_LT(std::abs(net - value), 1) << line;
      divides = divides && value == std::floor(value);
    }
    uneven += divides ? 0 : 1;
    ++hands;
  }
  EXPECT_EQ(hands, GetParam().hands);
  EXPECT_EQ(uneven, GetParam().uneven);
}

INSTANTIATE_TEST_SUITE_P(Games, AcpcLog,
                         testing::Values(Log{"limit.log", kLimit, 1000, 0}, Log{"no_limit.log", kNoLimit, 1000, 0},
                                         Log{"limit_3p.log", kLimit3, 300, 0},
                                         Log{"no_limit_3p.log", kNoLimit3, 300, 1}));

struct Messages {
  const char* file;
  const char* game;
};

class AcpcMessages : public testing::TestWithParam<Messages> {};

// The same answers to the same lines.
TEST_P(AcpcMessages, AreAnsweredAsTheyWere) {
  std::string sent, answers = "VERSION:2.0.0\n", score;
  for (const std::string& line : lines_in(GetParam().file)) {
    if (line.starts_with("S ")) sent += line.substr(2) + "\r\n";
    if (line.starts_with("C ")) answers += line.substr(2) + '\n';
    if (line.starts_with("SCORE:")) score = split(split(line, ":")[1], "|")[0];
  }
  AcpcServer server(sent);
  const AcpcResult result = play_there(server, GetParam().game, "random");
  server.join();
  EXPECT_EQ(server.received, answers);
  EXPECT_EQ(std::to_string(result.chips), score);
  EXPECT_EQ(result.strange, 0);
  EXPECT_EQ(result.failure, "");
}

INSTANTIATE_TEST_SUITE_P(Games, AcpcMessages,
                         testing::Values(Messages{"limit.messages", "holdem"},
                                         Messages{"no_limit.messages", kNoLimit}));

}  // namespace
}  // namespace dealer::test::transcripts_test
