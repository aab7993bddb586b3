#include "agents/seven_hand/search_play.h"

#include <algorithm>
#include <bit>

#include "agents/search/make_search.h"
#include "agents/seven_hand/chip_odds.h"

namespace dealer::seven_hand {
namespace {

struct Rated {
  CardSet cards;
  double value;
};

// The groups of the hand: bare, with spare cards, and two together.
std::vector<CardSet> turns_worth_laying(CardSet hand, CardSet picked, CardSet legal, int turns) {
  std::vector<CardSet> found;
  const auto add = [&](CardSet cards) {
    if (cards != 0 && size(cards) <= kMostLaid && (cards & picked) == picked && (cards & ~picked & ~legal) == 0)
      found.push_back(cards);
  };
  const auto with_spare = [&](CardSet cards, CardSet rest) {
    add(cards);
    for (; rest != 0 && size(cards) < kMostLaid; rest &= rest - 1) add(cards |= rest & -rest);
  };
  for (const bool small : {false, true}) {
    const Groups groups = share_out(hand, turns, small);
    for (int i = 0; i < groups.count; ++i) {
      const CardSet group = groups.cards[static_cast<std::size_t>(i)];
      with_spare(group, groups.rest);
      for (int j = i + 1; j < groups.count; ++j) add(group | groups.cards[static_cast<std::size_t>(j)]);
    }
    with_spare(0, groups.rest);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Line line_of(State state, CardSet cards) {
  Line line;
  const int turns = state.turns();
  for_each(cards & ~state.picked(), [&](Card card) {
    line.push_back(card);
    state.apply_and_hold(card);
  });
  if (!state.hand_over() && !state.naming() && state.turns() == turns) line.push_back(kStop);
  return line;
}

}  // namespace

std::vector<Line> SearchedPlay::lines(const State& root, int most) const {
  std::vector<Line> lines;
  if (root.naming()) {
    for (LegalMask rest = root.legal_mask(); rest != 0; rest &= rest - 1) lines.push_back({std::countr_zero(rest)});
    return lines;
  }
  const View view = root.view(root.current_player());
  const ChipOdds odds(known_->line, view);
  const int turns = odds.turns_left();
  const CardSet hand = view.hand | view.picked;
  std::vector<Rated> rated;
  for (const CardSet cards : turns_worth_laying(hand, view.picked, root.legal_mask() & kFullDeck, turns))
    rated.push_back({cards, odds.value_of_laying(cards, odds.reserve(hand & ~cards, turns - 1))});
  std::stable_sort(rated.begin(), rated.end(), [](const Rated& a, const Rated& b) { return a.value > b.value; });
  if (rated.size() > static_cast<std::size_t>(most)) rated.resize(static_cast<std::size_t>(most));
  for (const Rated& each : rated) lines.push_back(line_of(root, each.cards));
  // In the middle of a turn that none of the lines begins with.
  if (lines.empty())
    for (LegalMask rest = root.legal_mask(); rest != 0; rest &= rest - 1) lines.push_back({std::countr_zero(rest)});
  return lines;
}

void SearchedPlay::play(State& state, RandomStream& rng) const {
  if (state.naming()) return state.apply_and_hold(known_->behaviour_prior.name(state, rng));
  const Seat mover = state.mover();
  if (state.picked() != 0) return state.apply_and_hold(any_of(state.legal_mask(), rng));
  const int turn = state.turns();
  for_each(known_->behaviour_prior.lay(state.hand(mover), kTurns - state.finished_turns(mover), rng),
           [&](Card card) { state.apply_and_hold(card); });
  if (!state.hand_over() && !state.naming() && state.turns() == turn) state.apply_and_hold(kStop);
}

SearchMaker make_seven_hand_search(const SearchSetup& setup, const GamePtr& game) {
  auto typed = std::dynamic_pointer_cast<const Game>(game);
  const SearchedPlay play(typed->rules());
  return make_search<State>(std::move(typed), play, setup);
}

}  // namespace dealer::seven_hand
