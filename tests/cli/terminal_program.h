#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dealer::test {

// What stood on the screen of a terminal.
struct Screen {
  int status = -1;        // of the program; -1 when a signal ended it
  std::string text;       // with escape sequences, lines ending with \n
  std::size_t typed = 0;  // where the text after the last line typed begins
  bool sane = false;      // the terminal is left as a shell wants it: lines, echoed
};

// Without escape sequences, suits as letters.
inline std::string plain(const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i + 1 < text.size() && !((text[i] >= 'A' && text[i] <= 'Z') || (text[i] >= 'a' && text[i] <= 'z'))) ++i;
      continue;
    }
    all += text[i];
  }
  for (const auto& [symbol, letter] :
       {std::pair("\u2660", 's'), std::pair("\u2665", 'h'), std::pair("\u2666", 'd'), std::pair("\u2663", 'c')})
    for (std::size_t at = all.find(symbol); at != std::string::npos; at = all.find(symbol))
      all.replace(at, std::string(symbol).size(), 1, letter);
  return all;
}

// Runs the built program in a terminal of so many columns. Whenever it waits for a line, `type` is asked for one; it is
// given what the program has written since the last, without escape sequences.
inline Screen run_in_terminal(const std::vector<std::string>& arguments, int columns,
                              const std::vector<std::pair<std::string, std::string>>& environment,
                              const std::function<std::string(const std::string&)>& type) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 50;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);  // NOLINT
    std::vector<char*> argv = {const_cast<char*>("dealer")};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(DEALER_PROGRAM, argv.data());
    _exit(127);
  }
  EXPECT_GT(child, 0);
  Screen screen;
  bool open = true;
  int idle = 0;
  constexpr int kMostIdle = 3000;  // a minute
  while (open) {
    pollfd ready{terminal, POLLIN, 0};
    const int news = poll(&ready, 1, 20);
    if (news > 0) {
      char buffer[4096];
      const ssize_t got = read(terminal, buffer, sizeof(buffer));
      open = got > 0;
      for (ssize_t i = 0; i < got; ++i)
        if (buffer[i] != '\r') screen.text += buffer[i];
      continue;
    }
    const std::string since = plain(screen.text.substr(screen.typed));
    if (!since.ends_with("> ") && !since.ends_with("? ") && !since.ends_with("(y/n) ")) {
      if (++idle < kMostIdle) continue;
      ADD_FAILURE() << "it waits for something else:" << since;
      kill(child, SIGKILL);
      break;
    }
    idle = 0;
    const std::string line = type(since) + '\n';
    screen.typed = screen.text.size();
    open = write(terminal, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  }
  int status = 0;
  waitpid(child, &status, 0);
  termios left{};
  screen.sane = tcgetattr(terminal, &left) == 0 && (left.c_lflag & ICANON) != 0 && (left.c_lflag & ECHO) != 0;
  close(terminal);
  screen.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return screen;
}

}  // namespace dealer::test
