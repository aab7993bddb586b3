#include "agents/input_features.h"

#include <fmt/format.h>

#include "env/core/error.h"
#include "env/games/visit.h"

namespace dealer {
namespace {

// Validates the observation, since encoders do not.
void check_observation(const Game& game, std::span<const float> numbers) {
  visit(game, [&]<class S>(const TypedGame<S>& typed) {
    if constexpr (requires { S::decode(typed.rules(), numbers); }) static_cast<void>(S::decode(typed.rules(), numbers));
  });
}

}  // namespace

InputFeatures::InputFeatures(const GamePtr& game) : game_(game), encoder_(make_encoder(game)) {
  if (encoder_) names_ = encoder_->names();
}

void InputFeatures::encode(std::span<const float> observations, std::span<float> input_features) const {
  const auto size = static_cast<std::size_t>(game_->observation_spec().size());
  const std::size_t rows = observations.size() / size;
  if (rows * size != observations.size() || rows * names_.size() != input_features.size())
    throw UsageError(fmt::format("{} numbers and room for {} features; expected {} and {} for each observation of '{}'",
                                 observations.size(), input_features.size(), size, names_.size(), game_->spec()));
  for (std::size_t row = 0; row < rows; ++row) check_observation(*game_, observations.subspan(row * size, size));
  if (!encoder_) return;
  for (std::size_t row = 0; row < rows; ++row)
    encoder_->encode(&observations[row * size], &input_features[row * names_.size()]);
}

const AfterstateEncoder* InputFeatures::afterstate_encoder() const {
  std::call_once(once_, [&] { afterstates_ = make_afterstate_encoder(game_); });
  return afterstates_.get();
}

int InputFeatures::afterstate_size() const {
  const AfterstateEncoder* const encoder = afterstate_encoder();
  return encoder != nullptr ? encoder->size() : 0;
}

std::vector<EncodedAfterstate> InputFeatures::afterstates(const Observation& seen) const {
  const AfterstateEncoder* const encoder = afterstate_encoder();
  if (encoder == nullptr)
    throw UsageError(
        fmt::format("networks of '{}' do not value afterstates; those of OFC and 7-Hand Poker do", game_->spec()));
  return encoder->encode(seen);
}

}  // namespace dealer
