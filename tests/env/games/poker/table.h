#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/games/poker/script.h"
#include "env/games/poker/state.h"

namespace dealer::poker {

// Rules from a text of "key: value" lines.
GameRules rules_of(std::string_view text);

// A hand with given cards, "As Kd" by seat: in stud first the two down cards, then the up cards, then the last one; in
// draw games the first five, then the drawn ones, in order. Other cards are random. Seat 0 deals. It is played with the
// state's own actions from there.
class GivenHand {
 public:
  GivenHand(const GameRules& rules, std::vector<std::string> hands, std::string_view board = "");
  GivenHand& dealer(int seat);
  GivenHand& chips(std::vector<Chips> chips);
  // a discard already made in the given draw, by a seat: number of its cards, from the front of the given ones.
  GivenHand& discards(Seat seat, std::string_view cards, int draw = 0);
  // Rounds in which all players checked.
  GivenHand& checked(int rounds);
  // Betting actions already made, in order of seats: -1 fold, 0 call, else the total bet to.
  GivenHand& bets(int round, Seat seat, Chips total);
  State play(std::uint64_t seed = 1) const;

 private:
  const GameRules& rules_;
  Script script_;
};

std::vector<Event> story(const State& state);
// The events as the viewer sees them, a line each, from that street on.
std::vector<std::string> lines(const State& state, Viewer viewer, int street = 0);
// The seat's observation.
std::vector<float> observed(const State& state, Seat seat);

// Fills the script's missing cards with arbitrary unused ones.
void fill(const GameRules& rules, Script& script);

// A deck of some ranks, "2 3 4", of the suits s, h, d, c, some of them transparent.
std::string small_deck(std::string_view ranks, std::string_view suits, std::string_view transparent = "");

std::string text_of(const GameRules& rules, std::span<const CardId> cards);

// A random rule file of the betting games: players, stacks of 1 to 1,000 chips, limits, caps, antes, blinds, decks,
// jokers, procedures. Not all of them are valid.
std::string random_rules_text(RandomStream& rng);
// Nothing if they are rejected, which must give a one-line message.
std::optional<GameRules> allowed_rules(const std::string& text);

}  // namespace dealer::poker
