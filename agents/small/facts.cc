#include "agents/small/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/games/small/game.h"

namespace dealer::small {
namespace {

class DrawFacts final : public Encoder {
 public:
  explicit DrawFacts(std::shared_ptr<const Game> game)
      : game_(std::move(game)),
        part_(game_->rules().parts()),
        ranks_(game_->rules().options().ranks),
        suits_(game_->rules().options().suits),
        most_(std::min(suits_, game_->rules().options().hand)) {
    for (const char* where : {"held", "discarded", "drawn"})
      for (int rank = 0; rank < ranks_; ++rank)
        for (int count = 1; count <= most_; ++count)
          names_.push_back(fmt::format("{}.{}.{}", where, rank_name(rank), count));
    for (int rank = 0; rank < ranks_; ++rank) names_.push_back(fmt::format("next.{}", rank_name(rank)));
  }

  const std::vector<std::string>& names() const override { return names_; }

  void encode(const float* observation, float* facts) const override {
    const float *const dealt = observation + part_.hand, *const discarded = observation + part_.discarded,
                       *const drawn = observation + part_.drawn;
    const auto add = [&](auto card) {
      for (int rank = 0; rank < ranks_; ++rank) {
        float cards = 0;
        for (int i = suits_ * rank; i < suits_ * (rank + 1); ++i) cards += card(i);
        for (int count = 1; count <= most_; ++count) *facts++ = cards >= static_cast<float>(count) ? 1.0F : 0.0F;
      }
    };
    add([=](int i) { return dealt[i] - discarded[i] + drawn[i]; });
    add([=](int i) { return discarded[i]; });
    add([=](int i) { return drawn[i]; });
    for (int rank = 0; rank < ranks_; ++rank) {
      const float* const next = observation + part_.next + suits_ * rank;
      *facts++ = *std::max_element(next, next + suits_);
    }
  }

 private:
  std::string rank_name(int rank) const {
    std::string card = game_->rules().to_string(static_cast<Card>(suits_ * rank));
    card.pop_back();  // the suit
    return card;
  }

  std::shared_ptr<const Game> game_;
  const Parts& part_;
  int ranks_, suits_, most_;  // cards of a rank that one can hold
  std::vector<std::string> names_;
};

}  // namespace

EncoderPtr make_draw_facts(const GamePtr& game) {
  return std::make_shared<DrawFacts>(std::dynamic_pointer_cast<const Game>(game));
}

}  // namespace dealer::small
