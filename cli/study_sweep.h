#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dealer::cli {

struct SweepOptions {
  std::string study;
  std::vector<std::string> overrides;
  std::string sweep;  // KEY=V1,V2,...
  std::string out;
  std::string budget;          // of the training for each value: "10m"; empty: nothing is trained
  std::string config;          // that it is trained with; empty: the quick one of the game
  std::int64_t condition = 0;  // deals by which agents are told what the rule is worth; 0: they are not
  bool quiet = false;
  bool json = false;
};

// `dealer study NAME --sweep …`.
void sweep_study(const SweepOptions& options);

}  // namespace dealer::cli
