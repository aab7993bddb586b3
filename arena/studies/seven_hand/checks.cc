#include "arena/studies/seven_hand/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "agents/seven_hand/preference.h"
#include "arena/match.h"
#include "arena/studies/lines_file.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/random.h"

namespace dealer::studies::seven_hand {
namespace {

using dealer::seven_hand::Preference;
using dealer::seven_hand::preferences;

constexpr std::string_view kChecksUnit = "checks", kPrefers = "prefers";
// The cards are others than those of the self-play.
constexpr std::uint64_t kCheckDeals = 0x434845434b;

// A difference, and what is preferred where it lies above 0 and below.
constexpr std::array<std::array<std::string_view, 3>, 5> kAdvice = {{
    {"middle_ends_many", "many_middle", "many_ends"},
    {"middle_ends_few", "few_middle", "few_ends"},
    {"opposed_empty", "opposed", "empty"},
    {"many_few_early", "many_early", "few_early"},
    {"many_few_late", "many_late", "few_late"},
}};

const Preference* find(std::string_view name) {
  const auto found = std::find_if(preferences().begin(), preferences().end(),
                                  [&](const Preference& each) { return each.name == name; });
  return found == preferences().end() ? nullptr : &*found;
}

AgentFactoryPtr with_preference(const StudyContext& place, std::string_view name) {
  Spec spec = parse_spec(place.agent->spec());
  spec.options.emplace_back(kPrefers, name);
  try {
    return make_agents(to_string(spec), place.game);
  } catch (const ConfigError&) {
    return nullptr;  // no option of this agent
  }
}

}  // namespace

std::vector<std::string_view> advised(const Figure& advice) {
  std::vector<std::string_view> names;
  if (advice.is_null()) return names;
  for (const auto& [difference, above, below] : kAdvice) {
    const Estimate seen = advice["differences"][difference].estimate();
    if (seen.above(0)) names.push_back(above);
    if (seen.below(0)) names.push_back(below);
  }
  return names;
}

bool play_checks(const StudyContext& place, const std::vector<std::string_view>& preferences, std::int64_t deals,
                 const std::filesystem::path& file) {
  LinesFile checks(file, std::string(kChecksUnit));
  const auto all = static_cast<std::int64_t>(preferences.size());
  for (std::int64_t c = checks.done(); c < all; ++c) {
    const std::string_view name = preferences[static_cast<std::size_t>(c)];
    MatchOptions match;
    match.game = place.game;
    match.agents = {with_preference(place, name), place.agent};
    if (match.agents[0] == nullptr) return true;
    match.deals = deals;
    match.seed = derive(place.seed, kCheckDeals);
    match.threads = place.threads;
    match.strict = true;
    match.stop = place.stop;
    if (place.progress)
      match.progress = [&](std::int64_t done) { place.progress("deals", c * deals + done, all * deals); };
    const MatchResult result = play_match(match);
    if (result.interrupted) return false;
    const ClusteredRatio& points = result.agents[0].points;
    checks.append(
        fmt::format("{} {:.9g} {:.9g} {}\n", name, points.ratio(), points.half_width95(), result.hands_played), c + 1);
  }
  return true;
}

Figure count_checks(const std::filesystem::path& file) {
  Figure checks = list();
  LinesFile::read(file, kChecksUnit, [&](std::string_view line) {
    Words words(line);
    const std::string_view name = words.take();
    const auto points = words.number<double>(), ci95 = words.number<double>();
    const auto hands = words.number<double>();
    const Preference* const preference = find(name);
    if (preference == nullptr || !points || !ci95 || !hands || !words.at_end()) return false;
    checks.push_back(object({{std::string(kPrefers), value(name)},
                             {".what", value(preference->what)},
                             {"points", Figure(Estimate{*points, *ci95, *hands}, Unit::kNumber)}}));
    return true;
  });
  return checks;
}

}  // namespace dealer::studies::seven_hand
