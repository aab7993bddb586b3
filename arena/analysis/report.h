#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {

// docs/json-fields.md lists the fields. worst: of so many decisions, those with the largest losses, instead of all.
nlohmann::ordered_json to_json(const Analysis& analysis, std::optional<std::size_t> worst = {});

struct TextOptions {
  bool all = false;        // every decision in the order of the log, instead of the largest losses
  std::size_t worst = 10;  // so many of these
};
// For people at a terminal: decisions, one a line, then the figures of the players.
std::string text_of(const Analysis& analysis, const TextOptions& options);

// A page of HTML that needs nothing else: the figures of the players, the `worst` largest losses with links to their
// hands, and the hands, decision by decision: all of them, or where there are more than kMostHands the worst. So many,
// and as many as `worst`, are to be kept of a log (AnalysisOptions::hands_kept).
inline constexpr std::size_t kMostHands = 300;
std::string page_of(const Analysis& analysis, std::size_t worst);

}  // namespace dealer::analysis
