#pragma once

#include "arena/studies/poker/draw_hand.h"
#include "tests/arena/studies/testing.h"

namespace dealer::test {

// The hand "As Kh Qd Jc 9s", sorted by number.
inline studies::poker::Five five(const std::string& text) {
  const std::vector<Card> cards = parse_cards(text);
  studies::poker::Five hand{};
  std::copy_n(cards.begin(), hand.size(), hand.begin());
  std::sort(hand.begin(), hand.end());
  return hand;
}

// A hand-made hand of draw poker with one draw: everybody is dealt in and
// keeps the cards until discarding.
class DrawHand {
 public:
  using Act = studies::poker::Act;

  explicit DrawHand(const std::vector<std::string>& cards) {
    hand_.players = static_cast<int>(cards.size());
    for (std::size_t seat = 0; seat < cards.size(); ++seat) {
      hand_.in[seat] = true;
      hand_.dealt[seat] = hand_.last[seat] = five(cards[seat]);
    }
  }
  DrawHand& act(int street, Seat seat, Act::Kind kind, Seat aggressor = -1) {
    hand_.acts.push_back({kind, seat, street, 0, 0, aggressor});
    if (kind == Act::kFold) hand_.folded[static_cast<std::size_t>(seat)] = true;
    return *this;
  }
  // Discards from `from` and holds `after` then; `paid` before.
  DrawHand& draw(Seat seat, const std::string& from, const std::string& after, int paid, int number = 0) {
    const auto s = static_cast<std::size_t>(seat);
    studies::poker::Draw& draw = hand_.draws[s][static_cast<std::size_t>(number)];
    draw.drew = true;
    draw.held = hand_.last[s];
    draw.paid = paid;
    for (const Card card : parse_cards(from)) {
      const auto found = std::find(draw.held.begin(), draw.held.end(), card);
      draw.thrown |= 1U << (found - draw.held.begin());
    }
    hand_.last[s] = five(after);
    return *this;
  }
  DrawHand& end(const std::vector<int>& net, const std::vector<int>& won, bool showdown) {
    for (std::size_t seat = 0; seat < net.size(); ++seat) {
      hand_.net[seat] = net[seat];
      hand_.won[seat] = won[seat];
      hand_.showdown[seat] = showdown && !hand_.folded[seat];
    }
    return *this;
  }
  const studies::poker::Hand& hand() const { return hand_; }

 private:
  studies::poker::Hand hand_;
};

}  // namespace dealer::test
