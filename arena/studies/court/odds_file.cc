#include "arena/studies/court/odds_file.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "arena/lines_file.h"
#include "arena/output.h"
#include "env/core/error.h"

namespace dealer::studies::court {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUnit = "decks";

struct Stopped {};

std::string line_of(const Evaluator& evaluator, const DeckCounts& counts) {
  // An unknown interval is null.
  Json ci95 = Json::array();
  for (const double half : counts.drawn_ci95) ci95.emplace_back(number_or_null(half));
  return Json{{"deck", evaluator.deck().name()},
              {"ranking", evaluator.ranking().name()},
              {"hands", counts.hands},
              {"counts", counts.counts},
              {"dealt", counts.dealt},
              {"drawn", counts.drawn},
              {"ci95", ci95},
              {"samples", counts.samples},
              {"strength_dealt", counts.strength_dealt},
              {"strength", counts.strength},
              {"discarded", counts.discarded}}
             .dump() +
         '\n';
}

bool read_line(std::string_view line, const Evaluator& evaluator, DeckCounts& counts) {
  try {
    const Json json = Json::parse(line);
    if (json.at("deck") != evaluator.deck().name() || json.at("ranking") != evaluator.ranking().name()) return false;
    json.at("hands").get_to(counts.hands);
    json.at("counts").get_to(counts.counts);
    json.at("dealt").get_to(counts.dealt);
    json.at("drawn").get_to(counts.drawn);
    for (const Json& half : json.at("ci95"))
      counts.drawn_ci95.push_back(half.is_null() ? std::numeric_limits<double>::infinity() : half.get<double>());
    json.at("samples").get_to(counts.samples);
    json.at("strength_dealt").get_to(counts.strength_dealt);
    json.at("strength").get_to(counts.strength);
    json.at("discarded").get_to(counts.discarded);
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  const std::size_t categories = evaluator.ranking().categories().size();
  return counts.counts.size() == categories && counts.dealt.size() == categories && counts.drawn.size() == categories &&
         counts.drawn_ci95.size() == categories;
}

}  // namespace

bool count_decks(const StudyContext& place, const std::vector<EvaluatorPtr>& decks, std::int64_t samples,
                 const std::filesystem::path& file) {
  LinesFile lines(file, std::string(kUnit));
  std::int64_t before = 0, total = 0;
  for (std::size_t i = 0; i < decks.size(); ++i) {
    const std::int64_t work = work_of(*decks[i], samples);
    total += work;
    if (static_cast<std::int64_t>(i) < lines.done()) before += work;
  }
  // Reported at intervals: there are millions of hands.
  const std::int64_t step = std::max<std::int64_t>(1, total / 1000);
  std::int64_t reported = before;
  while (lines.done() < static_cast<std::int64_t>(decks.size())) {
    const Evaluator& deck = *decks[static_cast<std::size_t>(lines.done())];
    const auto progress = [&](std::int64_t done, std::int64_t) {
      if (before + done < reported + step) return;
      reported = before + done;
      if (place.stop && place.stop()) throw Stopped();
      if (place.progress) place.progress("hands of decks", reported, total);
    };
    if (place.stop && place.stop()) return false;
    try {
      const DeckCounts counts = count_deck(deck, samples, place.seed, progress);
      lines.append(line_of(deck, counts), lines.done() + 1);
    } catch (const Stopped&) {
      return false;
    }
    before += work_of(deck, samples);
    if (place.progress) place.progress("hands of decks", before, total);
  }
  return true;
}

std::vector<DeckOdds> read_decks(const std::filesystem::path& file, const std::vector<EvaluatorPtr>& decks) {
  std::vector<DeckOdds> odds;
  LinesFile::read(file, kUnit, [&](std::string_view line) {
    DeckCounts counts;
    if (odds.size() == decks.size() || !read_line(line, *decks[odds.size()], counts)) return false;
    odds.push_back(odds_of(*decks[odds.size()], counts));
    return true;
  });
  return odds;
}

}  // namespace dealer::studies::court
