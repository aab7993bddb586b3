#!/usr/bin/env python3
"""Draws what a program wrote to a terminal, colours included: terminal_svg.py < screen.txt > picture.svg

The input is text with SGR escape sequences (what `tmux capture-pane -e -p` or `script` give); other sequences are left
out. Standard library only.
"""
import html
import re
import sys
import unicodedata

CELL, LINE, SIZE, MARGIN = 8.4, 19, 14, 14
INK, PAPER = "#d6dae0", "#1b1f24"
BASE = ["#2b3036", "#e5534b", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#adbac7",
        "#636e7b", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#ffffff"]


def color(index):
    if index < 16:
        return BASE[index]
    if index >= 232:
        level = 8 + 10 * (index - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    index -= 16
    steps = [0, 95, 135, 175, 215, 255]
    return "#" + "".join(f"{steps[i]:02x}" for i in (index // 36, index // 6 % 6, index % 6))


def apply(codes, style):
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style.update(ink=INK, paper=None, bold=False, dim=False)
        elif code in (1, 2):
            style["bold" if code == 1 else "dim"] = True
        elif code in (38, 48) and codes[:1] == [5]:
            style["ink" if code == 38 else "paper"] = color(codes[1])
            del codes[:2]
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style["ink"] = color(code - 30 if code < 90 else code - 82)
        elif 40 <= code <= 47:
            style["paper"] = color(code - 40)
        elif code == 39:
            style["ink"] = INK
        elif code == 49:
            style["paper"] = None


def draw(text):
    lines = text.rstrip("\n").split("\n")
    style = dict(ink=INK, paper=None, bold=False, dim=False)
    paper, ink, width = [], [], 0
    for row, line in enumerate(lines):
        column, y = 0, MARGIN + row * LINE
        for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", line):
            if piece.startswith("\x1b"):
                if piece.endswith("m"):
                    apply(piece[2:-1], style)
                continue
            cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in piece)
            if not cells:
                continue
            x = MARGIN + column * CELL
            if style["paper"]:
                paper.append(f'<rect x="{x:.1f}" y="{y + 1.5}" width="{cells * CELL:.1f}" height="{LINE - 3}" rx="3" '
                             f'fill="{style["paper"]}"/>')
            if piece.strip():
                bold = ' font-weight="bold"' if style["bold"] else ""
                dim = ' opacity="0.65"' if style["dim"] else ""
                # xml:space on each text: Chromium does not pass it on from a group.
                ink.append(f'<text xml:space="preserve" x="{x:.1f}" y="{y + LINE - 5.5}" '
                           f'textLength="{cells * CELL:.1f}" fill="{style["ink"]}"{bold}{dim}>'
                           f'{html.escape(piece)}</text>')
            column += cells
            if style["paper"] or piece.strip():
                width = max(width, column)
    w, h = width * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h}" viewBox="0 0 {w:.0f} {h}">',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>', *paper,
        f'<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
        *ink, "</g>", "</svg>", ""])


sys.stdout.write(draw(sys.stdin.read()))
