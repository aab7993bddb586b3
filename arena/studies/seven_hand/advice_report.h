#pragma once

#include "arena/studies/report/page.h"
#include "arena/studies/seven_hand/figures.h"

namespace dealer::studies::seven_hand {

// The parts of the report on what to lay and what to name, and on the agent's responder. Nothing where there are no
// figures.
void add_advice(Page& page, const AdviceFigures& advice);
void add_responses(Page& page, const ResponseFigures& responses);

}  // namespace dealer::studies::seven_hand
