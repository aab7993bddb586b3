#include "env/games/poker/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "env/core/error.h"
#include "env/core/registry.h"
#include "env/games/poker/parts.h"

namespace dealer::poker {
namespace {

using betting::Limit;
using betting::Offer;

constexpr double kMaxShare = 1000;
constexpr int kMaxCap = 200;

class RulesReader {
 public:
  explicit RulesReader(Config& config) : config_(config) {}

  GameRules read() {
    rules_.procedure = static_cast<Procedure>(config_.get_choice("procedure", "draw", {"draw", "stud", "holdem"}));
    rules_.episode = static_cast<Episode>(config_.get_choice("episode", "hand", {"hand", "match"}));
    bets().limit = static_cast<Limit>(
        config_.get_choice("limit", "structured", {"no_limit", "pot_limit", "structured", "washizu"}));
    read_cards();
    read_players();
    read_streets();
    read_sizes();
    read_forced_bets();
    read_caps();
    read_offers();
    read_match();
    finish_rules(rules_);
    check_bounds(rules_, config_);
    return std::move(rules_);
  }

 private:
  betting::BetRules& bets() { return rules_.bets; }
  bool free() { return bets().limit == Limit::kFree; }
  bool is(Procedure procedure) const { return rules_.procedure == procedure; }
  // A value quoted in the message may have several lines, but a message must have one.
  [[noreturn]] void fail(std::string_view key, std::string what) const {
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw ConfigError(config_.where(key) + ": " + what);
  }

  void read_cards() {
    Spec deck = parse_deck(config_.get_string("deck", "standard_52"));
    const bool court = make_deck(deck)->is_court();
    const auto jokers = config_.get_optional_int("jokers", std::nullopt, 0, kMaxJokers);
    if (court && jokers.value_or(0) > 0)
      fail("jokers", fmt::format("the Court deck '{}' takes no jokers; expected 0 or null", deck.name));
    if (jokers) deck.options.emplace_back("jokers", std::to_string(*jokers));
    constexpr std::array<std::string_view, 5> kMixes = {"none", "replace_suit", "replace_random", "add", "deck"};
    const std::size_t mix = config_.get_choice("washizu", "deck", kMixes);
    if (mix + 1 < kMixes.size()) deck.options.emplace_back("washizu", std::string(kMixes[mix]));
    rules_.deck = make_deck(deck);
    if (rules_.random_mix() && static_cast<int>(rules_.deck->ranks().size()) > kMaxRanks)
      fail("deck", fmt::format("replace_random allows at most {} ranks", kMaxRanks));
    std::string ranking = config_.get_string("ranking", "deck");
    if (ranking == "deck") ranking = rules_.deck->default_ranking();
    rules_.high = evaluator("ranking", ranking);
    const std::string low = config_.get_string("low", "none");
    if (court && (low != "none" || rules_.high->ranking().low()))
      fail(low != "none" ? "low" : "ranking",
           fmt::format("lowball, razz and high-low are not played with a Court deck; expected a high ranking for '{}'",
                       rules_.deck->name()));
    if (const int cards = rules_.high->ranking().hand_cards(); cards != kDrawHand && !is(Procedure::kDraw))
      fail("ranking", fmt::format("'{}' is for hands of {} cards: it needs `procedure: draw`", ranking, cards));
    if (low == "none") return;
    rules_.low = evaluator("low", low);
    if (!rules_.low->ranking().low())
      fail("low", fmt::format("'{}' is not a low ranking; expected one such as eight_or_better, or none", low));
    if (rules_.low->ranking().hand_cards() != rules_.high->ranking().hand_cards())
      fail("low", fmt::format("hands of '{}' have {} cards, those of '{}' {}", low, rules_.low->ranking().hand_cards(),
                              ranking, rules_.high->ranking().hand_cards()));
  }

  DeckPtr make_deck(const Spec& spec) const {
    try {
      return Deck::make(to_string(spec));
    } catch (const Error& error) {
      fail("deck", error.what());
    }
  }

