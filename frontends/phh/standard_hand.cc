// The table of a standard hand before the first card.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/standard_table.h"

namespace dealer::phh {
namespace {

// More players would need more cards than the deck has, known or not.
int most_players(const StandardVariant& variant) {
  int board = 0;
  for (const DealtStreet& street : variant.streets) board += street.board;
  // If the deck is too small for a last card each, one is dealt to all.
  const int each = variant.hand_cards() - (variant.has_bring_in() ? 1 : 0);
  return (variant.cards().size() - std::max(board, variant.has_bring_in() ? 1 : 0)) / each;
}

Amount chip_of(const HandHistory& hand) {
  Amount chip = 0;
  const auto add = [&](Amount amount) {
    if (amount != kUnknownStack) chip = std::gcd(chip, amount);
  };
  for (const auto* list : {&hand.antes, &hand.blinds_or_straddles, &hand.starting_stacks})
    for (const Amount amount : *list) add(amount);
  for (const auto& [field, amount] : kSingleAmounts) add((hand.*amount).value_or(0));
  for (const HandAction& action : hand.actions)
    if (action.kind == HandAction::Kind::kBetTo) add(action.amount);
  return std::max<Amount>(chip, 1);
}

bool trims_antes(const HandHistory& hand) {
  const bool all_alike = std::count(hand.antes.begin(), hand.antes.end(), hand.antes[0]) == hand.players();
  const TomlValue* value = hand.other("ante_trimming_status");
  if (value == nullptr) return false;
  if (value->kind != TomlValue::Kind::kBool) throw Problem{value->line, "ante_trimming_status: expected true or false"};
  return value->text == "true" && all_alike;
}

// Heads-up the second player pays the blind listed first in the standard.
std::vector<Amount> as_posted(std::vector<Amount> amounts) {
  if (amounts.size() == 2) std::swap(amounts[0], amounts[1]);
  return amounts;
}

}  // namespace

bool StandardHand::unknown_stacks() const {
  return std::find(stacks.begin(), stacks.end(), kUnknownStack) != stacks.end();
}

StandardHand standard_hand(const HandHistory& hand) {
  StandardHand table;
  table.variant = find_variant(hand.variant);
  const StandardVariant& variant = *table.variant;
  const auto refuse = [&](const char* field, const std::string& what) {
    throw Problem{hand.line_of(field), fmt::format("{}: {}", field, what)};
  };
  if (hand.players() > most_players(variant))
    refuse("starting_stacks", fmt::format("{} players; there are cards for {}", hand.players(), most_players(variant)));
  table.stacks = hand.starting_stacks;
  table.antes = as_posted(hand.antes);
  table.blinds.assign(hand.starting_stacks.size(), 0);
  table.out_of_turn.assign(hand.starting_stacks.size(), false);
  const std::vector<Amount> blinds = as_posted(hand.blinds_or_straddles);
  for (std::size_t i = 0; i < blinds.size(); ++i) {
    if (blinds[i] != 0 && variant.has_bring_in()) refuse("blinds_or_straddles", "stud has a bring-in instead");
    table.blinds[i] = std::abs(blinds[i]);
    table.out_of_turn[i] = blinds[i] < 0;
  }
  const auto positive = [&](const char* field, const std::optional<Amount>& amount) {
    if (amount.value_or(0) == 0) refuse(field, "expected more than 0");
    return *amount;
  };
  if (variant.limit == BetLimit::kFixed) {
    table.small_bet = positive("small_bet", hand.small_bet);
    table.big_bet = positive("big_bet", hand.big_bet);
    if (table.big_bet < table.small_bet) refuse("big_bet", "it is smaller than the small bet");
  } else {
    table.small_bet = table.big_bet = positive("min_bet", hand.min_bet);
  }
  if (variant.has_bring_in()) {
    table.bring_in = *hand.bring_in;
    if (table.bring_in >= table.small_bet) refuse("bring_in", "expected less than the small bet");
  } else if (hand.bring_in.value_or(0) != 0) {
    refuse("bring_in", fmt::format("variant {} has none", hand.variant));
  }
  table.trim_antes = trims_antes(hand);
  table.decimals = hand.decimals;
  table.chip = chip_of(hand);
  return table;
}

std::optional<std::vector<Amount>> winnings_of(const HandHistory& hand) {
  const TomlValue* list = hand.other("winnings");
  if (list == nullptr) return std::nullopt;
  std::vector<Amount> winnings;
  try {
    for (const TomlValue& item : list->items) winnings.push_back(parse_amount(item.text, hand.decimals));
  } catch (const ParseError& error) {
    throw Problem{list->line, fmt::format("winnings: {}", error.what())};
  }
  // Every pot has a winner: converters write zeros when they have not found one.
  if (std::all_of(winnings.begin(), winnings.end(), [](Amount won) { return won == 0; })) return std::nullopt;
  return winnings;
}

}  // namespace dealer::phh
