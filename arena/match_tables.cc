#include "arena/match_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "env/core/at.h"
#include "env/core/random.h"

namespace dealer {
namespace {

// The stream of a deal for the agents' seeds.
constexpr std::uint64_t kAgentStream = 0x6167656e74730000ULL;
// The stream of a deal for alternative cards.
constexpr std::uint64_t kChanceStream = 0x6c75636b00000000ULL;

}  // namespace

std::vector<std::vector<int>> seatings_of(const MatchOptions& options) {
  return options.seating_plan.empty() ? seatings(options.game->players()) : options.seating_plan;
}

int most_seats_of_one(const std::vector<std::vector<int>>& seatings) {
  std::ptrdiff_t most = 1;
  for (const std::vector<int>& seating : seatings)
    for (const int agent : seating) most = std::max(most, std::count(seating.begin(), seating.end(), agent));
  return static_cast<int>(most);
}

int MatchTables::games_per_deal(const MatchOptions& options) {
  return options.duplicate ? static_cast<int>(seatings_of(options).size()) : 1;
}

MatchTables::MatchTables(const MatchOptions& options, const std::vector<std::vector<int>>& seatings, int tables)
    : TableLoop(options.move_time, options.clock),
      options_(options),
      seatings_(seatings),
      games_per_deal_(games_per_deal(options)),
      statistics_(options.game->statistic_names().size()),
      tables_(at(tables)) {
  const auto copies = at(most_seats_of_one(seatings));
  for (const std::vector<int>& seating : seatings) {
    std::vector<std::size_t> taken(options.agents.size());
    std::vector<std::size_t>& batches = batch_of_seat_.emplace_back();
    for (const int agent : seating) {
      const auto a = at(agent);
      batches.push_back(a * copies + taken[a]++);
    }
  }
  for (const AgentFactoryPtr& factory : options.agents) {
    for (std::size_t copy = 0; copy < copies; ++copy) add_batch(factory->make_batch(tables));
  }
  for (Table& table : tables_) {
    envs_.push_back(options.game->new_env({.hold_hands = true}));
    table.env = envs_.back().get();
    loop_tables_.push_back(&table);
  }
  if (options.other_hands > 0) {
    others_ =
        std::make_unique<ImaginaryHands>(options.game, options.agents, options.other_hands, options.control_variates);
    for (Table& table : tables_) table.dealt = options.game->new_env({.hold_hands = true});
  } else if (options.control_variates > 0)
    chance_terms_ =
        std::make_unique<ChanceTerms>(*options.game, options.values->make(*options.game), options.control_variates);
}

std::size_t MatchTables::play(std::int64_t first, std::span<DealCounts> deals) {
  first_ = first;
  deals_ = deals;
  next_game_ = 0;
  open_ = 0;
  for (DealCounts& counts : deals) clear(counts);
  for (Table& table : tables_) table.open = false;
  for (Table& table : tables_) begin_next(table);
  bool stopped = false;
  while (open_ > 0 && !stopped) {
    if (options_.decided) options_.decided(static_cast<std::int64_t>(open_));
    play_round(loop_tables_);
    stopped = options_.stop && options_.stop();
  }
  std::size_t complete = 0;
  while (complete < deals.size() && deals[complete].games_left == 0) ++complete;
  return complete;
}

void MatchTables::clear(DealCounts& counts) const {
  counts.won.assign(options_.agents.size(), 0);
  counts.correction.assign(chance_terms_ || others_ ? options_.agents.size() : 0, 0);
  counts.cards.assign(others_ ? options_.agents.size() : 0, {});
  counts.figures.assign(options_.agents.size() * statistics_ * 2, 0);
  counts.failures.clear();
  counts.decided.assign(options_.agents.size(), 0);
  counts.log.clear();
  if (writes_log()) counts.log.resize(at(games_per_deal_));
  counts.hands = 0;
  counts.games_left = games_per_deal_;
}

void MatchTables::begin_next(Table& table) {
  const auto games = static_cast<std::int64_t>(deals_.size()) * games_per_deal_;
  if (table.open) --open_;
  table.open = false;
  while (next_game_ < games) {
    begin(table, next_game_++);
    if (!deal_on(table)) continue;
    table.open = true;
    ++open_;
    return;
  }
}

void MatchTables::begin(Table& table, std::int64_t game) {
  const auto count = static_cast<std::int64_t>(seatings_.size());
  table.deal = first_ + game / games_per_deal_;
  table.seating = static_cast<int>(options_.duplicate ? game % count : table.deal % count);
  table.seed = derive(options_.seed, static_cast<std::uint64_t>(table.deal));
  table.agent_of_seat = &seatings_[at(table.seating)];
  table.counts = &deals_[at(table.deal - first_)];
  table.log = writes_log() ? &table.counts->log[at(game % games_per_deal_)] : nullptr;
  table.hand = 0;
  table.seats.assign(table.agent_of_seat->size(), {});
  for (std::size_t seat = 0; seat < table.seats.size(); ++seat) {
    table.seats[seat].batch = batch_of_seat_[at(table.seating)][seat];
    table.seats[seat].slot = static_cast<int>(&table - tables_.data());
  }
  table.returns.assign(table.agent_of_seat->size(), 0);
  table.decisions.clear();
  if (options_.deal)
    options_.deal(*table.env, table.seed, table.seating);
  else
    table.env->reset(table.seed);
  if (others_) table.dealt->assign(*table.env);
  table.correction.assign(chance_terms_ ? table.agent_of_seat->size() : 0, 0);
  table.correction_before = table.correction;
  table.measured = 0;
  // Over all seatings of a deal the first cards favour nobody.
  if (chance_terms_ && !options_.duplicate) chance_terms_->add_reset(*table.env, chance_seed(table), table.correction);
  for (Seat seat = 0; at(seat) < table.seats.size(); ++seat) reset(table, seat, agent_seed(table, seat));
}

bool MatchTables::deal_on(Table& table) {
  while (table.env->hand_over()) {
    count_hand(table);
    if (table.env->terminated()) {
      const std::vector<double> returns = table.env->returns();
      for (std::size_t seat = 0; seat < returns.size(); ++seat)
        table.counts->won[agent_at(table, static_cast<Seat>(seat))] += returns[seat];
      for (std::size_t seat = 0; seat < table.correction.size(); ++seat)
        table.counts->correction[agent_at(table, static_cast<Seat>(seat))] += table.correction[seat];
      --table.counts->games_left;
      return false;
    }
    if (chance_terms_) chance_terms_->remember(*table.env);
    table.env->next_hand();
    if (chance_terms_) chance_terms_->add_next_hand(*table.env, chance_seed(table), table.correction);
  }
  return true;
}

void MatchTables::count_hand(Table& table) {
  end_hand(table);
  count_statistics(table);
  if (others_) add_hand_correction(table);
  if (table.log != nullptr) describe(table);
  table.decisions.clear();
  ++table.counts->hands;
  ++table.hand;
}

void MatchTables::count_statistics(Table& table) const {
  for (std::size_t seat = 0; seat < table.seats.size(); ++seat) {
    const Statistics statistics = table.env->statistics(static_cast<Seat>(seat));
    double* figures = table.counts->figures.data() + agent_at(table, static_cast<Seat>(seat)) * statistics_ * 2;
    for (const Statistic& figure : statistics) {
      *figures++ += figure.numerator;
      *figures++ += figure.denominator;
    }
  }
}

void MatchTables::describe(Table& table) const {
  std::vector<double> returns = table.env->returns();
  std::vector<double> points(returns.size());
  for (std::size_t seat = 0; seat < points.size(); ++seat) points[seat] = returns[seat] - table.returns[seat];
  std::vector<double> correction(table.correction.size());
  for (std::size_t seat = 0; seat < correction.size(); ++seat)
    correction[seat] = kCorrectionUnit * static_cast<double>(table.correction[seat] - table.correction_before[seat]);
  *table.log += options_.describe({table.deal, table.seed, table.seating, table.hand, *table.agent_of_seat,
                                   table.env->events(kOmniscient), table.decisions, points, correction});
  table.returns = std::move(returns);
  table.correction_before = table.correction;
}

void MatchTables::add_hand_correction(Table& table) {
  const std::array<std::uint64_t, 2> seeds = {agent_seed(table, 0), agent_seed(table, 1)};
  const HandCorrection correction =
      others_->measure({*table.dealt, table.decisions, *table.agent_of_seat, seeds, chance_seed(table)});
  for (const Seat seat : {0, 1}) {
    const std::size_t agent = agent_at(table, seat);
    const Correction sign = seat == 0 ? 1 : -1;
    table.counts->correction[agent] += sign * correction.hands;
    for (std::size_t i = 0; i < correction.cards.size(); ++i)
      table.counts->cards[agent][i] += sign * correction.cards[i];
  }
}

std::uint64_t MatchTables::agent_seed(const Table& table, Seat seat) {
  return derive(table.seed ^ kAgentStream, static_cast<std::uint64_t>(seat));
}

void MatchTables::on_decision(LoopTable& loop_table, const Decision& decision, bool own) {
  Table& table = static_cast<Table&>(loop_table);
  if (own) table.counts->decided[agent_at(table, table.seat)] = 1;
  if (table.log != nullptr)
    table.decisions.push_back({table.seat, decision, table.env->decision_to_string(decision)});
  else if (others_)
    table.decisions.push_back({table.seat, decision, {}});
  if (chance_terms_) chance_terms_->remember(*table.env);
  table.env->step(decision, table.step);
  if (chance_terms_) chance_terms_->add_step(*table.env, decision, chance_seed(table), table.correction);
  if (table.step.hands_finished > 0 && !deal_on(table)) begin_next(table);
}

// The same for the same betting history of a deal, whoever sits where.
std::uint64_t MatchTables::chance_seed(Table& table) const {
  return derive(table.seed ^ kChanceStream, table.measured++);
}

void MatchTables::on_failure(LoopTable& loop_table, Seat seat, FailureKind kind, std::string what) {
  Table& table = static_cast<Table&>(loop_table);
  const std::size_t agent = agent_at(table, seat);
  if (options_.strict)
    throw AgentFailure(
        fmt::format("agent '{}' in seat {} of deal {}: {}", options_.agents[agent]->spec(), seat, table.deal, what),
        options_.agents[agent]->spec());
  table.counts->failures.resize(options_.agents.size());
  table.counts->failures[agent].count(kind, fmt::format("seat {} of deal {}: {}", seat, table.deal, what));
}

void MatchTables::on_forfeit(LoopTable& loop_table, Seat seat) {
  const Table& table = static_cast<Table&>(loop_table);
  table.counts->failures.resize(options_.agents.size());
  ++table.counts->failures[agent_at(table, seat)].forfeited;
}

}  // namespace dealer
