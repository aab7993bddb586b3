#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "env/core/error.h"
#include "env/core/nearest.h"
#include "env/core/numbers.h"
#include "env/core/registry.h"
#include "env/hands/ranking.h"
#include "env/hands/ranking_rules.h"

namespace dealer {
namespace {

constexpr std::size_t kMaxCategories = 60;

std::optional<int> to_count(std::string_view text) {
  const std::optional<int> value = number_in<int>(text);
  return value >= 0 && value <= kHandCards ? value : std::nullopt;
}

}  // namespace

// Reads the keys of a ranking one by one; docs/decks.md describes them.
class RankingReader {
 public:
  RankingReader(Ranking& ranking, Config& config) : ranking_(ranking), config_(config) {}

  void read() {
    ranking_.low_ = config_.get_choice("goal", "high", {"high", "low"}) == 1;
    ranking_.aces_high_ = config_.get_choice("aces", ranking_.low_ ? "low" : "high", {"low", "high"}) == 1;
    // Read only if given: older rankings keep their text.
    if (config_.has("wheel")) ranking_.wheel_ = config_.get_bool("wheel", true);
    if (config_.has("distinct")) ranking_.distinct_ = config_.get_bool("distinct", false);
    if (config_.has("cards")) ranking_.hand_cards_ = config_.get_int<int>("cards", kHandCards, 1, kHandCards);
    ranking_.ties_ = static_cast<Ranking::Ties>(config_.get_choice("ties", "ranks", {"category", "ranks"}));
    read_own();
    read_order();
    if (config_.get_bool("five_of_a_kind", false)) add_five_of_a_kind();
    ranking_.five_of_a_kind_ = ranking_.find("K5").has_value();
    read_within();
    read_qualifier();
    ranking_.fingerprint_ = config_.resolved();
    // Texts for display: rankings that differ only in them are equal.
    read_texts();
  }

 private:
  [[noreturn]] void fail(std::string_view key, const std::string& what) const {
    throw ConfigError(config_.where(key) + ": " + what);
  }

  void read_own() {
    for (const std::string& code : config_.names("categories")) {
      const std::string key = "categories." + code;
      const std::span<const Category> built_in = vocabulary();
      if (std::any_of(built_in.begin(), built_in.end(), [&](const Category& c) { return c.code == code; }))
        fail(key, fmt::format("two categories of the code '{}': it is one of the built-in ones; choose another", code));
      Config section = config_.section("categories").section(code);
      own_.push_back({code,
                      section.get_string("name", code),
                      {},
                      {},
                      read_conditions(section, key),
                      std::nullopt,
                      config_.where(key)});
    }
    config_.section("categories");
  }

  Conditions read_conditions(Config& section, const std::string& key) {
    Conditions when;
    when.by_rank = groups(section, key, "by_rank");
    when.run = section.get_int<int>("run", 0, 0, kHandCards);
    when.trump_run = section.get_int<int>("trump_run", 0, 0, kHandCards);
    if (section.has("pair_color"))
      when.pair_mixed = section.get_choice("pair_color", "one", {"one", "mixed"}) == 1;
    else
      section.get_string("pair_color", "");
    when.highest = rank_range(section, key, "highest");
    when.by_suit = groups(section, key, "by_suit");
    when.by_extra = groups(section, key, "by_extra");
    when.by_color = groups(section, key, "by_color");
    when.suits = range(section, key, "suits");
    when.pip_suits = range(section, key, "pip_suits");
    Config of_suit = section.section("of_suit");
    for (const std::string& suit : section.names("of_suit"))
      when.of_suit.emplace_back(suit, *range(of_suit, key + ".of_suit", suit));
    when.cards = range(section, key, "cards");
    when.pips = range(section, key, "pips");
    when.trumps = range(section, key, "trumps");
    when.unranked = range(section, key, "unranked");
    when.extras = range(section, key, "extras");
    if (when.pair_mixed && when.by_rank.empty()) when.by_rank = {2};
    section.finish();
    if (when.always()) fail(key, "a category needs a condition; see docs/decks.md for what it may look at");
    return when;
  }

