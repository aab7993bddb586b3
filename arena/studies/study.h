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
#include "arena/report/text.h"
#include "env/core/config.h"
#include "env/core/game.h"

namespace dealer::studies {

// The subject of a study, for reports.
struct Subject {
  std::string study, game, agent;  // with several games: the first, and its agent
  std::int64_t deals = 0;          // per game
  std::int64_t hands = 0;          // over all games
  std::uint64_t seed = 0;
  std::string version;  // of the program
  struct Played {
    std::string game, agent;
    std::int64_t hands = 0;
  };
  std::vector<Played> games = {};  // with several games; otherwise empty
  std::string strength = {};       // strength of the players, in sentences: strength_of()
};

// The results of a study.
struct StudyResults {
  nlohmann::ordered_json figures;        // as in results.json
  std::vector<std::string> conclusions;  // conclusions in sentences for people
  std::string report;                    // report.html
};

// The context for a study's work beyond its games.
struct StudyContext {
  std::filesystem::path folder;
  GamePtr game;
  AgentFactoryPtr agent;
  std::uint64_t seed = 0;
  int threads = 0;  // 0: one per processor; must not change results
  // Polled in any thread: true stops the work. Both functions are optional.
  std::function<bool()> stop;
  std::function<void(std::string_view unit, std::int64_t done, std::int64_t total)> progress;
  std::vector<AgentFactoryPtr> agents = {};  // with several games: by game
};

// The figures of one study. It is given the hands that an agent has played against itself, deal by deal, and then
// queried. To add one: a class and a StudyKind in a separate folder, declared below and listed in studies.cc.
class Study {
 public:
  virtual ~Study() = default;
  // The number of times a deal is played: once, or once for each seating of the game's players.
  virtual bool every_seating() const { return false; }
  // Deals the cards at a new table; `seating` numbers the games of a deal. The same seed and seating must deal the
  // same. Called in any thread.
  virtual void deal(Env& env, std::uint64_t seed, int /*seating*/) const { env.reset(seed); }
  // With several games: announces the game of the next hands, from 0, in order.
  virtual void begin_game(std::size_t /*game*/) {}
  // Adds a hand, from its beginning to its end with all cards visible. Deals come in order, from 0, and so do the hands
  // of a deal; deals of the second game follow those of the first.
  virtual void add(std::int64_t deal, std::span<const Event> hand) = 0;
  // Additional work after all games have been played; stored in files of the folder and resumed after an interruption.
  // Returns false if stopped. Called before the hands are added.
  virtual bool work(const StudyContext&) { return true; }
  virtual StudyResults results(const Subject& subject) const = 0;
};

// A main figure of a study: compared across the values of a rule in a sweep (sweep/).
struct Headline {
  std::string_view list;     // JSON pointer to the list of figures that it is in, an item a game; "": it stands alone
  std::string_view pointer;  // from there: to {value, ci95, n}, or to an exact plain number
  std::string_view name;     // in results.json
  std::string_view title;    // for people: "worth of entering Fantasyland"
  std::string_view unit;     // after numbers: "points"; may be empty
  Unit written = Unit::kNumber;
};

// A kind of study, selected by the key `study` of a config.
struct StudyKind {
  std::string_view what;  // for people, in a line
  std::string_view game;  // the default game
  // Reads the study's own keys from the config. Throws ConfigError if the game is unsupported.
  std::unique_ptr<Study> (*make)(Config& config, const GamePtr& game) = nullptr;
  // Replaces `make` for a study of several games, whose configs have a list `games` instead of `game`.
  std::unique_ptr<Study> (*make_of_games)(Config& config, const std::vector<GamePtr>& games) = nullptr;
  std::span<const Headline> headlines = {};
};

const std::map<std::string, StudyKind, std::less<>>& study_kinds();
// Registers a study of another program; a config names it by the key `study`. Throws UsageError if the name is taken.
void register_study(std::string name, StudyKind kind);

// The built-in studies, each in its own folder.
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
