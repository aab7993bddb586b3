#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// Conclusions: sentences that are chosen by the figures.
class Sentences {
 public:
  // Stands in front of all that follow: "draw – ".
  void begin_with(std::string_view words) { front_ = words; }
  // The beginning that fits a figure seen against `level`, then the rest; nothing where the figure is unknown.
  void choose(const Estimate& seen, double level, std::string_view above, std::string_view below,
              std::string_view neither, std::string_view rest);
  // Of what is no comparison; nothing where the figure it rests on is unknown.
  void say(const Estimate& seen, std::string_view begin, std::string_view rest);
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::string front_;
  std::vector<std::string> list_;
};

}  // namespace dealer::studies
