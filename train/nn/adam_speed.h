#pragma once

namespace dealer {

// Microseconds per update of Adam and the moving average of the weights, for a player and a critic of the size used in
// five-card draw, with this many threads: by AdamEma, and by libtorch's own Adam followed by its lerp_().
double measure_adam(double seconds, int threads);
double measure_libtorch_adam(double seconds, int threads);

}  // namespace dealer
