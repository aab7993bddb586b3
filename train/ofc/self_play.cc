#include "train/ofc/self_play.h"

#include <algorithm>
#include <cstring>

#include "env/core/error.h"
#include "train/afterstate/explore.h"
#include "train/afterstate/returns.h"
#include "train/ofc/last_turn.h"

namespace dealer::ofc {
namespace {

constexpr std::uint64_t kDrawStream = 0xd4a35;
constexpr std::uint64_t kImaginedStream = 0x1a61;

}  // namespace

EntryValues draw_entry_values(RandomStream& rng) {
  constexpr float kMost = kEntryValues - 1;
  const auto between = [&](float low, float high) { return static_cast<double>(low + (high - low) * rng.uniform()); };
  EntryValues values;
  const std::uint32_t kind = rng.below(4);
  if (kind < 2) {
    values.fill(kind == 0 ? between(8, 11) : between(0, kMost));
    return values;
  }
  values[0] = between(2, 16);
  for (std::size_t front = 1; front < values.size(); ++front)
    values[front] = std::min(values[front - 1] + between(0, 8), static_cast<double>(kMost));
  return values;
}

void SelfPlayCounts::add(const SelfPlayCounts& other) {
  hands += other.hands;
  seats_normal += other.seats_normal;
  fouls += other.fouls;
  entries += other.entries;
  seats_fantasyland += other.seats_fantasyland;
  stays += other.stays;
  royalties_normal += other.royalties_normal;
  royalties_fantasyland += other.royalties_fantasyland;
  evaluations += other.evaluations;
  decisions += other.decisions;
}

SelfPlay::SelfPlay(std::shared_ptr<const Game> game, const SelfPlaySettings& settings)
    : game_(std::move(game)),
      settings_(settings),
      tables_(game_->new_typed_vector_env({.num_envs = settings.tables})),
      opponents_(settings.opponents, *game_, settings.tables, settings.seed),
      traces_(static_cast<std::size_t>(settings.tables)),
      turns_(static_cast<std::size_t>(settings.tables)) {
  tables_->reset_states(settings.seed);
  if (settings.imagined_share == 0) return;
  imagined_.resize(static_cast<std::size_t>(settings.tables));
  RandomStream rng(settings.seed, kImaginedStream);
  for (int table = 0; table < settings.tables; ++table) imagine(table, rng);
}

// Draws what the table's next episode is played for.
void SelfPlay::imagine(int table, RandomStream& rng) {
  if (imagined_.empty()) return;
  Imagined& imagined = imagined_[static_cast<std::size_t>(table)];
  imagined.active = rng.uniform() < static_cast<float>(settings_.imagined_share);
  const EntryValues values = draw_entry_values(rng);
  for (std::size_t front = 0; front < values.size(); ++front)
    for (const bool deals : {false, true})
      imagined.chain.at(game_->rules().scoring.bonus.fantasyland_cards[front], 0, deals) = values[front];
}

void SelfPlay::clear() {
  samples_.clear();
  chain_steps_.clear();
  boards_.clear();
  counts_ = {};
}

void SelfPlay::run(int turns, const ValueModel& model, const FantasylandGoal& goal) {
  RandomStream rng(settings_.seed, ++runs_);
  draws_ = RandomStream(settings_.seed ^ kDrawStream, runs_);
  static const RowValues kNoRows;
  rows_ = goal.rows != nullptr ? goal.rows : &kNoRows;
  AfterstateEvaluator evaluator(model.net);
  chain_ = game_->rules().episode == Episode::kHand ? nullptr : &model.chain;
  for (int i = 0; i < turns; ++i) move_all(goal, evaluator, rng);
  counts_.evaluations += evaluator.evaluations();
}

void SelfPlay::move_all(const FantasylandGoal& goal, AfterstateEvaluator& evaluator, RandomStream& rng) {
  for (int table = 0; table < settings_.tables; ++table) {
    const State& state = tables_->state(table);
    Turn& turn = turns_[static_cast<std::size_t>(table)];
    turn.view = state.view(state.current_player());
    turn.count = 0;
    if (turn.view.fantasyland[0] != 0 || opponents_.play(table, state.current_player())) continue;
    turn.count = enumerate_placements(turn.view.board[0], turn.view.hand, turn.view.discards_left, turn.placements);
    evaluator.add(turn.view, std::span(turn.placements.data(), static_cast<std::size_t>(turn.count)),
                  end_of_hand(table), turn.values.data());
  }
  evaluator.flush();
  for (int table = 0; table < settings_.tables; ++table) {
    const Turn& turn = turns_[static_cast<std::size_t>(table)];
    if (opponents_.play(table, tables_->state(table).current_player()))
      answer(table);
    else if (turn.count == 0)
      play(table, solve_fantasyland(turn.view.hand, goal).board);
    else
      decide(table, rng);
  }
}

void SelfPlay::decide(int table, RandomStream& rng) {
  const Turn& turn = turns_[static_cast<std::size_t>(table)];
  const auto n = static_cast<std::size_t>(turn.count);
  const auto others = static_cast<std::size_t>(turn.view.players - 1);
  std::array<float, kMaxPlacements> total;
  for (std::size_t i = 0; i < n; ++i) {
    total[i] = turn.values[i];
    for (std::size_t o = 1; o < others; ++o) total[i] += turn.values[o * n + i];
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(total.begin(), total.begin() + turn.count) - total.begin());
  std::size_t chosen = best;
  Trace& trace = traces_[static_cast<std::size_t>(table)];
  if (rng.uniform() < static_cast<float>(settings_.epsilon)) {
    chosen = draw_from_softmax({total.data(), n}, best, static_cast<float>(settings_.temperature), rng);
    trace.explored = true;
  }
  const auto me = static_cast<std::size_t>(turn.view.me);
  Decision& decision = trace.decision[me][trace.count[me]++];
  const CardSet live = kFullDeck & ~turn.view.seen();
  for (std::size_t o = 0; o < others; ++o) {
    const int cards = turn.view.fantasyland[o + 1];
    decision.list[o] = features(turn.placements[chosen].board, turn.view.board[o + 1], live, cards != 0);
    if (settings_.fantasyland_inputs)
      add_fantasyland_features(end_of_hand(table).entry_values(turn.view.dealer == 0), cards, decision.list[o]);
    decision.best[o] = turn.values[o * n + best];
  }
  decision.explored = chosen != best;
  decision.board = turn.placements[chosen].board;
  decision.unseen = live;
  decision.in_the_dark = false;
  for (std::size_t o = 1; o <= others; ++o) decision.in_the_dark |= !turn.view.out[o] && !turn.view.board[o].complete();
  ++counts_.decisions;
  play(table, turn.placements[chosen].board);
}

// Plays the cards of a whole turn; the game itself makes moves without a choice.
void SelfPlay::play(int table, const Board& board) {
  const State& state = tables_->state(table);
  const Seat seat = state.current_player();
  const int street = state.street(), hands = state.hands_finished();
  while (state.current_player() == seat && state.street() == street && state.hands_finished() == hands) {
    const CardSet card = bit(lowest(state.hand(seat)));
    Action action = kToDiscard;
    for (int row = 0; row < kRows; ++row)
      if ((board.row[static_cast<std::size_t>(row)] & card) != 0) action = row;
    tables_->play(table, action);
  }
  if (state.hands_finished() != hands) finish_hand(table);
}

// A complete turn of an opponent.
void SelfPlay::answer(int table) {
  const State& now = tables_->state(table);
  const Seat seat = now.current_player();
  const int street = now.street(), hands = now.hands_finished();
  opponents_.take_turn(*tables_, table, [&](const State& state) {
    return state.current_player() == seat && state.street() == street && state.hands_finished() == hands;
  });
  if (tables_->state(table).hands_finished() != hands) finish_hand(table);
}

void SelfPlay::finish_hand(int table) {
  const State& state = tables_->state(table);
  const HandRecord& record = state.last_hand();
  const int players = game_->rules().players;
  const bool over = state.current_player() == kTerminal;
  std::array<BoardValue, kMaxSeats> value;
  const EndOfHand end = end_of_hand(table);
  const bool imagined = plays_imagined(table);
  ++counts_.hands;
  for (int seat = 0; seat < players; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    value[s] = evaluate(record.board[seat], game_->rules().scoring);
    if (imagined) continue;
    if (record.fantasyland[seat] == 0) boards_.push_back(record.board[seat]);
    if (opponents_.play(table, seat)) continue;
    if (record.fantasyland[seat] != 0) {
      ++counts_.seats_fantasyland;
      counts_.stays += record.next[seat] != 0 ? 1 : 0;
      counts_.royalties_fantasyland += record.royalties[seat];
    } else {
      ++counts_.seats_normal;
      counts_.fouls += record.foul[seat] ? 1 : 0;
      counts_.entries += record.next[seat] != 0 ? 1 : 0;
      counts_.royalties_normal += record.royalties[seat];
    }
  }
  average_last_turns(table, {value.data(), static_cast<std::size_t>(players)});
  for (Seat seat = 0; seat < players; ++seat) {
    if (opponents_.play(table, seat)) continue;
    for (int rel = 1; rel < players; ++rel) {
      const Seat other = (seat + rel) % players;
      const BoardValue& own = value[static_cast<std::size_t>(seat)];
      const double points = score(own, value[static_cast<std::size_t>(other)], game_->rules().scoring.bonus);
      // The button stays while the chain lasts.
      const bool deals = state.dealer() == seat;
      if (record.fantasyland[seat] != 0 || record.fantasyland[other] != 0)
        chain_steps_.push_back(
            {record.fantasyland[seat], record.fantasyland[other], record.next[seat], record.next[other], deals, over,
             imagined || traces_[static_cast<std::size_t>(table)].explored, static_cast<float>(points)});
      if (record.fantasyland[seat] != 0) continue;
      emit(table, seat, rel - 1, end.stake(own, value[static_cast<std::size_t>(other)], false, deals),
           end.share(value[static_cast<std::size_t>(other)], record.fantasyland[other] != 0, state.dealer() == other),
           own);
    }
  }
  traces_[static_cast<std::size_t>(table)].count = {};
  traces_[static_cast<std::size_t>(table)].explored = false;
  if (!over) return;
  tables_->deal(table);
  imagine(table, draws_);
}

const ChainValues* SelfPlay::chain_of(int table) const {
  return plays_imagined(table) ? &imagined_[static_cast<std::size_t>(table)].chain : chain_;
}

EndOfHand SelfPlay::end_of_hand(int table) const {
  return {&game_->rules().scoring, chain_of(table), settings_.foul_cost};
}

void SelfPlay::average_last_turns(int table, std::span<const BoardValue> value) {
  if (settings_.last_turn_draws == 0) return;
  const EndOfHand end = end_of_hand(table);
  const State& state = tables_->state(table);
  const int players = game_->rules().players;
  for (Seat seat = 0; seat < players; ++seat) {
    const auto s = static_cast<std::size_t>(seat);
    const Trace& trace = traces_[static_cast<std::size_t>(table)];
    if (trace.count[s] != kTurns) continue;  // in Fantasyland
    const Decision& before = trace.decision[s][kTurns - 2];
    std::array<BoardValue, kMaxSeats - 1> others;
    LastTurn turn{before.board, before.unseen, trace.decision[s][kTurns - 1].in_the_dark, state.dealer() == seat, {}};
    for (int rel = 1; rel < players; ++rel) {
      const Seat other = (seat + rel) % players;
      others[static_cast<std::size_t>(rel - 1)] = value[static_cast<std::size_t>(other)];
      turn.cards &= ~state.last_hand().board[other].cards();
    }
    turn.others = {others.data(), static_cast<std::size_t>(players - 1)};
    mean_stakes(turn, end, *rows_, settings_.last_turn_draws, draws_, {expected_[s].data(), turn.others.size()});
  }
}

void SelfPlay::emit(int table, Seat seat, int other, double stake, double share, const BoardValue& board) {
  const Trace& trace = traces_[static_cast<std::size_t>(table)];
  const auto s = static_cast<std::size_t>(seat);
  std::array<float, kTurns> best;
  std::array<bool, kTurns> explored;
  std::array<double, kTurns> targets;
  const std::size_t turns = trace.count[s];
  for (std::size_t turn = 0; turn < turns; ++turn) {
    best[turn] = trace.decision[s][turn].best[other];
    explored[turn] = trace.decision[s][turn].explored;
  }
  // The averaged turn replaces the last one in all targets but its own.
  const std::size_t played = settings_.last_turn_draws == 0 ? turns : turns - 1;
  targets[turns - 1] = stake;
  lambda_returns({best.data(), played}, {explored.data(), played},
                 played == turns ? stake : expected_[s][static_cast<std::size_t>(other)], settings_.lambda,
                 {targets.data(), played});
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const FeatureList& list = trace.decision[s][turn].list[other];
    TdSample& sample = samples_.emplace_back();
    std::copy_n(list.feature.begin(), list.count, sample.list.feature.begin());
    sample.list.count = list.count;
    sample.target = {static_cast<float>(targets[turn]) / kValueScale, board.foul ? 1.0F : 0.0F,
                     board.fantasyland != 0 ? 1.0F : 0.0F, static_cast<float>(share) / kValueScale};
  }
}

