// Where cards can lie after reshuffles: the course of the hand played again with tokens.
#include "env/games/poker/hidden_course.h"

#include <algorithm>

#include "env/cards/shuffle.h"

namespace dealer::poker {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Uniform in [0, 1), 53 bits.
double uniform(RandomStream& rng) { return static_cast<double>(rng.bits64() >> 11) * 0x1p-53; }

}  // namespace

void HiddenCards::find_bounds() {
  std::array<bool, kMaxSeats> folded{};
  int epoch = 0;
  const auto count_back = [&](int now) {
    for (int e = 0; e <= epoch; ++e)
      for (Seat seat = 0; seat < players_; ++seat) {
        const auto& of = dealt_[at(seat)];
        int others = 0;
        for (int o = 0; o <= epoch; ++o) others += o == e ? 0 : of[at(o)];
        const int kept = folded[at(seat)] ? 0 : std::max(0, in_hand_[at(seat)] - others);
        most_back_[at(e)][at(now)] += of[at(e)] - kept;
      }
  };
  const auto deal = [&](Seat seat, int count) {
    if (seat < 0 || seat == me_) return;
    dealt_[at(seat)][at(epoch)] += count;
    in_hand_[at(seat)] += count;
  };
  int late = 0;
  for (const Step& step : steps_) switch (step.kind) {
      case Step::Kind::kDeal:
        deal(step.seat, step.hidden);
        break;
      case Step::Kind::kDealSplit:
        deal(step.seat, std::min(step.hidden, step.before));
        late = std::max(0, step.hidden - step.before);
        break;
      case Step::Kind::kReshuffle:
        count_back(epoch + 1);
        ++epoch;
        deal(step.seat, late);
        break;
      case Step::Kind::kDiscard:
        if (step.seat != me_) in_hand_[at(step.seat)] -= step.hidden;
        break;
      case Step::Kind::kFold:
        folded[at(step.seat)] = true;
        break;
      case Step::Kind::kSettle:
        break;
    }
  count_back(epochs_);
  for (int e = 0; e < epochs_; ++e)
    for (Seat seat = 0; seat < players_; ++seat) tokens_of_[at(e)] += dealt_[at(seat)][at(e)];
}

// At most the chance that a card of an epoch has come back by a later one. Cards bound before were among those that came
// back, too, and leave the chance no higher. With transparent cards the counts above are not exact.
double HiddenCards::bound_of_return(int home, int epoch) const {
  if (!rules_->transparent.empty()) return 1;
  const int most = most_back_[at(home)][at(epoch)], all = tokens_of_[at(home)];
  return most >= all ? 1 : static_cast<double>(most) / all;
}

// At most the chance that a card of an epoch is in a hand of which `known` cards were found already, `bound` having been
// found anywhere.
double HiddenCards::bound_of_hand(Seat seat, int home, int known, int bound) const {
  if (!rules_->transparent.empty()) return 1;
  double later = 0, here = 0;
  for (int e = epochs_; e-- > home;) {
    const int last = e + 1 == epochs_ ? undealt_ : 0;
    const int direct = std::min(in_hand_[at(seat)] - known, dealt_[at(seat)][at(e)]);
    const double among = std::max(1, tokens_of_[at(e)] + last - bound);
    here = std::min(1.0, (direct + later * most_back_[at(e)][at(epochs_)]) / among);
    later = std::max(later, here);
  }
  return here;
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
      for (const CardId card : step.cards) {
        if (!receive(card, true, rng, course)) return false;
        if (step.seat >= 0) course.seen_held[s].add(card);
      }
      course.add_tokens(step.seat, step.time, step.hidden);
      return true;
    case Step::Kind::kDealSplit:
      return split(step, rng, course);
    case Step::Kind::kReshuffle:
      course.reshuffle();
      for (const std::uint8_t card : course.late.list()) {
        if (!receive(card, false, rng, course)) return false;
        course.seen_held[s].add(card);
      }
      course.add_tokens(step.seat, step.time, course.late_hidden);
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
    case Step::Kind::kFold:
      course.held[s].move_to(course.pile);
      course.seen_held[s].move_to(course.seen_pile);
      return true;
  }
  return true;
}

// A deal that the stock is too small for. Transparent cards that the stock still holds must come now; which of the
// observer's others do is drawn at random, so that no bound on the chance of each of them is the same for all.
bool HiddenCards::split(const Step& step, RandomStream& rng, Course& course) const {
  std::array<CardId, kHandCards> open{};
  std::size_t count = 0;
  int early = step.before;
  course.late.count = 0;
  const auto come = [&](CardId card) {
    --early;
    course.seen_held[at(step.seat)].add(card);
    return receive(card, false, rng, course);
  };
  for (const CardId card : step.cards) {
    if (rules_->is_opaque(card))
      open[count++] = card;
    else if (course.home[card] != course.epoch)
      course.late.add(card);
    else if (!come(card))
      return false;
  }
  if (step.seat != me_) {
    course.late_hidden = step.hidden - early;
    if (early < 0 || course.late_hidden < 0) return false;
    course.add_tokens(step.seat, step.time, early);
    return true;
  }
  course.late_hidden = 0;
  if (early < 0 || at(early) > count) return false;
  const std::size_t first = at(early);
  shuffle_first(std::span(open).first(count), first, rng);
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= first)
      course.late.add(open[i]);
    else if (!come(open[i]))
      return false;
  }
  return true;
}

// The observer sees a card come from the stock.
bool HiddenCards::receive(CardId card, bool bounded, RandomStream& rng, Course& course) const {
  const int home = course.home[card];
  if (home == kNowhere) return false;
  if (home < course.epoch) return bind(card, {course.epoch, -1}, bounded ? bound_of_return(home, course.epoch) : 1, rng, course);
  course.home[card] = kNowhere;
  return course.items[at(home)].remove(card);
}

// Finds a way for a card from its epoch to the target, token by token, each with its chance; accepts the course in
// proportion to the chance that there is one.
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
  if (uniform(rng) * bound >= chance[at(home)]) return false;
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
  ++course.bound;
  return true;
}

// Hands that lie open in the end.
bool HiddenCards::show(RandomStream& rng, Course& course) const {
  int known = 0;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const auto& [seat, card] = shown_[i];
    known = i > 0 && shown_[i - 1].seat == seat ? known + 1 : 0;
    const int home = course.home[card];
    if (home == kNowhere || !bind(card, {-1, seat}, bound_of_hand(seat, home, known, course.bound), rng, course))
      return false;
  }
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
