#include "arena/studies/seven_hand/figures.h"

#include <nlohmann/json.hpp>
#include <string>

#include "env/core/at.h"

namespace dealer::studies::seven_hand {
namespace {

struct Words {
  std::string_view name, title;
};

constexpr std::array<Words, kChipStates> kStates = {{{"middle", "chip 3, 4 or 5"},
                                                     {"ends", "chip 1, 2, 6 or 7"},
                                                     {"empty", "nobody lies there"},
                                                     {"opposed", "the namer lies there"},
                                                     {"against_fewer", "… with fewer cards"},
                                                     {"against_equal", "… with as many"},
                                                     {"against_more", "… with more cards"},
                                                     {"open_beside", "all beside it open"},
                                                     {"mover_beside", "beside the mover's"},
                                                     {"namer_beside", "beside the namer's"},
                                                     {"mover_threat", "mover's third in a row"},
                                                     {"namer_threat", "namer's third in a row"}}};

constexpr std::array<Words, kGroupClasses> kClasses = {{{"many_weak", "many weak"},
                                                        {"few_weak", "few weak"},
                                                        {"few_strong", "few strong"},
                                                        {"many_strong", "many strong"}}};

// Whether a chip beside it is so.
template <class F>
bool beside(int chip, F&& is_so) {
  return (chip > 0 && is_so(chip - 1)) || (chip + 1 < kChips && is_so(chip + 1));
}

// Whether the role has three adjacent chips once it takes this one.
bool threatened_by(int role, const Laying& laying, int chip) {
  dealer::seven_hand::View view;
  view.owner = laying.line;
  return dealer::seven_hand::threatens(view, chip, role);
}

using Json = nlohmann::ordered_json;

Json json_of(const Estimate& estimate) { return studies::to_json(estimate); }
Json json_of(const Sending& sending) { return {{"rate", json_of(sending.rate)}, {"chance", json_of(sending.chance)}}; }
Json json_of(const GroupFigures& group) {
  return {{"share", json_of(group.share)},       {"showdowns", json_of(group.showdowns)},
          {"strength", json_of(group.strength)}, {"takes", json_of(group.takes)},
          {"beyond", json_of(group.beyond)},     {"points", json_of(group.points)}};
}
Json json_of(const Fare& fare) { return {{"points", json_of(fare.points)}, {"less", json_of(fare.less)}}; }
Json json_of(const Habit& habit) { return {{"rate", json_of(habit.rate)}, {"less", json_of(habit.less)}}; }
template <class T, std::size_t n>
Json json_of(const std::array<T, n>& items) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(json_of(item));
  return list;
}

Json chips_json(const Figures& f) {
  Json list = Json::array();
  for (std::size_t c = 0; c < kChips; ++c) {
    const ChipFigures& chip = f.chips[c];
    list.push_back({{"chip", c + 1},
                    {"used", json_of(chip.used)},
                    {"cards", json_of(chip.cards)},
                    {"turn", json_of(chip.turn)},
                    {"showdowns", json_of(chip.showdowns)},
                    {"taken_by_second", json_of(chip.taken_by_second)},
                    {"taken_by_starter", json_of(chip.taken_by_starter)},
                    {"tied", json_of(chip.tied)},
                    {"win_rate", json_of(chip.win_rate)}});
  }
  return list;
}

Json turns_json(const Figures& f) {
  Json list = Json::array();
  for (std::size_t t = 0; t < kTurns; ++t) {
    const TurnFigures& turn = f.turns[t];
    list.push_back({{"turn", t + 1},
                    {"cards", json_of(turn.cards)},
                    {"numbers", json_of(turn.numbers)},
                    {"chips", json_of(turn.chips)},
                    {"cards_at", json_of(turn.cards_at)}});
  }
  return list;
}

Json states_json(const Figures& f) {
  Json states = Json::object();
  for (int s = 0; s < kChipStates; ++s)
    states[std::string(kStates[at(s)].name)] = {{"all", json_of(f.states[at(s)].all)},
                                                {"few", json_of(f.states[at(s)].few)},
                                                {"many", json_of(f.states[at(s)].many)}};
  return states;
}

Json classes_json(const Figures& f) {
  Json classes = Json::object();
  for (int k = 0; k < kGroupClasses; ++k) classes[std::string(kClasses[at(k)].name)] = json_of(f.classes[at(k)]);
  return classes;
}

Json ends_json(const EndFigures& ends) {
  return {{"three_adjacent", json_of(ends.three_adjacent)},
          {"majority", json_of(ends.majority)},
          {"drawn", json_of(ends.drawn)},
          {"three_with_fewer", json_of(ends.three_with_fewer)},
          {"rows", json_of(ends.rows)},
          {"turns", json_of(ends.turns)},
          {"showdowns", json_of(ends.showdowns)},
          {"margins", json_of(ends.margins)}};
}

Json advice_json(const AdviceFigures& advice) {
  if (advice.tries == 0) return nullptr;
  Json states = Json::object();
  for (std::size_t s = 0; s < kChipStates; ++s) states[std::string(kStates[s].name)] = json_of(advice.states[s]);
  return {{"tries", advice.tries},
          {"numbers", json_of(advice.numbers)},
          {"chips", json_of(advice.chips)},
          {"states", std::move(states)},
          {"differences",
           {{"many_few_early", json_of(advice.many_few_early)},
            {"many_few_late", json_of(advice.many_few_late)},
            {"middle_ends_many", json_of(advice.middle_ends_many)},
            {"middle_ends_few", json_of(advice.middle_ends_few)},
            {"opposed_empty", json_of(advice.opposed_empty)}}}};
}

Json responses_json(const ResponseFigures& responses) {
  if (responses.responder.empty()) return nullptr;
  Json classes = Json::object();
  for (std::size_t k = 0; k < kGroupClasses; ++k)
    classes[std::string(kClasses[k].name)] = json_of(responses.classes[k]);
  return {{"responder", responses.responder},
          {"hands", responses.hands},
          {"points", json_of(responses.points)},
          {"win_rate", json_of(responses.win_rate)},
          {"sent", json_of(responses.sent)},
          {"turns", json_of(responses.turns)},
          {"classes", std::move(classes)},
          {"named", json_of(responses.named)},
          {"laid", json_of(responses.laid)},
          {"differences",
           {{"cards", json_of(responses.cards)},
            {"middle_many", json_of(responses.middle_many)},
            {"middle_few", json_of(responses.middle_few)}}}};
}

}  // namespace

