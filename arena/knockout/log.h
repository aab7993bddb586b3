#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arena/knockout/knockout.h"

// A tournament told line by line, for people. Players are called by the place they begin at and their agent: "3 rule".
namespace dealer::knockout {

// "tournament 0, seating 1: 0 rule, 1 random, ..."
std::string heading(std::int64_t tournament, int seating, const std::vector<int>& agent_of_player,
                    const std::vector<std::string>& agents);
// "hand 12: 4 goes from table 1 to table 0"
std::string line_of(const Move& move, int hand);
// "hand 12, table 0, x2, dealer 3: 3 rule 180 +12 = 192 (Fantasyland), 5 random 200 -12 = 188"
std::string line_of(const TableHand& hand, const std::vector<std::string>& agents);
// "places 1: 3 rule, 2-3: 5 random, 2-3: 0 rule, ..."
std::string ending_of(const std::vector<Finish>& places, const std::vector<int>& agent_of_player,
                      const std::vector<std::string>& agents);

}  // namespace dealer::knockout
