#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// One of the games of a study of several, and who played all its seats.
struct StudiedGame {
  std::string game, agent;
  std::int64_t hands = 0;
};

// What was studied, for reports.
struct Subject {
  std::string study, game, agent;  // of a study of several games: the first one and its agent
  std::int64_t deals = 0;          // of each game
  std::int64_t hands = 0;          // of all games
  std::uint64_t seed = 0;
  std::string version;                  // of the program
  std::vector<StudiedGame> games = {};  // of a study of several games, else empty
};

// What a study comes to.
struct Findings {
  nlohmann::ordered_json figures;        // as results.json has them
  std::vector<std::string> conclusions;  // what follows from them, in sentences for people
  std::string report;                    // report.html
};

// The figures of one study. It is told the hands that an agent has played against itself, deal by deal, and then asked.
// To add one: a class and a StudyKind in a folder of its own, and a line in study_kinds() in studies.cc.
class Study {
 public:
  virtual ~Study() = default;
  // How often a deal is played: once, or once for each seating of the game's players.
  virtual bool every_seating() const { return false; }
  // The hands that follow are of this game, counted from 0: of a study of several, before the first of each.
  virtual void begin_game(int /*game*/) {}
  // Puts the cards of a game on a table that was just made; `seating` counts the games of a deal. The same seed and
  // seating must deal the same. Called in any thread.
  virtual void deal(Env& env, std::uint64_t seed, int /*seating*/) const { env.reset(seed); }
  // A hand, from its beginning to its end as those see it who see every card. Deals come in order, from 0, and so do
  // the hands of a deal.
  virtual void add(std::int64_t deal, std::span<const Event> hand) = 0;
  virtual Findings findings(const Subject& subject) const = 0;
};

// What the key `study` of a config names.
struct StudyKind {
  std::string_view what;  // for people, in a line
  std::string_view game;  // that is studied unless the config says otherwise
  // Asks the config for the keys of its own. Throws ConfigError when this game cannot be studied so.
  std::unique_ptr<Study> (*make)(Config& config, const GamePtr& game) = nullptr;
  // The same of a study of several games, in the order of its key `games`; then `make` is null. The deals of a game are
  // numbered on where those of the one before end.
  std::unique_ptr<Study> (*make_several)(Config& config, std::span<const GamePtr> games) = nullptr;

  bool has_several() const { return make_several != nullptr; }
};

const std::map<std::string, StudyKind, std::less<>>& study_kinds();

}  // namespace dealer::studies
