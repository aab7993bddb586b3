#include "arena/knockout/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/core/env_text.h"
#include "env/core/random.h"

namespace dealer::knockout {
namespace {

// The random streams of a tournament's seed.
constexpr std::uint64_t kSeatStream = 0x7365617473000000ULL;   // initial places
constexpr std::uint64_t kMoveStream = 0x6d6f766573000000ULL;   // moves between tables
constexpr std::uint64_t kDealStream = 0x6465616c73000000ULL;   // cards
constexpr std::uint64_t kMatchStream = 0x6d61746368000000ULL;  // per-table random choices
constexpr std::uint64_t kAgentStream = 0x6167656e74730000ULL;  // the agents' own seeds

// ---- The log of hands, for people. Players are named by their initial place and their agent: "3 rule".

std::string player_name(int player, const std::vector<int>& agent_of_player, const std::vector<std::string>& agents) {
  return fmt::format("{} {}", player, agents[static_cast<std::size_t>(agent_of_player[at(player)])]);
}

// "tournament 0, seating 1: 0 rule, 1 random, ..."
std::string heading(std::int64_t tournament, int seating, const std::vector<int>& agent_of_player,
                    const std::vector<std::string>& agents) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < agent_of_player.size(); ++p)
    names.push_back(player_name(static_cast<int>(p), agent_of_player, agents));
  return fmt::format("tournament {}, seating {}: {}\n", tournament, seating, fmt::join(names, ", "));
}

// "hand 12: 4 goes from table 1 to table 0"
std::string line_of(const Move& move, int hand) {
  return fmt::format("hand {}: {} goes from table {} to table {}\n", hand, move.player, move.from, move.to);
}

// "hand 12, table 0, x2, dealer 3: 3 rule 180 +12 = 192 (Fantasyland), 5 random 200 -12 = 188"
std::string line_of(const TableHand& hand, const std::vector<std::string>& agents) {
  std::vector<std::string> players;
  for (std::size_t seat = 0; seat < hand.players.size(); ++seat)
    players.push_back(fmt::format("{} {} {:+} = {}{}", player_name(hand.players[seat], hand.agent_of_player, agents),
                                  hand.before[seat], hand.after[seat] - hand.before[seat], hand.after[seat],
                                  hand.privileges[seat] != 0 ? " (Fantasyland)" : ""));
  return fmt::format("hand {}, table {}, x{}, dealer {}: {}\n", hand.hand, hand.table, hand.multiplier, hand.dealer,
                     fmt::join(players, ", "));
}

// "places 1: 3 rule, 2-3: 5 random, 2-3: 0 rule, ..."
std::string ending_of(const std::vector<Finish>& places, const std::vector<int>& agent_of_player,
                      const std::vector<std::string>& agents) {
  std::vector<int> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  const auto finish = [&](int player) -> const Finish& { return places[at(player)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return finish(a).first < finish(b).first; });
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const int player : order)
    names.push_back(
        fmt::format("{}{}: {}", finish(player).first,
                    finish(player).last > finish(player).first ? fmt::format("-{}", finish(player).last) : "",
                    player_name(player, agent_of_player, agents)));
  return fmt::format("places {}\n", fmt::join(names, ", "));
}

}  // namespace

Runner::Runner(const Setup& setup)
    : setup_(setup),
      contests_(at(setup.side_by_side)),
      tables_of_contest_(at((options().players + options().table_size - 1) / options().table_size)) {
  tables_.resize(contests_.size() * tables_of_contest_);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    tables_[t].contest = &contests_[t / tables_of_contest_];
    tables_[t].number = static_cast<int>(t % tables_of_contest_);
    loop_tables_.push_back(&tables_[t]);
  }
}

std::optional<TournamentCounts> Runner::play(std::int64_t tournament) {
  tournament_ = tournament;
  seed_ = derive(options().seed, static_cast<std::uint64_t>(tournament));
  counts_ = {};
  counts_.agents.resize(options().agents.size());
  counts_.log.resize(at(setup_.seatings()));
  for (int first = 0; first < setup_.seatings(); first += setup_.side_by_side) {
    open_ = 0;
    for (Table& table : tables_) table.open = false;
    for (Contest& contest : contests_) contest.over = true;
    for (int i = 0; i < std::min(setup_.side_by_side, setup_.seatings() - first); ++i)
      begin(contests_[at(i)], first + i, i);
    while (open_ > 0) {
      if (options().stop && options().stop()) return std::nullopt;
      if (options().decided) options().decided(static_cast<std::int64_t>(open_));
      play_round(loop_tables_);
      for (Contest& contest : contests_)
        if (!contest.over && contest.open == 0) go_on(contest);
    }
  }
  return std::move(counts_);
}

std::uint64_t Runner::seed(std::uint64_t stream) const { return seed_ ^ stream; }

Runner::Player& Runner::player(const Table& table, Seat seat) const {
  return table.contest->players[at(table.players[at(seat)])];
}

std::size_t Runner::batch_of(const PairingKey& key) {
  const auto known = batches_.find(key);
  if (known != batches_.end()) return known->second;
  const std::size_t batch = add_batch(setup_.makers.at(key)->make_batch(setup_.entries() * setup_.side_by_side));
  batches_.emplace(key, batch);
  return batch;
}

void Runner::note(const Contest& contest, const std::string& line) { counts_.log[at(contest.seating)] += line; }

