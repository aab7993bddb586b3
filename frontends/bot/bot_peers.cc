#include "frontends/bot/bot_peers.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "agents/remote/protocol.h"

namespace dealer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;

// Of the HTTP request of a WebSocket, cookies and all.
constexpr std::uint32_t kMaxRequest = 16 << 10;
// Unread answers of a host behind which nothing more is read from it, until it reads or is taken to be gone.
constexpr std::size_t kSlow = std::size_t{1} << 20;
constexpr double kTurnAway = 1;  // seconds

std::chrono::steady_clock::duration seconds(double number) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(number));
}

std::string http_answer(std::string_view status, const std::string& why) {
  return fmt::format(
      "HTTP/1.1 {}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\r\n{}\n",
      status, why.size() + 1, why);
}

// A connection: the session, its answers on their way, its clocks. What carries the lines is derived from it. Lives as
// long as something of it is under way. Everything runs on its strand, but what the session does once it has been
// greeted: it may think for long, and others say hello meanwhile.
class Peer : public std::enable_shared_from_this<Peer> {
 public:
  Peer(PeerContext& server, const Strand& strand, std::string name)
      : server_(server), strand_(strand), timer_(strand), name_(std::move(name)), session_(server.new_session()) {
    ++server_.open;
  }
  virtual ~Peer() { --server_.open; }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const Strand& strand() const { return strand_; }
  // Once, on the strand.
  virtual void start() { wait(server_.options.hello_time, "no hello"); }

 protected:
  PeerContext& server() { return server_; }
  const std::string& name() const { return name_; }
  virtual void read() = 0;
  virtual void write(std::string& text) = 0;  // then written()
  // With a goodbye where that takes no waiting for what is being written; close_now() comes later if need be.
  virtual void close() = 0;
  virtual void close_now() = 0;

  // Takes lines, answers them, and reads on.
  void take(std::vector<std::string> lines) {
    std::size_t first = 0;
    for (; first < lines.size() && !session_->greeted() && !session_->over(); ++first)
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

  void written(error_code error) {
    writing_ = false;
    sending_.clear();
    if (error) return end(error.message());
    if (!outbox_.empty()) return begin_writing();
    if (ending_) return close();
    if (std::exchange(paused_, false)) read();
  }

  // Writes what is left and closes; a second later at the latest.
  void end(const std::string& why) {
    if (std::exchange(ending_, true)) return;
    server_.log(fmt::format("{}: {}", name_, why));
    wait(1, "");
    if (!writing_) close();
  }
  bool ending() const { return ending_; }

 private:
  void go_on() {
    if (ending_) return;
    if (session_->greeted()) wait(server_.options.idle_time, "idle");
    if (!writing_) begin_writing();
    if (session_->over()) return end(session_->problem().empty() ? "goodbye" : session_->problem());
    if (outbox_.size() <= kSlow)
      read();
    else
      paused_ = true;
  }
  void begin_writing() {
    if (outbox_.empty()) return;
    writing_ = true;
    sending_.swap(outbox_);
    write(sending_);
  }
  void wait(double time, const char* why) {
    timer_.expires_after(seconds(time));
    timer_.async_wait([self = weak_from_this(), why](error_code error) {
      const auto peer = self.lock();
      if (error || !peer) return;
      if (peer->ending_) return peer->close_now();
      peer->end(why);
    });
  }

  PeerContext& server_;
  Strand strand_;
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Strand> timer_;
  std::string name_;
  std::unique_ptr<BotSession> session_;
  std::string outbox_, sending_;
  bool writing_ = false, paused_ = false, ending_ = false;
};

class WebSocketPeer final : public Peer {
 public:
  using Stream = websocket::stream<beast::basic_stream<tcp, Strand>>;
  WebSocketPeer(PeerContext& server, Socket socket, const std::string& name)
      : Peer(server, socket.get_executor(), name), stream_(std::move(socket)) {}

  // `begun`: what was read of the request already.
  void start(std::string_view begun) {
    Peer::start();
    const auto space = buffer_.prepare(begun.size());
    buffer_.commit(asio::buffer_copy(space, asio::buffer(begun.data(), begun.size())));
    request_.header_limit(kMaxRequest);
    http::async_read(stream_.next_layer(), buffer_, request_, [self = self()](error_code error, std::size_t) {
      if (error) return self->refuse("no HTTP request: " + error.message());
      // The standard has a client wait for the answer.
      if (self->buffer_.size() > 0) return self->refuse("bytes behind the request");
      if (const std::string why = self->refusal(); !why.empty()) return self->forbid(why);
      self->accept();
    });
  }

