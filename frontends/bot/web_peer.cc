// Connections that begin with an HTTP request.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "frontends/bot/peer.h"

namespace dealer {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;

// Limit of the head of an HTTP request, cookies included.
constexpr std::uint32_t kMaxHead = 16 << 10;
constexpr double kSlowRead = 60;  // time limit in seconds for reading an answer
constexpr double kLinger = 1;     // seconds for the peer to close first

class WebPeer final : public Peer {
 public:
  using Stream = websocket::stream<beast::basic_stream<tcp, Strand>>;
  WebPeer(PeerContext& server, Socket socket, const std::string& name)
      : Peer(server, socket.get_executor(), name), stream_(std::move(socket)) {}

  void start(std::string_view begun) {
    Peer::start();
    const auto space = buffer_.prepare(begun.size());
    buffer_.commit(asio::buffer_copy(space, asio::buffer(begun.data(), begun.size())));
    request_.header_limit(kMaxHead);
    request_.body_limit(server().options.max_body);
    http::async_read_header(stream_.next_layer(), buffer_, request_, [self = self()](error_code error, std::size_t) {
      if (!self->readable(error)) return;
      self->head_arrived();
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
  // One message per line.
  void write(std::string& text) override { write_line(text, 0); }
  void close() override {
    if (!upgraded_) return close_now();
    stream_.async_close(websocket::close_code::normal, [self = self()](error_code) { self->close_now(); });
  }
  void close_now() override {
    error_code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

 private:
  std::shared_ptr<WebPeer> self() { return std::static_pointer_cast<WebPeer>(shared_from_this()); }

  // False if it is refused.
  bool readable(error_code error) {
    if (!error) return true;
    if (error == http::error::body_limit && server().handlers.answer)
      reply({413, "text/plain; charset=utf-8", "too large\n"}, "refused: a body that is too large");
    else
      refuse("no HTTP request: " + error.message());
    return false;
  }

  void head_arrived() {
    if (const std::string why = refusal(); !why.empty())
      return reply({403, "text/plain; charset=utf-8", why + '\n'}, "refused: " + why);
    if (server().handlers.refuse)
      if (const std::optional<WebAnswer> refused = server().handlers.refuse(request()))
        return reply(*refused, fmt::format("refused: {}", refused->status));
    if (server().handlers.answer && !websocket::is_upgrade(request_.get())) return read_body();
    // The standard requires a WebSocket client to wait for the answer.
    if (buffer_.size() > 0 || !request_.is_done()) return refuse("bytes after the request");
    accept();
  }

  void read_body() {
    if (request_.is_done()) return answer();
    http::async_read(stream_.next_layer(), buffer_, request_, [self = self()](error_code error, std::size_t) {
      if (self->readable(error)) self->answer();
    });
  }

  void accept() {
    stream_.read_message_max(server().options.max_line);
    websocket::stream_base::timeout timeout{std::chrono::seconds(10), websocket::stream_base::none(), false};
    if (server().options.pings) {
      timeout.idle_timeout = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(server().options.idle_time));
      timeout.keep_alive_pings = true;
    }
    stream_.set_option(timeout);
    stream_.async_accept(request_.get(), [self = self()](error_code error) {
      if (error) return self->refuse("no WebSocket: " + error.message());
      self->upgraded_ = true;
      self->stream_.text(true);
      self->begin_session();
      self->read();
    });
  }

  // Runs in a worker: answers read files and call agents.
  void answer() {
    wait_no_more();
    asio::post(server().workers, [self = self()] {
      WebAnswer answer = self->server().handlers.answer(self->request());
      asio::post(self->strand(), [self, answer = std::move(answer)] { self->reply(answer, ""); });
    });
  }
  void reply(const WebAnswer& answer, const std::string& why) {
    if (ending()) return close_now();
    wait(kSlowRead, "does not read the answer");
    answer_ = http_text(answer, request_.get().method() == http::verb::head);
    asio::async_write(stream_.next_layer(), asio::buffer(answer_), [self = self(), why](error_code error, std::size_t) {
      error_code ignored;
      self->answer_.clear();
      beast::get_lowest_layer(self->stream_).socket().shutdown(tcp::socket::shutdown_send, ignored);
      if (error || self->ending()) return self->refuse(why);
      self->wait(kLinger, "");
      self->drain(why);
    });
  }
  // Closing a socket with unread input would discard the written output.
  void drain(const std::string& why) {
    stream_.next_layer().async_read_some(asio::buffer(drained_), [self = self(), why](error_code error, std::size_t) {
      error || self->ending() ? self->refuse(why) : self->drain(why);
    });
  }

  WebRequest request() const {
    const auto& head = request_.get();
    WebRequest request;
    request.method = std::string(head.method_string());
    request.target = std::string(head.target());
    request.socket = websocket::is_upgrade(head);
    request.authorization = header(http::field::authorization);
    request.accept_encoding = header(http::field::accept_encoding);
    request.body = head.body();
    return request;
  }
  // All values of a header joined, nothing if it is missing.
  std::optional<std::string> header(http::field field) const {
    std::optional<std::string> all;
    for (auto [at, end] = request_.get().equal_range(field); at != end; ++at) {
      const std::string value(at->value().data(), at->value().size());
      all = all ? *all + ", " + value : value;
    }
    return all;
  }
  // The reason why the web page behind the request may not connect; empty if it may, or if there is no page.
  std::string refusal() {
    error_code error;
    const tcp::endpoint reached = beast::get_lowest_layer(stream_).socket().local_endpoint(error);
    if (error) return error.message();
    const auto origin = header(http::field::origin), host = header(http::field::host);
    // Requests of a page to its own server have no origin.
    if (server().handlers.answer && !origin) return server().pages.host_refusal(host.value_or(""));
    return server().pages.refusal(origin, host, reached.address().to_string(), reached.port());
  }
  // Before the upgrade to a WebSocket there is no goodbye.
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
  http::request_parser<http::string_body> request_;
  bool upgraded_ = false;
  std::string answer_;  // for a plain HTTP request
  std::array<char, 4096> drained_;
};

}  // namespace

void start_web_peer(PeerContext& server, Socket socket, const std::string& name, std::string_view begun) {
  std::make_shared<WebPeer>(server, std::move(socket), name)->start(begun);
}

}  // namespace dealer
