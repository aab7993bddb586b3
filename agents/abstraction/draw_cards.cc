#include "agents/abstraction/draw_cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

using poker::kDrawHand;

constexpr std::uint64_t kDrawCuttingSeed = 0x6275636b657473;  // seed of the hands that define the buckets
constexpr int kDrawCuttingHands = 60'000;
constexpr std::uint64_t kDealsOfATree = 8;

// Accesses the states of a draw game for PublicTreeBuilder.
struct DrawTable {
  int first_discard;
  int hand = kDrawHand, discards = DrawCards::kDiscards;
  static int position(const poker::State& state) { return state.current_player() == state.dealer() ? 1 : 0; }
  static Seat seat_of(const poker::State& state, int position) {
    return position == 1 ? state.dealer() : 1 - state.dealer();
  }
  static bool drawing(const poker::State& state) { return state.drawing(); }
  void draw(poker::State& state, int count) const { state.apply_and_hold(first_discard + (1 << count) - 1); }
};

// Built before the draw tables, which take longer than detecting that there are too many betting histories.
PublicTree tree_of(const poker::GameRules& rules, int buckets) {
  std::vector<poker::State> deals;
  for (std::uint64_t seed = 0; deals.size() < kDealsOfATree; ++seed) {
    poker::State state;
    state.reset_and_hold(rules, seed);
    if (deals.empty() || state.dealer() == deals.front().dealer()) deals.push_back(state);
  }
  PublicTree tree = PublicTreeBuilder<poker::State, DrawTable>(DrawTable{rules.first_discard()}, deals).take();
  tree.lay_out(std::vector<int>(at(rules.draws) + 1, buckets));
  return tree;
}

}  // namespace

std::shared_ptr<const poker::Game> draw_game(std::shared_ptr<const poker::Game> game) {
  const poker::GameRules& rules = game->rules();
  const auto refuse = [&](const char* why) {
    throw UsageError(
        fmt::format("bucket_mccfr is for draw games of two players, one ranking, fixed bets, fresh stacks "
                    "and hidden cards, and for hold'em: '{}' {}",
                    game->spec(), why));
  };
  if (rules.procedure != poker::Procedure::kDraw) refuse("is neither a draw game nor hold'em");
  if (rules.hand_cards != kDrawHand) refuse("has hands of another number of cards than five");
  if (rules.players != 2) refuse("is for other numbers of players; try players=2");
  if (rules.low != nullptr) refuse("is split between high and low");
  if (rules.bets.limit != betting::Limit::kStructured) refuse("has no fixed bets; expected limit=structured");
  if (rules.episode != poker::Episode::kHand) refuse("carries chips over; expected episode=hand");
  if (!rules.transparent.empty()) refuse("has transparent cards");
  if (2 * kDrawHand * (1 + rules.draws) > rules.deck->cards_in_play()) refuse("may run out of cards");
  if (poker::DrawEquities::bytes(rules) > poker::DrawEquities::kMostBytes)
    refuse("has too many cards for tables of draws");
  return game;
}

DrawCards::DrawCards(std::shared_ptr<const poker::Game> game, int buckets)
    : game_(draw_game(std::move(game))),
      rules_(game_->rules()),
      tree_(tree_of(rules_, std::max(buckets, kDiscards))),
      lazy_(poker::shared_draw_equity_tables(rules_)),
      tables_(lazy_->get([&] { return poker::DrawEquityTables(rules_); })),
      buckets_(std::max(buckets, kDiscards)) {
  find_limits();
}

DrawCards::BestThrows DrawCards::best_throws(std::span<const CardId, kDrawHand> hand, int left) const {
  poker::DrawEquities::Means means;
  tables_.means.find(hand, left, means);
  BestThrows result;
  for (unsigned count = 0; count <= kDrawHand; ++count)
    result.throws[count] = static_cast<std::uint8_t>((1U << count) - 1);
  for (unsigned mask = 0; mask < poker::kDiscardChoices; ++mask) {
    std::uint8_t& known = result.throws[at(std::popcount(mask))];
    if (means[mask].share > means[known].share) known = static_cast<std::uint8_t>(mask);
  }
  result.share = -1;
  for (int count = 0; count <= kDrawHand; ++count) {
    const float share = means[result.throws[at(count)]].share;
    if (share <= result.share) continue;
    result.share = share;
    result.best = count;
  }
  return result;
}

