#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/hands_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "env/core/error.h"
#include "env/core/files.h"
#include "env/core/nearest.h"
#include "train/progress.h"

namespace dealer::cli {
namespace {

struct HandsArguments {
  std::string deck;
  std::string ranking;
  int cards = 0;  // 0: the ranking's number
  std::string plot;
  int draws = 0;
  std::string draw_for;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> compare;
  bool json = false;
};

constexpr std::int64_t kMaxRandomHands = 1'000'000'000;

// Prints the progress of the counting on standard error, if it takes long.
class CountingProgress {
 public:
  CensusProgress function() {
    return [this](std::int64_t done, std::int64_t total) {
      if (!progress_) progress_.emplace("hands", total, ProgressOptions::standard("hands", false));
      progress_->update(done);
    };
  }
  void finish() {
    if (progress_) progress_->finish();
    progress_.reset();
  }

 private:
  std::optional<Progress> progress_;
};

int category_index(const Ranking& ranking, const std::string& code) {
  if (const std::optional<int> index = ranking.find(code)) return *index;
  std::vector<std::string> codes;
  for (const Category& category : ranking.categories()) codes.push_back(category.code);
  throw UsageError(fmt::format("the ranking '{}' has no category '{}'{}; expected one of: {}", ranking.name(), code,
                               did_you_mean(code, codes), fmt::join(codes, ", ")));
}

void check_hands_arguments(const HandsArguments& options) {
  const bool drawing = options.draws > 0 || !options.draw_for.empty();
  if (!options.compare.empty() && (drawing || !options.plot.empty()))
    throw UsageError("--compare allows only --ranking and --json beside it");
  if (drawing && options.cards == 7) throw UsageError("draws need hands of five cards; expected --cards 5");
  if (!drawing && options.samples > 0) throw UsageError("--samples needs --draws 1");
}

void compare(const HandsArguments& options, const Evaluator& evaluator) {
  const Deck& deck = evaluator.deck();
  const HandComparison result =
      compare_hands(evaluator, deck.parse(options.compare[0]), deck.parse(options.compare[1]));
  if (options.json) return print_json(comparison_json(result, evaluator));
  print(comparison_text(result, evaluator));
}

// Warns of categories that can never win, and of those that never occur with seven cards.
std::vector<std::string> warnings_of(const Evaluator& evaluator, const Census& census) {
  const int whole = evaluator.ranking().hand_cards();
  const Census of_whole = census.cards == whole ? census : take_census(evaluator, whole);
  std::vector<std::string> lines;
  for (const Unreachable& found : find_unreachable(evaluator, of_whole)) lines.push_back(found.message);
  for (std::size_t i = 0; i < census.rows.size(); ++i)
    if (census.rows[i].weight == 0 && of_whole.rows[i].weight > 0)
      lines.push_back(fmt::format("{}: no hand of seven cards counts as '{}': every such hand holds something stronger",
                                  evaluator.ranking().categories()[i].where, census.rows[i].code));
  return lines;
}

std::optional<DrawOdds> draw(const HandsArguments& options, const Evaluator& evaluator) {
  if (options.draws == 0 && options.draw_for.empty()) return std::nullopt;
  DrawOptions draw;
  if (!options.draw_for.empty()) draw.at_least = category_index(evaluator.ranking(), options.draw_for);
  draw.samples = options.samples;
  draw.seed = options.seed;
  CountingProgress progress;
  draw.progress = progress.function();
  DrawOdds odds = draw_odds(evaluator, draw);
  progress.finish();
  return odds;
}

void run_hands(const HandsArguments& options) {
  check_hands_arguments(options);
  const DeckPtr deck = Deck::make(options.deck);
  const RankingPtr ranking = Ranking::make(options.ranking.empty() ? deck->default_ranking() : options.ranking);
  const EvaluatorPtr evaluator = make_evaluator(deck, ranking);
  if (!options.compare.empty()) return compare(options, *evaluator);
  CountingProgress progress;
  const Census census =
      take_census(*evaluator, options.cards == 0 ? ranking->hand_cards() : options.cards, progress.function());
  progress.finish();
  const std::vector<std::string> warnings = warnings_of(*evaluator, census);
  for (const std::string& warning : warnings) notify("dealer: " + warning);
  const std::optional<DrawOdds> odds = draw(options, *evaluator);
  if (!options.plot.empty()) write_file(options.plot, census_svg(census, deck->name(), ranking->name()));
  if (!options.json) {
    print(census_table(census, deck->name(), ranking->name()));
    if (odds) print(draw_table(*odds));
    return;
  }
  nlohmann::ordered_json json = census_json(census, deck->name(), ranking->name());
  json["remarks"] = warnings;
  if (odds) json["draw"] = draw_json(*odds);
  print_json(json);
}

}  // namespace

void add_hands(CLI::App& program) {
  const auto options = std::make_shared<HandsArguments>();
  CLI::App* command =
      add_command(program, "hands", "Counts the hands of a deck exactly and checks whether rarer hands rank higher",
                  {"dealer hands court_tarot_54", "dealer hands standard_52 --cards 7",
                   "dealer hands my/deck.yaml --plot ladder.svg", "dealer hands court_tarot_54 --draw-for FL",
                   "dealer hands standard_52 --compare 'As Ah Kd Kc 2s' 'Qs Qh Qd 3c 2d'"});
  command
      ->add_option("DECK", options->deck,
                   "The name of a deck or the path of its .yaml file, with options in brackets: standard_52[jokers=1]")
      ->required();
  add_text(command, "--ranking", options->ranking,
           "Use another ranking instead of the deck's: a name in configs/rankings, or a path",
           "the name of a ranking or the path of a .yaml file");
  command
      ->add_option("--cards", options->cards,
                   "Cards in a hand: as many as the ranking says (default), or 7 for the best five of seven")
      ->check(one_of({"4", "5", "7"}));
  add_text(command, "--plot", options->plot, "Write a picture of the categories by rarity, as SVG",
           "the path of a file");
  add_number(command, "--draws", options->draws,
             "1: also count the hands after one draw, each with the discards that give the best hand on average", 0, 1)
      ->capture_default_str();
  add_text(command, "--draw-for", options->draw_for,
           "Like --draws 1, but with the discards that make this category or a stronger one most likely",
           "the code of a category, as in FL");
  add_number(command, "--samples", options->samples, "Count the draws of this many random hands instead of all", 0,
             kMaxRandomHands);
  add_seed(command, options->seed, "The same seed draws the same hands");
  command->add_option("--compare", options->compare, "Compare two hands of one to seven cards: which wins, and why")
      ->expected(2);
  add_json(command, options->json);
  bind(command, options, run_hands);
}

}  // namespace dealer::cli
