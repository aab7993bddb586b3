#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "arena/studies/court/odds.h"
#include "arena/studies/study.h"

namespace dealer::studies::court {

// Counts the decks that the file lacks, a line a deck; goes on with the first that is not there. False when stopped.
bool count_decks(const StudyContext& place, const std::vector<EvaluatorPtr>& decks, std::int64_t samples,
                 const std::filesystem::path& file);
// What stands in that file. Throws FileError naming a line that is not of these decks.
std::vector<DeckOdds> read_decks(const std::filesystem::path& file, const std::vector<EvaluatorPtr>& decks);

}  // namespace dealer::studies::court
