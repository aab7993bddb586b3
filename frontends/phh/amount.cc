#include "frontends/phh/amount.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer::phh {
namespace {

// Limit of amounts: far above real stakes, and far from overflow in sums.
constexpr Amount kMaxAmount = Amount{1} << 50;
constexpr int kMostDigits = 400;  // written out without an exponent

// A number without sign and exponent: digits before and behind the point, without zeros at either end.
struct Digits {
  bool negative = false;
  std::string before, behind;
};

std::optional<Digits> whole_of(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Digits{false, std::to_string(value), ""};
}

// Adds 1 to the last place.
void round_up(Digits& digits) {
  for (std::string* part : {&digits.behind, &digits.before})
    for (std::size_t i = part->size(); i-- > 0;) {
      if (++(*part)[i] <= '9') return;
      (*part)[i] = '0';
    }
  digits.before.insert(0, 1, '1');
}

std::optional<Digits> digits_of(std::string_view number) {
  std::string text(number);
  std::erase(text, '_');
  Digits digits;
  std::string_view rest = text;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    digits.negative = rest[0] == '-';
    rest.remove_prefix(1);
  } else if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'o' || rest[1] == 'b')) {
    return whole_of(rest.substr(2), rest[1] == 'x' ? 16 : rest[1] == 'o' ? 8 : 2);
  }
  int exponent = 0;
  if (const std::size_t e = rest.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = rest.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const std::optional<int> read = number_in<int>(power);
    if (!read || *read > kMostDigits || *read < -kMostDigits) return std::nullopt;
    exponent = *read;
    rest = rest.substr(0, e);
  }
  const std::size_t point = rest.find('.');
  digits.before = rest.substr(0, point);
  if (point != std::string_view::npos) digits.behind = rest.substr(point + 1);
  for (const std::string* part : {&digits.before, &digits.behind})
    if (!std::all_of(part->begin(), part->end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  if (digits.before.size() + digits.behind.size() == 0) return std::nullopt;
  for (; exponent > 0; --exponent) {
    digits.before += digits.behind.empty() ? '0' : digits.behind.front();
    if (!digits.behind.empty()) digits.behind.erase(0, 1);
  }
  for (; exponent < 0; ++exponent) {
    digits.behind.insert(0, 1, digits.before.empty() ? '0' : digits.before.back());
    if (!digits.before.empty()) digits.before.pop_back();
  }
  constexpr std::size_t kBinaryFraction = 10;
  if (digits.behind.size() > kBinaryFraction) {
    const bool up = digits.behind[kBinaryFraction - 1] >= '5';
    digits.behind.resize(kBinaryFraction - 1);
    if (up) round_up(digits);
  }
  digits.before.erase(0, std::min(digits.before.find_first_not_of('0'), digits.before.size()));
  digits.behind.resize(digits.behind.find_last_not_of('0') + 1);
  return digits;
}

}  // namespace

int decimals_of(std::string_view number) {
  const std::optional<Digits> digits = digits_of(number);
  return digits ? std::min(static_cast<int>(digits->behind.size()), kMaxDecimals + 1) : kMaxDecimals + 1;
}

Amount parse_amount(std::string_view number, int decimals) {
  const auto refuse = [&](const char* expected) {
    throw ParseError(fmt::format("'{}' is not an amount; expected {}", number, expected));
  };
  const std::optional<Digits> digits = digits_of(number);
  if (!digits) refuse("a number of chips");
  if (static_cast<int>(digits->behind.size()) > decimals)
    refuse("no more digits after the point than the rest of the hand has, and at most 4");
  Amount amount = 0;
  const std::string all =
      digits->before + digits->behind + std::string(static_cast<std::size_t>(decimals) - digits->behind.size(), '0');
  for (const char digit : all) {
    amount = amount * 10 + (digit - '0');
    if (amount > kMaxAmount) refuse("less");
  }
  return digits->negative ? -amount : amount;
}

std::string amount_text(Amount amount, int decimals) {
  if (amount == kUnknownStack) return "inf";
  if (decimals == 0) return std::to_string(amount);
  Amount unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const Amount size = amount < 0 ? -amount : amount;
  return fmt::format("{}{}.{:0{}}", amount < 0 ? "-" : "", size / unit, size % unit, decimals);
}

std::string amounts_text(const std::vector<Amount>& amounts, int decimals) {
  std::string text;
  for (const Amount amount : amounts) text += (text.empty() ? "" : ", ") + amount_text(amount, decimals);
  return text;
}

std::string money_text(Amount amount, int decimals) {
  return decimals == 1 && amount != kUnknownStack ? amount_text(10 * amount, 2) : amount_text(amount, decimals);
}

}  // namespace dealer::phh
