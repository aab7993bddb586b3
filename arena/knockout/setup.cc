#include "arena/knockout/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "env/core/error.h"

namespace dealer::knockout {
namespace {

constexpr int kMostPlayers = 256;
constexpr int kUnlimited = 1 << 20;  // as AgentFactory says

Options completed(Options options) {
  const auto agents = static_cast<int>(options.agents.size());
  if (agents < 2) throw UsageError(fmt::format("{} agents given; a tournament needs two or more", agents));
  if (options.players == 0) options.players = agents;
  if (options.players % agents != 0)
    throw UsageError(
        fmt::format("{} players of {} agents; expected a multiple of {}, so that each enters equally often",
                    options.players, agents, agents));
  if (options.players < 4 || options.players > kMostPlayers)
    throw UsageError(fmt::format("a tournament of {} players; expected 4 to {}", options.players, kMostPlayers));
  if (options.table_size == 0) options.table_size = usual_table_size(*options.game);
  if (options.table_size < 2)
    throw UsageError(fmt::format("tables of {} players; expected 2 or more", options.table_size));
  if (options.raise_every < 0)
    throw UsageError(
        fmt::format("what is played for grows every {} hands; expected 0 (never) or more", options.raise_every));
  if (options.hands < 1) throw UsageError(fmt::format("{} hands; expected at least 1", options.hands));
  if (options.tournaments < 1)
    throw UsageError(fmt::format("{} tournaments; expected at least 1", options.tournaments));
  if (options.threads < 0) throw UsageError(fmt::format("{} threads; expected 0 (all) or more", options.threads));
  return options;
}

AgentFactoryPtr make(const Options& options, const std::string& spec, const GamePtr& game, const Game& named,
                     const std::vector<int>& sizes) {
  try {
    return options.make ? options.make(spec, game) : make_agents(spec, game, named);
  } catch (const Error& error) {
    throw UsageError(
        fmt::format("agent '{}' cannot play this tournament, in which tables of {} players occur; at one of "
                    "{}: {}",
                    spec, fmt::join(sizes, ", "), game->players(), error.what()));
  }
}

}  // namespace

Setup::Setup(const Options& given)
    : options(completed(given)),
      levels(options.game, options.players, options.table_size, options.stack, options.raise_every) {
  options.stack = levels.stack();
  side_by_side = seatings();
  // Of one spec and game one maker does, unless there can be but so many agents of one.
  std::map<std::pair<std::string, std::string>, AgentFactoryPtr> made;
  const auto maker_of = [&](const std::string& spec, int size, const GamePtr& game) {
    AgentFactoryPtr& known = made[{spec, game->spec()}];
    if (known) return known;
    AgentFactoryPtr maker = make(options, spec, game, *levels.named(size), levels.sizes());
    if (maker->most_batches() >= kUnlimited) known = maker;
    return maker;
  };
  for (int level = 0; level < levels.count(); ++level)
    for (const int size : levels.sizes())
      for (int agent = 0; agent < agents(); ++agent) {
        const std::string& spec = options.agents[static_cast<std::size_t>(agent)];
        const AgentFactoryPtr maker = maker_of(spec, size, levels.game(size, level));
        if (maker->most_tables() < entries())
          throw UsageError(fmt::format("agent '{}' plays at {} tables at once; it enters {} times", spec,
                                       maker->most_tables(), entries()));
        side_by_side = std::min(side_by_side, maker->most_tables() / entries());
        most_threads = std::min(most_threads, maker->most_batches());
        makers[{agent, size, level}] = maker;
      }
}

}  // namespace dealer::knockout
