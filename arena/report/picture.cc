#include "arena/report/picture.h"

#include <fmt/format.h>

#include "arena/report/text.h"

namespace dealer::studies {
namespace {

constexpr double kCap = 3;

std::string text_of(std::span<const Picture::Point> points) {
  std::string text;
  for (const auto& [x, y] : points) text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "" : " ", x, y);
  return text;
}

}  // namespace

Picture::Picture(double height, std::string_view what)
    : svg_(fmt::format(R"(<svg viewBox="0 0 {0:g} {1:g}" role="img" aria-label="{2}">
<title>{2}</title>
)",
                       kPictureWidth, height, escape(what))) {}

Picture::Picture(double width, double height, std::string_view what, std::string_view style)
    : svg_(fmt::format(
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" role="img">
<style>{2}</style>
<title>{3}</title>
)",
          width, height, style, escape(what))) {}

void Picture::rect(double x, double y, double width, double height, std::string_view look, double opacity,
                   double radius) {
  svg_ += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}")", x, y, width, height,
                      look);
  if (opacity < 1) svg_ += fmt::format(" fill-opacity=\"{:.2f}\"", opacity);
  if (radius > 0) svg_ += fmt::format(" rx=\"{:g}\"", radius);
  svg_ += "/>\n";
}

void Picture::line(double x1, double y1, double x2, double y2, std::string_view look) {
  svg_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2, y2,
                      look);
}

void Picture::circle(double x, double y, double radius, std::string_view look) {
  svg_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"/>\n", x, y, radius, look);
}

void Picture::path(std::span<const Point> points, std::string_view look) {
  svg_ += fmt::format("<polyline points=\"{}\" class=\"{}\"/>\n", text_of(points), look);
}

void Picture::area(std::span<const Point> points, std::string_view look, double opacity) {
  svg_ +=
      fmt::format("<polygon points=\"{}\" class=\"{}\" fill-opacity=\"{:.2f}\"/>\n", text_of(points), look, opacity);
}

void Picture::text(double x, double y, std::string_view text, Anchor anchor, std::string_view look) {
  const std::string_view side = anchor == Anchor::kStart ? "start" : anchor == Anchor::kEnd ? "end" : "middle";
  svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y, side, look,
                      escape(text));
}

void Picture::upright_whisker(double x, double from, double to) {
  line(x, from, x, to, "whisker");
  line(x - kCap, from, x + kCap, from, "whisker");
  line(x - kCap, to, x + kCap, to, "whisker");
}

void Picture::level_whisker(double y, double from, double to) {
  line(from, y, to, y, "whisker");
  line(from, y - kCap, from, y + kCap, "whisker");
  line(to, y - kCap, to, y + kCap, "whisker");
}

}  // namespace dealer::studies
