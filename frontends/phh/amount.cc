#include "frontends/phh/amount.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/core/error.h"

namespace dealer::phh {

int decimals_of(std::string_view number) {
  if (number.find_first_of("eE") != std::string_view::npos) return kMaxDecimals + 1;
  const std::size_t point = number.find('.');
  if (point == std::string_view::npos) return 0;
  while (number.back() == '0') number.remove_suffix(1);
  return static_cast<int>(number.size() - point - 1);
}

Amount parse_amount(std::string_view number, int decimals) {
  const auto refuse = [&](const char* expected) {
    throw ParseError(fmt::format("'{}' is no amount; expected {}", number, expected));
  };
  Amount amount = 0;
  int behind = -1;  // digits behind the point
  bool digit = false;
  for (const char c : number) {
    if (c == '_') continue;
    if (c == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    if (c < '0' || c > '9') refuse("a number of chips");
    digit = true;
    if (behind >= decimals) {
      if (c != '0') refuse("no more digits behind the point than the rest of the hand has, and at most 4");
      continue;
    }
    amount = amount * 10 + (c - '0');
    if (behind >= 0) ++behind;
    if (amount > kMaxAmount) refuse("less");
  }
  if (!digit) refuse("a number of chips");
  for (behind = std::max(behind, 0); behind < decimals; ++behind) {
    amount *= 10;
    if (amount > kMaxAmount) refuse("less");
  }
  return amount;
}

std::string amount_text(Amount amount, int decimals) {
  if (decimals == 0) return std::to_string(amount);
  Amount unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const Amount size = amount < 0 ? -amount : amount;
  return fmt::format("{}{}.{:0{}}", amount < 0 ? "-" : "", size / unit, size % unit, decimals);
}

}  // namespace dealer::phh
