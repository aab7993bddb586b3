#include "arena/studies/poker/draw_hand.h"

#include <algorithm>
#include <string_view>

#include "env/core/at.h"

namespace dealer::studies::poker {
namespace {

Act::Kind kind_of(std::string_view what) {
  if (what == "fold") return Act::kFold;
  if (what == "check") return Act::kCheck;
  return what == "call" ? Act::kCall : Act::kRaise;
}

// Reads events in order.
class Reader {
 public:
  void read(const Event& event) {
    hand_.streets = std::max(hand_.streets, event.street + 1);
    const auto seat = at(std::max(event.seat, 0));
    switch (event.kind) {
      case Event::Kind::kHandBegun:
        hand_.players = static_cast<int>(event.values.size());
        hand_.dealer = event.seat;
        for (std::size_t s = 0; s < event.values.size(); ++s) hand_.in[s] = event.values[s] > 0;
        break;
      case Event::Kind::kPosted:
        paid_[seat] += static_cast<Chips>(event.amount);
        break;
      case Event::Kind::kDealt:
        std::copy_n(event.cards.begin(), kDrawHand, hand_.dealt[seat].begin());
        std::sort(hand_.dealt[seat].begin(), hand_.dealt[seat].end());
        hand_.last[seat] = hand_.dealt[seat];
        break;
      case Event::Kind::kActed:
        act(event);
        break;
      case Event::Kind::kDiscarded:
        discard(event);
        break;
      case Event::Kind::kDrew:
        draw(event);
        break;
      case Event::Kind::kShown:
      case Event::Kind::kMucked:
        hand_.showdown[seat] = true;
        break;
      case Event::Kind::kWon:
        hand_.won[seat] += static_cast<Chips>(event.amount);
        break;
      case Event::Kind::kHandEnded:
        for (std::size_t s = 0; s < event.values.size(); ++s) hand_.net[s] = static_cast<Chips>(event.values[s]);
        break;
      default:
        break;
    }
  }

  Hand take() { return std::move(hand_); }

 private:
  void act(const Event& event) {
    if (event.street != street_) {
      street_ = event.street;
      aggressor_ = -1;
    }
    const auto seat = at(event.seat);
    const Act act{kind_of(event.what), event.seat, event.street, static_cast<Chips>(event.amount),
                  paid_[seat],         aggressor_};
    hand_.acts.push_back(act);
    paid_[seat] += act.amount;
    if (act.kind == Act::kRaise) aggressor_ = event.seat;
    if (act.kind == Act::kFold) hand_.folded[seat] = true;
  }

  void discard(const Event& event) {
    const auto seat = at(event.seat);
    Draw& draw = hand_.draws[seat][at(draws_[seat]++)];
    draw.drew = true;
    draw.held = hand_.last[seat];
    draw.paid = paid_[seat];
    for (std::size_t i = 0; i < draw.held.size(); ++i)
      if (std::find(event.cards.begin(), event.cards.end(), draw.held[i]) != event.cards.end()) draw.thrown |= 1U << i;
  }

  void draw(const Event& event) {
    const auto seat = at(event.seat);
    const Draw& draw = hand_.draws[seat][at(draws_[seat] - 1)];
    Five& cards = hand_.last[seat];
    auto next = event.cards.begin();
    for (std::size_t i = 0; i < cards.size(); ++i)
      if ((draw.thrown >> i & 1) != 0) cards[i] = *next++;
    std::sort(cards.begin(), cards.end());
  }

  Hand hand_;
  std::array<Chips, kMaxSeats> paid_{};
  std::array<int, kMaxSeats> draws_{};
  int street_ = -1;
  Seat aggressor_ = -1;
};

}  // namespace

Hand read_draw_hand(std::span<const Event> events) {
  Reader reader;
  for (const Event& event : events) reader.read(event);
  return reader.take();
}

}  // namespace dealer::studies::poker
