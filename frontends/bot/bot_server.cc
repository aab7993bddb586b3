#include "frontends/bot/bot_server.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "frontends/bot/bot_session.h"
#include "frontends/bot/web_origin.h"

namespace dealer {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using Strand = asio::strand<asio::io_context::executor_type>;
using Socket = asio::basic_stream_socket<tcp, Strand>;

// Of the HTTP request of a WebSocket, cookies and all.
constexpr std::uint32_t kMaxRequest = 16 << 10;
// Unread answers of a host behind which nothing more is read from it, until it reads or is taken to be gone.
constexpr std::size_t kSlow = std::size_t{1} << 20;

std::chrono::steady_clock::duration seconds(double number) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(number));
}

}  // namespace

class BotServer::Impl {
 public:
  Impl(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options, const BotServer& server)
      : agents_(std::move(agents)),
        game_(std::move(game)),
        options_(options),
        pages_(options.host, options.allowed_origins),
        server_(server),
        acceptor_(io_),
        pause_(io_) {
    error_code error;
    const auto address = asio::ip::make_address(options.host, error);
    if (error)
      throw UsageError(fmt::format("'{}' is no address to listen at; expected one as 127.0.0.1", options.host));
    const tcp::endpoint endpoint(address, options.port);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(4096, error);
    if (error) throw Error(fmt::format("cannot listen at {}:{}: {}", options.host, options.port, error.message()));
  }

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    accept();
    std::vector<std::thread> threads;
    for (int t = 1; t < options_.threads; ++t) threads.emplace_back([this] { io_.run(); });
    io_.run();
    for (std::thread& thread : threads) thread.join();
  }
  void stop() { io_.stop(); }

  const BotServerOptions& options() const { return options_; }
  const WebOriginPolicy& pages() const { return pages_; }
  std::unique_ptr<BotSession> new_session() const { return std::make_unique<BotSession>(agents_, game_); }
  void log(const std::string& line) const {
    if (server_.log) server_.log(line);
  }

  std::atomic<int> open{0};
  std::atomic<std::int64_t> refused{0};

 private:
  void accept();

  const AgentFactoryPtr agents_;
  const GamePtr game_;
  const BotServerOptions options_;
  const WebOriginPolicy pages_;
  const BotServer& server_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
};

namespace {

// A connection: the session, its answers on their way, its clocks. What carries the lines is derived from it. Lives as
// long as something of it is under way; everything runs on its strand.
class Peer : public std::enable_shared_from_this<Peer> {
 public:
  Peer(BotServer::Impl& server, const Strand& strand, std::string name)
      : server_(server), strand_(strand), timer_(strand), name_(std::move(name)), session_(server.new_session()) {
    ++server_.open;
  }
  virtual ~Peer() { --server_.open; }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const Strand& strand() const { return strand_; }
  // Once, on the strand.
  virtual void start() { wait(server_.options().hello_time, "no hello"); }

 protected:
  BotServer::Impl& server() { return server_; }
  const std::string& name() const { return name_; }
  virtual void read() = 0;
  virtual void write(std::string& text) = 0;  // then written()
  // With a goodbye where that takes no waiting for what is being written; close_now() comes later if need be.
  virtual void close() = 0;
  virtual void close_now() = 0;

  // Lines have been taken: answers them, and reads on.
  void answer() {
    session_->answer(outbox_);
    if (session_->greeted()) wait(server_.options().idle_time, "idle");
    if (!writing_) begin_writing();
    if (session_->over()) return end(session_->problem().empty() ? "goodbye" : session_->problem());
    if (outbox_.size() <= kSlow)
      read();
    else
      paused_ = true;
  }
  void take(std::string_view line) { session_->take(line, outbox_); }
  bool over() const { return session_->over(); }

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

  BotServer::Impl& server_;
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
  WebSocketPeer(BotServer::Impl& server, Socket socket, const std::string& name)
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
      const std::string line = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      self->take(line);
      self->answer();
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
    return server().pages().refusal(header(http::field::origin), header(http::field::host),
                                    reached.address().to_string(), reached.port());
  }
  void forbid(const std::string& why) {
    answer_ = fmt::format(
        "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
        "Content-Length: {}\r\n\r\n{}\n",
        why.size() + 1, why);
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
  TcpPeer(BotServer::Impl& server, Socket socket, const std::string& name)
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
    std::size_t begin = 0;
    for (std::size_t end = scanned_; !over() && (end = inbox_.find('\n', end)) != std::string::npos; begin = ++end)
      take(std::string_view(inbox_).substr(begin, end - begin));
    inbox_.erase(0, begin);
    scanned_ = inbox_.size();
    if (inbox_.size() > remote::kMaxHostLine)
      return end(fmt::format("a line of more than {} KiB", remote::kMaxHostLine >> 10));
    if (begin > 0)
      answer();
    else
      read();
  }

  Socket socket_;
  std::array<char, std::size_t{16} << 10> buffer_;
  std::string inbox_;
  std::size_t scanned_ = 0;
  bool first_ = true;
};

}  // namespace

void BotServer::Impl::accept() {
  acceptor_.async_accept(asio::make_strand(io_), [this](error_code error, Socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (!error && open >= options_.max_connections) {
      ++refused;
      std::string full;
      remote::write_bye("too many connections; try later", full);
      // What does not go at once does not go.
      socket.non_blocking(true, error);
      socket.write_some(asio::buffer(full), error);
      socket.close(error);
    } else if (!error) {
      const tcp::endpoint from = socket.remote_endpoint(error);
      socket.set_option(tcp::no_delay(true), error);
      if (!error) {
        const std::string name = fmt::format("{}:{}", from.address().to_string(), from.port());
        const auto peer = std::make_shared<TcpPeer>(*this, std::move(socket), name);
        asio::post(peer->strand(), [peer] { peer->start(); });
      }
    } else {
      // No descriptor is left: connections that end make room.
      pause_.expires_after(std::chrono::milliseconds(10));
      pause_.async_wait([this](error_code) { accept(); });
      return;
    }
    accept();
  });
}

BotServer::BotServer(AgentFactoryPtr agents, GamePtr game, const BotServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(agents), std::move(game), options, *this)) {}
BotServer::~BotServer() = default;
std::uint16_t BotServer::port() const { return impl_->port(); }
void BotServer::run() { impl_->run(); }
void BotServer::stop() { impl_->stop(); }
int BotServer::connections() const { return impl_->open; }
std::int64_t BotServer::refused() const { return impl_->refused; }

}  // namespace dealer
