#include "arena/match_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "env/core/env_text.h"
#include "env/core/random.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

// The stream of a deal from which the agents' seeds come.
constexpr std::uint64_t kAgentStream = 0x6167656e74730000ULL;
// The stream of a deal from which other cards come.
constexpr std::uint64_t kLuckStream = 0x6c75636b00000000ULL;

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
    : options_(options),
      seatings_(seatings),
      games_per_deal_(games_per_deal(options)),
      statistics_(options.game->statistic_names().size()),
      tables_(static_cast<std::size_t>(tables)) {
  const auto copies = static_cast<std::size_t>(most_seats_of_one(seatings));
  for (const std::vector<int>& seating : seatings) {
    std::vector<std::size_t> taken(options.agents.size());
    std::vector<std::size_t>& batches = batch_of_seat_.emplace_back();
    for (const int agent : seating) {
      const auto a = static_cast<std::size_t>(agent);
      batches.push_back(a * copies + taken[a]++);
    }
  }
  for (const AgentFactoryPtr& factory : options.agents) {
    for (std::size_t copy = 0; copy < copies; ++copy) {
      batches_.push_back(factory->make_batch(tables));
      hears_.push_back(batches_.back()->hears() ? 1 : 0);
    }
  }
  asked_.resize(batches_.size());
  for (Table& table : tables_) table.env = options.game->new_env({.hold_hands = true});
  if (options.other_hands > 0) {
    others_ = std::make_unique<OtherHands>(options.game, options.agents, options.other_hands, options.control_variates);
    for (Table& table : tables_) table.dealt = options.game->new_env({.hold_hands = true});
  } else if (options.control_variates > 0)
    luck_ = std::make_unique<CardLuck>(*options.game, options.values->make(*options.game), options.control_variates);
}

std::size_t MatchTables::play(std::int64_t first, std::span<DealTally> deals) {
  first_ = first;
  deals_ = deals;
  next_game_ = 0;
  open_ = 0;
  for (DealTally& tally : deals) clear(tally);
  for (Table& table : tables_) table.open = false;
  for (std::size_t t = 0; t < tables_.size(); ++t) begin_next(t);
  bool stopped = false;
  while (open_ > 0 && !stopped) {
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (tables_[t].open) ask(t);
    for (std::size_t batch = 0; batch < batches_.size(); ++batch)
      if (asked_[batch] > 0) flush(batch);
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (tables_[t].open) move(t);
    stopped = options_.stop && options_.stop();
  }
  std::size_t complete = 0;
  while (complete < deals.size() && deals[complete].games_left == 0) ++complete;
  return complete;
}

void MatchTables::clear(DealTally& tally) const {
  tally.won.assign(options_.agents.size(), 0);
  tally.luck.assign(luck_ || others_ ? options_.agents.size() : 0, 0);
  tally.cards.assign(others_ ? options_.agents.size() : 0, {});
  tally.figures.assign(options_.agents.size() * statistics_ * 2, 0);
  tally.failures.clear();
  tally.decided.assign(options_.agents.size(), 0);
  tally.log.clear();
  if (writes_log()) tally.log.resize(static_cast<std::size_t>(games_per_deal_));
  tally.hands = 0;
  tally.games_left = games_per_deal_;
}

void MatchTables::begin_next(std::size_t t) {
  const auto games = static_cast<std::int64_t>(deals_.size()) * games_per_deal_;
  if (tables_[t].open) --open_;
  tables_[t].open = false;
  while (next_game_ < games) {
    begin(t, next_game_++);
    if (!deal_on(t)) continue;
    tables_[t].open = true;
    ++open_;
    return;
  }
}

void MatchTables::begin(std::size_t t, std::int64_t game) {
  Table& table = tables_[t];
  const auto count = static_cast<std::int64_t>(seatings_.size());
  table.deal = first_ + game / games_per_deal_;
  table.seating = static_cast<int>(options_.duplicate ? game % count : table.deal % count);
  table.seed = derive(options_.seed, static_cast<std::uint64_t>(table.deal));
  table.agent_of_seat = &seatings_[static_cast<std::size_t>(table.seating)];
  table.batch_of_seat = &batch_of_seat_[static_cast<std::size_t>(table.seating)];
  table.tally = &deals_[static_cast<std::size_t>(table.deal - first_)];
  table.log = writes_log() ? &table.tally->log[static_cast<std::size_t>(game % games_per_deal_)] : nullptr;
  table.hand = 0;
  table.guests.assign(table.agent_of_seat->size(), {});
  table.returns.assign(table.agent_of_seat->size(), 0);
  table.decisions.clear();
  if (options_.deal)
    options_.deal(*table.env, table.seed, table.seating);
  else
    table.env->reset(table.seed);
  if (others_) table.dealt->assign(*table.env);
  table.luck.assign(luck_ ? table.agent_of_seat->size() : 0, 0);
  table.lucks = 0;
  // In all seatings together nobody is luckier than anybody else with the first cards.
  if (luck_ && !options_.duplicate) luck_->add_reset(*table.env, luck_seed(table), table.luck);
  for (std::size_t seat = 0; seat < table.guests.size(); ++seat) {
    const auto at = static_cast<Seat>(seat);
    try {
      batches_[batch_at(table, at)]->reset(static_cast<int>(t), at, agent_seed(table, at));
    } catch (...) {
      auto [kind, what] = failure();
      fail(table, at, kind, std::move(what));
      table.guests[seat].failed_hands = kFailedHands;
    }
  }
}

