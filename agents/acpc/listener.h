#pragma once

#include <memory>

#include "agents/remote/address.h"
#include "agents/remote/link.h"

namespace dealer::acpc {

// A TCP port that programs connect to.
class Listener {
 public:
  // Listens from now on; port 0: any that is free. Throws UsageError on a bad address, Error when the port
  // is taken.
  explicit Listener(const remote::Address& address);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  // The next that connects. Throws AgentError (kDisconnected) when nobody has by the deadline.
  std::unique_ptr<remote::Link> accept(remote::Clock::time_point deadline) const;

 private:
  int fd_ = -1;
  int port_ = 0;
};

}  // namespace dealer::acpc
