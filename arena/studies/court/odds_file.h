#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "arena/studies/court/odds.h"
#include "arena/studies/study.h"

namespace dealer::studies::court {

// Counts the decks missing in the file, one line per deck, from the first missing one on. Returns false if stopped.
bool count_decks(const StudyContext& place, const std::vector<EvaluatorPtr>& decks, std::int64_t samples,
                 const std::filesystem::path& file);
// Reads that file. Throws FileError naming a line that does not belong to these decks.
std::vector<DeckOdds> read_decks(const std::filesystem::path& file, const std::vector<EvaluatorPtr>& decks);

}  // namespace dealer::studies::court
