#pragma once

#include <filesystem>
#include <string_view>

#include "env/hands/table_evaluator.h"

namespace dealer {

// A disk cache of compiled tables for rankings that take long to compile: one file per deck and ranking, found by their
// definitions. It contains deck, ranking, the program that compiled it and a checksum.

// A hash of everything that determines the compiled tables: the sources of env/hands and env/cards, the compiler and
// its flags (cmake/tables_program.cmake). Tables of another program are rejected: that one may have been wrong.
std::string_view tables_program();

// The cache folder: $DEALER_CACHE, else dealers_choice in $XDG_CACHE_HOME or ~/.cache. Empty: no cache.
std::filesystem::path cache_folder();
std::filesystem::path tables_file(const RankingRules& rules);

// Fills in of_size and best_of from the file; kinds and suits are already set. False, and nothing changed, when there
// is not a file, or it is malformed or belongs to another deck, ranking or program.
bool load_tables(const RankingRules& rules, EvaluatorTables& tables, std::string_view program = tables_program());
// Replaces the file, also one of another program. A folder that is not writable is not an error: the tables are
// compiled again next time.
void save_tables(const RankingRules& rules, const EvaluatorTables& tables, std::string_view program = tables_program());

}  // namespace dealer
