#include "env/games/small/options.h"

#include <fmt/format.h>

#include "env/cards/card.h"
#include "env/core/error.h"

namespace dealer::small {
namespace {

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

}  // namespace dealer::small
