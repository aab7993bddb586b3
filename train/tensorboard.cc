#include "train/tensorboard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>

#include "env/core/crc32c.h"

namespace dealer {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

template <class T>
void put(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  out.append(bytes.data(), bytes.size());
}

// The parts of the Protocol Buffers encoding used by events (https://protobuf.dev/programming-guides/encoding).
class Message {
 public:
  Message& varint(std::uint32_t field, std::uint64_t value) {
    raw(std::uint64_t{field} << 3);
    raw(value);
    return *this;
  }
  Message& number(std::uint32_t field, double value) {
    raw(std::uint64_t{field} << 3 | 1);
    put(bytes_, value);
    return *this;
  }
  Message& number(std::uint32_t field, float value) {
    raw(std::uint64_t{field} << 3 | 5);
    put(bytes_, value);
    return *this;
  }
  Message& bytes(std::uint32_t field, std::string_view value) {
    raw(std::uint64_t{field} << 3 | 2);
    raw(value.size());
    bytes_ += value;
    return *this;
  }
  Message& message(std::uint32_t field, const Message& value) { return bytes(field, value.bytes_); }

  const std::string& encoded() const { return bytes_; }

 private:
  void raw(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Field numbers of event.proto, summary.proto, tensor.proto and tensor_shape.proto.
Message event(std::int64_t step) {
  return Message().number(1, wall_time()).varint(2, static_cast<std::uint64_t>(step));
}

// Metadata for a page that is a plugin of TensorBoard.
Message plugin_value(std::string_view tag, std::string_view plugin, std::string_view text, std::string_view data = "") {
  constexpr std::uint64_t kString = 7;  // DataType DT_STRING
  const Message shape = Message().message(2, Message().varint(1, 1));
  const Message tensor = Message().varint(1, kString).message(2, shape).bytes(8, text);
  const Message metadata = Message().message(1, Message().bytes(1, plugin).bytes(2, data));
  return Message().bytes(1, tag).message(8, tensor).message(9, metadata);
}

// Masked, as a checksum over data that contains such checksums must differ from them (record_writer.h).
std::uint32_t masked_crc(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xa282ead8U; }

std::filesystem::path new_file(const std::filesystem::path& folder) {
  static std::atomic<unsigned> counter{0};
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return folder / fmt::format("events.out.tfevents.{:010}.{}.{}.{}", static_cast<std::int64_t>(wall_time()),
                              host.data(), ::getpid(), counter++);
}

}  // namespace

EventWriter::EventWriter(const std::filesystem::path& folder, std::optional<std::int64_t> purge_step)
    : file_(new_file(folder)) {
  write(Message().number(1, wall_time()).bytes(3, "brain.Event:2").encoded());
  if (!purge_step) return;
  const Message session_start = Message().varint(1, 1);
  write(event(*purge_step).message(7, session_start).encoded());
}

void EventWriter::scalars(std::int64_t step, std::span<const std::pair<std::string, double>> values) {
  Message summary;
  for (const auto& [tag, value] : values) {
    summary.message(1, Message().bytes(1, tag).number(2, static_cast<float>(value)));
  }
  write(event(step).message(5, summary).encoded());
}

// custom_scalar/layout.proto: Layout, Category, Chart, MarginChartContent.
void EventWriter::bands(std::span<const std::string> tags) {
  Message category = Message().bytes(1, "Strength, with 95% intervals");
  for (const std::string& tag : tags) {
    const Message series = Message().bytes(1, tag).bytes(2, tag + std::string(kLow)).bytes(3, tag + std::string(kHigh));
    category.message(2, Message().bytes(1, tag).message(3, Message().message(1, series)));
  }
  const Message layout = Message().message(2, category);
  const Message value = plugin_value("custom_scalars__config__", "custom_scalars", layout.encoded());
  write(event(0).message(5, Message().message(1, value)).encoded());
}

// hparams/plugin_data.proto: HParamsPluginData, SessionStartInfo; values are those of google/protobuf/struct.proto.
void EventWriter::settings(std::span<const Setting> settings) {
  Message start;
  for (const auto& [key, value] : settings) {
    const Message content = std::holds_alternative<double>(value) ? Message().number(2, std::get<double>(value))
                                                                  : Message().bytes(3, std::get<std::string>(value));
    start.message(1, Message().bytes(1, key).message(2, content));
  }
  const Message data = Message().message(3, start);
  const Message value = plugin_value("_hparams_/session_start_info", "hparams", "", data.encoded());
  write(event(0).message(5, Message().message(1, value)).encoded());
}

void EventWriter::text(std::int64_t step, std::string_view tag, std::string_view text) {
  write(event(step).message(5, Message().message(1, plugin_value(tag, "text", text))).encoded());
}

void EventWriter::write(const std::string& event) {
  std::string record;
  put(record, static_cast<std::uint64_t>(event.size()));
  put(record, masked_crc(record));
  record += event;
  put(record, masked_crc(event));
  file_.append(record);
}

}  // namespace dealer
