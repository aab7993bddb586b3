#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {

// The JSON fields of docs/json-fields.md. worst: only this many decisions, those with the largest losses.
nlohmann::ordered_json to_json(const Analysis& analysis, std::optional<std::size_t> worst = {});

struct TextOptions {
  bool all = false;        // every decision in log order, instead of the largest losses
  std::size_t worst = 10;  // number of largest losses
};
// Text for a terminal: decisions, one per line, then the figures of the players.
std::string text_of(const Analysis& analysis, const TextOptions& options);

// A self-contained HTML page: the figures of the players, the `worst` largest losses with links to their hands, and the
// hands, decision by decision: all of them, or the worst if there are more than kMostHands. That many hands, and at
// least `worst`, must be kept (AnalysisOptions::hands_kept).
inline constexpr std::size_t kMostHands = 300;
std::string page_of(const Analysis& analysis, std::size_t worst);

}  // namespace dealer::analysis
