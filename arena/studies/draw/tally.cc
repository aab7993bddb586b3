#include "arena/studies/draw/tally.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "arena/studies/estimate.h"
#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

using poker::Act;
using poker::Draw;
using poker::Hand;

// Discards this close to the best are as good: rounding.
constexpr float kAsGood = 1e-5F;

// The share of the pots that a seat took.
double pot_share(const Hand& hand, Seat seat) {
  const auto all = std::accumulate(hand.won.begin(), hand.won.end(), 0.0);
  return all > 0 ? hand.won[at(seat)] / all : 0;
}

// The tenth of a sample, sorted, that a value falls into: by the middle of those that equal it.
int tenth_of(const std::vector<float>& sorted, float value) {
  const auto [from, to] = std::equal_range(sorted.begin(), sorted.end(), value);
  const double below = (static_cast<double>(from - sorted.begin()) + static_cast<double>(to - sorted.begin())) / 2;
  const int tenth = static_cast<int>(kTenths * below / static_cast<double>(sorted.size()));
  return std::min(tenth, kTenths - 1);
}

template <std::size_t n>
void read(const std::array<DealMean, n>& means, std::array<Estimate, n>& into) {
  for (std::size_t i = 0; i < n; ++i) into[i] = means[i].share();
}

}  // namespace

void Tally::Answering::add(std::int64_t deal, const Act& act) {
  fold.add(deal, when(act.kind == Act::kFold));
  call.add(deal, when(act.kind == Act::kCall));
  raise.add(deal, when(act.kind == Act::kRaise));
}

DiscardFigures Tally::Discarding::read() const {
  DiscardFigures f;
  f.share = share.share();
  draw::read(thrown, f.thrown);
  draw::read(kept, f.kept);
  f.best = best.share();
  f.cost = cost.estimate();
  return f;
}

PatFigures Tally::Pat::read() const {
  return {share.share(), bets.share(), wins.share(), unseen.share(), points.estimate(), worth.estimate()};
}

Tally::Tally(Side side, int players, int draws, StrengthsOf strengths)
    : side_(side),
      players_(players),
      draws_number_(draws),
      strengths_(std::move(strengths)),
      positions_(at(players)),
      draws_(at(draws)) {}

void Tally::add(std::int64_t deal, const Hand& hand) {
  add_opening(deal, hand);
  // What everybody has on a street comes before what is bet there.
  for (int number = 0; number < draws_number_; ++number) {
    for (Seat seat = 0; seat < players_; ++seat) {
      const bool drew = hand.draws[at(seat)][at(number)].drew;
      draws_[at(number)].all.share.add(deal, when(drew));
      if (drew) add_draw(deal, hand, number, seat);
    }
    add_betting_after(deal, hand, number, number + 1);
  }
}

void Tally::add_opening(std::int64_t deal, const Hand& hand) {
  std::array<int, kMaxSeats> opener{};
  std::array<float, kMaxSeats> strength{};
  for (Seat seat = 0; seat < players_; ++seat) {
    const Five& cards = hand.dealt[at(seat)];
    const Strengths all = strengths_(cards, draws_number_);
    strength[at(seat)] = *std::max_element(all.begin(), all.end());
    opener[at(seat)] = opener_of(side_, cards);
    dealt_.push_back(strength[at(seat)]);
    for (int h = 0; h < static_cast<int>(openers(side_).size()); ++h)
      share_[at(h)].add(deal, when(h == opener[at(seat)]));
    strength_[at(opener[at(seat)])].add(deal, strength[at(seat)]);
  }
  if (hand.acts.empty() || hand.acts.front().street != 0) return;
  const Seat first = hand.acts.front().seat;
  const auto position_of = [&](Seat seat) { return (seat - first + players_) % players_; };
  std::array<bool, kMaxSeats> had_chance{};
  bool open = false, entered = false;
  for (const Act& act : hand.acts) {
    if (act.street != 0) break;
    const auto seat = at(act.seat);
    const int position = position_of(act.seat);
    if (open) {
      // The next to act answers; what comes behind has more to go by.
      answers_.add(deal, act);
      answers_by_hand_[at(opener[seat])].add(deal, act);
      decisions_.push_back({deal, strength[seat], -1, act});
      break;
    }
    if (entered || had_chance[at(position)]) break;
    had_chance[at(position)] = true;
    open = act.kind == Act::kRaise;
    entered = act.kind == Act::kCall;
    positions_[at(position)].opens.add(deal, when(open));
    positions_[at(position)].hands[at(opener[seat])].add(deal, when(open));
    decisions_.push_back({deal, strength[seat], position, act});
    if (position == players_ - 1) opens_last_first_.add_first(deal, open);
    if (position == 0) opens_last_first_.add_second(deal, open);
  }
  for (Seat seat = 0; seat < players_; ++seat) {
    Position& position = positions_[at(position_of(seat))];
    position.chances.add(deal, when(had_chance[at(position_of(seat))]));
    position.points.add(deal, hand.net[at(seat)]);
  }
}

