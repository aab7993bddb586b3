#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "frontends/web/web_table.h"

namespace dealer::web {

// Answers of one kind that take long. One is computed at a time; a request meanwhile waits, the newest alone.
template <typename Id>
class SlowAnswers {
 public:
  // True if the answer must be computed now. A second request for the one that is computed changes nothing.
  bool ask(const Id& id) {
    if (computed_ && *computed_ != id) waiting_ = id;
    return !computed_;
  }
  void begin(const Id& id) { computed_ = id; }
  // The answer has been computed: returns what it answers.
  Id end() {
    const Id id = *computed_;
    computed_.reset();
    return id;
  }
  // The request that waited is forgotten; true if it was this one.
  bool waited(const Id& id) { return std::exchange(waiting_, std::nullopt) == id; }

 private:
  std::optional<Id> computed_, waiting_;
};

struct WebTable::Place {
  Viewer viewer = 0;
  std::string key;
  std::shared_ptr<PeerLink> link;             // null: the place is free
  EventCursor sent;                           // of this viewer
  std::unique_ptr<SeatedAgent> adviser = {};  // of a person, if there is one
  std::string result = {};                    // message with the result of the finished hand
  SlowAnswers<DecisionId> advice = {};
  SlowAnswers<int> reviews = {};  // by hand
};

}  // namespace dealer::web
