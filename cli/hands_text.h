#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "env/hands/census.h"
#include "env/hands/draw_odds.h"
#include "env/hands/hand_comparison.h"

// What `dealer hands` found out, for people and for programs.
namespace dealer::cli {

// A number of hands as it is, or a mean with what decimals it has up to three.
std::string count_text(const Census& census, const CensusRow& row);

std::string census_table(const Census& census, const std::string& deck, const std::string& ranking);
nlohmann::ordered_json census_json(const Census& census, const std::string& deck, const std::string& ranking);

std::string draw_table(const DrawOdds& odds);
nlohmann::ordered_json draw_json(const DrawOdds& odds);

std::string comparison_text(const HandComparison& comparison, const Evaluator& evaluator);
nlohmann::ordered_json comparison_json(const HandComparison& comparison, const Evaluator& evaluator);

}  // namespace dealer::cli
