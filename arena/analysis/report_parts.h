#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arena/analysis/analyse.h"
#include "arena/report/page.h"
#include "arena/studies/estimate.h"

// Parts shared by the reports of an analysis: the page, the terminal and JSON.
namespace dealer::analysis {

// The counts of a player with their names in the JSON and, if they are shown to people, in the report.
struct PlayerCount {
  const char *key, *name;
  std::int64_t PlayerFigures::*count;
  bool of_all = false;  // redundant if every decision was analysed
};
inline constexpr PlayerCount kCounts[] = {{"hands", "hands", &PlayerFigures::hands},
                                          {"hands_judged", "hands judged", &PlayerFigures::hands_judged, true},
                                          {"decisions", "decisions", &PlayerFigures::decisions},
                                          {"judged", "judged", &PlayerFigures::judged, true},
                                          {"mistakes", "mistakes", &PlayerFigures::mistakes},
                                          {"unclear", "within noise", &PlayerFigures::unclear}};
struct PlayerMean {
  const char *key, *name;
  studies::Estimate PlayerFigures::*mean;
};
inline constexpr PlayerMean kMeans[] = {{"cost_per_hand", "cost a hand", &PlayerFigures::cost_per_hand},
                                        {"cost_per_decision", nullptr, &PlayerFigures::cost_per_decision},
                                        {"loss_per_hand", "loss a hand", &PlayerFigures::loss_per_hand},
                                        {"loss_per_decision", "loss a decision", &PlayerFigures::loss_per_decision}};

std::string name_of_player(const std::string& player);
// A heading, then one column per player: its name and its figures. all: also those shown only if they differ.
studies::Cells player_columns(const Analysis& analysis, const char* heading, bool all);

std::string percent(double share);
// The text of a loss: "1.25 ± 0.40", or "1.25" if nothing is left to chance.
std::string loss_text(const Judgement& judgement);
std::string choice_text(const JudgedDecision& decision, std::size_t choice);
// The best choice: "raise to 60 (82%)".
std::string best_text(const JudgedDecision& decision);
// The probability with which the agent itself makes the choice.
std::string chosen_share(const Judgement& judgement);
// "12 decisions not judged: why", for every reason; before them the adaptations of hands from other sites.
std::vector<std::string> not_judged(const Analysis& analysis);

}  // namespace dealer::analysis
