#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "arena/studies/estimate.h"

namespace dealer::studies {

// The width of pictures, in the units of their text: readable on a phone.
inline constexpr double kPictureWidth = 380;

// An SVG picture for a Page, whose style gives the classes their looks: first, second, good, felt, card, chip, axis,
// mark, whisker, curve, of lines second, too; of text quiet, small, value, strong, large, on.
class Picture {
 public:
  // `what` is the alternative text.
  Picture(double height, std::string_view what);
  // A standalone picture with its own style.
  Picture(double width, double height, std::string_view what, std::string_view style);

  void rect(double x, double y, double width, double height, std::string_view look, double opacity = 1,
            double radius = 0);
  void line(double x1, double y1, double x2, double y2, std::string_view look);
  void circle(double x, double y, double radius, std::string_view look);
  using Point = std::array<double, 2>;  // x, y
  void path(std::span<const Point> points, std::string_view look);
  // Fills the polygon.
  void area(std::span<const Point> points, std::string_view look, double opacity);
  enum class Anchor { kStart, kMiddle, kEnd };
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::kMiddle, std::string_view look = "");
  // Draws an interval with a short line at either end.
  void upright_whisker(double x, double from, double to);
  void level_whisker(double y, double from, double to);

  std::string finish() const { return svg_ + "</svg>\n"; }

 private:
  std::string svg_;
};

}  // namespace dealer::studies
