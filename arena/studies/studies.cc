#include "arena/studies/draw/study.h"
#include "arena/studies/seven_hand/study.h"
#include "arena/studies/study.h"
#include "arena/studies/washizu/study.h"

namespace dealer::studies {

const std::map<std::string, StudyKind, std::less<>>& study_kinds() {
  static const std::map<std::string, StudyKind, std::less<>> kKinds = {
      {"draw", draw::kKind}, {"seven_hand", seven_hand::kKind}, {"washizu", washizu::kKind}};
  return kKinds;
}

}  // namespace dealer::studies
