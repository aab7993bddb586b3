#pragma once

#include <optional>
#include <span>
#include <string>

#include "train/metrics.h"

namespace dealer {

// How strong a learner was when it was last evaluated: its distance from an equilibrium where that is measured, else
// its result against the first opponent.
class Strength {
 public:
  // Takes the figures that an evaluation adds to metrics.jsonl; what holds no evaluation is left alone.
  void add(std::span<const Metric> figures);
  // "rule +4.30 ± 0.42, better": the last evaluation, and how it compares with the one before; empty before the first.
  std::string text() const;

 private:
  struct Seen {
    std::string against;  // empty: exploitability
    double value = 0, ci95 = 0;
  };
  std::optional<Seen> last_, before_;
};

}  // namespace dealer
