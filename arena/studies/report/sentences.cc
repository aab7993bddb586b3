#include "arena/studies/report/sentences.h"

#include <fmt/format.h>

namespace dealer::studies {

void Sentences::choose(const Estimate& seen, double level, std::string_view above, std::string_view below,
                       std::string_view neither, std::string_view rest) {
  say(seen, seen.above(level) ? above : seen.below(level) ? below : neither, rest);
}

void Sentences::say(const Estimate& seen, std::string_view begin, std::string_view rest) {
  if (seen.known()) list_.push_back(fmt::format("{}{}: {}.", front_, begin, rest));
}

}  // namespace dealer::studies
