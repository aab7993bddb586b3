// Plays a hand again, and finds what differs from what the history says.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/amount.h"
#include "frontends/phh/poker_cards.h"
#include "frontends/phh/poker_history.h"
#include "frontends/phh/script_reader.h"

namespace dealer::phh {
namespace {

using Kind = HandAction::Kind;
using Actions = std::vector<const HandAction*>;

bool is_deal(const HandAction& action) { return action.kind == Kind::kDealHole || action.kind == Kind::kDealBoard; }
bool is_act(const HandAction& action) { return !is_deal(action) && action.kind != Kind::kShow; }

// In any order; of a hand that is dealt "??" may be any card.
bool same_cards(const HandAction& told, const HandAction& played) {
  std::vector<std::string> rest = played.cards;
  for (const std::string& card : told.cards) {
    if (card == "??" && told.kind == Kind::kDealHole) continue;
    const auto found = std::find(rest.begin(), rest.end(), card);
    if (found == rest.end()) return false;
    rest.erase(found);
  }
  return told.cards.size() == played.cards.size();
}

bool same_action(const HandAction& told, const HandAction& played) {
  return told.kind == played.kind && told.player == played.player && told.amount == played.amount &&
         same_cards(told, played);
}

// Other programs deal the cards between two decisions in orders of their own, card by card or hand by hand, and show
// hands before or after the rest of the board: they are put together by who gets them, and nobody's showing is looked
// at.
std::vector<HandAction> in_one_order(const Actions& actions) {
  std::vector<HandAction> ordered;
  std::size_t segment = 0;  // where the deals since the last decision begin
  for (const HandAction* action : actions) {
    if (action->kind == Kind::kShow) continue;
    if (is_act(*action)) {
      ordered.push_back(*action);
      segment = ordered.size();
      continue;
    }
    const auto begin = ordered.begin() + static_cast<std::ptrdiff_t>(segment);
    const auto place =
        std::find_if(begin, ordered.end(), [&](const HandAction& o) { return o.player >= action->player; });
    if (place != ordered.end() && place->player == action->player)
      place->cards.insert(place->cards.end(), action->cards.begin(), action->cards.end());
    else
      ordered.insert(place, *action);
  }
  return ordered;
}

class Replay {
 public:
  Replay(const poker::GameRules& rules, const HandHistory& hand, bool exact)
      : rules_(rules), hand_(hand), exact_(exact), reader_(rules, hand) {
    for (const HandAction& action : hand.actions)
      if (action.kind != Kind::kNote) told_.push_back(&action);
  }

  // `events`: see replay_poker().
  std::vector<Problem> run(std::vector<Event>* events) {
    const std::optional<poker::State> state = play_all();
    try {
      if (!state) find_first_difference();
    } catch (const Refusal& refusal) {
      add(refusal.line, refusal.message);
    }
    const std::optional<poker::State>& seen = state ? state : good_;
    if (seen && events != nullptr) tell(*seen, *events);
    if (!state) return problems_;
    if (!exact_) compare_shown(*state);
    compare_stacks(*state);
    return problems_;
  }

 private:
  void add(int line, std::string message) { problems_.push_back({line, std::move(message)}); }
  int last_line() const { return told_.empty() ? hand_.line_of("actions") : told_.back()->line; }
  std::string name(Seat seat) const {
    const auto& seats = reader_.seats();
    return fmt::format("p{}", std::find(seats.begin(), seats.end(), seat) - seats.begin() + 1);
  }
  std::string text(const HandAction& action) const { return to_string(action, hand_.decimals); }

  struct Played {
    std::optional<poker::State> state;
    std::string why;       // it could not be played
    bool missing = false;  // ... because a card is not told
    HandHistory history;   // what happened
    Actions actions;       // of that history
  };

