#include "arena/studies/study.h"

namespace dealer::studies {

const std::map<std::string, StudyKind, std::less<>>& study_kinds() {
  static const std::map<std::string, StudyKind, std::less<>> kKinds = {
      {"court", court::kKind},           {"draw", draw::kKind},       {"fantasyland", fantasyland::kKind},
      {"seven_hand", seven_hand::kKind}, {"washizu", washizu::kKind},
  };
  return kKinds;
}

}  // namespace dealer::studies
