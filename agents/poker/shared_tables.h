#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace dealer::poker {

// Tables that are built on first use, by one thread while others wait.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(Make&& make) const {
    std::call_once(once_, [&] { made_.emplace(std::forward<Make>(make)()); });
    return *made_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<T> made_;
};

// Returns the same tables for equal keys, as long as somebody holds them.
template <class T>
std::shared_ptr<const Lazy<T>> shared_tables(const std::string& key) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const Lazy<T>>> all;
  const std::lock_guard lock(mutex);
  std::weak_ptr<const Lazy<T>>& known = all[key];
  std::shared_ptr<const Lazy<T>> tables = known.lock();
  if (!tables) known = tables = std::make_shared<const Lazy<T>>();
  return tables;
}

}  // namespace dealer::poker
