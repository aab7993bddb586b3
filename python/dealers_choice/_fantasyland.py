"""The inputs of OFC networks for the value of Fantasyland, which follow those of afterstates() (docs/weights.md)."""

from __future__ import annotations

import numpy as np

from ._core import Game, Observation

# The cards of a Fantasyland hand after a pair below kings, kings, aces and trips in front.
_FRONTS = ("cards", "cards_after_kings", "cards_after_aces", "cards_after_trips")
_VALUES = 48  # the value of entering in points, 0 to 47
_LEAST, _MOST = 13, 17  # cards
FANTASYLAND_FEATURES = len(_FRONTS) * _VALUES + _MOST - _LEAST + 1


def scoring(game: Game) -> dict[str, str]:
    """The rules that the value of Fantasyland depends on, by their keys: 'fantasyland.cards'."""
    rules = {key: text for key, text in _rules(game).items() if key.startswith(("fantasyland.", "points.", "royalties."))}
    for after in (*_FRONTS[1:], "cards_after_stay"):
        rules.setdefault(f"fantasyland.{after}", rules["fantasyland.cards"])
    return rules


class FantasylandInputs:
    """The additional inputs of the positions of a game; the first of them has the number `first`."""

    def __init__(self, game: Game, first: int):
        rules = scoring(game)
        self._game, self._first = game, first
        self._cards = np.array([int(rules[f"fantasyland.{front}"]) for front in _FRONTS])
        self._same = len({text for key, text in rules.items() if key.startswith("fantasyland.cards")}) == 1
        self._counts = _rules(game)["episode"] != "hand"

    def features(self, observation: Observation, chain_values: np.ndarray) -> list[list[int]]:
        """The features that are 1, for every opponent in the game, as the rows of afterstates().

        chain_values: the tensor of the file, [6, 6, 2] or, of earlier files, [2, 2, 2].
        """
        from . import named_parts

        parts = named_parts(self._game, observation)
        levels = np.minimum(self._cards - _LEAST + 1, len(chain_values) - 1)
        worth = chain_values[levels, 0, int(parts["dealer"][0] != 0)].clip(0, _VALUES - 1) * self._counts
        entries = np.floor(worth) + (worth % 1 >= 0.5)  # half a point is rounded up
        common = [self._first + front * _VALUES + int(entry) for front, entry in enumerate(entries)]
        others = zip(parts["fantasyland"][1:], parts["out"][1:])
        return [common + self._opponent(float(fantasyland)) for fantasyland, out in others if not out]

    def _opponent(self, part: float) -> list[int]:
        if part == 0:
            return []
        cards = int(self._cards[0]) if self._same else round(part * _MOST)
        return [self._first + len(_FRONTS) * _VALUES + cards - _LEAST]


def _rules(game: Game) -> dict[str, str]:
    """The rules of the game, a YAML file of nested keys with one word each, by their whole keys."""
    rules: dict[str, str] = {}
    path: list[str] = []
    for line in game.rules.splitlines():
        key, _, text = line.strip().partition(":")
        depth = (len(line) - len(line.lstrip())) // 2
        path = [*path[:depth], key]
        if text:
            rules[".".join(path)] = text.strip()
    return rules
