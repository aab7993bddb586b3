#include "arena/knockout/floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>

#include "arena/knockout/log.h"
#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/random.h"

namespace dealer::knockout {
namespace {

// The streams of a tournament's seed.
constexpr std::uint64_t kSeatStream = 0x7365617473000000ULL;   // who begins where
constexpr std::uint64_t kMoveStream = 0x6d6f766573000000ULL;   // who goes to which table later
constexpr std::uint64_t kDealStream = 0x6465616c73000000ULL;   // cards
constexpr std::uint64_t kMatchStream = 0x6d61746368000000ULL;  // what is drawn once for a table
constexpr std::uint64_t kAgentStream = 0x6167656e74730000ULL;  // the agents' own

}  // namespace

Floor::Floor(const Setup& setup)
    : setup_(setup),
      contests_(at(setup.side_by_side)),
      tables_of_contest_(at((options().players + options().table_size - 1) / options().table_size)) {
  tables_.resize(contests_.size() * tables_of_contest_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    tables_[t].contest = &contests_[t / tables_of_contest_];
    tables_[t].number = static_cast<int>(t % tables_of_contest_);
  }
}

bool Floor::play(std::int64_t tournament, Tally& tally) {
  tournament_ = tournament;
  seed_ = derive(options().seed, static_cast<std::uint64_t>(tournament));
  tally_ = &tally;
  tally = {};
  tally.agents.resize(options().agents.size());
  tally.log.resize(at(setup_.seatings()));
  for (int first = 0; first < setup_.seatings(); first += setup_.side_by_side) {
    open_ = 0;
    for (Table& table : tables_) table.open = false;
    for (Contest& contest : contests_) contest.over = true;
    for (int i = 0; i < std::min(setup_.side_by_side, setup_.seatings() - first); ++i)
      begin(contests_[at(i)], first + i, i);
    while (open_ > 0) {
      if (options().stop && options().stop()) return false;
      for (Table& table : tables_)
        if (table.open) ask(table);
      for (auto& [cast, batch] : batches_)
        if (batch.asked > 0) flush(cast, batch);
      for (Table& table : tables_)
        if (table.open) move(table);
      for (Contest& contest : contests_)
        if (!contest.over && contest.open == 0) go_on(contest);
    }
  }
  return true;
}

std::uint64_t Floor::seed(std::uint64_t stream) const { return seed_ ^ stream; }

Floor::Player& Floor::player(const Table& table, Seat seat) const {
  return table.contest->players[at(table.players[at(seat)])];
}

Floor::Batch& Floor::batch(const Table& table, Seat seat) {
  const Cast cast{player(table, seat).agent, static_cast<int>(table.players.size()), table.level};
  Batch& batch = batches_[cast];
  if (!batch.agents) {
    batch.agents = setup_.makers.at(cast)->make_batch(setup_.entries() * setup_.side_by_side);
    batch.hears = batch.agents->hears();
  }
  return batch;
}

void Floor::note(const Contest& contest, const std::string& line) { tally_->log[at(contest.seating)] += line; }

void Floor::begin(Contest& contest, int seating, int place) {
  const int agents = setup_.agents();
  contest.seating = seating;
  contest.seats = Seating(options().players, options().table_size, seed(kMoveStream));
  contest.hand = -1;
  contest.open = 0;
  contest.over = false;
  // Each agent takes each place once: the draw, and then all one further.
  std::vector<int> draw(at(options().players));
  std::iota(draw.begin(), draw.end(), 0);
  RandomStream lot(seed(kSeatStream));
  shuffle_first(std::span<int>(draw), draw.size(), lot);
  const std::int64_t turn = options().duplicate ? seating : tournament_ % agents;
  contest.players.assign(draw.size(), {});
  contest.agent_of_player.clear();
  std::vector<int> entered(at(agents));
  for (std::size_t p = 0; p < draw.size(); ++p) {
    Player& player = contest.players[p];
    player.agent = static_cast<int>((draw[p] + turn) % agents);
    player.slot = place * setup_.entries() + entered[at(player.agent)]++;
    player.chips = *options().stack;
    contest.agent_of_player.push_back(player.agent);
  }
  if (options().log) note(contest, heading(tournament_, seating, contest.agent_of_player, options().agents));
  go_on(contest);
}

void Floor::go_on(Contest& contest) {
  while (contest.open == 0) {
    if (contest.seats.players() < 2 || contest.hand + 1 == options().hands) return end(contest);
    ++contest.hand;
    ++tally_->rounds;
    for (const Move& move : contest.seats.rearrange(contest.hand))
      if (options().log) note(contest, line_of(move, contest.hand));
    const std::vector<SeatedTable> tables = contest.seats.tables();
    Table* const first = &tables_[static_cast<std::size_t>(&contest - contests_.data()) * tables_of_contest_];
    for (const SeatedTable& seated : tables)
      if (seated.players.size() > 1) deal(first[seated.number], seated);
  }
}

void Floor::end(Contest& contest) {
  contest.over = true;
  int stayed = 0;
  std::vector<Ending> endings;
  for (Player& player : contest.players) {
    if (player.ending.hand == Ending::kStayed) {
      player.ending.chips = player.chips;
      ++stayed;
    }
    endings.push_back(player.ending);
  }
  const std::vector<Finish> places = finish(endings);
  for (std::size_t p = 0; p < places.size(); ++p)
    tally_->agents[at(contest.players[p].agent)].finishes.push_back(places[p]);
  ++tally_->games;
  tally_->undecided += stayed > 1 ? 1 : 0;
  if (options().log) note(contest, ending_of(places, contest.agent_of_player, options().agents));
}

void Floor::deal(Table& table, const SeatedTable& seated) {
  const int size = static_cast<int>(seated.players.size()), hand = table.contest->hand;
  table.level = setup_.levels.level_of(hand);
  std::unique_ptr<Env>& env = table.envs[{size, table.level}];
  if (!env) env = setup_.levels.game(size, table.level)->new_env({.hold_hands = true});
  table.env = env.get();
  table.players = seated.players;
  table.guests.assign(at(size), {});
  TableStart start;
  start.hands = hand;
  start.match_seed = derive(seed(kMatchStream), static_cast<std::uint64_t>(table.number));
  table.fantasyland.clear();
  for (Seat seat = 0; seat < size; ++seat) {
    const Player& player = this->player(table, seat);
    start.chips.push_back(player.chips);
    if (player.fantasyland) start.seats = static_cast<std::uint16_t>(start.seats | 1U << seat);
    if (seated.players[at(seat)] == seated.dealer) start.dealer = seat;
    table.fantasyland.push_back(player.fantasyland ? 1 : 0);
  }
  table.before = start.chips;
  const std::uint64_t cards =
      derive(derive(seed(kDealStream), static_cast<std::uint64_t>(table.number)), static_cast<std::uint64_t>(hand));
  table.env->reset(cards, start);
  table.dealer = table.players[at(table.env->events(kOmniscient, {}).front().seat)];
  for (Seat seat = 0; seat < size; ++seat) seat_agent(table, seat);
  table.open = true;
  ++open_;
  ++table.contest->open;
  if (table.env->hand_over()) end_hand(table);
}

void Floor::seat_agent(Table& table, Seat seat) {
  Player& player = this->player(table, seat);
  table.guests[at(seat)].failed = player.forfeits;
  if (player.forfeits) return;
  const auto place = static_cast<std::uint64_t>(table.players[at(seat)]);
  const std::uint64_t own = derive(derive(seed(kAgentStream), place), static_cast<std::uint64_t>(table.contest->hand));
  try {
    batch(table, seat).agents->reset(player.slot, seat, own);
  } catch (...) {
    auto [kind, what] = failure();
    fail(table, seat, kind, std::move(what));
    player.failed_hands = kFailedHands;
  }
}

void Floor::end_hand(Table& table) {
  Contest& contest = *table.contest;
  const int size = static_cast<int>(table.players.size());
  for (Seat seat = 0; seat < size; ++seat) {
    Player& player = this->player(table, seat);
    if (player.forfeits) {
      ++tally_->agents[at(player.agent)].failures.forfeited;
      continue;
    }
    if (player.failed_hands < kFailedHands) tell(table, seat);
    player.forfeits = player.failed_hands >= kFailedHands;
  }
  const TableStart after = table.env->standing();
  contest.seats.table(table.number).dealer = table.players[at(after.dealer)];
  for (Seat seat = 0; seat < size; ++seat) {
    Player& player = this->player(table, seat);
    player.chips = after.chips[at(seat)];
    player.fantasyland = (after.seats >> seat & 1) != 0;
    if (player.chips > 0) continue;
    player.ending = {contest.hand, table.before[at(seat)]};
    contest.seats.remove(table.players[at(seat)]);
  }
  const TableHand hand{.tournament = tournament_,
                       .seating = contest.seating,
                       .hand = contest.hand,
                       .table = table.number,
                       .multiplier = setup_.levels.multiplier(contest.hand),
                       .dealer = table.dealer,
                       .players = table.players,
                       .agent_of_player = contest.agent_of_player,
                       .before = table.before,
                       .after = after.chips,
                       .fantasyland = table.fantasyland};
  if (options().watch) options().watch(hand);
  if (options().log) note(contest, line_of(hand, options().agents));
  ++tally_->table_hands;
  table.open = false;
  --open_;
  --contest.open;
}

void Floor::ask(Table& table) {
  table.seat = table.env->current_player();
  table.asked = false;
  const Guest& guest = table.guests[at(table.seat)];
  if (!guest.failed) tell(table, table.seat);
  if (guest.failed) return;
  table.env->observe(table.seat, table.observation);
  table.decision = {};
  Batch& batch = this->batch(table, table.seat);
  try {
    batch.agents->add(player(table, table.seat).slot, table.observation, table.decision);
  } catch (...) {
    auto [kind, what] = failure();
    return fail(table, table.seat, kind, std::move(what));
  }
  table.asked = true;
  ++batch.asked;
}

void Floor::flush(const Cast& cast, Batch& batch) {
  batch.asked = 0;
  const auto is_waiting = [&](const Table& table) {
    return table.open && table.asked && table.decision == Decision() &&
           Cast{player(table, table.seat).agent, static_cast<int>(table.players.size()), table.level} == cast;
  };
  try {
    batch.agents->flush();
  } catch (...) {
    const auto [kind, what] = failure();
    for (Table& table : tables_)
      if (is_waiting(table)) fail(table, table.seat, kind, what);
  }
  for (Table& table : tables_) {
    if (!is_waiting(table)) continue;
    const std::exception_ptr alone = batch.agents->failure(player(table, table.seat).slot);
    if (!alone) continue;
    try {
      std::rethrow_exception(alone);
    } catch (...) {
      auto [kind, what] = failure();
      fail(table, table.seat, kind, std::move(what));
    }
  }
}

void Floor::move(Table& table) {
  const Guest& guest = table.guests[at(table.seat)];
  const Decision& decision = table.decision;
  const Observation& seen = table.observation;
  if (!guest.failed && decision.is_amount() && !seen.amounts.contains(decision.amount))
    fail(table, table.seat, FailureKind::kIllegal, illegal_amount_message(decision.amount, seen.amounts));
  else if (!guest.failed && !decision.is_amount() && !in_mask(decision.action, seen.legal_mask))
    fail(table, table.seat, FailureKind::kIllegal,
         illegal_action_message(decision.action, seen.legal_mask, table.env->game().num_actions()));
  if (!guest.failed) tally_->agents[at(player(table, table.seat).agent)].decided = true;
  table.env->step(guest.failed ? give_up(*table.env) : decision, table.step);
  if (table.env->hand_over()) end_hand(table);
}

void Floor::tell(Table& table, Seat seat) {
  Batch& batch = this->batch(table, seat);
  if (!batch.hears) return;
  EventCursor& heard = table.guests[at(seat)].heard;
  const std::vector<Event> events = table.env->events(seat, heard);
  heard = table.env->cursor();
  if (events.empty()) return;
  try {
    batch.agents->hear(player(table, seat).slot, events);
  } catch (...) {
    auto [kind, what] = failure();
    fail(table, seat, kind, std::move(what));
  }
}

void Floor::fail(Table& table, Seat seat, FailureKind kind, std::string what) {
  Guest& guest = table.guests[at(seat)];
  if (guest.failed) return;
  guest.failed = true;
  Player& player = this->player(table, seat);
  ++player.failed_hands;
  tally_->agents[at(player.agent)].failures.count(
      kind, fmt::format("table {}, hand {} of tournament {}: {}", table.number, table.contest->hand, tournament_,
                        shortened(std::move(what))));
}

}  // namespace dealer::knockout
