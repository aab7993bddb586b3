#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "agents/encoder.h"
#include "env/core/registry.h"
#include "env/games/poker/game.h"

namespace dealer::test {

// The input features of observations assembled number by number.
class FeaturesProbe {
 public:
  explicit FeaturesProbe(std::string_view spec)
      : game_(std::dynamic_pointer_cast<const poker::Game>(make_game(spec))), encoder_(make_encoder(game_)) {
    clear();
  }

  const poker::GameRules& rules() const { return game_->rules(); }
  const Encoder& encoder() const { return *encoder_; }
  const std::shared_ptr<const poker::Game>& game() const { return game_; }

  FeaturesProbe& clear() {
    observation_.assign(at(game_->observation_spec().size()), 0.0F);
    return *this;
  }
  // Sets a number of a part; for cards, a row may be chosen.
  FeaturesProbe& set(std::string_view part, int index, float value = 1) {
    const ObservationPart* found = game_->observation_spec().find(part);
    if (found == nullptr || index >= found->size()) throw std::logic_error("no such part: " + std::string(part));
    observation_.at(at(found->offset) + at(index)) = value;
    return *this;
  }
  FeaturesProbe& cards(std::string_view part, std::string_view text, int row = 0) {
    for (const CardId card : rules().deck->parse(text)) set(part, row * rules().deck->size() + card);
    return *this;
  }

  const std::vector<float>& observation() const { return observation_; }
  std::vector<float> input_features() const {
    std::vector<float> input_features(encoder_->names().size(), -1.0F);
    encoder_->encode(observation_.data(), input_features.data());
    return input_features;
  }
  static float named(const Encoder& encoder, const std::vector<float>& input_features, std::string_view name) {
    const auto found = std::find(encoder.names().begin(), encoder.names().end(), name);
    if (found == encoder.names().end()) throw std::logic_error("no such fact: " + std::string(name));
    return input_features[at(found - encoder.names().begin())];
  }
  float operator[](std::string_view name) const { return named(*encoder_, input_features(), name); }

 private:
  std::shared_ptr<const poker::Game> game_;
  EncoderPtr encoder_;
  std::vector<float> observation_;
};

}  // namespace dealer::test
