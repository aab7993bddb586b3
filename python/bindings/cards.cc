#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agents/ofc/fantasyland.h"
#include "env/cards/deck.h"
#include "env/core/error.h"
#include "env/games/ofc/game.h"
#include "env/hands/evaluator.h"
#include "env/hands/ranking.h"
#include "python/bindings/bindings.h"

namespace dealer::python {
namespace {

// Wrappers in place of the classes: evaluators cached for the whole program must not keep Python objects.
// Pickle makes them again from the spec.
struct HeldDeck {
  DeckPtr deck;
  std::string spec;
};
struct HeldRanking {
  RankingPtr ranking;
  std::string spec;
};

constexpr std::size_t kMostCards = 7;

struct Hand {
  HandValue value = 0;
  std::string code, name;
  bool qualifies = true;
};
using HandState = std::tuple<HandValue, std::string, std::string, bool>;

// A text with cards, or a sequence of texts and numbers.
std::vector<CardId> cards_of(const Deck& deck, nb::handle cards) {
  if (nb::isinstance<nb::str>(cards)) return deck.parse(nb::cast<std::string>(cards));
  std::string text;
  for (const nb::handle card : nb::iter(cards)) {
    if (nb::isinstance<nb::str>(card)) {
      text += nb::cast<std::string>(card) + ' ';
      continue;
    }
    const auto number = nb::cast<std::int64_t>(nb::int_(nb::borrow(card)));
    if (number < 0 || number >= deck.size())
      throw UsageError(fmt::format("card {} of deck '{}'; expected 0 to {}", number, deck.name(), deck.size() - 1));
    text += deck.to_string(static_cast<CardId>(number)) + ' ';
  }
  return deck.parse(text);
}

Hand evaluate(const Evaluator& evaluator, nb::handle cards) {
  const std::vector<CardId> ids = cards_of(evaluator.deck(), cards);
  if (ids.empty() || ids.size() > kMostCards)
    throw UsageError(fmt::format("{} cards; expected 1 to {}", ids.size(), kMostCards));
  const auto count = static_cast<int>(ids.size());
  const HandValue value = evaluator.evaluate(ids);
  const Category& category =
      evaluator.ranking().categories()[static_cast<std::size_t>(evaluator.category(value, count))];
  return {value, category.code, category.name, evaluator.qualifies(value, count)};
}

using Cards = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::numpy, HandValue, nb::ndim<1>>;

Values evaluate_many(const Evaluator& evaluator, const Cards& hands) {
  const std::size_t count = hands.shape(0), cards = hands.shape(1);
  if (cards != 5 && cards != 7) throw UsageError(fmt::format("hands of {} cards; expected 5 or 7", cards));
  const std::span<const CardId> ids(hands.data(), count * cards);
  auto values = std::make_unique<HandValue[]>(count);
  {
    const nb::gil_scoped_release release;
    for (std::size_t hand = 0; hand < count; ++hand) {
      const std::span<const CardId> these = ids.subspan(hand * cards, cards);
      for (std::size_t i = 0; i < cards; ++i)
        if (these[i] >= evaluator.deck().size() || std::ranges::count(these.first(i), these[i]) > 0)
          throw UsageError(fmt::format("hand {}: card {} is given twice or not in deck '{}', which has 0 to {}", hand,
                                       these[i], evaluator.deck().name(), evaluator.deck().size() - 1));
    }
    const std::span<HandValue> to(values.get(), count);
    cards == 5 ? evaluator.evaluate5(ids, to) : evaluator.evaluate7(ids, to);
  }
  return array_of(std::move(values), count);
}

HeldDeck deck_of(const std::string& spec) { return {Deck::make(spec), spec}; }
HeldRanking ranking_of(const std::string& spec) { return {Ranking::make(spec), spec}; }

HeldDeck to_deck(nb::handle deck) {
  return nb::isinstance<HeldDeck>(deck) ? nb::cast<HeldDeck>(deck) : deck_of(nb::cast<std::string>(deck));
}
// None: the deck's own ranking.
HeldRanking to_ranking(nb::handle ranking, const Deck& deck) {
  if (ranking.is_none()) return ranking_of(deck.default_ranking());
  return nb::isinstance<HeldRanking>(ranking) ? nb::cast<HeldRanking>(ranking)
                                              : ranking_of(nb::cast<std::string>(ranking));
}

// Made again from its specs.
template <class... Specs>
nb::tuple made_from(nb::handle self, const Specs&... specs) {
  return nb::make_tuple(self.type(), nb::make_tuple(specs...));
}

// Compiled, or taken from the cache.
struct HeldEvaluator {
  HeldEvaluator(nb::handle deck_or_spec, nb::handle ranking_or_spec)
      : deck(to_deck(deck_or_spec)),
        ranking(to_ranking(ranking_or_spec, *deck.deck)),
        evaluator(make_evaluator(deck.deck, ranking.ranking)) {}
  HeldDeck deck;
  HeldRanking ranking;
  EvaluatorPtr evaluator;
};

nb::dict fantasyland(nb::handle cards, double stay_value, nb::handle spec) {
  const GamePtr game = to_game(spec);
  const ofc::Game* const ofc = ofc::as_ofc(*game);
  if (ofc == nullptr)
    throw UsageError(fmt::format("'{}' is not Open-Face Chinese; expected 'ofc' or a file of it", game->spec()));
  if (!std::isfinite(stay_value)) throw UsageError("stay_value must be a finite number of points");
  const DeckPtr deck = Deck::make("standard_52");
  CardSet set = 0;
  for (const CardId card : cards_of(*deck, cards)) set |= bit(card);
  if (size(set) < ofc::kMinFantasylandCards || size(set) > ofc::kMaxFantasylandCards)
    throw UsageError(fmt::format("{} cards given; a Fantasyland hand has {} to {}", size(set),
                                 ofc::kMinFantasylandCards, ofc::kMaxFantasylandCards));
  const ofc::GameRules rules = ofc->rules();
  const ofc::FantasylandGoal goal{.stay_value = stay_value, .rules = &rules.scoring};
  ofc::Setting best;
  {
    const nb::gil_scoped_release release;
    best = solve_fantasyland(set, goal);
  }
  nb::dict dict;
  dict["front"] = to_string(best.board.row[ofc::kFront]);
  dict["middle"] = to_string(best.board.row[ofc::kMiddle]);
  dict["back"] = to_string(best.board.row[ofc::kBack]);
  dict["discard"] = to_string(best.discards);
  dict["royalties"] = best.royalties;
  dict["stays"] = best.stays;
  dict["value"] = best.value;
  return dict;
}

void bind_deck(nb::module_& module) {
  nb::class_<HeldDeck>(module, "Deck",
                       "The cards of a game: 'standard_52[jokers=1]', or the path of a YAML file.\n"
                       "Cards are numbers 0 to len(deck) - 1. docs/decks.md lists the keys.")
      .def(
          "__init__", [](HeldDeck* self, const std::string& spec) { new (self) HeldDeck(deck_of(spec)); },
          nb::arg("spec") = "standard_52")
      .def("__reduce__", [](nb::handle self) { return made_from(self, nb::cast<const HeldDeck&>(self).spec); })
      .def_prop_ro("name", [](const HeldDeck& self) { return self.deck->name(); })
      .def_prop_ro("default_ranking", [](const HeldDeck& self) { return self.deck->default_ranking(); })
      .def_prop_ro("jokers", [](const HeldDeck& self) { return self.deck->jokers(); })
      .def("__len__", [](const HeldDeck& self) { return self.deck->size(); })
      .def_prop_ro(
          "cards",
          [](const HeldDeck& self) {
            std::vector<std::string> texts;
            for (const DeckCard& card : self.deck->cards()) texts.push_back(card.text);
            return texts;
          },
          "Their texts: 'As', 't13', 'X1'.")
      .def(
          "parse", [](const HeldDeck& self, nb::handle cards) { return cards_of(*self.deck, cards); }, nb::arg("cards"),
          nb::sig("def parse(self, cards: str | Iterable[str | int]) -> list[int]"),
          "Numbers of cards in the order given: 'Kd Qd 6h', or texts and numbers one by one. Raises ParseError on "
          "what\n"
          "is no card and on a card given twice.")
      .def(
          "to_string",
          [](const HeldDeck& self, nb::handle cards) { return self.deck->to_string(cards_of(*self.deck, cards)); },
          nb::arg("cards"), nb::sig("def to_string(self, cards: str | Iterable[str | int]) -> str"),
          "Texts of cards, separated by blanks.")
      .def("__repr__", [](const HeldDeck& self) {
        return fmt::format("Deck('{}', {} cards)", self.deck->name(), self.deck->size());
      });
  module.def("decks", &deck_names, "The names of the decks there are, sorted.");
}

void bind_ranking(nb::module_& module) {
  nb::class_<HeldRanking>(module, "Ranking",
                          "A ranking of hands: 'high[five_of_a_kind=true]', or the path of a YAML file.")
      .def(
          "__init__", [](HeldRanking* self, const std::string& spec) { new (self) HeldRanking(ranking_of(spec)); },
          nb::arg("spec") = "high")
      .def("__reduce__", [](nb::handle self) { return made_from(self, nb::cast<const HeldRanking&>(self).spec); })
      .def_prop_ro("name", [](const HeldRanking& self) { return self.ranking->name(); })
      .def_prop_ro(
          "low", [](const HeldRanking& self) { return self.ranking->low(); },
          "Ties are won by the lower ranks: lowball.")
      .def_prop_ro(
          "categories",
          [](const HeldRanking& self) {
            std::vector<std::string> names;
            for (const Category& category : self.ranking->categories()) names.push_back(category.name);
            return names;
          },
          "Their names, weak to strong.")
      .def("__repr__", [](const HeldRanking& self) { return fmt::format("Ranking('{}')", self.ranking->name()); });
  module.def("rankings", &ranking_names, "The names of the rankings there are, sorted.");
}

void bind_evaluator(nb::module_& module) {
  nb::class_<Hand>(module, "Hand", "What a hand is worth.")
      .def_ro("value", &Hand::value,
              "Higher beats lower, equal ties, among hands of as many cards (5, 6 and 7 count as the same).")
      .def_ro("code", &Hand::code, "Of the category: 'P1'.")
      .def_ro("category", &Hand::name, "'one pair'")
      .def_ro("qualifies", &Hand::qualifies, "Whether it may win (8 or better in high-low).")
      .def("__getstate__", [](const Hand& hand) { return HandState(hand.value, hand.code, hand.name, hand.qualifies); })
      .def("__setstate__",
           [](Hand& hand, const HandState& state) {
             const auto& [value, code, name, qualifies] = state;
             new (&hand) Hand{value, code, name, qualifies};
           })
      .def("__repr__", [](const Hand& hand) { return fmt::format("Hand({}, value={})", hand.name, hand.value); });
  nb::class_<HeldEvaluator>(module, "Evaluator", "A ranking compiled for a deck; None: the deck's own.")
      .def(
          nb::init<nb::handle, nb::handle>(), nb::arg("deck") = "standard_52", nb::arg("ranking") = nb::none(),
          nb::sig("def __init__(self, deck: str | Deck = 'standard_52', ranking: str | Ranking | None = None) -> None"))
      .def_prop_ro("deck", [](const HeldEvaluator& self) { return self.deck; })
      .def_prop_ro("ranking", [](const HeldEvaluator& self) { return self.ranking; })
      .def("__reduce__",
           [](nb::handle self) {
             const auto& held = nb::cast<const HeldEvaluator&>(self);
             return made_from(self, held.deck.spec, held.ranking.spec);
           })
      .def(
          "evaluate", [](const HeldEvaluator& self, nb::handle cards) { return evaluate(*self.evaluator, cards); },
          nb::arg("cards"), nb::sig("def evaluate(self, cards: str | Iterable[str | int]) -> Hand"),
          "1 to 7 cards, of six and seven the best five.")
      .def(
          "evaluate_many",
          [](const HeldEvaluator& self, const Cards& hands) { return evaluate_many(*self.evaluator, hands); },
          nb::arg("hands"), nb::sig("def evaluate_many(self, hands: NDArray[numpy.uint8]) -> NDArray[numpy.uint32]"),
          "uint8 [n, 5] or [n, 7] of card numbers, each hand's distinct; returns uint32 [n], as Hand.value. Other\n"
          "threads of Python run meanwhile.");
  module.def(
      "evaluate",
      [](nb::handle deck, nb::handle cards, nb::handle ranking) {
        return evaluate(*HeldEvaluator(deck, ranking).evaluator, cards);
      },
      nb::arg("deck"), nb::arg("cards"), nb::arg("ranking") = nb::none(),
      nb::sig("def evaluate(deck: str | Deck, cards: str | Iterable[str | int], ranking: str | Ranking | None = None) "
              "-> Hand"),
      "The value of 1 to 7 cards of a deck under a ranking; None: the deck's own. An Evaluator is faster for many "
      "hands.");
}

}  // namespace

void bind_cards(nb::module_& module) {
  bind_deck(module);
  bind_ranking(module);
  bind_evaluator(module);
  module.def(
      "fantasyland", &fantasyland, nb::arg("cards"), nb::arg("stay_value") = 0.0, nb::arg("game") = "ofc",
      nb::sig("def fantasyland(cards: str | Iterable[str | int], stay_value: float = 0.0, "
              "game: str | Game = 'ofc') -> dict[str, Any]"),
      "The best setting of 13 to 17 cards of the standard deck: as `dealer ofc fantasyland`, {front, middle, back,\n"
      "discard, royalties, stays, value}. Maximised is royalties + stay_value (points) if the board stays in\n"
      "Fantasyland.");
}

}  // namespace dealer::python
