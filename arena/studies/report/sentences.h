#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"

namespace dealer::studies {

// A sentence that is chosen by a figure: how it begins where the figure lies above `level`, below it, and where its
// interval holds it; without the latter two it is no comparison. All may name figures, as Figure::fill() has them.
struct Saying {
  std::string_view figure;  // its path
  std::string_view above, below = {}, neither = {};
  std::string_view rest;
  double level = 0;
};

// Conclusions, the most important first.
class Sentences {
 public:
  // Another game: what stands in front of its sentences, "draw – ". The first of each game are as important.
  void begin_with(std::string_view words) {
    front_ = words;
    rank_ = 0;
  }
  // Nothing where the figure is unknown.
  void say(const Figure& of, const Saying& saying);
  void say(const Figure& of, std::span<const Saying> sayings) {
    for (const Saying& saying : sayings) say(of, saying);
  }
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
