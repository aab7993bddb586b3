#include "env/games/poker/hidden_bounds.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "env/games/poker/hidden_course.h"

namespace dealer::poker {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

HiddenCards::Bounds::Bounds(HiddenCards& cards) : cards_(cards), course_(std::make_unique<Course>()) {
  course_->begin(cards.in_play_, cards.epochs_);
}

void HiddenCards::Bounds::find() {
  for (Step& step : cards_.steps_) switch (step.kind) {
      case Step::Kind::kDeal:
        deal(step);
        break;
      case Step::Kind::kDealSplit:
        split(step);
        break;
      case Step::Kind::kReshuffle:
        reshuffle(step);
        break;
      case Step::Kind::kDiscard:
        discard(step);
        break;
      case Step::Kind::kSettle:
        settle(step.seat);
        break;
      case Step::Kind::kLeave:
        leave(step.seat);
        break;
    }
  show();
}

int HiddenCards::Bounds::tokens_of(int epoch) const {
  int tokens = 0;
  for (const Counts& of : dealt_) tokens += of[at(epoch)];
  return tokens;
}

int HiddenCards::Bounds::held_at_most(Seat seat, int epoch) const {
  return std::min(in_hand_[at(seat)], held_[at(seat)][at(epoch)]);
}

void HiddenCards::Bounds::add_tokens(Seat seat, int count) {
  if (seat < 0 || seat == cards_.me_) return;
  dealt_[at(seat)][at(course_->epoch)] += count;
  held_[at(seat)][at(course_->epoch)] += count;
  in_hand_[at(seat)] += count;
}

double HiddenCards::Bounds::chance(int home, const Counts& direct, int found) const {
  const int last = course_->epoch;
  std::array<double, kMaxEpochs> of{};
  for (int e = last; e >= home; --e) {
    double by_way = 0;
    for (int r = e + 1; r <= last; ++r) by_way += back_[at(e)][at(r)] * of[at(r)];
    int bound_before = 0;
    for (int h = 0; h <= e; ++h) bound_before += needed_[at(h)];
    // In the last epoch the undealt cards, transparent ones aside, may be anything, too.
    int among = tokens_of(e) - bound_before;
    if (e + 1 == cards_.epochs_) {
      among += cards_.undealt_;
      for (const CardId card : course_->items[at(e)].list()) among -= cards_.rules_->is_opaque(card) ? 0 : 1;
    }
    // Cards found there before have taken their tokens, unless they may have come on a detour.
    const int left = direct[at(e)] - (e == home && by_way == 0 ? found : 0);
    of[at(e)] = std::clamp((std::max(left, 0) + by_way) / std::max(among, 1), 0.0, 1.0);
  }
  return of[at(home)];
}

double HiddenCards::Bounds::chance_of_return(CardId card, int found) const {
  const int home = course_->home[card], now = course_->epoch;
  if (home == now) return 1;
  if (home == kNowhere) return 0;
  Counts direct{};
  for (int e = 0; e < now; ++e) direct[at(e)] = back_[at(e)][at(now)];
  return chance(home, direct, found);
}

void HiddenCards::Bounds::deal(Step& step) {
  step.bounds.clear();
  for (const CardId card : step.cards) {
    const int home = course_->home[card];
    step.bounds.push_back(chance_of_return(card, home < 0 ? 0 : found_[at(home)]));
    take(card);
    if (home >= 0 && home < course_->epoch) ++found_[at(home)];
    if (step.seat >= 0) course_->seen_held[at(step.seat)].add(card);
  }
  add_tokens(step.seat, step.hidden);
}

// The observer knows where the card is.
void HiddenCards::Bounds::take(CardId card) {
  const int home = course_->home[card];
  if (home < 0) return;
  course_->items[at(home)].remove(card);
  course_->home[card] = kNowhere;
  if (home < course_->epoch) ++needed_[at(home)];
}

// What comes before the reshuffle is not always known, see HiddenCards::split().
void HiddenCards::Bounds::split(Step& step) {
  split_ = &step;
  int early = step.before;
  homes_.clear();
  for (const CardId card : step.cards) {
    homes_.push_back(course_->home[card]);
    if (!cards_.rules_->is_opaque(card) && course_->home[card] == course_->epoch) --early;
  }
  if (step.seat == cards_.me_) bound_series(step, step.choices.early);
  early = std::clamp(early, 0, step.hidden);
  late_ = step.hidden - early;
  add_tokens(step.seat, early);
}

// Bounds for the j-th card of a group, by card for now.
void HiddenCards::Bounds::bound_series(const Step& step, std::vector<std::array<double, kDrawHand>>& series) {
  const Counts needed = needed_, found = found_;
  for (const CardId card : step.cards) {
    auto& bounds = series.emplace_back();
    const int home = course_->home[card];
    for (double& bound : bounds) {
      bound = chance_of_return(card, home < 0 ? 0 : found_[at(home)]);
      if (home < 0 || home == course_->epoch) continue;
      ++found_[at(home)];
      ++needed_[at(home)];
    }
    // The others of the group may have been found before.
    needed_ = needed;
    found_ = found;
  }
}

void HiddenCards::Bounds::reshuffle(const Step& step) {
  course_->reshuffle();
  found_ = {};
  if (split_ == nullptr) return;
  Step& group = *split_;
  for (const int home : homes_)
    if (home >= 0 && home + 1 < course_->epoch) ++needed_[at(home)];
  if (group.seat == cards_.me_) {
    bound_series(group, group.choices.late);
    list_choices(group);
  }
  for (std::size_t i = 0; i < group.cards.size(); ++i) {
    const int home = course_->home[group.cards[i]];
    take(group.cards[i]);
    // Counted above.
    if (home >= 0 && home + 1 < course_->epoch) --needed_[at(home)];
    course_->seen_held[at(group.seat)].add(group.cards[i]);
  }
  add_tokens(step.seat, late_);
  split_ = nullptr;
  late_ = 0;
}

void HiddenCards::Bounds::list_choices(Step& group) const {
  SplitChoices& choices = group.choices;
  // From bounds by card to bounds by class.
  std::vector<std::pair<int, int>> classes;
  std::vector<std::array<double, kDrawHand>> early, late;
  unsigned forced = 0, open = 0;
  for (std::size_t i = 0; i < group.cards.size(); ++i) {
    const CardId card = group.cards[i];
    if (!cards_.rules_->is_opaque(card)) {
      if (homes_[i] >= 0 && homes_[i] + 1 == course_->epoch) forced |= 1U << i;
      choices.class_of.push_back(-1);
      continue;
    }
    open |= 1U << i;
    const std::pair type(homes_[i], int{course_->home[card]});
    auto known = std::find(classes.begin(), classes.end(), type);
    if (known == classes.end()) {
      known = classes.insert(classes.end(), type);
      early.push_back(choices.early[i]);
      late.push_back(choices.late[i]);
    }
    choices.class_of.push_back(static_cast<int>(known - classes.begin()));
  }
  choices.early = std::move(early);
  choices.late = std::move(late);
  const int wanted = group.before - std::popcount(forced);
  double sum = 0;
  for (unsigned mask = 0; mask < 1U << group.cards.size(); ++mask) {
    if ((mask & ~open) != 0 || std::popcount(mask) != wanted) continue;
    double weight = 1;
    std::array<std::array<int, kHandCards>, 2> found{};
    for (std::size_t i = 0; i < group.cards.size(); ++i) {
      const int type = choices.class_of[i];
      if (type < 0) continue;
      const bool now = (mask >> i & 1) != 0;
      weight *= (now ? choices.early : choices.late)[at(type)][at(found[now ? 0 : 1][at(type)]++)];
    }
    if (weight > 0) choices.masks.emplace_back(mask | forced, sum += weight);
  }
}

void HiddenCards::Bounds::discard(const Step& step) {
  Course& course = *course_;
  for (const CardId card : step.cards)
    if (course.seen_held[at(step.seat)].remove(card)) course.seen_leaving[at(step.seat)].add(card);
  if (step.seat == cards_.me_) return;
  for (int e = 0; e <= course.epoch; ++e)
    leaving_[at(step.seat)][at(e)] = std::min(step.hidden, held_at_most(step.seat, e));
  in_hand_[at(step.seat)] -= step.hidden;
  for (int& held : held_[at(step.seat)]) held = std::min(held, in_hand_[at(step.seat)]);
}

void HiddenCards::Bounds::settle(Seat seat) {
  course_->seen_leaving[at(seat)].move_to(course_->seen_pile);
  for (int e = 0; e <= course_->epoch; ++e) back_[at(e)][at(course_->epoch + 1)] += leaving_[at(seat)][at(e)];
  leaving_[at(seat)] = {};
}

void HiddenCards::Bounds::leave(Seat seat) {
  course_->seen_held[at(seat)].move_to(course_->seen_pile);
  if (seat == cards_.me_) return;
  for (int e = 0; e <= course_->epoch; ++e) back_[at(e)][at(course_->epoch + 1)] += held_at_most(seat, e);
  in_hand_[at(seat)] = 0;
  held_[at(seat)] = {};
}

void HiddenCards::Bounds::show() {
  for (std::size_t i = 0; i < cards_.shown_.size(); ++i) {
    Shown& shown = cards_.shown_[i];
    const int home = course_->home[shown.card];
    if (home < 0) continue;
    Counts direct{};
    for (int e = 0; e < cards_.epochs_; ++e) direct[at(e)] = held_at_most(shown.seat, e);
    shown.bound = chance(home, direct, 0);
    --in_hand_[at(shown.seat)];
    ++needed_[at(home)];
  }
}

}  // namespace dealer::poker
