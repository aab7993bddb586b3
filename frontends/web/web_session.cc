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

// Lists and objects in each other. What is deeper is copied and written by functions that call themselves as often.
constexpr int kDeepest = 8;

bool too_deep(std::string_view line) {
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (text && c == '\\')
      ++i;
    else if (c == '"')
      text = !text;
    else if (!text && (c == '[' || c == '{') && ++depth > kDeepest)
      return true;
    else if (!text && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

}  // namespace

WebSession::~WebSession() {
  if (visitor_) visitor_->left();
}

void WebSession::take(std::string_view line, std::string& out) {
  free_at_ = std::max(free_at_, steady_seconds()) + 1 / rate_;
  nlohmann::json message = too_deep(line) ? nlohmann::json() : nlohmann::json::parse(line, nullptr, false);
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
