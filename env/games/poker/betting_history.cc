#include <algorithm>
#include <array>

#include "env/core/at.h"
#include "env/games/poker/hidden_cards.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {
namespace {

class HistoryReader {
 public:
  HistoryReader(const GameRules& rules, const View& view)
      : rules_(rules), view_(view), where_(at(rules.deck->size())) {}

  BettingHistory read() {
    const std::vector<CardId> deck = rules_.deck->in_play(view_.taken_out);
    history_.stocks.push_back({deck, {}, 0});
    for (const CardId card : deck) where_[card].place = kInStock;
    left_ = static_cast<int>(deck.size());
    cards_ = left_;
    for (Seat seat = 0; seat < rules_.players; ++seat)
      if (!view_.player[at(seat)].out) live_ = static_cast<SeatSet>(live_ | betting::bit(seat));
    for (const Seat seat : seats()) receive(seat, 0, rules_.hand_cards);
    std::size_t action = 0;
    for (int street = 0; street <= view_.street; ++street) {
      const int draw = street - (rules_.streets - rules_.draws);
      if (draw >= 0)
        for (const Seat seat : seats())
          if (view_.player[at(seat)].drawn[at(draw)] >= 0) draw_cards(seat, draw);
      const int round = rules_.street[at(street)].round;
      for (; action < view_.actions.size() && view_.actions[action].round == round; ++action)
        if (view_.actions[action].action == kFold) fold(view_.actions[action].seat);
    }
    finish();
    return std::move(history_);
  }

 private:
  enum Place : std::uint8_t { kNowhere, kInStock, kInHand, kOnTable };
  struct Where {
    Place place = kNowhere;
    int stock = 0;   // in a stock
    Seat seat = -1;  // in a hand
  };
  [[noreturn]] static void refuse() { refuse_observation("cards lie where they cannot"); }
  static void require(bool possible) {
    if (!possible) refuse();
  }

  // Seats still in, from the dealer's left.
  std::vector<Seat> seats() const {
    std::vector<Seat> list;
    for (int i = 1; i <= rules_.players; ++i)
      if (const Seat seat = (view_.dealer + i) % rules_.players; (live_ >> seat & 1) != 0) list.push_back(seat);
    return list;
  }

  // The cards of a seat, dealt at one time, that the observer saw.
  std::vector<CardId> received(Seat seat, int when) const {
    std::vector<CardId> cards;
    const auto add = [&](const std::vector<SeenCard>& list) {
      for (const SeenCard& card : list)
        if (card.when == when) cards.push_back(card.card);
    };
    add(view_.player[at(seat)].cards);
    for (const auto& discarded : view_.player[at(seat)].discarded) add(discarded);
    return cards;
  }

  void receive(Seat seat, int when, int count) {
    const bool own = seat == view_.me;
    const int before = std::min(count, left_), stock = last();
    if (count > before) reshuffle();
    std::vector<CardId> cards = received(seat, when);
    require(own ? static_cast<int>(cards.size()) == count : static_cast<int>(cards.size()) <= count);
    int seen_before = 0, seen_after = 0;
    BettingHistory::Split split;
    for (const CardId card : cards) {
      require(where_[card].place == kInStock);
      const int from = where_[card].stock;
      where_[card] = {kInHand, 0, seat};
      // Transparent cards are always tracked.
      require(rules_.is_opaque(card) || from >= stock);
      const bool may_be_before = before > 0 && from <= stock;
      const bool may_be_after = count > before && (rules_.is_opaque(card) || from > stock);
      if (may_be_before && may_be_after) {
        split.cards.push_back({card, from});
        continue;
      }
      require(may_be_before || may_be_after);
      ++(may_be_before ? seen_before : seen_after);
      see(card, from, may_be_before ? stock : stock + 1);
    }
    if (own) {
      split.before = before - seen_before;
      split.stock = stock;
      add_split(std::move(split));
    } else {
      deal_hidden(seat, when, stock, before - seen_before);
      deal_hidden(seat, when, stock + 1, count - before - seen_after);
    }
    left_ -= count > before ? count - before : count;
    require(left_ >= 0);
  }

  void see(CardId card, int from, int stock) {
    history_.stocks[at(stock)].seen.push_back(card);
    if (from < stock) history_.needs.push_back({card, from, stock});
  }

