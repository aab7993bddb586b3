#include "arena/match_failures.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>

namespace dealer {
namespace {

constexpr std::size_t kLongestMessage = 400;

}  // namespace

void FailureCounts::merge(const FailureCounts& later) {
  if (failed() == 0) earliest = later.earliest;
  for (std::size_t kind = 0; kind < kFailureKinds; ++kind) {
    if (hands[kind] == 0) first[kind] = later.first[kind];
    hands[kind] += later.hands[kind];
  }
  forfeited += later.forfeited;
}

void FailureCounts::count(FailureKind kind, std::string what) {
  if (failed() == 0) earliest = kind;
  const auto k = static_cast<std::size_t>(kind);
  if (hands[k]++ == 0) first[k] = std::move(what);
}

void expect_decisions(std::string_view spec, bool decided, const FailureCounts& failures) {
  if (!decided && failures.failed() > 0)
    throw AgentFailure(fmt::format("agent '{}' made no decision that could be played; {}", spec,
                                   failures.first[static_cast<std::size_t>(failures.earliest)]));
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
