#include "tests/cli/run_dealer.h"

namespace dealer::acpc_test {
namespace {

using test::contains;
using test::ProgramResult;
using test::run_here;

// A match that waits for a bot, and our bot that comes; "match" and "bot" are what they say.
constexpr const char* kScript = R"sh(
G=GAME
DEALER match random --acpc-listen 0 --game "$G" --deals 25 --json >match 2>waits &
for i in $(seq 200); do
  port=$(sed -n 's/.*acpc:\([0-9]*\) waits.*/\1/p' waits)
  [ -n "$port" ] && break
  sleep 0.05
done
DEALER bot --acpc 127.0.0.1:$port --agent rule:caller --game "$G" --log hands.log --json >bot 2>err
echo $? >>err
wait $!
echo $? >>err
paste -sd '\n' match bot hands.log >out
)sh";

TEST(AcpcCommand, OurBotAtOurTableCountsTheSameChips) {
  for (const char* game :
       {"holdem[open_fold=false,raises_per_round=3]", "holdem[limit=no_limit,open_fold=false,players=2]"}) {
    const ProgramResult result = test::run_script(test::replaced(kScript, "GAME", test::quoted(game)));
    EXPECT_EQ(result.err, "0\n0\n");
    std::vector<std::string> lines = test::lines_of(result.out);
    ASSERT_EQ(lines.size(), 52U) << result.out;
    const auto match = nlohmann::json::parse(lines[0]), bot = nlohmann::json::parse(lines[1]);
    EXPECT_EQ(match["hands_played"], 50);
    EXPECT_EQ(bot["hands"], 50);
    EXPECT_EQ(bot["strange"], 0);
    EXPECT_EQ(bot["unit"], match["unit"]);
    EXPECT_EQ(bot["interrupted"], false);
    EXPECT_NEAR(bot["chips"].get<double>(), match["mean"][1].get<double>() * 50, 1e-6);
    EXPECT_NEAR(bot["mean"].get<double>(), match["mean"][1].get<double>(), 1e-9);
    EXPECT_EQ(match["failures"][1]["first"], nlohmann::json::object());
    EXPECT_TRUE(lines[2].starts_with("STATE:0:")) << lines[2];
    EXPECT_TRUE(contains(result.out, "|rule_caller\n"));
    EXPECT_TRUE(contains(result.out, ":rule_caller|opponent\n"));
  }
}

TEST(AcpcCommand, PrintsTheGameForTheirDealer) {
  const ProgramResult result =
      run_here({"bot", "--acpc-game", "--game", "holdem[raises_per_player=null,raises_per_round=3]"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
            "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
            "numBoardCards = 0 3 1 1\nEND GAMEDEF\n");
}

TEST(AcpcCommand, MisuseAndServersThatAreNotThere) {
  const std::string listening = "holdem[limit=no_limit,open_fold=false]";
  test::expect_refused({"bot"},
                       {{{"--acpc", "x", "--game", "holdem", "--agent", "rule"}, "'x' is no address"},
                        {{"--acpc", "127.0.0.1:1", "--game", "holdem", "--agent", "rule"},
                         "dealer: cannot connect to 127.0.0.1:1: Connection refused",
                         1},
                        {{"--acpc", "127.0.0.1:1", "--game", "leduc", "--agent", "rule"},
                         "'leduc' is not played on servers of the ACPC; they need game: poker, procedure: holdem"},
                        {{"--acpc-game", "--game", "draw"}, "they need procedure: holdem"},
                        {{"--acpc-game", "--game", "holdem", "--json"}, "--acpc-game goes with --game"},
                        {{"--acpc", "a:1", "--listen", "1"}, "--listen"},
                        {{"--log", "x"}, "--acpc"},
                        {{"--seed", "5"}, "--seed goes with --check and --acpc"}});
  test::expect_refused({"match", "random"}, {{{"--acpc-listen", "x", "--game", listening}, "a port is a number"},
                                             {{"--acpc-listen", "0", "--game", "leduc"}, "does not play 'leduc'"},
                                             {{"--game", "holdem"}, "a match needs two or more"}});
}

}  // namespace
}  // namespace dealer::acpc_test
