#include "frontends/bot/peer.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <utility>

#include "agents/remote/link.h"

namespace dealer {
namespace {

using boost::system::error_code;

// Limit of unsent answers: reading from the peer pauses until it reads them or counts as gone.
constexpr std::size_t kSlow = std::size_t{1} << 20;
// Limit of unsolicited messages: the peer is then disconnected.
constexpr std::size_t kUnread = std::size_t{1} << 20;

}  // namespace

class Peer::Link final : public PeerLink {
 public:
  explicit Link(std::weak_ptr<Peer> peer) : peer_(std::move(peer)) {}

  void send(std::string lines) override {
    if (const auto peer = peer_.lock())
      asio::post(peer->strand_, [peer, lines = std::move(lines)] { peer->push(lines); });
  }
  void close(std::string why) override {
    if (const auto peer = peer_.lock()) asio::post(peer->strand_, [peer, why = std::move(why)] { peer->end(why); });
  }

 private:
  const std::weak_ptr<Peer> peer_;
};

Peer::Peer(PeerContext& server, const Strand& strand, std::string name)
    : server_(server), strand_(strand), timer_(strand), reading_(strand), name_(std::move(name)) {
  ++server_.open;
}
Peer::~Peer() { --server_.open; }

void Peer::begin_session() {
  session_ = server_.handlers.new_session();
  session_->connected(std::make_shared<Link>(weak_from_this()));
}

void Peer::take(std::vector<std::string> lines) {
  std::size_t first = 0;
  for (; first < lines.size() && !(session_->greeted() && session_->thinks()) && !session_->over(); ++first)
    session_->take(lines[first], outbox_);
  if (first == lines.size() || session_->over()) return go_on();
  if (!writing_) begin_writing();
  timer_.cancel();
  asio::post(server_.workers, [self = shared_from_this(), first, lines = std::move(lines)] {
    std::string answers;
    for (std::size_t i = first; i < lines.size(); ++i) self->session_->take(lines[i], answers);
    self->session_->answer(answers);
    asio::post(self->strand_, [self, answers = std::move(answers)] {
      self->outbox_ += answers;
      self->go_on();
    });
  });
}

void Peer::written(error_code error) {
  writing_ = false;
  sending_.clear();
  if (error) return end(error.message());
  if (!outbox_.empty()) return begin_writing();
  if (ending_) return close();
  if (std::exchange(paused_, false)) read_on();
}

void Peer::end(const std::string& why) {
  if (std::exchange(ending_, true)) return;
  if (!why.empty()) server_.log(fmt::format("{}: {}", name_, why));
  wait(1, "");
  reading_.cancel();
  if (!writing_) close();
}

void Peer::go_on() {
  if (ending_) return;
  if (session_->greeted()) server_.options.pings ? wait_no_more() : wait(server_.options.idle_time, "idle");
  if (!writing_) begin_writing();
  if (session_->over()) return end(session_->problem().empty() ? "goodbye" : session_->problem());
  if (outbox_.size() <= kSlow)
    read_on();
  else
    paused_ = true;
}

void Peer::read_on() {
  const double pause = session_->pause();
  if (pause <= 0) return read();
  reading_.expires_at(remote::after(pause));
  reading_.async_wait([self = shared_from_this()](error_code error) {
    if (!error && !self->ending_) self->read_on();
  });
}

void Peer::push(const std::string& lines) {
  if (ending_) return;
  outbox_ += lines;
  if (!writing_) begin_writing();
  if (outbox_.size() > kUnread) end("does not read what it is sent");
}

void Peer::begin_writing() {
  if (outbox_.empty()) return;
  writing_ = true;
  sending_.swap(outbox_);
  write(sending_);
}

void Peer::wait(double time, const char* why) {
  timer_.expires_at(remote::after(time));
  timer_.async_wait([self = weak_from_this(), why](error_code error) {
    const auto peer = self.lock();
    if (error || !peer) return;
    if (peer->ending_) return peer->close_now();
    peer->end(why);
  });
}

}  // namespace dealer
