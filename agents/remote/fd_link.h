#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "agents/remote/link.h"

namespace dealer::remote {

// Owns connected stream sockets: one for both directions, or one for each, so that either end-of-file is noticed.
class FdLink : public Link {
 public:
  // `who` begins messages: "the bot", "127.0.0.1:7000".
  FdLink(int fd, std::string who) : FdLink(fd, fd, std::move(who)) {}
  FdLink(int in, int out, std::string who);
  ~FdLink() override;
  FdLink(const FdLink&) = delete;
  FdLink& operator=(const FdLink&) = delete;

  void send(std::string_view lines) override;
  std::optional<std::string_view> next_line(Clock::time_point deadline) override;
  std::string close(bool patiently) override;

 protected:
  // A second descriptor to read while waiting; -1: none.
  virtual int other_fd() const { return -1; }
  // Returns false if nothing was there.
  virtual bool read_other() { return false; }
  // Called periodically while waiting. May throw.
  virtual void watch() {}
  // The reason why the connection has ended, as far as known: "it ended with status 1".
  virtual std::string end_of_it() { return "it closed the connection"; }
  [[noreturn]] void disconnected(const std::string& what) const;
  const std::string& who() const { return who_; }
  // Stops writing; the other side sees end-of-file.
  void finish_sending();

 private:
  std::optional<std::string_view> take_line();
  void write_some();
  void read_some();

  int in_, out_;
  std::string who_;
  std::string inbox_, outbox_;
  std::size_t begin_ = 0;    // first byte that has not been returned yet
  std::size_t scanned_ = 0;  // there is no line break before this
  std::size_t sent_ = 0;     // of the outbox
  Clock::time_point watch_at_;
  bool ended_ = false;
  bool deaf_ = false;  // writing is no longer possible
};

}  // namespace dealer::remote
