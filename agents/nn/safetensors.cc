#include "agents/nn/safetensors.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>

#include "env/core/at.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "tensors are copied as they lie in memory");

constexpr std::size_t kLengthBytes = 8;
// Enough for tens of thousands of tensors. Parsing a header takes about thirty times its size in memory.
constexpr std::size_t kMaxHeader = std::size_t{4} << 20;
constexpr std::size_t kAlignment = 8;
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksum = "crc32c";

// The type names of Tensor::Data, and the half-precision type that is float in memory.
constexpr std::array<std::string_view, std::variant_size_v<Tensor::Data> + 1> kTypes = {"F32", "F64", "I64", "U8",
                                                                                        "F16"};
constexpr std::array<std::size_t, kTypes.size()> kSizes = {4, 8, 8, 1, 2};
constexpr std::size_t kHalf = kTypes.size() - 1;
const std::array<Tensor::Data, kTypes.size()> kEmpty = {std::vector<float>(), std::vector<double>(),
                                                        std::vector<std::int64_t>(), std::vector<std::uint8_t>(),
                                                        std::vector<float>()};

std::size_t type_of(const Tensor& tensor) { return tensor.half ? kHalf : tensor.data.index(); }

using Half = Eigen::half;

// The values in half precision, as stored in the file.
std::string half_bytes(const Tensor& tensor) {
  std::string bytes;
  for (const float value : std::get<std::vector<float>>(tensor.data)) {
    const Half half(value);
    bytes.append(reinterpret_cast<const char*>(&half), sizeof half);
  }
  return bytes;
}

std::string_view bytes_of(const Tensor& tensor) {
  return std::visit(
      [](const auto& values) {
        return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
      },
      tensor.data);
}

bool tensor_is_finite(const Tensor& tensor) {
  return std::visit(
      [&](const auto& values) {
        using Value = std::decay_t<decltype(values[0])>;
        if constexpr (std::is_floating_point_v<Value>)
          return std::all_of(values.begin(), values.end(), [&](Value value) {
            return std::isfinite(tensor.half ? rounded_to_half(static_cast<float>(value)) : value);
          });
        else
          return true;
      },
      tensor.data);
}

// The size of a tensor in bytes; nullopt on overflow.
std::optional<std::size_t> byte_count(const std::vector<std::int64_t>& shape, std::size_t type) {
  std::size_t count = kSizes[type];
  for (const std::int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, at(extent), &count)) return std::nullopt;
  }
  return count;
}

// The checksum of the header (in canonical form, without the checksum itself) and the tensors.
std::string checksum(json header, std::uint32_t data_sum) {
  header[kMetadata].erase(kChecksum);
  return fmt::format("{:08x}", crc32c(header.dump(), data_sum));
}

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
    if (!header.is_object()) fail("the header is no JSON object");
    if (!twice.empty()) fail("the header gives " + shown(twice) + " twice");
    return header;
  }

  void read_metadata(const json& value, std::map<std::string, std::string>& metadata) const {
    if (!value.is_object()) fail("__metadata__ is no JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) fail("__metadata__ " + shown(key) + " is no string");
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
      fail_in(name, "a length or offset is no whole number from 0 to 2^63 - 1");
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

// Validates the content before anything is written.
void check_writable(const std::string& file, const TensorFile& content) {
  for (const auto& [name, tensor] : content.tensors) {
    if (name == kMetadata) throw CheckpointError(file + ": '__metadata__' is no name for a tensor");
    if (byte_count(tensor.shape, tensor.data.index()) != bytes_of(tensor).size()) {
      throw CheckpointError(fmt::format("{}: tensor '{}' has {} bytes, not those of {} {}", file, name,
                                        bytes_of(tensor).size(), tensor.dtype(), shape_text(tensor.shape)));
    }
  }
  if (content.metadata.contains(kChecksum)) throw CheckpointError(file + ": the metadata key 'crc32c' is taken");
  if (const auto tensor = tensor_not_finite(content))
    throw CheckpointError(
        fmt::format("{}: tensor '{}' holds a number that is not finite; nothing is written", file, *tensor));
}

// Wide types first, then by name, like the reference implementation, so that every tensor is aligned.
std::vector<std::pair<std::string, const Tensor*>> in_file_order(const TensorFile& content) {
  std::vector<std::pair<std::string, const Tensor*>> order;
  for (const auto& [name, tensor] : content.tensors) order.emplace_back(name, &tensor);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return kSizes[type_of(*a.second)] > kSizes[type_of(*b.second)];
  });
  return order;
}

