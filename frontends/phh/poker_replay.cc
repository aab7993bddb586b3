// Replays a hand, and finds the differences from the history.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/poker_history.h"
#include "frontends/phh/script_reader.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;
using Actions = std::vector<const HandAction*>;

bool is_deal(const HandAction& action) { return action.kind == Kind::kDealHole || action.kind == Kind::kDealBoard; }
bool is_act(const HandAction& action) { return !is_deal(action) && action.kind != Kind::kShow; }

// In any order; a hand dealt as "??" may have any card.
bool same_cards(const HandAction& stated, const HandAction& played) {
  std::vector<std::string> rest = played.cards;
  for (const std::string& card : stated.cards) {
    if (card == "??" && stated.kind == Kind::kDealHole) continue;
    const auto found = std::find(rest.begin(), rest.end(), card);
    if (found == rest.end()) return false;
    rest.erase(found);
  }
  return stated.cards.size() == played.cards.size();
}

bool same_action(const HandAction& stated, const HandAction& played) {
  return stated.kind == played.kind && stated.player == played.player && stated.amount == played.amount &&
         same_cards(stated, played);
}

class Replay {
 public:
  Replay(const poker::GameRules& rules, const HandHistory& hand) : rules_(rules), hand_(hand), reader_(rules, hand) {
    for (const HandAction& action : hand.actions)
      if (action.kind != Kind::kNote) stated_.push_back(&action);
  }

  // `events`: see replay_poker().
  std::vector<Problem> run(std::vector<Event>* events) {
    const std::optional<poker::State> state = play_all();
    try {
      if (!state) find_first_difference();
    } catch (const Problem& problem) {
      problems_.push_back(problem);
    }
    const std::optional<poker::State>& seen = state ? state : good_;
    if (seen && events != nullptr) add_events(*seen, *events);
    if (!state) return problems_;
    compare_stacks(*state);
    return problems_;
  }

 private:
  void add(int line, std::string message) { problems_.push_back({line, std::move(message)}); }
  int last_line() const { return stated_.empty() ? hand_.line_of("actions") : stated_.back()->line; }
  std::string name(Seat seat) const {
    const auto& seats = reader_.seats();
    return fmt::format("p{}", std::find(seats.begin(), seats.end(), seat) - seats.begin() + 1);
  }
  std::string text(const HandAction& action) const { return to_string(action, hand_.decimals); }

  struct Played {
    std::optional<poker::State> state;
    std::string why;       // reason why it could not be replayed
    bool missing = false;  // ... because a card is unknown
    HandHistory history;   // the history of the replay
    Actions actions;       // of that history
  };

  // The first actions of the hand. Throws Problem.
  Played play(std::size_t count) {
    Played played;
    const poker::Script script = reader_.script(std::span(stated_).first(count));
    try {
      played.state = poker::play_script(rules_, script);
    } catch (const UsageError& error) {
      played.why = error.what();
      // The hand is impossible, whatever the observer.
      if (const std::size_t colon = played.why.find(": "); colon != std::string::npos)
        played.why = played.why.substr(colon + 2);
      played.missing = played.why.find("a card is missing") != std::string::npos;
      return played;
    }
    std::vector<Event> events;
    played.state->events(events);
    played.history = poker_history(rules_, "replay", events, {});
    for (const HandAction& action : played.history.actions) played.actions.push_back(&action);
    return played;
  }

  // The end of the hand, if everything matches the record.
  std::optional<poker::State> play_all() {
    try {
      Played played = play(stated_.size());
      if (!played.state || !played.state->hand_over()) return std::nullopt;
      if (played.actions.size() != stated_.size() || different(played, stated_.size()) < stated_.size())
        return std::nullopt;
      return played.state;
    } catch (const Problem&) {
      return std::nullopt;
    }
  }

  // Cards that replace unknown ones must not occur in the history.
  void add_events(const poker::State& state, std::vector<Event>& events) const {
    state.events(events);
    const std::vector<bool> named = named_cards(*rules_.deck, hand_);
    for (Event& event : events)
      if (event.kind != Event::Kind::kHandBegun) std::erase_if(event.cards, [&](CardId card) { return !named[card]; });
  }