std::string_view name_of(ChipState state) { return kStates[at(state)].name; }
std::string_view title_of(ChipState state) { return kStates[at(state)].title; }
std::string_view name_of(GroupClass group) { return kClasses[at(group)].name; }
std::string_view title_of(GroupClass group) { return kClasses[at(group)].title; }

bool is_in(ChipState state, const Laying& laying, int chip) {
  const int opposite = laying.opposite[at(chip)];
  const auto belongs_to = [&](int role) { return [&, role](int c) { return laying.line[at(c)] == role; }; };
  switch (state) {
    case kInMiddle:
      return is_middle(chip);
    case kAtEnds:
      return !is_middle(chip);
    case kEmpty:
      return opposite == 0;
    case kOpposed:
      return opposite > 0;
    case kAgainstFewer:
      return opposite > 0 && opposite < laying.count();
    case kAgainstEqual:
      return opposite == laying.count();
    case kAgainstMore:
      return opposite > laying.count();
    case kOpenBeside:
      return !beside(chip, [&](int c) { return laying.line[at(c)] != kNotYet; });
    case kMoverBeside:
      return beside(chip, belongs_to(laying.role));
    case kNamerBeside:
      return beside(chip, belongs_to(1 - laying.role));
    case kMoverThreat:
      return threatened_by(laying.role, laying, chip);
    case kNamerThreat:
      return threatened_by(1 - laying.role, laying, chip);
    case kChipStates:
      break;
  }
  return false;
}

GroupClass class_of(int count, int quarter) {
  const bool weak = quarter == 0, strong = quarter == kQuarters - 1;
  if (is_many(count)) return weak ? kManyWeak : strong ? kManyStrong : kGroupClasses;
  if (is_few(count)) return weak ? kFewWeak : strong ? kFewStrong : kGroupClasses;
  return kGroupClasses;
}

Json to_json(const Figures& f) {
  return {
      {"chips", chips_json(f)},
      {"turns", turns_json(f)},
      {"sent", json_of(f.sent)},
      {"states", states_json(f)},
      {"wins",
       {{"middle", json_of(f.win_by_middle)}, {"ends", json_of(f.win_by_ends)}, {"both", json_of(f.win_by_both)}}},
      {"first_move",
       {{"points", json_of(f.first_points)}, {"wins", json_of(f.first_wins)}, {"win_rate", json_of(f.first_win_rate)}}},
      {"groups", json_of(f.groups)},
      {"classes", classes_json(f)},
      {"ends", ends_json(f.ends)},
      {"advice", advice_json(f.advice)},
      {"responses", responses_json(f.responses)},
      {"differences",
       {{"cards_middle_ends", json_of(f.cards_middle_ends)},
        {"turn_middle_ends", json_of(f.turn_middle_ends)},
        {"cards_late_early", json_of(f.cards_late_early)},
        {"middle_many_few", json_of(f.middle_many_few)},
        {"sent_opposed_empty", json_of(f.sent_opposed_empty)},
        {"win_middle_ends", json_of(f.win_middle_ends)},
        {"points_many_few_weak", json_of(f.points_many_few_weak)},
        {"points_few_many_strong", json_of(f.points_few_many_strong)}}}};
}

}  // namespace dealer::studies::seven_hand
