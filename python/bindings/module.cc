#include "env/core/random.h"
#include "env/core/version.h"
#include "python/bindings/bindings.h"

NB_MODULE(_core, m) {
  using namespace dealer::python;
  m.doc() = "The compiled half of dealers_choice.";
  m.attr("__version__") = dealer::version();
  m.def("derive", &dealer::derive, nb::arg("seed"), nb::arg("index"),
        "A seed of its own for each index (0 to 2**64-1): a VectorEnv deals episode k of table e from\n"
        "derive(derive(seed, e), k).");
  bind_errors(m);
  bind_games(m);
  bind_decisions(m);
  bind_env(m);
  bind_vector_env(m);
  bind_agents(m);
  bind_features(m);
  bind_matches(m);
  bind_cards(m);
}
