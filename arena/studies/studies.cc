#include <fmt/format.h>

#include <utility>

#include "arena/studies/study.h"
#include "env/core/error.h"

namespace dealer::studies {
namespace {

using Kinds = std::map<std::string, StudyKind, std::less<>>;

Kinds& all() {
  static Kinds known = {
      {"court", court::kKind},           {"draw", draw::kKind},       {"fantasyland", fantasyland::kKind},
      {"seven_hand", seven_hand::kKind}, {"washizu", washizu::kKind},
  };
  return known;
}

}  // namespace

const Kinds& study_kinds() { return all(); }

void register_study(std::string name, StudyKind kind) {
  if (const auto [study, added] = all().try_emplace(std::move(name), kind); !added)
    throw UsageError(fmt::format("there is a study '{}' already", study->first));
}

}  // namespace dealer::studies
