#include "agents/poker/opening_book.h"

#include <algorithm>
#include <utility>

#include "agents/poker/pot_share.h"
#include "env/games/poker/state.h"

namespace dealer::poker {
namespace {

constexpr int kOpeningHands = 600;
constexpr int kOpeningSamples = 100;
constexpr std::uint64_t kOpeningSeed = 0x09e2;

}  // namespace

OpeningBook::OpeningBook(const GameRules& rules, const DrawBook* book) {
  std::vector<std::vector<double>> shares(static_cast<std::size_t>(rules.players));
  RandomStream rng(kOpeningSeed);
  State state;
  for (std::uint64_t hand = 0; hand < kOpeningHands; ++hand) {
    state.reset(rules, derive(kOpeningSeed, hand));
    if (state.current_player() == kTerminal) continue;
    View view = state.view(state.current_player());
    // Opponents fold one after the other.
    for (auto opponents = static_cast<std::size_t>(view.live_count() - 1); opponents > 0; --opponents) {
      shares[opponents].push_back(pot_share(rules, view, book, kOpeningSamples, rng));
      const auto next = std::find_if(view.player.begin(), view.player.end(), [&](const View::Player& player) {
        return player.live() && &player != &view.own();
      });
      next->folded = true;
    }
  }
  for (std::vector<double>& each : shares) shares_.emplace_back(std::move(each));
}

double OpeningBook::better(double share, int opponents) const {
  const EmpiricalCdf<double>& shares = shares_[static_cast<std::size_t>(opponents)];
  return shares.size() == 0 ? 0.5 : static_cast<double>(shares.above(share)) / static_cast<double>(shares.size());
}

}  // namespace dealer::poker
