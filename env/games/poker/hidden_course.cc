// Where cards can lie after reshuffles: the course of the hand played again with tokens.
#include "env/games/poker/hidden_course.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Uniform in [0, 1), 53 bits.
double uniform(RandomStream& rng) { return static_cast<double>(rng.bits64() >> 11) * 0x1p-53; }

}  // namespace

// Some tries are enough as a rule. Where the observer knows almost everything, nearly all courses would be rejected: then
// one of many is taken in proportion to its weight.
bool HiddenCards::find_course(RandomStream& rng, std::int64_t most) {
  constexpr int kTries = 2048;
  if (!course_) course_ = std::make_unique<Course>();
  const std::int64_t end = attempts_ + most;
  while (attempts_ < end) {
    course_->rejects = true;
    for (int i = 0; i < kTries; ++i) {
      ++attempts_;
      if (attempt(rng, *course_)) return true;
    }
    if (!chosen_) chosen_ = std::make_unique<Course>();
    double sum = 0;
    course_->rejects = false;
    for (int i = 0; i < kTries; ++i) {
      ++attempts_;
      if (!attempt(rng, *course_)) continue;
      sum += course_->weight;
      if (uniform(rng) * sum < course_->weight) *chosen_ = *course_;
    }
    if (sum == 0) continue;
    std::swap(course_, chosen_);
    return true;
  }
  return false;
}

bool HiddenCards::attempt(RandomStream& rng, Course& course) const {
  course.begin(in_play_, epochs_);
  for (const Step& step : steps_)
    if (!play(step, rng, course)) return false;
  return show(rng, course);
}

bool HiddenCards::play(const Step& step, RandomStream& rng, Course& course) const {
  const auto s = at(std::max(step.seat, 0));
  switch (step.kind) {
    case Step::Kind::kDeal:
      for (std::size_t i = 0; i < step.cards.size(); ++i) {
        if (!receive(step.cards[i], step.bounds[i], rng, course)) return false;
        if (step.seat >= 0) course.seen_held[s].add(step.cards[i]);
      }
      course.add_tokens(step.seat, step.time, step.hidden);
      return true;
    case Step::Kind::kDealSplit:
      return split(step, rng, course);
    case Step::Kind::kReshuffle:
      course.reshuffle();
      for (std::size_t i = 0; i < course.late.list().size(); ++i) {
        if (!receive(course.late.at[i], course.late_bound[i], rng, course)) return false;
        course.seen_held[s].add(course.late.at[i]);
      }
      course.add_tokens(step.seat, step.time, course.late_hidden);
      course.late.count = course.late_hidden = 0;
      return true;
    case Step::Kind::kDiscard: {
      for (const CardId card : step.cards) {
        if (!course.seen_held[s].remove(card)) return false;
        course.seen_leaving[s].add(card);
      }
      const std::span<std::uint8_t> hand = course.held[s].list();
      if (at(step.hidden) > hand.size()) return false;
      shuffle_first(hand, at(step.hidden), rng);
      for (std::size_t i = 0; i < at(step.hidden); ++i) {
        course.token[hand[i]].discarded = static_cast<std::int8_t>(step.time);
        course.leaving[s].add(hand[i]);
      }
      std::copy(hand.begin() + step.hidden, hand.end(), hand.begin());
      course.held[s].count -= step.hidden;
      return true;
    }
    case Step::Kind::kSettle:
      course.leaving[s].move_to(course.pile);
      course.seen_leaving[s].move_to(course.seen_pile);
      return true;
    case Step::Kind::kLeave:
      course.held[s].move_to(course.pile);
      course.seen_held[s].move_to(course.seen_pile);
      return true;
  }
  return true;
}

// A deal that the stock is too small for. Transparent cards that the stock still holds must come now; which of the
// observer's others do is drawn at random, with weights that bound the chances.
bool HiddenCards::split(const Step& step, RandomStream& rng, Course& course) const {
  const SplitChoices& choices = step.choices;
  unsigned early = 0;
  if (step.seat == me_) {
    if (choices.masks.empty()) return false;
    const double pick = uniform(rng) * choices.masks.back().second;
    early = std::find_if(choices.masks.begin(), choices.masks.end() - 1, [&](const auto& m) { return pick < m.second; })
                ->first;
  } else {
    for (std::size_t i = 0; i < step.cards.size(); ++i)
      if (course.home[step.cards[i]] == course.epoch) early |= 1U << i;
  }
  std::array<std::array<int, kHandCards>, 2> found{};
  for (const bool now : {true, false})
    for (std::size_t i = 0; i < step.cards.size(); ++i) {
      if (((early >> i & 1) != 0) != now) continue;
      const int type = step.seat == me_ ? choices.class_of[i] : -1;
      double bound = 1;
      if (type >= 0) {
        const auto& bounds = (now ? choices.early : choices.late)[at(type)];
        bound = bounds[at(found[now ? 0 : 1][at(type)]++)];
      }
      if (!now) {
        course.late_bound[at(course.late.count)] = bound;
        course.late.add(step.cards[i]);
        continue;
      }
      course.seen_held[at(step.seat)].add(step.cards[i]);
      if (!receive(step.cards[i], bound, rng, course)) return false;
    }
  if (step.seat == me_) return true;
  const int before = step.before - std::popcount(early);
  course.late_hidden = step.hidden - before;
  if (before < 0 || course.late_hidden < 0) return false;
  course.add_tokens(step.seat, step.time, before);
  return true;
}

