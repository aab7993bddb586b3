#include <algorithm>
#include <string>

#include "env/core/at.h"
#include "env/games/small/game.h"

namespace dealer::small {
namespace {

// Walks through the tree along the events. Its rows contain everything except the cards.
class ObservedHandReader : ObservedEvents {
 public:
  ObservedHandReader(const Rules& rules, const ObservedHand& hand)
      : ObservedEvents(hand), rules_(rules), node_(rules.tree().first_decision()) {}

  std::vector<float> read() {
    for (; index_ < hand_.events.size(); ++index_) take(hand_.events[index_]);
    const Parts& part = rules_.parts();
    const float* const row = rules_.tree().row(node_, hand_.viewer);
    std::vector<float> out(row, row + part.size);
    const auto write = [&](int offset, CardSet cards) {
      for_each(cards, [&](Card card) { out[at(offset + card)] = 1; });
    };
    write(part.hand, dealt_);
    if (part.board >= 0) write(part.board, board_);
    if (part.drawn < 0) return out;
    write(part.discarded, discarded_);
    write(part.drawn, drawn_);
    if (node().kind == Kind::kDraw && node().turn == hand_.viewer) write(part.next, dealt_ & -dealt_);
    return out;
  }

 private:
  const Node& node() const { return rules_.tree().node(node_); }
  static CardSet set_of(const Event& event) {
    CardSet cards = 0;
    for (const CardId card : event.cards) cards |= bit(Card{card});
    return cards;
  }

  void take(const Event& event) {
    const bool own = event.seat == hand_.viewer;
    if (event.kind == Event::Kind::kDealt && (own || event.seat < 0)) (own ? dealt_ : board_) = set_of(event);
    if (event.kind == Event::Kind::kDrew && own) drawn_ = set_of(event);
    if (event.kind == Event::Kind::kActed) act(event);
    if (event.kind == Event::Kind::kDiscarded) draw(event);
  }

  void act(const Event& event) {
    expect_turn(event, Kind::kBet);
    std::string words;
    for (Action move = 0; move < kMoves; ++move) {
      if ((node().legal >> move & 1) == 0) continue;
      if (move_name(node(), move) == event.what) {
        node_ = node().next[0][at(move)];
        return;
      }
      words += (words.empty() ? "" : ", ") + std::string(move_name(node(), move));
    }
    refuse("action", "one of " + words);
  }

  void expect_turn(const Event& event, Kind kind) const {
    if (node().kind != kind) refuse("event", node().turn < 0 ? "the end of the hand" : "what seat " + turn() + " does");
    if (node().turn != event.seat) refuse("seat", turn());
  }
  std::string turn() const { return std::to_string(node().turn); }

  // The other player's cards are arbitrary: only their number matters.
  void draw(const Event& event) {
    expect_turn(event, Kind::kDraw);
    const bool own = event.seat == hand_.viewer;
    CardSet left = own ? dealt_ : 0, gone = own ? set_of(event) : 0;
    if ((gone & ~left) != 0) refuse("cards", "cards of its hand");
    discarded_ |= gone;
    int count = event.count;
    while (node().kind == Kind::kDraw && node().turn == event.seat) {
      const bool discard = own ? (gone & left & -left) != 0 : count > 0;
      left &= left - 1;
      count -= discard ? 1 : 0;
      node_ = node().next[0][discard ? kDiscard : kKeep];
      if (node().kind != Kind::kDealDraw) continue;
      node_ = node().next[0][0];
      break;
    }
    if (count != 0) refuse("count", "at most " + std::to_string(rules_.options().hand));
  }

  const Rules& rules_;
  std::uint16_t node_;
  CardSet dealt_ = 0, board_ = 0, discarded_ = 0, drawn_ = 0;
};

}  // namespace

std::vector<float> observe_hand(const Rules& rules, const ObservedHand& hand) {
  return ObservedHandReader(rules, hand).read();
}

}  // namespace dealer::small
