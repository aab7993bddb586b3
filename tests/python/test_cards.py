"""Decks, rankings, evaluators, Fantasyland."""

import numpy as np
import pytest

import dealers_choice as dc


def test_decks():
    deck = dc.Deck()
    assert len(deck) == 52 and deck.cards[51] == "Ac" and deck.default_ranking == "high"
    assert deck.parse("2s Ac") == [0, 51] == deck.parse(["2s", 51]) == deck.parse(np.array([0, 51]))
    assert deck.to_string([51, 0]) == "Ac 2s"
    assert len(dc.Deck("standard_52[jokers=1]")) == 53 and dc.Deck("standard_52[jokers=1]").jokers == 1
    assert "court_tarot_54" in dc.decks() and "high" in dc.rankings()
    for cards, error in [("1s", dc.ParseError), ("As As", dc.ParseError), ([52], dc.UsageError), ([-1], dc.UsageError)]:
        with pytest.raises(error):
            deck.parse(cards)
    with pytest.raises(dc.UsageError, match="standard_52"):
        dc.Deck("standart_52")


def test_hands_in_order():
    weak_to_strong = [
        "2s 3d 4h 5c 7s", "2s 2d 4h 5c 7s", "2s 2d 4h 4c 7s", "2s 2d 2h 4c 7s", "As 2d 3h 4c 5s",
        "2s 4s 6s 8s Ts", "2s 2d 2h 4c 4s", "2s 2d 2h 2c 4s", "2s 3s 4s 5s 6s", "Ts Js Qs Ks As",
    ]
    hands = [dc.evaluate("standard_52", cards) for cards in weak_to_strong]
    assert all(a.value < b.value for a, b in zip(hands, hands[1:]))
    names = dc.Ranking("high").categories
    places = [names.index(hand.category) for hand in hands]
    assert places == sorted(places) and len(set(places)) == 9
    assert hands[1].category == "one pair" and hands[1].qualifies
    low = [dc.evaluate("standard_52", cards, "ace_to_five") for cards in ("2s 3d 4h 5c 7s", "2s 2d 4h 5c 7s")]
    assert low[0].value > low[1].value and dc.Ranking("ace_to_five").low
    seven = dc.evaluate(dc.Deck(), "Ts Js Qs Ks As 2d 2h", dc.Ranking("high"))
    assert seven.value == hands[-1].value
    for cards in ("", "2s 3s 4s 5s 6s 7s 8s 9s"):
        with pytest.raises(dc.UsageError, match="expected 1 to 7"):
            dc.evaluate("standard_52", cards)


@pytest.mark.parametrize("cards", [5, 7])
def test_many_hands_at_once(cards):
    evaluator, rng = dc.Evaluator(), np.random.default_rng(1)
    hands = np.array([rng.choice(52, cards, replace=False) for _ in range(300)], np.uint8)
    values = evaluator.evaluate_many(hands)
    assert values.dtype == np.uint32
    assert values.tolist() == [evaluator.evaluate(hand).value for hand in hands]
    hands[17, 1] = hands[17, 0]
    with pytest.raises(dc.UsageError, match="hand 17"):
        evaluator.evaluate_many(hands)
    hands[17, 1] = 52
    with pytest.raises(dc.UsageError, match="card 52"):
        evaluator.evaluate_many(hands)
    with pytest.raises(dc.UsageError, match="5 or 7"):
        evaluator.evaluate_many(np.zeros((2, 6), np.uint8))
    assert evaluator.deck.name == "standard_52" and evaluator.ranking.name == "high"


def test_fantasyland():
    cards = "As Ah Ad Ks Kh Kd Qs Qh 2c 3c 4c 5c 6c 9h"
    plain, staying = dc.fantasyland(cards), dc.fantasyland(cards, stay_value=20)
    for best in (plain, staying):
        placed = [*best["front"].split(), *best["middle"].split(), *best["back"].split(), *best["discard"].split()]
        assert sorted(placed) == sorted(cards.split())
        assert [len(best[row].split()) for row in ("front", "middle", "back")] == [3, 5, 5]
    assert plain["value"] == plain["royalties"]
    assert staying["value"] == staying["royalties"] + 20 * staying["stays"] >= plain["value"]
    assert dc.fantasyland(dc.Deck().parse(cards)) == plain
    scoring = dc.fantasyland(cards, game="ofc[royalties.back.straight_flush=90]")
    assert scoring["royalties"] >= 90 > plain["royalties"]
    for bad, words in [("As Ks", "2 cards"), (cards + " As", "As"), ("joker", "joker")]:
        with pytest.raises(dc.UsageError, match=words):
            dc.fantasyland(bad)
    with pytest.raises(dc.UsageError, match="Open-Face"):
        dc.fantasyland(cards, game="draw")
    with pytest.raises(dc.UsageError, match="finite"):
        dc.fantasyland(cards, stay_value=float("nan"))
