#!/usr/bin/env python3
"""A bot that plays a random legal choice. It speaks the whole protocol with the standard library alone.

dealer match 'exec:python3 examples/bots/random_bot.py' rule --game draw --deals 20
"""
import json
import random
import sys

rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "protocol": 1, "name": "random.py", "events": False}
    elif message["type"] == "begin":
        rng.seed(message["seed"])
        continue
    elif message["type"] == "request":
        choice = rng.choice(message["legal"])
        reply = {"type": "answer", "id": message["id"]}
        if choice["index"] is None:  # any amount of a range
            reply["amount"] = rng.randrange(choice["min"], choice["max"] + 1, choice["step"])
        else:
            reply["index"] = choice["index"]
    elif message["type"] == "bye":
        break
    else:
        continue
    print(json.dumps(reply), flush=True)
