#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"
#include "frontends/phh/settlement.h"
#include "frontends/phh/standard_table.h"

namespace dealer::phh {

// A replayed hand of a standard variant: every card, action and payout must be possible. Hands of any size; points that
// the standard leaves to the house (calling a short blind in full, rake, odd chips) follow the record.
class StandardReplay {
 public:
  // Never throws for the contents of the hand, which must outlive the replay.
  explicit StandardReplay(const HandHistory& history);
  StandardReplay(const StandardReplay&) = delete;
  StandardReplay& operator=(const StandardReplay&) = delete;

  const std::vector<Problem>& problems() const { return problems_; }
  const HandHistory& history() const { return *history_; }
  // The events as far as the hand could be replayed; none when the stakes are invalid.
  const std::optional<StandardTable>& table() const { return table_; }
  // Winnings by player, as far as known: empty for a hand that breaks off, or whose winner is unknown.
  const std::vector<Amount>& collected() const { return settlement_.collected; }
  // The same for final stacks; also empty if stacks are unknown.
  std::vector<Amount> finishing_stacks() const;
  Amount rake() const { return settlement_.rake; }
  // True if the file ends before the hand does.
  bool breaks_off() const { return table_ && !table_->over(); }
  bool undecided() const { return table_ && table_->over() && settlement_.collected.empty(); }

 private:
  // False if an action is not possible.
  bool play(HouseRules house);
  void compare();
  void compare_broken_off();
  std::optional<std::vector<Amount>> said_to_collect() const;
  void add(int line, std::string message) { problems_.push_back({line, std::move(message)}); }
  std::string text(Amount amount) const;

  const HandHistory* history_;
  StandardHand hand_;
  std::optional<std::vector<Amount>> winnings_;
  std::optional<StandardTable> table_;
  Settlement settlement_;
  std::vector<Problem> problems_;
};

}  // namespace dealer::phh
