#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "env/core/error.h"
#include "env/games/poker/parts.h"
#include "env/hands/table_evaluator.h"

namespace dealer::poker {
namespace {

// Slots of the betting history in an observation, of four numbers each.
constexpr std::int64_t kMaxSlots = 5000;
// Limit for one seat in one round: rules that need more are rejected.
constexpr std::int64_t kMaxTurns = 1 << 16;

// Upper bound on the number of bets and raises: every full bet but the first of a round counts toward a cap and lifts
// the level by a minimum bet; a short one takes a player's last chips.
struct BetBounds {
  std::int64_t round = 0;   // in one round, by all
  std::int64_t others = 0;  // in one round, by all but one seat
  std::int64_t hand = 0;
};

BetBounds bound_bets(const GameRules& rules) {
  const std::int64_t n = rules.players;
  const betting::BetRules& bets = rules.bets;
  // The player with the last full bet has called all earlier ones, and no raise exceeds what a second player could
  // still call: all full bets but the last fit into the second largest stack.
  const std::int64_t most = rules.is_tournament() ? rules.tournament_chips / 2
                            : rules.episode == Episode::kHand
                                ? rules.stack
                                : std::int64_t{rules.stack} * (n / 2) + rules.stack * (n % 2);
  const std::int64_t by_chips = most / bets.size[0] + 1;
  BetBounds bounds;
  // A short bet or raise is a player's last, so it replaces a raise under that player's cap.
  const std::int64_t each = std::max(bets.raises_per_player, 1);
  bounds.round = 1 + std::min({n * each, bets.raises_per_round + n, by_chips + n});
  bounds.others = 1 + std::min({(n - 1) * each, bets.raises_per_round + n - 1, by_chips + n});
  bounds.hand = std::min(rules.rounds * bounds.round, by_chips + n);
  return bounds;
}

// Every player once a round, and after every bet all others.
std::int64_t bound_actions(const GameRules& rules, const BetBounds& bounds) {
  const std::int64_t n = rules.players;
  return rules.rounds * n + bounds.hand * (n - 1);
}

// Packs data that fits into any state; the rest is rejected afterwards.
Packing pack(const GameRules& rules) {
  const int n = rules.players;
  const bool draw = rules.procedure == Procedure::kDraw;
  Packing packing;
  packing.hand = rules.hand_cards;
  packing.board = n * packing.hand;
  packing.stock = packing.board + (rules.procedure == Procedure::kHoldem ? kMaxBoard : rules.has_board() ? 1 : 0);
  packing.when = packing.stock + rules.shuffled;
  packing.discarded = packing.when + (draw ? 2 * n : 0);
  packing.taken_out = packing.discarded + rules.draws * n * kDiscardBytes;
  packing.orbits = packing.taken_out + (rules.random_mix() ? static_cast<int>(rules.deck->ranks().size()) : 0);
  // One for each round, plus one after every bet.
  const int orbits = rules.rounds + rules.max_bets;
  packing.amounts = packing.orbits + (orbits * n * 2 + 7) / 8;
  packing.size = packing.amounts + 3 * rules.max_bets;
  packing.orbits_at_once = (64 - 7) / (2 * n);
  for (int orbit = 0; orbit < packing.orbits_at_once; ++orbit)
    packing.every_orbit |= std::uint64_t{1} << (orbit * 2 * n);
  return packing;
}

void list_cards(GameRules& rules) {
  const Deck& deck = *rules.deck;
  rules.transparent_index.fill(GameRules::kOpaque);
  for (int i = 0; i < deck.size(); ++i) {
    const auto id = static_cast<CardId>(i);
    const DeckCard& card = deck.card(id);
    if (!rules.random_mix())
      rules.new_deck[id] = id;
    else if (card.transparent || card.suit < 0)
      rules.replaceable.emplace_back();
    else
      rules.replaceable.push_back({static_cast<std::uint8_t>(card.rank), static_cast<std::uint8_t>(card.suit)});
    if (!card.transparent) continue;
    rules.transparent_index[id] = static_cast<std::uint8_t>(rules.transparent.size());
    rules.transparent.push_back(id);
  }
}

// Key of the stud opener: the lowest value, in lowball the highest card; equal cards by suit: spades are high, then
// hearts, diamonds, clubs, and Washizu cards lowest of all.
void order_up_cards(GameRules& rules) {
  const bool low = rules.high->ranking().low();
  const std::vector<HandValue> values = card_values(*rules.high);
  std::vector<std::pair<std::uint32_t, CardId>> order;
  for (int i = 0; i < rules.deck->size(); ++i) {
    const auto id = static_cast<CardId>(i);
    const std::uint32_t suit = static_cast<std::uint32_t>(rules.deck->card(id).suit + 1);
    order.emplace_back(values[id] * 32 + (low ? suit : 31 - suit), id);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) rules.opener_key[order[i].second] = static_cast<std::uint16_t>(i);
}

}  // namespace

void finish_rules(GameRules& rules) {
  const int cards = rules.deck->cards_in_play(), n = rules.players;
  rules.opens_left_of_dealer = rules.procedure != Procedure::kStud || rules.deck->is_court();
  switch (rules.procedure) {
    case Procedure::kDraw:
      rules.hand_cards = rules.high->ranking().hand_cards();
      rules.shuffled = n * rules.hand_cards * (1 + rules.draws);
      break;
    case Procedure::kStud:
      rules.shuffled = n * kHandCards;
      rules.hand_cards = kHandCards;
      break;
    case Procedure::kHoldem:
      rules.shuffled = 2 * n + kMaxBoard;
      rules.hand_cards = 2;
  }
  rules.shuffled = std::min(rules.shuffled, cards);
  list_cards(rules);
  if (!rules.opens_left_of_dealer) order_up_cards(rules);
  const BetBounds bounds = bound_bets(rules);
  const auto clamped = [](std::int64_t count) { return static_cast<int>(std::min(count, kMaxTurns)); };
  rules.turns = clamped(1 + bounds.others);
  rules.max_bets = clamped(bounds.hand);
  rules.packing = pack(rules);
  // Scaled so that a bet is more than a thirty-third, which networks resolve better than hundredths of a deep stack.
  const Chips unit = std::min(rules.stack, 16 * std::min(rules.bets.size[0], rules.stack));
  rules.scale = std::ldexp(1.0F, -static_cast<int>(std::bit_width(static_cast<unsigned>(unit - 1))));
  rules.parts = std::make_shared<Parts>(rules);
}

void check_bounds(const GameRules& rules, const Config& config) {
  const BetBounds bounds = bound_bets(rules);
  const std::int64_t slots = std::int64_t{rules.rounds} * rules.players * (1 + bounds.others);
  if (rules.packing.size + kWordBytes <= kPackedBytes && rules.rounds + rules.max_bets <= 255 && slots <= kMaxSlots)
    return;
  const char* key = config.has("raises_per_round") ? "raises_per_round" : "raises_per_player";
  throw ConfigError(fmt::format(
      "{}: a hand of {} players with stacks of {}{} could have {} bets and {} actions, more than is kept of a hand; "
      "expected a cap on raises, a larger min_bet or smaller stacks",
      config.where(key), rules.players, rules.stack,
      rules.is_tournament() ? fmt::format(" in a tournament with {} chips", rules.tournament_chips) : "", bounds.hand,
      bound_actions(rules, bounds)));
}

}  // namespace dealer::poker
