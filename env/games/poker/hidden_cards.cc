// What one observer knows of the course of a hand, step by step; and the plain case without a reshuffle.
#include "env/games/poker/hidden_cards.h"

#include <algorithm>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/games/poker/hidden_bounds.h"
#include "env/games/poker/hidden_course.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {
namespace {

// Courses that are tried before an observation is said to be impossible. Real ones take a few.
constexpr std::int64_t kMostAttempts = 1'000'000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void refuse_sum() { refuse_observation("the cards do not add up"); }

}  // namespace

HiddenCards::HiddenCards(const GameRules& rules, const View& view)
    : rules_(&rules), me_(view.me), players_(rules.players), in_play_(rules.deck->in_play(view.taken_out)) {
  list_seen(view);
  list_steps(view);
  if (epochs_ > 1) {
    Bounds(*this).find();
    RandomStream rng(0);
    if (!find_course(rng, kMostAttempts)) refuse_observation("cards lie where they cannot");
    attempts_ = 0;
    return;
  }
  std::array<bool, kMaxDeckCards> seen{};
  for (const Step& step : steps_)
    for (const CardId card : step.cards) seen[card] = true;
  for (const Shown& shown : shown_) seen[shown.card] = true;
  int tokens = static_cast<int>(-static_cast<std::ptrdiff_t>(shown_.size()));
  for (const Step& step : steps_) tokens += step.kind == Step::Kind::kDeal ? step.hidden : 0;
  for (const CardId card : in_play_)
    if (!seen[card]) (rules.is_opaque(card) ? opaque_ : transparent_).push_back(card);
  if (static_cast<int>(opaque_.size()) < tokens || tokens < 0) refuse_sum();
}

HiddenCards::HiddenCards(HiddenCards&&) noexcept = default;
HiddenCards::~HiddenCards() = default;

void HiddenCards::list_seen(const View& view) {
  std::array<bool, kMaxDeckCards> known{}, in_play{};
  for (const CardId card : in_play_) in_play[card] = true;
  const auto add = [&](CardId card) {
    if (known[card] || !in_play[card]) refuse_observation("a card lies where it cannot");
    known[card] = true;
  };
  for (Seat seat = 0; seat < players_; ++seat) {
    const View::Player& player = view.player[at(seat)];
    // Hands that are held at the same time; those of players who folded may be in the stock again.
    if (player.live())
      for (const SeenCard& card : player.cards) add(card.card);
    for (const SeenCard& card : player.cards)
      if (!in_play[card.card]) refuse_observation("a card lies where it cannot");
    if (seat == me_) continue;
    for (const SeenCard& card : player.cards)
      seen_.push_back({seat, {card.card, static_cast<std::uint8_t>(card.when), -1}});
    for (int draw = 0; draw < rules_->draws; ++draw)
      for (const SeenCard& card : player.discarded[at(draw)])
        seen_.push_back({seat, {card.card, static_cast<std::uint8_t>(card.when), static_cast<std::int8_t>(draw)}});
    for (const CardId card : player.shown) {
      const bool seen_before = std::any_of(player.cards.begin(), player.cards.end(),
                                           [&](const SeenCard& seen) { return seen.card == card; });
      if (seen_before) continue;
      add(card);
      shown_.push_back({seat, card, 1});
    }
  }
  for (const CardId card : view.board) add(card);
}

void HiddenCards::list_steps(const View& view) {
  if (rules_->draws > 0) return list_draws(view);
  int dealt = static_cast<int>(view.board.size());
  steps_.push_back({Step::Kind::kDeal, -1, 0, 0, view.board});
  for (Seat seat = 0; seat < players_; ++seat) {
    int left = view.player[at(seat)].card_count;
    dealt += left;
    for (int street = 0; street <= view.street && left > 0; ++street) {
      const int cards = std::min(left, rules_->street[at(street)].down + rules_->street[at(street)].up);
      left -= cards;
      add_deal(view, seat, street, cards, cards);
    }
  }
  undealt_ = static_cast<int>(in_play_.size()) - dealt;
  if (undealt_ < 0) refuse_sum();
  needed_ = std::clamp(rules_->shuffled - dealt, 0, undealt_);
}

