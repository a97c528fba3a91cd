#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the site: no link is broken, every page is two clicks or less from the index, no page loads
anything from the network, commands are shown as commands, and the search finds.
usage: site.py SOURCES BUILD OUT"""
import functools
import html.parser
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse


class Server(http.server.SimpleHTTPRequestHandler):
    """Adds to the page of the search a script that reports how many pages were found."""
    found = None
    script = b"""<script>setInterval(function () {
      var count = document.querySelectorAll("#mkdocs-search-results article").length;
      if (count) fetch("found?" + count); }, 100);</script>"""

    def do_GET(self):
        if self.path.startswith("/found?"):
            Server.found = int(self.path.partition("?")[2])
        if not self.path.startswith("/search.html"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(pathlib.Path(self.directory, "search.html").read_bytes() + self.script)

    def log_message(self, *_):
        pass


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loads = [], []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "meta" and values.get("http-equiv") == "refresh":
            self.links.append(values["content"].partition("url=")[2])
        source = values.get("src") or (values.get("href") if tag == "link" else None)
        if source and values.get("rel") != "canonical":
            self.loads.append(source)


def is_elsewhere(link):
    return re.match(r"[a-z]+:|//", link) is not None


def search_problems(root):
    """The search in a browser, from a web server; without a browser nothing is found wrong."""
    browser = shutil.which("chromium")
    if not browser:
        return []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=root)) as server, \
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with subprocess.Popen([browser, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0",
                               f"--user-data-dir={profile}",
                               f"http://127.0.0.1:{server.server_port}/search.html?q=stribeck"],
                              stderr=subprocess.DEVNULL) as window:
            for _ in range(3000):  # for a browser that hangs
                if Server.found:
                    break
                time.sleep(0.1)
            window.terminate()
        server.shutdown()
    print(f"search: {Server.found} pages for 'stribeck'")
    return [] if Server.found else ["the search finds nothing"]


def main():
    sources, build, out = sys.argv[1:]
    if not shutil.which("mkdocs"):
        print("skipped: mkdocs is not there (Debian package mkdocs)")
        return 77
    site = pathlib.Path(sources, "tools/site.py")
    subprocess.run(["/usr/bin/python3", site, sources, build, out], check=True)
    root, problems = pathlib.Path(out).resolve(), []
    clicks, queue = {root / "index.html": -1}, [root / "index.html"]  # -1: it leads on by itself
    while queue:
        page = queue.pop(0)
        found = Links()
        text = page.read_text(encoding="utf-8")
        # the data and scripts of reports and of the playground are no HTML
        found.feed(re.sub(r"(<script\b[^>]*>).*?</script>", r"\1</script>", text, flags=re.S))
        if "```" in re.sub(r"<(code|script)\b.*?</\1>", "", text, flags=re.S):
            problems.append(f"{page.relative_to(root)} shows a command as text")
        for load in found.loads:
            if re.match(r"https?:|//", load):
                problems.append(f"{page.relative_to(root)} loads {load}")
        for link in found.links + found.loads:
            name = urllib.parse.unquote(link.partition("#")[0].partition("?")[0])
            if not name or is_elsewhere(link):
                continue
            target = (page.parent / name).resolve()
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                problems.append(f"{page.relative_to(root)}: {link} leads nowhere")
            elif target.suffix == ".html" and target not in clicks:
                clicks[target] = clicks[page] + 1
                queue.append(target)
    problems += search_problems(root)
    # the pages of docs and samples; the API reference and the papers have an index of their own
    pages = [p for p in root.rglob("*.html") if p.relative_to(root).parts[0] in ("docs", "sample_projects")
             and p.name not in ("404.html", "page.html")]
    for page in pages:
        if clicks.get(page, 99) > 2:
            problems.append(f"{page.relative_to(root)} is {clicks.get(page, 'many')} clicks away")
    print("\n".join(problems[:40] + [f"{len(clicks)} pages reached, {len(pages)} of docs and samples, "
                                     f"{len(problems)} problems"]))
    return 1 if problems or len(pages) < 40 else 0


sys.exit(main())
