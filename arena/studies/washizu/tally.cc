#include "arena/studies/washizu/tally.h"

#include <algorithm>
#include <numeric>

#include "arena/studies/estimate.h"
#include "arena/studies/washizu/slope.h"
#include "env/core/at.h"

namespace dealer::studies::washizu {
namespace {

using poker::Act;
using poker::Hand;
using poker::kMaxSeats;

// Hands of like strength: so many groups of as many hands.
constexpr int kGroups = 20;

struct ActingMeans {
  DealMean fold, call, raise;
  void add(std::int64_t deal, Act::Kind kind) {
    fold.add(deal, when(kind == Act::kFold));
    call.add(deal, when(kind == Act::kCall || kind == Act::kCheck));
    raise.add(deal, when(kind == Act::kRaise));
  }
  Acting read() const { return {fold.share(), call.share(), raise.share()}; }
};

struct BettingMeans {
  ActingMeans first;
  std::array<ActingMeans, kThirds> thirds;
  DealMean bluffs;
  ActingMeans answers;

  void add(std::int64_t deal, Act::Kind kind, bool answer, int third) {
    if (answer) return answers.add(deal, kind);
    first.add(deal, kind);
    thirds[at(third)].add(deal, kind);
    if (kind == Act::kRaise) bluffs.add(deal, when(third == kWeak));
  }
  BettingFigures read() const {
    BettingFigures f;
    f.first = first.read();
    for (std::size_t t = 0; t < thirds.size(); ++t) f.thirds[t] = thirds[t].read();
    f.bluffs = bluffs.share();
    f.answers = answers.read();
    return f;
  }
};

struct CountMeans {
  DealMean share, points, wins, folds, shown, strength;
  CountFigures read() const {
    return {share.share(), points.estimate(), wins.share(), folds.share(), shown.share(), strength.estimate()};
  }
};

// Where values stand among a sample.
class Standing {
 public:
  explicit Standing(std::vector<HandValue> sample) : sorted_(std::move(sample)) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  // The share that it beats, ties counting half.
  double beats(HandValue value) const {
    const auto [from, to] = std::equal_range(sorted_.begin(), sorted_.end(), value);
    return (static_cast<double>(from - sorted_.begin()) + static_cast<double>(to - sorted_.begin())) / 2 /
           static_cast<double>(sorted_.size());
  }
  // One of so many parts of the sample, 0 the weakest.
  int part(HandValue value, int parts) const { return std::min(static_cast<int>(beats(value) * parts), parts - 1); }

