#include "arena/knockout/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "arena/knockout/seating.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/ofc/game.h"
#include "env/games/poker/game.h"

namespace dealer::knockout {
namespace {

using poker::Chips;

constexpr int kUsualTable = 6;
constexpr std::int64_t kMaxChips = betting::kMaxChips - 1;

using GameOptions = std::vector<std::pair<std::string, std::string>>;

// The same game with changed options.
GamePtr with_options(const GamePtr& game, const GameOptions& options) {
  Spec spec = parse_spec(game->spec());
  for (const auto& [key, value] : options) {
    std::erase_if(spec.options, [&key = key](const auto& option) { return option.first == key; });
    spec.options.emplace_back(key, value);
  }
  return make_game(to_string(spec));
}

// The maximum forced payment before seeing any card.
Chips forced(const betting::BetRules& bets) { return std::max(bets.big_blind, bets.ante); }

GameOptions bets_of(const poker::GameRules& rules, std::int64_t factor) {
  const betting::BetRules& bets = rules.bets;
  GameOptions options;
  const auto add = [&](const char* key, Chips chips) {
    if (chips > 0) options.emplace_back(key, std::to_string(chips * factor));
  };
  add("ante", bets.ante);
  if (bets.limit == betting::Limit::kFree) return options;
  add("min_bet", rules.min_bet);
  if (bets.limit == betting::Limit::kStructured) add("big_bet", rules.big_bet);
  if (bets.big_blind > 0)
    options.emplace_back("blinds", fmt::format("[{},{}]", bets.small_blind * factor, bets.big_blind * factor));
  add("bring_in", bets.bring_in);
  return options;
}

// The number of times that bets can double.
int doublings(const poker::GameRules& rules, std::int64_t all_chips, int most_seats) {
  const betting::BetRules& bets = rules.bets;
  int count = 0;
  const auto fits = [&](std::int64_t factor) {
    if (bets.limit == betting::Limit::kFree) return bets.ante > 0 && bets.ante * factor <= rules.stack;
    return std::max(forced(bets), rules.min_bet) * factor <= all_chips / 2 && rules.big_bet * factor <= kMaxChips / 4 &&
           rules.stack * factor * most_seats <= kMaxChips;
  };
  while (fits(std::int64_t{2} << count)) ++count;
  return count;
}

[[noreturn]] void refuse(const Game& game) {
  throw UsageError(
      fmt::format("there are no knockout tournaments in '{}'; expected OFC or a betting game", game.spec()));
}

constexpr int kMostPlayers = 256;
constexpr int kUnlimited = 1 << 20;  // as in AgentFactory

Options completed(Options options) {
  const auto agents = static_cast<int>(options.agents.size());
  if (agents < 2) throw UsageError(fmt::format("{} given; a tournament needs two or more", counted(agents, "agent")));
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
        fmt::format("the stakes are raised every {} hands; expected 0 (never) or more", options.raise_every));
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

int usual_table_size(const Game& game) {
  if (ofc::as_ofc(game) != nullptr) return ofc::kMaxSeats;
  if (poker::as_poker(game) == nullptr) refuse(game);
  return std::min(kUsualTable, game.player_range().second);
}

Levels::Levels(const GamePtr& game, int players, int table_size, std::optional<Amount> stack, int raise_every)
    : raise_every_(raise_every), sizes_(table_sizes(players, table_size)) {
  const int most = game->player_range().second;
  usual_table_size(*game);
  if (table_size > most)
    throw UsageError(
        fmt::format("tables of {} players; expected 2 to {}, the sizes of '{}'", table_size, most, game->name()));
  if (ofc::as_ofc(*game) != nullptr)
    make_ofc(game, players, stack);
  else
    make_poker(game, players, stack);
  for (const int size : sizes_) named_[size] = with_options(game, {{"players", std::to_string(size)}});
}

void Levels::make_ofc(const GamePtr& game, int players, std::optional<Amount> stack) {
  stack_ = stack.value_or(ofc::as_ofc(*game)->rules().start_points);
  for (const int size : sizes_)
    games_[{size, 0}] =
        with_options(game, {{"players", std::to_string(size)},
                            {"episode", "match"},
                            {"match.start_points", std::to_string(stack_)},
                            {"match.multiplier_every", std::to_string(raise_every_)},
                            {"match.tournament_points", std::to_string(std::int64_t{players} * stack_)}});
}

void Levels::make_poker(const GamePtr& game, int players, std::optional<Amount> stack) {
  // The chips that the game itself would give, for any number of players.
  const GamePtr base = with_options(
      game, stack ? GameOptions{{"stack", std::to_string(*stack)}, {"players", "2"}} : GameOptions{{"players", "2"}});
  const poker::GameRules& rules = poker::as_poker(*base)->rules();
  stack_ = rules.stack;
  const std::int64_t all = std::int64_t{players} * stack_;
  if (all > kMaxChips)
    throw UsageError(
        fmt::format("{} players with {} chips each; expected at most {} chips in all", players, stack_, kMaxChips));
  doubles_ = true;
  if (raise_every_ > 0) count_ += doublings(rules, all, sizes_.back());
  const bool free = rules.bets.limit == betting::Limit::kFree;
  for (int level = 0; level < count_; ++level) {
    const std::int64_t factor = std::int64_t{1} << level;
    GameOptions options = bets_of(rules, factor);
    options.emplace_back("stack", std::to_string(free ? stack_ : stack_ * factor));
    options.emplace_back("tournament_chips", std::to_string(free ? all : std::min(all * factor, kMaxChips)));
    for (const int size : sizes_) {
      GameOptions here = options;
      here.emplace_back("players", std::to_string(size));
      games_[{size, level}] = with_options(game, here);
    }
  }
}

int Levels::level_of(int hand) const {
  return doubles_ && raise_every_ > 0 ? std::min(hand / raise_every_, count_ - 1) : 0;
}

int Levels::multiplier(int hand) const {
  if (doubles_) return 1 << level_of(hand);
  return raise_every_ > 0 ? 1 + hand / raise_every_ : 1;
}

Setup::Setup(const Options& given)
    : options(completed(given)),
      levels(options.game, options.players, options.table_size, options.stack, options.raise_every) {
  options.stack = levels.stack();
  side_by_side = seatings();
  // One factory per spec and game, unless its number of agents is limited.
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
        const std::string& spec = options.agents[at(agent)];
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
