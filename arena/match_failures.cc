#include "arena/match_failures.h"

#include <exception>
#include <nlohmann/json.hpp>

namespace dealer {
namespace {

constexpr std::size_t kLongestMessage = 400;

}  // namespace

void FailureCounts::merge(const FailureCounts& later) {
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    if (hands[kind] == 0) first[kind] = later.first[kind];
    hands[kind] += later.hands[kind];
  }
  forfeited += later.forfeited;
}

nlohmann::json to_json(const FailureCounts& failures) {
  nlohmann::json json = {{"forfeited", failures.forfeited}, {"first", nlohmann::json::object()}};
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    const std::string name(name_of(static_cast<FailureKind>(kind)));
    json[name] = failures.hands[kind];
    if (failures.hands[kind] > 0) json["first"][name] = failures.first[kind];
  }
  return json;
}

Failure failure() {
  try {
    throw;
  } catch (const AgentError& error) {
    return {error.kind(), error.what()};
  } catch (const std::exception& error) {
    return {FailureKind::kError, error.what()};
  } catch (...) {
    return {FailureKind::kError, "it threw something that is no std::exception"};
  }
}

std::string shortened(std::string what) {
  return what.size() > kLongestMessage ? what.substr(0, kLongestMessage) + "..." : what;
}

Decision give_up(const Env& env) {
  const std::vector<Choice> choices = env.choices();
  for (const std::string_view kind : {"fold", "check", "call"})
    for (const Choice& choice : choices)
      if (choice.kind == kind) return choice.action;
  return choices.front().action;
}

}  // namespace dealer
