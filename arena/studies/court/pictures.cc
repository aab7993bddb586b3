#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/report/picture.h"
#include "arena/report/text.h"
#include "arena/studies/court/report.h"

namespace dealer::studies::court {
namespace {

using Anchor = Picture::Anchor;
constexpr double kTop = 40, kRow = 24;
// The horizontal limits of the three columns: code, code and share, code and share.
constexpr double kFirstEnd = 40, kSecond = 106, kSecondEnd = 206, kThird = 272, kThirdEnd = kPictureWidth - 6;

// The vertical centre of a line of text at a place, 1 for the topmost.
double y_of(int place) { return kTop + kRow * (place - 0.5); }

std::vector<std::size_t> by_place(const std::vector<Step>& steps) {
  std::vector<std::size_t> order(steps.size());
  for (std::size_t c = 0; c < steps.size(); ++c) order[static_cast<std::size_t>(steps[c].place) - 1] = c;
  return order;
}

std::string in_words(const DeckOdds& deck) {
  const auto names = [&](const Order& order) {
    std::string text;
    for (const std::size_t c : by_place(order.steps)) text += ' ' + deck.names[c].first;
    return text;
  };
  std::string ranking;
  for (const auto& [code, name] : deck.names) ranking += ' ' + code;
  return fmt::format("The ranking:{}. From common to rare as dealt:{}. After the draw:{}.", ranking, names(deck.dealt),
                     names(deck.drawn));
}

}  // namespace

std::string share_text(double share) {
  if (share <= 0) return "0%";
  const double percent = 100 * share;
  return fixed(percent, std::max(0, 2 - static_cast<int>(std::floor(std::log10(percent))))) + '%';
}

std::string picture_of_orders(const DeckOdds& deck) {
  Picture picture(kTop + kRow * static_cast<double>(deck.names.size()) + 4, in_words(deck));
  const auto heading = [&](double x, std::string_view text, Anchor anchor) {
    picture.text(x, 18, text, anchor, "quiet small");
  };
  heading(4, "ranking", Anchor::kStart);
  heading(kSecond, "as dealt", Anchor::kStart);
  heading(kThird, "after the draw", Anchor::kStart);
  picture.text(4, 33, "weak", Anchor::kStart, "quiet small");
  for (const double x : {kSecond, kThird}) picture.text(x, 33, "common", Anchor::kStart, "quiet small");
  // Lines of categories that move up are drawn above the others.
  for (const bool forward : {false, true})
    for (std::size_t c = 0; c < deck.names.size(); ++c) {
      const int places[] = {static_cast<int>(c) + 1, deck.dealt.steps[c].place, deck.drawn.steps[c].place};
      const auto join = [&](double from, int before, double to, int after) {
        if ((after < before) == forward)
          picture.line(from, y_of(before), to, y_of(after), forward ? "second" : "whisker");
      };
      join(kFirstEnd, places[0], kSecond - 6, places[1]);
      join(kSecondEnd, places[1], kThird - 6, places[2]);
    }
  for (std::size_t c = 0; c < deck.names.size(); ++c) {
    const std::string& code = deck.names[c].first;
    picture.text(4, y_of(static_cast<int>(c) + 1) + 4, code, Anchor::kStart, "strong");
    const auto entry = [&](double begin, double end, const Step& step) {
      picture.text(begin, y_of(step.place) + 4, code, Anchor::kStart, "strong");
      picture.text(end - 4, y_of(step.place) + 4, share_text(step.share), Anchor::kEnd, "small");
    };
    entry(kSecond, kSecondEnd, deck.dealt.steps[c]);
    entry(kThird, kThirdEnd, deck.drawn.steps[c]);
  }
  return picture.finish();
}

}  // namespace dealer::studies::court
