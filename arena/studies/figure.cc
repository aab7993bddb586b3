#include "arena/studies/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "env/core/numbers.h"

namespace dealer::studies {
namespace {

[[noreturn]] void fail(std::string_view what, std::string_view name) {
  throw std::out_of_range(fmt::format("figure '{}' {}", name, what));
}

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

Figure::Tree& Figure::tree() {
  if (Tree* const tree = std::get_if<Tree>(&content_)) return *tree;
  fail("has no members", text());
}

// -1: no such name.
std::int64_t Figure::find(std::string_view name) const {
  const Tree& own = tree();
  const auto is_named = [&](std::size_t i) {
    if (!own.is_list) return own.names[i] == name;
    const Tree* const item = std::get_if<Tree>(&own.items[i].content_);
    const Json* const first = item == nullptr ? nullptr : std::get_if<Json>(&item->items.front().content_);
    return first != nullptr && first->is_string() && first->get_ref<const std::string&>() == name;
  };
  for (std::size_t i = 0; i < own.items.size(); ++i)
    if (is_named(i)) return static_cast<std::int64_t>(i);
  return -1;
}

Figure& Figure::operator[](std::string_view name) {
  const std::int64_t item = find(name);
  if (item < 0) fail("is not there", name);
  return tree().items[static_cast<std::size_t>(item)];
}

const Figure& Figure::operator[](std::string_view name) const { return const_cast<Figure&>(*this)[name]; }

Figure& Figure::item_at(std::int64_t item) {
  Tree& own = tree();
  const auto count = static_cast<std::int64_t>(own.items.size());
  if (item < -count || item >= count) fail(fmt::format("is not among {} items", count), std::to_string(item));
  return own.items[static_cast<std::size_t>(item < 0 ? item + count : item)];
}

// An item by its index or its name.
const Figure& Figure::step(std::string_view word) const {
  const std::optional<std::int64_t> item = number_in<std::int64_t>(word);
  return item ? (*this)[*item] : (*this)[word];
}

const Figure& Figure::at(std::string_view path) const {
  const Figure* figure = this;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    try {
      figure = &figure->step(word);
    } catch (const std::out_of_range& error) {
      throw std::out_of_range(fmt::format("{}: {}", path, error.what()));
    }
  }
  return *figure;
}

bool Figure::is_null() const {
  const Json* const plain = std::get_if<Json>(&content_);
  return plain != nullptr && plain->is_null();
}

std::size_t Figure::size() const { return tree().items.size(); }

void Figure::push_back(Figure item) { tree().items.push_back(std::move(item)); }

void Figure::set(std::string_view name, Figure member) {
  if (find(name) >= 0) {
    (*this)[name] = std::move(member);
    return;
  }
  tree().names.emplace_back(name);
  tree().items.push_back(std::move(member));
}

void Figure::add(std::int64_t deal, double y, double n) {
  if (Share* const share = std::get_if<Share>(&content_)) return share->mean.add(deal, y, n);
  std::get<DealMean>(content_).add(deal, y, n);
}

void Figure::compare(std::int64_t deal, bool first, double y, double n) {
  if (ShareDifference* const shares = std::get_if<ShareDifference>(&content_)) return shares->add(deal, first, y, n);
  std::get<ClusterDifference>(content_).add(deal, first, y, n);
}

void Figure::choose(std::int64_t deal, std::int64_t which, std::string_view member) {
  Tree& own = tree();
  if (own.items.empty()) return;
  // Items have the same shape, so the member has the same index in all of them.
  const std::int64_t place = member.empty() ? -1 : own.items.front().find(member);
  if (place < 0 && !member.empty()) fail("is not there", member);
  for (std::size_t i = 0; i < own.items.size(); ++i) {
    Figure& item = member.empty() ? own.items[i] : own.items[i].item_at(place);
    if (std::holds_alternative<Share>(item.content_)) item.add(deal, when(static_cast<std::int64_t>(i) == which));
  }
}

void Figure::choose(std::int64_t deal, std::string_view name, std::string_view member) {
  choose(deal, find(name), member);
}

Estimate Figure::estimate() const {
  return std::visit(
      Overloaded{[](const Json&) { return Estimate(); }, [](const Tree&) { return Estimate(); },
                 [](const Estimate& estimate) { return estimate; }, [](const Share& of) { return of.mean.share(); },
                 [](const auto& counter) { return counter.estimate(); }},
      content_);
}

std::string Figure::text() const {
  if (std::holds_alternative<Tree>(content_)) return "…";
  const Json* const plain = std::get_if<Json>(&content_);
  if (plain == nullptr) return text_of(estimate(), unit_);
  if (plain->is_null()) return "–";
  return plain->is_string() ? plain->get<std::string>() : plain->dump();
}

std::string Figure::fill(std::string_view pattern) const {
  std::string filled;
  for (std::size_t from = 0; (from = pattern.find('{')) != std::string_view::npos;) {
    const std::size_t to = pattern.find('}', from);
    const Figure& figure = at(pattern.substr(from + 1, to - from - 1));
    filled += pattern.substr(0, from);
    filled += figure.unit_ == Unit::kPercentagePoints ? percentage_points(figure.estimate()) : figure.text();
    pattern.remove_prefix(to + 1);
  }
  return filled.append(pattern);
}

Figure::Json Figure::to_json() const {
  if (const Json* const plain = std::get_if<Json>(&content_)) return *plain;
  const Tree* const own = std::get_if<Tree>(&content_);
  if (own == nullptr) return studies::to_json(estimate());
  Json json = own->is_list ? Json::array() : Json::object();
  for (std::size_t i = 0; i < own->items.size(); ++i) {
    if (own->is_list)
      json.push_back(own->items[i].to_json());
    else if (!own->names[i].starts_with('.'))
      json[own->names[i]] = own->items[i].to_json();
  }
  return json;
}

template <class Counter>
Figure Figure::counter(Unit unit) {
  Figure figure;
  figure.unit_ = unit;
  figure.content_.emplace<Counter>();
  return figure;
}

Figure mean(Unit unit) { return Figure::counter<DealMean>(unit); }
Figure share() { return Figure::counter<Figure::Share>(Unit::kPercent); }
Figure difference(Unit unit) { return Figure::counter<ClusterDifference>(unit); }
Figure share_difference() { return Figure::counter<ShareDifference>(Unit::kPercentagePoints); }

Figure object(std::vector<std::pair<std::string, Figure>> members) {
  Figure figure;
  Figure::Tree& tree = figure.content_.emplace<Figure::Tree>();
  tree.is_list = false;
  for (std::pair<std::string, Figure>& member : members) {
    tree.names.push_back(std::move(member.first));
    tree.items.push_back(std::move(member.second));
  }
  return figure;
}

Figure counters(std::string_view names) {
  Figure figure = object({});
  while (!names.empty()) {
    std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    const auto take = [&](char mark) {
      const bool has_it = name.ends_with(mark);
      if (has_it) name.remove_suffix(1);
      return has_it;
    };
    const bool is_share = take('%'), is_difference = take('-');
    figure.set(name, is_difference ? (is_share ? share_difference() : difference()) : (is_share ? share() : mean()));
  }
  return figure;
}

Figure list(std::int64_t count, const Figure& item) {
  Figure figure;
  figure.content_.emplace<Figure::Tree>();
  for (std::int64_t i = 0; i < count; ++i) figure.push_back(item);
  return figure;
}

Figure joined(Figure first, const Figure& then) {
  for (std::size_t i = 0; i < then.size(); ++i) first.set(then.tree().names[i], then[i]);
  return first;
}

Figure by_name(std::span<const Named> words, const Figure& member) {
  Figure figure = object({});
  for (const Named& word : words) figure.set(word.name, member);
  return figure;
}

Figure list_of(std::span<const Named> words, std::string_view key, const Figure& item) {
  Figure figure = list();
  for (const Named& word : words) figure.push_back(joined(object({{std::string(key), value(word.name)}}), item));
  return figure;
}

}  // namespace dealer::studies
