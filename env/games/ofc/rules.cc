#include "env/games/ofc/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "env/core/error.h"

namespace dealer::ofc {
namespace {

constexpr std::array<std::string_view, 10> kCategoryKeys = {
    "high_card", "pair",       "two_pair",       "three_of_a_kind", "straight",
    "flush",     "full_house", "four_of_a_kind", "straight_flush",  "royal_flush"};
constexpr int kMaxRoyalty = 1000;
// Limit below which every number of points is a distinct float.
constexpr int kMaxTournamentPoints = 10'000'000;

template <std::size_t N, class Key>
void read_table(Config& config, std::string_view row, std::array<int, N>& table, Key key_of) {
  Config section = config.section(row);
  for (std::size_t i = 0; i < N; ++i) table[i] = section.get_int<int>(key_of(i), table[i], 0, kMaxRoyalty);
  section.finish();
}

std::string category_key(std::size_t category) { return std::string(kCategoryKeys[category]); }
std::string pair_key(std::size_t rank) { return std::string(2, kRankLetters[rank]); }
std::string trips_key(std::size_t rank) { return std::string(3, kRankLetters[rank]); }

// The rank of a letter given as a pair or trips, "QQ" or "222".
int read_group(Config& config, std::string_view key, std::size_t length, int fallback) {
  const std::string text =
      config.get_string(key, std::string(length, kRankLetters[static_cast<std::size_t>(fallback)]));
  const std::size_t rank = text.empty() ? std::string::npos : kRankLetters.find(text[0]);
  if (rank == std::string::npos || text != std::string(length, text[0]))
    throw ConfigError(fmt::format("{}: '{}' is not allowed; expected a rank of {} written {} times, as in '{}'",
                                  config.where(key), text, kRankLetters, length, std::string(length, 'Q')));
  return static_cast<int>(rank);
}

// Only games of progressive Fantasyland have the keys besides `cards`: the text of all other rules is unchanged.
void read_fantasyland_cards(Config& config, std::array<std::uint8_t, kFantasylandAfters>& cards) {
  constexpr std::array<std::string_view, kFantasylandAfters> kKeys = {"cards", "cards_after_kings", "cards_after_aces",
                                                                      "cards_after_trips", "cards_after_stay"};
  cards.fill(config.get_int<std::uint8_t>(kKeys[0], cards[0], kBoardCards, kMaxHand));
  for (std::size_t after = 1; after < kKeys.size(); ++after)
    if (config.has(kKeys[after]))
      cards[after] = config.get_int<std::uint8_t>(kKeys[after], cards[0], kBoardCards, kMaxHand);
}

bool nothing_to_win(const Rules& rules) {
  const auto zero = [](const auto& table) {
    return std::all_of(table.begin(), table.end(), [](int points) { return points == 0; });
  };
  const Royalties& royalties = rules.royalties;
  return rules.bonus.row_point == 0 && rules.bonus.scoop == 0 && zero(royalties.middle) && zero(royalties.back) &&
         zero(royalties.front_pair) && zero(royalties.front_trips);
}

}  // namespace

GameRules read_rules(Config& config) {
  GameRules rules;
  rules.players = config.get_int<int>("players", rules.players, 2, kMaxSeats);
  rules.episode = static_cast<Episode>(config.get_choice("episode", "chain", {"hand", "chain", "match"}));
  Config fantasyland = config.section("fantasyland");
  Bonus& bonus = rules.scoring.bonus;
  read_fantasyland_cards(fantasyland, bonus.fantasyland_cards);
  bonus.entry_pair_rank = read_group(fantasyland, "entry_pair", 2, bonus.entry_pair_rank);
  bonus.stay_trips_rank = read_group(fantasyland, "stay_trips", 3, bonus.stay_trips_rank);
  bonus.stay_back = static_cast<HandCategory>(fantasyland.get_choice("stay_back", "four_of_a_kind", kCategoryKeys));
  fantasyland.finish();
  Config points = config.section("points");
  bonus.row_point = points.get_int<int>("row", bonus.row_point, 0, kMaxRoyalty);
  bonus.scoop = points.get_int<int>("scoop", bonus.scoop, 0, kMaxRoyalty);
  points.finish();
  Config royalties = config.section("royalties");
  read_table(royalties, "back", rules.scoring.royalties.back, category_key);
  read_table(royalties, "middle", rules.scoring.royalties.middle, category_key);
  read_table(royalties, "front_pair", rules.scoring.royalties.front_pair, pair_key);
  read_table(royalties, "front_trips", rules.scoring.royalties.front_trips, trips_key);
  royalties.finish();
  Config match = config.section("match");
  rules.start_points = match.get_int<int>("start_points", rules.start_points, 100, 200);
  rules.match_hands = match.get_int<int>("hands", rules.match_hands, 0, 1'000'000);
  rules.first_out_ends = match.get_bool("first_out_ends", rules.first_out_ends);
  rules.multiplier_every = match.get_int<int>("multiplier_every", rules.multiplier_every, 0, 1'000'000);
  // Only tournament tables have the key: the text of all other rules is unchanged.
  if (match.has("tournament_points")) {
    rules.tournament_points = match.get_int<int>("tournament_points", 0, 0, kMaxTournamentPoints);
    if (rules.is_tournament() && rules.episode != Episode::kMatch)
      throw ConfigError(fmt::format("{}: only matches have points to carry over; expected episode: match",
                                    config.where("match.tournament_points")));
  }
  match.finish();
  if (rules.episode == Episode::kMatch && rules.match_hands == 0 && nothing_to_win(rules.scoring))
    throw ConfigError(fmt::format("{}: a match in which nothing scores never ends; expected a number of hands above 0",
                                  config.where("match.hands")));
  return rules;
}

}  // namespace dealer::ofc
