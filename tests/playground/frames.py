#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Moves a slider of the playground in each frame of a browser, and prints what a move costs. The
figure depends on the machine and is no verdict.
usage: frames.py PLAYGROUND.html"""
import http.server
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SCRIPT = b"""<script>
window.addEventListener("load", function () {
  var slider, costs = [], began, moves = 0;
  function finish(now) {
    costs.sort(function (a, b) { return a - b; });
    fetch("/done?" + costs[costs.length >> 1] + "&" + (1000 * moves / (now - began)).toFixed(0));
  }
  requestAnimationFrame(function frame(now) {
    slider = document.querySelector("[data-key=static_torque] input[type=range]");
    if (slider && document.body.dataset.updates) {
      if (!moves++) began = now;
      else costs.push(parseFloat(document.getElementById("speed").textContent.replace(/[^0-9.]*/, "")));
      slider.value = 0.55 + 0.1 * Math.sin(moves / 10);
      slider.dispatchEvent(new Event("input"));
    }
    if (moves > 240) finish(now); else requestAnimationFrame(frame);
  });
});
</script>"""


class Server(http.server.BaseHTTPRequestHandler):
    page, answer = b"", None

    def do_GET(self):
        if self.path.startswith("/done?"):
            Server.answer = self.path.partition("?")[2].split("&")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if self.path == "/":
            self.wfile.write(self.page + SCRIPT)

    def log_message(self, *_):
        pass


def main():
    Server.page = pathlib.Path(sys.argv[1]).read_bytes()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as server, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with subprocess.Popen([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
                               "--remote-debugging-port=0", f"--user-data-dir={profile}", "--window-size=1400,1000",
                               f"http://127.0.0.1:{server.server_port}/"], stderr=subprocess.DEVNULL) as window:
            for _ in range(1200):  # for a browser that hangs
                if Server.answer:
                    break
                time.sleep(0.1)
            window.terminate()
        server.shutdown()
    if not Server.answer:
        sys.exit("the page did not answer")
    print(f"a move of a slider takes {Server.answer[0]} ms (median of 240), {Server.answer[1]} frames a second")


main()
