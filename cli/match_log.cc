#include "cli/match_log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "env/core/error.h"
#include "frontends/phh/history.h"

namespace dealer::cli {

MatchLog::MatchLog(std::string file, const MatchOptions& match) : file_(std::move(file)), game_(match.game) {
  for (const AgentFactoryPtr& agent : match.agents) agents_.push_back(agent->spec());
  out_ = std::fopen(file_.c_str(), "w");
  if (out_ == nullptr) fail();
}

MatchLog::~MatchLog() {
  if (out_ != nullptr) std::fclose(out_);
}

void MatchLog::fail() const {
  const int error = errno;
  const std::string message = fmt::format("cannot write {}: {}", file_, std::strerror(error));
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

std::string MatchLog::describe(const PlayedHand& hand) const {
  std::vector<std::string> players;
  for (const int agent : hand.agent_of_seat) players.push_back(agents_[static_cast<std::size_t>(agent)]);
  phh::HandPlayed played{hand.seed, hand.hand, hand.events, {}, hand.points};
  for (const PlayedDecision& taken : hand.decisions) played.moves.emplace_back(taken.seat, taken.text);
  phh::HandHistory history = phh::history_of(*game_, played, players);
  history.heading = fmt::format("{}-{}-{}", hand.deal, hand.seating, hand.hand);
  return phh::to_string(history) + '\n';
}

void MatchLog::write(std::string_view text) {
  // Whole hands, or nothing of them.
  const off_t begin = ::ftello(out_);
  if (std::fwrite(text.data(), 1, text.size(), out_) == text.size() && std::fflush(out_) == 0) return;
  const int error = errno;
  if (begin >= 0 && ::ftruncate(::fileno(out_), begin) == 0) std::clearerr(out_);
  errno = error;
  fail();
}

void MatchLog::close() {
  std::FILE* out = out_;
  out_ = nullptr;
  if (std::fclose(out) != 0) fail();
}

}  // namespace dealer::cli