void Runner::begin(Contest& contest, int seating, int place) {
  const int agents = setup_.agents();
  contest.seating = seating;
  contest.seats = Seating(options().players, options().table_size, seed(kMoveStream));
  contest.hand = -1;
  contest.open = 0;
  contest.over = false;
  // Each agent takes each place once: the draw, then rotated by one.
  std::vector<int> draw(at(options().players));
  std::iota(draw.begin(), draw.end(), 0);
  RandomStream rng(seed(kSeatStream));
  shuffle_first(std::span<int>(draw), draw.size(), rng);
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

void Runner::go_on(Contest& contest) {
  while (contest.open == 0) {
    if (contest.seats.players() < 2 || contest.hand + 1 == options().hands) return end(contest);
    ++contest.hand;
    ++counts_.rounds;
    for (const Move& move : contest.seats.rearrange(contest.hand))
      if (options().log) note(contest, line_of(move, contest.hand));
    const std::vector<SeatedTable> tables = contest.seats.tables();
    Table* const first = &tables_[at(&contest - contests_.data()) * tables_of_contest_];
    for (const SeatedTable& seated : tables)
      if (seated.players.size() > 1) deal(first[seated.number], seated);
  }
}

void Runner::end(Contest& contest) {
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
    counts_.agents[at(contest.players[p].agent)].finishes.push_back(places[p]);
  ++counts_.games;
  counts_.undecided += stayed > 1 ? 1 : 0;
  if (options().log) note(contest, ending_of(places, contest.agent_of_player, options().agents));
}

void Runner::deal(Table& table, const SeatedTable& seated) {
  const int size = static_cast<int>(seated.players.size()), hand = table.contest->hand;
  table.level = setup_.levels.level_of(hand);
  std::unique_ptr<Env>& env = table.envs[{size, table.level}];
  if (!env) env = setup_.levels.game(size, table.level)->new_env({.hold_hands = true});
  table.env = env.get();
  table.players = seated.players;
  table.seats.assign(at(size), {});
  TableStart start;
  start.hands = hand;
  start.match_seed = derive(seed(kMatchStream), static_cast<std::uint64_t>(table.number));
  for (Seat seat = 0; seat < size; ++seat) {
    const Player& player = this->player(table, seat);
    start.chips.push_back(player.chips);
    if (seated.players[at(seat)] == seated.dealer) start.dealer = seat;
    start.privileges.push_back(player.privilege);
  }
  table.privileges = start.privileges;
  table.before = start.chips;
  const std::uint64_t cards =
      derive(derive(seed(kDealStream), static_cast<std::uint64_t>(table.number)), static_cast<std::uint64_t>(hand));
  table.env->reset(cards, start);
  table.dealer = table.players[at(table.env->events(kOmniscient, {}).front().seat)];
  for (Seat seat = 0; seat < size; ++seat) seat_agent(table, seat);
  table.open = true;
  ++open_;
  ++table.contest->open;
  if (table.env->hand_over()) count_hand(table);
}

void Runner::seat_agent(Table& table, Seat seat) {
  const Player& player = this->player(table, seat);
  TableSeat& at_table = table.seats[at(seat)];
  at_table.slot = player.slot;
  at_table.failed_hands = player.failed_hands;
  at_table.failed = at_table.forfeits = player.failed_hands >= kFailedHands;
  if (at_table.forfeits) return;
  const auto place = static_cast<std::uint64_t>(table.players[at(seat)]);
  const std::uint64_t own = derive(derive(seed(kAgentStream), place), static_cast<std::uint64_t>(table.contest->hand));
  try {
    at_table.batch = batch_of({player.agent, static_cast<int>(table.players.size()), table.level});
  } catch (...) {
    return forfeit(table, seat);
  }
  reset(table, seat, own);
}

void Runner::count_hand(Table& table) {
  Contest& contest = *table.contest;
  const int size = static_cast<int>(table.players.size());
  end_hand(table);
  for (Seat seat = 0; seat < size; ++seat) player(table, seat).failed_hands = table.seats[at(seat)].failed_hands;
  const TableStart after = table.env->carry_over();
  contest.seats.table(table.number).dealer = table.players[at(after.dealer)];
  for (Seat seat = 0; seat < size; ++seat) {
    Player& player = this->player(table, seat);
    player.chips = after.chips[at(seat)];
    player.privilege = after.privileges.empty() ? std::uint8_t{0} : after.privileges[at(seat)];
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
                       .privileges = table.privileges};
  if (options().watch) options().watch(hand);
  if (options().log) note(contest, line_of(hand, options().agents));
  ++counts_.table_hands;
  table.open = false;
  --open_;
  --contest.open;
}

void Runner::on_decision(LoopTable& loop_table, const Decision& decision, bool own) {
  Table& table = static_cast<Table&>(loop_table);
  if (own) counts_.agents[at(player(table, table.seat).agent)].decided = true;
  table.env->step(decision, table.step);
  if (table.env->hand_over()) count_hand(table);
}

void Runner::on_failure(LoopTable& loop_table, Seat seat, FailureKind kind, std::string what) {
  const Table& table = static_cast<Table&>(loop_table);
  counts_.agents[at(player(table, seat).agent)].failures.count(
      kind,
      fmt::format("table {}, hand {} of tournament {}: {}", table.number, table.contest->hand, tournament_, what));
}

void Runner::on_forfeit(LoopTable& loop_table, Seat seat) {
  ++counts_.agents[at(player(static_cast<Table&>(loop_table), seat).agent)].failures.forfeited;
}

}  // namespace dealer::knockout
