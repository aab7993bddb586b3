#include "arena/studies/draw/counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "agents/empirical_cdf.h"
#include "env/core/at.h"

namespace dealer::studies::draw {
namespace {

using poker::Act;
using poker::Draw;
using poker::Hand;
using poker::kDrawHand;
using poker::kMaxSeats;

constexpr std::string_view kBluff = "bluff";
// Discards within this tolerance of the best are equal up to rounding.
constexpr float kAsGood = 1e-5F;

// The fraction of the pots won by a seat.
double showdown_equity(const Hand& hand, Seat seat) {
  const auto all = std::accumulate(hand.won.begin(), hand.won.end(), 0.0);
  return all > 0 ? hand.won[at(seat)] / all : 0;
}

// The decile of a value in a sample, ties counting half. In integers: a value on a border is in the upper one.
int tenth_of(const EmpiricalCdf<float>& sample, float value) {
  return std::min(static_cast<int>(kTenths * sample.twice_below(value) / (2 * sample.size())), kTenths - 1);
}

Figure answers() { return counters("fold% call% raise%"); }

void add_answer(Figure& answers, std::int64_t deal, const Act& act) {
  answers.choose(deal, act.kind == Act::kFold ? 0 : act.kind == Act::kCall ? 1 : act.kind == Act::kRaise ? 2 : -1);
}

Figure positions_of(const Kinds& kinds, int players) {
  Figure positions = list();
  for (int p = 0; p < players; ++p)
    positions.push_back(object({{"position", value(p + 1)},
                                {"chances", share()},
                                {"opens", share()},
                                {"points", mean()},
                                {"weakest", value(nullptr)},
                                {"tenths", list(kTenths, share())},
                                {"opens_by_hand", by_name(kinds.openers, share())},
                                {".weakest", value(nullptr)},
                                {".opens_from", value("none")}}));
  return positions;
}

Figure draw_of(const Kinds& kinds, int number) {
  const Figure discard = object({{"share", share()},
                                 {"thrown", list(kDrawHand + 1, share())},
                                 {"kept", by_name(kinds.kept, share())},
                                 {"best", share()},
                                 {"cost", mean()}});
  std::vector<Named> hands = {{"all", "all"}};
  hands.insert(hands.end(), kinds.kinds.begin(), kinds.kinds.end());
  const Figure result = counters("share% bets% wins% unseen% points worth");
  Figure by_thrown = list();
  for (int cards = 0; cards <= kDrawHand; ++cards)
    by_thrown.push_back(object({{"cards", value(cards)}, {"share", share()}, {"bets", share()}, {"folds", share()}}));
  return object({{"draw", value(number + 1)},
                 {"discards", list_of(hands, "hand", discard)},
                 {"pat", joined(counters("rate% bluffs%"), joined(by_name(kinds.pat_classes, result),
                                                                  object({{"weak_drawing", result},
                                                                          {"worth_bluff_draw", difference()},
                                                                          {"folds_pat_draw", share_difference()}})))},
                 {"by_thrown", by_thrown}});
}

}  // namespace

Counter::Counter(const Kinds& kinds, int players, int draws, EquitiesOf equities)
    : kinds_(kinds), players_(players), draws_(draws), equities_(std::move(equities)) {
  Figure of_draws = list();
  for (int number = 0; number < draws; ++number) of_draws.push_back(draw_of(kinds, number));
  const Figure dealt = object({{"share", share()}, {"strength", mean()}, {"answers", answers()}});
  figures_ = object({{"positions", positions_of(kinds, players)},
                     {"hands_dealt", list_of(kinds.openers, "hand", dealt)},
                     {"answers", joined(answers(), object({{"tenths", list(kTenths, answers())}}))},
                     {"draws", of_draws},
                     {"checks", list()},
                     {"differences", counters("opens_last_first-% opens_weak_middle-%")}});
}

void Counter::add(std::int64_t deal, const Hand& hand) {
  add_opening(deal, hand);
  // The hands held on a street precede its bets.
  for (int number = 0; number < draws_; ++number) {
    for (Seat seat = 0; seat < players_; ++seat) {
      const bool drew = hand.draws[at(seat)][at(number)].drew;
      figures_["draws"][number]["discards"][0]["share"].add(deal, when(drew));
      if (!drew) continue;
      add_draw(deal, hand, number, seat);
      add_pat(deal, hand, number, seat);
    }
    add_betting_after(deal, hand, number);
  }
}

void Counter::add_opening(std::int64_t deal, const Hand& hand) {
  std::array<std::string_view, kMaxSeats> opener;
  std::array<float, kMaxSeats> strength{};
  Figure &dealt = figures_["hands_dealt"], &positions = figures_["positions"];
  for (Seat seat = 0; seat < players_; ++seat) {
    const Five& cards = hand.dealt[at(seat)];
    const DiscardEquities all = equities_(cards, draws_);
    strength[at(seat)] = *std::max_element(all.begin(), all.end());
    opener[at(seat)] = kinds_.opener_of(cards);
    dealt_.push_back(strength[at(seat)]);
    dealt.choose(deal, opener[at(seat)], "share");
    dealt[opener[at(seat)]]["strength"].add(deal, strength[at(seat)]);
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
      // The next player to act responds; later players have more information.
      add_answer(figures_["answers"], deal, act);
      add_answer(dealt[opener[seat]]["answers"], deal, act);
      decisions_.push_back({deal, strength[seat], -1, act});
      break;
    }
    if (entered || had_chance[at(position)]) break;
    had_chance[at(position)] = true;
    open = act.kind == Act::kRaise;
    entered = act.kind == Act::kCall;
    positions[position]["opens"].add(deal, when(open));
    positions[position]["opens_by_hand"][opener[seat]].add(deal, when(open));
    decisions_.push_back({deal, strength[seat], position, act});
    Figure& last_first = figures_["differences"]["opens_last_first"];
    if (position == players_ - 1) last_first.compare(deal, true, when(open));
    if (position == 0) last_first.compare(deal, false, when(open));
  }
  for (Seat seat = 0; seat < players_; ++seat) {
    positions[position_of(seat)]["chances"].add(deal, when(had_chance[at(position_of(seat))]));
    positions[position_of(seat)]["points"].add(deal, hand.net[at(seat)]);
  }
}

