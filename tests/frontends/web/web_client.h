#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dealer::test {

// The other end of a web server.
struct HttpAnswer {
  int status = 0;
  std::string head, body;
};
// Sends the request unchanged and reads until the server closes; status 0: no answer.
HttpAnswer http_raw(std::uint16_t port, const std::string& request);
HttpAnswer http_get(std::uint16_t port, const std::string& target, const std::string& headers = "");
HttpAnswer http_post(std::uint16_t port, const std::string& target, const std::string& body,
                     const std::string& headers = "");

// A WebSocket; throws after waiting some seconds for an answer.
class WebSocketClient {
 public:
  // Throws if the server refuses.
  WebSocketClient(std::uint16_t port, const std::string& target, const std::string& origin = "");
  ~WebSocketClient();
  WebSocketClient(WebSocketClient&&) noexcept;

  void send(std::string_view text);
  void send(const nlohmann::json& message) { send(std::string_view(message.dump())); }
  // The next message; null: the server has closed.
  nlohmann::json receive();
  // The next message of a type; `passed` keeps the earlier ones.
  nlohmann::json receive(const std::string& type);
  std::vector<nlohmann::json> passed;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dealer::test
