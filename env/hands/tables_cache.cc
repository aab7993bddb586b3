#include "env/hands/tables_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "env/core/crc32c.h"
#include "env/core/error.h"
#include "env/core/files.h"

namespace dealer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "dealer tables 1\n";
constexpr std::size_t kMaxFile = std::size_t{1} << 30;

std::string identity(const RankingRules& rules) {
  return fmt::format("{}{}---\n{}", kMagic, rules.deck().fingerprint(), rules.ranking().fingerprint());
}

// FNV-1a as a file name; the contents are compared in full. The program is not part of the name, so that a new one
// replaces the files of the old.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325ULL;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return value;
}

class Writer {
 public:
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes_ += value;
  }
  template <class T>
  void list(const std::vector<T>& values) {
    text({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void table(const PackedTable& table) {
    number(table.width());
    text(table.bytes());
  }
  std::string finish() && {
    number(crc32c(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

// Everything is read as a copy; invalid data throws Malformed.
struct Malformed {};
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    const std::string_view raw = take(sizeof(T));
    std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  std::string_view text() { return take(number<std::uint64_t>()); }
  template <class T>
  std::vector<T> list(std::size_t size) {
    const std::string_view raw = text();
    require(raw.size() == size * sizeof(T));
    std::vector<T> values(size);
    if (size > 0) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  template <class T>
  std::vector<T> list() {
    const std::size_t size = Reader(*this).number<std::uint64_t>() / sizeof(T);
    return list<T>(size);
  }
  // Numbers below `end`.
  PackedTable table(std::size_t size, std::size_t end) {
    const int width = number<int>();
    require(width == 1 || width == 2 || width == 4);
    const std::string_view raw = text();
    require(raw.size() == size * static_cast<std::size_t>(width) + PackedTable::kPadding);
    PackedTable table(raw, width);
    for (std::size_t i = 0; i < size; ++i) require(table[i] < end);
    return table;
  }
  bool at_end() const { return bytes_.empty(); }
  static void require(bool holds) {
    if (!holds) throw Malformed{};
  }

 private:
  std::string_view take(std::uint64_t size) {
    require(size <= bytes_.size());
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

void write(Writer& out, const HandTables& tables) {
  out.number(tables.columns);
  out.list(tables.column_of_sum);
  out.list(tables.values);
  out.list(tables.keys);
  out.table(tables.rows);
}

HandTables read_hands(Reader& in, int cards, const EvaluatorTables& tables) {
  HandTables hands;
  hands.cards = cards;
  hands.columns = in.number<std::uint32_t>();
  hands.column_of_sum = in.list<std::uint8_t>(tables.suits.size);
  hands.values = in.list<std::uint32_t>();
  hands.keys = in.list<std::uint64_t>();
  const auto all = [](const auto& values, std::size_t end) {
    return std::all_of(values.begin(), values.end(), [&](auto value) { return value < end; });
  };
  Reader::require(hands.columns > 0 && hands.values.size() % hands.columns == 0);
  Reader::require(all(hands.column_of_sum, hands.columns) && all(hands.values, hands.keys.size()));
  Reader::require(std::is_sorted(hands.keys.begin(), hands.keys.end()));
  hands.rows = in.table(kind_multisets(tables.kinds.size(), cards), hands.values.size() / hands.columns);
  return hands;
}

void write(Writer& out, const BestOfTables& best) {
  for (const PackedTable& table : best.by_ranks) out.table(table);
  for (const auto& table : best.by_suits) out.list(table);
  for (const auto& table : best.one_suit) out.list(table);
  out.number(best.trump_run);
  out.number(best.run_length);
}

BestOfTables read_best(Reader& in, const RankingRules& rules, std::size_t values) {
  BestOfTables best = empty_best_of(rules);
  for (std::size_t i = 0; i < best.by_ranks.size(); ++i)
    best.by_ranks[i] = in.table(kind_multisets(best.kinds.size(), kHandCards + 1 + static_cast<int>(i)), values);
  const auto below = [&](const std::vector<std::uint32_t>& table) {
    return std::all_of(table.begin(), table.end(),
                       [&](std::uint32_t value) { return (value & ~BestOfTables::kLook) < values; });
  };
  for (auto& table : best.by_suits) Reader::require(below(table = in.list<std::uint32_t>(best.suits.size)));
  for (auto& table : best.one_suit) {
    table = in.list<std::uint32_t>();
    Reader::require(below(table) && (table.empty() || table.size() == std::size_t{1} << rules.ranks()));
  }
  best.trump_run = in.number<std::uint32_t>();
  best.run_length = in.number<int>();
  Reader::require(best.trump_run < values && (best.run_length == 0 || best.run_length == kHandCards));
  return best;
}

}  // namespace

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (fs::path own = variable("DEALER_CACHE"); !own.empty()) return own;
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "dealers_choice";
  const fs::path home = variable("HOME");
  return home.empty() ? home : home / ".cache" / "dealers_choice";
}

fs::path tables_file(const RankingRules& rules) {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / fmt::format("tables-{:016x}", hash(identity(rules)));
}

bool load_tables(const RankingRules& rules, EvaluatorTables& tables, std::string_view program) {
  const fs::path file = tables_file(rules);
  std::error_code unreadable;
  if (file.empty() || !fs::is_regular_file(file, unreadable)) return false;
  try {
    const std::string bytes = read_file(file, kMaxFile);
    constexpr std::size_t kSum = sizeof(std::uint32_t);
    Reader::require(bytes.size() >= kSum);
    const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - kSum);
    Reader::require(Reader(std::string_view(bytes).substr(body.size())).number<std::uint32_t>() == crc32c(body));
    Reader in(body);
    Reader::require(in.text() == identity(rules) && in.text() == program);
    std::array<HandTables, kHandCards> of_size;
    for (int cards = 1; cards <= kHandCards; ++cards)
      of_size[static_cast<std::size_t>(cards) - 1] = read_hands(in, cards, tables);
    std::optional<BestOfTables> best_of;
    if (in.number<std::uint8_t>() != 0) best_of = read_best(in, rules, of_size.back().keys.size());
    Reader::require(in.at_end());
    tables.of_size = std::move(of_size);
    tables.best_of = std::move(best_of);
    return true;
  } catch (const Malformed&) {
    return false;
  } catch (const FileError&) {
    return false;
  }
}

void save_tables(const RankingRules& rules, const EvaluatorTables& tables, std::string_view program) {
  const fs::path file = tables_file(rules);
  if (file.empty()) return;
  Writer out;
  out.text(identity(rules));
  out.text(program);
  for (const HandTables& hands : tables.of_size) write(out, hands);
  out.number(std::uint8_t{tables.best_of.has_value()});
  if (tables.best_of) write(out, *tables.best_of);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  try {
    write_file(file, std::move(out).finish());
  } catch (const FileError&) {
    return;
  }
}

}  // namespace dealer
