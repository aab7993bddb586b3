#pragma once

#include <string>
#include <vector>

#include "arena/report/page.h"
#include "arena/studies/figure.h"
#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// Conclusions, one sentence each with its figures and their intervals, the most important first.
std::vector<std::string> conclusions_of(const Figure& figures);

// report.html.
std::string report_of(const Subject& subject, const Figure& figures);
// The sections about the tries, and about the games against the responder; nothing without any.
void add_advice(Page& page, const Figure& figures);
void add_responses(Page& page, const Figure& figures);

// The pictures specific to this study; SVG for a Page.

// Seven chips in a line: above each the mean number of cards laid there, below it the mean turn, and its value.
std::string picture_of_line(const Figure& figures);
// The chips that cards are sent to, by number of cards: a row of bars for each number, compared with random naming.
std::string picture_of_sending(const Figure& figures);

}  // namespace dealer::studies::seven_hand
