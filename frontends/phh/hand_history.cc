// Fields: from TOML to a hand and back.
#include "frontends/phh/hand_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "env/core/counted.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/variants.h"

namespace dealer::phh {
namespace {

// Every amount of a table, to find the number of decimals.
template <class F>
void for_amounts(const TomlTable& table, F f) {
  for (const char* field : {"antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks", "winnings"})
    if (const TomlValue* list = table.find(field))
      for (const TomlValue& item : list->items)
        if (item.kind == TomlValue::Kind::kNumber && !item.text.ends_with("inf")) f(item.text);
  for (const auto& [field, amount] : kSingleAmounts)
    if (const TomlValue* value = table.find(field))
      if (value->kind == TomlValue::Kind::kNumber) f(value->text);
  if (const TomlValue* actions = table.find("actions"))
    for (const TomlValue& action : actions->items) {
      const std::size_t at = action.text.find(" cbr ");
      if (at == std::string::npos || action.text.find('#') < at) continue;
      const std::size_t begin = action.text.find_first_not_of(' ', at + 5);
      if (begin == std::string::npos) continue;
      f(std::string_view(action.text).substr(begin, action.text.find_first_of(" \t#", begin) - begin));
    }
}

class FieldReader {
 public:
  FieldReader(const std::string& name, const TomlTable& table) : name_(name), table_(table) {}

