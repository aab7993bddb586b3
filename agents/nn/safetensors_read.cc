// Reading of files that may be damaged or hostile.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "agents/nn/safetensors.h"
#include "agents/nn/safetensors_format.h"
#include "env/core/at.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace safetensors {
namespace {

using nlohmann::json;

const std::array<Tensor::Data, kTypes.size()> kEmpty = {std::vector<float>(), std::vector<double>(),
                                                        std::vector<std::int64_t>(), std::vector<std::uint8_t>(),
                                                        std::vector<float>()};

// A tensor's entry in the header.
struct Entry {
  std::string name;
  std::size_t type = 0;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;  // relative to the end of the header
  std::size_t end = 0;
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  TensorFile read() {
    const json header = parse_header();
    TensorFile file;
    file.name = name_;
    std::vector<Entry> entries;
    for (const auto& [key, value] : header.items()) {
      if (key == kMetadata) {
        read_metadata(value, file.metadata);
      } else {
        entries.push_back(read_entry(key, value));
      }
    }
    check_observation_spec(entries);
    if (const auto sum = file.metadata.find(kChecksum); sum != file.metadata.end()) {
      if (sum->second != checksum(header, crc32c(data_))) fail("the checksum does not match");
      file.metadata.erase(sum);
    }
    for (Entry& entry : entries) file.tensors.emplace(entry.name, load(entry));
    if (const auto tensor = tensor_not_finite(file))
      throw CheckpointError(fmt::format("{}: tensor '{}' holds a number that is not finite", name_, *tensor));
    return file;
  }

  // The total file size implied by the header, which is all that has been read.
  std::size_t whole_size() {
    std::size_t end = 0;
    const json header = parse_header();
    for (const auto& [key, value] : header.items())
      if (key != kMetadata) end = std::max(end, read_entry(key, value).end);
    const std::size_t begin = bytes_.size() - data_.size();
    if (end > std::numeric_limits<std::size_t>::max() - begin) fail("it announces more bytes than can be counted");
    return begin + end;
  }

  // The metadata, if only the header has been read.
  std::map<std::string, std::string> metadata() {
    std::map<std::string, std::string> metadata;
    const json header = parse_header();
    if (header.contains(kMetadata)) read_metadata(header.at(kMetadata), metadata);
    metadata.erase(kChecksum);
    return metadata;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw CheckpointError(name_ + ": malformed or no safetensors file: " + what);
  }
  [[noreturn]] void fail_in(const std::string& tensor, const std::string& what) const {
    fail("tensor " + shown(tensor) + ": " + what);
  }
  static std::string shown(const std::string& text) {
    return json(text.substr(0, 80)).dump(-1, ' ', true, json::error_handler_t::replace);
  }

