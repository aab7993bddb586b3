#pragma once

#include "env/core/env.h"
#include "env/core/json_fields.h"

namespace dealer {

// Compares a request's table with our own; throws ParseError naming the first field that differs: "legal[2].index is 7;
// expected 0, 1 or 2".

// Checks that the choices are exactly the legal ones. True when the host names them only by `text`, as the answer must.
bool check_legal(const JsonFields& request, const Env& table);
// Checks the keys present in `position`; keys that a table does not have are ignored.
void check_position(const JsonFields& request, const Env& table, Seat viewer);

}  // namespace dealer
