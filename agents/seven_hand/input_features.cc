#include "agents/seven_hand/input_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agents/seven_hand/chip_odds.h"
#include "env/games/seven_hand/game.h"

namespace dealer::seven_hand {
namespace {

// The number of groups of the hand with separate features.
constexpr int kShown = 4;

class InputFeaturesOf final : public Encoder {
 public:
  explicit InputFeaturesOf(std::shared_ptr<const Game> game) : game_(std::move(game)), line_(game_->rules()) {
    const auto each_chip = [&](const char* name) {
      for (int chip = 1; chip <= kChips; ++chip) names_.push_back(fmt::format("{}.{}", name, chip));
    };
    each_chip("strength");
    each_chip("chance");
    each_chip("three");
    each_chip("three.other");
    each_chip("named");
    names_.insert(names_.end(), {"line", "reserve", "reserve.rest", "picked", "picked.size"});
    for (const char* kind : {"group", "small"})
      for (int g = 1; g <= kShown; ++g)
        for (const char* what : {"", ".size"}) names_.push_back(fmt::format("{}{}.{}", kind, what, g));
    for (const char* kind : {"group", "small"})
      for (Card card = 0; card < kCards; ++card) names_.push_back(fmt::format("{}.{}", kind, dealer::to_string(card)));
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* input_features) const override {
    const auto width = static_cast<std::size_t>(game_->observation_spec().size());
    const View view = State::decode(game_->rules(), std::span(observation, width));
    const ChipOdds odds(line_, view);
    const auto add = [&](double feature) { *input_features++ = static_cast<float>(feature); };
    const CardSet hand = view.hand | view.picked;
    const int turns = odds.turns_left();
    const double own = odds.reserve(hand, turns);
    const ChipProbabilities probabilities = odds.probabilities(own);
    for (std::size_t c = 0; c < kChips; ++c)
      add(view.turn[0][c] != 0 ? laid_hand_cdfs().beats(evaluate(view.cards[0][c]), 0) : 0);
    for (const double chance : probabilities) add(chance);
    for (const int side : {0, 1})
      for (int chip = 0; chip < kChips; ++chip) add(threatens(view, chip, side) ? 1 : 0);
    add_naming(odds, view, own, input_features);
    input_features += kChips;
    add(odds.value(probabilities) / game_->rules().most_of_hand());
    add(own);
    add(turns > 0 ? odds.reserve(view.hand, turns - 1) : 0);
    add(view.picked != 0 ? laid_hand_cdfs().beats(evaluate(view.picked), 0) : 0);
    add(size(view.picked) / 5.0);
    std::array<float, 2 * kCards> of_card{};
    for (const bool small : {false, true}) {
      const Groups groups = share_out(hand, std::max(turns, 1), small);
      for (int g = 0; g < kShown; ++g) {
        const CardSet cards = g < groups.count ? groups.cards[static_cast<std::size_t>(g)] : 0;
        add(cards != 0 ? laid_hand_cdfs().beats(evaluate(cards), 0) : 0);
        add(size(cards) / 5.0);
      }
      // A weight for each card by its group: 1 for the best group, then decreasing.
      for (int g = 0; g < groups.count; ++g)
        for_each(groups.cards[static_cast<std::size_t>(g)], [&](Card card) {
          of_card[(small ? kCards : 0) + std::size_t{card}] = static_cast<float>(kTurns - g) / kTurns;
        });
    }
    std::copy(of_card.begin(), of_card.end(), input_features);
  }

 private:
  // The line's value after naming that chip, from the worst, 0, to the best, 1.
  static void add_naming(const ChipOdds& odds, const View& view, double own, float* input_features) {
    std::array<double, kChips> worth{};
    double least = 1e9, most = -1e9;
    for (int chip = 0; chip < kChips; ++chip) {
      input_features[chip] = 0;
      if (!view.naming || view.to_act != 0 || view.turn[1][static_cast<std::size_t>(chip)] != 0) continue;
      worth[static_cast<std::size_t>(chip)] = odds.value_of_naming(chip, own);
      least = std::min(least, worth[static_cast<std::size_t>(chip)]);
      most = std::max(most, worth[static_cast<std::size_t>(chip)]);
    }
    for (std::size_t c = 0; c < kChips; ++c)
      if (view.naming && view.to_act == 0 && view.turn[1][c] == 0 && most > least)
        input_features[c] = static_cast<float>((worth[c] - least) / (most - least));
  }

  std::shared_ptr<const Game> game_;
  LineValues line_;
  std::vector<std::string> names_;
};

}  // namespace

EncoderPtr make_input_features(const GamePtr& game) {
  return std::make_shared<InputFeaturesOf>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace dealer::seven_hand
