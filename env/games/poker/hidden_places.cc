#include <algorithm>

#include "env/cards/shuffle.h"
#include "env/core/at.h"
#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {
HiddenDeal::HiddenDeal(const GameRules& rules, const View& view) : rules_(rules), history_(read_history(rules, view)) {
  const int stocks = static_cast<int>(history_.stocks.size());
  if (stocks > kMaxStocks) refuse_observation("the stock cannot have run out so often");
  goal_.fill(kNoGoal);
  CardBits seen, in_sight;
  const auto see = [&](const std::vector<SeenCard>& cards) {
    for (const SeenCard& card : cards) seen.set(card.card);
  };
  for (const View::Player& player : view.player) {
    see(player.cards);
    for (const auto& discarded : player.discarded) see(discarded);
  }
  for (Seat seat = 0; seat < rules.players; ++seat) {
    const View::Player& player = view.player[at(seat)];
    if (!player.showed || seat == view.me) continue;
    goal_[at(seat)] = static_cast<std::int8_t>(stocks + static_cast<int>(showing_.size()));
    showing_.push_back(seat);
    std::vector<CardId>& hidden = shown_.emplace_back();
    for (const CardId card : player.shown)
      if (rules.is_opaque(card)) hidden.push_back(card);
    const auto known = [&](const SeenCard& card) {
      return std::count(player.shown.begin(), player.shown.end(), card.card) == 1;
    };
    const std::size_t size = at(rules.hand_cards);
    if (player.shown.size() != size || hidden.size() + player.cards.size() != size ||
        !std::all_of(player.cards.begin(), player.cards.end(), known))
      refuse_observation("another hand was shown than the player had");
    for (const CardId card : hidden) {
      if (in_sight[card] || (stocks == 1 && seen[card])) refuse_observation("a card was shown that lies elsewhere");
      in_sight.set(card);
    }
  }
  seen |= in_sight;
  for (const CardId card : rules.deck->in_play(view.taken_out)) {
    if (!rules.is_opaque(card)) {
      if (history_.last_stock[card] != BettingHistory::kNoStock) transparent_.push_back(card);
    } else if (!seen[card]) {
      opaque_.push_back(card);
    }
  }
  if (stocks == 1) {
    std::size_t shown = 0;
    for (const std::vector<CardId>& cards : shown_) shown += cards.size();
    const std::size_t hidden = at(history_.stocks[0].hidden);
    if (opaque_.size() + shown < hidden || opaque_.size() + shown + transparent_.size() != hidden + at(history_.left))
      refuse_observation("cards lie where they cannot");
    return;
  }
  paths_ = CardPaths(history_, showing_, shown_);
  if (!paths_.possible()) refuse_observation("cards lie where they cannot");
}

bool HiddenDeal::draw(RandomStream& rng, HiddenCards& cards, bool anything_possible) const {
  discard(rng, cards);
  if (history_.stocks.size() > 1) return deal_through_reshuffles(rng, cards, anything_possible);
  deal_one_stock(rng, cards);
  return true;
}

// The discarded places of each player are uniform: they are independent of the cards in them.
void HiddenDeal::discard(RandomStream& rng, HiddenCards& cards) const {
  std::array<std::array<std::uint8_t, kDrawHand>, kMaxSeats> held;
  std::array<std::uint8_t, kMaxSeats> count{};
  cards.places = 0;
  using Kind = BettingHistory::Step::Kind;
  for (const BettingHistory::Step& step : history_.steps) {
    auto& hand = held[at(step.seat)];
    std::uint8_t& n = count[at(step.seat)];
    if (step.kind == Kind::kDealt) {
      for (int i = 0; i < step.count; ++i) {
        hand[n++] = static_cast<std::uint8_t>(cards.places);
        cards.place[at(cards.places++)] = {0,
                                           static_cast<std::int8_t>(step.seat),
                                           static_cast<std::int8_t>(step.stock),
                                           static_cast<std::int8_t>(step.draw),
                                           -1,
                                           goal_[at(step.seat)]};
      }
      continue;
    }
    const int gone = step.kind == Kind::kFolded ? n : step.count;
    if (gone > 0 && gone < n) shuffle_first(std::span(hand).first(n), at(gone), rng);
    for (int i = 0; i < gone; ++i) {
      HiddenPlace& place = cards.place[hand[at(i)]];
      place.goal = step.stock == BettingHistory::kNoStock ? kNoGoal : static_cast<std::int8_t>(step.stock);
      if (step.kind == Kind::kDiscarded) place.discarded = static_cast<std::int8_t>(step.draw);
    }
    std::copy(hand.begin() + gone, hand.begin() + n, hand.begin());
    n = static_cast<std::uint8_t>(n - gone);
  }
}

