#include "agents/give_up.h"

#include <exception>
#include <string_view>
#include <vector>

namespace dealer {

Decision give_up(const Env& env) {
  const std::vector<Choice> choices = env.choices();
  for (const std::string_view kind : {"fold", "check", "call"})
    for (const Choice& choice : choices)
      if (choice.kind == kind) return choice.action;
  return choices.front().action;
}

Failure current_failure() {
  try {
    throw;
  } catch (const AgentError& error) {
    return {error.kind(), error.what()};
  } catch (const std::exception& error) {
    return {FailureKind::kError, error.what()};
  } catch (...) {
    return {FailureKind::kError, "it threw something that is not a std::exception"};
  }
}

}  // namespace dealer
