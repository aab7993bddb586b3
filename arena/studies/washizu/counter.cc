#include "arena/studies/washizu/counter.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "arena/studies/washizu/slope.h"
#include "env/core/at.h"

namespace dealer::studies::washizu {
namespace {

using poker::Act;
using poker::Hand;
using poker::kMaxSeats;

// The number of strength groups of equal size.
constexpr int kGroups = 20;
// Final hands by strength among all final hands of the game in the study.
constexpr std::string_view kThirds[] = {"weak", "middle", "strong"};

Figure acting() { return counters("fold% call% raise%"); }

void add_act(Figure& acting, std::int64_t deal, Act::Kind kind) {
  acting.choose(deal, kind == Act::kFold ? "fold" : kind == Act::kRaise ? "raise" : "call");
}

Figure betting() {
  return object({{"first", joined(acting(), object({{"weak", acting()}, {"middle", acting()}, {"strong", acting()}}))},
                 {"bluffs", share()},
                 {"answers", acting()}});
}

Figure by_count(const Figure& figures) {
  Figure counts = list();
  for (int visible = 0; visible < kCounts; ++visible)
    counts.push_back(joined(object({{"visible", value(visible)}}), figures));
  return counts;
}

// The quantile group of a value when the sample is divided into `parts`; 0 is the weakest.
int part_of(const EmpiricalCdf<HandValue>& sample, HandValue value, int parts) {
  return std::min(static_cast<int>(sample.below(value) * parts), parts - 1);
}

}  // namespace

Counter::Counter(CardsOf cards) : cards_(std::move(cards)) {
  const Figure counts = by_count(object({{"share", share()},
                                         {"points", mean()},
                                         {"wins", share()},
                                         {"folds", share()},
                                         {"shown", share()},
                                         {"strength", mean(Unit::kPercent)}}));
  figures_ = object(
      {{"cards", counters("dealt held thrown_visible% thrown_hidden%")},
       {"by_dealt", counts},
       {"by_held", counts},
       {"by_other", counts},
       {"worth", object({})},
       {"betting", object({{"all", betting()}, {"own", by_count(betting())}, {"against", by_count(betting())}})},
       {"differences", counters("bluffs_many_few-% value_many_few-% folds_many_few-% thrown_visible_hidden-%")}});
}

int Counter::visible(const poker::Five& hand) const {
  return static_cast<int>(std::count_if(hand.begin(), hand.end(), cards_.visible));
}

void Counter::add(std::int64_t deal, const Hand& hand) {
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

void Counter::add_throwing(std::int64_t deal, const Hand& hand, Seat seat) {
  const poker::Draw& draw = hand.draws[at(seat)][0];
  if (!draw.drew) return;
  for (std::size_t i = 0; i < draw.held.size(); ++i) {
    const double thrown = when((draw.thrown >> i & 1) != 0);
    const bool visible = cards_.visible(draw.held[i]);
    figures_["cards"][visible ? "thrown_visible" : "thrown_hidden"].add(deal, thrown);
    figures_["differences"]["thrown_visible_hidden"].compare(deal, visible, thrown);
  }
}

void Counter::add_decisions(std::int64_t deal, const Hand& hand, const std::array<int, kMaxSeats>& held,
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

void Counter::count_players(const EmpiricalCdf<HandValue>& final_hands, Figure& figures) const {
  Slope dealt(1), held(1), like(kGroups), other(1);
  for (const Player& p : players_) {
    const auto add = [&](Figure& counts, int visible) {
      counts.choose(p.deal, visible, "share");
      Figure& count = counts[visible];
      count["points"].add(p.deal, p.points);
      count["wins"].add(p.deal, p.wins);
      count["folds"].add(p.deal, when(p.folded));
      count["shown"].add(p.deal, when(p.shown));
      count["strength"].add(p.deal, final_hands.below(p.value));
    };
    add(figures["by_dealt"], p.dealt);
    add(figures["by_held"], p.held);
    add(figures["by_other"], p.other);
    figures["cards"]["dealt"].add(p.deal, p.dealt);
    figures["cards"]["held"].add(p.deal, p.held);
    dealt.add(p.deal, p.dealt, p.points);
    held.add(p.deal, p.held, p.points);
    like.add(p.deal, p.held, p.points, part_of(final_hands, p.value, kGroups));
    other.add(p.deal, p.other, p.points);
  }
  // Chips per hand for each additional visible card.
  for (const auto& [name, slope] : {std::pair{"dealt", &dealt}, {"held", &held}, {"like", &like}, {"other", &other}})
    figures["worth"].set(name, Figure(slope->estimate(), Unit::kNumber));
}

void Counter::count_decisions(const EmpiricalCdf<HandValue>& final_hands, Figure& figures) const {
  Figure &betting = figures["betting"], &differences = figures["differences"];
  for (const Decision& d : decisions_) {
    const std::string_view third = kThirds[at(part_of(final_hands, d.value, 3))];
    for (Figure* const to : {&betting["all"], &betting["own"][d.own], &betting["against"][d.other]}) {
      add_act((*to)[d.answer ? "answers" : "first"], d.deal, d.kind);
      if (d.answer) continue;
      add_act((*to)["first"][third], d.deal, d.kind);
      if (d.kind == Act::kRaise) (*to)["bluffs"].add(d.deal, when(third == kThirds[0]));
    }
    const auto compare = [&](std::string_view name, int visible, Act::Kind kind) {
      if (is_many(visible) || is_few(visible))
        differences[name].compare(d.deal, is_many(visible), when(d.kind == kind));
    };
    if (d.answer)
      compare("folds_many_few", d.other, Act::kFold);
    else if (third == "weak")
      compare("bluffs_many_few", d.own, Act::kRaise);
    else if (third == "strong")
      compare("value_many_few", d.own, Act::kRaise);
  }
}

Figure Counter::figures() const {
  Figure figures = figures_;
  std::vector<HandValue> values;
  for (const Player& player : players_) values.push_back(player.value);
  const EmpiricalCdf<HandValue> final_hands(std::move(values));
  count_players(final_hands, figures);
  count_decisions(final_hands, figures);
  return figures;
}

}  // namespace dealer::studies::washizu
