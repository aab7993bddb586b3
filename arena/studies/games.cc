#include "arena/studies/games.h"

#include <fmt/format.h>

#include <algorithm>

#include "arena/report/parts.h"
#include "env/core/error.h"
#include "env/core/registry.h"

namespace dealer::studies {

void check_games(Config& config, const std::vector<GamePtr>& games,
                 const std::function<std::string(const Game& game)>& fault_of) {
  for (const GamePtr& game : games) {
    const std::string fault = fault_of(*game);
    if (fault.empty()) continue;
    // Equal games of the key appear once in the list.
    const std::vector<std::string> names = config.get_strings("games", {});
    const auto same = [&](const std::string& name) { return make_game(name)->spec() == game->spec(); };
    const auto at = std::find_if(names.begin(), names.end(), same) - names.begin();
    throw ConfigError(fmt::format("{}: '{}' {}", config.where(fmt::format("games.{}", at)), game->spec(), fault));
  }
}

Figure games_of(const Subject& subject, const std::vector<Figure>& games) {
  Figure all = list();
  for (std::size_t g = 0; g < games.size(); ++g)
    all.push_back(
        joined(object({{"game", value(subject.games[g].game)}, {"agent", value(subject.games[g].agent)}}), games[g]));
  return object({{"games", all}});
}

std::vector<std::string> titles_of(const Figure& all, std::string_view key) {
  std::vector<std::string> names, agents;
  for (std::size_t g = 0; g < all["games"].size(); ++g) {
    names.push_back(all["games"][g].text(key));
    agents.push_back(all["games"][g].text("agent"));
  }
  return distinct(std::move(names), agents);
}

std::vector<std::string> conclusions_of(const Figure& all, const std::vector<std::string>& titles,
                                        const std::function<void(const Figure& game, Sentences& say)>& say) {
  Sentences sentences;
  for (std::size_t g = 0; g < titles.size(); ++g) {
    if (titles.size() > 1) sentences.begin_with(titles[g] + " – ");
    say(all["games"][g], sentences);
  }
  return sentences.take();
}

}  // namespace dealer::studies