std::vector<std::uint8_t> SelfPlay::save() const {
  const std::string tables = tables_->save();
  std::vector<std::uint8_t> bytes(tables.begin(), tables.end());
  const auto append = [&bytes](const void* data, std::size_t length) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes.insert(bytes.end(), begin, begin + length);
  };
  append(&runs_, sizeof(runs_));
  for (const Trace& trace : traces_) {
    const Trace used = used_part(trace);
    append(&used, sizeof(used));
  }
  for (const Imagined& imagined : imagined_) {
    append(imagined.chain.data().data(), sizeof(imagined.chain.data()));
    append(&imagined.active, sizeof(imagined.active));
  }
  return bytes;
}

// Everything else, padding included, is zero: equal runs save equal bytes.
SelfPlay::Trace SelfPlay::used_part(const Trace& trace) const {
  Trace used;
  std::memset(static_cast<void*>(&used), 0, sizeof(used));
  used.explored = trace.explored;
  const auto others = static_cast<std::size_t>(game_->rules().players - 1);
  for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
    used.count[seat] = trace.count[seat];
    for (std::size_t turn = 0; turn < trace.count[seat]; ++turn) {
      const Decision& from = trace.decision[seat][turn];
      Decision& to = used.decision[seat][turn];
      for (std::size_t o = 0; o < others; ++o) {
        for (const Feature feature : from.list[o].active()) to.list[o].add(feature);
        to.best[o] = from.best[o];
      }
      to.explored = from.explored;
      to.board = from.board;
      to.unseen = from.unseen;
      to.in_the_dark = from.in_the_dark;
    }
  }
  return used;
}

