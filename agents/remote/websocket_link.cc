#include <fmt/format.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <optional>
#include <string>

#include "agents/agent_error.h"
#include "agents/remote/link.h"
#include "agents/remote/protocol.h"
#include "env/core/json_fields.h"

namespace dealer::remote {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

constexpr std::chrono::milliseconds kCloseWait{500};

// One message per line. All I/O happens inside the calls; there is no background thread.
class WebSocketLink final : public Link {
 public:
  WebSocketLink(const Address& address, const LinkLimits& limits)
      : who_("ws:" + host_and_port(address.host, address.port)), socket_(io_) {
    const auto wait = std::chrono::milliseconds(static_cast<std::int64_t>(limits.start * 1000));
    start_ = Clock::now();
    asio::ip::tcp::resolver resolver(io_);
    error_code error;
    const auto found = resolver.resolve(address.host, address.port, error);
    if (error) disconnected("cannot connect: " + error.message());
    beast::tcp_stream& tcp = beast::get_lowest_layer(socket_);
    tcp.expires_after(wait);
    finish([&](auto done) {
      tcp.async_connect(found, [done](error_code result, const auto& /*endpoint*/) { done(result); });
    });
    tcp.expires_never();
    tcp.socket().set_option(asio::ip::tcp::no_delay(true));
    socket_.set_option(websocket::stream_base::timeout{wait, websocket::stream_base::none(), false});
    socket_.read_message_max(kMaxBotLine);
    finish([&](auto done) {
      socket_.async_handshake(response_, host_and_port(address.host, address.port), address.path, done);
    });
    socket_.text(true);
  }

  void send(std::string_view lines) override {
    while (!lines.empty()) {
      const std::size_t end = lines.find('\n');
      waiting_ += end;
      if (waiting_ > kMaxOutbox) disconnected("it does not read its messages");
      outbox_.emplace_back(lines.substr(0, end));
      lines.remove_prefix(end + 1);
    }
    if (!writing_) write();
    io_.poll();
    io_.restart();
  }

  std::optional<std::string_view> next_line(Clock::time_point deadline) override {
    for (;;) {
      if (arrived_) {
        arrived_ = false;
        return line_;
      }
      if (too_long_)
        throw AgentError(FailureKind::kMalformed,
                         fmt::format("{}: a message of more than {} KiB", who_, kMaxBotLine >> 10));
      if (ended_) disconnected("it closed the connection");
      if (Clock::now() >= deadline) return std::nullopt;
      // One message at a time: further messages wait in the socket.
      if (!reading_) read();
      io_.run_one_until(deadline);
      io_.restart();
    }
  }

  std::string close(bool patiently) override {
    const Clock::time_point deadline = Clock::now() + kCloseWait;
    while (patiently && writing_ && !ended_ && Clock::now() < deadline) {
      io_.run_one_until(deadline);
      io_.restart();
    }
    if (patiently && !ended_ && !writing_) {
      // The default timeout would be that of the handshake.
      socket_.set_option(websocket::stream_base::timeout{kCloseWait, websocket::stream_base::none(), false});
      bool closed = false;
      socket_.async_close(websocket::close_code::normal, [&closed](error_code) { closed = true; });
      while (!closed && Clock::now() < deadline) {
        io_.run_one_until(deadline);
        io_.restart();
      }
      hang_up();
      // The handler refers to local variables.
      while (!closed) {
        io_.run_one_for(kCloseWait);
        io_.restart();
      }
    }
    hang_up();
    return {};
  }

  ~WebSocketLink() override { hang_up(); }

 private:
  void hang_up() {
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }
  [[noreturn]] void disconnected(const std::string& what) const {
    throw AgentError(FailureKind::kDisconnected, fmt::format("{}: {}", who_, what));
  }

  // Starts an operation and runs until it is done; the operation's own time limit ends it.
  template <class Start>
  void finish(const Start& start) {
    std::optional<error_code> result;
    start([&result](error_code error) { result = error; });
    while (!result) {
      io_.run_one();
      io_.restart();
    }
    if (!*result) return;
    // A server that is full, or rejects the connection, gives the reason in the body.
    const std::string& why = response_.body();
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    disconnected(fmt::format("cannot connect: {} after {:.1f} seconds",
                             *result != websocket::error::upgrade_declined
                                 ? result->message()
                                 : fmt::format("status {}, {}", response_.result_int(),
                                               quote_line(std::string_view(why).substr(0, why.find('\n')))),
                             seconds));
  }

  void read() {
    reading_ = true;
    socket_.async_read(buffer_, [this](error_code error, std::size_t) {
      reading_ = false;
      if (error) {
        too_long_ = error == websocket::error::message_too_big;
        ended_ = true;
        return;
      }
      // A message may end with a line break, as lines do elsewhere.
      line_ = beast::buffers_to_string(buffer_.data());
      while (line_.ends_with('\n') || line_.ends_with('\r')) line_.pop_back();
      arrived_ = true;
      buffer_.consume(buffer_.size());
    });
  }

  void write() {
    if (outbox_.empty()) return;
    writing_ = true;
    socket_.async_write(asio::buffer(outbox_.front()), [this](error_code error, std::size_t) {
      writing_ = false;
      if (error) return;
      waiting_ -= outbox_.front().size();
      outbox_.pop_front();
      write();
    });
  }

  std::string who_;
  asio::io_context io_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_;
  websocket::response_type response_;  // to the handshake
  Clock::time_point start_;
  std::deque<std::string> outbox_;
  std::string line_;
  std::size_t waiting_ = 0;  // bytes in the outbox
  bool arrived_ = false, reading_ = false, writing_ = false, ended_ = false, too_long_ = false;
};

}  // namespace

std::unique_ptr<Link> connect_websocket(std::string_view text, const LinkLimits& limits) {
  return std::make_unique<WebSocketLink>(parse_address(text, true), limits);
}

}  // namespace dealer::remote
