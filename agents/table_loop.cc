#include "agents/table_loop.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/give_up.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/wall_seconds.h"

namespace dealer {
namespace {

std::string shortened(const std::string& what) {
  constexpr std::size_t kLongest = 400;
  return what.size() > kLongest ? what.substr(0, kLongest) + "..." : what;
}

}  // namespace

void FailureCounts::merge(const FailureCounts& later) {
  if (failed() == 0) earliest = later.earliest;
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    if (hands[kind] == 0) first[kind] = later.first[kind];
    hands[kind] += later.hands[kind];
  }
  forfeited += later.forfeited;
}

void FailureCounts::count(FailureKind kind, std::string what) {
  if (failed() == 0) earliest = kind;
  const auto k = static_cast<std::size_t>(kind);
  if (hands[k]++ > 0) return;
  // Replaces invalid UTF-8, which other programs may send, as reading it back would.
  using Json = nlohmann::json;
  first[k] = Json::parse(Json(std::move(what)).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

void expect_decisions(std::string_view spec, bool decided, const FailureCounts& failures) {
  if (!decided && failures.failed() > 0)
    throw AgentFailure(fmt::format("agent '{}' made no playable decision; {}", spec,
                                   failures.first[static_cast<std::size_t>(failures.earliest)]),
                       std::string(spec));
}

nlohmann::json to_json(const FailureCounts& failures) {
  nlohmann::json json = {{"forfeited", failures.forfeited}, {"first", nlohmann::json::object()}};
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    const std::string name(name_of(static_cast<FailureKind>(kind)));
    json[name] = failures.hands[kind];
    if (failures.hands[kind] > 0) json["first"][name] = failures.first[kind];
  }
  return json;
}

std::size_t TableLoop::add_batch(std::unique_ptr<AgentBatch> agents) {
  const bool observes = agents->observes();
  batches_.push_back({std::move(agents), observes});
  return batches_.size() - 1;
}

TableLoop::Batch& TableLoop::batch(const LoopTable& table, Seat seat) { return batches_[table.seats[at(seat)].batch]; }

void TableLoop::reset(LoopTable& table, Seat seat, std::uint64_t seed) {
  TableSeat& place = table.seats[at(seat)];
  try {
    batch(table, seat).agents->reset(place.slot, seat, seed);
  } catch (const AgentGone&) {
    place.failed = place.forfeits = true;
    place.failed_hands = kFailedHands;
  } catch (...) {
    forfeit(table, seat);
  }
}

void TableLoop::forfeit(LoopTable& table, Seat seat) {
  fail(table, seat);
  table.seats[at(seat)].failed_hands = kFailedHands;
}

void TableLoop::play_round(const std::vector<LoopTable*>& tables) {
  for (LoopTable* table : tables)
    if (table->open) ask(*table);
  for (std::size_t batch = 0; batch < batches_.size(); ++batch)
    if (batches_[batch].asked > 0) flush(batch, tables);
  for (LoopTable* table : tables)
    if (table->open) move(*table);
}

void TableLoop::end_hand(LoopTable& table) {
  for (Seat seat = 0; at(seat) < table.seats.size(); ++seat) {
    TableSeat& place = table.seats[at(seat)];
    if (place.forfeits) {
      on_forfeit(table, seat);
      continue;
    }
    if (place.batch == kNoBatch) continue;
    if (place.failed_hands < kFailedHands) notify(table, seat);
    place.failed = place.forfeits = place.failed_hands >= kFailedHands;
    place.observed = {};
  }
}

// The clock in seconds; always 0 without a time limit.
double TableLoop::time() const {
  if (move_time_ == 0) return 0;
  return clock_ ? clock_() : wall_seconds();
}

void TableLoop::ask(LoopTable& table) {
  table.seat = table.env->current_player();
  table.asked = false;
  const TableSeat& place = table.seats[at(table.seat)];
  if (!place.failed) notify(table, table.seat);
  if (place.failed) return;
  table.env->observe(table.seat, table.observation);
  table.decision = {};
  Batch& asked = batch(table, table.seat);
  const double start = time();
  try {
    asked.agents->add(place.slot, table.observation, table.decision);
  } catch (...) {
    return fail(table, table.seat);
  }
  table.asked = true;
  ++asked.asked;
  table.seconds = time() - start;
}

void TableLoop::flush(std::size_t batch, const std::vector<LoopTable*>& tables) {
  AgentBatch& agents = *batches_[batch].agents;
  const int questions = std::exchange(batches_[batch].asked, 0);
  const auto is_asked = [&](const LoopTable& table) {
    return table.open && table.asked && table.seats[at(table.seat)].batch == batch;
  };
  const double start = time();
  try {
    agents.flush();
  } catch (...) {
    const auto [kind, what] = current_failure();
    for (LoopTable* table : tables)
      if (is_asked(*table) && table->decision == Decision()) fail(*table, table->seat, kind, what);
  }
  for (LoopTable* table : tables) {
    if (!is_asked(*table) || table->decision != Decision()) continue;
    const std::exception_ptr alone = agents.failure(table->seats[at(table->seat)].slot);
    if (!alone) continue;
    try {
      std::rethrow_exception(alone);
    } catch (...) {
      fail(*table, table->seat);
    }
  }
  const double share = (time() - start) / questions;
  for (LoopTable* table : tables)
    if (is_asked(*table)) table->seconds += share;
}

// Fails the seat if its decision cannot be played.
void TableLoop::check(LoopTable& table) {
  const Decision& decision = table.decision;
  const Observation& seen = table.observation;
  if (decision.is_amount() && !seen.amounts.contains(decision.amount))
    fail(table, table.seat, FailureKind::kIllegal, illegal_amount_message(decision.amount, seen.amounts));
  else if (!decision.is_amount() && !in_mask(decision.action, seen.legal_mask))
    fail(table, table.seat, FailureKind::kIllegal,
         illegal_action_message(decision.action, seen.legal_mask, table.env->game().num_actions()));
  else if (move_time_ > 0 && table.seconds > move_time_)
    fail(table, table.seat, FailureKind::kLate,
         fmt::format("it took {:.3g} seconds; {} are allowed", table.seconds, move_time_));
}

void TableLoop::move(LoopTable& table) {
  const bool& failed = table.seats[at(table.seat)].failed;
  if (!failed) check(table);
  on_decision(table, failed ? give_up(*table.env) : table.decision, !failed);
}

void TableLoop::notify(LoopTable& table, Seat seat) {
  Batch& listener = batch(table, seat);
  if (!listener.observes) return;
  TableSeat& place = table.seats[at(seat)];
  const std::vector<Event> events = table.env->events(seat, place.observed);
  place.observed = table.env->cursor();
  if (events.empty()) return;
  try {
    listener.agents->on_events(place.slot, events);
  } catch (...) {
    fail(table, seat);
  }
}

void TableLoop::fail(LoopTable& table, Seat seat) {
  const auto [kind, what] = current_failure();
  fail(table, seat, kind, what);
}

void TableLoop::fail(LoopTable& table, Seat seat, FailureKind kind, const std::string& what) {
  TableSeat& place = table.seats[at(seat)];
  if (place.failed) return;
  place.failed = true;
  ++place.failed_hands;
  on_failure(table, seat, kind, shortened(what));
}

}  // namespace dealer
