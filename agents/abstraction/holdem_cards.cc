#include "agents/abstraction/holdem_cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <tuple>

#include "env/cards/shuffle.h"
#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

using poker::HoldemEquity;
using poker::kHoleCards;

constexpr std::uint64_t kHoldemCuttingSeed = 0x686f6c64656d;  // of the hands by which buckets are cut
constexpr int kHoldemCuttingHands = 16'000;
// So many parts by share for one by the chance to beat four.
constexpr double kSharesPerFour = 4;

std::shared_ptr<const poker::Game> holdem_game(std::shared_ptr<const poker::Game> game) {
  const poker::GameRules& rules = game->rules();
  const auto refuse = [&](const char* why) {
    throw UsageError(
        fmt::format("bucket_mccfr is for hold'em of two players, one ranking, fresh stacks and hidden cards: '{}' {}",
                    game->spec(), why));
  };
  if (rules.players != 2) refuse("is for other numbers of players; players=2 may do");
  if (rules.low != nullptr) refuse("is split between high and low");
  if (rules.bets.limit == betting::Limit::kFree) refuse("has Washizu's bets");
  if (!rules.fresh_stacks()) refuse("carries chips over; episode=hand does not");
  if (!rules.transparent.empty()) refuse("has transparent cards");
  // Fewer cards left than that have too few pairs of them.
  if (rules.deck->cards_in_play() < poker::kMaxBoard + 16) refuse("has a small deck");
  return game;
}

std::size_t board_cards(int street) { return street == 0 ? 0 : static_cast<std::size_t>(street) + 2; }

// How many of the limits are not above a number.
std::size_t place(const std::vector<float>& limits, float number) {
  return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), number) - limits.begin());
}

// That cut what is sorted into equal parts.
std::vector<float> cuts(std::span<const float> sorted, int parts) {
  std::vector<float> limits;
  for (int part = 1; part < parts && !sorted.empty(); ++part)
    limits.push_back(sorted[sorted.size() * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts)]);
  return limits;
}

}  // namespace

HoldemCards::HoldemCards(std::shared_ptr<const poker::Game> game, int buckets, double step)
    : game_(holdem_game(std::move(game))), rules_(game_->rules()), tree_(rules_, step), equities_(rules_) {
  number_pairs();
  buckets_[0] = static_cast<int>(pairs_.size());
  std::fill(buckets_.begin() + 1, buckets_.end(), buckets);
  tree_.lay_out(buckets_);
  for (int street = 1; street < kStreets; ++street) find_limits(street, buckets);
}

std::vector<CardId> HoldemCards::new_deck() const {
  return {rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play()};
}

std::pair<CardId, CardId> HoldemCards::pair_of(const poker::HoldemEquities::Position& position) {
  return std::minmax(position.own[0], position.own[1]);
}

// From the weakest to the strongest.
void HoldemCards::number_pairs() {
  const std::vector<CardId> deck = new_deck();
  std::vector<std::pair<float, std::pair<CardId, CardId>>> found;
  for (std::size_t a = 1; a < deck.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::array own = {deck[b], deck[a]};
      const auto position = equities_.position(own, {});
      if (pairs_.emplace(pair_of(position), 0).second)
        found.emplace_back(equities_.find(position, 1, false, nullptr).share, pair_of(position));
    }
  }
  std::sort(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i) pairs_[found[i].second] = static_cast<int>(i);
}

void HoldemCards::find_limits(int street, int buckets) {
  RandomStream rng(kHoldemCuttingSeed, static_cast<std::uint64_t>(street));
  std::vector<CardId> deck = new_deck();
  std::vector<std::pair<float, float>> hands;
  for (int i = 0; i < kHoldemCuttingHands; ++i) {
    shuffle_first(std::span(deck), kHoleCards + board_cards(street), rng);
    const HoldemEquity equity = equities_.find(
        equities_.position(std::span(deck).first(kHoleCards), std::span(deck).subspan(kHoleCards, board_cards(street))),
        1, false, nullptr);
    hands.emplace_back(equity.share, equity.four);
  }
  std::sort(hands.begin(), hands.end());
  const bool last = street == kStreets - 1;
  const int fours = last ? 1 : std::max(1, static_cast<int>(std::sqrt(buckets / kSharesPerFour)));
  const int shares = buckets / fours;
  Limits& limits = limits_[static_cast<std::size_t>(street)];
  std::vector<float> share;
  share.reserve(hands.size());
  for (const auto& hand : hands) share.push_back(hand.first);
  limits.share = cuts(share, shares);
  std::vector<std::vector<float>> parts(static_cast<std::size_t>(shares));
  for (const auto& [its, four] : hands) parts[place(limits.share, its)].push_back(four);
  for (int part = 0; part < shares; ++part) {
    std::vector<float>& four = parts[static_cast<std::size_t>(part)];
    std::sort(four.begin(), four.end());
    const int begin = buckets * part / shares, end = buckets * (part + 1) / shares;
    limits.first.push_back(begin);
    limits.four.push_back(last ? std::vector<float>{} : cuts(four, end - begin));
  }
}

int HoldemCards::find(std::span<const CardId> own, std::span<const CardId> board) const {
  const auto position = equities_.position(own, board);
  if (board.empty()) return pairs_.at(pair_of(position));
  const HoldemEquity equity = equities_.find(position, 1, false, nullptr);
  const Limits& limits = limits_[board.size() - 2];
  const std::size_t part = place(limits.share, equity.share);
  return limits.first[part] + static_cast<int>(place(limits.four[part], equity.four));
}

void HoldemCards::deal(Deal& deal, RandomStream& rng) const {
  thread_local std::vector<CardId> deck;
  deck.assign(rules_.new_deck.begin(), rules_.new_deck.begin() + rules_.deck->cards_in_play());
  constexpr std::size_t kBoard = poker::kMaxBoard;
  shuffle_first(std::span(deck), kBoard, rng);
  const std::span<const CardId> board = std::span(deck).first(kBoard);
  const std::span<CardId> rest = std::span(deck).subspan(kBoard);
  std::bitset<kMaxDeckCards * kMaxDeckCards> dealt;
  for (std::size_t h = 0; h < kDealt;) {
    shuffle_first(rest, kHoleCards, rng);
    const std::array own = {std::min(rest[0], rest[1]), std::max(rest[0], rest[1])};
    const std::size_t number = std::size_t{own[0]} * kMaxDeckCards + own[1];
    if (dealt[number]) continue;
    dealt.set(number);
    Deal::Hand& hand = deal.hand[h++];
    hand.cards = own;
    std::array<CardId, kBoard + kHoleCards> all;
    std::copy(own.begin(), own.end(), std::copy(board.begin(), board.end(), all.begin()));
    hand.value = rules_.high->compiled().evaluate(all);
    for (int street = 0; street < kStreets; ++street)
      hand.bucket[static_cast<std::size_t>(street)] = find(own, board.first(board_cards(street)));
  }
  std::sort(deal.hand.begin(), deal.hand.end(), [](const Deal::Hand& a, const Deal::Hand& b) {
    return std::tie(a.value, a.cards) < std::tie(b.value, b.cards);
  });
}

}  // namespace dealer::abstraction
