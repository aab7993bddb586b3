#include "agents/abstraction/holdem_cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "env/cards/shuffle.h"
#include "env/core/error.h"

namespace dealer::abstraction {
namespace {

using poker::kFirstBet;
using poker::kFold;

// Sizes outside these limits, in pots, are merged; between them one group is centred on kMiddle, a usual bet size.
constexpr double kSmallest = 1.0 / 16, kLargest = 64, kMiddle = 0.5;

LegalMask options_of(LegalMask legal, Chips to_call) { return to_call > 0 ? legal : legal & ~(LegalMask{1} << kFold); }

using poker::HoldemEquity;
using poker::kHoleCards;

constexpr std::uint64_t kHoldemCuttingSeed = 0x686f6c64656d;  // seed of the hands that define the buckets
constexpr int kHoldemCuttingHands = 16'000;
// The ratio of divisions by share to divisions by the probability of beating four.
constexpr double kSharesPerFour = 4;

std::size_t board_cards(int street) { return street == 0 ? 0 : at(street) + 2; }

// The number of limits that are not above a number.
std::size_t place(const std::vector<float>& limits, float number) {
  return at(std::upper_bound(limits.begin(), limits.end(), number) - limits.begin());
}

// The limits that divide sorted numbers into equal parts.
std::vector<float> cuts(std::span<const float> sorted, int parts) {
  std::vector<float> limits;
  for (int part = 1; part < parts && !sorted.empty(); ++part)
    limits.push_back(sorted[sorted.size() * at(part) / at(parts)]);
  return limits;
}

}  // namespace

std::shared_ptr<const poker::Game> holdem_game(std::shared_ptr<const poker::Game> game) {
  const poker::GameRules& rules = game->rules();
  const auto refuse = [&](const char* why) {
    throw UsageError(
        fmt::format("bucket_mccfr is for hold'em of two players, one ranking, fresh stacks and hidden cards: '{}' {}",
                    game->spec(), why));
  };
  if (rules.players != 2) refuse("is for other numbers of players; try players=2");
  if (rules.low != nullptr) refuse("is split between high and low");
  if (rules.bets.limit == betting::Limit::kFree) refuse("has Washizu's bets");
  if (!rules.fresh_stacks()) refuse("carries chips over; expected episode=hand");
  if (!rules.transparent.empty()) refuse("has transparent cards");
  // With fewer cards left there are too few pairs of them.
  if (rules.deck->cards_in_play() < poker::kMaxBoard + 16) refuse("has a small deck");
  return game;
}

// The part of the betting history that the state does not contain.
struct HoldemTree::History {
  int street = 0, bets = 0, before = 0, bettor = 0;  // bettor: 0 nobody on this street, else the position plus 1
};

Spot spot_of(const poker::View& view, LegalMask legal) {
  const auto other = at(1 - view.me);
  Spot spot;
  spot.street = view.street;
  spot.position = view.me == view.dealer ? 1 : 0;
  for (const poker::PastAction& action : view.actions) {
    if (action.action != kFirstBet) continue;
    if (action.round == view.round) ++spot.bets;
    if (action.round == view.round - 1) spot.before = action.seat == view.dealer ? 2 : 1;
  }
  spot.pot = view.own().paid + view.player[other].paid;
  spot.to_call = view.to_call;
  spot.behind = std::min(view.own().stack - view.to_call, view.player[other].stack);
  spot.options = options_of(legal, view.to_call);
  return spot;
}

HoldemTree::HoldemTree(const poker::GameRules& rules, double step) : rules_(rules) {
  double limit = kMiddle * std::sqrt(step);
  while (limit > kSmallest) limit /= step;
  while (limit < kLargest) {
    sizes_.push_back(limit);
    limit *= step;
  }
  poker::State state;
  state.reset_and_hold(rules, 0);
  add(state, {});
  node_of_.clear();
}

int HoldemTree::size(std::int64_t part, std::int64_t whole) const {
  if (part <= 0) return 0;
  const double ratio = static_cast<double>(part) / static_cast<double>(whole);
  return 1 + static_cast<int>(std::upper_bound(sizes_.begin(), sizes_.end(), ratio) - sizes_.begin());
}

std::array<double, 2> HoldemTree::log_sizes(const Spot& spot) {
  return {std::log2(static_cast<double>(spot.to_call) / spot.pot + kSmallest),
          std::log2(static_cast<double>(spot.behind) / (spot.pot + spot.to_call) + kSmallest)};
}

HoldemTree::Key HoldemTree::key(const Spot& spot) const {
  Key key = {spot.street, spot.position, spot.bets, spot.before, static_cast<std::int64_t>(spot.options)};
  if (spot.street == 0) {
    key[5] = spot.pot;
    key[6] = spot.to_call;
    key[7] = spot.behind;
  } else {
    key[5] = size(spot.to_call, spot.pot - spot.to_call);
    key[6] = size(spot.behind, spot.pot + spot.to_call);
  }
  return key;
}

std::int32_t HoldemTree::add(const poker::State& state, const History& history) {
  const betting::Bets& bets = state.bets();
  static_assert(std::is_trivially_copyable_v<betting::Bets> && std::has_unique_object_representations_v<betting::Bets>);
  std::string bytes(sizeof bets + 2, '\0');
  std::memcpy(bytes.data(), &bets, sizeof bets);
  bytes[sizeof bets] = static_cast<char>(history.bets);
  bytes[sizeof bets + 1] = static_cast<char>(3 * history.before + history.bettor);
  if (!state.hand_over()) {
    if (const auto found = node_of_.find(bytes); found != node_of_.end()) return found->second;
  }
  if (tree_.nodes.size() >= PublicTree::kMaxNodes) refuse_public_tree();
  const auto index = static_cast<std::int32_t>(tree_.nodes.size());
  const Seat first = 1 - state.dealer();
  PublicNode node;
  tree_.nodes.emplace_back();
  group_.push_back(-1);
  if (state.hand_over()) {
    const bool folded = bets.live_count() == 1;
    node.kind = folded ? PublicNode::Kind::kFold : PublicNode::Kind::kShowdown;
    node.amount = bets.is_live(first) ? bets.paid(1 - first) : -bets.paid(first);
    tree_.nodes[at(index)] = node;
    return index;
  }
  node_of_.emplace(std::move(bytes), index);
  const Seat seat = state.current_player();
  Spot spot;
  spot.street = state.street();
  spot.position = seat == first ? 0 : 1;
  spot.bets = history.bets;
  spot.before = history.before;
  spot.pot = bets.paid(0) + bets.paid(1);
  spot.to_call = bets.to_call();
  spot.behind = std::min(bets.stack(seat) - spot.to_call, bets.stack(1 - seat));
  spot.options = options_of(state.legal_mask(), spot.to_call);
  const auto [known, fresh] = known_.emplace(key(spot), static_cast<std::int32_t>(groups_.size()));
  if (fresh) groups_.push_back({spot, 0, log_sizes(spot)});
  group_[at(index)] = known->second;
  node.position = static_cast<std::uint8_t>(spot.position);
  node.stage = static_cast<std::uint8_t>(spot.street);
  node.options = static_cast<std::uint8_t>(std::popcount(spot.options));
  std::vector<std::int32_t> children;
  for (LegalMask rest = spot.options; rest != 0; rest &= rest - 1) {
    const Action action = std::countr_zero(rest);
    poker::State next = state;
    next.apply_and_hold(action);
    History then = history;
    if (action >= kFirstBet) {
      ++then.bets;
      then.bettor = spot.position + 1;
    }
    if (!next.hand_over() && next.street() != state.street()) then = {next.street(), 0, then.bettor, 0};
    children.push_back(add(next, then));
  }
  node.first = static_cast<std::int32_t>(tree_.children.size());
  tree_.children.insert(tree_.children.end(), children.begin(), children.end());
  tree_.nodes[at(index)] = node;
  return index;
}

void HoldemTree::lay_out(std::span<const int> buckets) {
  for (Group& group : groups_)
    group.base = tree_.add_block(buckets[at(group.first.street)], std::popcount(group.first.options)).base;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
    if (group_[i] >= 0) tree_.nodes[i].base = groups_[at(group_[i])].base;
}

const HoldemTree::Group& HoldemTree::find(const Spot& spot) const {
  const Key wanted = key(spot);
  if (const auto found = known_.find(wanted); found != known_.end()) return groups_[at(found->second)];
  const std::array<double, 2> mine = log_sizes(spot);
  // Differences in order of importance.
  const auto distance = [&](const Group& group) {
    const Spot& other = group.first;
    return std::tuple(std::abs(spot.street - other.street), std::abs(spot.position - other.position),
                      (spot.to_call > 0) != (other.to_call > 0), std::abs(spot.bets - other.bets),
                      spot.before != other.before, std::popcount(spot.options ^ other.options),
                      std::abs(mine[0] - group.sizes[0]) + std::abs(mine[1] - group.sizes[1]));
  };
  return *std::min_element(groups_.begin(), groups_.end(),
                           [&](const Group& a, const Group& b) { return distance(a) < distance(b); });
}

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

// Numbers the pairs from the weakest to the strongest.
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
  Limits& limits = limits_[at(street)];
  std::vector<float> share;
  share.reserve(hands.size());
  for (const auto& hand : hands) share.push_back(hand.first);
  limits.share = cuts(share, shares);
  std::vector<std::vector<float>> parts(at(shares));
  for (const auto& [its, four] : hands) parts[place(limits.share, its)].push_back(four);
  for (int part = 0; part < shares; ++part) {
    std::vector<float>& four = parts[at(part)];
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
      hand.bucket[at(street)] = find(own, board.first(board_cards(street)));
  }
  std::sort(deal.hand.begin(), deal.hand.end(), [](const Deal::Hand& a, const Deal::Hand& b) {
    return std::tie(a.value, a.cards) < std::tie(b.value, b.cards);
  });
}

}  // namespace dealer::abstraction
