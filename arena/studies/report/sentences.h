#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// Conclusions: sentences that are chosen by the figures, the most important first.
class Sentences {
 public:
  // Another game: what stands in front of its sentences, "draw – ". The first of each game are as important.
  void begin_with(std::string_view words) {
    front_ = words;
    rank_ = 0;
  }
  // The beginning that fits a figure seen against `level`, then the rest; nothing where the figure is unknown.
  void choose(const Estimate& seen, double level, std::string_view above, std::string_view below,
              std::string_view neither, std::string_view rest);
  // Of what is no comparison; nothing where the figure it rests on is unknown.
  void say(const Estimate& seen, std::string_view begin, std::string_view rest);
  // A whole sentence; `seen`: it does not tell of a difference that was looked for and not seen. Nothing where it is
  // empty.
  void add(std::string_view sentence, bool seen = true);
  // By importance, which is the order in which they were said; what was looked for and not seen is last.
  std::vector<std::string> take();

 private:
  struct Sentence {
    std::string text;
    bool seen = true;
    int rank = 0;
  };
  std::string front_;
  int rank_ = 0;  // of the next one, said or not
  std::vector<Sentence> list_;
};

}  // namespace dealer::studies
