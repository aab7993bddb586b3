#pragma once

#include "arena/studies/fantasyland/figures.h"
#include "arena/studies/report/page.h"

namespace dealer::studies::fantasyland {

// The part of the report about single cards: in front or not, by turn and by what the other rows hold.
void add_choices(Page& page, const Figures& figures);

}  // namespace dealer::studies::fantasyland
