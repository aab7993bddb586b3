#include "arena/report/parts.h"

#include <fmt/format.h>

#include <set>

namespace dealer::studies {

std::string who_played(const Subject& subject) {
  std::string who;
  for (const Subject::Played& game : subject.games)
    who += fmt::format("{}{} plays {}", who.empty() ? "" : "; ", game.agent, game.game);
  return fmt::format("Self-play: {}.", who);
}

std::vector<std::string> distinct(std::vector<std::string> names, const std::vector<std::string>& agents) {
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] += ", " + agents[i];
  return names;
}

std::string last_line(const Subject& subject, std::string_view page) {
  return fmt::format("dealer {}, study {}{}, seed {}. docs/{} defines every figure; results.json has them all.",
                     subject.version, subject.study, subject.games.empty() ? ", agent " + subject.agent : "",
                     subject.seed, page);
}

std::string about_intervals(std::string_view unit) {
  return fmt::format(
      "± is the half-width of the 95% confidence interval; {} is one observation. A difference counts as seen if its "
      "interval does not contain zero; about one in twenty intervals misses the true value.",
      unit);
}

Page study_page(std::string_view title, std::string_view lead, const Subject& subject,
                const std::vector<std::string>& conclusions, std::string_view about) {
  Page page(title, lead);
  page.paragraph(subject.strength);
  page.conclusions(conclusions);
  page.paragraph(about);
  return page;
}

}  // namespace dealer::studies
