#include "frontends/phh/standard_replay.h"

#include <fmt/format.h>

#include <utility>

#include "env/core/at.h"
#include "env/core/error.h"
#include "frontends/phh/amount.h"

namespace dealer::phh {

using Chips = std::vector<Amount>;

StandardReplay::StandardReplay(const HandHistory& history) : history_(&history) {
  try {
    hand_ = standard_hand(history);
    winnings_ = winnings_of(history);
  } catch (const Problem& problem) {
    problems_.push_back(problem);
    return;
  }
  // A short blind is called in full or as posted, whichever makes the hand possible; else the first gives the faults.
  for (const bool full : {true, false, true}) {
    problems_.clear();
    settlement_ = {};
    if (play({.full_short_blind = full})) compare();
    if (problems_.empty() || !table_->posted_short()) return;
  }
}

std::string StandardReplay::text(Amount amount) const { return amount_text(amount, history_->decimals); }

bool StandardReplay::play(HouseRules house) {
  table_.emplace(hand_, house);
  for (const HandAction& action : history_->actions) {
    if (action.kind == HandAction::Kind::kNote) continue;
    try {
      table_->play(action);
    } catch (const ParseError& error) {
      add(action.line, fmt::format("'{}': {}", to_string(action, history_->decimals), error.what()));
      return false;
    }
  }
  return true;
}

// By both fields that record it, if present.
std::optional<Chips> StandardReplay::said_to_collect() const {
  if (history_->finishing_stacks.empty() || hand_.unknown_stacks()) return winnings_;
  Chips said;
  for (std::size_t i = 0; i < history_->finishing_stacks.size(); ++i)
    said.push_back(history_->finishing_stacks[i] - table_->players()[i].stack);
  return said;
}

void StandardReplay::compare() {
  if (!table_->over()) return compare_broken_off();
  const std::optional<Chips> said = said_to_collect();
  const bool by_stacks = said != winnings_;
  const int line = history_->line_of(by_stacks ? "finishing_stacks" : "winnings");
  settlement_ = settle(*table_, said, by_stacks);
  if (!settlement_.fault.empty()) {
    for (std::size_t i = 0; i < settlement_.by_cards.size(); ++i) {
      const Amount right = settlement_.by_cards[i], stated = (*said)[i], stack = table_->players()[i].stack;
      if (stated == right) continue;
      add(line, by_stacks ? fmt::format("p{} is said to finish with {}; it has {}", i + 1, text(stated + stack),
                                        text(right + stack))
                          : fmt::format("p{} is said to win {}; it wins {}", i + 1, text(stated), text(right)));
    }
    if (problems_.empty()) add(said ? line : history_->line_of("actions"), settlement_.fault);
    return;
  }
  if (!by_stacks || !winnings_) return;
  // Some records include the returned bet, or the winner's dead blind posted out of turn.
  for (std::size_t i = 0; i < winnings_->size(); ++i)
    if (const Amount more = (*winnings_)[i] - (*said)[i];
        more != 0 && more != table_->players()[i].returned && !(hand_.out_of_turn[i] && more == hand_.blinds[i]))
      add(history_->line_of("winnings"), fmt::format("p{} is said to win {}; by its finishing stack it wins {}", i + 1,
                                                     text((*winnings_)[i]), text((*said)[i])));
}

// The stacks are those after the last action, before any winnings.
void StandardReplay::compare_broken_off() {
  const int line = history_->actions.empty() ? history_->line_of("actions") : history_->actions.back().line;
  bool wrong = false;
  for (std::size_t i = 0; i < history_->finishing_stacks.size() && !hand_.unknown_stacks(); ++i)
    wrong = wrong || history_->finishing_stacks[i] != table_->players()[i].stack;
  for (const Amount won : winnings_.value_or(Chips())) wrong = wrong || won != 0;
  if (wrong) add(line, fmt::format("the hand is not over: {}", table_->waiting_for()));
}

Chips StandardReplay::finishing_stacks() const {
  Chips stacks;
  if (hand_.unknown_stacks()) return stacks;
  for (std::size_t i = 0; i < settlement_.collected.size(); ++i)
    stacks.push_back(table_->players()[i].stack + settlement_.collected[i]);
  return stacks;
}

}  // namespace dealer::phh
