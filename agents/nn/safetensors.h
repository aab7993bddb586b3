#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dealer {

// A dense array in row-major order. An empty shape is a scalar (one element).
struct Tensor {
  // F32, F64, I64 and U8: the alternatives in the order of their dtype names in the file format.
  using Data =
      std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>, std::vector<std::uint8_t>>;

  std::vector<std::int64_t> shape;
  Data data;
  // For float data: stored in half precision, to which the values are rounded on writing.
  bool half = false;

  // "F32", "F64", "I64", "U8" or "F16".
  std::string_view dtype() const;
  bool operator==(const Tensor&) const = default;
};

// "[3, 4]"; a negative extent, which stands for any size, is written "n".
std::string shape_text(const std::vector<std::int64_t>& shape);

// A safetensors file (https://github.com/huggingface/safetensors#format): the length of a JSON header in eight bytes
// (little-endian), the header, then the tensors one after the other. Any Python reads it; loading it runs no code.
//
// Files written here carry a checksum of header and tensors under the metadata key "crc32c", which is checked on
// reading and not part of `metadata`. Files without one are accepted.
struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;
  std::string name;  // the file it was read from; messages start with it

  // The elements of a tensor. Throws CheckpointError if it is absent, of another type or of another shape.
  template <class T>
  const std::vector<T>& get(const std::string& tensor, const std::vector<std::int64_t>& shape) const {
    return std::get<std::vector<T>>(checked(tensor, shape, Tensor::Data(std::vector<T>())).data);
  }
  // As above for any length: the tensor must have one dimension.
  template <class T>
  const std::vector<T>& get(const std::string& tensor) const {
    return get<T>(tensor, {length(tensor)});
  }
  // As above; also throws CheckpointError if an element is not finite.
  template <class T>
  const std::vector<T>& get_finite(const std::string& tensor, const std::vector<std::int64_t>& shape) const {
    const std::vector<T>& numbers = get<T>(tensor, shape);
    check_finite(tensor);
    return numbers;
  }
  // Throws CheckpointError when absent.
  const std::string& meta(const std::string& key) const;

 private:
  const Tensor& checked(const std::string& tensor, const std::vector<std::int64_t>& shape,
                        const Tensor::Data& type) const;
  std::int64_t length(const std::string& tensor) const;
  void check_finite(const std::string& tensor) const;
};

// Rounds to the nearest half-precision number (IEEE 754 binary16); infinite beyond 65,504.
float rounded_to_half(float value);

// The name of the first tensor with an element that is not finite; nullopt if all are finite.
std::optional<std::string> tensor_not_finite(const TensorFile& file);

// Throws FileError if the file cannot be read, CheckpointError (file, what is wrong, what was expected) if it is
// malformed, truncated, has types other than the five above or an element that is not finite.
TensorFile read_safetensors(const std::filesystem::path& file);
// `name` stands for the file in messages.
TensorFile parse_safetensors(std::string_view bytes, const std::string& name);

// Reads only the metadata in the header: tensors are not read and the checksum is not verified. Throws as above.
std::map<std::string, std::string> read_safetensors_metadata(const std::filesystem::path& file);

// Writes atomically (write_file): the old file stays intact until the new one is complete. Throws FileError if that
// fails, CheckpointError if a tensor's element count does not match its shape, an element is not finite, or a name is
// not UTF-8; then nothing is written.
void write_safetensors(const std::filesystem::path& file, const TensorFile& content);

}  // namespace dealer
