#include "frontends/terminal/hand_ladder.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/hands/hand_comparison.h"
#include "frontends/terminal/screen_text.h"

namespace dealer::terminal {

std::string hand_ladder(const Evaluator& evaluator) {
  const std::span<const Category> all = evaluator.ranking().categories();
  std::size_t width = 0;
  for (const Category& category : all) width = std::max(width, category.name.size());
  std::string text;
  for (int i = static_cast<int>(all.size()); i-- > evaluator.ranking().qualifier();) {
    const std::string definition = definition_of(evaluator, i), example = example_of(evaluator, i);
    text += as_line(fmt::format("  {:<{}}  {}{}{}", all[static_cast<std::size_t>(i)].name, width, definition,
                                definition.empty() || example.empty() ? "" : ": ", example));
  }
  return text;
}

std::string standard_hand_ladder() {
  return "Hands, from the best:\n" + hand_ladder(*make_evaluator(Deck::make("standard_52"), Ranking::make("high")));
}

}  // namespace dealer::terminal