  // "3+2": at least these sizes, largest first.
  std::vector<int> groups(Config& section, const std::string& key, std::string_view name) const {
    const std::string text = section.get_string(name, "");
    std::vector<int> sizes;
    int sum = 0;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
      const std::size_t end = std::min(text.find('+', at), text.size());
      const std::optional<int> size = to_count(std::string_view(text).substr(at, end - at));
      if (size.value_or(0) < 1 || (sum += *size) > kHandCards)
        fail(fmt::format("{}.{}", key, name),
             fmt::format("'{}' is not allowed; expected sizes of groups, at most {} cards "
                         "in all: 3+2",
                         text, kHandCards));
      sizes.push_back(*size);
      at = end + 1;
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
  }

  // "3", "1..4".
  std::optional<CountRange> range(Config& section, const std::string& key, std::string_view name) const {
    const std::string text = section.get_string(name, "");
    if (text.empty() && !section.has(name)) return std::nullopt;
    const std::size_t dots = text.find("..");
    const std::optional<int> low = to_count(std::string_view(text).substr(0, dots));
    const std::optional<int> high = dots == std::string::npos ? low : to_count(std::string_view(text).substr(dots + 2));
    if (!low || !high || *low > *high)
      fail(fmt::format("{}.{}", key, name),
           fmt::format("'{}' is not allowed; expected a number from 0 to {} or a range of them: 1..4", text,
                       kHandCards));
    return CountRange{*low, *high};
  }

  // "9..K": two ranks of the deck.
  std::optional<std::pair<char, char>> rank_range(Config& section, const std::string& key,
                                                  std::string_view name) const {
    const std::string text = section.get_string(name, "");
    if (text.empty() && !section.has(name)) return std::nullopt;
    if (text.size() == 1) return std::pair{text[0], text[0]};
    if (text.size() != 4 || text.substr(1, 2) != "..")
      fail(fmt::format("{}.{}", key, name), fmt::format("'{}' is not allowed; expected ranks: 9..K", text));
    return std::pair{text[0], text[3]};
  }

  const Category* known(std::string_view code) const {
    for (const Category& category : own_)
      if (category.code == code) return &category;
    for (const Category& category : vocabulary())
      if (category.code == code) return &category;
    return nullptr;
  }

  void read_order() {
    const std::vector<std::string> order = config_.get_strings("order", {});
    if (order.empty()) fail("order", "a ranking needs the key 'order': codes of categories, weak to strong");
    if (order.size() > kMaxCategories)
      fail("order", fmt::format("{} categories; expected at most {}", order.size(), kMaxCategories));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::string key = fmt::format("order.{}", i);
      const Category* category = known(order[i]);
      if (category == nullptr) {
        std::vector<std::string> codes;
        for (const Category& c : vocabulary()) codes.push_back(c.code);
        for (const Category& c : own_) codes.push_back(c.code);
        fail(key, fmt::format("there is no category '{}'{}; expected one of: {}", order[i],
                              did_you_mean(order[i], codes), fmt::join(codes, ", ")));
      }
      if (ranking_.find(order[i])) fail(key, fmt::format("two categories of the code '{}'", order[i]));
      ranking_.categories_.push_back(*category);
      if (category->where.empty()) ranking_.categories_.back().where = config_.where(key);
      if (category->when.always()) ranking_.categories_.back().name = fallback_name();
    }
    check_fallback();
    for (const Category& category : own_)
      if (!ranking_.find(category.code))
        fail("categories." + category.code, fmt::format("the category '{}' is not in the order", category.code));
  }

  // The players' name for a hand without a combination.
  std::string fallback_name() const {
    if (config_.has("fallback")) return config_.get_string("fallback", "");
    if (ranking_.low_) return "no pair";
    return ranking_.ties_ == Ranking::Ties::kByRanks ? "high card" : "no hand";
  }

