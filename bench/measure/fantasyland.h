#pragma once

namespace dealer {

// Median microseconds to set a random Fantasyland hand of 14 cards for royalties, over about `seconds` of hands (at
// least one), on this thread: by the solver, and by trying every setting.
double measure_fantasyland14(double seconds);
double measure_fantasyland14_reference(double seconds);

}  // namespace dealer
