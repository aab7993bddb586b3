#!/usr/bin/env python3
"""Draws learning curves from metrics.jsonl of run folders: one line a run, over the hands played.

    docs/images/curves.py leduc.svg runs/leduc-1 runs/leduc-2 --title 'Leduc: exploitability' --unit 'chips a hand' \\
        --log --fields exploitability last/exploitability --goal 0.05

Runs have colours; of several fields the first is drawn boldly. A single run has a colour for each field. Without --log the vertical axis has zero in it.
"""

import argparse
import json
import math
import pathlib

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 78, 24, 76, 52
COLOURS = ["#2f6fbd", "#c2571a", "#2e8b57", "#8a5cc2", "#b8860b", "#a23b72"]

STYLE = """<style>
  text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 12px; fill: #24292f }
  .paper { fill: #ffffff; stroke: #d0d7de } .grid { stroke: #e4e8ec } .quiet { fill: #57606a }
  .title { font-size: 17px; font-weight: 600 } .goal { stroke: #1a7f37; stroke-dasharray: 5 4 }
  path { fill: none; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .paper { fill: #161b22; stroke: #30363d } .grid { stroke: #2a3038 } .quiet { fill: #9aa4af }
  }
</style>"""


def read(run, field):
    """[(hands, value)] of a run folder."""
    points = []
    with open(pathlib.Path(run) / "metrics.jsonl", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get(field) is not None and row.get("hands"):
                points.append((row["hands"], row[field]))
    return points


def steps(low, high, log):
    """Where the lines of the grid go."""
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        marks = [m * 10.0**d for d in decades for m in (1, 2, 5)]
    else:
        raw = (high - low) / 6
        size = 10 ** math.floor(math.log10(raw))
        step = next(m * size for m in (1, 2, 5, 10) if m * size >= raw)
        marks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [mark for mark in marks if low <= mark <= high * (1 + 1e-9)]


def short(number):
    for size, suffix in ((1_000_000, "M"), (1_000, "k")):
        if number >= size:
            return f"{number / size:g}{suffix}"
    return f"{number:g}"


def draw(options):
    lines = []  # (run number, field number, points)
    for number, run in enumerate(options.runs):
        for which, field in enumerate(options.fields):
            points = read(run, field)
            if points:
                lines.append((number, which, points))
    if not lines:
        raise SystemExit(f"none of the runs has the field {' or '.join(options.fields)}")
    values = [value for _, _, points in lines for _, value in points]
    values += [options.goal] if options.goal is not None else []
    last = max(hands for _, _, points in lines for hands, _ in points)
    low, high = min(values), max(values)
    if options.log:
        if low <= 0:
            raise SystemExit(f"{low:g} cannot be drawn with --log")
        low, high = low / 1.15, high * 1.15
    else:
        low, high = min(low, 0), max(high, 0)
        high += (high - low) * 0.05
    scale = math.log if options.log else float

    def x(hands):
        return LEFT + (WIDTH - LEFT - RIGHT) * hands / last

    def y(value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (scale(high) - scale(value)) / (scale(high) - scale(low))

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        STYLE,
        f"<title>{options.title}</title>",
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>',
        f'<text x="24" y="34" class="title">{options.title}</text>',
        f'<text x="24" y="54" class="quiet">{options.unit}{"; " + options.note if options.note else ""}</text>',
    ]
    for mark in steps(low, high, options.log):
        out.append(f'<line class="grid" x1="{LEFT}" y1="{y(mark):.1f}" x2="{WIDTH - RIGHT}" y2="{y(mark):.1f}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" class="quiet" text-anchor="end">{mark:g}</text>')
    for mark in steps(0, last, False):
        out.append(f'<text x="{x(mark):.1f}" y="{HEIGHT - BOTTOM + 20}" class="quiet" text-anchor="middle">{short(mark)}</text>')
    out.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" class="quiet" text-anchor="end">hands</text>')
    if options.goal is not None:
        out.append(f'<line class="goal" x1="{LEFT}" y1="{y(options.goal):.1f}" x2="{WIDTH - RIGHT}" y2="{y(options.goal):.1f}"/>')
    for number, which, points in sorted(lines, key=lambda line: -line[1]):
        path = "L".join(f"{x(hands):.1f} {y(value):.1f}" for hands, value in points)
        alone = len(options.runs) == 1
        width, opacity = (2, 1) if which == 0 or alone else (1, 0.35)
        colour = COLOURS[(which if alone else number) % len(COLOURS)]
        out.append(f'<path d="M{path}" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>')
    names = options.fields if len(options.runs) == 1 else options.runs
    for k, name in enumerate(names if len(names) > 1 else []):
        of_last = len(options.runs) == 1 and name.startswith("last/")
        name = name.split("/")[-1] + (", last iterate" if of_last else "")
        at = LEFT + (WIDTH - LEFT - RIGHT) * k / len(names)
        out.append(f'<rect x="{at:.1f}" y="62" width="14" height="3" fill="{COLOURS[k % len(COLOURS)]}"/>')
        out.append(f'<text x="{at + 20:.1f}" y="68" class="quiet">{name}</text>')
    out.append("</svg>")
    pathlib.Path(options.out).write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--fields", nargs="+", default=["exploitability"])
    parser.add_argument("--title", default="")
    parser.add_argument("--unit", default="")
    parser.add_argument("--note", default="")
    parser.add_argument("--log", action="store_true")
    parser.add_argument("--goal", type=float)
    draw(parser.parse_args())


if __name__ == "__main__":
    main()
