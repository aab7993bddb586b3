
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents/agent_registry.h"
#include "agents/tabular/solver.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::cli {
namespace {

struct Completion {
  std::string word;
  std::string what = {};  // in a line; may be empty
};

// A partly typed command line: its command, its options so far, and the meaning of the last word.
struct Line {
  const CLI::App* app;
  const CLI::Option* option = nullptr;  // the option whose value the last word is
  int positions = 0;                    // words before it that are positional arguments
  std::string game = "ofc";
};

const CLI::Option* find_option(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && option->check_name(word)) return option;
  return nullptr;
}

const CLI::Option* position(const CLI::App& app, int index) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    if (index < option->get_expected_max()) return option;
    index -= option->get_expected_max();
  }
  return nullptr;
}

Line read(const CLI::App& program, const std::vector<std::string>& words) {
  Line line{&program};
  int wanted = 0;  // values the option still needs
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "=" && wanted > 0) continue;  // bash splits --game=holdem into three words
    // The next option ends the values of an option that takes several.
    if (word.starts_with("--")) {
      wanted = 0;
      line.option = nullptr;
    }
    if (wanted > 0) {
      if (line.option->check_name("--game")) line.game = word;
      if (--wanted == 0) line.option = nullptr;
      continue;
    }
    if (word.starts_with('-')) {
      const CLI::Option* option = find_option(*line.app, word.substr(0, word.find('=')));
      if (option == nullptr || word.find('=') != std::string::npos) continue;
      wanted = std::max(0, option->get_items_expected_max());
      if (wanted > 0) line.option = option;
      continue;
    }
    const std::vector<const CLI::App*> commands = commands_of(*line.app);
    const auto command =
        std::find_if(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == word; });
    if (command == commands.end()) {
      const CLI::Option* place = position(*line.app, line.positions);
      if (place != nullptr && place->get_name(true) == "GAME") line.game = word;
      ++line.positions;
    } else {
      line.app = *command;
      line.positions = 0;
    }
  }
  return line;
}

std::vector<std::string> agents(const std::string& spec) {
  try {
    const GamePtr game = make_game(spec);
    std::vector<std::string> names = agent_names(*game);
    for (const auto& [name, kind] : agent_kinds()) {
      if (!kind.arguments || (kind.plays && !kind.plays(*game))) continue;
      for (const std::string& argument : kind.arguments(*game)) names.push_back(name + ':' + argument);
    }
    return names;
  } catch (const Error&) {
    return {};
  }
}

// Names that an option or position accepts, looked up on demand: files of the data, agents of a game.
std::vector<std::string> values(const CLI::App& program, const Line& line, const CLI::Option& option) {
  const std::string name = option.nonpositional() ? "--" + option.get_lnames().front() : option.get_name();
  if (name == "--game" || name == "GAME") return game_names();
  if (name == "--agent" || name == "--hint" || name == "AGENT") return agents(line.game);
  if (name == "--algorithm") return tabular::solver_names();
  if (name == "DECK") return config_names("configs/decks");
  if (name == "--ranking") return config_names("configs/rankings");
  if (name == "STUDY") return config_names("configs/studies");
  if (name == "CONFIG") return config_names("configs/train");
  if (name == "NAME") return benchmark_names();
  if (name == "COMMAND") return command_names(program);
  if (name == "SHELL") return {"bash", "zsh"};
  return {};
}

constexpr const char* kBash = R"(# bash completion for dealer: source <(dealer completion bash)
_dealer() {
  local line word last colon glue= done_already=
  local -a words=()
  COMPREPLY=()
  # bash takes rule:bold for three words, of which it replaces the last.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    colon=
    if [[ -n $word && -z ${word//:/} ]]; then colon=yes; fi
    if [[ -n $glue$colon && ${#words[@]} -gt 0 ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    glue=$colon
  done
  last=${words[${#words[@]}-1]}
  if [[ $COMP_WORDBREAKS == *:* && $last == *:* ]]; then done_already=${last%:*}:; fi
  while IFS= read -r line; do
    line=${line%%$'\t'*}
    COMPREPLY+=("${line#"$done_already"}")
  done < <("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -o bashdefault -F _dealer dealer
)";

constexpr const char* kZsh = R"(#compdef dealer
# zsh completion for dealer: source <(dealer completion zsh)
_dealer() {
  local line
  local -a found shown
  for line in "${(@f)$(${~words[1]} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    found+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  }")
  done
  if (( $#found )); then
    compadd -l -d shown -a found
  else
    _files
  fi
}
if [[ $funcstack[1] == _dealer ]]; then
  _dealer "$@"
else
  compdef _dealer dealer
fi
)";

}  // namespace

std::vector<Completion> complete(const CLI::App& program, const std::vector<std::string>& words) {
  const Line line = read(program, words);
  const std::string last = words.empty() || words.back() == "=" ? "" : words.back();
  std::vector<Completion> all;
  const auto add_values = [&](const CLI::Option* option) {
    if (option == nullptr) return;
    for (std::string& value : values(program, line, *option)) all.push_back({std::move(value)});
  };
  if (line.option != nullptr && !last.starts_with("--")) {
    add_values(line.option);
  } else if (last.starts_with('-')) {
    for (const CLI::Option* option : line.app->get_options())
      for (const std::string& name : option->get_lnames()) all.push_back({"--" + name, option->get_description()});
  } else {
    for (const CLI::App* command : commands_of(*line.app))
      all.push_back({command->get_name(), command->get_description()});
    if (all.empty()) add_values(position(*line.app, line.positions));
  }
  std::erase_if(all, [&](const Completion& c) { return !c.word.starts_with(last); });
  return all;
}

void add_completion(CLI::App& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      add_command(program, "completion", "Prints a shell script that completes commands, options, games and agents",
                  {"source <(dealer completion bash)", "dealer completion zsh >_dealer"});
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(one_of({"bash", "zsh"}));
  command->callback([shell] { print(*shell == "bash" ? kBash : kZsh); });

  // Output for those scripts: a word per line, a tab, its description.
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* hidden = program.add_subcommand("complete", "What the last word may become")->group("");
  hidden->add_option("WORD", *words, "The words of a command line, after --");
  hidden->callback([words, &program] {
    for (const Completion& completion : complete(program, *words))
      print(completion.word + '\t' + completion.what + '\n');
  });
}

}  // namespace dealer::cli
