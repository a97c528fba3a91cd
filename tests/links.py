#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every relative link in the Markdown files leads to a file, and to a heading if it names one.
usage: links.py SOURCES"""
import pathlib
import re
import sys

SKIPPED = {"build", ".git", ".github"}


def text_of(path):
    """A page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path):
    headings = re.findall(r"^#+ (.*)$", text_of(path), re.M)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings}


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [p for p in root.rglob("*.md")
             if not any(part in SKIPPED or part.startswith("build") for part in p.relative_to(root).parts)]
    broken, count = [], 0
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
            if re.match(r"[a-z]+:", link):
                continue
            count += 1
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append(f"{page.relative_to(root)}: {link}")
    print("\n".join(broken + [f"{count} links in {len(pages)} pages, {len(broken)} broken"]))
    return 1 if broken else 0


sys.exit(main())