// Five cards are placed in the first turn of a hand and two in each after it; Fantasyland hands give no samples.
std::size_t SelfPlay::turns_played(std::size_t table, Seat seat) const {
  const State& state = tables_->state(static_cast<int>(table));
  if (seat >= game_->rules().players || state.current_player() == kTerminal) return 0;
  if (opponents_.play(static_cast<int>(table), seat)) return 0;
  const View view = state.view(seat);
  const auto placed = static_cast<std::size_t>(size(view.board[0].cards()));
  return view.fantasyland[0] != 0 || placed == 0 ? 0 : (placed - 3) / 2;
}

void SelfPlay::load_imagined(std::span<const std::uint8_t> bytes) {
  for (Imagined& imagined : imagined_) {
    std::memcpy(imagined.chain.data().data(), bytes.data(), sizeof(ChainValues));
    const std::uint8_t active = bytes[sizeof(ChainValues)];
    const bool in_range = std::all_of(imagined.chain.data().begin(), imagined.chain.data().end(),
                                      [](double value) { return value >= 0 && value < kEntryValues; });
    if (active > 1 || !in_range)
      throw CheckpointError("saved self-play tables hold values of Fantasyland out of range");
    imagined.active = active != 0;
    bytes = bytes.subspan(sizeof(ChainValues) + 1);
  }
}