void Counter::add_draw(std::int64_t deal, const Hand& hand, int number, Seat seat) {
  const Draw& draw = hand.draws[at(seat)][at(number)];
  Figure& figures = figures_["draws"][number];
  Figure& discards = figures["discards"];
  const std::string_view kind = kinds_.kind_of(draw.held);
  std::vector<CardId> keeps;
  for (int i = 0; i < kDrawHand; ++i)
    if ((draw.thrown >> i & 1) == 0) keeps.push_back(draw.held[at(i)]);
  const DiscardEquities equities = equities_(draw.held, draws_ - number);
  const float cost = *std::max_element(equities.begin(), equities.end()) - equities[draw.thrown];
  // The first entry covers all kinds.
  for (Figure* const to : {&discards[0], &discards[kind]}) {
    (*to)["thrown"].choose(deal, draw.count());
    (*to)["kept"].choose(deal, kinds_.kept_of(keeps));
    (*to)["best"].add(deal, when(cost <= kAsGood));
    (*to)["cost"].add(deal, cost);
  }
  for (const Named& words : kinds_.kinds) discards[words.name]["share"].add(deal, when(words.name == kind));
  figures["by_thrown"].choose(deal, draw.count(), "share");
}

void Counter::add_pat(std::int64_t deal, const Hand& hand, int number, Seat seat) {
  const Draw& draw = hand.draws[at(seat)][at(number)];
  Figure& figures = figures_["draws"][number]["pat"];
  const std::string_view strength = kinds_.pat_class(draw.held);
  const double points = hand.net[at(seat)], worth = points + draw.paid;
  const bool pat = draw.count() == 0;
  const auto add_result = [&](Figure& to) {
    to["wins"].add(deal, showdown_equity(hand, seat));
    to["unseen"].add(deal, when(hand.won[at(seat)] > 0 && !hand.showdown[at(seat)]));
    to["points"].add(deal, points);
    to["worth"].add(deal, worth);
  };
  figures["rate"].add(deal, when(pat));
  if (pat) {
    for (const Named& words : kinds_.pat_classes) figures[words.name]["share"].add(deal, when(words.name == strength));
    add_result(figures[strength]);
  }
  if (strength != kBluff) return;
  figures["bluffs"].add(deal, when(pat));
  figures["weak_drawing"]["share"].add(deal, when(!pat));
  figures["worth_bluff_draw"].compare(deal, pat, worth);
  if (!pat) add_result(figures["weak_drawing"]);
}

