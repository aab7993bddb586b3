#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace dealer::studies {

// The result of `dealer exploit` for an agent.
struct Exploited {
  std::string game, against, best, unit;
  double bound = 0, ci95 = std::numeric_limits<double>::infinity();  // per hand
  std::int64_t deals = 0;
};

// Reads a document of `dealer exploit --json`, or a list of such documents. Throws FileError.
std::vector<Exploited> read_exploited(const std::filesystem::path& file);
// The results for the shipped agents; empty if the file is missing.
std::vector<Exploited> shipped_exploited();

// A game of a study and the agent that plays it.
struct PlayedBy {
  std::string game, agent;
};

// The strength of a study's players, for the beginning of its report: one or two sentences for each entry of `games`
// that `known` has, and one for all others.
std::string strength_of(const std::vector<Exploited>& known, const std::vector<PlayedBy>& games);

}  // namespace dealer::studies