  // Index of the first of the recorded actions that differs from the replay; their number if none does.
  std::size_t different(const Played& played, std::size_t count) const {
    std::size_t i = 0;
    while (i < count && i < played.actions.size() && same_action(*stated_[i], *played.actions[i])) ++i;
    return i;
  }

  // Replays the hand action by action, up to the first that the rules do not allow.
  void find_first_difference() {
    Played before;
    for (std::size_t count = 0; count <= stated_.size(); ++count) {
      Played played = play(count);
      const HandAction* const last = count == 0 ? nullptr : stated_[count - 1];
      const HandAction* const next = count < stated_.size() ? stated_[count] : nullptr;
      if (!played.state) {
        if (!played.missing) return report_illegal(last, before, played.why);
        // More cards may follow.
        if (next == nullptr) return add(last_line(), "the hand is not over: a card is missing");
        // In standard variants all players discard before the first of them receives cards.
        const bool later = next->kind == Kind::kDiscard && is_standard_variant(hand_.variant);
        if (!is_deal(*next) && !later)
          return add(next->line, fmt::format("'{}': a card is missing before it", text(*next)));
        continue;
      }
      if (const std::size_t i = different(played, count); i < count)
        return report_unexpected(*stated_[i], played, i < played.actions.size() ? played.actions[i] : nullptr);
      if (next == nullptr) return report_unfinished(played, count);
      before = std::move(played);
      good_ = before.state;
    }
  }

  void report_illegal(const HandAction* culprit, const Played& before, const std::string& why) {
    if (culprit == nullptr) return add(hand_.line_of("actions"), "the cards cannot be dealt so: " + why);
    const bool betting = is_act(*culprit) && culprit->kind != Kind::kDiscard;
    std::string what = why;
    if (betting && before.state && why.find("may not") != std::string::npos)
      what = fmt::format("{} may not {} then", name(before.state->current_player()),
                         culprit->kind == Kind::kFold ? "fold" : "bet or raise");
    add(culprit->line, fmt::format("'{}': {}", text(*culprit), what));
  }

  // `right`: the correct value, if there is one.
  void report_unexpected(const HandAction& stated, const Played& played, const HandAction* right) {
    const poker::State& state = *played.state;
    std::string why;
    if (stated.player >= 0 && (state.bets().live() >> reader_.seats()[at(stated.player)] & 1) == 0)
      why = fmt::format("p{} has folded", stated.player + 1);
    else if (right != nullptr)
      why = fmt::format("expected '{}'", text(*right));
    else if (state.hand_over())
      why = stated.kind == Kind::kShow ? "nobody shows now" : "the hand is over";
    else if (is_deal(stated))
      why = fmt::format("no cards are dealt now; {} is to act", name(state.current_player()));
    else if (stated.kind == Kind::kShow)
      why = fmt::format("nobody shows now; {} is to act", name(state.current_player()));
    else
      why = fmt::format("out of turn; {} is to act", name(state.current_player()));
    add(stated.line, fmt::format("'{}': {}", text(stated), why));
  }

  void report_unfinished(const Played& played, std::size_t count) {
    if (!played.state->hand_over())
      return add(last_line(), fmt::format("the hand is not over: {} is to act", name(played.state->current_player())));
    if (count < played.actions.size()) add(last_line(), fmt::format("'{}' is missing", text(*played.actions[count])));
  }

  void compare_stacks(const poker::State& state) {
    const poker::HandRecord record = state.last_hand();
    for (std::size_t i = 0; i < hand_.finishing_stacks.size(); ++i) {
      const Amount right = hand_.starting_stacks[i] + record.net[at(reader_.seats()[i])];
      if (hand_.finishing_stacks[i] != right)
        add(hand_.line_of("finishing_stacks"),
            fmt::format("p{} is said to finish with {}; it has {}", i + 1,
                        amount_text(hand_.finishing_stacks[i], hand_.decimals), amount_text(right, hand_.decimals)));
    }
  }

  const poker::GameRules& rules_;
  const HandHistory& hand_;
  ScriptReader reader_;
  Actions stated_;
  std::optional<poker::State> good_;  // before the fault
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> replay_poker(const poker::GameRules& rules, const HandHistory& hand, std::vector<Event>* events) {
  try {
    return Replay(rules, hand).run(events);
  } catch (const Problem& problem) {
    return {problem};
  }
}

}  // namespace dealer::phh
