#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/studies/study.h"

namespace dealer::studies {

// Parts of reports that several studies have.

// Of a study of several games: "An agent against itself: default plays draw; rule plays lowball."
std::string who_played(const Subject& subject);
// Names of games that tell them apart: who plays each stands behind it where some names are equal, "draw, rule".
std::vector<std::string> told_apart(std::vector<std::string> names, const std::vector<std::string>& agents);
// The last line of reports; `page`: which of docs/ defines the figures.
std::string last_line(const Subject& subject, std::string_view page = "studies.md");

// What ± means, and when a difference counts as seen; `unit`: what is one observation, "a deal".
std::string about_intervals(std::string_view unit);

// As text_of() writes them.
std::string number(const Estimate& estimate);
std::string percent(const Estimate& estimate);

}  // namespace dealer::studies
