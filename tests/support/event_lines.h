#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "env/core/event.h"

namespace dealer::test {

using Lines = std::vector<std::string>;

// An event to read; cards_text(cards) names cards.
template <class CardsText>
std::string line_of(const Event& event, CardsText cards_text) {
  std::string text = std::string(name_of(event));
  if (event.seat >= 0) text += fmt::format(" {}", event.seat);
  if (event.kind == Event::Kind::kMatchEnded) text += fmt::format(" winners {:b}", event.seats);
  if (!event.half.empty()) text += fmt::format(" {}", event.half);
  if (!event.what.empty()) text += " " + event.what;
  if (event.amount > 0) text += fmt::format(" {}", event.amount);
  if (event.total > event.amount) text += fmt::format(" to {}", event.total);
  if (event.all_in) text += " all-in";
  if (event.pot > 0) text += fmt::format(" pot {}", event.pot);
  if (event.count > 0 || event.kind == Event::Kind::kDiscarded) text += fmt::format(" {}", event.count);
  if (!event.cards.empty()) text += ": " + cards_text(event.cards);
  if (!event.values.empty()) text += fmt::format(" {}", fmt::join(event.values, " "));
  return text;
}

// "a | b | c".
inline Lines lines_of(std::string_view text) {
  Lines lines;
  for (std::size_t end; (end = text.find(" | ")) != std::string_view::npos; text.remove_prefix(end + 3))
    lines.emplace_back(text.substr(0, end));
  lines.emplace_back(text);
  return lines;
}

}  // namespace dealer::test