  json parse_header() {
    if (bytes_.size() < kLengthBytes) {
      fail(fmt::format("it has {} bytes; expected at least {}", bytes_.size(), kLengthBytes));
    }
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), sizeof length);
    const std::size_t most = std::min(kMaxHeader, bytes_.size() - kLengthBytes);
    if (length < 2 || length > most) fail(fmt::format("a header of {} bytes; expected 2 to {}", length, most));
    const std::string_view text = bytes_.substr(kLengthBytes, length);
    data_ = bytes_.substr(kLengthBytes + length);
    if (text.front() != '{') fail("the header does not start with '{'");
    return parse_object(text);
  }

  // The header is parsed with a callback for every key to detect duplicates, of which the last would silently win.
  json parse_object(std::string_view text) const {
    std::vector<std::set<std::string>> keys;
    std::string twice;
    const auto watch = [&](int depth, json::parse_event_t event, const json& parsed) {
      if (depth > 4) return false;
      if (event == json::parse_event_t::object_start) {
        keys.resize(at(depth) + 1);
        keys.back().clear();
      } else if (event == json::parse_event_t::key) {
        keys.resize(at(depth));
        if (!keys.back().insert(parsed.get<std::string>()).second) twice = parsed.get<std::string>();
      }
      return true;
    };
    json header = json::parse(text, watch, false);
    if (!header.is_object()) fail("the header is not a JSON object");
    if (!twice.empty()) fail("the header gives " + shown(twice) + " twice");
    return header;
  }

  void read_metadata(const json& value, std::map<std::string, std::string>& metadata) const {
    if (!value.is_object()) fail("__metadata__ is not a JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) fail("__metadata__ " + shown(key) + " is not a string");
      metadata.emplace(key, text.get<std::string>());
    }
  }

  Entry read_entry(const std::string& name, const json& value) const {
    const auto field = [&](const char* key, bool (json::*is_type)() const noexcept) -> const json& {
      if (!value.is_object() || !value.contains(key) || !(value.at(key).*is_type)()) {
        fail_in(name, std::string("expected dtype (a name), shape and data_offsets (lists); wrong or missing: ") + key);
      }
      return value.at(key);
    };
    Entry entry;
    entry.name = name;
    const std::string& dtype = field("dtype", &json::is_string).get_ref<const std::string&>();
    entry.type = at(std::find(kTypes.begin(), kTypes.end(), dtype) - kTypes.begin());
    if (entry.type == kTypes.size()) fail_in(name, "dtype " + shown(dtype) + "; expected F32, F64, I64, U8 or F16");
    for (const json& extent : field("shape", &json::is_array)) entry.shape.push_back(count(name, extent));
    const json& offsets = field("data_offsets", &json::is_array);
    if (offsets.size() != 2) fail_in(name, "data_offsets are not two");
    entry.begin = at(count(name, offsets[0]));
    entry.end = at(count(name, offsets[1]));
    const auto size = byte_count(entry.shape, entry.type);
    if (!size || entry.end < entry.begin || entry.end - entry.begin != *size) {
      fail_in(name, fmt::format("{} of shape {} in bytes {} to {}; expected {} bytes", dtype, shape_text(entry.shape),
                                entry.begin, entry.end, size ? std::to_string(*size) : "too many"));
    }
    return entry;
  }

  std::int64_t count(const std::string& name, const json& value) const {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost) {
      fail_in(name, "a length or offset is not a whole number from 0 to 2^63 - 1");
    }
    return value.get<std::int64_t>();
  }

  // The tensors must cover everything after the header, without gaps or overlaps.
  void check_observation_spec(std::vector<Entry>& entries) const {
    const auto place = [](const Entry& entry) { return std::pair(entry.begin, entry.end); };
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
    std::size_t end = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != end) fail_in(entry.name, fmt::format("begins at byte {}; expected {}", entry.begin, end));
      end = entry.end;
    }
    if (end != data_.size()) fail(fmt::format("{} bytes of tensors; expected {}", data_.size(), end));
  }

  Tensor load(Entry& entry) const {
    Tensor tensor{std::move(entry.shape), kEmpty[entry.type], entry.type == kHalf};
    const std::string_view from = data_.substr(entry.begin, entry.end - entry.begin);
    if (tensor.half) {
      std::vector<Half> halves(from.size() / sizeof(Half));
      if (!from.empty()) std::memcpy(static_cast<void*>(halves.data()), from.data(), from.size());
      tensor.data = std::vector<float>(halves.begin(), halves.end());
      return tensor;
    }
    std::visit(
        [&](auto& values) {
          values.resize(from.size() / sizeof(values[0]));
          if (!from.empty()) std::memcpy(values.data(), from.data(), from.size());
        },
        tensor.data);
    return tensor;
  }

  std::string_view bytes_;
  const std::string& name_;
  std::string_view data_;
};

// A device may be endless.
void refuse_device(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_character_file(file, ignored))
    throw FileError("cannot read " + file.string() + ": it is a device");
}

// The length of the header and the header, as far as present.
std::string read_header(const std::filesystem::path& file) {
  refuse_device(file);
  const std::string start = read_file(file, kLengthBytes);
  std::uint64_t length = 0;
  if (start.size() == kLengthBytes) std::memcpy(&length, start.data(), kLengthBytes);
  return read_file(file, kLengthBytes + std::min<std::uint64_t>(length, kMaxHeader));
}

}  // namespace
}  // namespace safetensors

TensorFile read_safetensors(const std::filesystem::path& file) {
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(file, no_size);
  // If the file size does not match the header, the file is not read to its end, however long it is.
  if (!no_size) {
    const std::string header = safetensors::read_header(file);
    if (const std::size_t whole = safetensors::Reader(header, file.string()).whole_size(); whole != size)
      throw CheckpointError(fmt::format("{}: malformed or no safetensors file: it has {} bytes; expected {}",
                                        file.string(), size, whole));
  }
  safetensors::refuse_device(file);
  return parse_safetensors(read_file(file), file.string());
}

std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& file) {
  const std::string header = safetensors::read_header(file);
  return safetensors::Reader(header, file.string()).metadata();
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& name) {
  return safetensors::Reader(bytes, name).read();
}

}  // namespace dealer
