// dealer bot, and external bots at our tables.
#include "tests/agents/remote/bots.h"
#include "tests/cli/run_dealer.h"

namespace dealer::test::bot_test {
namespace {

const std::string kExamples = source_dir() + "/examples/bots/";

std::string our_bot(const std::string& agent, const std::string& game) {
  return std::string("exec:") + program() + " bot --agent " + agent + " --game '" + game + "'";
}

TEST(BotCommand, AnAgentBehindTheProtocolAgainstItselfIsExactlyZero) {
  for (const char* game : {"leduc", "holdem[limit=no_limit]", "draw", "ofc", "seven_hand", "lowball"}) {
    SCOPED_TRACE(game);
    const auto json = json_of({"match", our_bot("default", game), "default", "--game", game, "--deals", "12", "--seed",
                               "3", "--threads", "1"});
    for (const char* name : {"mean", "ci95"}) EXPECT_EQ(json[name][0], 0);
    EXPECT_TRUE(json["failures"][0]["first"].empty() && json["remarks"][0].empty()) << json;
  }
}

TEST(BotCommand, TheExamplesPlayEveryKindOfGame) {
  const std::string first = training_program().substr(0, training_program().rfind('/')) + "/first_bot";
  for (const std::string& bot :
       {"python3 " + kExamples + "random_bot.py", "node " + kExamples + "caller_bot.js", first})
    for (const char* game : {"kuhn", "draw", "holdem[limit=no_limit,players=3]", "stud", "ofc", "seven_hand"}) {
      SCOPED_TRACE(bot + " at " + game);
      const ProgramResult result = run_here({"bot", "--check", bot, "--game", game, "--deals", "6", "--json"});
      EXPECT_EQ(result.status, 0) << result.out << result.err;
      const auto json = Json::parse(result.out);
      expect_members(json, {{"ok", true}, {"failures", Json::array()}});
      EXPECT_GE(json["decisions"], 5);
    }
}

TEST(BotCommand, ShowsTheCallerWhatItWins) {
  // The bot's final report must agree with the match result.
  const ProgramResult match = run_dealer("match 'exec:sh -c \"node " + kExamples +
                                             "caller_bot.js 2>>said\"' random --game leduc --deals 40 --threads 1 "
                                             "--num-envs 1 --no-duplicate --json",
                                         {}, {}, "; cat said >>out");
  ASSERT_EQ(match.status, 0) << match.err;
  const std::size_t line = match.out.rfind("caller.js: ");
  ASSERT_NE(line, std::string::npos) << match.out;
  const auto json = Json::parse(match.out.substr(0, line));
  EXPECT_NEAR(std::stod(match.out.substr(line + 11)), json["mean"][0].get<double>() * 40, 1e-6);
}

TEST(BotCommand, ChecksNameWhatIsWrong) {
  const auto failures = [](const std::string& command) {
    const ProgramResult result = run_here({"bot", "--check", command, "--game", "leduc", "--json"});
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_EQ(result.err, "dealer: the bot has failed the check\n");
    const auto json = Json::parse(result.out);
    EXPECT_EQ(json["ok"], false);
    std::string text;
    for (const auto& failure : json["failures"])
      text += failure["kind"].get<std::string>() + ": " + failure["message"].get<std::string>() + '\n';
    return text;
  };
  EXPECT_EQ(failures("/nowhere/bot"), "missing: cannot start '/nowhere/bot': No such file or directory\n");
  EXPECT_EQ(failures("tcp:127.0.0.1:1"),
            "missing: cannot connect to 127.0.0.1:1: Connection refused after 0.0 seconds\n");
  EXPECT_EQ(failures("false"), "exited: the bot: it ended with status 1\n");
  EXPECT_TRUE(contains(failures("echo Welcome"), "exited: the bot: it ended with status 0; it said 'Welcome'"));
  // Answers with a choice that is never legal.
  const std::string program =
      "import json,sys\nfor l in sys.stdin:\n  m=json.loads(l)\n"
      "  if m['type']=='hello': print('{\"type\":\"hello\",\"protocol\":1}',flush=True)\n"
      "  if m['type']=='weather': sys.exit('I do not know '+m['type'])\n"
      "  if m['type']=='request': a=json.dumps({'type':'answer','id':m['id'],'text':'go'}); "
      "print(a+'\\n'+a,flush=True)\n";
  const TempFolder folder;
  write_bytes(folder / "bot.py", program);
  const std::string all = failures("python3 " + (folder / "bot.py").string());
  expect_parts(all, {"illegal: deal 0: action 'go' is not legal; expected one of: check, bet",
                     "unasked: a second answer to request 1",
                     "and said 'I do not know weather'; before, it got a message of a kind it cannot know"});
}

TEST(BotCommand, ChecksNameFailuresAtOnce) {
  const Bots bots;
  for (const auto& [way, expected] :
       {std::pair("closes", "exited: deal 0: the bot: it closed its standard output"),
        {"garbage", "malformed: deal 0, request 1: no answer, but 'raise' is not a JSON object"},
        {"nameless", "malformed: deal 0: answer: id is missing"},
        {"malformed", "has 2 of index, text and amount; expected one"},
        {"twice", "unasked: a second answer to request "},
        {"illegal", "illegal: deal 0: "},
        {"banner", "banner: 'Welcome to my bot' before its hello"}}) {
    SCOPED_TRACE(way);
    const auto start = std::chrono::steady_clock::now();
    const ProgramResult result = run_here({"bot", "--check", bots.command(way), "--game", "leduc"});
    EXPECT_EQ(result.status, 1);
    expect_parts(result.out, {expected});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
}

TEST(BotCommand, ChecksTellEveryHandToItsEnd) {
  const TempFolder folder;
  write_bytes(folder / "bot.py", R"(import json,sys
open_hands=0
for l in sys.stdin:
  m=json.loads(l)
  if m['type']=='hello': print('{"type":"hello","protocol":1}',flush=True)
  if m['type']=='events':
    for e in m['events']:
      open_hands+=(e['event']=='hand_begun')-(e['event']=='hand_ended')
      if not 0<=open_hands<=1: sys.exit('a hand has no end')
  if m['type']=='request': print(json.dumps({'type':'answer','id':m['id'],'index':m['legal'][0]['index']}),flush=True)
  if m['type']=='bye' and open_hands: sys.exit('the last hand has no end')
)");
  for (const char* game : {"holdem[episode=match]", "washizu", "ofc", "leduc"})
    output_of({"bot", "--check", "python3 " + (folder / "bot.py").string(), "--game", game, "--deals", "3", "--json"});
}

TEST(BotCommand, AMatchTellsWhatBotsDidWrong) {
  const Bots bots;
  const std::string chatty = bots.spec("chatty"), tires = bots.spec("tires");
  const ProgramResult match = run_here({"match", chatty, tires, "--game", "leduc", "--deals", "8", "--threads", "1"});
  EXPECT_EQ(match.status, 1) << "no deal counts";
  expect_parts(match.err, {"dealer: nothing was measured: an agent failed in every deal"});
  const std::string& out = match.out;
  expect_parts(out, {"hands failed (disconnected)", "/child (2), first disconnected: seat ",
                     "it ended with status 1 and said 'ValueError: my mistake'",
                     chatty + ": banner: 'thinking...' is not a JSON object ("});
  expect_none(out, {"hands failed (late)"});
}

TEST(BotCommand, ReportsABotsErrorWhenItIsGone) {
  const TempFolder folder;
  write_bytes(folder / "bot.py", R"(import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello": print('{"type":"hello","protocol":1}', flush=True)
    if kind == "request":
        print('{"type":"error","message":"I do not play ' + 90 * 'o' + 'n"}', flush=True)
        sys.exit(4)
)");
  const std::string bot = "exec:python3 " + (folder / "bot.py").string();
  const ProgramResult match = run_here({"match", bot, "rule", "--game", "leduc", "--deals", "2"});
  EXPECT_EQ(match.status, 1);
  expect_parts(match.err, {"it ended with status 4; it said 'I do not play " + std::string(90, 'o') + "n'"});
}

TEST(BotCommand, ABotThatNeverAnswersIsAnErrorOfEveryCommand) {
  const TempFolder folder;
  const std::string gone = "exec:/nowhere/bot", missing = "cannot start '/nowhere/bot': No such file or directory";
  const std::string log = (folder / "log.phhs").string(), observed = "agent 'exec:/nowhere/bot': " + missing;
  for (const Words& more : {Words{}, {"--json"}, {"--until", "0.5"}, {"--sprt", "-1,1"}, {"--no-duplicate"}}) {
    const std::string error = refusal(joined({"match", gone, "rule", "--game", "leduc"}, more), 1);
    EXPECT_TRUE(error.starts_with("dealer: agent 'exec:/nowhere/bot' made no playable decision; seat ")) << error;
    EXPECT_TRUE(error.ends_with(missing + '\n')) << error;
  }
  output_of({"match", "rule", "random", "--game", "leduc", "--deals", "3", "--log", log});
  const std::vector<Refused> cases = {
      // Its output before it ended, and its exit status.
      {{"match", "exec:python3 nofile.py", "rule", "--game", "leduc"}, "it ended with status 2 and said '"},
      {{"match", "exec:python3 nofile.py", "rule", "--game", "leduc"}, "can't open file"},
      {{"match", "tcp:127.0.0.1:1", "rule", "--game", "leduc"}, "cannot connect to 127.0.0.1:1: Connection refused"},
      {{"tournament", gone, "rule", "--game", "leduc", "--deals", "20", "--out", (folder / "t").string()}, missing},
      {words_in("tournament rule --format knockout --game holdem --players 4 --tournaments 2 " + gone), missing},
      {{"exploitability", "--game", "leduc", "--agent", gone}, observed},
      {{"policy", "--game", "kuhn", "--agent", gone}, observed},
      {{"analyse", log, "--agent", gone}, observed},
      {{"best-response", "--local", "--game", "leduc", "--against", gone}, observed}};
  for (const Refused& each : cases) {
    const ProgramResult result = run_here(each.words);
    EXPECT_EQ(result.status, 1) << each.words[0];
    expect_parts(result.err, {each.message});
  }
}

TEST(BotCommand, ListensForTcpAndWebSocketUntilItIsStopped) {
  // The shell reads the port from the program's output, plays, and ends it.
  const ProgramResult result = run_script(
      "DEALER bot --agent rule --game draw --listen 0 2>said & bot=$!; until grep -q listens said || ! kill -0 $bot; "
      "do "
      "sleep 0.02; done; port=$(sed -n 's/.*listens at 127.0.0.1:\\([0-9]*\\) .*/\\1/p' said); "
      "DEALER match tcp:127.0.0.1:$port ws:127.0.0.1:$port --game draw --deals 5 --json >out 2>err; "
      "kill $bot; wait $bot; echo status $? >>out; cat said >>err");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::size_t end = result.out.find('\n');
  const auto json = Json::parse(result.out.substr(0, end));
  EXPECT_EQ(json["mean"][0], 0) << result.out;
  EXPECT_EQ(json["failures"][1]["first"], Json::object());
  EXPECT_TRUE(contains(result.out, "status 143")) << result.out;
  EXPECT_TRUE(contains(result.err, "goodbye")) << result.err;
}

TEST(BotCommand, ListensAtNamesAndAnyFreePort) {
  for (const std::string at : {"127.0.0.1:0", "localhost:0", "0"}) {
    const ProgramResult result = run_script(
        "DEALER bot --agent rule --game leduc --listen " + at +
        " 2>err & bot=$!; until grep -q listens err || ! kill -0 $bot; do sleep 0.02; done; kill $bot; wait $bot; "
        "echo $? >out");
    EXPECT_EQ(result.out, "143\n") << at;
    EXPECT_TRUE(std::regex_search(result.err, std::regex("listens at (127\\.0\\.0\\.1|localhost):[1-9][0-9]* ")))
        << result.err;
  }
}

TEST(BotCommand, AFullServerIsCalledThat) {
  const ProgramResult result = run_script(
      "DEALER bot --agent rule --game leduc --listen 0 --max-connections 1 2>said & bot=$!; until grep -q listens said "
      "|| ! kill -0 $bot; do sleep 0.02; done; port=$(sed -n 's/.*listens at 127.0.0.1:\\([0-9]*\\) .*/\\1/p' said); "
      "DEALER match tcp:127.0.0.1:$port tcp:127.0.0.1:$port --game leduc --deals 5 >out 2>err; "
      "echo status $? >>out; kill $bot; wait $bot");
  expect_parts(result.out, {"status 1"});
  expect_parts(result.err, {"it said goodbye at once: 'too many connections; try later'"});
}

TEST(BotCommand, WebPagesConnectWhereTheyAreAllowed) {
  // A browser's WebSocket handshake for a page of each origin; returns the first line of each answer.
  const std::string pages = R"(import re,socket,sys
port=re.search(r'at 127.0.0.1:(\d+)',open('said').read())[1]
for origin in ['https://lab.example','http://localhost:8000','http://localhost:'+port,'https://evil.example']:
  s=socket.create_connection(('127.0.0.1',int(port)))
  s.sendall(f'GET / HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n'
    'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'.encode())
  print(s.recv(4096)[9:12].decode())
)";
  const ProgramResult result = run_script(
      "DEALER bot --agent rule --game kuhn --listen 0 --allow-origin https://lab.example --allow-origin "
      "http://localhost:8000 2>said & bot=$!; until grep -q listens said || ! kill -0 $bot; do sleep 0.02; done; "
      "python3 in >out 2>err; until grep -q evil said || ! kill -0 $bot; do sleep 0.02; done; kill $bot; wait $bot; "
      "cat said >>err",
      pages);
  EXPECT_EQ(result.out, "101\n101\n101\n403\n") << result.err;
  expect_parts(result.err, {": refused: pages of 'https://evil.example' may not connect"});
}

TEST(BotCommand, AHostThatMakesNoSenseIsAFailure) {
  const ProgramResult result = run_dealer("bot --agent random --game kuhn", "hello\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "dealer: cannot understand the host: 'hello' is not a JSON object\n");
  EXPECT_EQ(result.out, "{\"type\":\"error\",\"kind\":\"malformed\",\"message\":\"'hello' is not a JSON object\"}\n");
  EXPECT_EQ(run_dealer("bot --agent random --game kuhn", "").status, 0);
}

TEST(BotCommand, Misuse) {
  expect_refused({"bot"}, {{{"--listen", "x"}, "--listen: 'x' is not a port; expected 0 (any) to 65535, or HOST:PORT"},
                           {{"--listen", "65536"}, "is not a port"},
                           {{"--check", "a", "--listen", "1"}, "--listen"},
                           {{"--check", ""}, "--check"},
                           {{"--listen", "0", "--allow-origin", "http://a", "--allow-origin", "b.example/"},
                            "--allow-origin: 'b.example/' is not allowed; expected SCHEME://HOST or "},
                           {{"--listen", "0", "--allow-origin", ""}, "--allow-origin: '' is not allowed"},
                           {{"--allow-origin", "http://a"}, "--allow-origin requires --listen"},
                           {{"--check", "a 'b"}, "a quote is never closed"},
                           {{"--agent", "nobody"}, "there is no agent 'nobody'"},
                           {{"--json"}, "--json needs --check"},
                           {{"--deals", "5"}, "--check"}});
}

// A match that waits for an ACPC bot, and our bot that connects; "match" and "bot" are their outputs.
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
    const ProgramResult result = run_script(replaced(kScript, "GAME", quoted(game)));
    EXPECT_EQ(result.err, "0\n0\n");
    const Words lines = lines_of(result.out);
    ASSERT_EQ(lines.size(), 52U) << result.out;
    const auto match = Json::parse(lines[0]), bot = Json::parse(lines[1]);
    EXPECT_EQ(match["hands_played"], 50);
    expect_members(bot, {{"hands", 50}, {"strange", 0}, {"unit", match["unit"]}, {"interrupted", false}});
    EXPECT_NEAR(bot["chips"].get<double>(), match["mean"][1].get<double>() * 50, 1e-6);
    EXPECT_NEAR(bot["mean"].get<double>(), match["mean"][1].get<double>(), 1e-9);
    EXPECT_TRUE(match["failures"][1]["first"].empty()) << match;
    EXPECT_TRUE(lines[2].starts_with("STATE:0:")) << lines[2];
    expect_parts(result.out, {"|rule_caller\n", ":rule_caller|opponent\n"});
  }
}

TEST(AcpcCommand, PrintsTheGameForTheirDealer) {
  EXPECT_EQ(output_of({"bot", "--acpc-game", "--game", "holdem[raises_per_player=null,raises_per_round=3]"}),
            "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 10 5\nraiseSize = 10 10 20 20\n"
            "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
            "numBoardCards = 0 3 1 1\nEND GAMEDEF\n");
}

TEST(AcpcCommand, MisuseAndServersThatAreNotThere) {
  const std::string listening = "holdem[limit=no_limit,open_fold=false]";
  expect_refused({"bot"}, {{{"--acpc", "x", "--game", "holdem", "--agent", "rule"}, "'x' is not an address"},
                           {{"--acpc", "127.0.0.1:1", "--game", "holdem", "--agent", "rule"},
                            "cannot connect to 127.0.0.1:1: Connection refused",
                            1},
                           {{"--acpc", "127.0.0.1:1", "--game", "leduc", "--agent", "rule"},
                            "'leduc' is not played on servers of the ACPC; they need game: poker, procedure: holdem"},
                           {{"--acpc-game", "--game", "draw"}, "they need procedure: holdem"},
                           {{"--acpc-game", "--game", "holdem", "--json"}, "--acpc-game allows only --game"},
                           {{"--acpc", "a:1", "--listen", "1"}, "--listen"},
                           {{"--log", "x"}, "--acpc"},
                           {{"--seed", "5"}, "--seed needs --check or --acpc"}});
  expect_refused({"match", "random"}, {{{"--acpc-listen", "x", "--game", listening}, "a port is a number"},
                                       {{"--acpc-listen", "0", "--game", "leduc"}, "does not play 'leduc'"},
                                       {{"--game", "holdem"}, "a match needs two or more"}});
}

}  // namespace
}  // namespace dealer::test::bot_test
