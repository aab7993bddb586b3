#pragma once

#include <memory>
#include <optional>
#include <string>

#include "frontends/web/web_table.h"

namespace dealer::web {

struct WebTable::Place {
  Viewer viewer = 0;
  std::string key;
  std::shared_ptr<PeerLink> link;             // null: the place is free
  EventCursor sent;                           // of this viewer
  std::unique_ptr<SeatedAgent> adviser = {};  // of a person, if there is one
  std::string result = {};                    // message with the result of the finished hand
  bool advising = false, reviewing = false;   // an answer is being computed
};

}  // namespace dealer::web
