#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "tests/support/temp_folder.h"

namespace dealer::test {

// A bot in Python whose behaviour is one of these: "good"; "banner" greets first; "silent"; "exits" at once; "crash"es
// at its first request; "late" at every request; "chatty" prints beside its answers; "illegal"; "malformed"; "twice"
// answers so; "flood"s; "hog"s memory; "forks" and leaves the child behind, in a session of its own; "stays" after
// goodbye; "old" speaks another protocol; "long" sends a line that does not end; "shouts" writes much to standard
// error; "hangs" never answers; "tires" answers one request and crashes at the next; "dozes" answers one request and
// none after that; "slows" is "late" after its first answer; "ahead" answers what nobody has asked first; "single" ends
// when it is asked for a second table; "counts" when it has more than its three standard descriptors; "every3" answers
// every third request, and so on; "closes" its standard output, "deafens" itself by closing its standard input, and
// lives on; "garbage" says what is not an answer, "nameless" answers without an id; "leaves" says goodbye at its second
// request and lives on; "pads" its answers with more blanks than a line may have.
class Bots {
 public:
  Bots() { write_bytes(folder_ / "bot.py", kSource); }
  std::string command(const std::string& behaviour) const {
    return "python3 " + (folder_ / "bot.py").string() + ' ' + behaviour + ' ' + (folder_ / "child").string();
  }
  std::string spec(const std::string& behaviour, const std::string& options = {}) const {
    return "exec:" + command(behaviour) + options;
  }
  // The number of times that "hangs", "dozes" or "every…" was started.
  std::ptrdiff_t starts() const {
    const std::string lines = read_bytes(folder_ / "child");
    return std::count(lines.begin(), lines.end(), '\n');
  }
  // The process that "forks" has left behind.
  int child() const { return std::stoi(read_bytes(folder_ / "child")); }

 private:
  static constexpr const char* kSource = R"(
import json, os, sys, time
mode = sys.argv[1]
def say(text):
    print(text, flush=True)
if mode == "banner": say("Welcome to my bot")
if mode == "silent": time.sleep(60)
# One more is the folder that is being read.
if mode == "counts" and len(os.listdir("/proc/self/fd")) > 4: sys.exit("descriptors of others")
if mode in ("hangs", "dozes") or mode.startswith("every"): open(sys.argv[2], "a").write("started\n")
if mode == "exits":
    print("no licence", file=sys.stderr)
    sys.exit(3)
answered = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if mode == "forks":
            child = os.fork()
            if child == 0:
                os.setsid()
                time.sleep(60)
                os._exit(0)
            open(sys.argv[2], "w").write(str(child))
        say(json.dumps({"type": "hello", "protocol": 2 if mode == "old" else 1, "name": mode, "tables": 1 if mode in ("single", "ahead") else 4}))
    elif message["type"] == "request":
        if mode == "single" and message["table"] != 0: sys.exit("a second table")
        if mode == "crash" or mode == "tires" and answered: raise ValueError("my mistake")
        if mode == "late" or mode == "slows" and answered: time.sleep(0.4)
        if mode == "hangs" or mode == "dozes" and answered: continue
        if mode.startswith("every") and message["id"] % int(mode[5:]): continue
        if mode == "ahead": say(json.dumps({"type": "answer", "id": message["id"] + 1, "index": 0}))
        if mode == "chatty": say("thinking...")
        if mode == "closes": os.close(1); time.sleep(20)
        if mode == "leaves" and answered: say(json.dumps({"type": "bye", "reason": "supper"})); continue
        if mode == "garbage": say("raise"); continue
        if mode == "nameless": say(json.dumps({"type": "answer", "index": message["legal"][0]["index"]})); continue
        if mode == "hog": hog = bytearray(300 << 20); time.sleep(20)
        if mode == "long":
            while True: sys.stdout.write("x" * 65536)
        if mode == "shouts": sys.stderr.write("so it is\n" * 20000)
        answer = {"type": "answer", "id": message["id"], "index": message["legal"][0]["index"]}
        if mode == "illegal": answer["index"] = 63
        if mode == "malformed": answer["amount"] = 1
        # At once, so that the end of the line arrives with its last part.
        if mode == "pads": os.write(1, (json.dumps(answer) + " " * 70000 + "\n").encode()); continue
        say(json.dumps(answer))
        answered += 1
        if mode == "deafens": os.close(0); time.sleep(20)
        if mode == "twice": say(json.dumps(answer))
        while mode == "flood": say(json.dumps(answer))
    elif message["type"] == "bye" and mode != "stays":
        break
if mode == "stays": time.sleep(60)
)";
  TempFolder folder_;
};

}  // namespace dealer::test
