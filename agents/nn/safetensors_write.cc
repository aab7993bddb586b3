#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "agents/nn/safetensors.h"
#include "agents/nn/safetensors_format.h"
#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace safetensors {
namespace {

using nlohmann::json;

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

// Validates the content before anything is written.
void check_writable(const std::string& file, const TensorFile& content) {
  for (const auto& [name, tensor] : content.tensors) {
    if (name == kMetadata) throw CheckpointError(file + ": '__metadata__' is not a name for a tensor");
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
    throw CheckpointError(file + ": a name or metadata is not UTF-8 text");
  }
}

}  // namespace
}  // namespace safetensors

void write_safetensors(const std::filesystem::path& file, const TensorFile& content) {
  safetensors::check_writable(file.string(), content);
  nlohmann::json header = nlohmann::json::object();
  header[safetensors::kMetadata] = content.metadata;
  std::vector<std::string_view> parts(2);
  std::deque<std::string> halves;
  std::size_t offset = 0;
  std::uint32_t data_sum = 0;
  for (const auto& [name, tensor] : safetensors::in_file_order(content)) {
    if (tensor->half) halves.push_back(safetensors::half_bytes(*tensor));
    const std::string_view bytes = tensor->half ? halves.back() : safetensors::bytes_of(*tensor);
    header[name] = {
        {"dtype", tensor->dtype()}, {"shape", tensor->shape}, {"data_offsets", {offset, offset + bytes.size()}}};
    offset += bytes.size();
    data_sum = crc32c(bytes, data_sum);
    parts.push_back(bytes);
  }
  const std::string text = safetensors::header_text(file.string(), std::move(header), data_sum);
  const std::uint64_t length = text.size();
  parts[0] = std::string_view(reinterpret_cast<const char*>(&length), sizeof length);
  parts[1] = text;
  write_file(file, parts);
}

}  // namespace dealer
