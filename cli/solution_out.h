#pragma once

#include <functional>
#include <string>

#include "agents/nn/safetensors.h"

namespace dealer::cli {

// Before long work: throws FileError when no file could be made at the path.
void expect_writable(const std::string& file);

// After it: where the file cannot be written any more, the folder for temporary files or the current one gets it
// instead; throws FileError saying what went wrong and where it is.
void write_solution(const std::string& file, const TensorFile& content);

// Writes a solution again and again while it is worked on.
class SolutionKeeper {
 public:
  // file: empty: nothing is written. seconds: between two files; more where writing one takes long, so that it takes no
  // more than a twentieth of the time.
  SolutionKeeper(std::string file, double seconds);

  // Writes the file when it is due. Where it cannot be written the user is told once, and the work goes on.
  void offer(const std::function<TensorFile()>& content);

 private:
  std::string file_;
  double seconds_, due_;
  bool told_ = false;
};

}  // namespace dealer::cli
