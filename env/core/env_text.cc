#include "env/core/env_text.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"

namespace dealer {

std::string illegal_action_message(Action action, LegalMask mask, int num_actions) {
  std::string allowed;
  for (int a = 0; a < num_actions; ++a)
    if (in_mask(a, mask)) allowed += (allowed.empty() ? "" : ", ") + std::to_string(a);
  if (allowed.empty()) return fmt::format("action {} is not legal: nobody is to act", action);
  return fmt::format("action {} is not legal; expected one of: {}", action, allowed);
}

std::string illegal_amount_message(Amount amount, const AmountRange& range) {
  if (range.empty()) return fmt::format("an amount of {} is not legal: no amount may be named now", amount);
  const std::string steps = range.step == 1 ? "" : fmt::format(" in steps of {}", range.step);
  return fmt::format("an amount of {} is not legal; expected {} to {}{}", amount, range.low, range.high, steps);
}

void add_range(const AmountRange& range, std::vector<Choice>& choices) {
  if (range.empty()) return;
  for (const Choice& choice : choices) {
    if (choice.amount.empty()) continue;
    choices.push_back({kNoAction, choice.text.substr(0, choice.text.rfind(' ')), choice.kind, {}, range});
    return;
  }
}

std::uint64_t observation_hash(std::span<const float> observation, std::uint64_t before) {
  std::uint64_t hash = mix64(before ^ observation.size());
  for (std::size_t i = 0; i < observation.size(); ++i)
    if (observation[i] != 0)
      hash = mix64(hash ^ (std::uint64_t{i} << 32 | std::bit_cast<std::uint32_t>(observation[i])));
  return hash;
}

std::string information_text(const Game& game, const Observation& observation, std::uint64_t before) {
  std::string text = before == 0 ? "" : fmt::format("before:{:016x}", before);
  for (const ObservationPart& part : game.observation_spec().parts()) {
    bool named = false;
    for (int i = 0; i < part.size(); ++i) {
      const float value = observation.data[at(part.offset + i)];
      if (value == 0) continue;
      text += named ? "," : fmt::format("{}{}:", text.empty() ? "" : " ", part.name);
      named = true;
      text += value == 1 ? std::to_string(i) : fmt::format("{}={}", i, value);
    }
  }
  return text;
}

namespace {

std::string list_of(const std::vector<Choice>& choices) {
  std::string text;
  for (const Choice& choice : choices) {
    const bool amounts = choice.action == kNoAction;
    // A single amount is already among the actions.
    if (amounts && choice.amount.low == choice.amount.high) continue;
    text += (text.empty() ? "" : ", ") + choice.text;
    if (amounts) text += fmt::format(" {}..{}", choice.amount.low, choice.amount.high);
  }
  return text.empty() ? "nothing: nobody is to act" : text;
}

// Nothing if the text is not an amount in the words of the range.
std::optional<Amount> amount_in(std::string_view text, const Choice& range) {
  if (!text.starts_with(range.text) || text.size() <= range.text.size() + 1 || text[range.text.size()] != ' ')
    return std::nullopt;
  text.remove_prefix(range.text.size() + 1);
  return number_in<Amount>(text);
}

nlohmann::json option_json(const std::string& text) {
  nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
  return value.is_discarded() ? nlohmann::json(text) : value;
}

void write_choice(const Game& game, const Choice& choice, JsonWriter& json) {
  json.begin_object();
  choice.action == kNoAction ? json.member("index", nullptr) : json.member("index", choice.action);
  json.member("text", choice.text);
  json.member("kind", choice.kind);
  if (choice.kind == "discard" || choice.kind == "keep" || choice.kind == "place")
    json.array("cards", choice.cards, [&](CardId card) { return game.card_to_string(card); });
  if (choice.action == kNoAction) {
    json.member("min", choice.amount.low);
    json.member("max", choice.amount.high);
    json.member("step", choice.amount.step);
  } else if (!choice.amount.empty()) {
    json.member("amount", choice.amount.low);
  }
  json.end_object();
}

}  // namespace

void write_choices(const Env& env, JsonWriter& json) {
  json.begin_array();
  for (const Choice& choice : env.choices()) write_choice(env.game(), choice, json);
  json.end_array();
}

std::vector<Action> Observation::legal_actions() const {
  std::vector<Action> actions;
  for (LegalMask mask = legal_mask; mask != 0; mask &= mask - 1)
    actions.push_back(static_cast<Action>(std::countr_zero(mask)));
  return actions;
}

Decision Env::parse_decision(std::string_view text) const {
  const std::vector<Choice> all = choices();
  for (const Choice& choice : all)
    if (choice.action != kNoAction && choice.text == text) return choice.action;
  if (!all.empty() && all.back().action == kNoAction) {
    if (const std::optional<Amount> amount = amount_in(text, all.back())) {
      if (all.back().amount.contains(*amount)) return Decision::bet_to(*amount);
      throw IllegalAction(illegal_amount_message(*amount, all.back().amount));
    }
  }
  throw IllegalAction(fmt::format("action '{}' is not legal; expected one of: {}", text, list_of(all)));
}

Action Env::parse_action(std::string_view text) const {
  const Decision decision = parse_decision(text);
  if (decision.is_amount())
    throw IllegalAction(fmt::format("'{}' is an amount that is not offered as an action", text));
  return decision.action;
}

std::string Env::decision_to_string(const Decision& decision) const {
  if (!decision.is_amount()) return action_to_string(decision.action);
  const std::vector<Choice> all = choices();
  const std::string words = all.empty() || all.back().action != kNoAction ? "bet" : all.back().text;
  return fmt::format("{} {}", words, decision.amount);
}

nlohmann::json Env::to_json(Seat player) const {
  std::string table, legal;
  JsonWriter table_writer(table), legal_writer(legal);
  write_table(player, table_writer);
  const Seat to_act = current_player();
  nlohmann::json json = {{"game", game().name()},
                         {"options", nlohmann::json::object()},
                         {"seat", player},
                         {"to_act", to_act == kTerminal ? nlohmann::json(nullptr) : nlohmann::json(to_act)},
                         {"hand", hand_number()},
                         {"hand_over", hand_over()},
                         {"terminated", terminated()},
                         {"truncated", truncated()},
                         {"legal", nlohmann::json::array()},
                         {"table", nlohmann::json::parse(table)}};
  for (const auto& [key, value] : parse_spec(game().spec()).options) json["options"][key] = option_json(value);
  if (to_act != player) return json;
  write_choices(*this, legal_writer);
  json["legal"] = nlohmann::json::parse(legal);
  return json;
}

void check_size(const Game& game, const Observation& observation) {
  const auto size = static_cast<std::size_t>(game.observation_spec().size());
  if (observation.data.size() != size)
    throw UsageError(
        fmt::format("observation of {} numbers given; '{}' has {}", observation.data.size(), game.spec(), size));
}

void refuse_observation(const std::string& what) { throw UsageError("not an observation of this game: " + what); }

int count_of(float share, int scale, float low, float high) {
  if (!(share >= low && share <= high))
    refuse_observation(fmt::format("{} is not a share from {} to {}", share, low, high));
  return static_cast<int>(std::lround(share * static_cast<float>(scale)));
}

int one_hot(const float* values, int count, const char* name) {
  int found = -1;
  for (int i = 0; i < count; ++i) {
    if (values[i] == 0) continue;
    if (values[i] != 1 || found >= 0) refuse_observation(fmt::format("part '{}' is not one-hot", name));
    found = i;
  }
  return found;
}

void check_table_start(const TableStart& start, int players, Amount all, std::string_view unit, std::string_view key) {
  if (all <= 0) throw UsageError(fmt::format("these rules are not those of a tournament: expected {} above 0", key));
  std::int64_t sum = 0;
  for (const Amount brought : start.chips) {
    if (brought < 1 || brought > all)
      throw UsageError(
          fmt::format("a player begins a hand of a tournament with {} {}; expected 1 to {}", brought, unit, all));
    sum += brought;
  }
  if (start.chips.size() != static_cast<std::size_t>(players) || sum > all)
    throw UsageError(fmt::format("a hand of a tournament begins with {} {} of {} players; expected at most {} of {}",
                                 sum, unit, start.chips.size(), all, players));
}

}  // namespace dealer
