#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/report/page.h"
#include "arena/studies/study.h"

namespace dealer::studies {

// Parts of reports shared by several studies.

// For a study of several games: "An agent against itself: default plays draw; rule plays lowball."
std::string who_played(const Subject& subject);
// Distinct names of games: where some names are equal, the agent is appended, "draw, rule".
std::vector<std::string> distinct(std::vector<std::string> names, const std::vector<std::string>& agents);
// The last line of a report; `page`: the page of docs/ that defines the figures.
std::string last_line(const Subject& subject, std::string_view page = "studies.md");

// Explains ± and the criterion for a significant difference; `unit`: the unit of clustering, "a deal".
std::string about_intervals(std::string_view unit);

// The beginning of a study's report; about: about_intervals(), and what else must be known first.
Page study_page(std::string_view title, std::string_view lead, const Subject& subject,
                const std::vector<std::string>& conclusions, std::string_view about);

}  // namespace dealer::studies
