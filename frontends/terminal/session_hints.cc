// Hints of a session: the adviser's choice, the reasons, and the alternatives.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "env/core/error.h"
#include "frontends/terminal/commands.h"
#include "frontends/terminal/hint_text.h"
#include "frontends/terminal/screen_text.h"
#include "frontends/terminal/session.h"

namespace dealer::terminal {

std::vector<Decision> Session::advice(How how) {
  std::optional<std::vector<Decision>> turn = agents_[static_cast<std::size_t>(seats_.me)].plan_turn(
      env_,
      [&](Agent& agent, const Observation& seen) {
        return how == How::kSampled ? agent.act(seen) : likeliest_decision(agent, seen);
      },
      [&](const Env& env) { return view_->turn_goes_on(env); });
  report(seats_.me);
  if (!turn) throw UsageError("there is no hint: the adviser has failed in this hand");
  return std::move(*turn);
}

std::string Session::worth(const std::vector<double>& policy, std::span<const Decision> turn) {
  if (view_->advised_one_by_one()) turn = turn.first(1);
  ActionValues values;
  std::string note;
  if (options_.values) {
    std::vector<Decision> played = table_.decisions();
    played.insert(played.end(), turn.begin(), turn.end());
    try {
      values = options_.values(table_.begun(), played);
      note = fmt::format("{} won or lost in the hand, +- standard error; {} of {}\n", game_->unit(),
                         values.method == "exact" ? "exact values" : values.method, options_.adviser->spec());
    } catch (const UsageError& error) {
      note = fmt::format("no values: {}\n", error.what());
    }
  }
  const std::string& adviser = options_.adviser->spec();
  // In a turn of several decisions the policy covers the first.
  return (turn.size() == 1 ? choices_text(env_, policy, values)
                           : policy_text(env_, adviser, policy) + turns_text(values)) +
         note;
}

void Session::hint() {
  const std::vector<Decision> turn = advice(How::kLikeliest);
  const std::string& adviser = options_.adviser->spec();
  say(wrap_list(fmt::format("{} would play: {}\n", adviser, view_->describe(env_, turn)), options_.style.width));
  say(view_->odds(env_));
  std::string reason;
  std::optional<std::vector<double>> policy;
  agents_[static_cast<std::size_t>(seats_.me)].ask(env_, [&](Agent& agent) {
    const Observation seen = env_.observe(seats_.me);
    policy = agent.policy(seen);
    reason = agent.explain(seen);
  });
  report(seats_.me);
  if (policy) reason = (reason.empty() ? worth(*policy, turn) : policy_text(env_, adviser, *policy)) + reason;
  if (!policy && reason.empty()) reason = fmt::format("{} gives neither probabilities nor values\n", adviser);
  reason.erase(reason.find_last_not_of('\n') + 1);
  if (!reason.empty()) say(wrap_list(reason, options_.style.width) + '\n');
  const char* does = view_->at_once() ? "plays" : "plans";
  say(fmt::format("'take' {0} this{1}\n", does,
                  policy ? fmt::format("; '{}' draws a choice by its probabilities", kTakeSampled) : ""));
}

}  // namespace dealer::terminal