  void add_split(BettingHistory::Split split) {
    const int free = static_cast<int>(split.cards.size());
    require(split.before >= 0 && split.before <= free);
    if (split.before > 0 && split.before < free) {
      history_.splits.push_back(std::move(split));
      return;
    }
    for (const BettingHistory::Split::Card& card : split.cards)
      see(card.card, card.from, split.before > 0 ? split.stock : split.stock + 1);
  }

  void deal_hidden(Seat seat, int when, int stock, int count) {
    require(count >= 0);
    if (count == 0) return;
    hidden_[at(seat)] += count;
    history_.stocks[at(stock)].hidden += count;
    history_.steps.push_back({BettingHistory::Step::Kind::kDealt, seat, count, stock, when});
  }

  void draw_cards(Seat seat, int draw) {
    const View::Player& player = view_.player[at(seat)];
    const int count = player.drawn[at(draw)];
    const std::vector<SeenCard>& seen = player.discarded[at(draw)];
    for (const SeenCard& card : seen) {
      require(where_[card.card].place == kInHand && where_[card.card].seat == seat && card.when <= draw);
      where_[card.card].place = kNowhere;
    }
    const int hidden = count - static_cast<int>(seen.size());
    require(hidden >= 0 && hidden <= hidden_[at(seat)]);
    hidden_[at(seat)] -= hidden;
    const std::size_t step = history_.steps.size();
    if (hidden > 0)
      history_.steps.push_back({BettingHistory::Step::Kind::kDiscarded, seat, hidden, BettingHistory::kNoStock, draw});
    // A reshuffle during this draw leaves out the player's own discards.
    receive(seat, draw + 1, count);
    for (const SeenCard& card : seen) where_[card.card].place = kOnTable;
    if (hidden > 0) on_table_.push_back(step);
  }

  void fold(Seat seat) {
    require((live_ >> seat & 1) != 0);
    live_ = static_cast<SeatSet>(live_ & ~betting::bit(seat));
    for (const SeenCard& card : view_.player[at(seat)].cards) {
      require(where_[card.card].place == kInHand && where_[card.card].seat == seat);
      where_[card.card].place = kOnTable;
    }
    if (hidden_[at(seat)] == 0) return;
    on_table_.push_back(history_.steps.size());
    history_.steps.push_back({BettingHistory::Step::Kind::kFolded, seat, 0, BettingHistory::kNoStock, 0});
  }

  // Everything except the hands still in, the new cards of the player who draws, and its
  // discards.
  void reshuffle() {
    history_.stocks.emplace_back();
    for (std::size_t card = 0; card < where_.size(); ++card) {
      if (where_[card].place != kOnTable) continue;
      where_[card] = {kInStock, last(), -1};
      history_.stocks.back().added.push_back(static_cast<CardId>(card));
    }
    for (const std::size_t step : on_table_) history_.steps[step].stock = last();
    on_table_.clear();
    left_ = cards_ - rules_.hand_cards * static_cast<int>(seats().size()) - left_;
  }

  void finish() {
    for (Seat seat = 0; seat < rules_.players; ++seat) {
      const View::Player& player = view_.player[at(seat)];
      const bool live = (live_ >> seat & 1) != 0;
      require(player.live() == live && (live || !player.showed));
      if (!live) continue;
      const std::vector<SeenCard>& seen = player.cards;
      require(hidden_[at(seat)] + static_cast<int>(seen.size()) == rules_.hand_cards);
      for (const SeenCard& card : seen) require(where_[card.card].place == kInHand && where_[card.card].seat == seat);
    }
    history_.left = left_;
    for (std::size_t card = 0; card < where_.size(); ++card) {
      const bool stock = where_[card].place == kInStock;
      history_.last_stock.push_back(stock ? where_[card].stock : BettingHistory::kNoStock);
      if (!stock || rules_.is_opaque(static_cast<CardId>(card))) continue;
      require(where_[card].stock == last());
      ++history_.left_transparent;
    }
    require(history_.left_transparent <= left_);
  }

  int last() const { return static_cast<int>(history_.stocks.size()) - 1; }

  const GameRules& rules_;
  const View& view_;
  std::vector<Where> where_;
  BettingHistory history_;
  std::vector<std::size_t> on_table_;  // steps whose places are in the discards
  SeatSet live_ = 0;
  std::array<int, kMaxSeats> hidden_{};  // places in hand
  int cards_ = 0;
  int left_ = 0;  // cards left in the stock
};

}  // namespace

BettingHistory read_history(const GameRules& rules, const View& view) { return HistoryReader(rules, view).read(); }

}  // namespace dealer::poker
