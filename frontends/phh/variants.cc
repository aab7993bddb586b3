#include "frontends/phh/variants.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "env/core/at.h"

namespace dealer::phh {
namespace {

using Streets = std::vector<DealtStreet>;

Streets board_streets(int down) {
  return {
      {"before the flop", down}, {"flop", 0, 0, 3}, {"turn", 0, 0, 1, false, true}, {"river", 0, 0, 1, false, true}};
}

Streets stud_streets() {
  return {{"third street", 2, 1},
          {"fourth street", 0, 1},
          {"fifth street", 0, 1, 0, false, true},
          {"sixth street", 0, 1, 0, false, true},
          {"seventh street", 1, 0, 0, false, true}};
}

Streets draw_streets(int down, int draws) {
  Streets streets = {{"before the draw", down}};
  constexpr std::string_view kNames[] = {"first draw", "second draw", "third draw"};
  for (int draw = 0; draw < draws; ++draw)
    streets.push_back({draws == 1 ? "draw" : kNames[draw], 0, 0, 0, true, 2 * draw >= draws - 1});
  return streets;
}

}  // namespace

std::span<const StandardVariant> standard_variants() {
  constexpr auto kFixed = BetLimit::kFixed, kNone = BetLimit::kNone;
  constexpr std::string_view kDeck = "standard_52";
  static const std::vector<StandardVariant> kVariants = {
      {"FT", "fixed-limit hold'em", kFixed, kDeck, "high", "", board_streets(2)},
      {"NT", "no-limit hold'em", kNone, kDeck, "high", "", board_streets(2)},
      {"NS", "no-limit short-deck hold'em", kNone, "short_36", "short_deck", "", board_streets(2)},
      {"PO", "pot-limit Omaha", BetLimit::kPot, kDeck, "high", "", board_streets(4), 2},
      {"FO/8", "fixed-limit Omaha high-low", kFixed, kDeck, "high", "eight_or_better", board_streets(4), 2},
      {"F7S", "fixed-limit seven-card stud", kFixed, kDeck, "high", "", stud_streets()},
      {"F7S/8", "fixed-limit seven-card stud high-low", kFixed, kDeck, "high", "eight_or_better", stud_streets()},
      {"FR", "fixed-limit razz", kFixed, kDeck, "ace_to_five", "", stud_streets()},
      {"N2L1D", "no-limit deuce-to-seven single draw", kNone, kDeck, "deuce_to_seven", "", draw_streets(5, 1)},
      {"F2L3D", "fixed-limit deuce-to-seven triple draw", kFixed, kDeck, "deuce_to_seven", "", draw_streets(5, 3)},
      {"FB", "fixed-limit badugi", kFixed, kDeck, "badugi", "", draw_streets(4, 3)}};
  return kVariants;
}

const StandardVariant* find_variant(std::string_view code) {
  for (const StandardVariant& variant : standard_variants())
    if (variant.code == code) return &variant;
  return nullptr;
}

int StandardVariant::draws() const {
  return static_cast<int>(
      std::count_if(streets.begin(), streets.end(), [](const auto& street) { return street.draw; }));
}

int StandardVariant::hand_cards() const {
  int count = 0;
  for (const DealtStreet& street : streets) count += street.down + street.up;
  return count;
}

const Evaluator& StandardVariant::evaluator(std::string_view ranking) const {
  static std::mutex mutex;
  static std::map<std::pair<std::string_view, std::string_view>, EvaluatorPtr> made;
  const std::lock_guard lock(mutex);
  EvaluatorPtr& known = made[{deck, ranking}];
  if (!known) known = make_evaluator_at_first_use(Deck::make(deck), Ranking::make(ranking));
  return *known;
}

std::optional<HandValue> StandardVariant::best(const Evaluator& evaluator, std::span<const CardId> hand,
                                               std::span<const CardId> board) const {
  std::vector<CardId> cards(hand.begin(), hand.end());
  if (from_hand == 0) {
    cards.insert(cards.end(), board.begin(), board.end());
    const HandValue value = evaluator.evaluate(cards);
    return evaluator.qualifies(value, static_cast<int>(cards.size())) ? std::optional(value) : std::nullopt;
  }
  std::optional<HandValue> most;
  cards.assign(5, 0);
  for (std::size_t a = 0; a < hand.size(); ++a)
    for (std::size_t b = a + 1; b < hand.size(); ++b)
      for (std::size_t i = 0; i < board.size(); ++i)
        for (std::size_t j = i + 1; j < board.size(); ++j)
          for (std::size_t k = j + 1; k < board.size(); ++k) {
            cards = {hand[a], hand[b], board[i], board[j], board[k]};
            const HandValue value = evaluator.evaluate(cards);
            if (evaluator.qualifies(value) && (!most || value > *most)) most = value;
          }
  return most;
}

std::optional<HandValue> StandardVariant::high_value(std::span<const CardId> hand,
                                                     std::span<const CardId> board) const {
  return best(evaluator(high), hand, board);
}

std::optional<HandValue> StandardVariant::low_value(std::span<const CardId> hand, std::span<const CardId> board) const {
  return low.empty() ? std::nullopt : best(evaluator(low), hand, board);
}

}  // namespace dealer::phh
