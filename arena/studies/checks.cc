#include "arena/studies/checks.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "agents/agent_registry.h"
#include "arena/lines_file.h"
#include "arena/match.h"
#include "arena/report/grid.h"
#include "env/core/at.h"
#include "env/core/error.h"
#include "env/core/numbers.h"
#include "env/core/random.h"
#include "env/core/registry.h"

namespace dealer::studies {
namespace {

constexpr std::string_view kChecksUnit = "checks", kPrefers = "prefers";
// The deals differ from those of the self-play.
constexpr std::uint64_t kCheckDeals = 0x434845434b;

AgentFactoryPtr with_preference(const StudyContext& place, std::string_view name) {
  Spec spec = parse_spec(place.agent->spec());
  spec.options.emplace_back(kPrefers, name);
  try {
    return make_agents(to_string(spec), place.game);
  } catch (const UsageError&) {
    return nullptr;  // no such option, or an agent without a policy
  }
}

}  // namespace

bool play_checks(const StudyContext& place, std::span<const std::string_view> preferences, std::int64_t deals,
                 const std::filesystem::path& file) {
  LinesFile checks(file, std::string(kChecksUnit));
  const auto all = static_cast<std::int64_t>(preferences.size());
  for (std::int64_t c = checks.done(); c < all; ++c) {
    const std::string_view name = preferences[static_cast<std::size_t>(c)];
    MatchOptions match;
    match.game = place.game;
    match.agents.assign(at(place.game->players()), place.agent);
    match.agents[0] = with_preference(place, name);
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

Figure count_checks(const std::filesystem::path& file,
                    const std::function<std::string_view(std::string_view preference)>& what_of) {
  Figure checks = list();
  LinesFile::read(file, kChecksUnit, [&](std::string_view line) {
    Words words(line);
    const std::string_view name = words.take(), what = what_of(name);
    const auto points = words.number<double>(), ci95 = words.number<double>();
    const auto hands = words.number<double>();
    if (what.empty() || !points || !ci95 || !hands || !words.at_end()) return false;
    checks.push_back(object({{std::string(kPrefers), value(name)},
                             {".what", value(what)},
                             {"points", Figure(Estimate{*points, *ci95, *hands}, Unit::kNumber)}}));
    return true;
  });
  return checks;
}

void say_checks(const Figure& checks, Sentences& say) {
  for (std::size_t c = 0; c < checks.size(); ++c)
    say.say(checks[c],
            {"points", "Tested against the agent, the advice wins", "Tested against the agent, the advice loses",
             "No difference was seen when the advice was tested against the agent",
             "a player that {.what} whenever it can, and otherwise plays like the agent, wins {points} a "
             "hand from it"});
}

void add_checks(Page& page, const Figure& checks, std::string_view unit) {
  if (checks.size() == 0) return;
  page.subheading("Tests of the advice");
  page.paragraph(
      "An action that is better on average need not be better every time. In each test a player takes one action "
      "whenever it can, otherwise plays like the agent, and meets the agent.");
  std::vector<Entry> rows;
  for (std::size_t c = 0; c < checks.size(); ++c) rows.push_back({checks[c].text(".what"), std::to_string(c)});
  add_table(page, {checks, "the player", rows, {{fmt::format("{} a hand", unit), "*/points"}}});
}

}  // namespace dealer::studies
