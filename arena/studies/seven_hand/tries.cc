#include "arena/studies/seven_hand/tries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "agents/evaluator.h"
#include "agents/search/playouts.h"
#include "arena/lines_file.h"
#include "env/core/at.h"
#include "env/core/numbers.h"
#include "env/core/random.h"
#include "env/core/worker_pool.h"
#include "env/games/seven_hand/game.h"

namespace dealer::studies::seven_hand {
namespace {

using dealer::seven_hand::Chip;
using dealer::seven_hand::Game;
using dealer::seven_hand::kActions;
using dealer::seven_hand::kFirstChip;
using dealer::seven_hand::kStop;
using dealer::seven_hand::State;

// The deals differ from those of the games.
constexpr std::uint64_t kOtherDeals = 0x54524945;
// The number of hands played as one batch: a unit of work.
constexpr std::int64_t kAtOnce = 64;

// A hand that is played up to its stopping point.
struct Table {
  State state;
  RandomStream stream;
  int stop_turn = -1;      // stops at the beginning of this turn of both players, from 0; -1: plays to the end
  bool to_naming = false;  // … or where its chip is to be named
  int count = 0;           // number of cards to lay in its first turn; 0: the agent's choice
  int first_turn = 0;      // index of that turn

  bool stopped() const {
    if (state.hand_over()) return true;
    if (stop_turn < 0 || state.turns() < stop_turn) return false;
    return !to_naming || state.naming() || state.turns() > stop_turn;
  }
  // The actions that keep the number of cards possible.
  LegalMask allowed() const {
    const LegalMask legal = state.legal_mask();
    if (count == 0 || state.naming() || state.turns() != first_turn) return legal;
    const int missing = count - size(state.picked());
    if (missing == 0) return LegalMask{1} << kStop;
    LegalMask cards = legal & ~(LegalMask{1} << kStop);
    // Excludes the highest cards, which have too few above them.
    for (int i = 1; i < missing; ++i) cards &= ~std::bit_floor(cards);
    return cards;
  }
};

// Plays tables by the policy of an agent, as one batch.
class Player {
 public:
  explicit Player(const StudyContext& place)
      : agent_(make_evaluator(*place.agent, *place.game)),
        width_(static_cast<std::size_t>(place.game->observation_spec().size())) {}

  void play(std::span<Table> tables) {
    std::vector<Table*> playing;
    for (Table& table : tables)
      if (!table.stopped()) playing.push_back(&table);
    while (!playing.empty()) {
      seen_.resize(playing.size());
      for (std::size_t i = 0; i < playing.size(); ++i) observe_turn(playing[i]->state, width_, seen_[i]);
      probability_.resize(playing.size() * at(kActions));
      agent_->evaluate(seen_, probability_);
      for (std::size_t i = 0; i < playing.size(); ++i)
        playing[i]->state.apply_and_hold(choose(*playing[i], std::span(probability_).subspan(i * at(kActions))));
      std::erase_if(playing, [](const Table* table) { return table->stopped(); });
    }
  }

 private:
  // Samples from the agent's policy restricted to the allowed actions; uniform if all its probabilities are 0.
  static Action choose(Table& table, std::span<const double> probability) {
    const LegalMask allowed = table.allowed();
    double sum = 0;
    for (LegalMask rest = allowed; rest != 0; rest &= rest - 1) sum += probability[at(std::countr_zero(rest))];
    if (!(sum > 0)) return any_of(allowed, table.stream);
    double point = sum * static_cast<double>(table.stream.uniform());
    Action last = kNoAction;
    for (LegalMask rest = allowed; rest != 0; rest &= rest - 1) {
      const Action action = std::countr_zero(rest);
      const double p = probability[at(action)];
      if (!(p > 0)) continue;
      last = action;
      if ((point -= p) < 0) break;
    }
    return last;
  }