  Spec parse_deck(const std::string& text) const {
    try {
      return parse_spec(text);
    } catch (const ParseError& error) {
      fail("deck", error.what());
    }
  }

  EvaluatorPtr evaluator(std::string_view key, const std::string& name) const {
    try {
      return make_evaluator_at_first_use(rules_.deck, Ranking::make(name));
    } catch (const Error& error) {
      fail(key, error.what());
    }
  }

  void read_players() {
    rules_.players = config_.get_int<int>("players", 2, 2, kMaxSeats);
    const bool court = rules_.deck->is_court();
    const int most = court || is(Procedure::kDraw) ? 6 : is(Procedure::kStud) ? 8 : kMaxSeats;
    // In stud the last card may be shared; in draw there must be cards to replace discards.
    const auto needed = [this](int players) {
      return is(Procedure::kHoldem) ? 2 * players + kMaxBoard
             : is(Procedure::kStud) ? 6 * players + 1
                                    : rules_.high->ranking().hand_cards() * (players + 1);
    };
    rules_.most_players = most;
    while (rules_.most_players > 2 && needed(rules_.most_players) > rules_.deck->cards_in_play()) --rules_.most_players;
    if (rules_.players > most)
      fail("players", fmt::format("{} is not allowed; expected an integer from 2 to {} {}", rules_.players, most,
                                  court                  ? "with a Court deck"
                                  : is(Procedure::kDraw) ? "in a draw game"
                                                         : "in stud"));
    if (const int cards = needed(rules_.players); cards > rules_.deck->cards_in_play())
      fail("players", fmt::format("{} players need {} cards; the deck '{}' has {}", rules_.players, cards,
                                  rules_.deck->name(), rules_.deck->cards_in_play()));
    bets().seats = rules_.players;
  }

  void read_streets() {
    // Read in every game, so that the procedure can be changed by its key alone.
    const int draws = config_.get_int<int>("draws", 1, 1, kMaxDraws);
    const bool betting_before_draw = config_.get_bool("betting_before_draw", !free());
    if (is(Procedure::kDraw)) {
      rules_.draws = draws;
      add({.down = rules_.high->ranking().hand_cards(), .betting = betting_before_draw});
      for (int i = 0; i < rules_.draws; ++i) add({.draw = true});
    } else if (is(Procedure::kStud)) {
      add({.down = 2, .up = 1});
      for (int i = 0; i < 3; ++i) add({.up = 1});
      add({.down = 1});
    } else {
      add({.down = 2});
      for (const int cards : {3, 1, 1}) add({.board = cards});
    }
  }

  void add(Street street) {
    if (street.betting) street.round = rules_.rounds++;
    rules_.street[static_cast<std::size_t>(rules_.streets++)] = street;
  }

  void read_sizes() {
    const Chips usual = free() ? 1 : bets().limit == Limit::kNoLimit ? 100 : 10;
    const auto given = config_.get_optional_int("min_bet", std::nullopt, 1, betting::kMaxChips / 4);
    const auto big = config_.get_optional_int("big_bet", std::nullopt, 1, betting::kMaxChips / 4);
    if (free() && given.value_or(1) != 1) fail("min_bet", "Washizu betting goes by single chips; expected 1 or null");
    min_bet_ = static_cast<Chips>(given.value_or(usual));
    const Chips large = static_cast<Chips>(big.value_or(2 * min_bet_));
    if (large < min_bet_) fail("big_bet", fmt::format("{} is less than min_bet, {}", large, min_bet_));
    const int early = is(Procedure::kDraw) ? rules_.rounds / 2 : 2;
    for (int round = 0; round < betting::kMaxRounds; ++round)
      bets().size[static_cast<std::size_t>(round)] =
          bets().limit == Limit::kStructured && round >= early ? large : min_bet_;
    const Chips chips = free() ? 20 : 100 * min_bet_;
    const Chips most = (betting::kMaxChips - 1) / rules_.players;
    rules_.stack = static_cast<Chips>(
        config_.get_optional_int("stack", std::nullopt, free() ? 10 : 1, free() ? 20 : most).value_or(chips));
    rules_.min_bet = min_bet_;
    rules_.big_bet = large;
    // Only tournament tables have the key: the text of all other rules is unchanged.
    if (config_.has("tournament_chips"))
      rules_.tournament_chips = static_cast<Chips>(
          config_.get_optional_int("tournament_chips", std::nullopt, 0, betting::kMaxChips - 1).value_or(0));
    if (rules_.stack > most)
      fail("stack", fmt::format("{} is not allowed; expected at most {}: all the chips at the table are fewer than {}",
                                rules_.stack, most, betting::kMaxChips));
  }

