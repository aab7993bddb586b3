"""python -m dealers_choice: what is there, and three lines to begin with."""

import textwrap

import dealers_choice as dc

print(f"dealers_choice {dc.__version__}")
print(textwrap.fill(f"games: {', '.join(dc.games())}", width=100, subsequent_indent="       "))
print("""
import dealers_choice as dc
print(dc.play_match("leduc", ["rule", "random"], deals=1000)["mean"])
table = dc.Env("ofc"); table.reset(seed=1); print(table.to_string(table.current_player))""")
