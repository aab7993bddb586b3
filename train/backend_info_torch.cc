#include <ATen/Version.h>
#include <torch/version.h>

#include "train/backend_info.h"
#include "train/blas_info.h"

namespace dealer {

std::string libtorch_version() { return TORCH_VERSION; }

std::string blas_library() {
  const std::string openblas = openblas_name();
  return openblas.empty() ? blas_name(at::show_config()) : openblas;
}

}  // namespace dealer