void Counter::add_betting_after(std::int64_t deal, const Hand& hand, int number) {
  Figure& figures = figures_["draws"][number];
  for (const Act& act : hand.acts) {
    if (act.street != number + 1) continue;
    const Draw& draw = hand.draws[at(act.seat)][at(number)];
    if (act.aggressor < 0) {
      const double bets = when(act.kind == Act::kRaise);
      figures["by_thrown"][draw.count()]["bets"].add(deal, bets);
      const std::string_view strength = kinds_.pat_class(draw.held);
      if (draw.count() == 0) figures["pat"][strength]["bets"].add(deal, bets);
      if (draw.count() > 0 && strength == kBluff) figures["pat"]["weak_drawing"]["bets"].add(deal, bets);
      continue;
    }
    const int theirs = hand.draws[at(act.aggressor)][at(number)].count();
    const double folds = when(act.kind == Act::kFold);
    figures["by_thrown"][theirs]["folds"].add(deal, folds);
    figures["pat"]["folds_pat_draw"].compare(deal, theirs == 0, folds);
  }
}

void Counter::add_tenths(Figure& figures) const {
  const EmpiricalCdf<float> sample(dealt_);
  for (const Decision& decision : decisions_) {
    const int tenth = tenth_of(sample, decision.strength);
    if (decision.position < 0) {
      add_answer(figures["answers"]["tenths"][tenth], decision.deal, decision.act);
      continue;
    }
    const double opened = when(decision.act.kind == Act::kRaise);
    figures["positions"][decision.position]["tenths"][tenth].add(decision.deal, opened);
    Figure& weak_middle = figures["differences"]["opens_weak_middle"];
    if (tenth == 0) weak_middle.compare(decision.deal, true, opened);
    if (tenth == kTenths / 2 - 1 || tenth == kTenths / 2) weak_middle.compare(decision.deal, false, opened);
  }
}

Figure Counter::figures() const {
  Figure figures = figures_;
  add_tenths(figures);
  const auto strength = [&](std::size_t h) { return figures["hands_dealt"][h]["strength"].estimate().value; };
  for (int p = 0; p < players_; ++p) {
    Figure& position = figures["positions"][p];
    std::optional<std::size_t> weakest;
    for (std::size_t h = 0; h < kinds_.openers.size(); ++h) {
      const Estimate opens = position["opens_by_hand"][h].estimate();
      if (opens.count >= kFewestChances && opens.value >= 0.5 && (!weakest || strength(h) < strength(*weakest)))
        weakest = h;
    }
    if (!weakest) continue;
    const Named& words = kinds_.openers[*weakest];
    position.set("weakest", value(words.name));
    position.set(".weakest", value(words.title));
    position.set(".opens_from", value(position.fill(fmt::format("{}, {{opens_by_hand/{}}}", words.title, words.name))));
  }
  return figures;
}

}  // namespace dealer::studies::draw
