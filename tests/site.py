#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the site: no link is broken, every page is two clicks or less from the index, and no page
loads anything from the network.
usage: site.py SOURCES BUILD OUT"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse


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
        found.feed(re.sub(r"<script\b.*?</script>", "", text, flags=re.S))
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
