#include "cli/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <string_view>

#include "cli/terminal_signals.h"
#include "frontends/terminal/commands.h"

namespace dealer::cli {
namespace {

constexpr int kRemembered = 200;  // lines

// Control characters bound by libedit in emacs mode, for the keys of a terminal.
struct Key {
  std::string_view sequence;
  char control;
};
constexpr std::array<Key, 13> kKeys = {{{"[A", 'P'},
                                        {"[B", 'N'},
                                        {"[C", 'F'},
                                        {"[D", 'B'},
                                        {"[H", 'A'},
                                        {"[F", 'E'},
                                        {"[1~", 'A'},
                                        {"[7~", 'A'},
                                        {"[4~", 'E'},
                                        {"[8~", 'E'},
                                        {"[3~", '_'},
                                        {"[5~", 'P'},
                                        {"[6~", 'N'}}};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

bool begins(std::string_view word, std::string_view start) {
  return word.size() >= start.size() && std::equal(start.begin(), start.end(), word.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

// The shell gets the terminal in its original state before the program stops or ends. After that the line is redrawn.
void obey(EditLine* edit, int signal) {
  if (signal != SIGWINCH && signal != SIGCONT) {
    el_set(edit, EL_PREP_TERM, 0);
    TerminalSignals::let_happen(signal);
  }
  el_set(edit, EL_PREP_TERM, 1);
  el_resize(edit);
  if (signal != SIGCONT) return;
  std::fputs("\r", stdout);
  el_set(edit, EL_REFRESH);
}

// A byte from standard input, whatever it refers to by now; nothing at its end.
std::optional<char> read_byte(EditLine* edit) {
  for (;;) {
    while (const int signal = TerminalSignals::wait_for_input()) obey(edit, signal);
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    return byte;
  }
}

// The rest of a key's escape sequence, which arrives at once: the equivalent control character, 0 for a key without
// effect here.
char read_key(EditLine* edit) {
  constexpr int kAtOnce = 50;  // ms
  std::string sequence;
  for (;;) {
    pollfd more{STDIN_FILENO, POLLIN, 0};
    if (::poll(&more, 1, kAtOnce) != 1) break;
    const std::optional<char> byte = read_byte(edit);
    if (!byte) break;
    if (*byte >= 0 && *byte < ' ') return *byte;  // a separate key, typed as fast
    sequence += *byte;
    const bool begun = sequence.size() == 1 && (*byte == '[' || *byte == 'O');
    if (!begun && *byte >= '@' && *byte <= '~') break;
  }
  if (sequence.starts_with('O')) sequence[0] = '[';
  for (const Key& key : kKeys)
    if (key.sequence == sequence) return static_cast<char>(key.control & 0x1f);
  return 0;
}

// Reads a character for libedit: 1, or 0 at the end of the input.
int read_character(EditLine* edit, wchar_t* out) {
  std::mbstate_t state{};
  for (;;) {
    const std::optional<char> byte = read_byte(edit);
    if (!byte) return 0;
    if (*byte == '\x1b') {
      *out = static_cast<unsigned char>(read_key(edit));
      if (*out == 0) continue;
      return 1;
    }
    const std::size_t used = std::mbrtowc(out, &*byte, 1, &state);
    if (used == static_cast<std::size_t>(-2)) continue;  // more bytes belong to it
    if (used == static_cast<std::size_t>(-1)) {
      state = {};
      *out = L'?';
    }
    return 1;
  }
}

}  // namespace

struct LineEditor::Editor {
  Editor()
      : terminal(::fdopen(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "r")),
        history(history_init()),
        edit(el_init("dealer", terminal.get(), stdout, stderr)) {
    HistEvent event{};
    ::history(history, &event, H_SETSIZE, kRemembered);
    ::history(history, &event, H_SETUNIQUE, 1);
    el_set(edit, EL_CLIENTDATA, this);
    el_set(edit, EL_PROMPT, &prompt_of);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_HIST, &::history, history);
    el_set(edit, EL_ADDFN, "dealer-complete", "Completes the first word", &complete);
    el_set(edit, EL_BIND, "^I", "dealer-complete", nullptr);
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // Quoted text would be echoed literally.
    el_set(edit, EL_BIND, "^V", "ed-ignore", nullptr);
    // libedit's own would be echoed.
    el_set(edit, EL_ADDFN, "dealer-delete-or-end", "Deletes the next character, ends the input on an empty line",
           &delete_or_end);
    el_set(edit, EL_BIND, "^D", "dealer-delete-or-end", nullptr);
    // Not ^D, which ends the input on an empty line.
    el_set(edit, EL_BIND, "^_", "ed-delete-next-char", nullptr);
    el_wset(edit, EL_GETCFN, &read_character);
  }
  ~Editor() {
    el_end(edit);
    history_end(history);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  static Editor& of(EditLine* edit) {
    void* self = nullptr;
    el_get(edit, EL_CLIENTDATA, &self);
    return *static_cast<Editor*>(self);
  }
  static char* prompt_of(EditLine* edit) { return of(edit).prompt.data(); }

  static unsigned char delete_or_end(EditLine* edit, int) {
    const LineInfo* const line = el_line(edit);
    if (line->lastchar == line->buffer) return CC_EOF;
    if (line->cursor == line->lastchar) return CC_ERROR;
    el_cursor(edit, 1);
    el_deletestr(edit, 1);
    return CC_REFRESH;
  }

  // Completes the first word as far as all candidates agree; if that adds nothing, lists them.
  static unsigned char complete(EditLine* edit, int) {
    const Editor& self = of(edit);
    const LineInfo* const line = el_line(edit);
    const std::string_view typed(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
    if (line->cursor != line->lastchar) return CC_ERROR;
    std::vector<std::string> fitting;
    for (const std::string& word : self.words)
      if (begins(word, typed)) fitting.push_back(word);
    if (fitting.empty()) return CC_ERROR;
    std::string common = fitting.front();
    for (const std::string& word : fitting) {
      const auto differs = std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first;
      common.erase(differs, common.end());
    }
    std::string more = common.substr(std::min(typed.size(), common.size()));
    if (fitting.size() == 1) more += ' ';
    if (!more.empty()) return el_insertstr(edit, more.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
    std::string list = "\n";
    for (const std::string& word : fitting) list += word + "  ";
    std::fputs((list + '\n').c_str(), stdout);
    return CC_REDISPLAY;
  }

  // A separate descriptor: standard input may be replaced by a non-terminal, and the settings must still be restored.
  File terminal;
  History* history;
  EditLine* edit;
  std::string prompt;
  std::vector<std::string> words;
};

bool LineEditor::possible() {
  const char* const kind = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && kind != nullptr &&
         std::string_view(kind) != "dumb" && *kind != '\0';
}

LineEditor::LineEditor() {
  std::setlocale(LC_CTYPE, "");  // character encoding
  editor_ = std::make_unique<Editor>();
}
LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read(const std::string& prompt, const std::vector<std::string>& words) {
  editor_->prompt = prompt;
  editor_->words = words;
  const TerminalSignals signals;
  // The width may have changed between lines.
  el_resize(editor_->edit);
  int length = 0;
  const char* const line = el_gets(editor_->edit, &length);
  if (line == nullptr || length <= 0) return std::nullopt;
  std::string text = terminal::clean_line(std::string(line, static_cast<std::size_t>(length)));
  HistEvent event{};
  if (!text.empty()) ::history(editor_->history, &event, H_ENTER, text.c_str());
  return text;
}

}  // namespace dealer::cli
