#pragma once

// Helpers for tests of studies.
#include <cstdlib>

#include "arena/studies/figure.h"
#include "arena/studies/run.h"
#include "tests/arena/testing.h"

namespace dealer::test {

// A fixture with a temporary folder for files.
class InFolder : public testing::Test {
 protected:
  std::filesystem::path at(std::string_view name) const { return folder_ / name; }
  std::string file(std::string_view name) const { return read_bytes(at(name)); }
  // The results and the report of a study or a sweep.
  std::string files(const std::string& name) const {
    return file(name + "/results.json") + file(name + "/report.html");
  }
  TempFolder folder_;
};

// "0.5", "-1/3"
inline double number_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

// Lines "PATH: NAME=VALUE*COUNT NAME=VALUE*COUNT ...": the expected figures below a path with their numbers of cases.
// Without a count that is not checked.
inline void expect_figures(const studies::Figure& all, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    std::string path;
    if (!(words >> path)) continue;
    path.pop_back();
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('='), times = word.find('*');
      const std::string name = path + (path.empty() ? "" : "/") + word.substr(0, equals);
      const studies::Estimate estimate = all.estimate(name);
      EXPECT_NEAR(estimate.value, number_of(word.substr(equals + 1, times - equals - 1)), 1e-6) << name;
      if (times == std::string::npos) continue;
      EXPECT_NEAR(estimate.count, number_of(word.substr(times + 1)), 1e-9) << name;
    }
  }
}

inline void set(studies::Figure& all, const std::string& path, const studies::Estimate& estimate) {
  auto& figure = const_cast<studies::Figure&>(all.at(path));
  figure = studies::Figure(estimate, figure.unit());
}

// Sets every figure below to this estimate.
inline void set_all(studies::Figure& figure, const studies::Estimate& estimate) {
  const nlohmann::ordered_json json = figure.to_json();
  if (json.is_object() && json.contains("ci95")) {
    figure = studies::Figure(estimate, figure.unit());
  } else if (json.is_structured()) {
    for (std::size_t i = 0; i < figure.size(); ++i) set_all(figure[i], estimate);
  }
}

// A figure that selects a sentence, and words of its headline, which is what stands before the figures: in all its
// variants, and in those for a figure above its level and below it.
struct Flip {
  std::string path;
  const char *about, *above, *below;
  double level = 0;
};
// `say`: the sentences of these figures, whose own values are unchanged otherwise.
template <class Say>
void expect_flips(const studies::Figure& all, const std::vector<Flip>& flips, Say&& say) {
  for (const Flip& flip : flips) {
    SCOPED_TRACE(flip.path);
    const auto headlines = [&](double by) {
      studies::Figure figures = all;
      set(figures, flip.path, {flip.level + by, 0.01, 100});
      std::vector<std::string> said = say(figures);
      for (std::string& sentence : said) sentence.resize(std::min(sentence.find(": "), sentence.size()));
      return said;
    };
    const std::vector<std::string> above = headlines(0.1), below = headlines(-0.1), neither = headlines(0.005);
    // Said there alone.
    const auto own = [&](const std::string& headline, const std::vector<std::string>& here) {
      const auto said = [&](const auto& list) { return std::count(list.begin(), list.end(), headline); };
      return said(here) == said(above) + said(below) + said(neither) && has(headline, flip.about);
    };
    const auto says = [&](const std::vector<std::string>& here, const char* words) {
      return std::any_of(here.begin(), here.end(),
                         [&](const std::string& headline) { return own(headline, here) && has(headline, words); });
    };
    EXPECT_TRUE(says(above, flip.above));
    EXPECT_TRUE(says(below, flip.below));
    ASSERT_FALSE(neither.empty());
    EXPECT_TRUE(own(neither.back(), neither) && has(neither.back(), "o difference was seen"))
        << neither.back() << ": what was not seen is last";
  }
}

// A well-formed, self-contained page with this number of pictures, each with a text alternative. The contents of script
// sections are not checked.
inline void expect_page(const std::string& page, int pictures) {
  const std::size_t begin = page.find("<![CDATA["), end = page.find("]]>");
  EXPECT_EQ(begin == std::string::npos, end == std::string::npos);
  EXPECT_EQ(xml_fault(begin == std::string::npos ? page : page.substr(0, begin) + page.substr(end + 3)), "");
  for (const char* outside : {"://", "src=", "href=", "url(", "@import", "<link", "<iframe", "nan", "inf<", "fetch("})
    EXPECT_FALSE(has(page, outside)) << outside;
  EXPECT_EQ(count(page, "<svg"), pictures);
  EXPECT_EQ(count(page, "role=\"img\" aria-label=\""), pictures);
  for (const char* part : {"prefers-color-scheme: dark", "@media print", "width=device-width"})
    EXPECT_TRUE(has(page, part));
}

// Figures with cases as [value, ci95, n]; others are omitted.
inline nlohmann::ordered_json without_unknown(const nlohmann::ordered_json& json) {
  if (json.is_object() && json.contains("ci95") && json.contains("n"))
    return json["n"] == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json{json["value"], json["ci95"], json["n"]};
  if (!json.is_structured()) return json;
  nlohmann::ordered_json kept = json.is_array() ? nlohmann::ordered_json::array() : nlohmann::ordered_json::object();
  for (const auto& [name, value] : json.items()) {
    nlohmann::ordered_json own = without_unknown(value);
    if (json.is_array())
      kept.push_back(std::move(own));
    else if (!own.is_null() && !(own.is_structured() && own.empty()))
      kept[name] = std::move(own);
  }
  return kept;
}

inline void expect_same(const nlohmann::ordered_json& now, const nlohmann::ordered_json& then,
                        const std::string& path) {
  if (now.is_number() && then.is_number()) {
    EXPECT_NEAR(now.get<double>(), then.get<double>(), 1e-6 * (1 + std::abs(then.get<double>()))) << path;
  } else if (now.is_structured() && now.type() == then.type() && now.size() == then.size()) {
    for (auto a = now.begin(), b = then.begin(); a != now.end(); ++a, ++b) {
      const std::string name = now.is_object() ? a.key() : std::to_string(a - now.begin());
      if (now.is_object() && a.key() != b.key()) ADD_FAILURE() << path << ": " << a.key() << " for " << b.key();
      expect_same(*a, *b, path + '/' + name);
    }
  } else {
    EXPECT_EQ(now, then) << path;
  }
}

// Compares a small study with tests/arena/studies/recorded/STUDY.json. If DEALER_RECORD is set, records it instead:
// review the changes before committing.
inline void expect_recorded(const std::string& study, const std::string& overrides) {
  const TempFolder folder;
  const studies::StudyOutcome outcome = run_study(studies::read_study(study, words_in(overrides)), folder.path());
  const std::filesystem::path file =
      std::filesystem::path(source_dir()) / "tests/arena/studies/recorded" / (study + ".json");
  const nlohmann::ordered_json kept = without_unknown(outcome.results["figures"]);
  if (std::getenv("DEALER_RECORD") != nullptr) write_file(file, kept.dump() + '\n');
  expect_same(kept, nlohmann::ordered_json::parse(read_file(file)), study);
}

// The records of a file of results without their ends, which depend on interruptions.
inline std::string without_ends(const std::string& text) {
  return std::regex_replace(text, std::regex("(^|\n)[a-z]+ [0-9]+ crc32c [0-9a-f]{8}(?=\n)"), "");
}

}  // namespace dealer::test
