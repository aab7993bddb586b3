#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "train/append_file.h"

namespace dealer {

// The ends of a band.
inline constexpr std::string_view kLow = "_low", kHigh = "_high";

// Writes an events file for TensorBoard: records of the TFRecord format (length, data, masked CRC-32C of each;
// tensorflow/core/lib/io/record_writer.cc) holding Event messages (tensorflow/core/util/event.proto, "brain.Event:2").
// Every record is written at once. All functions throw FileError.
class EventWriter {
 public:
  // Makes a new file events.out.tfevents.SECONDS.HOST.PID.NUMBER in the folder, which must exist. A run resumed after
  // step s passes `purge_step` s + 1: TensorBoard then ignores that step and later ones in earlier files.
  explicit EventWriter(const std::filesystem::path& folder, std::optional<std::int64_t> purge_step = std::nullopt);

  void scalars(std::int64_t step, std::span<const std::pair<std::string, double>> values);
  // For the page "Custom scalars": a chart per tag, with a band from TAG_low to TAG_high.
  void bands(std::span<const std::string> tags);
  // For the page "HParams": the settings of the run, as text or as numbers.
  using Setting = std::pair<std::string, std::variant<double, std::string>>;
  void settings(std::span<const Setting> settings);
  // Markdown text for the page "Text".
  void text(std::int64_t step, std::string_view tag, std::string_view text);

  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void write(const std::string& event);

  AppendFile file_;
};

}  // namespace dealer
