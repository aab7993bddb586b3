#include "train/run_writers.h"

#include <fmt/format.h>

#include "env/core/numbers.h"
#include "env/core/version.h"
#include "train/backend_info.h"

namespace dealer {

std::string signed_config(const Config& config) {
  return fmt::format("# dealer {}, libtorch {}\n{}", version(), libtorch_version(), config.resolved());
}

void log_versions(const RunFolder& run) {
  run.log()->info("dealer {}, libtorch {}, BLAS {}, kernel {}", version(), libtorch_version(), blas_library(),
                  blas_kernel());
}

RunWriters::RunWriters(RunFolder& folder, std::optional<std::int64_t> resumed_at, bool ships_best)
    : run(folder),
      events(folder.path(), resumed_at ? std::optional(*resumed_at + 1) : std::nullopt),
      metrics(folder.metrics(), events, folder.log()) {
  if (ships_best) best.emplace(folder.path());
}

void RunWriters::describe(const std::vector<std::string>& opponents,
                          const std::vector<std::pair<std::string, std::string>>& config) {
  std::vector<std::string> bands;
  for (const std::string& opponent : opponents) bands.push_back("match/" + opponent);
  events.bands(bands);
  std::vector<EventWriter::Setting> settings;
  for (const auto& [key, text] : config) {
    const std::optional<double> number = number_in<double>(text);
    settings.emplace_back(key, number ? decltype(EventWriter::Setting::second)(*number) : text);
  }
  events.settings(settings);
}

}  // namespace dealer
