#include "env/core/version.h"

#include "dealer_version.h"

namespace dealer {

std::string version() {
  const std::string revision = DEALER_REVISION;
  if (revision.empty()) return DEALER_VERSION;
  return DEALER_VERSION " (" + revision + ")";
}

}  // namespace dealer
