#include "tests/env/games/poker/random_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>

#include "env/core/error.h"
#include "tests/env/games/poker/table.h"

namespace dealer::poker {
namespace {

class Writer {
 public:
  explicit Writer(RandomStream& rng) : rng_(rng) {}

  std::string write() {
    static constexpr std::array<std::string_view, 3> kProcedures = {"draw", "stud", "holdem"};
    const std::string_view procedure = pick(kProcedures);
    washizu_ = procedure == "draw" && one_in(6);
    set("procedure", procedure);
    write_cards(procedure);
    write_chips(procedure);
    if (procedure == "draw" && !washizu_) {
      set("draws", 1 + below(3));
      if (one_in(3)) set("betting_before_draw", "false");
    }
    if (one_in(2)) set("odd_chips", one_in(2) ? "discard" : "left_of_dealer");
    if (one_in(3)) set("open_fold", "false");
    if (one_in(3)) set("check_raise", "false");
    if (one_in(5)) set("show_all", one_in(2) ? "true" : "false");
    return text_;
  }

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(n))); }
  bool one_in(int n) { return below(n) == 0; }
  template <class List>
  std::string_view pick(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(std::size(list))))];
  }
  template <class Value>
  void set(std::string_view key, const Value& value) {
    text_ += fmt::format("{}: {}\n", key, value);
  }

  // Few different pairs of deck and ranking: each is compiled once.
  void write_cards(std::string_view procedure) {
    const bool court = !washizu_ && one_in(4);
    set("players", 2 + below(court || procedure == "draw" ? 5 : procedure == "stud" ? 7 : 9));
    if (court) {
      static constexpr std::array<std::string_view, 4> kDecks = {"court_tarot_54", "court_extra_52", "court_color_52",
                                                                 "tarot_78"};
      set("deck", pick(kDecks));
      return;
    }
    if (washizu_ || one_in(6)) {
      static constexpr std::array<std::string_view, 4> kMixes = {"none", "replace_suit", "replace_random", "add"};
      set("washizu", pick(kMixes));
      set("jokers", 1);
      return;
    }
    if (one_in(4)) set("jokers", 1 + below(2));
    if (one_in(3))
      set("ranking", "ace_to_five");
    else if (one_in(4))
      set("low", "eight_or_better");
  }

  void write_chips(std::string_view procedure) {
    const bool match = one_in(2);
    set("episode", match ? "match" : "hand");
    if (washizu_) {
      set("limit", "washizu");
      set("stack", 10 + below(11));
      if (one_in(2)) set("ante", below(4));
      if (match) set("match_hands", 1 + below(5));
      return;
    }
    static constexpr std::array<std::string_view, 3> kLimits = {"structured", "pot_limit", "no_limit"};
    const std::string_view limit = pick(kLimits);
    set("limit", limit);
    // Small and large stacks alike.
    const int stack = std::max(1, static_cast<int>(std::pow(1000.0, static_cast<double>(rng_.uniform()))));
    const int size = 1 + below(std::max(1, std::min(stack, 40)));
    set("stack", stack);
    set("min_bet", size);
    if (one_in(3)) set("big_bet", size + below(2 * size));
    if (procedure != "stud" && one_in(2)) {
      set("blinds", fmt::format("[{}, {}]", size / 2, size));
      set("ante", one_in(3) ? below(size + 1) : 0);
    } else {
      set("ante", below(std::min(stack, 2 * size) + 1));
      if (procedure == "stud" && size > 1 && one_in(2)) set("bring_in", 1 + below(size - 1));
    }
    if (match) set("match_hands", 1 + below(20));
    if (one_in(2)) set("raises_per_player", one_in(3) ? std::string("null") : std::to_string(below(4)));
    if (one_in(3)) set("raises_per_round", below(6));
    static constexpr std::array<std::string_view, 5> kBets = {"[min]", "[0.5, 1]", "[min, 0.33, 0.75, all_in]",
                                                              "[all_in]", "[min, 0.1, 0.2, 0.5, 1, 1.5, 2, 3, all_in]"};
    if (one_in(2)) set("bets", pick(kBets));
  }

  RandomStream& rng_;
  bool washizu_ = false;
  std::string text_;
};

}  // namespace

std::string random_rules_text(RandomStream& rng) { return Writer(rng).write(); }

std::optional<GameRules> allowed_rules(const std::string& text) {
  try {
    return rules_of(text);
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return std::nullopt;
  }
}

}  // namespace dealer::poker
