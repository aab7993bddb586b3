#pragma once

#include <cstddef>
#include <string>

#include "arena/analysis/analyse.h"

namespace dealer::analysis {

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

// "1.25 ± 0.40", "1.25" where nothing is left to chance: a loss.
std::string loss_text(const Judgement& judgement);
// "raise to 60 (82%)": what the best would have been.
std::string best_text(const JudgedDecision& decision);
// One sentence each, for the beginning of a report: the players, then what was not judged.
std::vector<std::string> conclusions(const Analysis& analysis);
// "12 decisions not judged: why", of every why.
std::vector<std::string> not_judged(const Analysis& analysis);

}  // namespace dealer::analysis
