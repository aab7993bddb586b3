#include "arena/local_best_response.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "agents/agent_error.h"
#include "arena/holdem_local_response.h"
#include "arena/local_responses.h"
#include "arena/ordered_work.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/wall_seconds.h"
#include "env/games/visit.h"

namespace dealer {
namespace {

// Keep the seeds of the agent, the local best response and its estimates apart from those of the deals.
constexpr std::uint64_t kAgentSeeds = 0x6167656e74ULL, kLocalSeeds = 0x6c6f63616cULL, kChanceSeeds = 0x6368616e6365ULL;

struct DealPlayed {
  double won = 0;
  std::int64_t hands = 0, decisions = 0;
  std::string log;
};

// The objects of one thread.
template <class S, class Player>
class Table {
 public:
  Table(const LocalResponseOptions& options, const std::shared_ptr<const TypedGame<S>>& game)
      : options_(options),
        game_(game),
        player_(game, *options.against, options.samples, LocalBets{options.from, options.sizes}),
        agent_(options.against->make()) {}

  DealPlayed play(std::int64_t deal) {
    DealPlayed result;
    for (Seat me = 0; me < 2; ++me) play(deal, me, result);
    return result;
  }

 private:
  static constexpr bool kHasChanceTerm = std::is_same_v<Player, poker::HoldemLocalResponse>;

  void play(std::int64_t deal, Seat me, DealPlayed& result) {
    const std::uint64_t seed = derive(options_.seed, static_cast<std::uint64_t>(options_.first_deal + deal));
    const std::uint64_t local = derive(seed ^ kLocalSeeds, static_cast<std::uint64_t>(me));
    std::uint64_t decisions = 0;
    naming_agent(options_.against->spec(),
                 [&] { agent_->reset(1 - me, derive(seed ^ kAgentSeeds, static_cast<std::uint64_t>(1 - me))); });
    S state;
    state.reset_and_hold(game_->rules(), seed);
    if constexpr (kHasChanceTerm)
      player_.begin_hand(state, me, RandomStream(derive(seed ^ kChanceSeeds, static_cast<std::uint64_t>(me))));
    else
      player_.begin_hand(state, me);
    std::array<double, 2> before{};  // the seats' winnings in the previous hands
    for (;;) {
      if (state.hand_over()) {
        const std::array<double, 2> now = {state.return_of(0), state.return_of(1)};
        const std::array<double, 2> points = {now[0] - before[0], now[1] - before[1]};
        double won = points[at(me)];
        if constexpr (kHasChanceTerm) won = player_.won(state);
        result.won += won;
        if (options_.describe && options_.log) result.log += text_of(state, deal, me, points, points[at(me)] - won);
        before = now;
        if (state.episode_over()) break;
        state.next_hand();
        if constexpr (!kHasChanceTerm) player_.begin_hand(state, me);  // otherwise a hand is the whole episode
        continue;
      }
      const Decision decision =
          state.current_player() == me ? player_.decide(state, RandomStream(local, decisions++)) : ask(state);
      player_.played(state, decision);
      play_and_hold(state, decision);
    }
    result.hands += state.hands_finished();
    result.decisions += static_cast<std::int64_t>(decisions);
  }

  std::string text_of(const S& state, std::int64_t deal, Seat me, const std::array<double, 2>& points,
                      double chance_term) const {
    const std::vector<int> agent_of_seat = {me == 0 ? 0 : 1, me == 0 ? 1 : 0};
    const std::vector<double> dealt(points.begin(), points.end()),
        chance_terms = {me == 0 ? chance_term : -chance_term, me == 0 ? -chance_term : chance_term};
    std::vector<Event> events;
    state.events(events);
    const std::int64_t number = options_.first_deal + deal;
    return options_.describe({number,
                              derive(options_.seed, static_cast<std::uint64_t>(number)),
                              me,
                              state.hands_finished() - 1,
                              agent_of_seat,
                              events,
                              {},
                              dealt,
                              chance_terms});
  }

