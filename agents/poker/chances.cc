#include "agents/poker/chances.h"

#include <algorithm>
#include <functional>

#include "agents/poker/pot_share.h"
#include "env/cards/shuffle.h"

namespace dealer::poker {

Chances::Chances(const GameRules& rules) : rules_(rules) {
  if (rules.draws > 0) book_.emplace(rules);
}

double Chances::share(const View& view, int samples, RandomStream& rng) const {
  return pot_share(rules_, view, book_ ? &*book_ : nullptr, samples, rng);
}

double Chances::needed(const View& view) {
  const double cost = view.to_call;
  return cost == 0 ? 0 : cost / (view.pot + cost);
}

std::vector<DiscardChances> Chances::discards(const View& view, int samples, RandomStream& rng) const {
  std::vector<CardId> hand;
  for (const SeenCard& seen : view.own().cards) hand.push_back(seen.card);
  const std::vector<CardId> unseen = unseen_cards(rules_, view);
  constexpr std::uint32_t kEveryMask = ~std::uint32_t{0};
  const int opponents = std::max(1, view.live_count() - 1);
  std::vector<DiscardChances> all;
  for (const DrawBook::Discard& discard : book_->discards(hand, unseen, kEveryMask, opponents, samples, rng)) {
    DiscardChances chances{.cards = {}, .share = discard.share, .becomes = {}};
    std::vector<CardId> kept;
    for (std::size_t i = 0; i < hand.size(); ++i) {
      const bool goes = (discard.mask >> i & 1) != 0;
      if (goes) chances.cards.push_back(hand[i]);
      // As in the DrawBook: of more discards than cards can come, the last stay.
      if (!goes || chances.cards.size() > unseen.size()) kept.push_back(hand[i]);
    }
    std::sort(chances.cards.begin(), chances.cards.end(), std::greater<>());
    chances.becomes = becomes(kept, unseen, samples, rng);
    all.push_back(std::move(chances));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const DiscardChances& a, const DiscardChances& b) { return a.share > b.share; });
  return all;
}

std::map<int, double> Chances::becomes(const std::vector<CardId>& kept, std::vector<CardId> unseen, int samples,
                                       RandomStream rng) const {
  const std::size_t come = static_cast<std::size_t>(rules_.hand_cards) - kept.size();
  const int deals = come == 0 ? 1 : samples;
  std::map<int, int> count;
  std::vector<CardId> hand = kept;
  for (int n = 0; n < deals; ++n) {
    shuffle_first(std::span(unseen), come, rng);
    hand.resize(kept.size());
    hand.insert(hand.end(), unseen.begin(), unseen.begin() + static_cast<std::ptrdiff_t>(come));
    ++count[rules_.high->category(rules_.high->evaluate(hand), static_cast<int>(hand.size()))];
  }
  std::map<int, double> often;
  for (const auto& [category, times] : count) often[category] = static_cast<double>(times) / deals;
  return often;
}

}  // namespace dealer::poker
