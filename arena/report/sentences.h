#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/figure.h"

namespace dealer::studies {

// A sentence selected by a figure: variants for a figure above `level`, below it, and with an interval that contains
// it; without the latter two it is not a comparison. All may contain paths of figures, as in Figure::fill().
struct Saying {
  std::string_view figure;  // its path
  std::string_view above, below = {}, neither = {};
  std::string_view rest;
  double level = 0;
};

// Conclusions, the most important first.
class Sentences {
 public:
  // Starts another game: the prefix of its sentences, "draw – ". The first sentences of each game rank equally.
  void begin_with(std::string_view words) {
    front_ = words;
    rank_ = 0;
  }
  // Does nothing if the figure is unknown.
  void say(const Figure& of, const Saying& saying);
  void say(const Figure& of, std::span<const Saying> sayings) {
    for (const Saying& saying : sayings) say(of, saying);
  }
  // Adds a whole sentence; `seen`: false if it reports a difference that was tested and not
  // significant. Does nothing if it is empty.
  void add(std::string_view sentence, bool seen = true);
  // All sentences by importance, which is the order in which they were added; non-significant differences come last.
  std::vector<std::string> take();

 private:
  struct Sentence {
    std::string text;
    bool seen = true;
    int rank = 0;
  };
  std::string front_;
  int rank_ = 0;  // of the next one, added or not
  std::vector<Sentence> list_;
};

}  // namespace dealer::studies
