#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dealer {

// An LRU cache by name with a fixed capacity: the least recently used entry is evicted first.
template <class T>
class LruCache {
 public:
  explicit LruCache(std::size_t most) : most_(most) {}

  // The entry of that name, made by make() if missing. The reference is valid until the next call.
  template <class Make>
  T& get(const std::string& name, Make make) {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each.first == name; });
    if (found != all_.end()) {
      std::rotate(found, found + 1, all_.end());
    } else {
      // Evicts before making the next entry: entries may be large.
      if (all_.size() == most_) all_.erase(all_.begin());
      all_.emplace_back(name, make());
    }
    return all_.back().second;
  }
  std::size_t size() const { return all_.size(); }

 private:
  std::size_t most_;
  std::vector<std::pair<std::string, T>> all_;  // used last at the end
};

}  // namespace dealer
