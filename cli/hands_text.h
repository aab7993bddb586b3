#pragma once

// What `dealer hands` found out, for people and for programs.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "env/hands/census.h"
#include "env/hands/draw_odds.h"
#include "env/hands/hand_comparison.h"

namespace dealer::cli {
// A number of hands as it is, or a mean with what decimals it has up to three.
std::string count_text(const Census& census, const CensusRow& row);

std::string census_table(const Census& census, const std::string& deck, const std::string& ranking);
nlohmann::ordered_json census_json(const Census& census, const std::string& deck, const std::string& ranking);

std::string draw_table(const DrawOdds& odds);
nlohmann::ordered_json draw_json(const DrawOdds& odds);

std::string comparison_text(const HandComparison& comparison, const Evaluator& evaluator);
nlohmann::ordered_json comparison_json(const HandComparison& comparison, const Evaluator& evaluator);

// A picture of a census, a document of its own: the categories as a ladder of rarity, weak at the bottom, the step each
// of them takes over the next weaker one coloured by its verdict.
std::string census_svg(const Census& census, const std::string& deck, const std::string& ranking);

}  // namespace dealer::cli