// The number of buckets per best discard grows with the square root of its frequency, so that rare good hands get some;
// within it the buckets are equally frequent.
void DrawCards::find_limits() {
  std::vector<CardId> deck(rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play());
  limits_.resize(at(rules_.draws));
  for (int done = 0; done < rules_.draws; ++done) {
    RandomStream rng(kDrawCuttingSeed, static_cast<std::uint64_t>(done));
    std::array<std::vector<float>, kDiscards> shares;
    for (int i = 0; i < kDrawCuttingHands; ++i) {
      Deal one;
      deal_cards(one, deck, rng);
      Hand& hand = one.player[0].hand;
      for (int draw = 0; draw < done; ++draw) {
        const BestThrows before = best_throws(hand, rules_.draws - draw);
        replace(one.player[0], before.throws[at(before.best)]);
      }
      const BestThrows now = best_throws(hand, rules_.draws - done);
      shares[at(now.best)].push_back(now.share);
    }
    double roots = 0;
    for (const std::vector<float>& each : shares) roots += std::sqrt(static_cast<double>(each.size()));
    int first = 0;
    double so_far = 0;
    for (std::size_t best = 0; best < shares.size(); ++best) {
      std::vector<float>& hands = shares[best];
      std::sort(hands.begin(), hands.end());
      so_far += std::sqrt(static_cast<double>(hands.size()));
      const int others = static_cast<int>(shares.size() - 1 - best);  // groups that need one bucket each
      const int end =
          std::clamp(static_cast<int>(std::lround(so_far / roots * buckets_)), first + 1, buckets_ - others);
      Limits& limits = limits_[at(done)][best];
      limits.first = first;
      for (int bucket = 1; bucket < end - first && !hands.empty(); ++bucket)
        limits.shares.push_back(hands[hands.size() * at(bucket) / at(end - first)]);
      first = end;
    }
  }
}

int DrawCards::find(std::span<const CardId, kDrawHand> hand, int draws, int drawn, Throws& throws) const {
  if (draws < rules_.draws) {
    const BestThrows now = best_throws(hand, rules_.draws - draws);
    throws = now.throws;
    const Limits& limits = limits_[at(draws)][at(now.best)];
    const auto above = std::upper_bound(limits.shares.begin(), limits.shares.end(), now.share);
    return limits.first + static_cast<int>(above - limits.shares.begin());
  }
  const float share = tables_.fields.after(tables_.fields.values(hand), draws - 1, drawn).high;
  return std::min(buckets_ - 1, static_cast<int>(share * static_cast<float>(buckets_)));
}

// Each player draws from its own cards: the assignment of random cards to players does not matter, and a player's draw
// must not depend on the other's discards.
void DrawCards::deal_cards(Deal& deal, std::vector<CardId>& deck, RandomStream& rng) const {
  const std::size_t each = kDrawHand * at(1 + rules_.draws);
  shuffle_first(std::span(deck), 2 * each, rng);
  for (std::size_t p = 0; p < 2; ++p) {
    Deal::Player& player = deal.player[p];
    const auto from = deck.begin() + static_cast<std::ptrdiff_t>(p * each);
    std::copy_n(from, kDrawHand, player.hand.begin());
    std::copy_n(from + kDrawHand, each - kDrawHand, player.stock.begin());
    std::sort(player.hand.begin(), player.hand.end());
    player.draws = 0;
  }
}

void DrawCards::replace(Deal::Player& player, unsigned mask) const {
  const std::size_t from = kDrawHand * at(player.draws++);
  for (std::size_t i = 0; i < kDrawHand; ++i)
    if ((mask >> i & 1) != 0) player.hand[i] = player.stock[from + i];
  std::sort(player.hand.begin(), player.hand.end());
}

void DrawCards::deal(Deal& deal, RandomStream& rng) const {
  thread_local std::vector<CardId> deck;
  deck.assign(rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play());
  deal_cards(deal, deck, rng);
  for (Deal::Player& player : deal.player) player.bucket = find(player.hand, 0, 0, player.throws);
}

void DrawCards::draw(Deal& deal, int position, int option) const {
  Deal::Player& player = deal.player[at(position)];
  replace(player, player.throws[at(option)]);
  player.bucket = find(player.hand, player.draws, option, player.throws);
  if (player.draws == rules_.draws) player.value = rules_.high->compiled().evaluate(player.hand);
}

}  // namespace dealer::abstraction
