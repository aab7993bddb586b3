#include "env/games/small/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "env/cards/card.h"
#include "env/cards/shuffle.h"
#include "env/core/error.h"
#include "env/hands/hand_rank.h"

namespace dealer::small {
namespace {

constexpr std::uint64_t kMostListedDeals = 5040;

// C(n, k) for k up to 3.
constexpr Action choose(int n, int k) {
  return k == 1 ? n : k == 2 ? n * (n - 1) / 2 : k == 3 ? n * (n - 1) * (n - 2) / 6 : 1;
}

int cards_needed(const Options& options) {
  switch (options.variant) {
    case Variant::kKuhn:
      return kSeats;
    case Variant::kLeduc:
      return kSeats + 1;
    case Variant::kDraw:
      break;
  }
  return std::min(options.cards(), 4 * options.hand);
}

void read_deck(Config& config, Options& options) {
  options.ranks = config.get_int<int>("ranks", 3, 2, kRanks);
  options.suits = config.get_int<int>("suits", 2, 1, kSuits);
}

// The last round takes the big bet, so a single round does too.
void read_bets(Config& config, Options& options, int raises, int small_bet, int big_bet) {
  options.raises = config.get_int<int>("raises", raises, 1, kMaxRaises);
  options.ante = config.get_int<int>("ante", 1, 1, kMaxChips);
  const int small = config.get_int<int>("small_bet", small_bet, 1, kMaxChips);
  const int big = config.get_int<int>("big_bet", big_bet, 1, kMaxChips);
  options.bet = options.rounds == 1 ? std::array{big, 0} : std::array{small, big};
}

void check_deck(const Config& config, const Options& options, int needed, std::string_view why) {
  if (options.cards() >= needed) return;
  throw ConfigError(fmt::format("{}: {} ranks in {} suits are {} cards; expected at least {}: {}",
                                config.where(config.has("ranks") ? "ranks" : "suits"), options.ranks, options.suits,
                                options.cards(), needed, why));
}

}  // namespace

Rules::Rules(const Options& options)
    : options_(options), parts_(options), tree_(options), dealt_(cards_needed(options)) {
  std::uint64_t count = 1;
  for (int i = 0; i < dealt_ && count <= kMostListedDeals; ++i)
    count *= static_cast<std::uint64_t>(options.cards() - i);
  if (count > kMostListedDeals) return;
  Deal deal;
  list_deals(0, 0, deal);
}

void Rules::list_deals(CardSet taken, int count, Deal& deal) {
  if (count == dealt_) {
    deals_.push_back(finish(deal));
    return;
  }
  for (int i = 0; i < options_.cards(); ++i) {
    const auto card = static_cast<Card>(i);
    if ((taken & bit(card)) != 0) continue;
    deal.cards[static_cast<std::size_t>(count)] = card;
    list_deals(taken | bit(card), count + 1, deal);
  }
}

Deal Rules::finish(Deal deal) const {
  if (options_.variant != Variant::kDraw)
    deal.winner = winner(bit(deal.cards[0]), bit(deal.cards[1]), deal.cards[kSeats]);
  return deal;
}

Deal Rules::shuffle(std::uint64_t seed) const {
  std::array<Card, kCards> cards{};
  std::iota(cards.begin(), cards.end(), Card{0});
  RandomStream rng(seed);
  shuffle_first(std::span(cards.data(), static_cast<std::size_t>(options_.cards())), static_cast<std::size_t>(dealt_),
                rng);
  Deal deal;
  std::copy_n(cards.begin(), dealt_, deal.cards.begin());
  return finish(deal);
}

int Rules::strength(CardSet hand, Card board) const {
  // A pair with the board beats everything.
  if (options_.hand == 1)
    return rank(lowest(hand)) + (options_.variant == Variant::kLeduc && rank(lowest(hand)) == rank(board) ? kRanks : 0);
  std::array<int, kRanks> count{};
  for_each(hand, [&](Card card) { ++count[static_cast<std::size_t>(rank(card))]; });
  // The cards of the combination first, then from high to low.
  int value = 0, most = 0;
  for (int n = kMaxHand; n > 0; --n)
    for (int r = kRanks; r-- > 0;) {
      if (count[static_cast<std::size_t>(r)] != n) continue;
      most = std::max(most, n);
      value = value * kRanks + r;
    }
  return most * kRanks * kRanks * kRanks + value;
}

std::int8_t Rules::winner(CardSet hand0, CardSet hand1, Card board) const {
  const int mine = strength(hand0, board), other = strength(hand1, board);
  return static_cast<std::int8_t>((mine > other) - (mine < other));
}

std::string Rules::hand_name(CardSet hand, Card board) const {
  CardSet cards = 0;
  for_each(hand, [&](Card card) { cards |= bit(printed(card)); });
  if (options_.variant == Variant::kLeduc) cards |= bit(printed(board));
  return describe(evaluate(cards));
}

Card Rules::printed(Card card) const {
  // The king is the highest card, as in the published games, as long as there is room below.
  const int lowest_rank = std::max(0, kRanks - 1 - options_.ranks);
  return make_card(lowest_rank + rank(card), card % options_.suits);
}

std::string Rules::to_string(Card card) const { return dealer::to_string(printed(card)); }

std::string Rules::to_string(CardSet cards) const {
  std::string text;
  for_each(cards, [&](Card card) { text = to_string(card) + (text.empty() ? "" : " ") + text; });
  return text;
}

Action set_number(CardSet cards) {
  Action number = 0;
  int position = 0;
  for_each(cards, [&](Card card) { number += choose(card, ++position); });
  return number;
}

CardSet numbered_set(Action number, int count) {
  CardSet cards = 0;
  for (int k = count; k > 0; --k) {
    Card card = static_cast<Card>(k - 1);
    while (choose(card + 1, k) <= number) ++card;
    cards |= bit(card);
    number -= choose(card, k);
  }
  return cards;
}

Options read_kuhn(Config& config) {
  Options options;
  options.variant = Variant::kKuhn;
  options.ranks = config.get_int<int>("cards", 3, 3, kRanks);
  options.raises = config.get_int<int>("raises", 1, 1, kMaxRaises);
  options.ante = config.get_int<int>("ante", 1, 1, kMaxChips);
  options.bet = {config.get_int<int>("bet", 1, 1, kMaxChips), 0};
  return options;
}

Options read_leduc(Config& config) {
  Options options;
  options.variant = Variant::kLeduc;
  options.rounds = 2;
  read_deck(config, options);
  read_bets(config, options, 2, 2, 4);
  check_deck(config, options, 3, "a card for each player and one for the board");
  return options;
}

Options read_draw(Config& config) {
  Options options;
  options.variant = Variant::kDraw;
  read_deck(config, options);
  options.hand = config.get_int<int>("hand", 2, 1, kMaxHand);
  options.rounds = config.get_int<int>("rounds", 2, 1, kMaxRounds);
  read_bets(config, options, 2, 1, 2);
  check_deck(config, options, 3 * options.hand, fmt::format("two hands of {0} and {0} to draw", options.hand));
  return options;
}

std::string street_name(const Options& options, int street) {
  if (options.variant == Variant::kKuhn) return {};
  const bool board = options.variant == Variant::kLeduc;
  if (street == 0 && options.rounds > 1) return board ? "before the board" : "before the draw";
  return board ? "board" : "draw";
}

}  // namespace dealer::small
