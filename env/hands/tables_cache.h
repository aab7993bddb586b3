#pragma once

#include <filesystem>

#include "env/hands/table_evaluator.h"

namespace dealer {

// Compiled tables of rankings that take long to compile, kept on disk: a file for each deck and ranking, found by what
// both were read from, with a checksum.

// Where they are kept: $DEALER_CACHE, else dealers_choice in $XDG_CACHE_HOME or ~/.cache. Empty: nowhere.
std::filesystem::path cache_folder();
std::filesystem::path tables_file(const RankingRules& rules);

// Fills in of_size and best_of from the file; kinds and suits are there already. False, and nothing changed, when there
// is no file, or it is malformed or of something else.
bool load_tables(const RankingRules& rules, EvaluatorTables& tables);
// A folder that cannot be written is no error: the tables are compiled again next time.
void save_tables(const RankingRules& rules, const EvaluatorTables& tables);

}  // namespace dealer
