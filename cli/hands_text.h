#pragma once

// The output of `dealer hands`, as text and as JSON.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "env/hands/census.h"
#include "env/hands/draw_odds.h"
#include "env/hands/hand_comparison.h"

namespace dealer::cli {
// A whole number of hands, or a mean with up to three decimals.
std::string count_text(const Census& census, const CensusRow& row);

std::string census_table(const Census& census, const std::string& deck, const std::string& ranking);
nlohmann::ordered_json census_json(const Census& census, const std::string& deck, const std::string& ranking);

std::string draw_table(const DrawOdds& odds);
nlohmann::ordered_json draw_json(const DrawOdds& odds);

std::string comparison_text(const HandComparison& comparison, const Evaluator& evaluator);
nlohmann::ordered_json comparison_json(const HandComparison& comparison, const Evaluator& evaluator);

// A chart of a census, a complete document: the categories by rarity, the weakest at the bottom, with each step over
// the next weaker one coloured by its verdict.
std::string census_svg(const Census& census, const std::string& deck, const std::string& ranking);

}  // namespace dealer::cli