 private:
  std::vector<HandValue> sorted_;
};

}  // namespace

int Tally::visible(const poker::Five& hand) const {
  return static_cast<int>(std::count_if(hand.begin(), hand.end(), cards_.visible));
}

void Tally::add(std::int64_t deal, const Hand& hand) {
  std::array<int, kMaxSeats> held{};
  std::array<HandValue, kMaxSeats> value{};
  const double pots = std::accumulate(hand.won.begin(), hand.won.end(), 0.0);
  for (Seat seat = 0; seat < hand.players; ++seat) {
    if (!hand.in[at(seat)]) continue;
    held[at(seat)] = visible(hand.last[at(seat)]);
    value[at(seat)] = cards_.value(hand.last[at(seat)]);
  }
  for (Seat seat = 0; seat < hand.players; ++seat) {
    if (!hand.in[at(seat)]) continue;
    int other = 0;
    for (Seat opponent = 0; opponent < hand.players; ++opponent)
      if (opponent != seat) other = std::max(other, held[at(opponent)]);
    players_.push_back({deal, value[at(seat)], visible(hand.dealt[at(seat)]), held[at(seat)], other,
                        static_cast<double>(hand.net[at(seat)]), pots > 0 ? hand.won[at(seat)] / pots : 0,
                        hand.folded[at(seat)], hand.showdown[at(seat)]});
    add_throwing(deal, hand, seat);
  }
  add_decisions(deal, hand, held, value);
}

void Tally::add_throwing(std::int64_t deal, const Hand& hand, Seat seat) {
  const poker::Draw& draw = hand.draws[at(seat)][0];
  if (!draw.drew) return;
  for (std::size_t i = 0; i < draw.held.size(); ++i) {
    const bool thrown = (draw.thrown >> i & 1) != 0;
    if (cards_.visible(draw.held[i])) {
      thrown_visible_.add(deal, when(thrown));
      thrown_visible_hidden_.add_first(deal, thrown);
    } else {
      thrown_hidden_.add(deal, when(thrown));
      thrown_visible_hidden_.add_second(deal, thrown);
    }
  }
}

void Tally::add_decisions(std::int64_t deal, const Hand& hand, const std::array<int, kMaxSeats>& held,
                          const std::array<HandValue, kMaxSeats>& value) {
  std::array<bool, kMaxSeats> still_in = hand.in;
  for (const Act& act : hand.acts) {
    int other = 0;
    for (Seat seat = 0; seat < hand.players; ++seat)
      if (seat != act.seat && still_in[at(seat)]) other = std::max(other, held[at(seat)]);
    const bool answer = act.aggressor >= 0;
    if (answer) other = held[at(act.aggressor)];
    decisions_.push_back({deal, value[at(act.seat)], act.kind, answer, held[at(act.seat)], other});
    if (act.kind == Act::kFold) still_in[at(act.seat)] = false;
  }
}

GameFigures Tally::figures() const {
  GameFigures f;
  std::vector<HandValue> values;
  for (const Player& player : players_) values.push_back(player.value);
  const Standing standing(std::move(values));

  std::array<CountMeans, kCounts> dealt, held, other;
  DealMean visible_dealt, visible_held;
  Slope worth_dealt(1), worth_held(1), worth_like(kGroups), worth_other(1);
  for (const Player& p : players_) {
    const double strength = standing.beats(p.value);
    const auto add = [&](std::array<CountMeans, kCounts>& to, int visible) {
      for (int count = 0; count < kCounts; ++count) to[at(count)].share.add(p.deal, when(count == visible));
      CountMeans& means = to[at(visible)];
      means.points.add(p.deal, p.points);
      means.wins.add(p.deal, p.wins);
      means.folds.add(p.deal, when(p.folded));
      means.shown.add(p.deal, when(p.shown));
      means.strength.add(p.deal, strength);
    };
    add(dealt, p.dealt);
    add(held, p.held);
    add(other, p.other);
    visible_dealt.add(p.deal, p.dealt);
    visible_held.add(p.deal, p.held);
    worth_dealt.add(p.deal, p.dealt, p.points);
    worth_held.add(p.deal, p.held, p.points);
    worth_like.add(p.deal, p.held, p.points, standing.part(p.value, kGroups));
    worth_other.add(p.deal, p.other, p.points);
  }
  for (std::size_t count = 0; count < kCounts; ++count) {
    f.dealt[count] = dealt[count].read();
    f.held[count] = held[count].read();
    f.other[count] = other[count].read();
  }
  f.visible_dealt = visible_dealt.estimate();
  f.visible_held = visible_held.estimate();
  f.worth_dealt = worth_dealt.estimate();
  f.worth_held = worth_held.estimate();
  f.worth_like = worth_like.estimate();
  f.worth_other = worth_other.estimate();

  std::array<BettingMeans, kCounts> own, against;
  BettingMeans all;
  ShareDifference bluffs, value, folds;
  const auto compare = [](ShareDifference& difference, const Decision& d, int visible, Act::Kind kind) {
    if (is_many(visible)) difference.add_first(d.deal, d.kind == kind);
    if (is_few(visible)) difference.add_second(d.deal, d.kind == kind);
  };
  for (const Decision& d : decisions_) {
    const int third = standing.part(d.value, kThirds);
    own[at(d.own)].add(d.deal, d.kind, d.answer, third);
    against[at(d.other)].add(d.deal, d.kind, d.answer, third);
    all.add(d.deal, d.kind, d.answer, third);
    if (d.answer)
      compare(folds, d, d.other, Act::kFold);
    else if (third == kWeak)
      compare(bluffs, d, d.own, Act::kRaise);
    else if (third == kStrong)
      compare(value, d, d.own, Act::kRaise);
  }
  for (std::size_t count = 0; count < kCounts; ++count) {
    f.own[count] = own[count].read();
    f.against[count] = against[count].read();
  }
  f.all = all.read();
  f.bluffs_many_few = bluffs.estimate();
  f.value_many_few = value.estimate();
  f.folds_many_few = folds.estimate();
  f.thrown_visible = thrown_visible_.share();
  f.thrown_hidden = thrown_hidden_.share();
  f.thrown_visible_hidden = thrown_visible_hidden_.estimate();
  return f;
}

}  // namespace dealer::studies::washizu
