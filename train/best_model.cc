#include "train/best_model.h"

#include <fmt/format.h>

#include <cmath>

#include "agents/nn/checkpoints.h"
#include "env/core/error.h"
#include "env/core/numbers.h"

namespace dealer {
namespace {

constexpr const char* kExploitability = "exploitability";
constexpr const char* kHands = "hands";

template <class Number>
Number read_number(const TensorFile& file, const char* key) {
  const std::string& text = file.meta(key);
  const std::optional<Number> number = number_in<Number>(text);
  if (!number || !(*number >= 0))
    throw CheckpointError(fmt::format("{}: metadata '{}' is '{}'; expected a number from 0 on", file.name, key, text));
  return *number;
}

}  // namespace

BestModel::BestModel(const std::filesystem::path& run) : path_(best_model_path(run)) {
  if (!std::filesystem::exists(path_)) return;
  const TensorFile file = read();
  exploitability_ = read_number<double>(file, kExploitability);
  hands_ = read_number<std::int64_t>(file, kHands);
}

void BestModel::offer(TensorFile model, std::int64_t hands, double exploitability) {
  if (std::isnan(exploitability) || (exploitability_ && exploitability >= *exploitability_)) return;
  model.metadata[kHands] = std::to_string(hands);
  model.metadata[kExploitability] = fmt::format("{}", exploitability);
  write_safetensors(path_, model);
  exploitability_ = exploitability;
  hands_ = hands;
}

TensorFile BestModel::read() const { return read_safetensors(path_); }

}  // namespace dealer
