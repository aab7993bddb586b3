#include "env/hands/table_planes.h"

#include <algorithm>
#include <optional>

#include "env/core/random.h"
#include "env/hands/table_evaluator.h"

namespace dealer {
namespace {

constexpr int kTrials = 4000;
constexpr std::uint64_t kSeed = 0x5eed;
using Numbers = std::array<std::uint32_t, kMaxDeckSuits + 1>;

// A mix of suits (jokers last) and what it means.
struct Mix {
  std::array<int, kMaxDeckSuits + 1> count{};
  std::uint32_t meaning = 0;
};

void list_mixes(const EvaluatorTables& tables, const SuitSums& sums, int cards, std::vector<Mix>& mixes) {
  std::array<int, kMaxDeckSuits + 1> room{};
  for (std::size_t slot = 0; slot < room.size(); ++slot) room[slot] = tables.cards_of_suit[slot];
  Mix mix;
  const auto add = [&](auto&& self, std::size_t slot, int left) -> void {
    if (slot == mix.count.size()) {
      if (left > 0) return;
      std::uint32_t sum = 0;
      for (std::size_t i = 0; i < mix.count.size(); ++i)
        sum += static_cast<std::uint32_t>(mix.count[i]) * sums.of_suit[i];
      mix.meaning = cards == kHandCards ? tables.five().column_of_sum[sum] : tables.best_of->by_suits[1][sum];
      mixes.push_back(mix);
      return;
    }
    for (int n = 0; n <= std::min(left, room[slot]); ++n) {
      mix.count[slot] = n;
      self(self, slot + 1, left - n);
    }
    mix.count[slot] = 0;
  };
  add(add, 0, cards);
}

// Meanings by sum under these numbers (two bytes each, added separately); nothing when two different ones collide.
std::optional<std::vector<std::uint32_t>> meanings(const std::vector<Mix>& mixes, const Numbers& numbers, int planes) {
  constexpr std::uint32_t kFree = ~std::uint32_t{0};
  std::vector<std::uint32_t> of_sum(planes == 1 ? 1U << 8 : 1U << 16, kFree);
  for (const Mix& mix : mixes) {
    std::uint32_t low = 0, high = 0;
    for (std::size_t i = 0; i < mix.count.size(); ++i) {
      low += static_cast<std::uint32_t>(mix.count[i]) * (numbers[i] & 0xFF);
      high += static_cast<std::uint32_t>(mix.count[i]) * (numbers[i] >> 8);
    }
    std::uint32_t& slot = of_sum[(planes == 1 ? 0 : (high & 0xFF) << 8) | (low & 0xFF)];
    if (slot != kFree && slot != mix.meaning) return std::nullopt;
    slot = mix.meaning;
  }
  for (std::uint32_t& slot : of_sum) slot = slot == kFree ? 0 : slot;
  return of_sum;
}

bool fits_byte(std::uint32_t meaning, int cards) {
  return cards == kHandCards || (meaning & ~BestOfTables::kLook) < TablePlanes::kLookByte;
}

bool find_numbers(const EvaluatorTables& tables, int cards, TablePlanes& planes) {
  const SuitSums& sums = cards == kHandCards ? tables.suits : tables.best_of->suits;
  if (sums.size == 1) return true;
  std::vector<Mix> mixes;
  list_mixes(tables, sums, cards, mixes);
  const bool bytes =
      std::all_of(mixes.begin(), mixes.end(), [&](const Mix& mix) { return fits_byte(mix.meaning, cards); });
  RandomStream rng(kSeed);
  for (int trial = bytes ? 0 : kTrials; trial < 2 * kTrials; ++trial) {
    const int count = trial < kTrials ? 1 : 2;
    Numbers numbers{};
    for (std::uint32_t& number : numbers)
      number = static_cast<std::uint32_t>(rng.bits64()) & (count == 1 ? 0xFF : 0xFFFF);
    const auto found = meanings(mixes, numbers, count);
    if (!found) continue;
    planes.suit_planes = count;
    for (std::size_t id = 0; id < kMaxDeckCards; ++id) {
      const std::uint32_t number = numbers[tables.slot_of_card[id]];
      planes.suit_of_card[0].of[id] = static_cast<std::uint8_t>(number);
      planes.suit_of_card[1].of[id] = static_cast<std::uint8_t>(number >> 8);
    }
    if (count == 2) {
      planes.by_sums = *found;
    } else {
      for (std::size_t i = 0; i < found->size(); ++i)
        planes.by_sum.of[i] = static_cast<std::uint8_t>(
            ((*found)[i] & 0x7FFFFFFF) | (((*found)[i] & BestOfTables::kLook) != 0 ? TablePlanes::kLookByte : 0));
    }
    return true;
  }
  return false;
}

}  // namespace

TablePlanes make_planes(const EvaluatorTables& tables, int cards) {
  TablePlanes planes;
  if (cards != kHandCards && !tables.best_of) return planes;
  const CardKinds& kinds = cards == kHandCards ? tables.kinds : tables.best_of->kinds;
  if (kinds.size() > kMaxKinds) return planes;
  std::copy(kinds.of_card.begin(), kinds.of_card.end(), planes.kind_of_card.of.begin());
  for (std::size_t place = 0; place < static_cast<std::size_t>(cards); ++place) {
    for (std::size_t kind = 0; kind < static_cast<std::size_t>(kinds.size()); ++kind) {
      std::uint32_t step = kKindSteps(static_cast<int>(place), static_cast<std::uint8_t>(kind));
      for (int plane = 0; step > 0; ++plane, step /= TablePlanes::kBase) {
        if (plane == TablePlanes::kMaxStepPlanes) return planes;
        planes.step[static_cast<std::size_t>(plane)][place].of[kind] =
            static_cast<std::uint8_t>(step % TablePlanes::kBase);
        planes.step_planes = std::max(planes.step_planes, plane + 1);
      }
    }
  }
  planes.usable = find_numbers(tables, cards, planes);
  return planes;
}

}  // namespace dealer
