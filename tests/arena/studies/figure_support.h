#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "arena/studies/figure.h"
#include "env/core/files.h"
#include "tests/support/paths.h"

namespace dealer::test {

// "0.5", "-1/3"
inline double number_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  return slash == std::string::npos ? std::stod(text)
                                    : std::stod(text.substr(0, slash)) / std::stod(text.substr(slash + 1));
}

// Lines "PATH: NAME=VALUE*COUNT NAME=VALUE*COUNT ...": figures below a path, what they are and of how many cases.
// Without a count that is not looked at.
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

// Every figure below becomes this one.
inline void set_all(studies::Figure& figure, const studies::Estimate& estimate) {
  const nlohmann::ordered_json json = figure.to_json();
  if (json.is_object() && json.contains("ci95")) {
    figure = studies::Figure(estimate, figure.unit());
  } else if (json.is_structured()) {
    for (std::size_t i = 0; i < figure.size(); ++i) set_all(figure[i], estimate);
  }
}

// How a sentence begins, or what it says, where a figure lies above its level, below it, or its interval holds it.
struct Flip {
  std::string path;
  const char *above, *below, *neither;
  double level = 0;
};
// `say`: the sentences of these figures, whose own values are left as they are otherwise.
template <class Say>
void expect_flips(const studies::Figure& all, const std::vector<Flip>& flips, Say&& say) {
  for (const Flip& flip : flips)
    for (const double by : {0.1, -0.1, 0.005}) {
      studies::Figure figures = all;
      set(figures, flip.path, {flip.level + by, 0.01, 100});
      const char* const expected = by == 0.1 ? flip.above : by < 0 ? flip.below : flip.neither;
      const std::vector<std::string> sentences = say(figures);
      const auto says = [&](const std::string& sentence) { return sentence.find(expected) != std::string::npos; };
      EXPECT_TRUE(std::any_of(sentences.begin(), sentences.end(), says)) << expected;
      EXPECT_TRUE(by != 0.005 || says(sentences.back())) << expected << ": what was not seen is last";
    }
}

// Figures with a case as [value, ci95, n]; others are left out.
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

// What a small study came to, against tests/arena/studies/recorded/NAME.json. With DEALER_RECORD set it is written
// there: look at what has changed before you commit it.
inline void expect_recorded(const std::string& name, const nlohmann::ordered_json& figures) {
  const std::filesystem::path file =
      std::filesystem::path(source_dir()) / "tests/arena/studies/recorded" / (name + ".json");
  const nlohmann::ordered_json kept = without_unknown(figures);
  if (std::getenv("DEALER_RECORD") != nullptr) write_file(file, kept.dump() + '\n');
  expect_same(kept, nlohmann::ordered_json::parse(read_file(file)), name);
}

}  // namespace dealer::test