  void read_forced_bets() {
    const auto ante = config_.get_optional_int("ante", std::nullopt, 0, betting::kMaxChips);
    // The text of the rules says null for the usual blinds of hold'em, and [] for none.
    using Blinds = std::vector<std::int64_t>;
    const Blinds usual = ante.value_or(0) == 0 ? Blinds{min_bet_ / 2, min_bet_} : Blinds();
    const Blinds blinds = is(Procedure::kHoldem)
                              ? config_.get_optional_ints("blinds", 0, betting::kMaxChips).value_or(usual)
                              : config_.get_ints("blinds", {}, 0, betting::kMaxChips);
    const char* const expected = "expected two numbers, the small blind and the big blind, as in [5, 10], or []: none";
    if (!blinds.empty() && blinds.size() != 2)
      fail("blinds",
           fmt::format("{} {} given; {}", blinds.size(), blinds.size() == 1 ? "number is" : "numbers are", expected));
    if (!blinds.empty() && blinds[1] == 0) fail("blinds", fmt::format("the big blind is 0; {}", expected));
    if (!blinds.empty() && blinds[0] > blinds[1])
      fail("blinds",
           fmt::format("the small blind, {}, is more than the big blind, {}; {}", blinds[0], blinds[1], expected));
    if (!blinds.empty() && (is(Procedure::kStud) || free()))
      fail("blinds", "stud and Washizu betting have no blinds; expected []");
    bets().small_blind = blinds.empty() ? 0 : static_cast<Chips>(blinds[0]);
    bets().big_blind = blinds.empty() ? 0 : static_cast<Chips>(blinds[1]);
    bets().ante = static_cast<Chips>(ante.value_or(blinds.empty() ? std::min(min_bet_, rules_.stack) : 0));
    bets().bring_in =
        static_cast<Chips>(config_.get_optional_int("bring_in", std::nullopt, 0, betting::kMaxChips).value_or(0));
    if (bets().bring_in > 0 && (!is(Procedure::kStud) || free()))
      fail("bring_in", "only stud has a bring-in; expected null");
    if (bets().bring_in >= min_bet_ && bets().bring_in > 0)
      fail("bring_in", fmt::format("{} is not allowed; expected less than min_bet, {}", bets().bring_in, min_bet_));
    for (const auto& [key, chips] : {std::pair("blinds", bets().big_blind), std::pair("ante", bets().ante)})
      if (chips > rules_.stack) fail(key, fmt::format("{} is more than the stack of {}", chips, rules_.stack));
    const Chips left = rules_.stack - bets().ante - bets().big_blind;
    const bool all_posted = bets().big_blind == 0 || (rules_.players == 2 && bets().small_blind == bets().big_blind);
    if (left == 0 && all_posted && !is(Procedure::kDraw))
      fail("stack", fmt::format("after ante and blinds nobody has a chip left to play with; expected more than {}",
                                rules_.stack));
    if (left < 0)
      fail("blinds", fmt::format("big blind and ante, {}, are more than the stack of {}",
                                 bets().big_blind + bets().ante, rules_.stack));
  }