void HiddenCards::list_draws(const View& view) {
  std::array<int, kMaxSeats> folded_in{};
  folded_in.fill(betting::kMaxRounds);
  for (const PastAction& action : view.actions)
    if (action.action == kFold) folded_in[at(action.seat)] = action.round;
  const auto live = [&](Seat seat, int draw) {
    const int round = rules_->street[at(rules_->streets - rules_->draws + draw)].round;
    return !view.player[at(seat)].out && folded_in[at(seat)] >= round;
  };
  int stock = static_cast<int>(in_play_.size());
  for (Seat seat = 0; seat < players_; ++seat) {
    if (view.player[at(seat)].out) continue;
    add_deal(view, seat, 0, kDrawHand, kDrawHand);
    stock -= kDrawHand;
  }
  const int first_stock = stock;
  const auto play_draws = [&] {
    for (int draw = 0; draw < rules_->draws; ++draw) {
      int count = 0;
      for (Seat seat = 0; seat < players_; ++seat) {
        count += live(seat, draw) ? 1 : 0;
        if (!view.player[at(seat)].out && !live(seat, draw) && (draw == 0 || live(seat, draw - 1)))
          steps_.push_back({Step::Kind::kLeave, seat});
      }
      for (int i = 1; i <= players_; ++i) {
        const Seat seat = (view.dealer + i) % players_;
        if (!live(seat, draw)) continue;
        if (view.player[at(seat)].drawn[at(draw)] < 0) return;
        stock = draw_seat(view, seat, draw, stock, count - 1);
      }
    }
  };
  play_draws();
  undealt_ = stock;
  if (stock < 0) refuse_sum();
  const int dealt = static_cast<int>(in_play_.size()) - first_stock + (first_stock - stock);
  needed_ = epochs_ > 1 ? undealt_ : std::clamp(rules_->shuffled - dealt, 0, undealt_);
}

// One seat discards and draws; returns what is left of the stock.
int HiddenCards::draw_seat(const View& view, Seat seat, int draw, int stock, int others) {
  const View::Player& player = view.player[at(seat)];
  const int wanted = player.drawn[at(draw)];
  Step discard{Step::Kind::kDiscard, seat, draw, wanted};
  for (const SeenCard& card : player.discarded[at(draw)]) discard.cards.push_back(card.card);
  discard.hidden -= static_cast<int>(discard.cards.size());
  if (discard.hidden < 0 || (seat == me_ && discard.hidden > 0)) refuse_sum();
  steps_.push_back(std::move(discard));
  add_deal(view, seat, draw + 1, wanted, stock);
  steps_.push_back({Step::Kind::kSettle, seat});
  if (wanted <= stock) return stock - wanted;
  // All goes into the new stock but the other hands, and of this one what is kept, was drawn or is being discarded.
  const int left = static_cast<int>(in_play_.size()) - kDrawHand * (others + 1) - stock;
  return left - (wanted - stock);
}

// What a seat gets at one time; where the stock runs out, the rest from the next.
void HiddenCards::add_deal(const View& view, Seat seat, int when, int count, int stock) {
  const View::Player& player = view.player[at(seat)];
  std::vector<CardId> cards;
  const auto add = [&](const SeenCard& card) {
    if (card.when == when) cards.push_back(card.card);
  };
  for (const SeenCard& card : player.cards) add(card);
  for (const auto& discarded : player.discarded)
    for (const SeenCard& card : discarded) add(card);
  const int hidden = count - static_cast<int>(cards.size());
  if (hidden < 0 || (seat == me_ && hidden > 0)) refuse_sum();
  if (count <= stock) {
    steps_.push_back({Step::Kind::kDeal, seat, when, hidden, std::move(cards)});
    return;
  }
  if (++epochs_ > kMaxEpochs) refuse_sum();
  if (stock > 0) {
    steps_.push_back({Step::Kind::kDealSplit, seat, when, hidden, std::move(cards), stock});
    steps_.push_back({Step::Kind::kReshuffle, seat, when});
  } else {
    steps_.push_back({Step::Kind::kReshuffle, seat, when});
    steps_.push_back({Step::Kind::kDeal, seat, when, hidden, std::move(cards)});
  }
}

