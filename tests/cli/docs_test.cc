// Names in README.md, README.ja.md and docs/ exist in the program (commands, options, games, agents, decks, and the
// keys of games), and its pictures are readable.

#include <map>
#include <sstream>

#include "agents/agent.h"
#include "env/cards/deck.h"
#include "env/core/error.h"
#include "env/core/event.h"
#include "env/core/registry.h"
#include "tests/cli/run_dealer.h"
#include "tests/support/markdown.h"
#include "tests/support/well_formed.h"

namespace dealer::test::docs_test {
namespace {

const std::filesystem::path kRoot = source_dir();

std::string help_of(const Words& words) { return run_here(joined({"help"}, words)).out; }

// The text of a page below a heading, up to the next one of its level.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t start = page.find("\n" + heading + "\n");
  if (start == std::string::npos) return "";
  return page.substr(start, page.find("\n## ", start + 1) - start);
}

std::vector<MarkdownPage> all_pages() {
  std::vector<MarkdownPage> pages;
  for (const std::string& name : markdown_pages(kRoot)) pages.push_back(read_markdown(kRoot, name));
  return pages;
}

bool works(const std::function<void()>& call) {
  try {
    call();
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Replaces N by a number, and a reader's own file by an existing one.
std::string filled_in(const std::string& spec) {
  const std::string own = std::regex_replace(spec, std::regex("=my/deck.yaml"), "=standard_52");
  return std::regex_replace(own, std::regex(R"(=[NM]\b)"), "=8");
}

TEST(CliPage, HasEveryCommandAndOption) {
  const std::string page = read_bytes(kRoot / "docs/cli.md");
  const std::string help = run_here({"help"}).out;
  Words commands, listed;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  ")) commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  const std::regex row("\n\\| \\[`([a-z-]+)`\\]\\(#dealer-([a-z-]+)\\)");
  for (auto it = std::sregex_iterator(page.begin(), page.end(), row); it != std::sregex_iterator(); ++it) {
    EXPECT_EQ((*it)[1], (*it)[2]);
    listed.push_back((*it)[1]);
  }
  EXPECT_EQ(listed, commands);
  for (const std::string& command : commands) EXPECT_NE(section(page, "## dealer " + command), "") << command;
  for (const Words& command : kAllCommands) {
    const std::string text = section(page, "## dealer " + command[0]);
    for (const std::string& option : options_in(help_of(command)))
      EXPECT_TRUE(option == "--help" || contains(text, option)) << command[0] << ' ' << option;
  }
}

TEST(GamesPage, HasEveryGame) {
  std::set<std::string> names;
  for (const CodeSpan& span : read_markdown(kRoot, "docs/games.md").spans)
    if (span.first_in_row) names.insert(span.text);
  const Words games = game_names();
  EXPECT_EQ(names, std::set<std::string>(games.begin(), games.end()));
}

// Every "--option" of a page belongs to the program, or is one of these options of other programs.
TEST(Docs, OptionsExist) {
  std::set<std::string> known = {"--prefix",       "--preset",  "--build",           "--install", "--benchmark_filter",
                                 "--gtest_filter", "--version", "--config-settings", "--mca",     "--logdir",
                                 "--index-url",    "--plat"};
  for (const Words& command : kAllCommands) known.merge(options_in(help_of(command)));
  for (const char* script : {"scripts/setup", "scripts/format", "scripts/tidy", "scripts/sanitize"})
    known.merge(matches_in(read_bytes(kRoot / script), "--[a-z]+"));
  std::set<std::string> used;
  for (const MarkdownPage& page : all_pages()) {
    for (const CodeSpan& span : page.spans)
      for (const std::string& option : matches_in(span.text, "--[a-z][a-z_-]+")) {
        EXPECT_EQ(known.count(option), 1U) << page.name << ':' << span.line << ": " << option;
        used.insert(option);
      }
  }
  EXPECT_GT(used.size(), 20U);
}

// `ofc[players=3]`, `rule:bold`, `default[simulations=N]`, `standard_52[jokers=1]`, also as parts of longer text.
TEST(Docs, GamesAgentsAndDecksExist) {
  const Words games = game_names(), decks = deck_names();
  std::map<std::string, bool> known;  // by spec: true if valid
  for (const MarkdownPage& page : all_pages()) {
    std::string text;
    for (const CodeSpan& span : page.spans) text += span.text + '\n';
    for (const auto& block : page.blocks)
      for (const std::string& line : block.lines) text += line + '\n';
    const std::regex spec(R"(\b([a-z_0-9]+)(\[[a-z_.]+=(\[[^\]]*\]|[^\]])*\]|:[a-z]+\b(?!:)))");
    for (auto it = std::sregex_iterator(text.begin(), text.end(), spec); it != std::sregex_iterator(); ++it) {
      const std::string name = (*it)[1], whole = filled_in((*it)[0]);
      if (known.contains(whole)) continue;
      bool good = true;
      if (std::count(games.begin(), games.end(), name) != 0) {
        good = works([&] { make_game(whole); });
      } else if (std::count(decks.begin(), decks.end(), name) != 0) {
        good = works([&] { Deck::make(whole); });
      } else if (name == "rule" || name == "random" || name == "default") {
        good = std::any_of(games.begin(), games.end(), [&](const std::string& game) {
          return works([&] { make_agents(whole, make_game(game)); });
        });
      } else {
        continue;
      }
      EXPECT_TRUE(good) << page.name << ": " << whole;
      known[whole] = good;
    }
  }
  EXPECT_GT(known.size(), 40U);
}

// The example hand in docs/events.md has the kinds of events and the fields of a real one.
TEST(EventsPage, ShowsTheFieldsThereAre) {
  const auto fields = [](const Json& event) {
    std::string text;
    for (const auto& [name, value] : event.items()) text += name + ' ' + value.type_name() + ", ";
    return text;
  };
  std::map<std::string, std::set<std::string>> real;
  const GamePtr game = make_game("draw");
  const auto env = game->new_env({.hold_hands = true});
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    env->reset(seed);
    for (std::uint64_t step = 0; !env->hand_over() && !env->terminated(); ++step) {
      const auto actions = env->observe(env->current_player()).legal_actions();
      env->step(Decision(actions[(7 * seed + 3 * step) % actions.size()]));
    }
    for (const Event& event : env->events(0)) {
      const Json json = Json::parse(to_json(event, *game).dump());
      real[json["event"]].insert(fields(json));
    }
  }
  std::set<std::string> shown;
  for (const auto& block : read_markdown(kRoot, "docs/events.md").blocks) {
    if (block.language != "json") continue;
    for (const std::string& line : block.lines) {
      const Json json = Json::parse(line);
      EXPECT_EQ(real[json["event"]].count(fields(json)), 1U) << line;
      shown.insert(json["event"]);
    }
  }
  EXPECT_EQ(shown.size(), 10U);
}

// The first columns of the tables in its part about JSON are exactly the fields that games have.
TEST(EnvironmentPage, HasTheFieldsOfTheJson) {
  std::set<std::string> real;
  const auto add = [&](const Json& object) {
    for (const auto& [name, value] : object.items()) real.insert(name);
  };
  Words games = game_names();
  games.emplace_back("holdem[limit=no_limit]");
  for (const std::string& name : games) {
    const GamePtr game = make_game(name);
    const auto env = game->new_env();
    env->reset(1);
    const Json json = Json::parse(env->to_json(env->current_player()).dump());
    add(json);
    add(json["table"]);
    for (const auto& choice : json["legal"]) add(choice);
    for (const auto& player : json["table"]["players"]) add(player);
  }
  const std::string text = section(read_bytes(kRoot / "docs/environment.md"), "## JSON");
  EXPECT_EQ(first_columns(text), real);
}

// The keys of all games with one of their values, as the readers know them.
std::map<std::string, std::string> keys_of_games() {
  std::map<std::string, std::string> keys;
  for (const std::string& name : game_names()) {
    std::istringstream rules(make_game(name)->id().rules);
    Words sections;
    for (std::string line; std::getline(rules, line);) {
      const std::size_t indent = line.find_first_not_of(' '), colon = line.find(':');
      if (indent == std::string::npos || colon == std::string::npos || line[indent] == '-') continue;
      sections.resize(std::min(sections.size(), indent / 2));
      std::string key;
      for (const std::string& part : sections) key += part + '.';
      key += line.substr(indent, colon - indent);
      if (colon + 1 == line.size()) {
        sections.push_back(line.substr(indent, colon - indent));
      } else {
        keys[key] = name;
      }
    }
  }
  return keys;
}

TEST(RulesPages, TellEveryKey) {
  std::string text;
  for (const MarkdownPage& page : all_pages())
    if (page.name.starts_with("docs/rules/") || page.name == "docs/decks.md")
      for (const CodeSpan& span : page.spans) text += ' ' + span.text + ' ';
  const std::map<std::string, std::string> keys = keys_of_games();
  EXPECT_GT(keys.size(), 40U);
  for (const auto& [key, game] : keys) {
    // Tables have the section in their heading: royalties.back.flush is one of `royalties.back`.
    const std::string name = key.starts_with("royalties.") ? key.substr(0, key.find('.', 10)) : key;
    std::string quoted;
    for (const char c : name) quoted += c == '.' ? std::string("\\.") : std::string(1, c);
    if (key == "game") continue;
    EXPECT_FALSE(matches_in(text, (" " + quoted + "[ :.=]").c_str()).empty()) << game << ": " << key;
  }
}

// `key: value` in the rules of a game is a key and a value that some game accepts.
TEST(RulesPages, KeysAndValuesExist) {
  const std::regex given(R"(([a-z_]+(\.[a-z_]+)*): ([a-z0-9_\[\]., ]+))");
  const std::set<std::string> of_rankings = {"five_of_a_kind"};
  int count = 0;
  for (const MarkdownPage& page : all_pages()) {
    if (!page.name.starts_with("docs/rules/") && !page.name.starts_with("docs/ja/rules/")) continue;
    for (const CodeSpan& span : page.spans) {
      std::smatch match;
      if (!std::regex_match(span.text, match, given) || match[3] == "amount") continue;
      std::string option = match[1].str() + "=" + match[3].str();
      if (of_rankings.count(match[1]) == 1) option = "ranking=high[" + option + "]";
      const Words games = game_names();
      EXPECT_TRUE(
          std::any_of(games.begin(), games.end(),
                      [&](const std::string& game) { return works([&] { make_game(game + "[" + option + "]"); }); }))
          << page.name << ':' << span.line << ": " << span.text;
      ++count;
    }
  }
  EXPECT_GT(count, 15);
}

// The pictures of docs/images in browsers: Chromium keeps the blanks of a text only if the <text> itself has
// xml:space="preserve", not if a group around it does. A text that loses its blanks is still stretched to its
// textLength: over the adjacent cards.

const std::filesystem::path kImages = std::filesystem::path(source_dir()) / "docs/images";

// The first text of a picture that loses blanks or has a length that depends on them, or the first other element with
// that attribute; or nothing.
std::string lost_blanks(const std::string& svg) {
  static const std::regex element(R"(<([a-z]+)([^>]*)>([^<]*))"), blanks("^\\s|\\s$|\\s\\s");
  for (auto it = std::sregex_iterator(svg.begin(), svg.end(), element); it != std::sregex_iterator(); ++it) {
    const std::smatch& match = *it;
    const bool text = match[1] == "text";
    const bool kept = contains(match[2], "xml:space=\"preserve\"");
    const std::string words = match[3];
    const bool needed = std::regex_search(words, blanks) || contains(match[2], "textLength");
    if (text ? needed && !kept : contains(match[2], "xml:space")) return match.str();
  }
  return {};
}

TEST(DocsImages, EveryTextKeepsItsBlanksItself) {
  int pictures = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kImages)) {
    if (entry.path().extension() != ".svg") continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++pictures;
    EXPECT_EQ(lost_blanks(read_bytes(entry.path())), "");
  }
  EXPECT_GE(pictures, 10);
}

TEST(DocsImages, ScreensAreDrawnWithTheirBlanks) {
  const auto drawn = run_script("python3 '" + (kImages / "terminal_svg.py").string() + "' <in >out 2>err",
                                "  front  \x1b[1;38;5;1;48;5;255m Qh \x1b[0m   <&>\nback\n");
  ASSERT_EQ(drawn.status, 0) << drawn.err;
  EXPECT_EQ(xml_fault(drawn.out), "");
  EXPECT_EQ(lost_blanks(drawn.out), "");
  expect_parts(drawn.out, {">  front  </text>", "> Qh </text>", ">   &lt;&amp;&gt;</text>", ">back</text>"});
}

// Pictures drawn by the program itself.
TEST(DocsImages, PicturesOfDecksDoWithoutBlanks) {
  const TempFolder folder;
  const std::string file = (folder / "ladder.svg").string();
  ASSERT_EQ(run_here({"hands", "court_tarot_54", "--plot", file}).status, 0);
  const std::string svg = read_bytes(file);
  EXPECT_EQ(lost_blanks(svg), "");
  EXPECT_EQ(svg, read_bytes(kImages / "court_tarot_54.svg"));
}

}  // namespace
}  // namespace dealer::test::docs_test