bool MatchTables::deal_on(std::size_t t) {
  Table& table = tables_[t];
  while (table.env->hand_over()) {
    end_hand(t);
    if (table.env->terminated()) {
      const std::vector<double> returns = table.env->returns();
      for (std::size_t seat = 0; seat < returns.size(); ++seat)
        table.tally->won[agent_at(table, static_cast<Seat>(seat))] += returns[seat];
      for (std::size_t seat = 0; seat < table.luck.size(); ++seat)
        table.tally->luck[agent_at(table, static_cast<Seat>(seat))] += table.luck[seat];
      --table.tally->games_left;
      return false;
    }
    if (luck_) luck_->remember(*table.env);
    table.env->next_hand();
    if (luck_) luck_->add_next_hand(*table.env, luck_seed(table), table.luck);
  }
  return true;
}

void MatchTables::end_hand(std::size_t t) {
  Table& table = tables_[t];
  for (std::size_t seat = 0; seat < table.guests.size(); ++seat) {
    Guest& guest = table.guests[seat];
    if (guest.out) {
      ++table.tally->failures[agent_at(table, static_cast<Seat>(seat))].forfeited;
      continue;
    }
    if (guest.failed_hands < kFailedHands) tell(t, static_cast<Seat>(seat));
    guest.failed = guest.out = guest.failed_hands >= kFailedHands;
    guest.heard = {};
  }
  count_statistics(table);
  if (others_) measure_luck(table);
  if (table.log != nullptr) describe(table);
  table.decisions.clear();
  ++table.tally->hands;
  ++table.hand;
}

void MatchTables::count_statistics(Table& table) const {
  for (std::size_t seat = 0; seat < table.guests.size(); ++seat) {
    const Statistics statistics = table.env->statistics(static_cast<Seat>(seat));
    double* figures = table.tally->figures.data() + agent_at(table, static_cast<Seat>(seat)) * statistics_ * 2;
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
  *table.log += options_.describe({table.deal, table.seed, table.seating, table.hand, *table.agent_of_seat,
                                   table.env->events(kOmniscient), table.decisions, points});
  table.returns = std::move(returns);
}

void MatchTables::measure_luck(Table& table) {
  const std::array<std::uint64_t, 2> seeds = {agent_seed(table, 0), agent_seed(table, 1)};
  const HandLuck luck =
      others_->measure({*table.dealt, table.decisions, *table.agent_of_seat, seeds, luck_seed(table)});
  for (const Seat seat : {0, 1}) {
    const std::size_t agent = agent_at(table, seat);
    const Luck sign = seat == 0 ? 1 : -1;
    table.tally->luck[agent] += sign * luck.hands;
    for (std::size_t i = 0; i < luck.cards.size(); ++i) table.tally->cards[agent][i] += sign * luck.cards[i];
  }
}

std::uint64_t MatchTables::agent_seed(const Table& table, Seat seat) {
  return derive(table.seed ^ kAgentStream, static_cast<std::uint64_t>(seat));
}

// Seconds; always 0 in a match that takes no time.
double MatchTables::time() const {
  if (options_.move_time == 0) return 0;
  if (options_.clock) return options_.clock();
  return wall_seconds();
}

void MatchTables::ask(std::size_t t) {
  Table& table = tables_[t];
  table.seat = table.env->current_player();
  const Guest& guest = table.guests[static_cast<std::size_t>(table.seat)];
  table.asked = false;
  if (!guest.failed) tell(t, table.seat);
  if (guest.failed) return;
  const std::size_t batch = batch_at(table, table.seat);
  table.env->observe(table.seat, table.observation);
  table.decision = {};
  const double start = time();
  try {
    batches_[batch]->add(static_cast<int>(t), table.observation, table.decision);
  } catch (...) {
    auto [kind, what] = failure();
    return fail(table, table.seat, kind, std::move(what));
  }
  table.asked = true;
  ++asked_[batch];
  table.seconds = time() - start;
}

void MatchTables::flush(std::size_t batch) {
  const auto questions = static_cast<double>(asked_[batch]);
  asked_[batch] = 0;
  const auto is_asked = [&](const Table& table) {
    return table.open && table.asked && batch_at(table, table.seat) == batch;
  };
  const double start = time();
  try {
    batches_[batch]->flush();
  } catch (...) {
    const auto [kind, what] = failure();
    for (Table& table : tables_)
      if (is_asked(table) && table.decision == Decision()) fail(table, table.seat, kind, what);
  }
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!is_asked(tables_[t]) || tables_[t].decision != Decision()) continue;
    if (const std::exception_ptr alone = batches_[batch]->failure(static_cast<int>(t))) {
      try {
        std::rethrow_exception(alone);
      } catch (...) {
        auto [kind, what] = failure();
        fail(tables_[t], tables_[t].seat, kind, std::move(what));
      }
    }
  }
  if (options_.move_time == 0) return;
  const double share = (time() - start) / questions;
  for (Table& table : tables_)
    if (is_asked(table)) table.seconds += share;
}

