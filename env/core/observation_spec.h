#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dealer {

// The layout of an observation: named parts, one after the other without gaps.
struct ObservationPart {
  std::string name;
  int offset = 0;
  std::vector<int> shape;  // row-major
  float low = 0;
  float high = 1;
  std::string meaning;
  int size() const {
    int product = 1;
    for (const int extent : shape) product *= extent;
    return product;
  }
};

class ObservationSpec {
 public:
  // Appends a part; returns its offset.
  int add(std::string name, std::vector<int> shape, std::string meaning, float low = 0, float high = 1) {
    parts_.push_back({std::move(name), size_, std::move(shape), low, high, std::move(meaning)});
    const int offset = size_;
    size_ += parts_.back().size();
    return offset;
  }
  int size() const { return size_; }
  const std::vector<ObservationPart>& parts() const { return parts_; }
  const ObservationPart* find(std::string_view name) const {
    for (const auto& part : parts_)
      if (part.name == name) return &part;
    return nullptr;
  }

 private:
  std::vector<ObservationPart> parts_;
  int size_ = 0;
};

}  // namespace dealer
