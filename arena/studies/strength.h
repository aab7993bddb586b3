#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace dealer::studies {

// What `dealer exploit` found that wins from an agent.
struct Exploited {
  std::string game, against, best, unit;
  double bound = 0, ci95 = std::numeric_limits<double>::infinity();  // a hand
  std::int64_t deals = 0;
};

// A document of `dealer exploit --json`, or a list of such documents. Throws FileError.
std::vector<Exploited> read_exploited(const std::filesystem::path& file);
// Of the agents that come with the project; empty where the file is missing.
std::vector<Exploited> shipped_exploited();

// How strong the player of a study is, in a sentence or two for the beginning of its report: the first of `known` that
// is about this agent in this game.
std::string strength_of(const std::vector<Exploited>& known, std::string_view game, std::string_view agent);

}  // namespace dealer::studies
