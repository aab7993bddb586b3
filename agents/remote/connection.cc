#include "agents/remote/connection.h"

#include <fmt/format.h>

#include "agents/agent_error.h"

namespace dealer::remote {
namespace {

constexpr int kMostUnasked = 100;

}  // namespace

Connection::Connection(std::unique_ptr<Link> link, const Game& game, const RemoteOptions& options, Remarks& remarks)
    : link_(std::move(link)), remarks_(remarks) {
  write_hello(game, outbox_);
  send();
  const std::optional<std::string_view> line = link_->next_line(after(options.link.start));
  if (!line)
    throw AgentError(FailureKind::kLate, fmt::format("silent: no hello from it in {} seconds", options.link.start));
  try {
    bot_ = read_hello(*line);
  } catch (const AgentError& error) {
    write_error("malformed", error.what(), 0, outbox_);
    link_->send(outbox_);
    link_->close(false);
    throw;
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
    remarks_.add(left.substr(0, colon), left.substr(colon + 2));
  }
}

void Connection::send() {
  if (outbox_.empty()) return;
  link_->send(outbox_);
  outbox_.clear();
}

std::optional<Answer> Connection::next_answer(Clock::time_point deadline) {
  for (;;) {
    const std::optional<std::string_view> line = link_->next_line(deadline);
    if (!line) return std::nullopt;
    Answer answer = read_answer(*line);
    if (answer.is_answer && answer.id >= 1 && answer.id <= last_id_) return answer;
    if (answer.is_answer)
      complain("unasked", fmt::format("an answer to request {}, which nobody made", answer.id));
    else
      complain("banner", answer.problem);
  }
}

void Connection::complain(const std::string& kind, const std::string& what, std::uint64_t id) {
  remarks_.add(kind, what);
  write_error(kind, what, id, outbox_);
  if (++unasked_ > kMostUnasked)
    throw AgentError(FailureKind::kMalformed,
                     fmt::format("flood: more than {} lines that nobody asked for, the last: {}", kMostUnasked, what));
}

}  // namespace dealer::remote
