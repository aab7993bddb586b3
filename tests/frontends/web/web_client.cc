#include "tests/frontends/web/web_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>

namespace dealer::test {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kPatience{20};

tcp::endpoint loopback(std::uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }

}  // namespace

HttpAnswer http_raw(std::uint16_t port, const std::string& request) {
  asio::io_context io;
  tcp::socket socket(io);
  error_code error;
  socket.connect(loopback(port), error);
  if (!error) asio::write(socket, asio::buffer(request), error);
  std::string text;
  error_code end;
  asio::read(socket, asio::dynamic_buffer(text), end);
  HttpAnswer answer;
  const std::size_t split = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || split == text.npos) return answer;
  answer.status = std::stoi(text.substr(9, 3));
  answer.head = text.substr(0, split);
  answer.body = text.substr(split + 4);
  return answer;
}

HttpAnswer http_get(std::uint16_t port, const std::string& target, const std::string& headers) {
  return http_raw(port,
                  "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + headers + "\r\n");
}

HttpAnswer http_post(std::uint16_t port, const std::string& target, const std::string& body,
                     const std::string& headers) {
  return http_raw(port, "POST " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                            "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
}

struct WebSocketClient::State {
  asio::io_context io;
  websocket::stream<beast::tcp_stream> stream{io};
  beast::flat_buffer buffer;

  // Runs pending operations until they are done.
  error_code finish(std::optional<error_code>& done) {
    io.restart();
    io.run_for(kPatience);
    if (!done) throw std::runtime_error("the server takes too long");
    return *done;
  }
};

WebSocketClient::WebSocketClient(std::uint16_t port, const std::string& target, const std::string& origin)
    : state_(std::make_unique<State>()) {
  beast::get_lowest_layer(state_->stream).connect(loopback(port));
  if (!origin.empty())
    state_->stream.set_option(websocket::stream_base::decorator(
        [origin](websocket::request_type& request) { request.set(beast::http::field::origin, origin); }));
  state_->stream.handshake("127.0.0.1:" + std::to_string(port), target);
  state_->stream.text(true);
}
WebSocketClient::~WebSocketClient() = default;
WebSocketClient::WebSocketClient(WebSocketClient&&) noexcept = default;

void WebSocketClient::send(std::string_view text) {
  error_code ignored;
  state_->stream.write(asio::buffer(text), ignored);
}

nlohmann::json WebSocketClient::receive() {
  std::optional<error_code> done;
  state_->stream.async_read(state_->buffer, [&](error_code error, std::size_t) { done = error; });
  if (state_->finish(done)) return nullptr;
  nlohmann::json message = nlohmann::json::parse(beast::buffers_to_string(state_->buffer.data()));
  state_->buffer.consume(state_->buffer.size());
  return message;
}

nlohmann::json WebSocketClient::receive(const std::string& type) {
  while (true) {
    nlohmann::json message = receive();
    if (message.is_null() || message["type"] == type) return message;
    passed.push_back(std::move(message));
  }
}

}  // namespace dealer::test
