#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "arena/studies/report/text.h"
#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// What was studied, for reports.
struct Subject {
  std::string study, game, agent;  // of several games: the first, and who played it
  std::int64_t deals = 0;          // of each game
  std::int64_t hands = 0;          // of all of them
  std::uint64_t seed = 0;
  std::string version;  // of the program
  struct Played {
    std::string game, agent;
    std::int64_t hands = 0;
  };
  std::vector<Played> games = {};  // each of several; of a study of one game empty
  std::string strength = {};       // how strong who played is, in sentences: strength_of()
};

// What a study comes to.
struct StudyResults {
  nlohmann::ordered_json figures;        // as results.json has them
  std::vector<std::string> conclusions;  // what follows from them, in sentences for people
  std::string report;                    // report.html
};

// Where a study does what it does beside its games.
struct StudyContext {
  std::filesystem::path folder;
  GamePtr game;
  AgentFactoryPtr agent;
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one for each processor; must change nothing
  // Asked again and again, in any thread: true stops the work. Both may be missing.
  std::function<bool()> stop;
  std::function<void(std::string_view unit, std::int64_t done, std::int64_t total)> progress;
  std::vector<AgentFactoryPtr> agents = {};  // of a study of several games: by game
};

// The figures of one study. It is told the hands that an agent has played against itself, deal by deal, and then asked.
// To add one: a class and a StudyKind in a folder of its own, which is declared below and named in studies.cc.
class Study {
 public:
  virtual ~Study() = default;
  // How often a deal is played: once, or once for each seating of the game's players.
  virtual bool every_seating() const { return false; }
  // Puts the cards of a game on a table that was just made; `seating` counts the games of a deal. The same seed and
  // seating must deal the same. Called in any thread.
  virtual void deal(Env& env, std::uint64_t seed, int /*seating*/) const { env.reset(seed); }
  // Of a study of several games: which of them the next hands are of, from 0, in order.
  virtual void begin_game(std::size_t /*game*/) {}
  // A hand, from its beginning to its end as those see it who see every card. Deals come in order, from 0, and so do
  // the hands of a deal; deals of the second game follow those of the first.
  virtual void add(std::int64_t deal, std::span<const Event> hand) = 0;
  // More work, once all games have been played; it is kept in files of the folder and goes on where it was stopped.
  // Returns false when it was stopped. Called before the hands are told.
  virtual bool work(const StudyContext&) { return true; }
  virtual StudyResults results(const Subject& subject) const = 0;
};

// A figure that tells most of what a study is about: what is compared where a rule takes several values (sweep/).
struct Headline {
  std::string_view list;     // JSON pointer to the list of figures that it is in, an item a game; "": it stands alone
  std::string_view pointer;  // from there: to {value, ci95, n}, or to a plain number, which is exact
  std::string_view name;     // in results.json
  std::string_view title;    // for people: "worth of entering Fantasyland"
  std::string_view unit;     // behind numbers: "points"; may be empty
  Unit written = Unit::kNumber;
};

// What the key `study` of a config names.
struct StudyKind {
  std::string_view what;  // for people, in a line
  std::string_view game;  // that is studied unless the config says otherwise
  // Asks the config for the keys of its own. Throws ConfigError when this game cannot be studied so.
  std::unique_ptr<Study> (*make)(Config& config, const GamePtr& game) = nullptr;
  // Instead of `make`: of a study of several games, whose configs have a list `games` in place of `game`.
  std::unique_ptr<Study> (*make_of_games)(Config& config, const std::vector<GamePtr>& games) = nullptr;
  std::span<const Headline> headlines = {};
};

const std::map<std::string, StudyKind, std::less<>>& study_kinds();
// Adds a study of another program; a config names it by the key `study`. Throws UsageError when the name is taken.
void register_study(std::string name, StudyKind kind);

// The studies of the project, each in its folder.
namespace court {
extern const StudyKind kKind;
}
namespace draw {
extern const StudyKind kKind;
}
namespace fantasyland {
extern const StudyKind kKind;
}
namespace seven_hand {
extern const StudyKind kKind;
}
namespace washizu {
extern const StudyKind kKind;
}

}  // namespace dealer::studies
