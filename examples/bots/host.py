#!/usr/bin/env python3
"""A host with an engine of its own: plays hands of `draw` or `ofc` against bots, as docs/bot-protocol.md describes.

It knows nothing of our observations: a request has the choices, and the events contain the rest.

python3 examples/bots/host.py draw 'dealer bot --agent default --game draw' 'dealer bot --agent rule --game draw'
python3 examples/bots/host.py ofc 'dealer bot --agent default --game ofc' 'dealer bot --agent rule --game ofc' --hands 100
"""
import argparse
import collections
import json
import random
import shlex
import subprocess
import sys

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "shdc"]  # by card number
NUMBER = {card: number for number, card in enumerate(DECK)}


class Bot:
    """A program that speaks the protocol, at one table."""

    def __init__(self, command, spec):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.requests = 0
        self.send(type="hello", protocol=1, host="host.py", spec=spec)
        self.hello = self.receive("hello")

    def send(self, **message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def receive(self, kind):
        for line in self.process.stdout:
            message = json.loads(line)
            if message["type"] == "error":
                raise RuntimeError(f"the bot says: {message['message']}")
            if message["type"] == kind:
                return message
        raise RuntimeError("the bot has ended")

    def begin(self, seat, seed):
        self.seat = seat
        self.send(type="begin", table=0, seat=seat, seed=str(seed))

    def hear(self, events):
        if events:
            self.send(type="events", table=0, events=events)

    def decide(self, legal, position):
        """The number of one of the legal actions, {number: (kind, text)}."""
        self.requests += 1
        self.send(type="request", id=self.requests, table=0, seat=self.seat, deadline=10, position=position,
                  legal=[{"index": number, "kind": kind, "text": text} for number, (kind, text) in legal.items()])
        answer = self.receive("answer")
        if answer["id"] != self.requests or answer.get("index") not in legal:
            raise RuntimeError(f"{answer} is not an answer to request {self.requests}")
        return answer["index"]

    def close(self):
        self.send(type="bye", reason="the match is over")
        self.process.stdin.close()
        self.process.wait(10)


class Shuffled:
    """A deck for one hand."""

    def __init__(self, rng):
        self.cards = rng.sample(DECK, len(DECK))

    def deal(self, _seat, count):
        dealt, self.cards = self.cards[:count], self.cards[count:]
        return dealt


class Table:
    """What happens, as every seat may see it. A player of it has begin(), hear() and decide(), as a Bot."""

    def __init__(self, players):
        self.players = players
        self.unsent = [[] for _ in players]

    def tell(self, event, seat=None, street=None, sees=None, **fields):
        """`sees`: the fields that change with the viewer."""
        common = {"event": event}
        if street is not None:
            common |= {"seat": seat, "street": street}
        for viewer, unsent in enumerate(self.unsent):
            more = sees(viewer) if sees else {}
            if more is not None:
                unsent.append(common | fields | more)

    def tell_cards(self, event, seat, street, cards, **fields):
        cards = high_to_low(cards)
        self.tell(event, seat, street, lambda viewer: {"cards": cards if viewer == seat else []},
                  count=len(cards), **fields)

    def pass_on(self):
        for player, unsent in zip(self.players, self.unsent):
            player.hear(unsent[:])
            unsent.clear()

    def ask(self, seat, legal, position):
        self.pass_on()
        return self.players[seat].decide(legal, position)


def high_to_low(cards):
    return sorted(cards, key=NUMBER.get, reverse=True)


def strength(cards):
    """Of five cards, or of the three in front: (category, ranks that form it, kickers). More is better."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    counts = [count for count, _ in groups]
    order = [rank for _, rank in groups]
    flush = len(cards) == 5 and len({card[1] for card in cards}) == 1
    straight = len(cards) == 5 and counts == [1] * 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if straight:
        order = [3 if ranks[0] == 12 and ranks[1] == 3 else ranks[0]]
    category = (8 if straight and flush else 7 if counts[0] == 4 else 6 if counts[:2] == [3, 2] else 5 if flush else
                4 if straight else 3 if counts[0] == 3 else 2 if counts[:2] == [2, 2] else 1 if counts[0] == 2 else 0)
    return (category, order, len(cards))


# ---- Five-card draw: docs/rules/draw.md and betting.md. Fixed limit, antes of 10, bets of 10 and 20, stacks of 1000.

ANTE, BETS, STACK, MOST_RAISES = 10, (10, 20), 1000, 2
FOLD, CALL, BET, FIRST_DISCARD = 0, 1, 2, 3


def play_draw(players, seed, deck, dealer):
    """A hand; returns what every seat has won."""
    table = Table(players)
    order = [(dealer + 1 + i) % len(players) for i in range(len(players))]
    for seat, player in enumerate(players):
        player.begin(seat, seed[seat])
    paid = {seat: 0 for seat in order}
    hands = {seat: sorted(deck.deal(seat, 5), key=NUMBER.get) for seat in order}
    table.tell("hand_begun", hand=0, dealer=dealer, stacks=[STACK] * len(players), fantasyland=[], taken_out=[])
    for seat in order:
        paid[seat] = ANTE
        table.tell("posted", seat, 0, what="ante", amount=ANTE, all_in=False)
    for seat in order:
        table.tell_cards("dealt", seat, 0, hands[seat], what="down")
    live = list(order)
    last_to_bet = live[0]
    for street, size in enumerate(BETS):
        if street == 1:
            draw_cards(table, live, hands, deck, sum(paid.values()))
        last_to_bet = bet(table, live, paid, street, size, order) or live[0]
        if len(live) == 1:
            break
    return settle_draw(table, live, paid, hands, street, last_to_bet, order, dealer)


def bet(table, live, paid, street, size, order):
    """A round of betting; returns who bet or raised last, or None."""
    before = dict(paid)
    level, aggressor, raises = 0, None, collections.Counter()
    waiting = [seat for seat in order if seat in live]
    while waiting and len(live) > 1:
        seat = waiting.pop(0)
        owes = level - (paid[seat] - before[seat])
        legal = {FOLD: ("fold", "fold"), CALL: ("call", f"call {owes}") if owes else ("check", "check")}
        # An opening bet is not a raise.
        if level == 0 or raises[seat] < MOST_RAISES:
            legal[BET] = ("raise", f"raise to {level + size}") if level else ("bet", f"bet {size}")
        action = table.ask(seat, legal, {"street": street, "pot": sum(paid.values()), "to_call": owes})
        kind = legal[action][0]
        if action == BET:
            raises[seat] += 1 if level else 0
            level += size
            aggressor = seat
            at = order.index(seat)
            waiting = [other for other in order[at + 1:] + order[:at] if other in live]
        amount = 0 if action == FOLD else level - (paid[seat] - before[seat])
        paid[seat] += amount
        if action == FOLD:
            live.remove(seat)
        table.tell("acted", seat, street, action=kind, amount=amount, total=paid[seat] - before[seat], all_in=False)
    return aggressor


def draw_cards(table, live, hands, deck, pot):
    for seat in live:
        hand = hands[seat]
        # Bit i of the number discards the i-th lowest card.
        sets = {FIRST_DISCARD + bits: [card for i, card in enumerate(hand) if bits >> i & 1] for bits in range(32)}
        legal = {number: ("discard", "discard " + " ".join(cards)) for number, cards in sets.items()}
        gone = sets[table.ask(seat, legal, {"street": 1, "pot": pot})]
        table.tell_cards("discarded", seat, 1, gone)
        if gone:
            drawn = deck.deal(seat, len(gone))
            hands[seat] = sorted([card for card in hand if card not in gone] + drawn, key=NUMBER.get)
            table.tell_cards("drew", seat, 1, drawn)


def settle_draw(table, live, paid, hands, street, first, order, dealer):
    pot = sum(paid.values())
    won = {seat: 0 for seat in order}
    best = max(strength(hands[seat]) for seat in live)
    winners = [seat for seat in order if seat in live and strength(hands[seat]) == best]
    if len(live) == 1:
        winners = live
    else:
        shown = (-1,)
        at = order.index(first)
        for seat in order[at:] + order[:at]:
            if seat not in live:
                continue
            if strength(hands[seat]) < shown:
                table.tell("mucked", seat, street, count=5)
                continue
            shown = strength(hands[seat])
            table.tell("shown", seat, street, cards=high_to_low(hands[seat]), count=5)
    for i, seat in enumerate(winners):
        won[seat] = pot // len(winners) + (pot % len(winners) if i == 0 else 0)
        table.tell("won", seat, street, amount=won[seat], pot=0, half=None)
    net = [won[seat] - paid[seat] for seat in range(len(order))]
    table.tell("hand_ended", hand=0, net=net, odd_chips=0)
    table.pass_on()
    return net


# ---- Pineapple OFC: docs/rules/ofc.md.

ROWS = ("front", "middle", "back")
ROOM = {"front": 3, "middle": 5, "back": 5}
PLACES = ROWS + ("discard",)
BACK = (0, 0, 0, 0, 2, 4, 6, 10, 15)
MIDDLE = (0, 0, 0, 2, 4, 8, 12, 20, 30)
ROYAL = {"back": 25, "middle": 50}


class Board:
    def __init__(self):
        self.rows = {row: [] for row in ROWS}
        self.turns = []  # cards with their places, a list for each turn

    def foul(self):
        front, middle, back = (strength(self.rows[row]) for row in ROWS)
        return not front < middle <= back

    def royalties(self, row):
        category, order, _ = strength(self.rows[row])
        if row == "front":
            return 10 + order[0] if category == 3 else max(0, order[0] - 3) if category == 1 else 0
        if category == 8 and order[0] == 12:
            return ROYAL[row]
        return (BACK if row == "back" else MIDDLE)[category]

    def leads_to_fantasyland(self, from_there):
        category, order, _ = strength(self.rows["front"])
        if self.foul():
            return False
        if from_there:
            return category == 3 or strength(self.rows["back"])[0] >= 7
        return category == 3 or (category == 1 and order[0] >= RANKS.index("Q"))


def play_ofc(players, seed, decks, dealer):
    """A hand and the Fantasyland hands that follow; `decks`: a function that makes one for every hand."""
    for seat, player in enumerate(players):
        player.begin(seat, seed[seat])
    table = Table(players)
    returns = [0] * len(players)
    fantasyland, hand = set(), 0
    while True:
        boards = play_ofc_hand(table, decks(), dealer, fantasyland, hand)
        net = score(boards)
        table.tell("hand_ended", hand=hand, net=net, odd_chips=0)
        table.pass_on()
        returns = [before + won for before, won in zip(returns, net)]
        fantasyland = {seat for seat, board in enumerate(boards) if board.leads_to_fantasyland(seat in fantasyland)}
        if not fantasyland:
            return returns
        hand += 1  # the button stays


def play_ofc_hand(table, deck, dealer, fantasyland, hand):
    seats = len(table.players)
    order = [(dealer + 1 + i) % seats for i in range(seats)]
    boards = [Board() for _ in range(seats)]
    table.tell("hand_begun", hand=hand, dealer=dealer, stacks=[0] * seats, fantasyland=sorted(fantasyland), taken_out=[])
    for street in range(5):
        acting = [seat for seat in order if street == 0 or seat not in fantasyland]
        cards = {}
        for seat in acting:
            cards[seat] = deck.deal(seat, 14 if seat in fantasyland else 5 if street == 0 else 3)
            table.tell_cards("dealt", seat, street, cards[seat], what="down")
        for seat in acting:
            discards = 1 if street > 0 or seat in fantasyland else 0
            turn = take_turn(table, seat, boards[seat], cards[seat], discards, street)
            tell_turn(table, seat, turn, street, acting, fantasyland, boards)
    for seat in order:
        shown = [(card, row) for row in ROWS for card in boards[seat].rows[row]]
        table.tell("shown", seat, 4, cards=[card for card, _ in shown], places=[row for _, row in shown], count=13)
    return boards


def take_turn(table, seat, board, cards, discards, street):
    turn = []
    places = len(cards) - discards
    for card in sorted(cards, key=NUMBER.get):
        legal = {}
        for number, place in enumerate(PLACES):
            if discards > 0 if place == "discard" else places > 0 and len(board.rows[place]) < ROOM[place]:
                legal[number] = ("discard" if place == "discard" else "place", place)
        number = next(iter(legal))
        # The game makes moves without a choice.
        if len(legal) > 1:
            number = table.ask(seat, legal, {"street": street, "places_left": places, "discards_left": discards})
        place = PLACES[number]
        if place == "discard":
            discards -= 1
        else:
            places -= 1
            board.rows[place].append(card)
        turn.append((card, place))
    board.turns.append(turn)
    return turn


def tell_turn(table, seat, turn, street, acting, fantasyland, boards):
    # A player in Fantasyland sees no other cards before its own hand is set, and nobody sees that hand.
    later = acting[acting.index(seat):]

    def sees(viewer):
        if viewer == seat:
            seen = turn
        elif seat in fantasyland or (street == 0 and viewer in fantasyland and viewer in later):
            seen = []
        else:
            seen = [(card, place) for card, place in turn if place != "discard"]
        return {"cards": [card for card, _ in seen], "places": [place for _, place in seen]}

    table.tell("placed", seat, street, sees, count=len(turn))
    if seat in fantasyland:
        for earlier in acting[:acting.index(seat)]:
            if earlier not in fantasyland:
                opening = boards[earlier].turns[0]
                table.tell("shown", earlier, 0, lambda viewer: {} if viewer == seat else None,
                           cards=[card for card, _ in opening], places=[place for _, place in opening],
                           count=len(opening))


def score(boards):
    net = [0] * len(boards)
    for a, mine in enumerate(boards):
        for b, theirs in enumerate(boards[:a]):
            points, won = 0, 0
            for row in ROWS:
                left, right = strength(mine.rows[row]), strength(theirs.rows[row])
                won += 0 if mine.foul() and theirs.foul() else -1 if mine.foul() else 1 if theirs.foul() else (
                    (left > right) - (left < right))
                points += (0 if mine.foul() else mine.royalties(row)) - (0 if theirs.foul() else theirs.royalties(row))
            points += won + (3 if won == 3 else -3 if won == -3 else 0)
            net[a] += points
            net[b] -= points
    return net


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["draw", "ofc"])
    parser.add_argument("bots", nargs=2, metavar="COMMAND", help="of a bot that speaks the protocol")
    parser.add_argument("--hands", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    bots = [Bot(command, options.game) for command in options.bots]
    total = [0, 0]
    for hand in range(options.hands):
        seats = bots if hand % 2 == 0 else bots[::-1]
        seeds = [rng.getrandbits(64), rng.getrandbits(64)]
        if options.game == "draw":
            net = play_draw(seats, seeds, Shuffled(rng), rng.randrange(2))
        else:
            net = play_ofc(seats, seeds, lambda: Shuffled(rng), rng.randrange(2))
        for place, won in enumerate(net if hand % 2 == 0 else net[::-1]):
            total[place] += won
    for bot, won in zip(bots, total):
        print(f"{bot.hello['name']}: {won:+} in {options.hands} hands, {bot.requests} decisions")
        bot.close()


if __name__ == "__main__":
    sys.exit(main())
