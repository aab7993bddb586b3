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

#include "arena/studies/estimate.h"
#include "arena/studies/report/text.h"

namespace dealer::studies {

// The name of something in results.json, and what people call it.
struct Named {
  std::string_view name, title;
};

// The figures of a study: a tree of named members and lists, with counters as leaves. It is declared once, in the shape
// of results.json:
//   object({{"opens", share()}, {"points", mean()}, {"tenths", list(10, share())}})
// Small functions fill the counters, hand by hand; results.json, tables, charts and sentences read them by their paths,
// "positions/0/opens". A negative item counts from the end, "draws/-1"; an item may be named by the value of its first
// member, "discards/pair". Members whose names begin with '.'
// are for the report alone. What is not there throws std::out_of_range with its path.
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
  // Items of a list, or members of an object.
  std::size_t size() const;
  void push_back(Figure item);
  void set(std::string_view name, Figure member);  // in place of that member, or behind the others

  // `n` cases that add up to y. A deal's cases are added one after the other (ClusterMean).
  void add(std::int64_t deal, double y, double n = 1);
  // The same, for one of the two means or shares of a difference.
  void compare(std::int64_t deal, bool first, double y, double n = 1);
  // One case, in which one of the items that are shares is true; -1, or no name of one: none. With `member`: that
  // member of each item.
  void choose(std::int64_t deal, std::int64_t which, std::string_view member = {});
  void choose(std::int64_t deal, std::string_view name, std::string_view member = {});

  bool is_null() const;
  // Nothing known where it is no figure.
  Estimate estimate() const;
  Estimate estimate(std::string_view path) const { return at(path).estimate(); }
  Unit unit() const { return unit_; }
  // Of a plain value, such as a name: as it stands; otherwise as text_of() writes it.
  std::string text() const;
  std::string text(std::string_view path) const { return at(path).text(); }
  // "It wins {wins} of the pots": each path in braces replaced by its figure. Differences of shares are in percentage
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
  Figure& item_at(std::int64_t item);
  const Figure& step(std::string_view word) const;
  std::int64_t find(std::string_view name) const;
  Tree& tree();
  const Tree& tree() const { return const_cast<Figure*>(this)->tree(); }

  Unit unit_ = Unit::kNumber;
  std::variant<Json, Estimate, DealMean, Share, ClusterDifference, ShareDifference, Tree> content_;
};

// A mean; percents: of what is 0 to 1 in the end, and percentage points: of differences of such.
Figure mean(Unit unit = Unit::kNumber);
// The mean of values 0 to 1, with the intervals of shares.
Figure share();
// Of two means, and of two shares.
Figure difference(Unit unit = Unit::kNumber);
Figure share_difference();
// What is exact or no figure: a name, a count, null.
inline Figure value(nlohmann::ordered_json json) { return Figure(std::move(json)); }
Figure object(std::vector<std::pair<std::string, Figure>> members);
Figure list(std::int64_t count = 0, const Figure& item = {});
// An object with the members of both.
Figure joined(Figure first, const Figure& then);
// Members with these names, or of which each is an item that has its name as `key`.
Figure by_name(std::span<const Named> words, const Figure& member);
Figure list_of(std::span<const Named> words, std::string_view key, const Figure& item);

}  // namespace dealer::studies
