#include <chrono>

#include "tests/agents/remote/bots.h"
#include "tests/cli/run_dealer.h"

namespace dealer::bot_test {
namespace {

using test::contains;
using test::joined;
using test::ProgramResult;
using test::run_dealer;
using test::run_here;
using test::Words;

const std::string kExamples = test::source_dir() + "/examples/bots/";

std::string our_bot(const std::string& agent, const std::string& game) {
  return std::string("exec:") + test::program() + " bot --agent " + agent + " --game '" + game + "'";
}

TEST(BotCommand, AnAgentBehindTheProtocolAgainstItselfIsExactlyZero) {
  for (const char* game : {"leduc", "holdem[limit=no_limit]", "draw", "ofc", "seven_hand", "lowball"}) {
    SCOPED_TRACE(game);
    const auto json = test::json_of({"match", our_bot("default", game), "default", "--game", game, "--deals", "12",
                                     "--seed", "3", "--threads", "1"});
    EXPECT_EQ(json["mean"][0], 0);
    EXPECT_EQ(json["ci95"][0], 0);
    EXPECT_EQ(json["failures"][0]["first"], nlohmann::json::object());
    EXPECT_EQ(json["remarks"][0], nlohmann::json::array());
  }
}

TEST(BotCommand, TheExamplesPlayEveryKindOfGame) {
  const std::string first = test::training_program().substr(0, test::training_program().rfind('/')) + "/first_bot";
  for (const std::string& bot :
       {"python3 " + kExamples + "random_bot.py", "node " + kExamples + "caller_bot.js", first})
    for (const char* game : {"kuhn", "draw", "holdem[limit=no_limit,players=3]", "stud", "ofc", "seven_hand"}) {
      SCOPED_TRACE(bot + " at " + game);
      const ProgramResult result = run_here({"bot", "--check", bot, "--game", game, "--deals", "6", "--json"});
      EXPECT_EQ(result.status, 0) << result.out << result.err;
      const auto json = nlohmann::json::parse(result.out);
      EXPECT_EQ(json["ok"], true);
      EXPECT_EQ(json["failures"], nlohmann::json::array());
      EXPECT_GE(json["decisions"], 5);
    }
}

TEST(BotCommand, TheCallerHearsWhatItWins) {
  // What it says at the end is what the match says of it.
  const ProgramResult match = run_dealer("match 'exec:sh -c \"node " + kExamples +
                                             "caller_bot.js 2>>said\"' random --game leduc --deals 40 --threads 1 "
                                             "--num-envs 1 --no-duplicate --json",
                                         {}, {}, "; cat said >>out");
  ASSERT_EQ(match.status, 0) << match.err;
  const std::size_t line = match.out.rfind("caller.js: ");
  ASSERT_NE(line, std::string::npos) << match.out;
  const auto json = nlohmann::json::parse(match.out.substr(0, line));
  EXPECT_NEAR(std::stod(match.out.substr(line + 11)), json["mean"][0].get<double>() * 40, 1e-6);
}

TEST(BotCommand, ChecksNameWhatIsWrong) {
  const auto failures = [](const std::string& command) {
    const ProgramResult result = run_here({"bot", "--check", command, "--game", "leduc", "--json"});
    EXPECT_EQ(result.status, 1) << result.out;
    EXPECT_EQ(result.err, "dealer: the bot has failed the check\n");
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["ok"], false);
    std::string text;
    for (const auto& failure : json["failures"])
      text += failure["kind"].get<std::string>() + ": " + failure["message"].get<std::string>() + '\n';
    return text;
  };
  EXPECT_EQ(failures("/nowhere/bot"), "missing: cannot start '/nowhere/bot': No such file or directory\n");
  EXPECT_EQ(failures("tcp:127.0.0.1:1"), "missing: cannot connect to 127.0.0.1:1: Connection refused\n");
  EXPECT_EQ(failures("false"), "exited: the bot: it ended with status 1\n");
  EXPECT_TRUE(contains(failures("echo Welcome"), "hello: its first line is 'Welcome'"));
  // Answers with what is never legal, whatever the request is called.
  const std::string program =
      "import json,sys\nfor l in sys.stdin:\n  m=json.loads(l)\n"
      "  if m['type']=='hello': print('{\"type\":\"hello\",\"protocol\":1}',flush=True)\n"
      "  if m['type']=='weather': sys.exit('I do not know '+m['type'])\n"
      "  if m['type']=='request': a=json.dumps({'type':'answer','id':m['id'],'text':'go'}); "
      "print(a+'\\n'+a,flush=True)\n";
  const test::TempFolder folder;
  test::write_bytes(folder / "bot.py", program);
  const std::string all = failures("python3 " + (folder / "bot.py").string());
  EXPECT_TRUE(contains(all, "illegal: deal 0: action 'go' is not legal; expected one of: check, bet")) << all;
  EXPECT_TRUE(contains(all, "duplicate: an answer to request 1, whose time is over")) << all;
  EXPECT_TRUE(contains(all, "and said 'I do not know weather'; before, it was told a message of a kind it cannot know"))
      << all;
}

TEST(BotCommand, ChecksTellEveryHandToItsEnd) {
  const std::string program =
      "import json,sys\nopen_hands=0\nfor l in sys.stdin:\n  m=json.loads(l)\n"
      "  if m['type']=='hello': print('{\"type\":\"hello\",\"protocol\":1}',flush=True)\n"
      "  if m['type']=='events':\n    for e in m['events']:\n"
      "      open_hands+=(e['event']=='hand_begun')-(e['event']=='hand_ended')\n"
      "      if not 0<=open_hands<=1: sys.exit('a hand has no end')\n"
      "  if m['type']=='request': print(json.dumps({'type':'answer','id':m['id'],'index':m['legal'][0]['index']}),"
      "flush=True)\n"
      "  if m['type']=='bye' and open_hands: sys.exit('the last hand has no end')\n";
  const test::TempFolder folder;
  test::write_bytes(folder / "bot.py", program);
  for (const char* game : {"holdem[episode=match]", "washizu", "ofc", "leduc"}) {
    SCOPED_TRACE(game);
    const ProgramResult result = run_here(
        {"bot", "--check", "python3 " + (folder / "bot.py").string(), "--game", game, "--deals", "3", "--json"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
}

TEST(BotCommand, AMatchTellsWhatBotsDidWrong) {
  const test::Bots bots;
  const std::string chatty = bots.spec("chatty");
  const std::string tires = bots.spec("tires");
  const ProgramResult result = run_here({"match", chatty, tires, "--game", "leduc", "--deals", "8", "--threads", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "hands lost (disconnected)")) << result.out;
  EXPECT_FALSE(contains(result.out, "hands lost (late)")) << result.out;
  EXPECT_TRUE(contains(result.out, tires + ", first disconnected: seat ")) << result.out;
  EXPECT_TRUE(contains(result.out, "it ended with status 1 and said 'ValueError: my mistake'")) << result.out;
  EXPECT_TRUE(contains(result.out, chatty + ": banner: 'thinking...' is no JSON object (")) << result.out;
}

// Of a bot that never answered there is no result, whatever it was to play.
TEST(BotCommand, ABotThatNeverAnswersIsAnErrorOfEveryCommand) {
  const test::TempFolder folder;
  const std::string gone = "exec:/nowhere/bot", missing = "cannot start '/nowhere/bot': No such file or directory";
  const auto path = [&](const std::string& name) { return (folder / name).string(); };
  const auto refused = [](const Words& words) {
    const ProgramResult result = run_here(words);
    EXPECT_EQ(result.status, 1) << words[0] << ": " << result.out << result.err;
    return result;
  };
  for (const Words& more : {Words{}, {"--json"}, {"--until", "0.5"}, {"--sprt", "-1,1"}, {"--no-duplicate"}}) {
    const std::string error = test::refusal(joined({"match", gone, "rule", "--game", "leduc"}, more), 1);
    EXPECT_TRUE(error.starts_with("dealer: agent 'exec:/nowhere/bot' made no decision that could be played; seat "))
        << error;
    EXPECT_TRUE(error.ends_with(missing + '\n')) << error;
  }
  // Its words before it ended, and its status.
  const std::string python = refused({"match", "exec:python3 nofile.py", "rule", "--game", "leduc"}).err;
  EXPECT_TRUE(contains(python, "it ended with status 2 and said '") && contains(python, "can't open file")) << python;
  EXPECT_TRUE(contains(refused({"match", "tcp:127.0.0.1:1", "rule", "--game", "leduc"}).err,
                       "cannot connect to 127.0.0.1:1: Connection refused"));
  EXPECT_TRUE(contains(
      refused({"tournament", gone, "rule", "--game", "leduc", "--deals", "20", "--out", path("t")}).err, missing));
  EXPECT_TRUE(contains(refused({"tournament", gone, "rule", "--format", "knockout", "--game", "holdem", "--players",
                                "4", "--tournaments", "2"})
                           .err,
                       missing));
  for (const Words& asks : {Words{"exploitability", "--game", "leduc", "--agent", gone},
                            {"policy", "--game", "kuhn", "--agent", gone},
                            {"analyse", path("log.phhs"), "--agent", gone}}) {
    if (asks[0] == "analyse") {
      EXPECT_EQ(run_here({"match", "rule", "random", "--game", "leduc", "--deals", "3", "--log", asks[1]}).status, 0);
    }
    const std::string error = refused(asks).err;
    EXPECT_TRUE(contains(error, "agent 'exec:/nowhere/bot': " + missing)) << error;
  }
  const std::string local = refused({"best-response", "--local", "--game", "leduc", "--against", gone}).err;
  EXPECT_TRUE(contains(local, "agent 'exec:/nowhere/bot': " + missing)) << local;
}

TEST(BotCommand, ListensForTcpAndWebSocketUntilItIsStopped) {
  // The shell tells the port from what the program says, plays, and ends it.
  const ProgramResult result = test::run_script(
      "DEALER bot --agent rule --game draw --listen 0 2>said & bot=$!; until grep -q listens said || ! kill -0 $bot; "
      "do "
      "sleep 0.02; done; port=$(sed -n 's/.*listens at 127.0.0.1:\\([0-9]*\\) .*/\\1/p' said); "
      "DEALER match tcp:127.0.0.1:$port ws:127.0.0.1:$port --game draw --deals 5 --json >out 2>err; "
      "kill $bot; wait $bot; echo status $? >>out; cat said >>err");
  ASSERT_EQ(result.status, 0) << result.err;
  const std::size_t end = result.out.find('\n');
  const auto json = nlohmann::json::parse(result.out.substr(0, end));
  EXPECT_EQ(json["mean"][0], 0) << result.out;
  EXPECT_EQ(json["failures"][1]["first"], nlohmann::json::object());
  EXPECT_TRUE(contains(result.out, "status 143")) << result.out;
  EXPECT_TRUE(contains(result.err, "goodbye")) << result.err;
}

TEST(BotCommand, WebPagesConnectWhereTheyAreAllowed) {
  // A browser's handshake, for a page of each origin; what it is answered, by the first line.
  const std::string pages =
      "import re,socket,sys\nport=re.search(r'at 127.0.0.1:(\\d+)',open('said').read())[1]\n"
      "for origin in ['https://lab.example','http://localhost:8000','http://localhost:'+port,'https://evil.example']:\n"
      "  s=socket.create_connection(('127.0.0.1',int(port)))\n"
      "  s.sendall(f'GET / HTTP/1.1\\r\\nHost: localhost:{port}\\r\\nOrigin: {origin}\\r\\nUpgrade: websocket\\r\\n'\n"
      "    'Connection: Upgrade\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\nSec-WebSocket-Version: "
      "13\\r\\n\\r\\n'.encode())\n"
      "  print(s.recv(4096)[9:12].decode())\n";
  const ProgramResult result = test::run_script(
      "DEALER bot --agent rule --game kuhn --listen 0 --allow-origin https://lab.example --allow-origin "
      "http://localhost:8000 2>said & bot=$!; until grep -q listens said || ! kill -0 $bot; do sleep 0.02; done; "
      "python3 in >out 2>err; until grep -q evil said || ! kill -0 $bot; do sleep 0.02; done; kill $bot; wait $bot; "
      "cat said >>err",
      pages);
  EXPECT_EQ(result.out, "101\n101\n101\n403\n") << result.err;
  EXPECT_TRUE(contains(result.err, ": refused: pages of 'https://evil.example' may not connect")) << result.err;
}

TEST(BotCommand, AHostThatMakesNoSenseIsAFailure) {
  const ProgramResult result = run_dealer("bot --agent random --game kuhn", "hello\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "dealer: the host was not understood: 'hello' is no JSON object\n");
  EXPECT_EQ(result.out, "{\"type\":\"error\",\"kind\":\"malformed\",\"message\":\"'hello' is no JSON object\"}\n");
  EXPECT_EQ(run_dealer("bot --agent random --game kuhn", "").status, 0);
}

TEST(BotCommand, Misuse) {
  test::expect_refused({"bot"},
                       {{{"--listen", "x"}, "--listen: 'x' is no port; expected 0 (any) to 65535, or HOST:PORT"},
                        {{"--listen", "65536"}, "no port"},
                        {{"--check", "a", "--listen", "1"}, "--listen"},
                        {{"--check", ""}, "--check"},
                        {{"--listen", "0", "--allow-origin", "http://a", "--allow-origin", "b.example/"},
                         "--allow-origin: 'b.example/' is not allowed; expected SCHEME://HOST or "},
                        {{"--listen", "0", "--allow-origin", ""}, "--allow-origin: '' is not allowed"},
                        {{"--allow-origin", "http://a"}, "--allow-origin requires --listen"},
                        {{"--check", "a 'b"}, "a quote is never closed"},
                        {{"--agent", "nobody"}, "there is no agent 'nobody'"},
                        {{"--json"}, "--json goes with --check"},
                        {{"--deals", "5"}, "--check"}});
}

}  // namespace
}  // namespace dealer::bot_test
