#include "arena/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "arena/match_counts.h"
#include "arena/match_tables.h"
#include "arena/ordered_work.h"
#include "env/core/at.h"
#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

// Deals are assigned and summed in blocks independent of the number of threads, so that even sums of fractions
// do not depend on it: at least this many deals, and this many games per table, since at the end of a block
// tables wait for the last ones.
constexpr std::int64_t kFewestDeals = 16;
constexpr std::int64_t kGamesPerTable = 4;
constexpr int kMostEnvs = 4096;
constexpr int kMostControlVariates = 10000;
constexpr int kMostOtherHands = 2000;

int tables_at_once(const MatchOptions& options) {
  if (options.num_envs > 0) return options.num_envs;
  int wanted = 1, most = kMostEnvs;
  for (const AgentFactoryPtr& agent : options.agents) {
    // Slow agents gain little from many tables, and deals should complete one by one.
    if (agent->tables_at_once() == 0) most = 1;
    wanted = std::max(wanted, agent->tables_at_once());
    most = std::min(most, agent->most_tables());
  }
  return std::min(wanted, most);
}

// The division of a match into blocks of deals.
struct Blocks {
  explicit Blocks(const MatchOptions& options)
      : deals(options.deals),
        games_per_deal(MatchTables::games_per_deal(options)),
        deals_per_block(std::max(kFewestDeals, kGamesPerTable * tables_at_once(options) / games_per_deal)),
        // Not more tables than there are games.
        tables(static_cast<int>(
            std::min<std::int64_t>(tables_at_once(options), std::min(deals, deals_per_block) * games_per_deal))) {}

  std::int64_t count() const { return (deals + deals_per_block - 1) / deals_per_block; }
  // The first deal of a block, which is the end of the previous block.
  std::int64_t first(std::int64_t block) const { return std::min(block * deals_per_block, deals); }
  std::size_t size(std::int64_t block) const { return at(first(block + 1) - first(block)); }

  std::int64_t deals;
  int games_per_deal;
  std::int64_t deals_per_block;
  int tables;
};

bool is_enough(const StoppingRule& rule, const MatchResult& total) {
  if (!rule.any()) return false;
  // If almost every deal fails, the rule would never end the match.
  if (total.failed_deals >= StoppingRule::kFewest && total.failed_deals > 9 * total.counted_deals()) return true;
  if (total.counted_deals() < StoppingRule::kFewest) return false;
  if (rule.sprt) {
    const ClusteredRatio& points = total.agents.front().points;
    // Results that are all alike and lie between the two means would never decide.
    if (decide(log_likelihood_ratio(points, *rule.sprt)) != SprtDecision::kNone || !points.has_scatter()) return true;
  }
  return rule.until > 0 && std::all_of(total.agents.begin(), total.agents.end(),
                                       [&](const AgentResult& agent) { return agent.ci95() <= rule.until; });
}

void check_match(const MatchOptions& options) {
  const auto players = at(options.game->players());
  if (options.seating_plan.empty() && options.agents.size() != players)
    throw UsageError(fmt::format("{} given; '{}' is a game of {} players", counted(std::ssize(options.agents), "agent"),
                                 options.game->spec(), players));
  for (const std::vector<int>& seating : options.seating_plan) {
    const auto count = static_cast<int>(options.agents.size());
    if (seating.size() != players ||
        std::any_of(seating.begin(), seating.end(), [&](int agent) { return agent < 0 || agent >= count; }))
      throw UsageError(fmt::format("the seating [{}]; expected {} numbers of agents from 0 to {}",
                                   fmt::join(seating, ", "), players, count - 1));
  }
  if (options.deals < 1) throw UsageError(fmt::format("{} deals; expected at least 1", options.deals));
  if (options.first_deal < 0) throw UsageError(fmt::format("first deal {}; expected 0 or more", options.first_deal));
  if (options.threads < 0) throw UsageError(fmt::format("{} threads; expected 0 (all) or more", options.threads));
  if (options.num_envs < 0 || options.num_envs > kMostEnvs)
    throw UsageError(
        fmt::format("num_envs of {}; expected 0 (chosen by the agents) to {}", options.num_envs, kMostEnvs));
  for (const AgentFactoryPtr& agent : options.agents)
    if (options.num_envs > agent->most_tables())
      throw UsageError(fmt::format("num_envs of {}; agent '{}' plays at most {} at once", options.num_envs,
                                   agent->spec(), agent->most_tables()));
  if (!std::isfinite(options.move_time) || options.move_time < 0)
    throw UsageError(fmt::format("a move time of {}; expected seconds, or 0 (no limit)", options.move_time));
  if (options.control_variates < 0 || options.control_variates > kMostControlVariates)
    throw UsageError(fmt::format("{} control variates; expected 0 (none) to {} samples of every card",
                                 options.control_variates, kMostControlVariates));
  if (options.control_variates > 0 && options.deal)
    throw UsageError("hands that are dealt from outside have no control variates");
  if (options.other_hands < 0 || options.other_hands > kMostOtherHands)
    throw UsageError(fmt::format("{} imaginary hands; expected 0 (none) to {}", options.other_hands, kMostOtherHands));
  if (options.other_hands > 0 && options.control_variates == 0)
    throw UsageError("imaginary hands need control variates above 0");
  const StoppingRule& rule = options.stopping;
  if (!std::isfinite(rule.until) || rule.until < 0)
    throw UsageError(fmt::format("until {}; expected points a hand above 0", rule.until));
  if (rule.sprt && (!std::isfinite(rule.sprt->h0) || !std::isfinite(rule.sprt->h1) || rule.sprt->h0 >= rule.sprt->h1))
    throw UsageError(
        fmt::format("a sequential test of {} against {}; expected two numbers of points a hand, the smaller "
                    "first",
                    rule.sprt->h0, rule.sprt->h1));
}

