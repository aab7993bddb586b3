#include "agents/tabular/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agents/abstraction/tree_mccfr.h"
#include "agents/agent_registry.h"
#include "agents/tabular/cfr.h"
#include "agents/tabular/mccfr.h"
#include "env/core/error.h"
#include "env/core/nearest.h"

namespace dealer::tabular {
namespace {

constexpr double kMaxExponent = 10;
constexpr int kMaxTables = 256;

double average_exponent(Config& options, double gamma) { return options.get_double("gamma", gamma, 0, kMaxExponent); }

template <CfrOptions (*kUsual)(), bool kDiscounts = false>
SolverMaker read_cfr(Config& options) {
  CfrOptions cfr = kUsual();
  if (kDiscounts) {
    cfr.alpha = options.get_double("alpha", cfr.alpha, -kMaxExponent, kMaxExponent);
    cfr.beta = options.get_double("beta", cfr.beta, -kMaxExponent, kMaxExponent);
  }
  cfr.gamma = average_exponent(options, cfr.gamma);
  return [cfr](const GameTree& tree, const SolverOptions& common) {
    return std::make_unique<Cfr>(tree, cfr, common.threads);
  };
}

SolverMaker read_mccfr(Config& options) {
  MccfrOptions mccfr;
  mccfr.gamma = average_exponent(options, mccfr.gamma);
  mccfr.tables = options.get_int<int>("tables", mccfr.tables, 1, kMaxTables);
  return [mccfr](const GameTree& tree, const SolverOptions& common) {
    return std::make_unique<Mccfr>(tree, mccfr, common);
  };
}

SolverMaker read_bucket_mccfr(Config& options) {
  const abstraction::BucketMccfrOptions buckets = abstraction::read_bucket_mccfr(options);
  return [buckets](const GameTree& tree, const SolverOptions& common) {
    return std::make_unique<abstraction::TreeMccfr>(tree, buckets, common);
  };
}

SolverMaker read_mmd(Config& options) {
  MmdOptions mmd;
  mmd.step = options.get_double("step", mmd.step, 1e-6, 1e6);
  mmd.step_decay = options.get_double("step_decay", mmd.step_decay, 0, kMaxExponent);
  mmd.temperature = options.get_double("temperature", mmd.temperature, 0, 1e6);
  mmd.temperature_decay = options.get_double("temperature_decay", mmd.temperature_decay, 0, kMaxExponent);
  mmd.magnet_rate = options.get_double("magnet_rate", mmd.magnet_rate, 0, 1);
  mmd.gamma = average_exponent(options, mmd.gamma);
  return [mmd](const GameTree& tree, const SolverOptions& common) {
    return std::make_unique<Mmd>(tree, mmd, common.threads);
  };
}

struct Entry {
  SolverKind kind;
  SolverMaker (*read)(Config& options);
};

// New solvers are added here.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> kAll = {
      {{"cfr", "counterfactual regret minimisation", 1000}, read_cfr<CfrOptions::plain>},
      {{"cfr_plus", "CFR+: regrets never below 0, late iterations count more", 1000}, read_cfr<CfrOptions::plus>},
      {{"dcfr", "discounted CFR: early iterations count less and less", 1000}, read_cfr<CfrOptions::discounted, true>},
      {{"mccfr", "CFR by external sampling: many cheap iterations", 10'000'000}, read_mccfr},
      {{"bucket_mccfr", "the same over a card abstraction, for draw games and hold'em", 10'000'000}, read_bucket_mccfr},
      {{"mmd", "magnetic mirror descent, whose last iterate converges", 10'000}, read_mmd},
  };
  return kAll;
}

}  // namespace

std::string standard_algorithm(std::string_view text) {
  Spec spec = parse_spec(text);
  if (spec.name == "cfr+") spec.name = "cfr_plus";
  return to_string(spec);
}

SolverMaker solver_maker(std::string_view text) {
  const Spec spec = parse_spec(standard_algorithm(text));
  for (const Entry& entry : entries()) {
    if (entry.kind.name != spec.name) continue;
    try {
      Config config = agent_options(spec);
      SolverMaker maker = entry.read(config);
      config.finish();
      return maker;
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("algorithm '{}': {}", to_string(spec), error.what()));
    }
  }
  const std::vector<std::string> names = solver_names();
  throw UsageError(fmt::format("there is no algorithm '{}'{}; algorithms: {}", spec.name,
                               did_you_mean(spec.name, names), fmt::join(names, ", ")));
}

const std::vector<SolverKind>& solver_kinds() {
  static const std::vector<SolverKind> kKinds = [] {
    std::vector<SolverKind> kinds;
    for (const Entry& entry : entries()) kinds.push_back(entry.kind);
    return kinds;
  }();
  return kKinds;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverKind& kind : solver_kinds()) names.push_back(kind.name);
  return names;
}

}  // namespace dealer::tabular