std::string header_text(const std::string& file, json header, std::uint32_t data_sum) {
  try {
    header[kMetadata][kChecksum] = checksum(header, data_sum);
    std::string text = header.dump();
    text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
    if (text.size() > kMaxHeader) throw CheckpointError(file + ": too many tensors for one file");
    return text;
  } catch (const json::exception&) {
    throw CheckpointError(file + ": a name or metadata is no UTF-8 text");
  }
}

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

std::optional<std::string> tensor_not_finite(const TensorFile& file) {
  for (const auto& [name, tensor] : file.tensors)
    if (!tensor_is_finite(tensor)) return name;
  return std::nullopt;
}

std::string_view Tensor::dtype() const { return kTypes[type_of(*this)]; }

float rounded_to_half(float value) { return static_cast<float>(Half(value)); }

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) {
    if (!text.empty()) text += ", ";
    text += extent < 0 ? "n" : std::to_string(extent);
  }
  return "[" + text + "]";
}

const Tensor& TensorFile::checked(const std::string& tensor, const std::vector<std::int64_t>& shape,
                                  const Tensor::Data& type) const {
  const auto found = tensors.find(tensor);
  if (found == tensors.end()) throw CheckpointError(fmt::format("{}: has no tensor '{}'", name, tensor));
  const Tensor& got = found->second;
  if (got.data.index() != type.index() || got.shape != shape) {
    throw CheckpointError(fmt::format("{}: tensor '{}' is {} {}; expected {} {}", name, tensor, got.dtype(),
                                      shape_text(got.shape), kTypes[type.index()], shape_text(shape)));
  }
  return got;
}

void TensorFile::check_finite(const std::string& tensor) const {
  if (!tensor_is_finite(tensors.at(tensor)))
    throw CheckpointError(fmt::format("{}: tensor '{}' holds a number that is not finite", name, tensor));
}

std::int64_t TensorFile::length(const std::string& tensor) const {
  const auto found = tensors.find(tensor);
  return found == tensors.end() || found->second.shape.size() != 1 ? -1 : found->second.shape[0];
}

const std::string& TensorFile::meta(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end()) throw CheckpointError(fmt::format("{}: has no metadata '{}'", name, key));
  return found->second;
}

TensorFile read_safetensors(const std::filesystem::path& file) {
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(file, no_size);
  // If the file size does not match the header, the file is not read to its end, however long it is.
  if (!no_size) {
    const std::string header = read_header(file);
    if (const std::size_t whole = Reader(header, file.string()).whole_size(); whole != size)
      throw CheckpointError(fmt::format("{}: malformed or no safetensors file: it has {} bytes; expected {}",
                                        file.string(), size, whole));
  }
  refuse_device(file);
  return parse_safetensors(read_file(file), file.string());
}

std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& file) {
  const std::string header = read_header(file);
  return Reader(header, file.string()).metadata();
}

TensorFile parse_safetensors(std::string_view bytes, const std::string& name) { return Reader(bytes, name).read(); }

void write_safetensors(const std::filesystem::path& file, const TensorFile& content) {
  check_writable(file.string(), content);
  json header = json::object();
  header[kMetadata] = content.metadata;
  std::vector<std::string_view> parts(2);
  std::deque<std::string> halves;
  std::size_t offset = 0;
  std::uint32_t data_sum = 0;
  for (const auto& [name, tensor] : in_file_order(content)) {
    if (tensor->half) halves.push_back(half_bytes(*tensor));
    const std::string_view bytes = tensor->half ? halves.back() : bytes_of(*tensor);
    header[name] = {
        {"dtype", tensor->dtype()}, {"shape", tensor->shape}, {"data_offsets", {offset, offset + bytes.size()}}};
    offset += bytes.size();
    data_sum = crc32c(bytes, data_sum);
    parts.push_back(bytes);
  }
  const std::string text = header_text(file.string(), std::move(header), data_sum);
  const std::uint64_t length = text.size();
  parts[0] = std::string_view(reinterpret_cast<const char*>(&length), sizeof length);
  parts[1] = text;
  write_file(file, parts);
}

}  // namespace dealer
