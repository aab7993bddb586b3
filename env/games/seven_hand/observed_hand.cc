#include <algorithm>
#include <array>
#include <string>

#include "env/core/at.h"
#include "env/games/seven_hand/game.h"
#include "env/games/seven_hand/observation_parts.h"

namespace dealer::seven_hand {
namespace {

// Replays the hand with the cards that the viewer knows and arbitrary others.
class ObservedHandReader : ObservedEvents {
 public:
  ObservedHandReader(const GameRules& rules, const ObservedHand& hand)
      : ObservedEvents(hand), rules_(rules), other_(1 - hand.viewer) {}

  std::vector<float> read() {
    collect();
    State state;
    state.deal(rules_, cards(), hand_.events.front().seat);
    for (index_ = 1; index_ < hand_.events.size(); ++index_) play(hand_.events[index_], state);
    std::vector<float> out(at(part::kSize));
    state.observe(hand_.viewer, out.data());
    out[part::kHands] = static_cast<float>(std::min(hand_.events.front().hand, kMostHands)) / kHandsScale;
    out[part::kPoints] = static_cast<float>(hand_.won_before) / static_cast<float>(rules_.most_points());
    return out;
  }

 private:
  // A turn of the opponent.
  struct Laying {
    std::size_t count;
    int chip = kChips;
    std::vector<Card> cards;  // cards shown, then arbitrary ones
  };

  void see(const Event& event) {
    for (const CardId card : event.cards) {
      if ((seen_ & bit(Card{card})) != 0) refuse("cards", "cards that have not been dealt before");
      seen_ |= bit(Card{card});
    }
  }

  void collect() {
    if (const Seat dealer = hand_.events.front().seat; dealer < 0) refuse("dealer", "0 or 1");
    for (index_ = 0; index_ < hand_.events.size(); ++index_) {
      const Event& event = hand_.events[index_];
      if (event.kind == Event::Kind::kDealt || event.kind == Event::Kind::kDrew) {
        if (event.seat != hand_.viewer) continue;
        see(event);
        own_.insert(own_.end(), event.cards.begin(), event.cards.end());
        if (own_.size() > kOwnCards) refuse("cards", "26 cards of a player at most");
      } else if (event.kind == Event::Kind::kOwn && event.what == kLaidEvent) {
        if (event.seat == other_) layings_.push_back({at(event.count), kChips, {}});
      } else if (event.kind == Event::Kind::kOwn) {
        if (event.slot < 1 || event.slot > kChips) refuse("chip", "1 to 7");
        if (event.seat == hand_.viewer && !layings_.empty()) layings_.back().chip = event.slot - 1;
      } else if (event.kind == Event::Kind::kShown && event.seat == other_) {
        see(event);
        for (Laying& laying : layings_)
          if (laying.chip == event.slot - 1) laying.cards.assign(event.cards.begin(), event.cards.end());
      }
    }
  }

  // Assigns the opponent's cards to draws in the order of laying, the earliest possible.
  std::array<std::array<Card, kOwnCards>, kSeats> cards() {
    std::vector<Card> unseen, theirs;
    for_each(kFullDeck & ~seen_, [&](Card card) { unseen.push_back(card); });
    const auto fill = [&](std::vector<Card>& list, std::size_t size) {
      for (; list.size() < size && !unseen.empty(); unseen.pop_back()) list.push_back(unseen.back());
    };
    for (Laying& laying : layings_) {
      fill(laying.cards, laying.count);
      std::sort(laying.cards.begin(), laying.cards.end());
      theirs.insert(theirs.end(), laying.cards.begin(), laying.cards.end());
    }
    fill(own_, kOwnCards);
    fill(theirs, kOwnCards);
    std::array<std::array<Card, kOwnCards>, kSeats> cards{};
    std::copy_n(own_.begin(), std::min<std::size_t>(own_.size(), kOwnCards), cards[at(hand_.viewer)].begin());
    std::copy_n(theirs.begin(), std::min<std::size_t>(theirs.size(), kOwnCards), cards[at(other_)].begin());
    return cards;
  }

  void play(const Event& event, State& state) {
    if (event.kind != Event::Kind::kOwn) return;
    const bool laid = event.what == kLaidEvent;
    // The last chip is taken without a decision.
    if (!laid && !state.naming()) return;
    if (state.hand_over() || laid == state.naming())
      refuse("event", state.hand_over() ? "the end of the hand" : laid ? "named" : "laid");
    if (event.seat != state.current_player()) refuse("seat", std::to_string(state.current_player()));
    if (!laid) {
      if ((state.legal_mask() >> (kFirstChip + event.slot - 1) & 1) == 0) refuse("chip", "one where nothing was laid");
      return state.apply_and_hold(kFirstChip + event.slot - 1);
    }
    std::vector<Card> cards(event.cards.begin(), event.cards.end());
    if (event.seat == other_) cards = layings_[laid_++].cards;
    std::sort(cards.begin(), cards.end());
    if (cards.empty() || cards.size() > kMostLaid) refuse("count", "1 to 5");
    const int turns = state.turns();
    for (const Card card : cards) {
      if (state.turns() != turns || state.naming() || (state.legal_mask() >> card & 1) == 0)
        refuse("cards", "cards of its hand");
      state.apply_and_hold(card);
    }
    if (state.turns() == turns && !state.naming()) state.apply_and_hold(kStop);
  }

  const GameRules& rules_;
  Seat other_;
  std::size_t laid_ = 0;
  CardSet seen_ = 0;
  std::vector<Card> own_;
  std::vector<Laying> layings_;
};

}  // namespace

std::vector<float> observe_hand(const GameRules& rules, const ObservedHand& hand) {
  return ObservedHandReader(rules, hand).read();
}

}  // namespace dealer::seven_hand
