"""What a Fantasyland hand is worth: draws how many royalties random hands of 13 to 17 cards make, as an SVG.

python examples/python/fantasyland_chart.py [HANDS [FILE.svg]]
"""

# %% The hands: royalties of the best setting, and how often it stays in Fantasyland.
import sys

import numpy as np

import dealers_choice as dc

HANDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
FILE = sys.argv[2] if len(sys.argv) > 2 else "fantasyland.svg"
STAY_VALUE = 8.0  # points that another Fantasyland is taken to be worth
COUNTS = range(13, 18)

rng = np.random.default_rng(1)
settings = {
    count: [dc.fantasyland(rng.choice(52, count, replace=False), STAY_VALUE) for _ in range(HANDS)] for count in COUNTS
}
royalties = {count: np.array([best["royalties"] for best in settings[count]]) for count in COUNTS}
stays = {count: np.mean([best["stays"] for best in settings[count]]) for count in COUNTS}

# %% The figures.
print(f"{HANDS} hands each\ncards  royalties  +-      stays")
for count in COUNTS:
    error = 1.96 * royalties[count].std(ddof=1) / HANDS**0.5
    print(f"{count:5}  {royalties[count].mean():9.2f}  {error:4.2f}  {stays[count]:7.1%}")

# %% The chart: a line for each number of cards, the share of hands with so many royalties or more.
WIDTH, HEIGHT, LEFT, TOP, MOST = 640, 360, 50, 20, 50
COLORS = ["#a6cee3", "#1f78b4", "#33a02c", "#ff7f00", "#6a3d9a"]


def x(points):
    return LEFT + points / MOST * (WIDTH - LEFT - 20)


def y(share):
    return TOP + (1 - share) * (HEIGHT - TOP - 40)


parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
]
for points in range(0, MOST + 1, 10):
    parts.append(f'<line x1="{x(points)}" y1="{y(0)}" x2="{x(points)}" y2="{y(1)}" stroke="#ddd"/>')
    parts.append(f'<text x="{x(points)}" y="{y(0) + 16}" text-anchor="middle">{points}</text>')
for share in (0, 0.25, 0.5, 0.75, 1):
    parts.append(f'<line x1="{x(0)}" y1="{y(share)}" x2="{x(MOST)}" y2="{y(share)}" stroke="#ddd"/>')
    parts.append(f'<text x="{x(0) - 6}" y="{y(share) + 4}" text-anchor="end">{share:.0%}</text>')
for i, (count, color) in enumerate(zip(COUNTS, COLORS)):
    line = " ".join(f"{x(points):.1f},{y((royalties[count] >= points).mean()):.1f}" for points in range(MOST + 1))
    parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
    parts.append(f'<text x="{x(MOST) - 60}" y="{y(1) + 16 * (i + 1)}" fill="{color}">{count} cards</text>')
parts.append(f'<text x="{x(MOST / 2)}" y="{HEIGHT - 6}" text-anchor="middle">royalties, so many or more</text></svg>')
with open(FILE, "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
print(f"wrote {FILE}")