void Tally::add_draw(std::int64_t deal, const Hand& hand, int number, Seat seat) {
  const Draw& draw = hand.draws[at(seat)][at(number)];
  OneDraw& counts = draws_[at(number)];
  const int kind = kind_of(side_, draw.held), thrown = draw.count();
  std::vector<CardId> keeps;
  for (int i = 0; i < kDrawHand; ++i)
    if ((draw.thrown >> i & 1) == 0) keeps.push_back(draw.held[at(i)]);
  const int kept_as = kept_of(side_, keeps);
  const Strengths strengths = strengths_(draw.held, draws_number_ - number);
  const float cost = *std::max_element(strengths.begin(), strengths.end()) - strengths[draw.thrown];
  const auto add = [&](Discarding& to) {
    for (int n = 0; n <= kDrawHand; ++n) to.thrown[at(n)].add(deal, when(n == thrown));
    for (int k = 0; k < static_cast<int>(kept(side_).size()); ++k) to.kept[at(k)].add(deal, when(k == kept_as));
    to.best.add(deal, when(cost <= kAsGood));
    to.cost.add(deal, cost);
  };
  add(counts.all);
  add(counts.kinds[at(kind)]);
  for (int k = 0; k < static_cast<int>(kinds(side_).size()); ++k) counts.kinds[at(k)].share.add(deal, when(k == kind));
  for (int n = 0; n <= kDrawHand; ++n) counts.thrown[at(n)].share.add(deal, when(n == thrown));

  const PatClass strength = pat_class(side_, draw.held);
  const double points = hand.net[at(seat)], worth = points + draw.paid;
  const auto add_result = [&](Pat& to) {
    to.wins.add(deal, pot_share(hand, seat));
    to.unseen.add(deal, when(hand.won[at(seat)] > 0 && !hand.showdown[at(seat)]));
    to.points.add(deal, points);
    to.worth.add(deal, worth);
  };
  const bool pat = thrown == 0;
  counts.pat.add(deal, when(pat));
  if (pat) {
    for (int c = 0; c < kPatClasses; ++c) counts.classes[at(c)].share.add(deal, when(c == strength));
    add_result(counts.classes[at(strength)]);
  }
  if (strength != kBluff) return;
  counts.bluffs.add(deal, when(pat));
  counts.weak_drawing.share.add(deal, when(!pat));
  if (pat) {
    counts.worth_bluff_draw.add_first(deal, worth);
  } else {
    add_result(counts.weak_drawing);
    counts.worth_bluff_draw.add_second(deal, worth);
  }
}

