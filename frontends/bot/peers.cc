#include "frontends/bot/peers.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>
#include <vector>

#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "frontends/bot/peer.h"

namespace dealer {
namespace {

using boost::system::error_code;

constexpr double kTurnAway = 1;  // seconds

// True if a connection that begins like this carries an HTTP request; without plain ones only a WebSocket's GET.
bool is_method(char first, bool plain) { return first == 'G' || (plain && first >= 'A' && first <= 'Z'); }

class TcpPeer final : public Peer {
 public:
  TcpPeer(PeerContext& server, Socket socket, const std::string& name)
      : Peer(server, socket.get_executor(), name), socket_(std::move(socket)) {}

  void start() override {
    Peer::start();
    read();
  }

 protected:
  void read() override {
    if (ending()) return;
    socket_.async_read_some(asio::buffer(buffer_), [self = self()](error_code error, std::size_t count) {
      if (error) return self->end(error == asio::error::eof ? "closed by the host" : error.message());
      self->arrived(count);
    });
  }
  void write(std::string& text) override {
    asio::async_write(socket_, asio::buffer(text),
                      [self = self()](error_code error, std::size_t) { self->written(error); });
  }
  void close() override { close_now(); }
  void close_now() override {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

 private:
  std::shared_ptr<TcpPeer> self() { return std::static_pointer_cast<TcpPeer>(shared_from_this()); }

  void arrived(std::size_t count) {
    inbox_.append(buffer_.data(), count);
    if (std::exchange(first_, false)) {
      // Lines begin with a brace, HTTP requests with GET or another word.
      const bool plain = server().handlers.answer != nullptr;
      if (is_method(inbox_.front(), plain)) return start_web_peer(server(), std::move(socket_), name(), inbox_);
      if (plain) return end("no HTTP request");
      begin_session();
    }
    // bytes already searched, so that slow lines cost no more
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = scanned_; (end = inbox_.find('\n', end)) != std::string::npos; begin = ++end) {
      if (end - begin > server().options.max_line) return too_long();
      lines.push_back(inbox_.substr(begin, end - begin));
    }
    inbox_.erase(0, begin);
    scanned_ = inbox_.size();
    if (inbox_.size() > server().options.max_line) return too_long();
    lines.empty() ? read() : take(std::move(lines));
  }

  void too_long() { end(fmt::format("a line of more than {} KiB", server().options.max_line >> 10)); }

  Socket socket_;
  std::array<char, std::size_t{16} << 10> buffer_;
  std::string inbox_;
  std::size_t scanned_ = 0;
  bool first_ = true;
};

// A peer for which there is no slot: gets a message in the protocol it has begun to speak.
class Turned final : public std::enable_shared_from_this<Turned> {
 public:
  explicit Turned(Socket socket) : socket_(std::move(socket)), timer_(socket_.get_executor()) {}

  void start() {
    timer_.expires_at(remote::after(kTurnAway));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->answered_ ? self->close() : self->answer(false);
    });
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code error, std::size_t count) {
      if (error) return self->close();
      self->answer(count > 0 && is_method(self->buffer_[0], true));
    });
  }

 private:
  void answer(bool web) {
    if (std::exchange(answered_, true)) return;
    const std::string why = "too many connections; try later";
    if (web)
      text_ = http_text({503, "text/plain; charset=utf-8", why + '\n'});
    else
      remote::write_bye(why, text_);
    asio::async_write(socket_, asio::buffer(text_), [self = shared_from_this()](error_code error, std::size_t) {
      error_code ignored;
      self->socket_.shutdown(tcp::socket::shutdown_send, ignored);
      if (error) return self->close();
      self->drain();
    });
    timer_.expires_at(remote::after(kTurnAway));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
  }
  // Closing a socket with unread input would discard the written output.
  void drain() {
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code error, std::size_t) {
      error ? self->close() : self->drain();
    });
  }
  void close() {
    error_code ignored;
    timer_.cancel();
    socket_.close(ignored);
  }

  Socket socket_;
  Timer timer_;
  std::array<char, 4096> buffer_;
  std::string text_;
  bool answered_ = false;
};

}  // namespace

void start_peer(PeerContext& server, Socket socket, const std::string& name) {
  const auto peer = std::make_shared<TcpPeer>(server, std::move(socket), name);
  asio::post(peer->strand(), [peer] { peer->start(); });
}

void turn_away(Socket socket) {
  const auto strand = socket.get_executor();
  asio::post(strand, [turned = std::make_shared<Turned>(std::move(socket))] { turned->start(); });
}

}  // namespace dealer