  HandHistory read() {
    hand_.heading = table_.heading;
    hand_.line = table_.line;
    for (const auto& [field, value] : table_.entries) hand_.lines.emplace_back(field, value.line);
    for_amounts(table_, [this](std::string_view text) {
      hand_.decimals = std::max(hand_.decimals, std::min(decimals_of(text), kMaxDecimals));
    });
    hand_.variant = text("variant");
    read_amounts();
    read_actions();
    check_lengths();
    check_seats();
    check_needs();
    for (const auto& entry : table_.entries)
      if (!is_known(entry.key)) hand_.others.push_back(entry);
    return std::move(hand_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what) const {
    throw ParseError(fmt::format("{}:{}: {}", name_, line, what));
  }

  static bool is_known(std::string_view field) {
    constexpr std::array<std::string_view, 10> kFields = {
        "variant", "antes",   "blinds_or_straddles", "bring_in", "small_bet",
        "big_bet", "min_bet", "starting_stacks",     "actions",  "finishing_stacks"};
    return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
  }

  const TomlValue& required(const char* field) const {
    const TomlValue* value = table_.find(field);
    if (value == nullptr) fail(table_.line, fmt::format("the field '{}' is missing", field));
    return *value;
  }

  std::string text(const char* field) const {
    const TomlValue& value = required(field);
    if (value.kind != TomlValue::Kind::kString || value.text.empty())
      fail(value.line, fmt::format("{}: expected a text in quotes", field));
    return value.text;
  }

  Amount amount(const char* field, const TomlValue& value) const {
    if (value.kind != TomlValue::Kind::kNumber) fail(value.line, fmt::format("{}: expected a number", field));
    const std::string_view name = field;
    if (name == "starting_stacks" && (value.text == "inf" || value.text == "+inf")) return kUnknownStack;
    try {
      const Amount amount = parse_amount(value.text, hand_.decimals);
      // Players who return to the table post blinds out of turn, written as negative.
      if (amount < 0 && name != "blinds_or_straddles")
        throw ParseError(fmt::format("'{}' is not an amount; expected a number of chips", value.text));
      return amount;
    } catch (const ParseError& error) {
      fail(value.line, fmt::format("{}: {}", field, error.what()));
    }
  }

  std::vector<Amount> amounts(const char* field) const {
    std::vector<Amount> list;
    const TomlValue* value = table_.find(field);
    if (value == nullptr) return list;
    if (value->kind != TomlValue::Kind::kArray)
      fail(value->line, fmt::format("{}: expected a list of numbers, one for each player", field));
    for (const TomlValue& item : value->items) list.push_back(amount(field, item));
    return list;
  }

  void read_amounts() {
    required("antes");
    required("starting_stacks");
    hand_.antes = amounts("antes");
    hand_.blinds_or_straddles = amounts("blinds_or_straddles");
    hand_.starting_stacks = amounts("starting_stacks");
    hand_.finishing_stacks = amounts("finishing_stacks");
    for (const auto& [field, to] : kSingleAmounts)
      if (const TomlValue* value = table_.find(field)) hand_.*to = amount(field, *value);
  }

  void read_actions() {
    const TomlValue& list = required("actions");
    if (list.kind != TomlValue::Kind::kArray) fail(list.line, "actions: expected a list of texts");
    for (const TomlValue& item : list.items) {
      if (item.kind != TomlValue::Kind::kString) fail(item.line, "actions: expected a list of texts");
      try {
        hand_.actions.push_back(parse_action(item.text, hand_.decimals));
      } catch (const ParseError& error) {
        fail(item.line, fmt::format("{}: {}", toml_string(item.text), error.what()));
      }
      hand_.actions.back().line = item.line;
    }
  }

  void expect_one_each(const char* field, std::size_t count, std::string_view what = "number") const {
    if (count != hand_.starting_stacks.size())
      fail(hand_.line_of(field), fmt::format("{}: {} for {}", field, counted(static_cast<std::int64_t>(count), what),
                                             counted(hand_.players(), "player")));
  }

  void check_lengths() const {
    const int line = hand_.line_of("starting_stacks");
    if (hand_.players() < 2) fail(line, "starting_stacks: expected at least two players");
    for (const Amount stack : hand_.starting_stacks)
      if (stack == 0) fail(line, "starting_stacks: a player has nothing; expected more than 0");
    expect_one_each("antes", hand_.antes.size());
    if (!hand_.blinds_or_straddles.empty()) expect_one_each("blinds_or_straddles", hand_.blinds_or_straddles.size());
    if (!hand_.finishing_stacks.empty()) expect_one_each("finishing_stacks", hand_.finishing_stacks.size());
    if (table_.find("winnings") != nullptr) expect_one_each("winnings", amounts("winnings").size());
    for (const HandAction& action : hand_.actions)
      if (action.player >= hand_.players())
        fail(action.line, fmt::format("there is no p{}; players are p1 to p{}", action.player + 1, hand_.players()));
  }

  // Names and seats: a unique one for each player.
  void check_seats() const {
    if (const TomlValue* names = table_.find("players")) {
      const auto is_text = [](const TomlValue& name) { return name.kind == TomlValue::Kind::kString; };
      if (names->kind != TomlValue::Kind::kArray || !std::all_of(names->items.begin(), names->items.end(), is_text))
        fail(names->line, "players: expected a list of names, one for each player");
      expect_one_each("players", names->items.size(), "name");
    }
    const auto whole = [](const TomlValue& value) { return number_in<int>(value.text).value_or(0); };
    int count = 0;
    if (const TomlValue* value = table_.find("seat_count")) {
      count = whole(*value);
      if (count < hand_.players())
        fail(value->line, fmt::format("seat_count: '{}' for {}; expected as many or more", value->text,
                                      counted(hand_.players(), "player")));
    }
    const TomlValue* seats = table_.find("seats");
    if (seats == nullptr) return;
    if (seats->kind != TomlValue::Kind::kArray)
      fail(seats->line, "seats: expected a list of numbers, one for each player");
    expect_one_each("seats", seats->items.size());
    std::set<int> taken;
    for (const TomlValue& seat : seats->items) {
      if (whole(seat) < 1 || (count > 0 && whole(seat) > count))
        fail(seat.line, fmt::format("seats: there is no seat '{}'; expected 1 {}", seat.text,
                                    count > 0 ? fmt::format("to {}", count) : "or more"));
      if (!taken.insert(whole(seat)).second) fail(seat.line, fmt::format("seats: seat {} is given twice", seat.text));
    }
  }

  void check_needs() const {
    if (hand_.variant.starts_with(kOwnVariant)) return;
    const StandardVariant* variant = find_variant(hand_.variant);
    if (variant == nullptr) {
      std::string codes;
      for (const StandardVariant& known : standard_variants()) codes += std::string(known.code) + ", ";
      fail(hand_.line_of("variant"),
           fmt::format("{} is not a variant; expected one of {}or our own, which begin with '{}'",
                       toml_string(hand_.variant), codes, kOwnVariant));
    }
    const auto need = [&](bool needed, std::initializer_list<const char*> fields) {
      for (const char* field : fields)
        if (needed && table_.find(field) == nullptr)
          fail(table_.line, fmt::format("the field '{}' is missing: variant {} needs it", field, hand_.variant));
    };
    const bool fixed = variant->limit == BetLimit::kFixed;
    need(!variant->has_bring_in(), {"blinds_or_straddles"});
    need(variant->has_bring_in(), {"bring_in"});
    need(fixed, {"small_bet", "big_bet"});
    need(!fixed, {"min_bet"});
  }

  const std::string& name_;
  const TomlTable& table_;
  HandHistory hand_;
};

}  // namespace

bool is_standard_variant(std::string_view variant) { return find_variant(variant) != nullptr; }

int HandHistory::line_of(std::string_view field) const {
  for (const auto& [name, at] : lines)
    if (name == field) return at;
  return 0;
}

const TomlValue* HandHistory::other(std::string_view field) const {
  for (const auto& [name, value] : others)
    if (name == field) return &value;
  return nullptr;
}

std::optional<std::string> HandHistory::other_text(std::string_view field) const {
  const TomlValue* value = other(field);
  if (value == nullptr || (value->kind != TomlValue::Kind::kString && value->kind != TomlValue::Kind::kNumber))
    return std::nullopt;
  return value->text;
}

namespace {

TomlValue text_value(std::string_view text) {
  TomlValue value;
  value.text = text;
  return value;
}

TomlValue number_value(std::int64_t number) {
  TomlValue value;
  value.kind = TomlValue::Kind::kNumber;
  value.text = std::to_string(number);
  return value;
}

template <class T, class Make>
TomlValue list_of(const std::vector<T>& items, Make make) {
  TomlValue list;
  list.kind = TomlValue::Kind::kArray;
  for (const T& item : items) list.items.push_back(make(item));
  return list;
}

}  // namespace

void HandHistory::set_text(std::string field, std::string_view text) {
  others.push_back({std::move(field), text_value(text)});
}
void HandHistory::set_number(std::string field, std::int64_t number) {
  others.push_back({std::move(field), number_value(number)});
}
void HandHistory::set_texts(std::string field, const std::vector<std::string>& texts) {
  others.push_back({std::move(field), list_of(texts, text_value)});
}
void HandHistory::set_numbers(std::string field, const std::vector<std::int64_t>& numbers) {
  others.push_back({std::move(field), list_of(numbers, number_value)});
}

std::optional<HandHistory> HistoryReader::next() {
  const std::optional<TomlTable> table = tables_.next();
  if (!table) return std::nullopt;
  return FieldReader(name_, *table).read();
}

std::string to_string(const HandHistory& hand) {
  std::string text = hand.heading.empty() ? "" : fmt::format("[{}]\n", toml_key(hand.heading));
  const auto list = [&](const char* field, const std::vector<Amount>& amounts) {
    if (!amounts.empty()) text += fmt::format("{} = [{}]\n", field, amounts_text(amounts, hand.decimals));
  };
  text += fmt::format("variant = {}\n", toml_string(hand.variant));
  list("antes", hand.antes);
  list("blinds_or_straddles", hand.blinds_or_straddles);
  for (const auto& [field, amount] : kSingleAmounts)
    if (hand.*amount) text += fmt::format("{} = {}\n", field, amount_text(*(hand.*amount), hand.decimals));
  list("starting_stacks", hand.starting_stacks);
  text += "actions = [\n";
  for (const HandAction& action : hand.actions)
    text += fmt::format("  {},\n", toml_string(to_string(action, hand.decimals)));
  text += "]\n";
  list("finishing_stacks", hand.finishing_stacks);
  for (const auto& [field, value] : hand.others) text += fmt::format("{} = {}\n", toml_key(field), to_toml(value));
  return text;
}

}  // namespace dealer::phh
