#include "arena/studies/court/study.h"
#include "arena/studies/fantasyland/study.h"
#include "arena/studies/seven_hand/study.h"
#include "arena/studies/study.h"

namespace dealer::studies {

const std::map<std::string, StudyKind, std::less<>>& study_kinds() {
  static const std::map<std::string, StudyKind, std::less<>> kKinds = {
      {"court", court::kKind},
      {"fantasyland", fantasyland::kKind},
      {"seven_hand", seven_hand::kKind},
  };
  return kKinds;
}

}  // namespace dealer::studies
