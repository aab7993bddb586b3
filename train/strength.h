#pragma once

#include <optional>
#include <span>
#include <string>

#include "train/metrics.h"

namespace dealer {

// A learner's strength at its last evaluation: its distance from an equilibrium if that is measured, else its result
// against the first opponent.
class Strength {
 public:
  // Takes the metrics that an evaluation adds to metrics.jsonl; other metrics are ignored.
  void add(std::span<const Metric> figures);
  // "rule +4.30 ± 0.42, better": the last evaluation, compared with the previous one; empty before the first.
  std::string text() const;

 private:
  struct Seen {
    std::string against;  // the opponent; empty: exploitability
    double value = 0, ci95 = 0;
  };
  std::optional<Seen> last_, before_;
};

}  // namespace dealer
