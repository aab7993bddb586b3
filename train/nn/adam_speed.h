#pragma once

namespace dealer {

// Microseconds for an update of Adam and the moving average of the weights of a player and a critic as five-card draw
// has them, with so many threads: by AdamEma, and by libtorch's own Adam followed by its lerp_().
double measure_adam(double seconds, int threads);
double measure_libtorch_adam(double seconds, int threads);

}  // namespace dealer