  std::unique_ptr<PositionEvaluator> agent_;
  std::size_t width_;
  std::vector<Observation> seen_;
  std::vector<double> probability_;
};

// The state of the line for the picked cards.
Laying laying_of(const State& state, int starter) {
  Laying laying;
  const Seat mover = state.mover();
  laying.role = mover == starter ? kStarter : kSecond;
  laying.turn = state.finished_turns(mover) + 1;
  laying.cards = state.picked();
  for (int c = 0; c < kChips; ++c) {
    const Chip how = state.chip(c);
    const auto role = [&](Seat seat) { return seat == starter ? kStarter : kSecond; };
    laying.line[at(c)] = how == Chip::kOpen    ? kNotYet
                         : how == Chip::kTied  ? kNobody
                         : how == Chip::kSeat0 ? role(0)
                                               : role(1);
    if (state.turn_laid(mover, c) != 0) continue;
    laying.free |= 1U << c;
    if (state.turn_laid(1 - mover, c) != 0) laying.opposite[at(c)] = size(state.laid(1 - mover, c));
  }
  return laying;
}

// Plays the tries [first, end); returns their lines.
std::string try_block(Player& player, const Game& game, std::uint64_t seed_of_all, std::int64_t first,
                      std::int64_t end) {
  std::vector<Table> tables;
  for (std::int64_t n = first; n < end; ++n) {
    const std::uint64_t seed = derive(seed_of_all, static_cast<std::uint64_t>(n));
    Table& table = tables.emplace_back();
    table.state.reset(game.rules(), seed);
    table.stream = RandomStream(seed, 1);
    table.stop_turn = static_cast<int>(table.stream.below(kRoles * kTurns));
  }
  player.play(tables);
  std::vector<Tried> all;
  std::vector<Table> to_name, tried;
  struct Way {
    std::size_t of;
    bool naming;
    std::size_t which;
    Seat for_whom;
  };
  std::vector<Way> ways;
  const auto try_so = [&](const Table& from, Way way, int count) -> Table& {
    Table& table = tried.emplace_back(from);
    table.stop_turn = -1;
    table.count = count;
    table.first_turn = table.state.turns();
    ways.push_back(way);
    return table;
  };
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Table& table = tables[i];
    if (table.state.hand_over()) continue;
    const Seat mover = table.state.mover();
    Tried& each = all.emplace_back();
    each.number = first + static_cast<std::int64_t>(i);
    each.turn = table.state.finished_turns(mover) + 1;
    for (int count = 1; count <= std::min(kMostLaid, size(table.state.hand(mover))); ++count)
      try_so(table, {all.size() - 1, false, at(count - 1), mover}, count);
    to_name.push_back(table);
    to_name.back().to_naming = true;
  }
  player.play(to_name);
  for (std::size_t i = 0; i < to_name.size(); ++i) {
    const Table& table = to_name[i];
    if (table.state.hand_over() || !table.state.naming()) continue;
    all[i].laying = laying_of(table.state, 1 - table.state.dealer());
    for (int chip = 0; chip < kChips; ++chip)
      if (all[i].laying.is_free(chip))
        try_so(table, {i, true, at(chip), 1 - table.state.mover()}, 0).state.apply_and_hold(kFirstChip + chip);
  }
  player.play(tried);
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Way& way = ways[i];
    (way.naming ? all[way.of].named[way.which] : all[way.of].laid[way.which]) = tried[i].state.return_of(way.for_whom);
  }
  std::string lines;
  for (const Tried& each : all) lines += line_of(each);
  return lines;
}

template <std::size_t n>
void write_values(std::string& line, const std::array<std::optional<double>, n>& values) {
  for (const auto& value : values) line += value ? fmt::format(" {}", *value) : " -";
}

// "-" or points.
bool read_value(Words& words, std::optional<double>& value) {
  const std::string_view word = words.take();
  const auto points = number_in<int>(word);
  if (points) value = *points;
  return word == "-" || (points >= -kChips && points <= kChips);
}

}  // namespace

// NUMBER TURN, the values of 1 to 5 cards, then ROLE CARDS, and for each chip its owner, the cards
// opposite and the value of naming it.
std::string line_of(const Tried& tried) {
  std::string line = fmt::format("{} {}", tried.number, tried.turn);
  write_values(line, tried.laid);
  line += fmt::format(" {} {}", tried.laying.role, tried.laying.count());
  for (const int owner : tried.laying.line) line += fmt::format(" {}", owner);
  for (const int cards : tried.laying.opposite) line += fmt::format(" {}", cards);
  write_values(line, tried.named);
  return line + '\n';
}

std::optional<Tried> read_tried(std::string_view line) {
  Words words(line);
  Tried tried;
  int count = 0;
  const auto read = [&](int& number, int low, int high) { return words.number(number, low, high); };
  bool good = words.number(tried.number, std::int64_t{0}, std::numeric_limits<std::int64_t>::max()) &&
              read(tried.turn, 1, kTurns);
  for (auto& value : tried.laid) good = good && read_value(words, value);
  good = good && read(tried.laying.role, kStarter, kSecond) && read(count, 0, kMostLaid);
  for (int& owner : tried.laying.line) good = good && read(owner, kNobody, kSecond);
  for (int& cards : tried.laying.opposite) good = good && read(cards, 0, kMostLaid);
  for (auto& value : tried.named) good = good && read_value(words, value);
  if (!good || !words.at_end()) return std::nullopt;
  tried.laying.turn = tried.turn;
  tried.laying.cards = (CardSet{1} << count) - 1;
  for (std::size_t c = 0; c < kChips; ++c)
    if (tried.named[c]) tried.laying.free |= 1U << c;
  return tried;
}

bool try_turns(const StudyContext& place, std::int64_t tries, const std::filesystem::path& file) {
  const auto game = std::dynamic_pointer_cast<const Game>(place.game);
  LinesFile lines(file, std::string(kTriesUnit));
  const int threads = thread_count(place.threads);
  WorkerPool pool(threads);
  std::vector<Player> players;
  players.reserve(at(threads));
  for (int w = 0; w < threads; ++w) players.emplace_back(place);
  std::vector<std::string> blocks(players.size());
  while (lines.done() < tries) {
    if (place.stop && place.stop()) return false;
    const auto first = [&](int w) { return std::min(tries, lines.done() + w * kAtOnce); };
    const std::int64_t before = lines.done();
    pool.run([&](int w) {
      blocks[at(w)] = try_block(players[at(w)], *game, derive(place.seed, kOtherDeals), first(w), first(w + 1));
    });
    std::int64_t done = before;
    for (const std::string& block : blocks) {
      const std::int64_t until = std::min(tries, done + kAtOnce);
      if (until > done) lines.append(block, until);
      done = until;
    }
    if (place.progress) place.progress(kTriesUnit, lines.done(), tries);
  }
  return true;
}

}  // namespace dealer::studies::seven_hand
