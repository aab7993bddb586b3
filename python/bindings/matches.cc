#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>

#include "arena/match.h"
#include "env/core/error.h"
#include "python/bindings/agents.h"

namespace dealer::python {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // between two checks for Ctrl+C

// Plays in a separate thread, so that Python receives signals.
MatchResult play_with_signals(MatchOptions options) {
  std::atomic<bool> stop = false;
  options.stop = [&stop] { return stop.load(); };
  std::future<MatchResult> result;
  bool signalled = false;
  {
    const nb::gil_scoped_release release;
    result = std::async(std::launch::async, [&options] { return play_match(options); });
    while (result.wait_for(kLook) != std::future_status::ready) {
      if (stop) continue;
      const nb::gil_scoped_acquire lock;
      signalled = PyErr_CheckSignals() != 0;
      stop = signalled;
    }
  }
  if (signalled) throw nb::python_error();
  return result.get();
}

nb::object play(nb::handle spec, const nb::sequence& agents, std::int64_t deals, std::uint64_t seed, bool duplicate,
                int threads, double move_time, bool strict, bool thread_safe) {
  MatchOptions match;
  match.game = to_game(spec);
  match.deals = deals;
  match.seed = seed;
  match.duplicate = duplicate;
  match.threads = threads;
  match.move_time = move_time;
  match.strict = strict;
  nb::list singles;
  bool in_python = false;
  for (const nb::handle agent : agents) {
    match.agents.push_back(to_factory(agent, match.game));
    in_python |= is_written_in_python(*match.agents.back());
    const nb::handle single = single_object(*match.agents.back());
    if (!single.is_valid()) continue;
    for (const nb::handle other : singles)
      if (other.is(single))
        throw UsageError(fmt::format("{} is given twice; one object plays one seat: give its class instead",
                                     nb::cast<std::string>(nb::repr(single))));
    singles.append(single);
  }
  if (in_python && !thread_safe) {
    if (threads > 1)
      throw UsageError(
          fmt::format("{} threads and an agent written in Python: say thread_safe=True if objects of its "
                      "class may be called by several threads at once",
                      threads));
    match.threads = 1;
  }
  if (nb::len(singles) > 0) match.threads = match.num_envs = 1;
  return to_python(to_json(play_with_signals(std::move(match))));
}

}  // namespace

void bind_matches(nb::module_& module) {
  module.def(
      "play_match", &play, nb::arg("game"), nb::arg("agents"), nb::arg("deals") = 1000, nb::arg("seed") = 0,
      nb::kw_only(), nb::arg("duplicate") = true, nb::arg("threads") = 0, nb::arg("move_time") = 0.0,
      nb::arg("strict") = false, nb::arg("thread_safe") = false,
      nb::sig("def play_match(game: str | Game, agents: Sequence[Any], deals: int = 1000, seed: int = 0, *, "
              "duplicate: bool = True, threads: int = 0, move_time: float = 0.0, strict: bool = False, "
              "thread_safe: bool = False) "
              "-> dict[str, Any]"),
      "Plays agents, one for each seat of the game, against each other; the result is that of\n"
      "`dealer match --json`.\n\n"
      "agents: specs, Agents, and classes or objects with act(); of a class every seat of every table gets an\n"
      "object of its own, an object plays a table at a time. deals: each is played in every seating (duplicate) or\n"
      "once. threads: 0 for one a processor; changes no result. Agents written in Python are called by one thread,\n"
      "unless thread_safe says that objects of a class may be called by several at once. move_time: seconds a\n"
      "decision may take; 0: no limit. strict: raises AgentFailure at the first failure of an agent, which\n"
      "otherwise loses the hand. An agent that fails and never makes a decision that could be played raises\n"
      "AgentFailure in any match.");
}

}  // namespace dealer::python
