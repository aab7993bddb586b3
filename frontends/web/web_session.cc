#include "frontends/web/web_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "agents/remote/protocol.h"

namespace dealer::web {
namespace {

// Messages that may come at once, in seconds of the rate; and those that may wait for the table.
constexpr double kBurst = 2;
constexpr int kMostWaiting = 16;
constexpr double kLookAgain = 0.05;  // seconds

}  // namespace

WebSession::~WebSession() {
  if (visitor_) visitor_->left();
}

void WebSession::take(std::string_view line, std::string& out) {
  free_at_ = std::max(free_at_, steady_seconds()) + 1 / rate_;
  nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
  if (!message.is_object()) {
    problem_ = remote::quote_line(line) + " is no JSON object";
    return remote::write_error("malformed", problem_, 0, out);
  }
  greeted_ = true;
  visitor_->take(std::move(message));
}

double WebSession::pause() const {
  if (visitor_->waiting() >= kMostWaiting) return kLookAgain;
  return std::max(0.0, free_at_ - steady_seconds() - kBurst);
}

}  // namespace dealer::web
