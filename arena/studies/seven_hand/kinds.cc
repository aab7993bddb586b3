#include "arena/studies/seven_hand/kinds.h"

#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

// True if an adjacent chip has the property.
template <class F>
bool beside(int chip, F&& is_so) {
  return (chip > 0 && is_so(chip - 1)) || (chip + 1 < kChips && is_so(chip + 1));
}

bool is_beside(int role, const Laying& laying, int chip) {
  return beside(chip, [&](int c) { return laying.line[at(c)] == role; });
}

// True if the role has three adjacent chips once it takes this one.
bool is_threat(int role, const Laying& laying, int chip) {
  dealer::seven_hand::View view;
  view.owner = laying.line;
  return dealer::seven_hand::threatens(view, chip, role);
}

int opposite(const Laying& laying, int chip) { return laying.opposite[at(chip)]; }

constexpr Named kStates[] = {{"middle", "chip 3, 4 or 5"},
                             {"ends", "chip 1, 2, 6 or 7"},
                             {"empty", "empty"},
                             {"opposed", "the namer has cards"},  // so that there is a showdown at once
                             {"against_fewer", "… fewer cards"},
                             {"against_equal", "… as many"},
                             {"against_more", "… more cards"},
                             {"open_beside", "all neighbours open"},
                             {"mover_beside", "next to the mover's"},
                             {"namer_beside", "next to the namer's"},
                             {"mover_threat", "mover's third in a row"},
                             {"namer_threat", "namer's third in a row"}};

// In the same order.
constexpr bool (*kIsIn[])(const Laying&, int) = {
    [](const Laying&, int chip) { return is_middle(chip); },
    [](const Laying&, int chip) { return !is_middle(chip); },
    [](const Laying& laying, int chip) { return opposite(laying, chip) == 0; },
    [](const Laying& laying, int chip) { return opposite(laying, chip) > 0; },
    [](const Laying& laying, int chip) {
      return opposite(laying, chip) > 0 && opposite(laying, chip) < laying.count();
    },
    [](const Laying& laying, int chip) { return opposite(laying, chip) == laying.count(); },
    [](const Laying& laying, int chip) { return opposite(laying, chip) > laying.count(); },
    [](const Laying& laying, int chip) { return !beside(chip, [&](int c) { return laying.line[at(c)] != kNotYet; }); },
    [](const Laying& laying, int chip) { return is_beside(laying.role, laying, chip); },
    [](const Laying& laying, int chip) { return is_beside(1 - laying.role, laying, chip); },
    [](const Laying& laying, int chip) { return is_threat(laying.role, laying, chip); },
    [](const Laying& laying, int chip) { return is_threat(1 - laying.role, laying, chip); }};
static_assert(std::size(kStates) == std::size(kIsIn));

constexpr Named kClasses[] = {
    {"many_weak", "many weak"}, {"few_weak", "few weak"}, {"few_strong", "few strong"}, {"many_strong", "many strong"}};

}  // namespace

std::span<const Named> chip_states() { return kStates; }
bool is_in(std::size_t state, const Laying& laying, int chip) { return kIsIn[state](laying, chip); }

std::span<const Named> group_classes() { return kClasses; }

std::string_view class_of(int count, int quarter) {
  const bool weak = quarter == 0, strong = quarter == kQuarters - 1;
  if (is_many(count)) return weak ? "many_weak" : strong ? "many_strong" : "";
  if (is_few(count)) return weak ? "few_weak" : strong ? "few_strong" : "";
  return "";
}

}  // namespace dealer::studies::seven_hand
