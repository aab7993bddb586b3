// Include rules: the table in docs/architecture.md against the sources. Link targets of the documents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/markdown.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace dealer::test::includes_test {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = test::source_dir();

using Table = std::map<std::string, std::set<std::string>>;

std::set<std::string> names_in(const std::string& text) {
  static const std::regex name("`([^`]+)`");
  std::set<std::string> names;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) names.insert((*i)[1]);
  return names;
}

// The rows "| `folder` | ... | `may`, `include` |".
Table read_table() {
  Table table;
  std::istringstream lines(read_bytes(kRoot / "docs/architecture.md"));
  static const std::regex row(R"(\| `([a-z/]+)` \|[^|]*\|([^|]*)\|)");
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, match, row)) table[match[1]] = names_in(match[2]);
  return table;
}

// The folder of the table that a path lies in; empty when in none.
std::string folder_of(const Table& table, const std::string& path) {
  std::string best;
  for (const auto& [folder, allowed] : table)
    if (path.starts_with(folder + '/') && folder.size() > best.size()) best = folder;
  return best;
}

bool may_include(const Table& table, const std::string& from, const std::string& to) {
  if (from == to) return true;
  const std::set<std::string>& allowed = table.at(from);
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& name) { return to == name || to.starts_with(name + '/'); });
}

struct Include {
  std::string file, header;
  bool quoted;
};