int threads_for(const MatchOptions& options, int seats_of_one, std::int64_t blocks) {
  int wanted = thread_count(options.threads);
  for (const AgentFactoryPtr& agent : options.agents)
    wanted = std::min(wanted, std::max(1, agent->most_batches() / seats_of_one));
  return static_cast<int>(std::min<std::int64_t>(wanted, blocks));
}

// Plays the blocks of one thread.
class BlockPlayer {
 public:
  BlockPlayer(const MatchOptions& options, const std::vector<std::vector<int>>& seats, const Blocks& blocks)
      : options_(options), blocks_(blocks), tables_(options, seats, blocks.tables), deals_(blocks.size(0)) {}

  MatchCounts play(std::int64_t block) {
    const std::span<DealCounts> deals = std::span(deals_).first(blocks_.size(block));
    const std::size_t played = tables_.play(options_.first_deal + blocks_.first(block), deals);
    MatchCounts counts(options_);
    for (const DealCounts& deal : deals.first(played)) counts.add(deal, blocks_.games_per_deal);
    return counts;
  }

 private:
  const MatchOptions& options_;
  const Blocks& blocks_;
  MatchTables tables_;
  std::vector<DealCounts> deals_;
};

}  // namespace

std::vector<std::vector<int>> seatings(int players) {
  std::vector<int> agents(at(players));
  std::iota(agents.begin(), agents.end(), 0);
  std::vector<std::vector<int>> all;
  if (players <= 3) {
    do all.push_back(agents);
    while (std::next_permutation(agents.begin(), agents.end()));
  } else {
    for (int i = 0; i < players; ++i) {
      all.push_back(agents);
      std::rotate(agents.begin(), agents.begin() + 1, agents.end());
    }
  }
  return all;
}

MatchResult play_match(const MatchOptions& given) {
  check_match(given);
  MatchOptions options = given;
  // An agent that gave a hand up would not have acted the same way with other hands.
  if (options.other_hands > 0)
    options.strict = true;
  else if (options.control_variates > 0 && !options.values)
    options.values = value_source({}, options.game, options.agents);
  const double start = wall_seconds();
  const auto seats = seatings_of(options);
  const Blocks blocks(options);
  MatchCounts total(options);
  MatchResult& result = total.result;
  std::int64_t taken = 0;
  OrderedWork<MatchCounts> work;
  work.end = blocks.count();
  work.stop = options.stop;
  work.make_worker = [&] {
    return [player = std::make_shared<BlockPlayer>(options, seats, blocks)](std::int64_t block) {
      return std::optional(player->play(block));
    };
  };
  work.take = [&](const MatchCounts& next) {
    total.merge(next);
    for (const AgentResult& agent : result.agents) expect_decisions(agent.spec, agent.decided, agent.failures);
    if (!next.log.empty()) options.log(next.log);
    if (options.progress && next.result.deals > 0) options.progress(result.deals);
    result.ended_early = result.deals < options.deals && is_enough(options.stopping, result);
    // Blocks after an interrupted one are not counted.
    return !result.ended_early && result.deals == blocks.first(++taken);
  };
  work.run(threads_for(options, most_seats_of_one(seats), blocks.count()));
  for (std::size_t a = 0; a < options.agents.size(); ++a) result.agents[a].warnings = options.agents[a]->warnings();
  result.game = options.game->spec();
  result.unit = options.game->unit() + "/hand";
  result.big_blind = options.game->big_blind();
  result.seed = options.seed;
  result.duplicate = options.duplicate;
  result.control_variates = options.control_variates;
  result.other_hands = options.other_hands;
  if (options.control_variates > 0)
    result.values = options.other_hands > 0 ? std::string(kShowdownValues) : options.values->name();
  result.interrupted = result.deals < options.deals && !result.ended_early;
  result.sprt = options.stopping.sprt;
  if (result.sprt) result.llr = log_likelihood_ratio(result.agents.front().points, *result.sprt);
  if (result.counted_deals() >= StoppingRule::kFewest) result.decision = decide(result.llr);
  result.seconds = wall_seconds() - start;
  return std::move(result);
}

double AgentResult::rate(std::string_view name) const {
  for (const Rate& each : rates)
    if (each.name == name) return each.denominator == 0 ? 0 : each.numerator / each.denominator;
  throw UsageError(fmt::format("there is no statistic '{}'", name));
}

}  // namespace dealer