// The observer sees a card come from the stock.
bool HiddenCards::receive(CardId card, double bound, RandomStream& rng, Course& course) const {
  const int home = course.home[card];
  if (home == kNowhere) return false;
  if (home < course.epoch) return bind(card, {course.epoch, -1}, bound, rng, course);
  course.home[card] = kNowhere;
  return course.items[at(home)].remove(card);
}

// Finds a way for a card from its epoch to the target, token by token, each with its chance; the chance that there is one
// over its bound is a factor of the course's weight.
bool HiddenCards::bind(CardId card, const Target& target, double bound, RandomStream& rng, Course& course) const {
  const int home = course.home[card];
  std::array<double, kMaxEpochs> chance{};
  const auto value = [&](std::uint8_t t) {
    const Token& token = course.token[t];
    return target.holds(token) ? 1.0 : token.recycled > 0 ? chance[at(token.recycled)] : 0.0;
  };
  for (int e = course.epoch; e >= home; --e) {
    // Undealt cards count, but for transparent ones: none is in a hand that nobody sees.
    int among = 0;
    for (const Item item : course.items[at(e)].list()) among += item >= kToken || rules_->is_opaque(item) ? 1 : 0;
    double sum = 0;
    for (const std::uint8_t t : course.unbound[at(e)].list()) sum += value(t);
    chance[at(e)] = among > 0 ? sum / among : 0;
  }
  if (chance[at(home)] <= 0) return false;
  course.weight *= chance[at(home)] / bound;
  if (course.rejects && uniform(rng) * bound >= chance[at(home)]) return false;
  Item item = card;
  for (int e = home;;) {
    double sum = 0;
    for (const std::uint8_t t : course.unbound[at(e)].list()) sum += value(t);
    double left = uniform(rng) * sum;
    std::uint8_t chosen = 0;
    for (const std::uint8_t t : course.unbound[at(e)].list()) {
      const double v = value(t);
      if (v == 0) continue;
      chosen = t;
      if ((left -= v) < 0) break;
    }
    Token& token = course.token[chosen];
    token.item = item;
    course.items[at(e)].remove(item);
    course.unbound[at(e)].remove(chosen);
    item = static_cast<Item>(kToken + chosen);
    if (target.holds(token)) break;
    e = token.recycled;
  }
  if (target.seat < 0) course.items[at(course.epoch)].remove(item);
  course.home[card] = kNowhere;
  return true;
}

// Hands that lie open in the end.
bool HiddenCards::show(RandomStream& rng, Course& course) const {
  for (const Shown& shown : shown_)
    if (course.home[shown.card] == kNowhere || !bind(shown.card, {-1, shown.seat}, shown.bound, rng, course)) return false;
  return true;
}

// Everything that is still open falls at random.
void HiddenCards::finish(RandomStream& rng, Course& course, Deal& deal) const {
  std::array<CardId, kMaxTokens> card;
  int next = 0;
  const auto resolve = [&](Item item) { return item >= kToken ? card[item - kToken] : CardId{item}; };
  for (int e = 0; e < epochs_; ++e) {
    const std::span<Item> items = course.items[at(e)].list();
    const auto opaque =
        std::partition(items.begin(), items.end(), [&](Item i) { return i >= kToken || rules_->is_opaque(i); });
    const auto count = static_cast<std::size_t>(opaque - items.begin());
    shuffle_first(items.first(count), count, rng);
    std::size_t taken = 0;
    for (const std::uint8_t t : course.unbound[at(e)].list()) course.token[t].item = items[taken++];
    for (; next < course.tokens && course.token[at(next)].epoch == e; ++next)
      card[at(next)] = resolve(course.token[at(next)].item);
    if (e + 1 < epochs_) continue;
    deal.stock_count = static_cast<int>(items.size() - taken);
    for (std::size_t i = taken; i < items.size(); ++i) deal.stock[i - taken] = resolve(items[i]);
    shuffle_first(std::span(deal.stock).first(at(deal.stock_count)), at(needed_), rng);
  }
  for (std::size_t t = 0; t < at(course.tokens); ++t) {
    const Token& token = course.token[t];
    deal.card[token.seat][deal.count[token.seat]++] = {card[t], token.when, token.discarded};
  }
}

}  // namespace dealer::poker