Decision MatchTables::checked_decision(Table& table) {
  const Decision decision = table.decision;
  const Observation& seen = table.observation;
  if (decision.is_amount() && !seen.amounts.contains(decision.amount))
    fail(table, table.seat, FailureKind::kIllegal, illegal_amount_message(decision.amount, seen.amounts));
  else if (!decision.is_amount() && !in_mask(decision.action, seen.legal_mask))
    fail(table, table.seat, FailureKind::kIllegal,
         illegal_action_message(decision.action, seen.legal_mask, options_.game->num_actions()));
  else if (options_.move_time > 0 && table.seconds > options_.move_time)
    fail(table, table.seat, FailureKind::kLate,
         fmt::format("it took {:.3g} seconds; {} are allowed", table.seconds, options_.move_time));
  return table.guests[static_cast<std::size_t>(table.seat)].failed ? give_up(*table.env) : decision;
}

void MatchTables::move(std::size_t t) {
  Table& table = tables_[t];
  const bool& failed = table.guests[static_cast<std::size_t>(table.seat)].failed;
  const Decision decision = failed ? give_up(*table.env) : checked_decision(table);
  if (!failed) table.tally->decided[agent_at(table, table.seat)] = 1;
  if (table.log != nullptr)
    table.decisions.push_back({table.seat, decision, table.env->decision_to_string(decision)});
  else if (others_)
    table.decisions.push_back({table.seat, decision, {}});
  if (luck_) luck_->remember(*table.env);
  table.env->step(decision, table.step);
  if (luck_) luck_->add_step(*table.env, decision, luck_seed(table), table.luck);
  if (table.step.hands_finished > 0 && !deal_on(t)) begin_next(t);
}

// The same for the same course of a deal, whoever sits where.
std::uint64_t MatchTables::luck_seed(Table& table) const { return derive(table.seed ^ kLuckStream, table.lucks++); }

void MatchTables::tell(std::size_t t, Seat seat) {
  Table& table = tables_[t];
  const std::size_t batch = batch_at(table, seat);
  if (hears_[batch] == 0) return;
  EventCursor& heard = table.guests[static_cast<std::size_t>(seat)].heard;
  const std::vector<Event> events = table.env->events(seat, heard);
  heard = table.env->cursor();
  if (events.empty()) return;
  try {
    batches_[batch]->hear(static_cast<int>(t), events);
  } catch (...) {
    auto [kind, what] = failure();
    fail(table, seat, kind, std::move(what));
  }
}

void MatchTables::fail(Table& table, Seat seat, FailureKind kind, std::string what) {
  what = shortened(std::move(what));
  const std::size_t agent = agent_at(table, seat);
  if (options_.strict)
    throw AgentFailure(
        fmt::format("agent '{}' in seat {} of deal {}: {}", options_.agents[agent]->spec(), seat, table.deal, what));
  Guest& guest = table.guests[static_cast<std::size_t>(seat)];
  if (guest.failed) return;
  guest.failed = true;
  ++guest.failed_hands;
  table.tally->failures.resize(options_.agents.size());
  table.tally->failures[agent].count(kind, fmt::format("seat {} of deal {}: {}", seat, table.deal, what));
}

}  // namespace dealer