  Decision ask(const S& state) {
    observe_turn(state, static_cast<std::size_t>(game_->observation_spec().size()), seen_);
    const Decision decision = naming_agent(options_.against->spec(), [&] { return agent_->act(seen_); });
    if (decision.is_amount() ? !seen_.amounts.contains(decision.amount) : !in_mask(decision.action, seen_.legal_mask))
      throw UsageError(fmt::format("agent '{}' made an illegal decision", options_.against->spec()));
    return decision;
  }

  const LocalResponseOptions& options_;
  std::shared_ptr<const TypedGame<S>> game_;
  Player player_;
  std::unique_ptr<Agent> agent_;
  Observation seen_;
};

// In deal order, so that sums do not depend on the assignment to threads.
template <class Player, class S>
LocalResponseResult play_deals(const LocalResponseOptions& options, const std::shared_ptr<const TypedGame<S>>& game) {
  LocalResponseResult result;
  OrderedWork<DealPlayed> work;
  work.end = options.deals;
  work.stop = options.stop;
  work.make_worker = [&] {
    return [table = std::make_shared<Table<S, Player>>(options, game)](std::int64_t deal) {
      return std::optional(table->play(deal));
    };
  };
  work.take = [&](const DealPlayed& deal) {
    result.points.add(deal.won, static_cast<double>(deal.hands));
    result.decisions += deal.decisions;
    if (!deal.log.empty()) options.log(deal.log);
    ++result.deals;
    if (options.progress) options.progress(result.deals);
    return true;
  };
  work.run(thread_count(options.threads));
  result.interrupted = result.deals < options.deals;
  return result;
}

void check_options(const LocalResponseOptions& options) {
  if (options.deals < 1) throw UsageError(fmt::format("{} deals; expected at least 1", options.deals));
  if (options.samples < 1) throw UsageError(fmt::format("{} samples; expected at least 1", options.samples));
  if (options.threads < 0) throw UsageError(fmt::format("{} threads; expected 0 (all) or more", options.threads));
  if (options.game->players() != 2)
    throw UsageError(fmt::format("'{}' is a game of {} players; a local best response plays against one agent",
                                 options.game->spec(), options.game->players()));
}

// Calls `use` with the class that plays the game. Throws UsageError if there is none.
template <class Result, class S, class Use>
Result with_player(const LocalResponseOptions& options, const TypedGame<S>& game, const Use& use) {
  [[maybe_unused]] const auto shared = std::static_pointer_cast<const TypedGame<S>>(game.shared_from_this());
  if constexpr (std::is_same_v<S, poker::State>) {
    if (resolve::why_not_two_cards(game.rules()).empty())
      return use.template operator()<poker::HoldemLocalResponse>(shared);
    return use.template operator()<poker::LocalResponse>(shared);
  } else if constexpr (std::is_same_v<S, small::State>) {
    return use.template operator()<small::LocalResponse>(shared);
  } else {
    throw UsageError(
        fmt::format("'{}' is not a betting game: a local best response bets, calls and folds", options.game->spec()));
  }
}

}  // namespace

int streets_of_local_response(const LocalResponseOptions& options) {
  if (options.game->players() != 2) return 0;
  return visit(*options.game, [&]<class S>(const TypedGame<S>& game) {
    try {
      return with_player<int>(options, game, [&]<class Player>(const std::shared_ptr<const TypedGame<S>>& shared) {
        const Table<S, Player> accepted(options, shared);
        if constexpr (std::is_same_v<S, poker::State>) return game.rules().streets;
        return 1;
      });
    } catch (const UsageError&) {
      return 0;
    }
  });
}

LocalResponseResult local_best_response(const LocalResponseOptions& options) {
  check_options(options);
  const double start = wall_seconds();
  LocalResponseResult result = visit(*options.game, [&]<class S>(const TypedGame<S>& game) -> LocalResponseResult {
    return with_player<LocalResponseResult>(options, game,
                                            [&]<class Player>(const std::shared_ptr<const TypedGame<S>>& shared) {
                                              return play_deals<Player>(options, shared);
                                            });
  });
  result.seconds = wall_seconds() - start;
  return result;
}

}  // namespace dealer
