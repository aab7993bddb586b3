#pragma once

#include <string>
#include <vector>

#include "arena/studies/figure.h"
#include "arena/studies/report/page.h"
#include "arena/studies/study.h"

namespace dealer::studies::seven_hand {

// What the figures say, a sentence each with its figures and their intervals, the most important first.
std::vector<std::string> conclusions_of(const Figure& figures);

// report.html.
std::string report_of(const Subject& subject, const Figure& figures);
// Its part about the choices that were tried, and that about the games against the responder; nothing without any.
void add_advice(Page& page, const Figure& figures);
void add_responses(Page& page, const Figure& figures);

// The pictures that no other study has; SVG for a Page.

// Seven chips in a line: above each the cards that lie there on average, below it when, and what it is worth.
std::string picture_of_line(const Figure& figures);
// Where the cards are sent, by how many they are: a row of bars for each number, against naming at random.
std::string picture_of_sending(const Figure& figures);

}  // namespace dealer::studies::seven_hand
