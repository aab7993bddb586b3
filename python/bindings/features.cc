#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "agents/agent_registry.h"
#include "agents/input_features.h"
#include "agents/nn/model_files.h"
#include "env/core/data_dir.h"
#include "env/core/error.h"
#include "env/core/lru_cache.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

constexpr std::size_t kKept = 16;

// Cache of the games last used.
std::shared_ptr<const InputFeatures> inputs_of(const GamePtr& game) {
  static std::mutex mutex;
  static LruCache<std::shared_ptr<const InputFeatures>> kept(kKept);
  const std::lock_guard lock(mutex);
  return kept.get(game->id().rules, [&] { return std::make_shared<const InputFeatures>(game); });
}

using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NewRows = nb::ndarray<nb::numpy, float, nb::ndim<2>>;

NewRows features(const GamePtr& game, const Rows& observations) {
  const std::shared_ptr<const InputFeatures> inputs = inputs_of(game);
  const std::size_t rows = observations.shape(0), width = inputs->names().size();
  auto made = std::make_unique<float[]>(rows * width);
  {
    const nb::gil_scoped_release release;
    inputs->encode({observations.data(), rows * observations.shape(1)}, {made.get(), rows * width});
  }
  return array_of(std::move(made), rows, width);
}

nb::list afterstates(nb::handle game, const Observation& observation) {
  nb::list list;
  for (const EncodedAfterstate& each : inputs_of(to_game(game))->afterstates(observation)) {
    nb::dict dict;
    dict["actions"] = each.actions;
    dict["text"] = each.text;
    dict["rows"] = each.rows;
    list.append(dict);
  }
  return list;
}

nb::dict models() {
  nb::dict dict;
  for (const ModelFile& file : list_models(data_path("models"), nullptr))
    dict[nb::str(file.path.stem().c_str())] = file.path.string();
  return dict;
}

}  // namespace

void bind_features(nb::module_& module) {
  module.def("_features", &features);
  module.def(
      "feature_names", [](nb::handle game) { return inputs_of(to_game(game))->names(); }, nb::arg("game"),
      nb::sig("def feature_names(game: str | Game) -> list[str]"),
      "The names of features(): 'hand.percentile'; none in games whose networks see the observation alone.\n"
      "docs/features.md explains them.");
  module.def(
      "num_afterstate_features", [](nb::handle game) { return inputs_of(to_game(game))->afterstate_size(); },
      nb::arg("game"), nb::sig("def num_afterstate_features(game: str | Game) -> int"),
      "How many binary features afterstates() has; 0 in games that have no afterstates().");
  module.def(
      "afterstates", &afterstates, nb::arg("game"), nb::arg("observation"),
      nb::sig("def afterstates(game: str | Game, observation: Observation) -> list[dict[str, Any]]"),
      "OFC and 7-Hand Poker: every choice of the turn as {actions, text, rows}, for networks that value the\n"
      "position after it. actions: those that play it from here on. rows: for each opponent in the game (OFC),\n"
      "or once, the numbers of the binary features that are 1, of num_afterstate_features(). [] in Fantasyland,\n"
      "which needs no network. Raises UsageError in other games.");
  module.def("models", &models, nb::sig("def models() -> dict[str, str]"),
             "The files of the trained agents that come with the package: name to path. docs/weights.md says what is\n"
             "in them.");
}

}  // namespace dealer::python
