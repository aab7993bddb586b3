// The agents of this family of games, registered (docs/games.md).
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

#include "agents/agent_registry.h"
#include "agents/seven_hand/afterstate_features.h"
#include "agents/seven_hand/chip_odds.h"
#include "agents/seven_hand/groups.h"
#include "agents/seven_hand/input_features.h"
#include "agents/seven_hand/search_play.h"
#include "agents/seven_hand/turn_evaluator.h"
#include "agents/seven_hand/value_agent.h"
#include "agents/seven_hand/whole_turns.h"
#include "env/core/error.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {
namespace {

CardSet cards_to_lay(const ChipOdds& odds, CardSet hand) {
  const int turns = odds.turns_left();
  Best<CardSet> best;
  const auto consider = [&](CardSet cards) {
    best.offer(cards, odds.value_of_laying(cards, odds.reserve(hand & ~cards, turns - 1)));
  };
  // Adds these cards alone, with the lowest spare cards, which are missed least, and with the highest, as kickers.
  const auto with_spare = [&](CardSet cards, CardSet rest) {
    if (cards != 0) consider(cards);
    for (const bool low : {true, false}) {
      CardSet more = cards;
      for (CardSet left = rest; left != 0 && size(more) < kMostLaid;) {
        const CardSet card = low ? left & -left : std::bit_floor(left);
        left &= ~card;
        more |= card;
        consider(more);
      }
    }
  };
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    for (int g = 0; g < groups.count; ++g) with_spare(groups.cards[static_cast<std::size_t>(g)], groups.rest);
    with_spare(0, groups.rest);
  }
  return best.what();
}

// The heuristic agent of 7-Hand Poker. ChipOdds estimates the probability of taking each chip, LineValues the resulting
// value of the line, including threats of three adjacent chips.
//   Laying: each group of cards that belong together, bare or with spare cards beside it so that it looks like more.
//   Naming: the chip that leaves the line worth most.
// Deterministic.
class RuleAgent final : public WholeTurns {
 public:
  using WholeTurns::WholeTurns;

 private:
  CardSet lay(const View& view, CardSet hand) override { return cards_to_lay(ChipOdds(line(), view), hand); }
  int name_chip(const View& view) override { return best_chip(line(), view); }
};

AgentFactoryPtr make_rule_agents(const Spec& spec, const GamePtr& game) {
  rule_options(spec).finish();
  return make_factory(to_string(spec), [game] { return std::make_unique<RuleAgent>(game); });
}

int turns_left(const View& view) { return static_cast<int>(std::count(view.turn[0].begin(), view.turn[0].end(), 0)); }

// Adds the highest other cards of the hand, up to five: between equal combinations more kickers win.
CardSet with_kickers(CardSet group, CardSet hand) {
  for (CardSet rest = hand & ~group; rest != 0 && size(group) < kMostLaid;) {
    const CardSet highest = std::bit_floor(rest);
    group |= highest;
    rest &= ~highest;
  }
  return group;
}

CardSet strongest(CardSet hand) { return best_group(hand, false); }

// The choice of the group to lay first.
using Lay = CardSet (*)(const View& view, CardSet hand);

// Pairs are joined into two pair and full houses if there are more combinations than turns.
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

// One card that breaks no combination, as long as enough turns remain for all combinations held.
CardSet hoard(const View& view, CardSet hand) {
  constexpr int kTurnsOfHands = 3;
  if (turns_left(view) <= kTurnsOfHands) return strongest(hand);
  const Groups groups = share_out(hand, kTurnsOfHands, false);
  return groups.rest != 0 ? groups.rest & -groups.rest : strongest(hand);
}

// Players of one idea each. All are deterministic; they divide their cards into the strongest groups, and lay the
// strongest hand they can in their last turn.
class Simple final : public WholeTurns {
 public:
  Simple(const GamePtr& game, Lay choose_cards, bool by_need)
      : WholeTurns(game), choose_cards_(choose_cards), by_need_(by_need) {}

 private:
  CardSet lay(const View& view, CardSet hand) override {
    return turns_left(view) == 1 ? with_kickers(strongest(hand), hand) : choose_cards_(view, hand);
  }

  int name_chip(const View& view) override { return by_need_ ? least_needed(view) : best_chip(line(), view); }

  // The chip where the opponent is weakest and the observer strongest, over all threes it belongs to.
  static int least_needed(const View& view) {
    Best<int> best;
    for (int chip = 0; chip < kChips; ++chip) {
      if (view.turn[1][at(chip)] != 0) continue;
      double sum = 0;
      for (int first = std::max(0, chip - kAdjacent + 1); first <= std::min(chip, kChips - kAdjacent); ++first)
        for (int c = first; c < first + kAdjacent; ++c)
          if (c != chip) sum += (view.turn[0][at(c)] != 0 ? 1 : 0) - (view.turn[1][at(c)] != 0 ? 1 : 0);
      // A hand of the observer already lies opposite.
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

// The turns that TurnEvaluator values, as inputs of its network.
class TurnEncoder final : public AfterstateEncoder {
 public:
  explicit TurnEncoder(std::shared_ptr<const Game> game) : game_(std::move(game)), features_(game_->rules()) {}

  int size() const override { return feature::kCount; }

  std::vector<EncodedAfterstate> encode(const Observation& seen) const override {
    const View view = State::decode(game_->rules(), seen.data), turn = turn_begun(view);
    if (view.to_act != 0) throw UsageError("there is nothing to choose: the observer is not to act");
    std::vector<CardSet> layings;
    std::vector<TurnChoice> choices;
    // The cards picked so far may not be the beginning of any listed turn.
    list_choices(turn, view.picked, layings, choices);
    const AfterstateFeatures::Common common = features_.common(turn);
    std::vector<EncodedAfterstate> all;
    for (const TurnChoice& choice : choices) {
      if ((view.picked & ~choice.cards) != 0) continue;
      FeatureList list = common.list;
      features_.add_choice(turn, common, choice.cards, choice.chip, list);
      all.push_back({line_of(view, choice), text_of(choice), {{list.active().begin(), list.active().end()}}});
    }
    return all;
  }

 private:
  std::shared_ptr<const Game> game_;
  AfterstateFeatures features_;
};

AfterstateEncoderPtr make_afterstate_encoder(const GamePtr& game) {
  return std::make_shared<const TurnEncoder>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace

void register_agents(AgentFamilies& families) {
  families["seven_hand"] = {.plays = [](const dealer::Game& game) { return as_seven_hand(game) != nullptr; },
                            .rule = make_rule_agents,
                            .zoo = kPlayers,
                            .trained = make_value_agents,
                            .input_features = make_input_features,
                            .afterstates = make_afterstate_encoder,
                            .search = make_seven_hand_search};
}

}  // namespace dealer::seven_hand
