#include "agents/remote/connection.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/agent_error.h"
#include "env/core/json_fields.h"

namespace dealer::remote {
namespace {

constexpr int kMostUnasked = 100;
constexpr std::string_view kHello = R"({"type":"hello","protocol":1,"name":"my bot"})";

}  // namespace

Connection::Connection(std::unique_ptr<Link> link, const Game& game, const RemoteOptions& options, Warnings& warnings)
    : link_(std::move(link)), warnings_(warnings), after_banner_(options.after_banner) {
  write_hello(game, outbox_);
  send();
  try {
    bot_ = greeted(options);
  } catch (const AgentError& error) {
    lost_ = true;
    if (error.kind() == FailureKind::kMalformed) write_error("malformed", error.what(), 0, outbox_);
    try {
      link_->send(outbox_);
      link_->close(false);
    } catch (const AgentError&) {
      // The connection is gone; the first error counts.
    }
    throw;
  }
}

// Programs may print a banner before the hello; a full server says goodbye.
BotHello Connection::greeted(const RemoteOptions& options) {
  const Clock::time_point deadline = after(options.link.start);
  std::string before;
  const auto said = [&] { return before.empty() ? before : "; it said " + before; };
  for (;;) {
    const Clock::time_point patience = before.empty() || after_banner_ == 0 ? deadline : after(after_banner_);
    std::optional<std::string_view> line;
    try {
      line = link_->next_line(std::min(deadline, patience));
    } catch (const AgentError& error) {
      throw AgentError(error.kind(), error.what() + said());
    }
    if (!line && !before.empty() && after_banner_ > 0)
      throw AgentError(FailureKind::kMalformed,
                       fmt::format("{} is not a hello; expected a line as {}", before, kHello));
    if (!line)
      throw AgentError(FailureKind::kLate,
                       fmt::format("silent: no hello from it in {} seconds{}", options.link.start, said()));
    const std::string type = type_of(*line);
    if (type == "hello") return read_hello(*line);
    if (type == "bye")
      throw AgentError(FailureKind::kDisconnected, fmt::format("it said goodbye at once: {}", read_bye(*line)));
    if (type == "error") {
      before = read_error(*line);
      continue;
    }
    before = quote_line(*line);
    complain("banner", before + " before its hello");
  }
}

Connection::~Connection() {
  try {
    if (!lost_) write_bye("the match is over", outbox_);
    send();
  } catch (const AgentError&) {
    lost_ = true;
  }
  if (const std::string left = link_->close(!lost_); !left.empty()) {
    const std::size_t colon = left.find(": ");
    warnings_.add(left.substr(0, colon), left.substr(colon + 2));
  }
}

void Connection::send() {
  if (outbox_.empty()) return;
  link_->send(outbox_);
  outbox_.clear();
}

std::optional<Answer> Connection::next_answer(Clock::time_point deadline) {
  for (;;) {
    const bool impatient = after_banner_ > 0 && !has_answered_ && !banner_.empty();
    std::optional<std::string_view> line;
    try {
      line = link_->next_line(impatient ? std::min(deadline, after(after_banner_)) : deadline);
    } catch (const AgentError& error) {
      if (error_.empty()) throw;
      throw AgentError(error.kind(), fmt::format("{}; it said {}", error.what(), error_));
    }
    if (!line) return std::nullopt;
    Answer answer = read_answer(*line);
    if (!answer.is_answer && type_of(*line) == "error") error_ = read_error(*line);
    if (!answer.is_answer && type_of(*line) == "bye")
      throw AgentError(FailureKind::kDisconnected, fmt::format("it said goodbye: {}", read_bye(*line)));
    if (answer.attempted || (answer.is_answer && answer.id >= 1 && answer.id <= last_id_)) return answer;
    if (!answer.is_answer) banner_ = answer.problem;
    if (answer.is_answer)
      complain("unasked", fmt::format("an answer to request {}, which was never sent", answer.id));
    else
      complain("banner", answer.problem);
  }
}

AgentError Connection::expire(std::uint64_t id, double seconds) {
  expired_.insert(id);
  if (has_answered_ || banner_.empty()) return {FailureKind::kLate, fmt::format("no answer in {} seconds", seconds)};
  return {FailureKind::kMalformed, fmt::format("no answer, but {}", banner_)};
}

void Connection::complain_of(const Answer& answer) {
  if (expired_.erase(answer.id) > 0)
    complain("overdue", fmt::format("an answer to request {}, which has expired", answer.id), answer.id);
  else
    complain("unasked", fmt::format("a second answer to request {}", answer.id), answer.id);
}

void Connection::complain(const std::string& kind, const std::string& what, std::uint64_t id) {
  warnings_.add(kind, what);
  write_error(kind, what, id, outbox_);
  if (++unasked_ > kMostUnasked)
    throw AgentError(FailureKind::kMalformed,
                     fmt::format("flood: more than {} unsolicited lines, the last: {}", kMostUnasked, what));
}

}  // namespace dealer::remote
