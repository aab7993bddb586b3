#!/usr/bin/env python3
"""The page of examples/bots in headless Chromium, against an agent of ours: bot_page.py DEALER

It may play where its origin is allowed, and nowhere else.
"""
import http.server
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

PAGE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "bots" / "kuhn_page.html"
# The text of the page, as soon as nothing more comes.
REPORT = """<script>setInterval(() => {
  const text = document.getElementById("log").textContent;
  if (/decisions of the agent|no agent there|the agent says/.test(text)) fetch("/said", {method: "POST", body: text});
}, 100);</script>"""
said = queue.Queue()


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer((PAGE.read_text(encoding="utf-8") + REPORT).encode())

    def do_POST(self):
        said.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.answer(b"")

    def log_message(self, *_):
        pass


def play(dealer, origin, allowed, hands):
    bot = subprocess.Popen(
        [dealer, "bot", "--agent", "default", "--game", "kuhn", "--listen", "127.0.0.1:0", "--allow-origin", allowed],
        stderr=subprocess.PIPE, text=True)
    port = re.search(r"listens at [^ ]*:(\d+)", bot.stderr.readline())[1]
    with tempfile.TemporaryDirectory() as profile:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", f"{origin}/kuhn_page.html?bot=ws://127.0.0.1:{port}&auto={hands}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return said.get(timeout=60)
        finally:
            for process in (browser, bot):
                process.terminate()
                process.wait(30)
            while not said.empty():
                said.get()


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    text = play(sys.argv[1], origin, origin, 40)
    print(text)
    hands, chips, decisions = map(int, re.search(r"^(\d+) hands, (-?\d+) chips, (\d+) decisions", text, re.M).groups())
    assert hands == 40 and 40 <= decisions <= 80 and abs(chips) <= 80, text
    lines = re.findall(r"^hand \d+: .*?; you had \w+, the agent \w+: (-?\d+)$", text, re.M)
    assert len(lines) == 40 and sum(map(int, lines)) == chips, text
    text = play(sys.argv[1], origin, "https://another.example", 40)
    print(text)
    assert "this page may not connect" in text and "hand" not in text.split(":")[0], text


if __name__ == "__main__":
    main()
