#include "agents/ofc/rollouts.h"

#include <algorithm>
#include <array>

#include "env/cards/shuffle.h"

namespace dealer::ofc {
namespace {

// Games that move together: enough for large matrix products, few enough for the cache.
constexpr std::size_t kGamesAtOnce = 64;

// What `seat` sees in a game being played out.
View seen_from(const View& view, int seat, int street, const Board* board, CardSet discards, CardSet hand) {
  View other;
  other.players = view.players;
  other.street = street;
  for (int rel = 0; rel < view.players; ++rel) {
    const auto owner = static_cast<std::size_t>((seat + rel) % view.players), r = static_cast<std::size_t>(rel);
    other.board[r] = board[owner];
    other.fantasyland[r] = view.fantasyland[owner];
    other.out[r] = view.out[owner];
  }
  other.discards = discards;
  other.hand = hand;
  other.dealer = (view.dealer - seat + view.players) % view.players;
  other.turn = 0;
  other.discards_left = street == 0 ? 0 : 1;
  other.places_left = size(hand) - other.discards_left;
  return other;
}

}  // namespace

std::vector<std::vector<Card>> random_deals(CardSet unseen, int deals, RandomStream& rng) {
  std::vector<Card> cards;
  for_each(unseen, [&](Card card) { cards.push_back(card); });
  std::vector<std::vector<Card>> decks(static_cast<std::size_t>(deals), cards);
  for (auto& deck : decks) shuffle_first(std::span(deck), deck.size(), rng);
  return decks;
}

Rollouts::Rollouts(const ModelPlay& play)
    : play_(play),
      evaluator_(play.evaluator()),
      placements_(kGamesAtOnce),
      values_(kGamesAtOnce * kMaxPlacements * (kMaxSeats - 1)) {}

void Rollouts::play_turn(const View& view, int seat, int street, std::span<Game> games, std::span<double> best_value) {
  const auto s = static_cast<std::size_t>(seat);
  std::array<int, kGamesAtOnce> count{};
  const std::size_t stride = kMaxPlacements * (kMaxSeats - 1);
  for (std::size_t g = 0; g < games.size(); ++g) {
    Game& game = games[g];
    CardSet hand = 0;
    for (int i = street == 0 ? 5 : 3; i > 0; --i) hand |= bit(game.deck[game.drawn++]);
    const View from = seen_from(view, seat, street, game.board, game.discards[s], hand);
    count[g] = enumerate_placements(from.board[0], hand, from.discards_left, placements_[g]);
    evaluator_.add(from, std::span(placements_[g].data(), static_cast<std::size_t>(count[g])), play_.end_of_hand(),
                   values_.data() + g * stride);
  }
  evaluator_.flush();
  std::array<float, kMaxPlacements> totals;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const auto n = static_cast<std::size_t>(count[g]);
    add_up(std::span(values_.data() + g * stride, n * static_cast<std::size_t>(view.players - 1)),
           std::span(totals.data(), n));
    const std::size_t chosen = best_of(std::span(totals.data(), n));
    const Placement& best = placements_[g][chosen];
    best_value[g] = static_cast<double>(totals[chosen]);
    games[g].board[s] = best.board;
    games[g].discards[s] |= best.discards;
  }
}

double Rollouts::score_game(const View& view, Game& game) const {
  const EndOfHand end = play_.end_of_hand();
  const BoardValue own = ofc::evaluate(game.board[0], *end.scoring);
  double stake = 0;
  for (int rel = 1; rel < view.players; ++rel) {
    const auto r = static_cast<std::size_t>(rel);
    if (view.out[r]) continue;
    if (view.fantasyland[r] && !game.board[r].complete()) {
      CardSet cards = 0;
      for (int i = play_.rules().fantasyland_cards; i > 0; --i) cards |= bit(game.deck[game.drawn++]);
      game.board[r] = solve_fantasyland(cards, play_.fantasyland_goal()).board;
    }
    stake += end.stake(own, ofc::evaluate(game.board[r], *end.scoring), false, view.dealer == 0);
  }
  return stake;
}

// The rest of this street, then the later ones, from the dealer's left.
void Rollouts::play_out(const View& view, Horizon horizon, std::span<Game> games, std::span<double> stakes) {
  bool acted = false;
  for (int street = view.street; street < kStreets; ++street) {
    for (int i = 1; i <= view.players; ++i) {
      const int seat = (view.dealer + i) % view.players;
      const auto s = static_cast<std::size_t>(seat);
      if (seat == 0 && !acted) {
        acted = true;
        continue;
      }
      if (!acted || view.out[s] || view.fantasyland[s]) continue;
      play_turn(view, seat, street, games, stakes);
      if (seat == 0 && horizon == Horizon::kNextTurn) return;
    }
  }
  for (std::size_t g = 0; g < games.size(); ++g) stakes[g] = score_game(view, games[g]);
}

std::vector<double> Rollouts::evaluate(const View& view, std::span<const Placement> candidates, int deals,
                                       Horizon horizon, RandomStream& rng) {
  const auto decks = random_deals(kFullDeck & ~view.seen(), deals, rng);
  std::vector<Game> games;
  for (const auto& deck : decks)
    for (const Placement& candidate : candidates) {
      Game& game = games.emplace_back();
      for (int rel = 0; rel < view.players; ++rel) game.board[rel] = view.board[static_cast<std::size_t>(rel)];
      game.board[0] = candidate.board;
      game.discards[0] = view.discards | candidate.discards;
      game.deck = deck.data();
    }
  std::vector<double> mean(candidates.size());
  std::array<double, kGamesAtOnce> stakes{};
  for (std::size_t begin = 0; begin < games.size(); begin += kGamesAtOnce) {
    const std::span<Game> batch = std::span(games).subspan(begin, std::min(kGamesAtOnce, games.size() - begin));
    play_out(view, horizon, batch, std::span(stakes.data(), batch.size()));
    for (std::size_t g = 0; g < batch.size(); ++g) mean[(begin + g) % candidates.size()] += stakes[g] / deals;
  }
  return mean;
}

}  // namespace dealer::ofc
