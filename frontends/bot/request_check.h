#pragma once

#include "env/core/env.h"
#include "env/core/json_fields.h"

namespace dealer {

// What a request says of the table, next to the table as our side has it; throws ParseError naming the first field that
// differs: "legal[2].index is 7; expected 0, 1 or 2".

// The choices: all that are legal, no other. True when the host names them by `text` alone, so that the answer has to.
bool check_legal(const JsonFields& request, const Env& table);
// Of `position` what is there; keys that a table does not have are passed over.
void check_position(const JsonFields& request, const Env& table, Seat viewer);

}  // namespace dealer