std::vector<Include> includes() {
  std::vector<Include> found;
  static const std::regex include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  for (const char* top : {"env", "agents", "arena", "train", "frontends", "bench", "cli", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
      std::istringstream lines(read_bytes(entry.path()));
      std::smatch match;
      for (std::string line; std::getline(lines, line);)
        if (std::regex_search(line, match, include))
          found.push_back({fs::relative(entry.path(), kRoot).string(), match[2], match[1] == "\""});
    }
  return found;
}

TEST(Includes, PointDownwardsOnly) {
  const Table table = read_table();
  ASSERT_GE(table.size(), 11U);
  int checked = 0;
  for (const Include& include : includes()) {
    if (!include.quoted) continue;
    const std::string from = folder_of(table, include.file), to = folder_of(table, include.header);
    ASSERT_FALSE(from.empty()) << include.file << " lies in no folder of docs/architecture.md";
    if (to.empty()) continue;  // made by the build
    ++checked;
    EXPECT_TRUE(may_include(table, from, to)) << include.file << " includes " << include.header;
  }
  EXPECT_GT(checked, 500);
}

TEST(Includes, TheTableHasNoCircles) {
  const Table table = read_table();
  // Everything reachable from a folder.
  for (const auto& [start, allowed] : table) {
    std::set<std::string> reached = {};
    std::vector<std::string> open = {start};
    while (!open.empty()) {
      const std::string folder = open.back();
      open.pop_back();
      for (const auto& [other, ignored] : table)
        if (other != folder && may_include(table, folder, other) && reached.insert(other).second) open.push_back(other);
    }
    EXPECT_FALSE(reached.contains(start)) << start;
  }
}

// The families of games and of agents are independent. Solvers for games of any family know those they solve.
TEST(Includes, GamesStandBesideEachOther) {
  static const std::regex family("^(env/games|agents)/([a-z_]+)/");
  const std::set<std::string> shared = {"nn", "tabular", "abstraction", "remote"};
  const std::set<std::string> below = {"search", "policy"};  // games use them, and they use no game
  for (const Include& include : includes()) {
    std::smatch from, to;
    if (!std::regex_search(include.file, from, family) || !std::regex_search(include.header, to, family)) continue;
    if (shared.contains(to[2]) || shared.contains(from[2]) || below.contains(to[2])) continue;
    if (from[2] == "acpc" && to[2] == "poker") continue;  // hold'em by a separate protocol
    EXPECT_EQ(from[2], to[2]) << include.file << " includes " << include.header;
  }
}

// Files outside its own folders that a new game changes: docs/games.md.
TEST(Includes, OneFileNamesAllGames) {
  static const std::regex of_one_game("^(env/games|frontends/terminal)/[a-z_]+/");
  const std::set<std::string> shared = {"env/core", "env/games", "agents", "frontends/terminal"};
  std::set<std::string> files;
  for (const Include& include : includes())
    if (shared.contains(fs::path(include.file).parent_path().string()) &&
        std::regex_search(include.header, of_one_game))
      files.insert(include.file);
  EXPECT_EQ(files, std::set<std::string>{"env/games/visit.h"});
}

// No test compiles the page without a server: Emscripten does. Of the sources that frontends/web/static/CMakeLists.txt
// lists, every header included, by whatever way, must have its own source in the list.
TEST(Includes, ThePageWithoutAServerListsItsSources) {
  const std::string list = read_bytes(kRoot / "frontends/web/static/CMakeLists.txt");
  static const std::regex pattern(R"re("(/(?:arena|frontends)/\([^"]*)")re"), source(R"(SOURCE_DIR\}/(cli/\w+\.cc))");
  std::vector<std::regex> listed;
  for (std::sregex_iterator i(list.begin(), list.end(), pattern), end; i != end; ++i)
    listed.emplace_back(std::regex_replace((*i)[1].str(), std::regex(R"(\\\\)"), R"(\)"));
  ASSERT_EQ(listed.size(), 2U);
  std::set<std::string> sources;
  for (std::sregex_iterator i(list.begin(), list.end(), source), end; i != end; ++i) sources.insert((*i)[1]);
  ASSERT_GE(sources.size(), 4U);
  std::multimap<std::string, std::string> included;
  for (const Include& each : includes()) {
    if (each.quoted) included.emplace(each.file, each.header);
    for (const std::regex& of : listed)
      if (std::regex_match('/' + each.file, of)) sources.insert(each.file);
  }
  ASSERT_GE(sources.size(), 30U);
  std::set<std::string> reached = sources;
  for (std::vector<std::string> left(sources.begin(), sources.end()); !left.empty();) {
    const std::string file = left.back();
    left.pop_back();
    for (auto [each, end] = included.equal_range(file); each != end; ++each) {
      const std::string& header = each->second;
      if (reached.insert(header).second) left.push_back(header);
      const std::string own = header.substr(0, header.rfind('.')) + ".cc";
      if (header.starts_with("env/") || header.starts_with("agents/") || !fs::exists(kRoot / own)) continue;
      EXPECT_TRUE(sources.contains(own)) << own << " is not in the list; " << file << " includes " << header;
    }
  }
}

TEST(Includes, LibtorchStaysInItsFiles) {
  int files = 0;
  for (const Include& include : includes()) {
    const bool torch = include.header.starts_with("torch/") || include.header.starts_with("ATen/") ||
                       include.header.starts_with("c10/");
    if (!torch) continue;
    ++files;
    EXPECT_TRUE(include.file.starts_with("train/") &&
                (include.file.ends_with("_torch.cc") || include.file.ends_with("_torch.h")))
        << include.file;
  }
  EXPECT_GT(files, 0);
}

// "## Games of `cli`" is reached by "#games-of-cli".
std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> names;
  std::ifstream file(page);
  bool fenced = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced || !line.starts_with('#')) continue;
    std::string name;
    for (const char c : line.substr(line.find(' ') + 1)) {
      const auto letter = static_cast<unsigned char>(c);
      if (c == ' ' || c == '-') name += '-';
      if (std::isalnum(letter) != 0 || c == '_' || letter >= 0x80) name += static_cast<char>(std::tolower(letter));
    }
    names.insert(name);
  }
  return names;
}

TEST(Docs, LinksLeadToFilesAndHeadings) {
  const std::regex link(R"(\]\(([^)#: ]*)(#([^)]*))?\))");
  int files = 0, headings = 0;
  for (const std::string& name : markdown_pages(kRoot)) {
    const std::string text = read_bytes(kRoot / name);
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string file = (*it)[1], heading = (*it)[3];
      const fs::path page = file.empty() ? kRoot / name : (kRoot / name).parent_path() / file;
      EXPECT_TRUE(fs::exists(page)) << name << " links to " << file;
      if (!heading.empty()) {
        EXPECT_EQ(anchors(page).count(heading), 1U) << name << " links to " << file << '#' << heading;
      }
      ++(heading.empty() ? files : headings);
    }
  }
  EXPECT_GT(files, 25);
  EXPECT_GT(headings, 15);
}

}  // namespace
}  // namespace dealer::test::includes_test
