#include "cli/study_progress.h"

#include "train/interrupt.h"

namespace dealer::cli {

studies::StudyHooks StudyProgress::hooks() {
  return {.progress = [this](std::int64_t done) { show("deals", done, deals_); },
          .stop = InterruptGuard::requested,
          .work = [this](std::string_view of, std::int64_t done,
                         std::int64_t total) { show(std::string(of), done, total); }};
}

void StudyProgress::finish() {
  if (progress_) progress_->finish();
}

void StudyProgress::show(const std::string& unit, std::int64_t done, std::int64_t total) {
  if (!progress_ || unit != unit_) {
    finish();
    unit_ = unit;
    progress_.emplace(title_, total, ProgressOptions::standard(unit, quiet_), done);
  }
  progress_->update(done);
}

}  // namespace dealer::cli
