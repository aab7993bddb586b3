#include "agents/seven_hand/simple_players.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "agents/agent_registry.h"
#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/whole_turns.h"

namespace dealer::seven_hand {
namespace {

int turns_left(const View& view) { return static_cast<int>(std::count(view.turn[0].begin(), view.turn[0].end(), 0)); }

// With the highest other cards of the hand, up to five: of equal combinations more kickers win.
CardSet with_kickers(CardSet group, CardSet hand) {
  for (CardSet rest = hand & ~group; rest != 0 && size(group) < kMostLaid;) {
    const CardSet highest = std::bit_floor(rest);
    group |= highest;
    rest &= ~highest;
  }
  return group;
}

CardSet strongest(CardSet hand) { return best_group(hand, false); }

// Which group to lay first.
using Lay = CardSet (*)(const View& view, CardSet hand);

// Pairs are joined into two pair and full houses where there are more combinations than turns.
CardSet strongest_first(const View& view, CardSet hand) {
  const Groups apart = share_out(hand, kTurns, true);
  const auto combinations =
      std::count_if(apart.cards.begin(), apart.cards.end(), [](CardSet group) { return size(group) > 1; });
  return combinations > turns_left(view) ? strongest(hand) : apart.cards[0];
}

CardSet weakest_first(const View& view, CardSet hand) {
  const Groups groups = share_out(hand, turns_left(view), false);
  return groups.cards[at(groups.count - 1)];
}

CardSet five_cards(const View&, CardSet hand) { return with_kickers(strongest(hand), hand); }

// One card that breaks up no combination, for as long as turns remain for all that is held.
CardSet hoard(const View& view, CardSet hand) {
  constexpr int kTurnsOfHands = 3;
  if (turns_left(view) <= kTurnsOfHands) return strongest(hand);
  const Groups groups = share_out(hand, kTurnsOfHands, false);
  return groups.rest != 0 ? groups.rest & -groups.rest : strongest(hand);
}

class Simple final : public WholeTurns {
 public:
  Simple(const GamePtr& game, Lay choose_cards, bool by_need)
      : WholeTurns(game), choose_cards_(choose_cards), by_need_(by_need) {}

 private:
  CardSet lay(const View& view, CardSet hand) override {
    return turns_left(view) == 1 ? with_kickers(strongest(hand), hand) : choose_cards_(view, hand);
  }

  int name_chip(const View& view) override { return by_need_ ? least_needed(view) : best_chip(line(), view); }

  // Where the opponent has least around it, and the observer most: by the chips of all threes it belongs to.
  static int least_needed(const View& view) {
    Best<int> best;
    for (int chip = 0; chip < kChips; ++chip) {
      if (view.turn[1][at(chip)] != 0) continue;
      double sum = 0;
      for (int first = std::max(0, chip - kAdjacent + 1); first <= std::min(chip, kChips - kAdjacent); ++first)
        for (int c = first; c < first + kAdjacent; ++c)
          if (c != chip) sum += (view.turn[0][at(c)] != 0 ? 1 : 0) - (view.turn[1][at(c)] != 0 ? 1 : 0);
      // A hand of the observer that lies there already meets it.
      best.offer(chip, view.turn[0][at(chip)] != 0 ? sum + 0.5 : sum);
    }
    return best.what();
  }

  Lay choose_cards_;
  bool by_need_;
};

template <Lay kLay, bool kByNeed = false>
AgentFactoryPtr make(const SimplePlayer&, const std::string& spec, const GamePtr& game) {
  return make_factory(spec, [game] { return std::make_unique<Simple>(game, kLay, kByNeed); });
}

constexpr std::array<SimplePlayer, 5> kPlayers = {{
    {"strongest", "lays its strongest combination first", make<strongest_first>},
    {"weakest", "lays its weakest combination first", make<weakest_first>},
    {"fives", "lays five cards whenever it can", make<five_cards>},
    {"hoarder", "lays single cards until three turns are left, then its strongest hands", make<hoard>},
    {"need", "strongest first; names the chip that the opponent needs least", make<strongest_first, true>},
}};

}  // namespace

std::span<const SimplePlayer> simple_players() { return kPlayers; }

}  // namespace dealer::seven_hand
