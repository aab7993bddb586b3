#include "cli/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <string_view>

namespace dealer::cli {
namespace {

constexpr int kRemembered = 200;  // lines

// What keys send that libedit would take for text.
struct Key {
  const char* sequence;
  const char* command;
};
constexpr std::array<Key, 26> kKeys = {
    {{"\\e[1~", "ed-move-to-beg"},  {"\\e[7~", "ed-move-to-beg"},      {"\\e[4~", "ed-move-to-end"},
     {"\\e[8~", "ed-move-to-end"},  {"\\e[3~", "ed-delete-next-char"}, {"\\e[2~", "ed-ignore"},
     {"\\e[5~", "ed-prev-history"}, {"\\e[6~", "ed-next-history"},     {"\\e[1;5C", "em-next-word"},
     {"\\e[1;5D", "ed-prev-word"},  {"\\e[1;5A", "ed-ignore"},         {"\\e[1;5B", "ed-ignore"},
     {"\\e[1;2C", "ed-ignore"},     {"\\e[1;2D", "ed-ignore"},         {"\\e[11~", "ed-ignore"},
     {"\\e[12~", "ed-ignore"},      {"\\e[13~", "ed-ignore"},          {"\\e[14~", "ed-ignore"},
     {"\\e[15~", "ed-ignore"},      {"\\e[17~", "ed-ignore"},          {"\\e[18~", "ed-ignore"},
     {"\\e[19~", "ed-ignore"},      {"\\e[20~", "ed-ignore"},          {"\\e[21~", "ed-ignore"},
     {"\\e[23~", "ed-ignore"},      {"\\e[24~", "ed-ignore"}}};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string trimmed(std::string_view text) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto* const end = std::find_if_not(text.rbegin(), text.rend(), blank).base();
  return {std::find_if_not(text.begin(), end, blank), end};
}

bool begins(std::string_view word, std::string_view start) {
  return word.size() >= start.size() && std::equal(start.begin(), start.end(), word.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         });
}

// A character from standard input, whatever that is by now: 1, or 0 at its end.
int read_character(EditLine*, wchar_t* out) {
  std::mbstate_t state{};
  for (;;) {
    char byte = 0;
    const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    const std::size_t used = std::mbrtowc(out, &byte, 1, &state);
    if (used == static_cast<std::size_t>(-2)) continue;  // more bytes belong to it
    if (used == static_cast<std::size_t>(-1)) {
      state = {};
      *out = static_cast<unsigned char>(byte) < 0x80 ? static_cast<unsigned char>(byte) : L'?';
    }
    if (byte == 0) *out = 0;
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
    el_set(edit, EL_SIGNAL, 1);
    el_set(edit, EL_HIST, &::history, history);
    el_set(edit, EL_ADDFN, "dealer-complete", "Completes the first word", &complete);
    el_set(edit, EL_BIND, "^I", "dealer-complete", nullptr);
    el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    for (const Key& key : kKeys) el_set(edit, EL_BIND, key.sequence, key.command, nullptr);
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

  // The first word of the line as far as all words that begin so agree; where that adds nothing they are listed.
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

  // Of its own: standard input may be replaced by something that is no terminal, which must be put right again.
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
  std::setlocale(LC_CTYPE, "");  // what a character is
  editor_ = std::make_unique<Editor>();
}
LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read(const std::string& prompt, const std::vector<std::string>& words) {
  editor_->prompt = prompt;
  editor_->words = words;
  int length = 0;
  const char* const line = el_gets(editor_->edit, &length);
  if (line == nullptr || length <= 0) return std::nullopt;
  std::string text = trimmed(std::string_view(line, static_cast<std::size_t>(length)));
  HistEvent event{};
  if (!text.empty()) ::history(editor_->history, &event, H_ENTER, text.c_str());
  return text;
}

}  // namespace dealer::cli