  // The first actions of the hand. Throws Refusal.
  Played play(std::size_t count) {
    Played played;
    const poker::Script script = reader_.script(std::span(told_).first(count));
    try {
      played.state = poker::play_script(rules_, script);
    } catch (const UsageError& error) {
      played.why = error.what();
      // It is no observation of anybody that is played here.
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

  // The end of the hand, when all happens as it is told.
  std::optional<poker::State> play_all() {
    try {
      Played played = play(told_.size());
      if (!played.state || !played.state->hand_over()) return std::nullopt;
      if (exact_ ? played.actions.size() != told_.size() || different(played, told_.size()) < told_.size()
                 : !same_in_one_order(played, told_.size()) || wrong_show(played, told_.size()))
        return std::nullopt;
      return std::move(played.state);
    } catch (const Refusal&) {
      return std::nullopt;
    }
  }

  // Cards that stand in for unknown ones are nowhere in the history.
  void tell(const poker::State& state, std::vector<Event>& events) const {
    state.events(events);
    std::vector<bool> named(at(rules_.deck->size()));
    for (const HandAction& action : hand_.actions)
      for (const std::string& text : action.cards)
        if (const auto card = try_card(*rules_.deck, text)) named[*card] = true;
    for (Event& event : events)
      if (event.kind != Event::Kind::kHandBegun) std::erase_if(event.cards, [&](CardId card) { return !named[card]; });
  }

  // Exact hands: the first of so many told actions that is not what happened then; their number when all are.
  std::size_t different(const Played& played, std::size_t count) const {
    std::size_t i = 0;
    while (i < count && i < played.actions.size() && same_action(*told_[i], *played.actions[i])) ++i;
    return i;
  }

  bool same_in_one_order(const Played& played, std::size_t count) const {
    const std::vector<HandAction> told =
                                      in_one_order({told_.begin(), told_.begin() + static_cast<std::ptrdiff_t>(count)}),
                                  right = in_one_order(played.actions);
    return std::equal(told.begin(), told.end(), right.begin(), right.end(), same_action);
  }

  // Whether one of so many told actions shows a hand that cannot be shown then: hands are shown by players who have not
  // folded, when nobody has to act any more; once, or again with the cards that came later.
  bool wrong_show(const Played& played, std::size_t count) const {
    std::vector<std::size_t> shown(reader_.seats().size());
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      const HandAction& action = *told_[i];
      if (is_act(action) && any) return true;
      if (action.kind != Kind::kShow) continue;
      any = true;
      const Seat seat = reader_.seats()[at(action.player)];
      const std::size_t cards = action.cards.size() + 1;  // none: mucked
      if (shown[at(action.player)] >= cards || (played.state->bets().live() >> seat & 1) == 0) return true;
      shown[at(action.player)] = cards;
    }
    return any && !played.state->hand_over();
  }

  // The hand is played action by action, until one is not what the rules let happen at that moment.
  void find_first_difference() {
    Played before;
    for (std::size_t count = 0; count <= told_.size(); ++count) {
      Played played = play(count);
      const HandAction* const last = count == 0 ? nullptr : told_[count - 1];
      const HandAction* const next = count < told_.size() ? told_[count] : nullptr;
      if (!played.state) {
        if (!played.missing) return report_illegal(last, before, played.why);
        // More cards may follow.
        if (next == nullptr) return add(last_line(), "the hand is not over: a card is missing");
        if (!is_deal(*next) && (exact_ || next->kind != Kind::kShow))
          return add(next->line, fmt::format("'{}': a card is missing before it", text(*next)));
        continue;
      }
      if (exact_) {
        if (const std::size_t i = different(played, count); i < count)
          return report_unexpected(*told_[i], played, i < played.actions.size() ? played.actions[i] : nullptr);
      } else if (!same_in_one_order(played, count) || wrong_show(played, count)) {
        return report_unexpected(culprit(played, count), played, right_act(played, count));
      }
      if (next == nullptr) return report_unfinished(played, count);
      before = std::move(played);
      good_ = before.state;
    }
  }

  // The last of so many told actions, unless one before it, since the last decision, is of a card that was not dealt.
  const HandAction& culprit(const Played& played, std::size_t count) const {
    std::size_t begin = count;
    while (begin > 0 && !is_act(*told_[begin - 1])) --begin;
    for (std::size_t i = begin; i < count; ++i) {
      const HandAction& told = *told_[i];
      const auto dealt = [&](const HandAction* action) {
        return is_deal(*action) && action->player == told.player &&
               std::all_of(told.cards.begin(), told.cards.end(), [&](const std::string& card) {
                 return card == "??" ||
                        std::find(action->cards.begin(), action->cards.end(), card) != action->cards.end();
               });
      };
      if (is_deal(told) && std::none_of(played.actions.begin(), played.actions.end(), dealt)) return told;
    }
    return *told_[count - 1];
  }

  // What happened instead of the last of so many told actions, when that is an act; else null.
  const HandAction* right_act(const Played& played, std::size_t count) const {
    const auto is = [](const HandAction* action) { return is_act(*action); };
    const auto end = told_.begin() + static_cast<std::ptrdiff_t>(count);
    if (!is_act(*told_[count - 1])) return nullptr;
    if (std::count_if(told_.begin(), end, is) != std::count_if(played.actions.begin(), played.actions.end(), is))
      return nullptr;
    return *std::find_if(played.actions.rbegin(), played.actions.rend(), is);
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

  // `right`: what happened instead, where something did.
  void report_unexpected(const HandAction& told, const Played& played, const HandAction* right) {
    const poker::State& state = *played.state;
    std::string why;
    if (told.player >= 0 && (state.bets().live() >> reader_.seats()[at(told.player)] & 1) == 0)
      why = fmt::format("p{} has folded", told.player + 1);
    else if (right != nullptr)
      why = fmt::format("expected '{}'", text(*right));
    else if (state.hand_over())
      why = told.kind == Kind::kShow ? "nobody shows now" : "the hand is over";
    else if (is_deal(told))
      why = fmt::format("no cards are dealt now; {} is to act", name(state.current_player()));
    else if (told.kind == Kind::kShow)
      why = fmt::format("nobody shows now; {} is to act", name(state.current_player()));
    else
      why = fmt::format("out of turn; {} is to act", name(state.current_player()));
    add(told.line, fmt::format("'{}': {}", text(told), why));
  }

  void report_unfinished(const Played& played, std::size_t count) {
    if (!played.state->hand_over())
      return add(last_line(), fmt::format("the hand is not over: {} is to act", name(played.state->current_player())));
    if (count < played.actions.size()) add(last_line(), fmt::format("'{}' is missing", text(*played.actions[count])));
  }

  // Whoever shows must have those cards; whoever mucks wins nothing at a showdown.
  void compare_shown(const poker::State& state) {
    const poker::HandRecord record = state.last_hand();
    for (const HandAction* action : told_) {
      if (action->kind != Kind::kShow) continue;
      const Seat seat = reader_.seats()[at(action->player)];
      const std::vector<std::string> own = card_texts(*rules_.deck, state.cards(seat));
      for (const std::string& card : action->cards)
        if (card != "-" && card != "??" && std::find(own.begin(), own.end(), card) == own.end()) {
          add(action->line, fmt::format("'{}': the player has {}", text(*action), fmt::join(own, "")));
          break;
        }
      if (action->cards.empty() && (record.showdown >> seat & 1) != 0 && record.payout[at(seat)] > 0)
        add(action->line, fmt::format("'{}': the player wins {}", text(*action),
                                      amount_text(record.payout[at(seat)], hand_.decimals)));
    }
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
    const TomlValue* winnings = hand_.other("winnings");
    if (winnings == nullptr) return;
    for (std::size_t i = 0; i < reader_.seats().size() && i < winnings->items.size(); ++i) {
      const std::string right = amount_text(record.payout[at(reader_.seats()[i])], hand_.decimals);
      bool same = false;
      try {
        same = parse_amount(winnings->items[i].text, hand_.decimals) == record.payout[at(reader_.seats()[i])];
      } catch (const ParseError&) {
      }
      if (!same)
        add(winnings->line, fmt::format("p{} is said to win {}; it wins {}", i + 1, winnings->items[i].text, right));
    }
  }

  const poker::GameRules& rules_;
  const HandHistory& hand_;
  const bool exact_;
  ScriptReader reader_;
  Actions told_;
  std::optional<poker::State> good_;  // before what is wrong
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> replay_poker(const poker::GameRules& rules, const HandHistory& hand, bool exact,
                                  std::vector<Event>* events) {
  try {
    return Replay(rules, hand, exact).run(events);
  } catch (const Refusal& refusal) {
    return {{refusal.line, refusal.message}};
  }
}

}  // namespace dealer::phh