void Tally::add_betting_after(std::int64_t deal, const Hand& hand, int number, int street) {
  OneDraw& counts = draws_[at(number)];
  for (const Act& act : hand.acts) {
    if (act.street != street) continue;
    const Draw& draw = hand.draws[at(act.seat)][at(number)];
    if (act.aggressor < 0) {
      const double bets = when(act.kind == Act::kRaise);
      counts.thrown[at(draw.count())].bets.add(deal, bets);
      const PatClass strength = pat_class(side_, draw.held);
      if (draw.count() == 0) counts.classes[at(strength)].bets.add(deal, bets);
      if (draw.count() > 0 && strength == kBluff) counts.weak_drawing.bets.add(deal, bets);
      continue;
    }
    const int theirs = hand.draws[at(act.aggressor)][at(number)].count();
    const bool folds = act.kind == Act::kFold;
    counts.thrown[at(theirs)].folds.add(deal, when(folds));
    if (theirs == 0)
      counts.folds_pat_draw.add_first(deal, folds);
    else
      counts.folds_pat_draw.add_second(deal, folds);
  }
}

void Tally::read_tenths(GameFigures& f) const {
  std::vector<float> sorted = dealt_;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Row<kTenths>> opens(at(players_));
  std::array<Answering, kTenths> answers;
  ShareDifference weak_middle;
  for (const Decision& decision : decisions_) {
    const int tenth = tenth_of(sorted, decision.strength);
    if (decision.position < 0) {
      answers[at(tenth)].add(decision.deal, decision.act);
      continue;
    }
    const bool opened = decision.act.kind == Act::kRaise;
    opens[at(decision.position)][at(tenth)].add(decision.deal, when(opened));
    if (tenth == 0) weak_middle.add_first(decision.deal, opened);
    if (tenth == kTenths / 2 - 1 || tenth == kTenths / 2) weak_middle.add_second(decision.deal, opened);
  }
  for (std::size_t p = 0; p < opens.size(); ++p) read(opens[p], f.positions[p].tenths);
  for (std::size_t t = 0; t < answers.size(); ++t) f.answers_by_tenth[t] = answers[t].read();
  f.opens_weak_middle = weak_middle.estimate();
}

GameFigures Tally::figures() const {
  GameFigures f;
  f.side = side_;
  f.answers = answers_.read();
  for (std::size_t h = 0; h < share_.size(); ++h)
    f.hands[h] = {share_[h].share(), strength_[h].estimate(), answers_by_hand_[h].read()};
  for (const Position& position : positions_) {
    PositionFigures p;
    p.chances = position.chances.share();
    p.opens = position.opens.share();
    p.points = position.points.estimate();
    read(position.hands, p.hands);
    for (int h = 0; h < kMostOpeners; ++h) {
      const bool half = p.hands[at(h)].count >= kFewestChances && p.hands[at(h)].value >= 0.5;
      if (half && (p.weakest < 0 || f.hands[at(h)].strength.value < f.hands[at(p.weakest)].strength.value))
        p.weakest = h;
    }
    f.positions.push_back(p);
  }
  read_tenths(f);
  for (const OneDraw& draw : draws_) {
    DrawFigures d;
    d.all = draw.all.read();
    for (std::size_t k = 0; k < draw.kinds.size(); ++k) d.kinds[k] = draw.kinds[k].read();
    d.pat = draw.pat.share();
    d.bluffs = draw.bluffs.share();
    for (std::size_t c = 0; c < draw.classes.size(); ++c) d.classes[c] = draw.classes[c].read();
    d.weak_drawing = draw.weak_drawing.read();
    d.worth_bluff_draw = draw.worth_bluff_draw.estimate();
    d.folds_pat_draw = draw.folds_pat_draw.estimate();
    for (std::size_t n = 0; n < draw.thrown.size(); ++n)
      d.thrown[n] = {draw.thrown[n].share.share(), draw.thrown[n].bets.share(), draw.thrown[n].folds.share()};
    f.draws.push_back(d);
  }
  f.opens_last_first = opens_last_first_.estimate();
  return f;
}

}  // namespace dealer::studies::draw
