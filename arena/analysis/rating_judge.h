#pragma once

#include <memory>

#include "agents/choice_rater.h"
#include "arena/analysis/judge.h"

namespace dealer::analysis {

// By an agent that values the choices of its turns.
std::unique_ptr<Judge> make_rating_judge(std::unique_ptr<ChoiceRater> rater);

}  // namespace dealer::analysis