void HiddenDeal::deal_one_stock(RandomStream& rng, HiddenCards& cards) const {
  std::array<std::array<CardId, kDrawHand>, kMaxSeats> shown;
  std::array<std::size_t, kMaxSeats> next{};
  for (std::size_t k = 0; k < shown_.size(); ++k) {
    std::copy(shown_[k].begin(), shown_[k].end(), shown[k].begin());
    shuffle_first(std::span(shown[k]).first(shown_[k].size()), shown_[k].size(), rng);
  }
  std::array<CardId, kMaxDeckCards> pool;
  std::copy(opaque_.begin(), opaque_.end(), pool.begin());
  const std::size_t count = opaque_.size();
  std::size_t hidden = 0;
  for (int i = 0; i < cards.places; ++i) hidden += cards.place[at(i)].goal == kNoGoal ? 1 : 0;
  shuffle_first(std::span(pool).first(count),
                transparent_.empty() ? std::min(count, hidden + at(history_.left)) : hidden, rng);
  std::size_t used = 0;
  for (int i = 0; i < cards.places; ++i) {
    HiddenPlace& place = cards.place[at(i)];
    if (place.goal == kNoGoal) {
      place.card = pool[used++];
    } else {
      const auto k = at(place.goal - 1);
      place.card = shown[k][next[k]++];
    }
  }
  cards.left_count = static_cast<int>(std::copy(pool.begin() + static_cast<std::ptrdiff_t>(used),
                                                pool.begin() + static_cast<std::ptrdiff_t>(count), cards.left.begin()) -
                                      cards.left.begin());
  if (transparent_.empty()) return;
  std::copy(transparent_.begin(), transparent_.end(), cards.left.begin() + cards.left_count);
  cards.left_count += static_cast<int>(transparent_.size());
  shuffle_first(std::span(cards.left).first(at(cards.left_count)), at(cards.left_count), rng);
}

// Stock by stock: cards on a path go to places that continue along it, the others anywhere.
bool HiddenDeal::deal_through_reshuffles(RandomStream& rng, HiddenCards& cards, bool anything_possible) const {
  const int stocks = static_cast<int>(history_.stocks.size());
  CardPaths::Paths paths;
  Hops hops{};
  for (int i = 0; i < cards.places; ++i)
    if (const HiddenPlace& place = cards.place[at(i)]; place.goal != kNoGoal) ++hops[at(place.stock)][at(place.goal)];
  if (!paths_.draw(hops, rng, paths) || !(paths.kept || anything_possible)) return false;

  std::array<CardBits, kMaxStocks> shuffled_in;
  for (int stock = 0; stock < stocks; ++stock) {
    const BettingHistory::Stock& known = history_.stocks[at(stock)];
    CardBits& deal = shuffled_in[at(stock)];
    for (const CardId card : known.added) deal.set(card);
    for (const CardId card : known.seen) deal.reset(card);
    for (std::size_t s = 0; s < history_.splits.size(); ++s) {
      const BettingHistory::Split& split = history_.splits[s];
      for (std::size_t i = 0; i < split.cards.size(); ++i)
        if (split.stock + (((*paths.before)[s] >> i & 1) != 0 ? 0 : 1) == stock) deal.reset(split.cards[i].card);
    }
    if (!deal_stock(rng, stock, paths.hops, deal, cards)) return false;
    for (int i = 0; i < cards.places; ++i)
      if (const HiddenPlace& place = cards.place[at(i)];
          place.stock == stock && place.goal > stock && place.goal < stocks)
        shuffled_in[at(place.goal)].set(place.card);
  }
  return true;
}

bool HiddenDeal::deal_stock(RandomStream& rng, int stock, const std::vector<Hop>& hops, CardBits deal,
                            HiddenCards& cards) const {
  std::array<std::uint8_t, kMaxPlaces> free;
  std::size_t free_count = 0;
  for (int i = 0; i < cards.places; ++i)
    if (cards.place[at(i)].stock == stock) free[free_count++] = static_cast<std::uint8_t>(i);
  // In random order, so that the first place with a given goal is a random one.
  shuffle_first(std::span(free).first(free_count), free_count, rng);
  for (const Hop& hop : hops) {
    if (hop.stock != stock) continue;
    const auto end = free.begin() + static_cast<std::ptrdiff_t>(free_count);
    const auto place = std::find_if(free.begin(), end, [&](std::uint8_t i) { return cards.place[i].goal == hop.goal; });
    cards.place[*place].card = hop.card;
    deal.reset(hop.card);
    *place = free[--free_count];
  }
  std::array<CardId, kMaxDeckCards> rest;
  std::size_t count = 0, opaque = 0;
  for (std::size_t card = 0; card < deal.size(); ++card)
    if (deal[card] && rules_.is_opaque(static_cast<CardId>(card))) rest[opaque++] = static_cast<CardId>(card);
  if (opaque < free_count) return false;
  shuffle_first(std::span(rest).first(opaque), opaque, rng);
  for (; count < free_count; ++count) cards.place[free[count]].card = rest[count];
  if (stock + 1 < static_cast<int>(history_.stocks.size())) return true;
  std::copy(transparent_.begin(), transparent_.end(), rest.begin() + static_cast<std::ptrdiff_t>(opaque));
  const std::size_t all = opaque + transparent_.size();
  if (all != count + at(history_.left)) return false;
  cards.left_count = history_.left;
  std::copy(rest.begin() + static_cast<std::ptrdiff_t>(count), rest.begin() + static_cast<std::ptrdiff_t>(all),
            cards.left.begin());
  if (!transparent_.empty())
    shuffle_first(std::span(cards.left).first(at(cards.left_count)), at(cards.left_count), rng);
  return true;
}

}  // namespace dealer::poker