  // A category that always holds must be in the last place checked.
  void check_fallback() const {
    const std::vector<Category>& all = ranking_.categories_;
    const std::size_t place = ranking_.low_ ? all.size() - 1 : 0;
    const std::string_view end = ranking_.low_ ? "last" : "first";
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != place && all[i].when.always())
        fail(fmt::format("order.{}", i),
             fmt::format("'{}' holds for every hand; it must be the {} of the order", all[i].code, end));
    }
    if (!all[place].when.always())
      fail(fmt::format("order.{}", place),
           fmt::format(
               "the ranking has no fallback category; expected NON, which holds for every hand, as the {} of the "
               "order",
               end));
  }

  void add_five_of_a_kind() {
    if (ranking_.find("K5")) return;
    Category category = *known("K5");
    category.where = config_.where("five_of_a_kind");
    auto& all = ranking_.categories_;
    all.insert(ranking_.low_ ? all.begin() : all.end(), category);
  }

  void read_within() {
    Config within = config_.section("within");
    for (const std::string& code : config_.names("within")) {
      const std::string key = "within." + code;
      const std::optional<int> index = ranking_.find(code);
      if (!index) fail(key, fmt::format("there is no category '{}' in the order", code));
      Config section = within.section(code);
      constexpr std::string_view kKinds[] = {"pips", "trumps", "unranked"};
      for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
        const std::vector<std::int64_t> counts = section.get_ints(kKinds[kind], {}, 0, kHandCards);
        if (counts.empty()) continue;
        SubOrder order{static_cast<CardKind>(kind), {}};
        for (const std::int64_t count : counts) {
          if (std::find(order.counts.begin(), order.counts.end(), count) != order.counts.end())
            fail(key, fmt::format("{} {} are given twice", count, kKinds[kind]));
          order.counts.push_back(static_cast<int>(count));
        }
        auto& slot = ranking_.categories_[static_cast<std::size_t>(*index)].within;
        if (slot) fail(key, "expected one of pips, trumps, unranked, not several");
        slot = std::move(order);
      }
    }
  }

  // The texts that the file gives for a key, by category.
  template <class Take>
  void read_texts(const std::string& key, Take take) {
    Config section = config_.section(key);
    for (const std::string& code : config_.names(key)) {
      const std::optional<int> index = ranking_.find(code);
      if (!index) fail(key + '.' + code, fmt::format("there is no category '{}' in the order", code));
      take(ranking_.categories_[static_cast<std::size_t>(*index)], section, code);
    }
  }
  void read_texts() {
    read_texts("definitions", [](Category& category, Config& section, const std::string& code) {
      category.definition = section.get_string(code, "");
    });
    read_texts("examples", [](Category& category, Config& section, const std::string& code) {
      category.examples = section.get_string_or_strings(code);
    });
  }

  void read_qualifier() {
    const std::string code = config_.get_string("qualifier", "");
    if (code.empty()) return;
    const std::optional<int> index = ranking_.find(code);
    if (!index) fail("qualifier", fmt::format("there is no category '{}' in the order", code));
    ranking_.qualifier_ = *index;
  }

  Ranking& ranking_;
  Config& config_;
  std::vector<Category> own_;
};

Ranking Ranking::read(std::string name, Config& config) {
  Ranking ranking;
  ranking.name_ = std::move(name);
  RankingReader(ranking, config).read();
  return ranking;
}

RankingPtr Ranking::make(std::string_view spec) {
  NamedConfig found = open_config("ranking", "configs/rankings", spec);
  auto ranking = std::make_shared<const Ranking>(read(found.spec, found.config));
  found.config.finish();
  return ranking;
}

std::optional<int> Ranking::find(std::string_view code) const {
  for (std::size_t i = 0; i < categories_.size(); ++i)
    if (categories_[i].code == code) return static_cast<int>(i);
  return std::nullopt;
}

std::vector<std::string> ranking_names() { return config_names("configs/rankings"); }

}  // namespace dealer