 protected:
  void read() override {
    if (ending()) return;
    stream_.async_read(buffer_, [self = self()](error_code error, std::size_t) {
      if (error) return self->end(error.message());
      std::vector<std::string> lines = {beast::buffers_to_string(self->buffer_.data())};
      self->buffer_.consume(self->buffer_.size());
      self->take(std::move(lines));
    });
  }
  // A message a line.
  void write(std::string& text) override { write_line(text, 0); }
  void close() override {
    stream_.async_close(websocket::close_code::normal, [self = self()](error_code) { self->close_now(); });
  }
  void close_now() override {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

 private:
  std::shared_ptr<WebSocketPeer> self() { return std::static_pointer_cast<WebSocketPeer>(shared_from_this()); }
  void accept() {
    stream_.read_message_max(remote::kMaxHostLine);
    stream_.set_option(websocket::stream_base::timeout{seconds(10), websocket::stream_base::none(), false});
    stream_.async_accept(request_.get(), [self = self()](error_code error) {
      if (error) return self->refuse("no WebSocket: " + error.message());
      self->stream_.text(true);
      self->read();
    });
  }
  // All values of a header, nothing where there is none.
  std::optional<std::string> header(http::field field) const {
    std::optional<std::string> all;
    for (auto [at, end] = request_.get().equal_range(field); at != end; ++at) {
      const std::string value(at->value().data(), at->value().size());
      all = all ? *all + ", " + value : value;
    }
    return all;
  }
  // Why the web page behind the request may not connect; empty when it may, or there is none.
  std::string refusal() {
    error_code error;
    const tcp::endpoint reached = beast::get_lowest_layer(stream_).socket().local_endpoint(error);
    if (error) return error.message();
    return server().pages.refusal(header(http::field::origin), header(http::field::host), reached.address().to_string(),
                                  reached.port());
  }
  void forbid(const std::string& why) {
    answer_ = http_answer("403 Forbidden", why);
    asio::async_write(stream_.next_layer(), asio::buffer(answer_),
                      [self = self(), why](error_code, std::size_t) { self->refuse("refused: " + why); });
  }
  // Before it is a WebSocket there is nothing to say goodbye with.
  void refuse(const std::string& why) {
    close_now();
    end(why);
  }
  void write_line(const std::string& text, std::size_t begin) {
    const std::size_t end = text.find('\n', begin);
    stream_.async_write(asio::buffer(text.data() + begin, end - begin),
                        [self = self(), &text, end](error_code error, std::size_t) {
                          if (error || end + 1 >= text.size()) return self->written(error);
                          self->write_line(text, end + 1);
                        });
  }

  Stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> request_;
  std::string answer_;  // to a request that is refused
};

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
    // Lines begin with a brace, HTTP requests with GET.
    if (first_ && inbox_.front() == 'G') {
      const auto websocket = std::make_shared<WebSocketPeer>(server(), std::move(socket_), name());
      return websocket->start(inbox_);
    }
    first_ = false;
    // No line break before, however slowly a line comes.
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end = scanned_; (end = inbox_.find('\n', end)) != std::string::npos; begin = ++end) {
      if (end - begin > remote::kMaxHostLine) return too_long();
      lines.push_back(inbox_.substr(begin, end - begin));
    }
    inbox_.erase(0, begin);
    scanned_ = inbox_.size();
    if (inbox_.size() > remote::kMaxHostLine) return too_long();
    lines.empty() ? read() : take(std::move(lines));
  }

  void too_long() { end(fmt::format("a line of more than {} KiB", remote::kMaxHostLine >> 10)); }

  Socket socket_;
  std::array<char, std::size_t{16} << 10> buffer_;
  std::string inbox_;
  std::size_t scanned_ = 0;
  bool first_ = true;
};

// Somebody for whom there is no place: is told so, in the way in which it has begun to speak.
class Turned final : public std::enable_shared_from_this<Turned> {
 public:
  explicit Turned(Socket socket) : socket_(std::move(socket)), timer_(socket_.get_executor()) {}

  void start() {
    timer_.expires_after(seconds(kTurnAway));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->answered_ ? self->close() : self->answer(false);
    });
    socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code error, std::size_t count) {
      if (error) return self->close();
      self->answer(count > 0 && self->buffer_[0] == 'G');
    });
  }

 private:
  void answer(bool web) {
    if (std::exchange(answered_, true)) return;
    const std::string why = "too many connections; try later";
    if (web)
      text_ = http_answer("503 Service Unavailable", why);
    else
      remote::write_bye(why, text_);
    asio::async_write(socket_, asio::buffer(text_), [self = shared_from_this()](error_code error, std::size_t) {
      error_code ignored;
      self->socket_.shutdown(tcp::socket::shutdown_send, ignored);
      if (error) return self->close();
      self->drain();
    });
    timer_.expires_after(seconds(kTurnAway));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
  }
  // A socket that is closed with input unread takes back what was written.
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
  asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Strand> timer_;
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