void HiddenCards::draw(RandomStream& rng, Deal& deal) {
  deal.count = {};
  for (const Seen& seen : seen_) deal.card[at(seen.seat)][deal.count[at(seen.seat)]++] = seen.held;
  if (epochs_ == 1) {
    ++attempts_;
    return draw_plain(rng, deal);
  }
  while (!find_course(rng, kMostAttempts)) {
  }
  finish(rng, *course_, deal);
}

// Every unseen card may lie anywhere, but transparent ones only in the stock.
void HiddenCards::draw_plain(RandomStream& rng, Deal& deal) const {
  std::array<Held, kMaxTokens> token;
  std::array<Seat, kMaxTokens> owner;
  std::array<std::array<std::uint8_t, kHandCards>, kMaxSeats> held;
  std::array<std::uint8_t, kMaxSeats> held_count{};
  int tokens = 0;
  for (const Step& step : steps_) {
    if (step.hidden == 0) continue;
    auto& hand = held[at(step.seat)];
    std::uint8_t& count = held_count[at(step.seat)];
    if (step.kind == Step::Kind::kDeal) {
      for (int i = 0; i < step.hidden; ++i) {
        token[at(tokens)] = {0, static_cast<std::uint8_t>(step.time), -1};
        owner[at(tokens)] = step.seat;
        hand[count++] = static_cast<std::uint8_t>(tokens++);
      }
    } else if (step.kind == Step::Kind::kDiscard) {
      const auto discards = at(step.hidden);
      if (discards < count) shuffle_first(std::span(hand).first(count), discards, rng);
      for (std::size_t i = 0; i < discards; ++i) token[hand[i]].discarded = static_cast<std::int8_t>(step.time);
      count = static_cast<std::uint8_t>(count - discards);
      std::copy_n(hand.begin() + static_cast<std::ptrdiff_t>(discards), count, hand.begin());
    }
  }
  std::array<bool, kMaxTokens> known{};
  for (const Shown& shown : shown_) {
    auto& hand = held[at(shown.seat)];
    std::uint8_t& count = held_count[at(shown.seat)];
    const std::uint32_t which = rng.below(count);
    token[hand[which]].card = shown.card;
    known[hand[which]] = true;
    hand[which] = hand[--count];
  }
  std::array<CardId, kMaxDeckCards> cards;
  std::copy(opaque_.begin(), opaque_.end(), cards.begin());
  const std::size_t unknown = at(tokens) - shown_.size(), left = opaque_.size() - unknown;
  const bool mixed = !transparent_.empty();
  shuffle_first(std::span(cards).first(opaque_.size()), mixed ? opaque_.size() : std::min(unknown + at(needed_), opaque_.size()),
                rng);
  std::size_t next = 0;
  for (std::size_t t = 0; t < at(tokens); ++t) {
    if (!known[t]) token[t].card = cards[next++];
    deal.card[at(owner[t])][deal.count[at(owner[t])]++] = token[t];
  }
  std::copy_n(cards.begin() + static_cast<std::ptrdiff_t>(unknown), left, deal.stock.begin());
  std::copy(transparent_.begin(), transparent_.end(), deal.stock.begin() + static_cast<std::ptrdiff_t>(left));
  deal.stock_count = static_cast<int>(left + transparent_.size());
  if (mixed) shuffle_first(std::span(deal.stock).first(at(deal.stock_count)), at(needed_), rng);
}

}  // namespace dealer::poker
