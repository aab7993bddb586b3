#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dealer::remote {

// What bots have done that cost no hand: by kind, how often and what first. Used by several threads.
class Remarks {
 public:
  void add(const std::string& kind, const std::string& what) {
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries_)
      if (entry.kind == kind) {
        ++entry.count;
        return;
      }
    entries_.push_back({kind, what, 1});
  }
  // "duplicate: a second answer to request 7 (3 times)"
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> list;
    for (const Entry& entry : entries_)
      list.push_back(entry.kind + ": " + entry.what +
                     (entry.count > 1 ? " (" + std::to_string(entry.count) + " times)" : ""));
    return list;
  }

 private:
  struct Entry {
    std::string kind, what;
    std::int64_t count = 0;
  };
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace dealer::remote
