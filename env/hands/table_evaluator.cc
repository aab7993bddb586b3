#include "env/hands/table_evaluator.h"

#include <algorithm>
#include <cassert>

#include "env/core/error.h"
#include "env/hands/table_batch.h"
#include "env/hands/tables_cache.h"

namespace dealer {
namespace {

// A hand's kinds in ascending order, by insertion: hands are short.
std::uint32_t kind_index(const CardKinds& kinds, std::span<const CardId> hand) {
  std::array<std::uint8_t, kMaxBest> sorted{};
  std::size_t n = 0;
  for (const CardId card : hand) {
    const std::uint8_t kind = kinds.of_card[card];
    std::size_t at = n++;
    for (; at > 0 && sorted[at - 1] > kind; --at) sorted[at] = sorted[at - 1];
    sorted[at] = kind;
  }
  std::uint32_t index = 0;
  for (std::size_t place = 0; place < n; ++place) index += kKindSteps(static_cast<int>(place), sorted[place]);
  return index;
}

std::uint32_t suit_sum(const SuitSums& suits, std::span<const CardId> hand) {
  std::uint32_t sum = 0;
  for (const CardId card : hand) sum += suits.of_card[card];
  return sum;
}

class TableEvaluator final : public Evaluator {
 public:
  TableEvaluator(DeckPtr deck, RankingPtr ranking)
      : Evaluator(std::move(deck), std::move(ranking)),
        tables_(make_tables(RankingRules(this->deck(), this->ranking()))) {
    for (std::size_t size = 0; size < tables_.of_size.size(); ++size) {
      // first_[c]: the smallest value of that category or a stronger one.
      const std::vector<std::uint64_t>& keys = tables_.of_size[size].keys;
      for (std::size_t c = 0; c <= this->ranking().categories().size(); ++c) {
        const auto at = std::partition_point(keys.begin(), keys.end(), [&](std::uint64_t key) {
          return RankingRules::category_of_key(key) < static_cast<int>(c);
        });
        first_[size].push_back(static_cast<HandValue>(at - keys.begin()));
      }
    }
  }

  HandValue evaluate(std::span<const CardId> hand) const override { return tables_.evaluate(hand); }

  void evaluate5(std::span<const CardId> hands, std::span<HandValue> values) const override {
    check_sizes(5, hands.size(), values.size());
    table_batch::evaluate5(tables_, hands.data(), values.size(), values.data());
  }

  void evaluate7(std::span<const CardId> hands, std::span<HandValue> values) const override {
    check_sizes(7, hands.size(), values.size());
    table_batch::evaluate7(tables_, hands.data(), values.size(), values.data());
  }

  int category(HandValue value, int cards) const override {
    const std::vector<HandValue>& first = first_[static_cast<std::size_t>(std::min(cards, kHandCards)) - 1];
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), value) - first.begin()) - 1;
  }

  HandValue values(int cards) const override {
    return first_[static_cast<std::size_t>(std::min(cards, kHandCards)) - 1].back();
  }

 private:
  EvaluatorTables tables_;
  std::array<std::vector<HandValue>, kHandCards> first_;  // by size and category, one entry more at the end
};

}  // namespace

std::size_t compiling_work(const RankingRules& rules) {
  const CardKinds kinds(rules, rules.trump_ranks_matter());
  const auto pips = std::count_if(kinds.kinds.begin(), kinds.kinds.end(),
                                  [](const auto& kind) { return kind.type == CardKinds::Kind::Type::kPip; });
  const int natural = kinds.size() - (rules.deck().jokers() > 0 ? 1 : 0);
  std::size_t work = 0;
  for (int jokers = 0; jokers <= rules.deck().jokers(); ++jokers)
    work += kind_multisets(natural, kHandCards - jokers) * kind_multisets(static_cast<int>(pips), jokers);
  return work;
}

EvaluatorTables make_tables(const RankingRules& rules, std::size_t worth_keeping) {
  EvaluatorTables tables{CardKinds(rules, rules.trump_ranks_matter()),
                         SuitSums(rules.deck(), kHandCards + 1, rules.suits_matter())};
  if (!load_tables(rules, tables)) {
    for (int cards = 1; cards <= kHandCards; ++cards)
      tables.of_size[static_cast<std::size_t>(cards) - 1] =
          compile_hand_tables(rules, tables.kinds, tables.suits, cards);
    tables.best_of = compile_best_of(rules, tables.five());
    if (compiling_work(rules) >= worth_keeping) save_tables(rules, tables);
  }
  for (int id = 0; id < rules.deck().size(); ++id) {
    const DeckCard& card = rules.deck().card(static_cast<CardId>(id));
    const auto at = static_cast<std::size_t>(id);
    const std::size_t slot = card.suit < 0 ? kMaxDeckSuits : static_cast<std::size_t>(card.suit);
    tables.slot_of_card[at] = static_cast<std::uint8_t>(slot);
    ++tables.cards_of_suit[slot];
    tables.suit[at] = tables.position[at] = -1;
    if (card.suit < 0) continue;
    const SuitKind kind = rules.suit(card.suit).kind;
    if (kind == SuitKind::kExtra) continue;
    tables.suit[at] = card.suit;
    tables.position[at] = kind == SuitKind::kPips ? rules.position(card.rank) : card.rank;
    tables.trumps = kind == SuitKind::kTrumps ? card.suit : tables.trumps;
  }
  tables.planes5 = make_planes(tables, 5);
  tables.planes7 = make_planes(tables, 7);
  return tables;
}

