#pragma once

#include <filesystem>
#include <string_view>

#include "env/hands/table_evaluator.h"

namespace dealer {

// Compiled tables of rankings that take long to compile, kept on disk: a file for each deck and ranking, found by what
// both were read from. In it stand deck, ranking and the program that compiled them, and a checksum.

// A hash of all that decides what is compiled: the sources of env/hands and env/cards, the compiler and its flags
// (cmake/tables_program.cmake). A program must not believe the tables of another: that one may have been wrong.
std::string_view tables_program();

// Where they are kept: $DEALER_CACHE, else dealers_choice in $XDG_CACHE_HOME or ~/.cache. Empty: nowhere.
std::filesystem::path cache_folder();
std::filesystem::path tables_file(const RankingRules& rules);

// Fills in of_size and best_of from the file; kinds and suits are there already. False, and nothing changed, when there
// is no file, or it is malformed or of something else or of another program.
bool load_tables(const RankingRules& rules, EvaluatorTables& tables, std::string_view program = tables_program());
// Replaces the file, also that of another program. A folder that cannot be written is no error: the tables are compiled
// again next time.
void save_tables(const RankingRules& rules, const EvaluatorTables& tables, std::string_view program = tables_program());

}  // namespace dealer
