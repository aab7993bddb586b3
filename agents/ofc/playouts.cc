#include "agents/ofc/playouts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agents/ofc/last_turn_values.h"
#include "env/cards/shuffle.h"

namespace dealer::ofc {
namespace {

// The number of games advanced together: enough for large matrix products, small enough for the cache.
constexpr std::size_t kGamesAtOnce = 64;

// The view of `seat` in a game being played out.
View seen_from(const View& view, int seat, int street, std::span<const Board> board, CardSet discards, CardSet hand) {
  View other;
  other.players = view.players;
  other.street = street;
  for (int rel = 0; rel < view.players; ++rel) {
    const auto owner = at((seat + rel) % view.players), r = at(rel);
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

void deal_unseen(CardSet unseen, std::uint64_t seed, std::int64_t number, std::span<Card> deck) {
  const std::size_t n = deck.size();
  const auto block = static_cast<std::uint64_t>(number) / n, turn = static_cast<std::uint64_t>(number) % n;
  RandomStream rng(seed, block);
  std::array<Card, kCards> cards;
  std::array<std::uint8_t, kCards> place;
  std::size_t count = 0;
  for_each(unseen, [&](Card card) { cards[count++] = card; });
  shuffle_first(std::span(cards).first(n), n, rng);
  std::iota(place.begin(), place.end(), std::uint8_t{0});
  shuffle_first(std::span(place).first(n), n, rng);
  for (std::size_t i = 0; i < n; ++i) deck[i] = cards[(place[i] + turn) % n];
}

Playouts::Playouts(const ModelPlay& play)
    : play_(play),
      evaluator_(play.evaluator(0)),
      others_(play.evaluator()),
      games_(kGamesAtOnce),
      placements_(kGamesAtOnce),
      values_(kGamesAtOnce * kMaxPlacements * (kMaxSeats - 1)) {}

int Playouts::horizons(const View& view) { return kStreets - view.street; }

// The value of a board by itself, or against complete boards, as far as the last cards determine it:
// without the rows that are still open.
double Playouts::average_cards(const View& view, const Game& game, CardSet hand) const {
  const EndOfHand end = play_.end_of_hand();
  std::array<BoardValue, kMaxSeats> others;
  std::size_t complete = 0;
  double open = 0;
  CardSet cards = hand;
  for (std::size_t r = 1; r < at(view.players); ++r) {
    if (view.out[r]) continue;
    if (game.board[r].complete())
      others[complete++] = ofc::evaluate(game.board[r], *end.scoring);
    else
      ++open;
  }
  for (int i = game.drawn; i < unseen_; ++i) cards |= bit(game.deck[i]);
  const LastCards<double> last(game.board[0], cards, [&](const auto& rank, Card, Card) {
    const BoardValue own = ofc::evaluate(rank, *end.scoring);
    double value = open > 0 ? open * play_.value_against_unseen_board(own, view.dealer == 0) : 0;
    for (std::size_t i = 0; i < complete; ++i) value += end.stake(own, others[i], false, view.dealer == 0);
    return value;
  });
  return last.mean() - last.best(hand);
}

void Playouts::play_turn(const View& view, int seat, int street, int horizon, std::span<Game> games) {
  const auto s = at(seat);
  AfterstateEvaluator& evaluator = seat == 0 ? evaluator_ : others_;
  std::array<int, kGamesAtOnce> count{};
  const std::size_t stride = kMaxPlacements * (kMaxSeats - 1);
  for (std::size_t g = 0; g < games.size(); ++g) {
    Game& game = games[g];
    CardSet hand = 0;
    for (int i = street == 0 ? 5 : 3; i > 0; --i) hand |= bit(game.deck[game.drawn++]);
    if (seat == 0 && street == kStreets - 1) game.average_cards = average_cards(view, game, hand);
    const View from = seen_from(view, seat, street, game.board, game.discards[s], hand);
    count[g] = enumerate_placements(from.board[0], hand, from.discards_left, placements_[g]);
    evaluator.add(from, std::span(placements_[g].data(), at(count[g])), play_.end_of_hand(),
                  values_.data() + g * stride);
  }
  evaluator.flush();
  std::array<float, kMaxPlacements> totals;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const auto n = at(count[g]);
    add_up(std::span(values_.data() + g * stride, n * at(view.players - 1)), std::span(totals.data(), n));
    const std::size_t chosen = best_of(std::span(totals.data(), n));
    const Placement& best = placements_[g][chosen];
    if (horizon >= 0) games[g].out->stake[at(horizon)] = static_cast<double>(totals[chosen]) + games[g].average_cards;
    games[g].board[s] = best.board;
    games[g].discards[s] |= best.discards;
  }
}

double Playouts::score(const View& view, Game& game, const Game* earlier) const {
  const EndOfHand end = play_.end_of_hand();
  const BoardValue own = ofc::evaluate(game.board[0], *end.scoring);
  double stake = 0;
  for (std::size_t r = 1; r < at(view.players); ++r) {
    if (view.out[r]) continue;
    if (view.fantasyland[r] != 0 && !game.board[r].complete()) {
      CardSet cards = 0;
      for (int i = view.fantasyland[r]; i > 0; --i) cards |= bit(game.deck[game.drawn++]);
      game.board[r] = earlier ? earlier->board[r] : solve_fantasyland(cards, play_.fantasyland_goal()).board;
    }
    stake += end.stake(own, ofc::evaluate(game.board[r], *end.scoring), false, view.dealer == 0);
  }
  return stake;
}

// Plays the rest of this street, then the later ones, starting at the dealer's left.
void Playouts::play_out(const View& view, int turns, std::span<Game> games) {
  bool acted = false;
  int own = 0;
  for (int street = view.street; street < kStreets; ++street) {
    for (int i = 1; i <= view.players; ++i) {
      const int seat = (view.dealer + i) % view.players;
      const auto s = at(seat);
      if (seat == 0 && !acted) {
        acted = true;
        continue;
      }
      if (!acted || view.out[s] || view.fantasyland[s]) continue;
      play_turn(view, seat, street, seat == 0 ? own : -1, games);
      if (seat == 0 && ++own == turns) return;
    }
  }
  const Game* earlier = nullptr;
  for (Game& game : games) {
    if (earlier != nullptr && earlier->deck != game.deck) earlier = nullptr;
    game.out->stake[at(own)] = score(view, game, earlier) + game.average_cards;
    earlier = &game;
  }
}

void Playouts::run(const View& view, std::span<const Placement> placements, std::uint64_t seed, std::int64_t first_deal,
                   int deals, int turns, std::span<PlayedOut> out) {
  const CardSet unseen = kFullDeck & ~view.seen();
  unseen_ = size(unseen);
  const auto stride = at(unseen_);
  decks_.resize(at(deals) * stride);
  for (std::size_t d = 0; d < at(deals); ++d)
    deal_unseen(unseen, seed, first_deal + static_cast<std::int64_t>(d), std::span(decks_).subspan(d * stride, stride));
  const std::size_t all = at(deals) * placements.size();
  for (std::size_t begin = 0; begin < all; begin += kGamesAtOnce) {
    const std::size_t count = std::min(kGamesAtOnce, all - begin);
    for (std::size_t g = 0; g < count; ++g) {
      const std::size_t number = begin + g;
      const Placement& placement = placements[number % placements.size()];
      Game& game = games_[g] = {};
      std::copy_n(view.board, game.board.size(), game.board.begin());
      game.board[0] = placement.board;
      game.discards[0] = view.discards | placement.discards;
      game.deck = decks_.data() + number / placements.size() * stride;
      game.out = &out[number];
    }
    play_out(view, turns, std::span(games_).first(count));
  }
}

NStepEstimator::NStepEstimator(std::span<const double> network, int horizons)
    : network_(network.begin(), network.end()), horizons_(at(horizons)) {
  for (std::size_t h = 0; h < horizons_; ++h) sums_[h].resize(network.size());
}

void NStepEstimator::add(std::span<const std::size_t> left, std::span<const PlayedOut> results, int horizons) {
  for (std::size_t h = 0; h < at(horizons); ++h) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const double before = h == 0 ? network_[left[i]] : results[i].stake[h - 1];
      const double correction = results[i].stake[h] - before;
      sums_[h][left[i]].add(correction);
      sum += correction;
      squares += correction * correction;
    }
    const auto n = static_cast<double>(left.size());
    squares_[h] += std::max(0.0, squares - sum * sum / n);
    freedom_[h] += static_cast<std::int64_t>(left.size()) - 1;
  }
}

void NStepEstimator::add(const NStepEstimator& other) {
  for (std::size_t h = 0; h < horizons_; ++h) {
    for (std::size_t i = 0; i < network_.size(); ++i) sums_[h][i].add(other.sums_[h][i]);
    squares_[h] += other.squares_[h];
    freedom_[h] += other.freedom_[h];
  }
}

void NStepEstimator::weigh(std::span<const std::size_t> left, std::span<double> values) const {
  for (const std::size_t i : left) values[i] = network_[i];
  for (std::size_t h = 0; h < horizons_; ++h) {
    const std::int64_t deals = sums_[h][left.front()].count();
    if (deals == 0) continue;
    double common = 0;
    for (const std::size_t i : left) common += sums_[h][i].mean() / static_cast<double>(left.size());
    const double weight = trust(h, deals).weight;
    for (const std::size_t i : left) values[i] += common + weight * (sums_[h][i].mean() - common);
  }
}

NStepEstimator::Trust NStepEstimator::trust(std::size_t h, std::int64_t deals) const {
  const double noise =
      freedom_[h] > 0 ? squares_[h] / static_cast<double>(freedom_[h]) / static_cast<double>(deals) : 0;
  const double error = kNetworkError[h] * kNetworkError[h];
  return {noise, error / (error + noise)};
}

// The posterior variance is weight * noise for each placement and horizon.
double NStepEstimator::difference_error(std::size_t placement) const {
  double variance = 0;
  for (std::size_t h = 0; h < horizons_; ++h) {
    const std::int64_t deals = sums_[h][placement].count();
    if (deals == 0) continue;
    const Trust known = trust(h, deals);
    variance += 2 * known.weight * known.noise;
  }
  return std::sqrt(variance);
}

double NStepEstimator::error(std::size_t placement) const {
  double variance = 0;
  for (std::size_t h = 0; h < horizons_; ++h) variance += sums_[h][placement].variance();
  return std::sqrt(variance);
}

}  // namespace dealer::ofc