void SelfPlay::load(std::span<const std::uint8_t> bytes) {
  const std::size_t traces = traces_.size() * sizeof(Trace);
  const std::size_t imagined = imagined_.size() * (sizeof(ChainValues) + 1);
  if (bytes.size() < traces + imagined + sizeof(runs_)) throw CheckpointError("saved self-play tables are cut off");
  load_imagined(bytes.last(imagined));
  bytes = bytes.first(bytes.size() - imagined);
  const std::size_t tables = bytes.size() - traces - sizeof(runs_);
  tables_->load(std::string_view(reinterpret_cast<const char*>(bytes.data()), tables));
  std::memcpy(&runs_, bytes.data() + tables, sizeof(runs_));
  std::memcpy(static_cast<void*>(traces_.data()), bytes.data() + tables + sizeof(runs_), traces);
  const int features = settings_.fantasyland_inputs ? kFantasylandFeatures : kFeatures;
  for (std::size_t table = 0; table < traces_.size(); ++table) {
    const Trace& trace = traces_[table];
    for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
      if (trace.count[seat] != turns_played(table, static_cast<Seat>(seat)))
        throw CheckpointError("saved self-play tables hold decisions that contradict their hands");
      for (std::size_t turn = 0; turn < trace.count[seat]; ++turn)
        for (int o = 0; o + 1 < game_->rules().players; ++o) {
          const FeatureList& list = trace.decision[seat][turn].list[o];
          const bool sound =
              list.count >= 0 && list.count <= kMaxActive &&
              std::all_of(list.feature.begin(), list.feature.begin() + std::clamp(list.count, 0, kMaxActive),
                          [&](Feature f) { return f < features; });
          if (!sound) throw CheckpointError("saved self-play tables hold a feature that does not exist");
        }
    }
  }
}

}  // namespace dealer::ofc
