#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/report/picture.h"
#include "arena/report/text.h"
#include "arena/studies/seven_hand/hand.h"
#include "arena/studies/seven_hand/report.h"

namespace dealer::studies::seven_hand {
namespace {

using Anchor = Picture::Anchor;
constexpr double kSlot = (kPictureWidth - 8) / kChips;

double middle_of(std::size_t chip) { return 4 + kSlot * (static_cast<double>(chip) + 0.5); }

// Draws a stack of cards; a fraction shows part of the last card.
void draw_stack(Picture& picture, double x, double bottom, double cards) {
  constexpr double kWidth = 30, kHeight = 40, kStep = 9;
  const double y = bottom - kHeight;
  if (cards <= 0) return;
  for (int hidden = static_cast<int>(std::ceil(cards)) - 1; hidden > 0; --hidden)
    picture.rect(x - kWidth / 2, y - kStep * std::min<double>(hidden, cards - 1), kWidth, kHeight, "card", 1, 4);
  picture.rect(x - kWidth / 2, y, kWidth, kHeight, "card", 1, 4);
}

}  // namespace

std::string picture_of_line(const Figure& figures) {
  constexpr double kHeight = 286, kFelt = 146, kLine = 168, kRadius = 17;
  std::string what = "Mean cards at the chips 1 to 7:";
  for (int c = 0; c < kChips; ++c) what += ' ' + figures["chips"][c].text("cards") + ';';
  what.back() = '.';
  Picture picture(kHeight, what);
  picture.rect(2, kFelt, kPictureWidth - 4, 44, "felt", 1, 22);
  for (std::size_t c = 0; c < kChips; ++c) {
    const Figure& chip = figures["chips"][c];
    const double x = middle_of(c);
    draw_stack(picture, x, kFelt - 8, chip.estimate("cards").value);
    picture.text(x, 40, value_text(chip.estimate("cards"), Unit::kNumber), Anchor::kMiddle, "strong");
    picture.circle(x, kLine, kRadius, "chip");
    picture.text(x, kLine + 6, std::to_string(c + 1), Anchor::kMiddle, "large");
    picture.text(x, 229, value_text(chip.estimate("turn"), Unit::kNumber));
    picture.text(x, 275, value_text(chip.estimate("win_rate"), Unit::kPercent));
  }
  const auto heading = [&](double y, std::string_view text) {
    picture.text(4, y, text, Anchor::kStart, "quiet small");
  };
  heading(18, "cards at the chip");
  heading(212, "laid in turn");
  heading(258, "hands won by the chip's winner");
  return picture.finish();
}

std::string picture_of_sending(const Figure& figures) {
  constexpr double kRow = 74, kTop = 26, kBars = 48, kLeft = 62;
  const double slot = (kPictureWidth - 8 - kLeft) / kChips;
  const auto chance_of = [&](std::size_t cards, std::size_t chip) {
    return figures["sent"][cards][chip]["chance"].estimate();
  };
  double most = 1;
  std::string what = "How often cards are sent to the chips 1 to 7, compared with naming at random.";
  for (std::size_t n = 0; n < kMostLaid; ++n) {
    what += fmt::format(" {} {}:", n + 1, n == 0 ? "card" : "cards");
    for (std::size_t c = 0; c < kChips; ++c) {
      const Estimate chance = chance_of(n, c);
      if (chance.count > 0) most = std::max(most, chance.value + (chance.known() ? chance.ci95 : 0));
      what += ' ' + value_text(chance, Unit::kNumber) + ',';
    }
    what.back() = '.';
  }
  Picture picture(kTop + kRow * kMostLaid + 22, what);
  picture.text(4, 14, "named so many times as often as at random", Anchor::kStart, "quiet small");
  for (std::size_t n = 0; n < kMostLaid; ++n) {
    const double bottom = kTop + kRow * static_cast<double>(n) + kRow - 8;
    const auto y = [&](double times) { return bottom - kBars * times / most; };
    picture.text(4, bottom - 12, n == 0 ? "1 card" : fmt::format("{} cards", n + 1), Anchor::kStart, "strong");
    picture.line(kLeft, bottom, kPictureWidth - 8, bottom, "axis");
    picture.line(kLeft, y(1), kPictureWidth - 8, y(1), "mark");
    for (std::size_t c = 0; c < kChips; ++c) {
      const Estimate chance = chance_of(n, c);
      if (chance.count == 0) continue;
      const double x = kLeft + slot * (static_cast<double>(c) + 0.5);
      picture.rect(x - 14, y(chance.value), 28, std::max(bottom - y(chance.value), 0.5), "first", 0.75, 2);
      double above = y(chance.value);
      if (chance.known()) {
        picture.upright_whisker(x, y(std::max(chance.low(), 0.0)), y(chance.high()));
        above = y(chance.high());
      }
      picture.text(x, above - 4, value_text(chance, Unit::kNumber), Anchor::kMiddle, "small value");
    }
  }
  for (std::size_t c = 0; c < kChips; ++c)
    picture.text(kLeft + slot * (static_cast<double>(c) + 0.5), kTop + kRow * kMostLaid + 10, std::to_string(c + 1),
                 Anchor::kMiddle, "strong");
  picture.text(4, kTop + kRow * kMostLaid + 10, "chip", Anchor::kStart, "quiet");
  return picture.finish();
}

}  // namespace dealer::studies::seven_hand
