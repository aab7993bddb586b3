#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "env/core/registry.h"
#include "env/games/small/game.h"

namespace dealer::test {

// A hand dealt and played by hand.
class SmallTable {
 public:
  explicit SmallTable(const std::string& spec, std::string_view script = "")
      : game_(make_game(spec)), state_(small::State::start(rules())) {
    play(script);
  }

  const small::Rules& rules() const { return small::as_small(*game_)->rules(); }
  const small::State& state() const { return state_; }

  CardSet cards(std::string_view text) const {
    CardSet set = 0;
    for (Card card = 0; card < rules().options().cards(); ++card)
      if (text.find(rules().to_string(card)) != std::string_view::npos) set |= bit(card);
    return set;
  }

  // Chance cards and moves, separated by commas: "Ks, Qs, brc, Qh, b". Moves are f, c (check, call), b or r (bet,
  // raise), k (keep), t (discard).
  SmallTable& play(std::string_view script) {
    while (!script.empty()) {
      const std::size_t end = std::min(script.find(", "), script.size());
      const std::string_view part = script.substr(0, end);
      script.remove_prefix(std::min(end + 2, script.size()));
      part.front() >= 'a' ? move(part) : give(part);
      if (testing::Test::HasFailure()) break;
    }
    return *this;
  }

  // Result of seat 0; the hand must be over.
  double gain() const {
    EXPECT_EQ(state_.current_player(), kTerminal);
    EXPECT_EQ(state_.return_of(0), -state_.return_of(1));
    return state_.return_of(0);
  }

 private:
  void give(std::string_view text) {
    EXPECT_EQ(state_.current_player(), kChance);
    const Action wanted = small::set_number(cards(text));
    int found = 0;
    for (const ChanceOutcome& outcome : state_.chance_outcomes()) found += outcome.action == wanted ? 1 : 0;
    EXPECT_EQ(found, 1) << text;
    state_.apply(wanted);
  }
  void move(std::string_view letters) {
    for (const char letter : letters) {
      const auto action = static_cast<Action>(std::string_view("fcrkt").find(letter == 'b' ? 'r' : letter));
      EXPECT_EQ((state_.legal_mask() >> action) & 1, 1U) << letter << " in " << letters;
      state_.apply(action);
    }
  }

  GamePtr game_;
  small::State state_;
};

}  // namespace dealer::test
