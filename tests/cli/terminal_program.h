#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tests/support/paths.h"

namespace dealer::test {

// The output on the screen of a terminal.
struct Screen {
  int status = -1;        // of the program; -1 when a signal ended it
  int signal = 0;         // that signal
  std::string text;       // with escape sequences, lines ending with \n
  std::size_t typed = 0;  // offset of the text after the last line typed
  bool sane = false;      // the terminal is restored: line mode with echo
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

// A terminal running a program; captures its output and how it ends.
class Terminal {
 public:
  Terminal(const std::string& program, const std::vector<std::string>& arguments, int columns,
           const std::vector<std::pair<std::string, std::string>>& environment) {
    winsize size = size_of(columns);
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) {
      for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);  // NOLINT
      std::vector<char*> argv = {const_cast<char*>(program.c_str())};
      for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      execv(program.c_str(), argv.data());
      _exit(127);
    }
    if (child_ < 0) throw std::system_error(errno, std::generic_category(), "no pseudoterminal (is /dev/pts mounted?)");
  }
  ~Terminal() {
    if (terminal_ >= 0) end();
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Waits until the output pauses and `waits` holds for the output since the last line typed, without escape sequences;
  // false when the program has ended, or after a minute.
  bool wait(const std::function<bool(const std::string&)>& waits) {
    int idle = 0;
    constexpr int kPause = 4, kMostIdle = 60'000 / kPause;  // milliseconds; a minute
    while (open_) {
      pollfd ready{terminal_, POLLIN, 0};
      if (poll(&ready, 1, kPause) > 0) {
        take();
        continue;
      }
      const std::string since = news();
      if (waits(since)) return true;
      if (++idle < kMostIdle) continue;
      ADD_FAILURE() << "it waits for something else:" << since;
      kill(child_, SIGKILL);
      open_ = false;
    }
    return false;
  }
  bool wait_for(const std::string& end) {
    return wait([&](const std::string& since) { return since.ends_with(end); });
  }

  std::string news() const { return plain(screen_.text.substr(screen_.typed)); }
  void type(const std::string& keys) {
    screen_.typed = screen_.text.size();
    open_ = open_ && write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size());
  }
  void resize(int columns) const {
    const winsize size = size_of(columns);
    EXPECT_EQ(ioctl(terminal_, TIOCSWINSZ, &size), 0);
  }
  void signal(int number) const { kill(child_, number); }
  // Exit status of the program, which has ended or ends when the terminal is closed.
  Screen end() {
    int status = 0;
    termios left{};
    if (open_) {
      close(terminal_);
      waitpid(child_, &status, 0);
    } else {
      waitpid(child_, &status, 0);
      screen_.sane = tcgetattr(terminal_, &left) == 0 && (left.c_lflag & ICANON) != 0 && (left.c_lflag & ECHO) != 0;
      close(terminal_);
    }
    terminal_ = -1;
    screen_.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    screen_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return screen_;
  }

 private:
  static winsize size_of(int columns) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 50;
    return size;
  }
  void take() {
    char buffer[4096];
    const ssize_t got = read(terminal_, buffer, sizeof(buffer));
    open_ = got > 0;
    for (ssize_t i = 0; i < got; ++i)
      if (buffer[i] != '\r') screen_.text += buffer[i];
  }

  int terminal_ = -1;
  pid_t child_ = -1;
  bool open_ = true;
  Screen screen_;
};

// True if the program waits for a line.
inline bool at_prompt(const std::string& news) {
  return news.ends_with("> ") || news.ends_with("? ") || news.ends_with("(y/n) ");
}

// Runs the built program in a terminal of that many columns. At every prompt, `type` is called for a line with the
// output since the last one, without escape sequences.
inline Screen run_in_terminal(const std::vector<std::string>& arguments, int columns,
                              const std::vector<std::pair<std::string, std::string>>& environment,
                              const std::function<std::string(const std::string&)>& type) {
  Terminal terminal(test::program(), arguments, columns, environment);
  while (terminal.wait(at_prompt)) terminal.type(type(terminal.news()) + '\n');
  return terminal.end();
}

}  // namespace dealer::test
