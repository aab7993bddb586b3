#include "cli/match_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "env/core/error.h"

namespace dealer::cli {

MatchLog::MatchLog(std::string file, const MatchOptions& match) : file_(std::move(file)), game_(match.game) {
  for (const AgentFactoryPtr& agent : match.agents) agents_.push_back(agent->spec());
  out_ = std::fopen(file_.c_str(), "w");
  if (out_ == nullptr) fail();
}

MatchLog::~MatchLog() {
  if (out_ != nullptr) std::fclose(out_);
}

void MatchLog::fail() const { throw FileError(fmt::format("cannot write {}: {}", file_, std::strerror(errno))); }

phh::EpisodeLog& MatchLog::log_of_this_thread() {
  const std::lock_guard lock(mutex_);
  auto& log = logs_[std::this_thread::get_id()];
  if (!log) log = std::make_unique<phh::EpisodeLog>(game_);
  return *log;
}

std::string MatchLog::describe(const PlayedHand& hand) {
  std::vector<std::string> players;
  for (const int agent : hand.agent_of_seat) players.push_back(agents_[static_cast<std::size_t>(agent)]);
  std::string text;
  const auto histories = log_of_this_thread().write({hand.seed, hand.hand, hand.moves, hand.points}, players);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    phh::HandHistory history = histories[i];
    history.heading = fmt::format("{}-{}-{}", hand.deal, hand.seating, hand.hand);
    // Hands that ended without a decision come before the hand that is logged.
    if (i + 1 < histories.size()) history.heading += fmt::format("-{}", i);
    text += phh::to_string(history) + '\n';
  }
  return text;
}

void MatchLog::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) fail();
}

void MatchLog::close() {
  std::FILE* out = out_;
  out_ = nullptr;
  if (std::fclose(out) != 0) fail();
}

}  // namespace dealer::cli
