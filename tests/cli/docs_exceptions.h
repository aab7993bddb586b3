// Exceptions from the test of the commands in the documentation (docs_commands_test.cc): commands not run as written or
// output not compared exactly, with the reasons. An unused entry fails the test.
#pragma once

#include <utility>

namespace dealer::test {

// Commands with reduced parameters, since they would take minutes. Commands with output run as written, except
// benchmarks and trainings.
struct Smaller {
  const char* command;
  const char* replacement;
  const char* why;
};
inline const Smaller kSmaller[] = {
    {R"(^(dealer exploit .*--budget) \d+)", "$1 1", "minutes of playing, of which nothing is shown"},
    {R"(^(dealer exploit (?!.*--budget)[^#]*)$)", "$1 --budget 1", "the same"},
    {R"(^(dealer match (?!.*--log).*)(--deals|--hands) \d+)", "$1$2 2", "a match, of which nothing is shown"},
    {R"(^(dealer tournament (?!.*--run).*--deals) \d+)", "$1 4", "many matches, of which nothing is shown"},
    {R"(^(dealer tournament .*--run .*--deals) \d+)", "$1 20", "the same"},
    {R"(^(dealer solve .*--iterations) \d+)", "$1 20", "seconds of solving, of which nothing is shown"},
    {R"(^(dealer solve (?:draw|'holdem).*--seconds) \d+)", "$1 0.1", "a minute of solving, of which nothing is shown"},
    {R"(^(dealer study fantasyland (?!.*openings=)[^#]*)$)", "$1 deals=4 rival_deals=2 openings=false --quiet",
     "a study of minutes"},
    {R"(^(dealer study seven_hand (?!.*tries=)[^#]*)$)", "$1 tries=10 responses=1 simulations=4", "a study of minutes"},
    {R"(^(dealer study .*--condition) \d+(.*) deals=\d+)", "$1 10$2 deals=4", "a study of minutes"},
    {R"(^(dealer study [a-z_]+ (?!.*deals=)[^#]*)$)", "$1 deals=4 --quiet", "a study of a minute"},
    {R"(^(dealer train) hands=\d+(.*))", "$1$2", "trains the fewest hands there are, see the next line"},
    {R"(^(dealer train .*) self_play\.tables=\d+)", "$1", "the same: at the fewest tables"},
    {R"(^(dealer train)( [a-z_]+(?= |$)| my/config.yaml|)( hands=\d+|)( (?!--resume)[^#]*|)$)",
     "$1$2$4 hands=100 self_play.tables=4 learner.batch=32 evaluation.deals=2 evaluation.final_deals=2 --quiet",
     "a training of minutes"},
    {R"(^(dealer best-response [^#]*) hands=\d+)",
     "$1 hands=100 self_play.tables=4 evaluation.deals=0 --deals 2 --quiet", "a training of minutes"},
    {R"(^(dealer train --resume \S+) hands=\d+)", "$1 hands=200", "a training of minutes"},
    {R"(^(dealer sweep (?!.*--commands).*) hands=\d+)", "$1", "trains the fewest hands there are, see the next line"},
    {R"(^(dealer sweep (?!.*--commands)[^#]*) --out )",
     "$1 hands=100 self_play.tables=4 learner.batch=32 evaluation.deals=2 evaluation.final_deals=2 --out ",
     "trainings of minutes"},
    {R"(^dealer bench( train.ofc|)$)", "dealer bench env.kuhn",
     "seconds at least; the page of the program has train.ofc"},
    {R"(^(dealer bench( (?!--help).*|)$))", "$1 --seconds 0.001", "what is measured is not of interest here"},
    {R"(^xz -dc match.phhs.xz)", "cat match.phhs", "xz need not be there"},
    {R"(^dealer serve( --port \d+|)(.*)$)", "timeout -s INT 1 dealer serve --port 0$2; [ $? = 124 ]",
     "serves until it is stopped, and others may have the port"},
    {R"( \| man -l -$)", "", "man need not be there"},
    {R"(^source <\((dealer completion zsh)\).*)", "$1", "zsh need not be there; bash cannot read it"},
};

// Numbers and names that differ between runs or machines; without a pattern all numbers.
struct Varying {
  const char* command;
  const char* pattern;
  const char* shown;
  const char* why;
};
inline const Varying kVarying[] = {
    {R"(^dealer match)", R"(hands, [0-9.]+ s$)", "hands, # s", "the time it took"},
    {R"(^dealer match rule random)", R"([0-9]+\.[0-9]+)", "#.#",
     "'rule' rounds its chances as the processor does, and decides between almost equal ones"},
    {R"(^dealer bot --check)", R"(the slowest after [0-9.e-]+ s$)", "the slowest after # s", "the time it took"},
    {R"(^dealer match runs/)", nullptr, nullptr, "the agent was trained by a smaller training"},
    {R"(^dealer match runs/)", R"(^\S+ is better than \S+: likelihood of superiority .*$|^Undecided .*$)", "VERDICT",
     "the same"},
    {R"(^dealer match .*--game 'holdem)", nullptr, nullptr,
     "'rule' rounds its chances as the processor does, and decides between almost equal ones"},
    {R"(^dealer (play --seed 7 --hands 1|analyse evening.phhs))", nullptr, nullptr,
     "last digits of a network, which depend on how a processor rounds"},
    {R"(^dealer study fantasyland --out studies/openings)", R"([0-9]+(\.[0-9]+)?)", "#",
     "the same, and choices between almost equal ones"},
    {R"(^dealer solve )", nullptr, nullptr, "the time it took; last digits that depend on how a processor rounds"},
    {R"(^dealer --version)", R"(^(dealer|libtorch|BLAS|evaluator compiled for) .*)", "$1 #",
     "the versions, and what the processor can do"},
    {R"(^dealer bench)", nullptr, nullptr, "the speed of the machine"},
};

// Input of the sessions of 'dealer play' shown on pages; all others get "quit".
struct Typed {
  const char* command;
  const char* input;
};
inline const Typed kTyped[] = {
    {"dealer play --game 'holdem[limit=no_limit]' --agent rule:caller --seed 11", "r 537\nk\nk\nk\nquit\n"},
    {"dealer play --game 'holdem[limit=no_limit]' --seed 3", "hint\nquit\n"},
    {"dealer play --seed 7 --hands 1 --log evening.phhs", "hint\ntake\n\ntake\n\nQs f, Ks b, 2s x\n\ntake\n\ntake\n\n"},
    {"dealer play --agent rule --hint rule --seed 23 --hands 1", "take\n\ntake\n\ntake\n\ntake\n\ntake\n\n"},
};

// Commands not run: lines, and whole blocks by their first line.
struct NotRun {
  const char* page;
  const char* line;
  const char* why;
  bool block = false;
};
inline const NotRun kNotRun[] = {
    {"docs/building.md", "./dealer test            # builds and runs the tests that every change must pass",
     "runs this test"},
    {"docs/building.md", "./dealer test --all      # all tests: about an hour", "runs this test"},
    {"docs/building.md", "./dealer test -R ofc     # arguments after `test` go to ctest", "builds; Launcher.* has it"},
    {"docs/building.md", "python3 -m venv venv && venv/bin/pip install torch", "downloads a gigabyte"},
    {"docs/building.md", "export DEALER_TORCH=$(echo \"$PWD\"/venv/lib/python3*/site-packages/torch)",
     "belongs to the line above"},
    {"docs/building.md", "cmake --preset release && cmake --build --preset release && ctest --preset release",
     "builds and runs this test"},
    {"docs/building.md", "cmake --install build/release --prefix /usr/local",
     "writes to the system; package.program has it"},
    {"docs/studies.md",
     "./dealer study washizu --out studies/trained --sweep game.washizu=replace_random,replace_suit,add --train-budget "
     "10m",
     "trains for half an hour; StudyCommand.TrainsForEachValue has it"},
    {"docs/python.md", "pip install .                 # in the source tree; needs numpy, brings no libtorch",
     "builds the Python module; the test 'python' has it", true},
    {"docs/acpc.md",
     "dealer bot --acpc 127.0.0.1:9205 --agent rule --game "
     "'holdem[open_fold=false,raises_per_player=null,raises_per_round=3]' "
     "--log hands.log",
     "needs a server; AcpcCommand.* has it"},
    {"docs/acpc.md",
     "dealer bot --acpc-game --game 'holdem[limit=no_limit,open_fold=false,stack=20000,raises_per_player=null]' > "
     "nolimit.game",
     "the competition's programs are not part of the project; AcpcCommand.* has ours", true},
    {"docs/acpc.md",
     "dealer match rule --acpc-listen 18791 --game 'holdem[open_fold=false,raises_per_player=null,raises_per_round=3]' "
     "--deals 500",
     "needs a bot; AcpcCommand.* has it"},
    {"docs/acpc.md",
     "dealer match models/holdem_no_limit.safetensors --acpc-listen 18791 --game "
     "'holdem[limit=no_limit,open_fold=false]'",
     "needs a bot; AcpcCommand.* has it"},
    {"docs/tutorial-plug-in.md", "dealer bot --agent default --game draw --listen 5555",
     "serves until it is stopped; BotCommand.* has it"},
    {"docs/cli.md", "hands failed (error)               0           6",
     "an agent of somebody's own program that throws; Failures.* has it", true},
};

// Files required by the examples of a help text.
struct Before {
  const char* page;
  const char* script;
};
inline const Before kBefore[] = {
    {"dealer help ofc score",
     "echo '6d 6h 5c / Qc Jc Th 8s 4d / Ah As Ks 9c 3h ; 6s 5s 4c / Td 9d 7h 5h 2d / "
     "Kh Kd 9s 8d 3d' >deals.txt"},
    {"dealer help tournament",
     "dealer train kuhn hands=100 self_play.tables=4 learner.batch=32 evaluation.deals=2 evaluation.final_deals=2 "
     "--quiet --out runs/kuhn >/dev/null"},
    {"dealer help runs",
     "dealer train kuhn hands=100 self_play.tables=4 learner.batch=32 evaluation.deals=2 evaluation.final_deals=2 "
     "--quiet --out runs/kuhn >/dev/null && cp -r runs my/runs"},
    {"dealer help plot",
     "for run in mine one other; do dealer train ofc hands=100 self_play.tables=4 learner.batch=32 evaluation.deals=2 "
     "evaluation.final_deals=2 --quiet --out runs/$run >/dev/null || exit 1; done"},
    {"dealer help ofc fantasyland", "echo '9s 9h 9d 9c 6h 6c As Ks Kh Qs Qh Ts 7d 5s' >hands.txt"},
    {"dealer help replay",
     "dealer match random random --game holdem --deals 3 --log match.phhs >/dev/null && "
     "awk '/^\\[/ {n++; next} n == 1' match.phhs >hand.phh && mkdir wsop && cp hand.phh wsop && cp match.phhs "
     "online.phhs"},
    {"dealer help analyse", "dealer match rule random --deals 1 --log match.phhs >/dev/null"},
};

// Files of the reader's own, for pages and examples that use one.
inline const std::pair<const char*, const char*> kOwnFiles[] = {
    {"my/deck.yaml", "configs/decks/standard_52.yaml"},
    {"my/ofc.yaml", "configs/games/ofc.yaml"},
    {"my/config.yaml", "configs/train/ofc.yaml"},
    {"my_bot.py", "examples/bots/random_bot.py"},
    // The same for source files, where the reader is.
    {"examples/bots/random_bot.py", "examples/bots/random_bot.py"}};

}  // namespace dealer::test
