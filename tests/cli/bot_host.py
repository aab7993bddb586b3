#!/usr/bin/env python3
"""Whether an agent decides the same at a table of examples/bots/host.py as at one of ours.

bot_host.py record FILE COMMAND    a bot that passes all on to another one, and writes down what it was asked
bot_host.py replay GAME A B COMMAND    plays the hands of two such files again, at the other engine, without numbers
"""
import collections
import json
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "bots"))
import host  # noqa: E402


def record(file, command):
    bot = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    with open(file, "w", encoding="utf-8") as log:
        for line in sys.stdin:
            message = json.loads(line)
            bot.stdin.write(line)
            bot.stdin.flush()
            if message["type"] == "request":
                assert "numbers" in message
            elif message["type"] in ("begin", "events"):
                log.write(line)
            if message["type"] in ("hello", "request"):
                answer = json.loads(bot.stdout.readline())
                if message["type"] == "hello":
                    # One episode after the other, and every card.
                    answer |= {"tables": 1, "events": True}
                else:
                    log.write(json.dumps(answer) + "\n")
                print(json.dumps(answer), flush=True)
    bot.stdin.close()
    bot.wait(10)


def episodes(file):
    with open(file, encoding="utf-8") as log:
        for line in log:
            message = json.loads(line)
            if message["type"] == "begin":
                episode = message | {"answers": [], "events": []}
                yield episode
            elif message["type"] == "events":
                episode["events"] += message["events"]
            else:
                episode["answers"].append(message["index"])


class Recorded:
    """The cards of a hand, as both players saw their own."""

    def __init__(self, both, hand):
        self.cards = collections.defaultdict(list)
        for episode in both:
            at = -1
            for event in episode["events"]:
                at += event["event"] == "hand_begun"
                if at == hand and event["event"] in ("dealt", "drew") and event["seat"] == episode["seat"]:
                    self.cards[event["seat"]] += event["cards"]

    def deal(self, seat, count):
        dealt, self.cards[seat] = self.cards[seat][:count], self.cards[seat][count:]
        assert len(dealt) == count
        return dealt


class Compared:
    """A bot whose answers must be those that were written down."""

    def __init__(self, bot):
        self.bot, self.hear, self.decisions = bot, bot.hear, 0

    def expect(self, answers):
        self.answers = collections.deque(answers)

    def begin(self, seat, seed):
        self.bot.begin(seat, seed)

    def decide(self, legal, position):
        index = self.bot.decide(legal, position)
        expected = self.answers.popleft()
        assert index == expected, f"decision {self.decisions}: {index}, at our table {expected}"
        self.decisions += 1
        return index


def replay(game, files, command):
    players = [Compared(host.Bot(command, game)) for _ in files]
    assert all(player.bot.hello["numbers"] is False for player in players)
    hands = 0
    for both in zip(*(list(episodes(file)) for file in files)):
        seats = [None, None]
        for episode, player in zip(both, players):
            seats[episode["seat"]] = (player, episode["seed"])
            player.expect(episode["answers"])
        at_table, seeds = zip(*seats)
        begun = [event for event in both[0]["events"] if event["event"] == "hand_begun"]
        ended = [event["net"] for event in both[0]["events"] if event["event"] == "hand_ended"]
        net = [sum(of_seat) for of_seat in zip(*ended)]
        if game == "draw":
            won = host.play_draw(at_table, seeds, Recorded(both, 0), begun[0]["dealer"])
        else:
            decks = iter(range(len(begun)))
            won = host.play_ofc(at_table, seeds, lambda: Recorded(both, next(decks)), begun[0]["dealer"])
        assert won == net, f"{won} won; at our table {net}"
        assert not any(player.answers for player in players)
        hands += len(begun)
    for player in players:
        player.bot.close()
    print(json.dumps({"hands": hands, "decisions": sum(player.decisions for player in players)}))


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2], sys.argv[3])
    else:
        replay(sys.argv[2], sys.argv[3:5], sys.argv[5])
