#pragma once

#include <bit>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "agents/search/search.h"
#include "env/core/game_state.h"
#include "env/core/random.h"

namespace dealer {

// The actions of one choice at the root.
using Line = std::vector<Action>;

// Game-specific knowledge that search uses beside the rules.
//
//   lines(root, most)   the choices worth comparing, at least one, the most promising first; at most `most` where there
//                    are too many to compare all. Each is a sequence of legal actions of the seat to act during which
//                    it sees nothing new. `root` is any state consistent with what that seat sees, and nothing else in
//                    it may be used
//   play(state, rng) plays an action, or all of a turn, of the seat to act: the quick player of playouts. It looks at
//                    the cards of that seat and at open ones
//   turn_goes_on(before, after)   true if the seat that has acted is asked again without having seen anything new
template <class P, class S>
concept SearchPlay = GameState<S> && requires(const P& play, S& playing, const S& state, RandomStream& rng, int most) {
  { play.lines(state, most) } -> std::same_as<std::vector<Line>>;
  {play.play(playing, rng)};
  { play.turn_goes_on(state, state) } -> std::same_as<bool>;
};

//   weigh(state, observer, rng)   for a uniformly drawn state: resamples the hidden choices of the others from a
//                    likelier distribution, and returns the importance weight of the new state
template <class P, class S>
concept WeighsStates = requires(const P& play, S& state, Seat observer, RandomStream& rng) {
  { play.weigh(state, observer, rng) } -> std::same_as<double>;
};

//   propose(state, observer, rng)   for a uniformly drawn state: resamples the hidden choices of the others, and
//                    returns the weight that makes all possible choices count equally
//   decision_history(state, seat)   the decisions of the seat in this hand, in order, with what it saw each time
struct ReplayedDecision {
  Observation seen;
  Action action = 0;
};
template <class P, class S>
concept HasDecisionHistory = requires(const P& play, S& state, const S& later, Seat seat, RandomStream& rng) {
  { play.propose(state, seat, rng) } -> std::same_as<double>;
  { play.decision_history(later, seat) } -> std::same_as<std::vector<ReplayedDecision>>;
};

//   estimate(state, me)   the expected return of `me` from here to the end of the hand with all cards known; nullopt if
//                    it cannot be estimated before somebody has acted
template <class P, class S>
concept EstimatesStates = requires(const P& play, const S& state, Seat me) {
  { play.estimate(state, me) } -> std::same_as<std::optional<double>>;
};

// A uniformly random action in the mask. Precondition: the mask is not empty.
inline Action any_of(LegalMask legal, RandomStream& rng) {
  for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip) legal &= legal - 1;
  return std::countr_zero(legal);
}

// A play that knows only the rules: single actions, random playouts.
template <GameState S>
struct RandomPlay {
  std::vector<Line> lines(const S& root, int) const {
    std::vector<Line> lines;
    for (LegalMask rest = root.legal_mask(); rest != 0; rest &= rest - 1) lines.push_back({std::countr_zero(rest)});
    return lines;
  }
  void play(S& state, RandomStream& rng) const { state.apply_and_hold(any_of(state.legal_mask(), rng)); }
  bool turn_goes_on(const S&, const S&) const { return false; }
};

// The line in words: cards that are handled alike are grouped.
template <GameState S>
std::string text_of(S state, const Line& line) {
  std::string text, last;
  for (const Action action : line) {
    const Choice choice = state.choice(action);
    const bool same = !choice.cards.empty() && choice.kind == last;
    if (choice.kind != "stop") text += (text.empty() ? "" : same ? " " : ", ") + choice.text;
    last = choice.kind;
    state.apply_and_hold(action);
  }
  return text;
}

// The observations of the seat to act before the second, third … action of a line.
template <GameState S>
std::vector<std::vector<float>> seen_along(S state, const Line& line, std::size_t width) {
  const Seat me = state.current_player();
  std::vector<std::vector<float>> seen;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    state.apply_and_hold(line[i]);
    seen.emplace_back(width);
    state.observe(me, seen.back().data());
  }
  return seen;
}

}  // namespace dealer
