#include "agents/seven_hand/turn_evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/seven_hand/layings.h"
#include "env/core/at.h"
#include "env/core/error.h"

namespace dealer::seven_hand {
namespace {

constexpr const char* kFormat = "dealer.seven_hand.afterstate_values.1";

}  // namespace

void store_net(const SparseNet& net, TensorFile& file) {
  file.metadata["format"] = kFormat;
  file.metadata["game"] = "seven_hand";
  net.store(file);
}

SparseNet load_net(const TensorFile& file) {
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != kFormat)
    throw CheckpointError(fmt::format("{}: no trained 7-Hand player: expected the format '{}', got '{}'", file.name,
                                      kFormat, format == file.metadata.end() ? "" : format->second));
  return SparseNet::read(file, feature::kCount, kOutputs);
}

void list_choices(const View& view, CardSet also, std::vector<CardSet>& layings, std::vector<TurnChoice>& choices) {
  choices.clear();
  if (view.naming) {
    for (int chip = 0; chip < kChips; ++chip)
      if (view.turn[1][at(chip)] == 0) choices.push_back({0, chip, 0});
    return;
  }
  propose_layings(view.hand, std::count(view.turn[0].begin(), view.turn[0].end(), 0) == 1, layings);
  if (also != 0 && std::find(layings.begin(), layings.end(), also) == layings.end()) layings.push_back(also);
  for (const CardSet cards : layings) choices.push_back({cards, -1, 0});
}

std::string text_of(const TurnChoice& choice) {
  return choice.cards != 0 ? to_string(choice.cards) : fmt::format("chip {}", choice.chip + 1);
}

std::vector<Action> line_of(const View& view, const TurnChoice& choice) {
  if (choice.cards == 0) return {kFirstChip + choice.chip};
  return actions_of(choice.cards & ~view.picked, view.hand);
}

TurnEvaluator::TurnEvaluator(const SparseNet& net, const AfterstateFeatures& features)
    : net_(net),
      features_(features),
      layers_(net.layers()),
      common_sum_(static_cast<std::size_t>(net.width())),
      first_(static_cast<std::size_t>(kRowsAtOnce * net.width())) {}

std::span<const TurnChoice> TurnEvaluator::value(const View& view, CardSet also) {
  view_ = view;
  common_ = features_.common(view);
  net_.sum(common_.list.active(), net_.sparse().bias.data(), common_sum_.data());
  list_choices(view, also, layings_, choices_);
  const auto width = static_cast<std::size_t>(net_.width());
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    FeatureList own;
    features_.add_choice(view_, common_, choices_[i].cards, choices_[i].chip, own);
    float* const row = first_.data() + static_cast<std::size_t>(rows_++) * width;
    net_.sum(own.active(), common_sum_.data(), row);
    for (std::size_t k = 0; k < width; ++k) row[k] = std::max(row[k], 0.0F);
    if (rows_ == kRowsAtOnce) run(i + 1);
  }
  if (rows_ > 0) run(choices_.size());
  return choices_;
}

void TurnEvaluator::run(std::size_t end) {
  std::array<float, kRowsAtOnce> out;
  layers_.forward(first_.data(), rows_, out.data());
  for (int row = 0; row < rows_; ++row) choices_[end - static_cast<std::size_t>(rows_ - row)].value = out[at(row)];
  evaluations_ += rows_;
  rows_ = 0;
}

FeatureList TurnEvaluator::features(const TurnChoice& choice) const {
  FeatureList list = common_.list;
  features_.add_choice(view_, common_, choice.cards, choice.chip, list);
  return list;
}

const TurnChoice& best_of(std::span<const TurnChoice> choices) {
  return *std::max_element(choices.begin(), choices.end(),
                           [](const TurnChoice& a, const TurnChoice& b) { return a.value < b.value; });
}

}  // namespace dealer::seven_hand
