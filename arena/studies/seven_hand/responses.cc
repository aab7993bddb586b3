#include "arena/studies/seven_hand/responses.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "agents/evaluator.h"
#include "agents/search/search.h"
#include "arena/studies/game_log.h"
#include "arena/studies/seven_hand/kinds.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::studies::seven_hand {
namespace {

// The dealer does not depend on the seating, so that both players get the same cards and the same turns.
void deal_alike(const Study& study, Env& env, std::uint64_t seed) { study.deal(env, seed, 0); }

}  // namespace

std::string responder_of(const std::string& agent, const GamePtr& game, std::int64_t simulations) {
  const AgentFactoryPtr agents = make_agents(agent, game);
  Spec spec = parse_spec(agent);
  for (const auto& [key, value] : spec.options)
    if (is_search_option(key))
      throw UsageError(fmt::format("agent '{}' searches, so that its policy is not known", agent));
  check_policy(*agents, *game);
  const auto set = [&](std::string key, std::string value) {
    spec.options.emplace_back(std::move(key), std::move(value));
  };
  set("simulations", std::to_string(simulations));
  set("weighted", "agent");
  set("playouts", "agent");
  // If the agent has values, they replace the rest of the hand.
  if (agents->attributes().value) set("depth", "1");
  return to_string(spec);
}

bool play_responses(const StudyContext& place, const AgentFactoryPtr& responder, const Study& study, std::int64_t deals,
                    const std::filesystem::path& file) {
  LinesFile lines(file, std::string(kGamesUnit));
  if (lines.done() >= deals) return true;
  MatchOptions match;
  match.game = place.game;
  match.agents = {responder, place.agent};
  match.seed = place.seed;
  match.first_deal = lines.done();
  match.deals = deals - lines.done();
  match.threads = place.threads;
  match.num_envs = 1;  // searches are not batched; small blocks, which are stored one by one
  match.strict = true;
  match.deal = [&](Env& env, std::uint64_t seed, int) { deal_alike(study, env, seed); };
  match.stop = place.stop;
  match.describe = studies::line_of;
  const auto progress = [&](std::int64_t done) {
    if (place.progress) place.progress("deals against its responder", done, deals);
  };
  return !play_into(lines, std::move(match), progress).interrupted;
}

void read_responses(const std::filesystem::path& file, const GamePtr& game, const Study& study, std::uint64_t seed,
                    std::int64_t deals,
                    const std::function<void(std::int64_t deal, const Hand& hand, int responder)>& f) {
  const auto seats = seatings(game->players());
  std::size_t seating = 0;
  Replay replay;
  replay.games = {game};
  replay.deals = deals;
  replay.seed = seed;
  replay.every_seating = true;
  replay.deal = [&](Env& env, std::uint64_t of, int which) {
    seating = at(which);
    deal_alike(study, env, of);
  };
  replay.hand = [&](std::int64_t deal, std::span<const Event> events) {
    const Seat responder = seats[seating][0] == 0 ? 0 : 1, dealer = events.front().seat;
    f(deal, read_hand(events), responder == dealer ? kSecond : kStarter);
  };
  replay_log(file, replay);
}

void add_fare(Figure& fare, std::int64_t deal, bool response, double y) {
  if (response) fare[0].add(deal, y);
  fare[1].compare(deal, response, y);
}

ResponseCounter::ResponseCounter() {
  const Figure points = counters("points less-");
  const Figure rate = counters("rate% less-%");
  figures_ = object({{"responder", value(nullptr)},
                     {"hands", value(0)},
                     {"points", mean()},
                     {"win_rate", share()},
                     {"sent", list(kMostLaid, list(kChips, points))},
                     {"turns", list(kTurns, list(kMostLaid, points))},
                     {"classes", by_name(group_classes(), points)},
                     {"named", list(kMostLaid, list(kChips, rate))},
                     {"laid", list(kTurns, list(kMostLaid, rate))},
                     {"differences", counters("cards- middle_many- middle_few-")}});
}

// In the agent's games against itself both players are the agent.
void ResponseCounter::add_self(std::int64_t deal, const Hand& hand) {
  for (int i = 0; i < hand.turns; ++i) {
    const Laying& laying = hand.layings[at(i)];
    add_faring(deal, hand, laying, false);
    add_laying(deal, laying, false);
    add_naming(deal, laying, false);
  }
}

void ResponseCounter::add_response(std::int64_t deal, const Hand& hand, int responder) {
  ++hands_;
  figures_["points"].add(deal, hand.points_of(1 - responder));
  figures_["win_rate"].add(deal, hand.win(1 - responder));
  for (int i = 0; i < hand.turns; ++i) {
    const Laying& laying = hand.layings[at(i)];
    if (laying.role == responder) {
      add_laying(deal, laying, true);
    } else {
      add_faring(deal, hand, laying, true);
      add_naming(deal, laying, true);
    }
  }
}

void ResponseCounter::add_faring(std::int64_t deal, const Hand& hand, const Laying& laying, bool response) {
  const double points = hand.points_of(laying.role);
  add_fare(figures_["sent"][laying.count() - 1][laying.chip], deal, response, points);
  add_fare(figures_["turns"][laying.turn - 1][laying.count() - 1], deal, response, points);
}

void ResponseCounter::add_laying(std::int64_t deal, const Laying& laying, bool response) {
  figures_["differences"]["cards"].compare(deal, response, laying.count());
  Figure& laid = figures_["laid"][laying.turn - 1];
  for (int n = 1; n <= kMostLaid; ++n) add_fare(laid[n - 1], deal, response, when(n == laying.count()));
}

void ResponseCounter::add_naming(std::int64_t deal, const Laying& laying, bool response) {
  if (!laying.chosen()) return;
  const int count = laying.count();
  const double by_chance = 1.0 / std::popcount(laying.free);
  Figure& of_count = figures_["named"][count - 1];
  for (int chip = 0; chip < kChips; ++chip) {
    if (!laying.is_free(chip)) continue;
    const double named = when(chip == laying.chip);
    add_fare(of_count[chip], deal, response, named);
    if (is_middle(chip) && (is_many(count) || is_few(count)))
      figures_["differences"][is_many(count) ? "middle_many" : "middle_few"].compare(deal, response, named, by_chance);
  }
}

Figure ResponseCounter::figures(const std::string& responder) const {
  Figure figures = figures_;
  figures.set("responder", value(responder));
  figures.set("hands", value(hands_));
  return figures;
}

}  // namespace dealer::studies::seven_hand
