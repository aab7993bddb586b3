#!/usr/bin/env python3
"""Draws the pictures of tables in this folder anew: docs/images/tables.py [PROGRAM]

Each is what the program writes to a terminal of 80 columns. Standard library only.
"""
import os
import pty
import struct
import subprocess
import sys
import tempfile
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

HERE = Path(__file__).resolve().parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(HERE.parent.parent / "dealer")


def screen(arguments, typed=""):
    """What stands on the terminal in the end, colours included."""
    controller, terminal = pty.openpty()
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""}
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=terminal, env=environment)
    os.close(terminal)
    process.stdin.write(typed.encode())
    process.stdin.close()
    text = b""
    while True:
        try:
            news = os.read(controller, 65536)
        except OSError:
            break
        if not news:
            break
        text += news
    if process.wait() != 0:
        sys.exit(f"{arguments}: status {process.returncode}")
    return text.decode().replace("\r\n", "\n")


def draw(name, text, first, last):
    """The lines from the last that contains `first` to the next that contains `last`."""
    lines = text.split("\n")
    begin = max(i for i, line in enumerate(lines) if first in line)
    end = next(i for i in range(begin, len(lines)) if last in lines[i])
    picture = subprocess.run([sys.executable, HERE / "terminal_svg.py"], input="\n".join(lines[begin:end + 1]),
                             capture_output=True, text=True, check=True).stdout
    (HERE / name).write_text(picture)


washizu = ["play", "--game", "washizu[players=3]", "--agent", "rule:caller", "--seed", "5", "--hands", "1"]
draw("play_washizu.svg", screen(washizu, "d 1 3\nquit\n"), "Draw", "undo takes")
with tempfile.TemporaryDirectory() as folder:
    log = os.path.join(folder, "session.phhs")
    screen(["play", "--game", "stud[players=3,bring_in=5]", "--agent", "rule:caller", "--hint", "rule:caller", "--seed", "4",
            "--hands", "1", "--log", log], "take\ny\n" * 12)
    draw("replay.svg", screen(["replay", log, "--hand", "1"]), "Sixth street", "this hand")
seven_hand = ["play", "--game", "seven_hand", "--agent", "rule", "--hint", "search[simulations=2000]", "--seed", "5", "--hands", "1"]
draw("play_seven_hand.svg", screen(seven_hand, "take\ntake\n\n" * 4 + "hint\nquit\n"), "turn 5 of 7", "plays this")
