#include "frontends/bot/bot_stdio.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "agents/remote/protocol.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "frontends/bot/bot_session.h"

namespace dealer {
namespace {

void send(int out, std::string& text) {
  const int error = write_all(out, text);
  if (error == EPIPE) throw ClosedPipe("the host has gone");
  if (error != 0) throw FileError(fmt::format("cannot write to the host: {}", std::strerror(error)));
  text.clear();
}

}  // namespace

void run_bot(const AgentFactoryPtr& agents, const GamePtr& game, int in, int out) {
  BotSession session(agents, game);
  std::string inbox, outbox;
  std::size_t scanned = 0;  // bytes already searched for a line break
  std::array<char, std::size_t{64} << 10> buffer;
  while (!session.over()) {
    const ssize_t count = ::read(in, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw FileError(fmt::format("cannot read from the host: {}", std::strerror(errno)));
    if (count == 0) return;
    inbox.append(buffer.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = scanned; (end = inbox.find('\n', end)) != std::string::npos; begin = ++end)
      session.take(std::string_view(inbox).substr(begin, end - begin), outbox);
    inbox.erase(0, begin);
    scanned = inbox.size();
    session.answer(outbox);
    send(out, outbox);
    if (inbox.size() > remote::kMaxHostLine)
      throw Error(fmt::format("the host sent a line of more than {} KiB", remote::kMaxHostLine >> 10));
  }
  if (!session.problem().empty()) throw Error("cannot understand the host: " + session.problem());
}

}  // namespace dealer
