#include "train/backend_info.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace dealer {
namespace {

constexpr const char* kCoreType = "OPENBLAS_CORETYPE";
constexpr std::array<std::string_view, 4> kLevelNames = {"SSE", "AVX", "AVX2", "AVX-512"};

// In a program without libtorch: the BLAS that the loader would load. Empty: libtorch has its own.
void load_blas() {
  static const void* const kLibrary =
      *DEALER_TORCH_BLAS == '\0' ? nullptr : dlopen(DEALER_TORCH_BLAS, RTLD_LAZY | RTLD_GLOBAL);
  static_cast<void>(kLibrary);
}

// OpenBLAS is looked up by name at run time: libtorch chooses it, and other libraries lack these functions.
std::string ask_openblas(const char* function) {
  load_blas();
  using Function = char* (*)();
  const auto ask = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, function));
  const char* answer = ask == nullptr ? nullptr : ask();
  return answer == nullptr ? "" : answer;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "OpenBLAS 0.3.21" if it is the library in use, else empty.
std::string openblas_name() {
  const std::string config = ask_openblas("openblas_get_config");
  return config.substr(0, config.find(' ', config.find(' ') + 1));
}

// The processor level that an OpenBLAS kernel was written for: 0 SSE, 1 AVX, 2 AVX2, 3 AVX-512; -1: not x86.
int kernel_level(std::string_view kernel) {
  static constexpr std::array<std::string_view, 3> kAvx512 = {"SkylakeX", "Cooperlake", "SapphireRapids"};
  static constexpr std::array<std::string_view, 3> kAvx2 = {"Haswell", "Zen", "Excavator"};
  static constexpr std::array<std::string_view, 4> kAvx = {"Sandybridge", "Bulldozer", "Piledriver", "Steamroller"};
  static constexpr std::array<std::string_view, 13> kSse = {
      "Katmai", "Coppermine", "Northwood", "Prescott", "Banias",       "Atom",     "Core2",
      "Penryn", "Dunnington", "Nehalem",   "Athlon",   "Opteron_SSE3", "Barcelona"};
  static constexpr std::array<std::string_view, 4> kOld = {"Opteron", "Bobcat", "Nano", "Generic"};
  if (contains(kAvx512, kernel)) return 3;
  if (contains(kAvx2, kernel)) return 2;
  if (contains(kAvx, kernel)) return 1;
  return contains(kSse, kernel) || contains(kOld, kernel) ? 0 : -1;
}

// The level of this processor; -1: not x86.
int processor_level() {
#if defined(__x86_64__) || defined(__i386__)
  const auto all = [](auto... features) { return (features && ...); };
  if (all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512dq"), __builtin_cpu_supports("avx512bw"),
          __builtin_cpu_supports("avx512vl")))
    return 3;
  if (all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"))) return 2;
  return __builtin_cpu_supports("avx") ? 1 : 0;
#else
  return -1;
#endif
}

// The kernel that runs on every processor of that level.
const char* kernel_for(int level) { return level == 3 ? "SkylakeX" : level == 2 ? "Haswell" : "Sandybridge"; }

}  // namespace

std::string libtorch_version() { return DEALER_TORCH_VERSION; }

std::string blas_library() {
  if (std::string openblas = openblas_name(); !openblas.empty()) return openblas;
  Dl_info info{};
  const void* routine = dlsym(RTLD_DEFAULT, "sgemm_");
  if (routine == nullptr || dladdr(routine, &info) == 0) return "built into libtorch";
  std::error_code ignored;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, ignored);
  return file.empty() ? info.dli_fname : file.string();
}

std::string blas_kernel() {
  const std::string kernel = ask_openblas("openblas_get_corename");
  return kernel.empty() ? "unknown" : kernel;
}

std::string blas_warning() {
  const std::string kernel = blas_kernel();
  const int level = kernel_level(kernel), processor = processor_level();
  if (level < 0 || level >= processor) return {};
  const std::string forced = variable(kCoreType);
  return fmt::format("OpenBLAS uses the kernel {} ({}) although the processor has {}{}; set {}={}", kernel,
                     kLevelNames[static_cast<std::size_t>(level)], kLevelNames[static_cast<std::size_t>(processor)],
                     forced.empty() ? "" : fmt::format(", because {} is '{}'", kCoreType, forced), kCoreType,
                     kernel_for(processor));
}

void use_fitting_blas_kernel() {
  if (blas_warning().empty() || std::getenv(kCoreType) != nullptr) return;  // NOLINT(concurrency-mt-unsafe)
  setenv(kCoreType, kernel_for(processor_level()), 1);                      // NOLINT(concurrency-mt-unsafe)
  start_again_as("/proc/self/exe");
  unsetenv(kCoreType);  // NOLINT(concurrency-mt-unsafe)
}

void start_again_as(const std::filesystem::path& program) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty()) return;
  std::vector<char*> arguments;
  for (std::size_t i = 0; i < bytes.size(); i += std::string_view(bytes.data() + i).size() + 1)
    arguments.push_back(bytes.data() + i);
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
}

}  // namespace dealer