  void read_caps() {
    const auto cap = [&](const char* key, std::optional<std::int64_t> usual) {
      return static_cast<int>(config_.get_optional_int(key, usual, 0, kMaxCap).value_or(betting::kNoCap));
    };
    bets().raises_per_player = cap("raises_per_player", free() ? std::nullopt : std::optional<std::int64_t>(2));
    bets().raises_per_round = cap("raises_per_round", std::nullopt);
    bets().check_raise = config_.get_bool("check_raise", true);
    bets().open_fold = config_.get_bool("open_fold", true);
    bets().full_short_blind = config_.get_choice("short_blind", "posted", {"posted", "full"}) == 1;
    // Read only if given: models are found by the text of the rules.
    if (config_.has("short_raises"))
      bets().short_raises_add_up = config_.get_choice("short_raises", "alone", {"alone", "add_up"}) == 1;
    bets().odd_chips = static_cast<betting::OddChips>(
        config_.get_choice("odd_chips", free() ? "discard" : "left_of_dealer", {"left_of_dealer", "discard"}));
    rules_.show_all = config_.get_bool("show_all", free());
  }

  void read_offers() {
    const std::vector<std::string> names = config_.get_strings("bets", {"min", "0.5", "1", "2", "all_in"});
    std::vector<Offer> offers;
    offers.reserve(names.size());
    for (const std::string& name : names) offers.push_back(read_offer(name));
    if (offers.empty()) fail("bets", "a list without a bet; expected for instance [min, 0.5, 1, 2, all_in]");
    if (static_cast<int>(offers.size()) > betting::kMaxOffers)
      fail("bets", fmt::format("{} bets; expected at most {}", offers.size(), betting::kMaxOffers));
    const auto order = [](const Offer& o) { return std::pair(o.more, o.share); };
    for (std::size_t i = 1; i < offers.size(); ++i)
      if (order(offers[i - 1]) >= order(offers[i]))
        fail("bets", fmt::format("{} before {}: expected min, then growing fractions of the pot, then all_in",
                                 names[i - 1], names[i]));
    bets().offers = bets().limit == Limit::kStructured ? std::vector<Offer>{betting::kOfferMin} : offers;
  }

  Offer read_offer(const std::string& name) const {
    if (name == "min") return betting::kOfferMin;
    if (name == "all_in") return betting::kOfferAllIn;
    char* end = nullptr;
    const double share = std::strtod(name.c_str(), &end);
    if (name.empty() || end != name.c_str() + name.size() || !(share > 0 && share <= kMaxShare))
      fail("bets", fmt::format("'{}' is not a bet; expected min, a fraction of the pot (0.5, 1, 2) or all_in", name));
    const Offer offer{std::llround(std::ldexp(share, betting::kShareBits)), 0};
    if (offer.share == 0)
      fail("bets", fmt::format("'{}' is too small; expected a fraction of the pot of at least {:.6f}", name,
                               std::ldexp(1.0, -betting::kShareBits)));
    return offer;
  }

  void read_match() {
    const int usual = free() ? 5 : 0;
    rules_.match_hands = config_.get_int<int>("match_hands", usual, free() ? 1 : 0, free() ? 5 : 1'000'000);
    const bool nothing_forced = bets().ante == 0 && bets().big_blind == 0 && bets().bring_in == 0;
    if (rules_.episode == Episode::kMatch && rules_.match_hands == 0 && nothing_forced)
      fail("match_hands", "a match in which nobody must bet never ends; expected a number of hands above 0");
  }

  Config& config_;
  GameRules rules_;
  Chips min_bet_ = 0;
};

}  // namespace

GameRules read_rules(Config& config) { return RulesReader(config).read(); }

std::string street_name(const GameRules& rules, int street) {
  constexpr std::array<std::string_view, 4> kHoldem = {"before the flop", "flop", "turn", "river"};
  constexpr std::array<std::string_view, 5> kStud = {"third street", "fourth street", "fifth street", "sixth street",
                                                     "seventh street"};
  constexpr std::array<std::string_view, 3> kDraws = {"first draw", "second draw", "third draw"};
  const auto at = static_cast<std::size_t>(street);
  if (rules.procedure == Procedure::kHoldem) return std::string(kHoldem.at(at));
  if (rules.procedure == Procedure::kStud) return std::string(kStud.at(at));
  const int draw = street - (rules.streets - rules.draws);
  if (draw < 0) return "before the draw";
  return rules.draws == 1 ? "draw" : std::string(kDraws.at(static_cast<std::size_t>(draw)));
}

}  // namespace dealer::poker
