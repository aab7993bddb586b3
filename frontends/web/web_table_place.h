#pragma once

#include <memory>
#include <optional>
#include <string>

#include "frontends/web/web_table.h"

namespace dealer::web {

struct WebTable::Place {
  Viewer viewer = 0;
  std::string key;
  std::shared_ptr<PeerLink> link;             // null: nobody is there
  EventCursor told;                           // of this viewer
  std::unique_ptr<SeatedAgent> adviser = {};  // of a person, where there is one
  std::string result = {};                    // the message of the hand that is over
  bool advising = false, reviewing = false;   // an answer is on its way
};

}  // namespace dealer::web
