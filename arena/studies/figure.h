#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arena/report/text.h"
#include "arena/studies/estimate.h"

namespace dealer::studies {

// A name in results.json, and its title for people.
struct Named {
  std::string_view name, title;
};

// The figures of a study: a tree of named members and lists, with counters as leaves. It is declared once, in the shape
// of results.json:
//   object({{"opens", share()}, {"points", mean()}, {"tenths", list(10, counters("fold% call% raise%"))}})
// Small functions fill the counters, hand by hand; results.json, tables, charts and sentences read them by their paths,
// "positions/0/opens". A negative item counts from the end, "draws/-1"; an item may be named by the value of its first
// member, "discards/pair". Members whose names begin with '.'
// are for the report alone. Unknown paths throw std::out_of_range with the path.
class Figure {
 public:
  using Json = nlohmann::ordered_json;

  Figure() = default;  // null
  explicit Figure(Json value) : content_(std::move(value)) {}
  Figure(Estimate estimate, Unit unit) : unit_(unit), content_(estimate) {}

  Figure& operator[](std::string_view name);
  const Figure& operator[](std::string_view name) const;
  template <std::integral I>
  Figure& operator[](I item) {
    return item_at(static_cast<std::int64_t>(item));
  }
  template <std::integral I>
  const Figure& operator[](I item) const {
    return const_cast<Figure*>(this)->item_at(static_cast<std::int64_t>(item));
  }
  const Figure& at(std::string_view path) const;
  // The number of items of a list, or members of an object.
  std::size_t size() const;
  void push_back(Figure item);
  void set(std::string_view name, Figure member);  // replaces that member, or appends it

  // Adds `n` cases with the sum y. A deal's cases must be added consecutively (ClusterMean).
  void add(std::int64_t deal, double y, double n = 1);
  // The same for one of the two means or shares of a difference.
  void compare(std::int64_t deal, bool first, double y, double n = 1);
  // Adds one case in which exactly one of the items, which are shares, is true; -1, or an unknown name: none. With
  // `member`: that member of each item.
  void choose(std::int64_t deal, std::int64_t which, std::string_view member = {});
  void choose(std::int64_t deal, std::string_view name, std::string_view member = {});

  bool is_null() const;
  // An unknown estimate if this is not a figure.
  Estimate estimate() const;
  Estimate estimate(std::string_view path) const { return at(path).estimate(); }
  // An exact number.
  double number(std::string_view path) const { return at(path).to_json().get<double>(); }
  Unit unit() const { return unit_; }
  // A plain value, such as a name, unchanged; otherwise as text_of() formats it.
  std::string text() const;
  std::string text(std::string_view path) const { return at(path).text(); }
  // Replaces each path in braces by its figure: "It wins {wins} of the pots". Differences of shares are in percentage
  // points.
  std::string fill(std::string_view pattern) const;
  Json to_json() const;

 private:
  friend Figure mean(Unit unit);
  friend Figure share();
  friend Figure difference(Unit unit);
  friend Figure share_difference();
  friend Figure object(std::vector<std::pair<std::string, Figure>> members);
  friend Figure list(std::int64_t count, const Figure& item);
  friend Figure joined(Figure first, const Figure& then);

  struct Share {
    DealMean mean;
  };
  struct Tree {
    std::vector<std::string> names;  // of an object
    std::vector<Figure> items;
    bool is_list = true;
  };
  // A leaf that counts with a Counter.
  template <class Counter>
  static Figure counter(Unit unit);
  Figure& item_at(std::int64_t item);
  const Figure& step(std::string_view word) const;
  std::int64_t find(std::string_view name) const;
  Tree& tree();
  const Tree& tree() const { return const_cast<Figure*>(this)->tree(); }

  Unit unit_ = Unit::kNumber;
  std::variant<Json, Estimate, DealMean, Share, ClusterDifference, ShareDifference, Tree> content_;
};

// A mean; units: percents for shares 0 to 1, percentage points for differences of shares.
Figure mean(Unit unit = Unit::kNumber);
// A mean of values 0 to 1, with the intervals of shares.
Figure share();
// The difference of two means, and of two shares.
Figure difference(Unit unit = Unit::kNumber);
Figure share_difference();
// An exact number or another value: a name, a count, null.
inline Figure value(nlohmann::ordered_json json) { return Figure(std::move(json)); }
Figure object(std::vector<std::pair<std::string, Figure>> members);
// An object of counters with these names: "opens%" is a share, "points" a mean, "apart-%" a difference of shares,
// "apart-" one of means.
Figure counters(std::string_view names);
Figure list(std::int64_t count = 0, const Figure& item = {});
// An object with the members of both.
Figure joined(Figure first, const Figure& then);
// An object with these names as members, or a list of items with the name as member `key`.
Figure by_name(std::span<const Named> words, const Figure& member);
Figure list_of(std::span<const Named> words, std::string_view key, const Figure& item);

}  // namespace dealer::studies
