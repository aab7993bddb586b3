#include "cli/version.h"

#include <fmt/format.h>

#include "env/core/version.h"
#include "train/backend_info.h"

namespace dealer::cli {
namespace {

// The instruction sets that the hand evaluator and the vectorised loops have been compiled for.
std::string instructions() {
  std::string names;
  const auto add = [&](const char* name) { names += (names.empty() ? "" : " ") + std::string(name); };
#ifdef __POPCNT__
  add("POPCNT");
#endif
#ifdef __BMI2__
  add("BMI2");
#endif
#ifdef __AVX2__
  add("AVX2");
#endif
#ifdef __FMA__
  add("FMA");
#endif
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  add("AVX-512");
#endif
#ifdef __ARM_NEON
  add("NEON");
#endif
  return names.empty() ? "the baseline of the architecture" : names;
}

}  // namespace

std::string version_text() {
  std::string text = fmt::format("dealer {}\nlibtorch {}\n", version(), libtorch_version());
  text += fmt::format("BLAS {}, kernel {}\n", blas_library(), blas_kernel());
  text += fmt::format("evaluator compiled for {}", instructions());
  if (const std::string warning = blas_warning(); !warning.empty()) text += "\nwarning: " + warning;
  return text;
}

}  // namespace dealer::cli
