#pragma once

#include <functional>
#include <string>

#include "agents/nn/safetensors.h"

namespace dealer::cli {

// Call before long work: throws FileError if the file cannot be created.
void expect_writable(const std::string& file);

// Writes the result: if the file is not writable any more, writes to the folder for temporary files or the current one
// instead and throws FileError with the reason and the new place.
void write_solution(const std::string& file, const TensorFile& content);

// Writes intermediate solutions periodically during the work.
class SolutionKeeper {
 public:
  // file: empty: none is written. seconds: interval between writes; longer if writing is slow, so that it takes at most
  // a twentieth of the time.
  SolutionKeeper(std::string file, double seconds);

  // Writes the file when it is due. If that fails the user is warned once, and the work continues.
  void offer(const std::function<TensorFile()>& content);

 private:
  std::string file_;
  double seconds_, due_;
  bool warned_ = false;
};

}  // namespace dealer::cli
