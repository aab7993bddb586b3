#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/phh/hand_history.h"
#include "frontends/phh/problem.h"
#include "frontends/phh/settlement.h"
#include "frontends/phh/standard_table.h"

namespace dealer::phh {

// A hand of a standard variant played again: every card, action and payout must be possible. Hands of any size; what
// the standard leaves to the house (whether a short blind is called in full, rake, odd chips) may be as the hand says.
class StandardReplay {
 public:
  // Never throws for what stands in the hand, which must outlive the replay.
  explicit StandardReplay(const HandHistory& history);
  StandardReplay(const StandardReplay&) = delete;
  StandardReplay& operator=(const StandardReplay&) = delete;

  const std::vector<Problem>& problems() const { return problems_; }
  const HandHistory& history() const { return *history_; }
  // As far as it could be played; none when the stakes are wrong.
  const std::optional<StandardTable>& table() const { return table_; }
  // By player, as far as that is known: empty for a hand that breaks off, or whose winner nobody can tell.
  const std::vector<Amount>& collected() const { return settlement_.collected; }
  // Likewise; empty where stacks are unknown, too.
  std::vector<Amount> finishing_stacks() const;
  Amount rake() const { return settlement_.rake; }
  // The file ends before the hand does.
  bool breaks_off() const { return table_ && !table_->over(); }
  bool undecided() const { return table_ && table_->over() && settlement_.collected.empty(); }

 private:
  // False where an action is not possible.
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