std::uint32_t EvaluatorTables::evaluate(std::span<const CardId> hand) const {
  assert(!hand.empty() && hand.size() <= kMaxBest);
  if (hand.size() <= kHandCards) return of_size[hand.size() - 1].value(kind_index(kinds, hand), suit_sum(suits, hand));
  if (!best_of) return evaluate_subsets(hand);
  const std::size_t size = hand.size() - kHandCards - 1;
  const std::uint32_t by_suits = best_of->by_suits[size][suit_sum(best_of->suits, hand)];
  std::uint32_t value =
      std::max(best_of->by_ranks[size][kind_index(best_of->kinds, hand)], by_suits & ~BestOfTables::kLook);
  if ((by_suits & BestOfTables::kLook) != 0) value = std::max(value, look_at_suits(hand));
  return value;
}

std::uint32_t EvaluatorTables::look_at_suits(std::span<const CardId> hand) const {
  std::array<std::uint64_t, kMaxDeckSuits> held{};  // ranks of every suit of pips
  std::array<std::uint64_t, 2> trump{};
  std::size_t jokers = 0;
  for (const CardId card : hand) {
    const int rank = position[card];
    if (suit[card] < 0)
      jokers += best_of->kinds.kinds[best_of->kinds.of_card[card]].type == CardKinds::Kind::Type::kJoker ? 1 : 0;
    else if (suit[card] == trumps)
      trump[static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1} << (rank % 64);
    else
      held[static_cast<std::size_t>(suit[card])] |= std::uint64_t{1} << rank;
  }
  std::uint32_t best = 0;
  const std::vector<std::uint32_t>& flushes = best_of->one_suit[jokers];
  if (!flushes.empty())
    for (const std::uint64_t ranks : held) best = std::max(best, flushes[ranks]);
  if (best_of->run_length > 0) {
    // Bits whose four predecessors are also set.
    __extension__ using Wide = unsigned __int128;
    Wide runs = Wide{trump[1]} << 64 | trump[0];
    for (int i = 1; i < best_of->run_length; ++i) runs &= runs << 1;
    if (runs != 0) best = std::max(best, best_of->trump_run);
  }
  return best;
}

std::uint32_t EvaluatorTables::evaluate_subsets(std::span<const CardId> hand) const {
  std::uint32_t best = 0;
  std::array<CardId, kHandCards> five{};
  // Leaves out one card of six, two of seven.
  for (std::size_t out = 0; out < hand.size(); ++out) {
    for (std::size_t other = hand.size() == kMaxBest ? out + 1 : out; other < hand.size(); ++other) {
      if (hand.size() != kMaxBest && other != out) break;
      std::size_t n = 0;
      for (std::size_t i = 0; i < hand.size(); ++i)
        if (i != out && i != other) five[n++] = hand[i];
      best = std::max(best, evaluate(five));
    }
  }
  return best;
}

std::vector<HandValue> card_values(const Evaluator& evaluator) {
  const RankingRules rules(evaluator.deck(), evaluator.ranking());
  EvaluatorTables tables{CardKinds(rules, rules.trump_ranks_matter()),
                         SuitSums(rules.deck(), kHandCards + 1, rules.suits_matter())};
  const bool by_tables = tables_refusal(rules, tables.kinds).empty();
  if (by_tables) tables.of_size[0] = compile_hand_tables(rules, tables.kinds, tables.suits, 1);
  std::vector<HandValue> values;
  for (int i = 0; i < rules.deck().size(); ++i) {
    const std::array<CardId, 1> card = {static_cast<CardId>(i)};
    values.push_back(by_tables ? tables.evaluate(card) : evaluator.evaluate(card));
  }
  return values;
}

EvaluatorPtr make_table_evaluator(DeckPtr deck, RankingPtr ranking) {
  return std::make_shared<TableEvaluator>(std::move(deck), std::move(ranking));
}

}  // namespace dealer
