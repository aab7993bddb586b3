#include "frontends/bot/request_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/core/env_text.h"
#include "env/core/error.h"
#include "env/core/json_writer.h"

namespace dealer {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMost = std::numeric_limits<Amount>::max();

std::string list_of(const std::vector<Choice>& choices, bool texts) {
  std::string list;
  for (const Choice& choice : choices)
    if (choice.action != kNoAction)
      list += (list.empty() ? "" : ", ") + (texts ? '\'' + choice.text + '\'' : std::to_string(choice.action));
  return list;
}

void check_range(const JsonFields& stated, const AmountRange& range) {
  if (range.empty()) stated.refuse("index", "a number: no amount may be named now");
  const std::pair<const char*, Amount> ends[] = {{"min", range.low}, {"max", range.high}, {"step", range.step}};
  for (const auto& [key, right] : ends)
    if (stated.whole(key, 0, kMost) != right) stated.refuse(key, std::to_string(right));
}

std::string position_of(const Env& table, Seat viewer) {
  std::string text;
  JsonWriter json(text);
  table.write_table(viewer, json);
  return text;
}

// To the depth of our own value: the host's may be nested without limit.
void compare(const Json& theirs, const Json& ours, const std::string& path) {
  const auto differs = [&] {
    throw ParseError(fmt::format("{} is {}; expected {}", path, shown_json(theirs), ours.dump()));
  };
  if (ours.is_object()) {
    if (!theirs.is_object()) differs();
    for (const auto& [key, value] : ours.items())
      if (const auto stated = theirs.find(key); stated != theirs.end()) compare(*stated, value, path + '.' + key);
    return;
  }
  if (ours.is_array()) {
    if (!theirs.is_array() || theirs.size() != ours.size()) differs();
    const auto is_text = [](const Json& item) { return item.is_string(); };
    // Cards in any order.
    if (std::all_of(ours.begin(), ours.end(), is_text) && std::all_of(theirs.begin(), theirs.end(), is_text)) {
      if (!std::is_permutation(ours.begin(), ours.end(), theirs.begin())) differs();
      return;
    }
    for (std::size_t i = 0; i < ours.size(); ++i) compare(theirs[i], ours[i], fmt::format("{}[{}]", path, i));
    return;
  }
  const bool same = ours.is_number_integer()
                        ? whole_number(theirs, std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int64_t>::max()) == ours.get<std::int64_t>()
                        : theirs == ours;
  if (!same) differs();
}

}  // namespace

bool check_legal(const JsonFields& request, const Env& table) {
  const LegalMask legal = table.legal_mask();
  LegalMask stated = 0;
  bool by_text = false, range = false;
  request.each("legal", [&](const Json& entry, const std::string& path) {
    const JsonFields choice(entry, path + '.');
    // A range of amounts has no index.
    if (choice.is_null("index") && !choice.is_null("min")) {
      check_range(choice, table.amount_range());
      range = true;
    } else if (!choice.is_null("index")) {
      const auto index = whole_number(entry["index"], 0, kMaxActions - 1);
      if (!index || (legal >> *index & 1) == 0) choice.refuse("index", "one of " + list_of(table.choices(), false));
      stated |= LegalMask{1} << *index;
    } else {
      const std::vector<Choice> choices = table.choices();
      const std::string& text = choice.text("text");
      const auto found = std::find_if(choices.begin(), choices.end(), [&](const Choice& known) {
        return known.action != kNoAction && known.text == text;
      });
      if (found == choices.end()) choice.refuse("text", "one of " + list_of(choices, true));
      stated |= LegalMask{1} << found->action;
      by_text = true;
    }
  });
  if (stated != legal) {
    const int lacks = std::countr_zero(legal & ~stated);
    throw ParseError(
        fmt::format("{} lacks {} ('{}'), which is legal", request.path("legal"), lacks, table.action_to_string(lacks)));
  }
  // A single amount is already among the actions.
  if (const AmountRange amounts = table.amount_range(); !range && !amounts.empty() && amounts.low < amounts.high)
    throw ParseError(
        fmt::format("{} lacks the range {} to {}, index null", request.path("legal"), amounts.low, amounts.high));
  return by_text;
}

void check_position(const JsonFields& request, const Env& table, Seat viewer) {
  if (request.is_null("position")) return;
  compare(request.object("position"), Json::parse(position_of(table, viewer)), request.path("position"));
}

}  // namespace dealer
