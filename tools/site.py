#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Builds the documentation as a site of static pages, which opens from the disk: the pages of docs/,
of the samples and of the modules, the API reference, the papers, the playground and three reports.
Its search needs a web server: python3 -m http.server -d OUT.
Needs mkdocs (Debian package mkdocs).
usage: site.py SOURCES BUILD OUT"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = {".git", ".github", ".ci", "build"}
GROUPS = {"guide": "Guides", "reference": "Reference", "background": "Background"}
REPORTS = [("wrist", "wrist/wrist.cnoid"), ("squat", "whole_body/humanoid_squat.cnoid"),
           ("integral term", "wrist_integral/wrist_integral_stribeck.cnoid")]


def links_of(page):
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text)
            if not re.match(r"[a-z]+:", link)]


def title_of(page):
    heading = re.search(r"^# (.*)$", page.read_text(encoding="utf-8"), re.M)
    return heading.group(1).replace("`", "") if heading else page.stem


def pages_of(sources):
    return [p for p in sorted(sources.rglob("*.md"))
            if not any(part in SKIPPED or part.startswith("build")
                       for part in p.relative_to(sources).parts)]


def copy_pages(sources, pages, into):
    """The pages, and the files that they link to, in the folders where they lie in the sources."""
    wanted = set(pages)
    for page in pages:
        for link in links_of(page):
            target = (page.parent / link).resolve() if link else page
            if target.is_dir():
                readme = target / "README.md"
                if not readme.exists():  # a folder without a page: its files
                    wanted.update(p for p in target.iterdir() if p.is_file())
            elif target.is_relative_to(sources):
                wanted.add(target)
    for path in wanted:
        copy = into / path.relative_to(sources)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


def adapt_links(into):
    """A link to a folder leads to its page, which is README.md, or to its only page of HTML."""
    for page in into.rglob("*.md"):
        def lead(match, page=page):
            name, hash_, anchor = match.group(1).partition("#")
            target = page.parent / name
            if re.match(r"[a-z]+:", name) or not name or not target.is_dir():
                return match.group(0)
            for choice in ["README.md", *sorted(p.name for p in target.iterdir() if p.is_file())]:
                if (target / choice).exists():
                    return f"]({name.rstrip('/')}/{choice}{hash_}{anchor})"
            return match.group(0)
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"^( *```\w+) .*$", r"\1", text, flags=re.M)  # for the tests of the commands
        page.write_text(re.sub(r"\]\(([^)\s]+)\)", lead, text), encoding="utf-8")


def navigation(sources, pages, extras):
    """The tables of docs/README.md in their order, then the samples and what lies in modules."""
    nav, seen = [{"Start": "docs/README.md"}], {sources / "docs/README.md"}
    group = None
    for line in (sources / "docs/README.md").read_text(encoding="utf-8").splitlines():
        head = re.match(r"\| (\w+) \| question \|", line)
        if head:
            group = []
            nav.append({GROUPS.get(head.group(1), head.group(1)): group})
        for link in re.findall(r"\]\((\S+?\.md)\)", line) if line.startswith("|") else []:
            page = (sources / "docs" / link).resolve()
            if group is not None and page not in seen:
                seen.add(page)
                group.append({title_of(page): str(page.relative_to(sources))})
    rest = {"Samples": [], "More": []}
    for page in pages:
        name = str(page.relative_to(sources))
        if page not in seen:
            rest["Samples" if name.startswith("sample_projects") else "More"].append(
                {title_of(page): name})
    return nav + [{"Look": extras}] + [{key: value} for key, value in rest.items() if value]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"site: {command[0]} failed:\n{done.stdout}{done.stderr}")


def add_extras(sources, build, into):
    """Pages that are no Markdown; those that were not built are left out with one line."""
    extras = []

    def add(title, path):
        if (into / path).exists():
            extras.append({title: str(path)})
        else:
            print(f"site: without {title}")

    stiction = build / "stiction"
    playground = build / "docs/playground/playground.html"
    if playground.exists():
        shutil.copy(playground, into / "docs/playground/index.html")
    add("Playground", "docs/playground/index.html")
    if (build / "reference/html/index.html").exists():
        shutil.copytree(build / "reference/html", into / "reference")
    add("API reference", "reference/index.html")
    run(stiction, "reproduce", "--out", into / "papers")
    add("The papers, reproduced", "papers/gallery.html")
    for title, project in REPORTS:
        name = pathlib.Path(project).stem
        run(stiction, "run", sources / "sample_projects" / project, "--out", into / "reports")
        for path in (into / "reports" / name).iterdir():
            if path.name != "report.html":
                path.unlink()
        add(f"Report: {title}", f"reports/{name}/report.html")
    for path in (into / "reports").glob("*.*"):
        path.unlink()
    return extras


def repair_scripts(out):
    """Debian's theme has another version of jQuery than its pages name, and not all of its scripts."""
    jquery = next((out / "js").glob("jquery*.js"), None)

    def repair(match, page):
        script = page.parent / match.group(1)
        if script.exists():
            return match.group(0)
        if not script.name.startswith("jquery") or not jquery:
            return ""
        return match.group(0).replace(script.name, jquery.name)
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if "Built with" in text:
            page.write_text(re.sub(r'<script src="([^":]+)"[^>]*></script>',
                                   lambda match, page=page: repair(match, page), text),
                            encoding="utf-8")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sources, build, out = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    if not shutil.which("mkdocs"):
        sys.exit("site: mkdocs was not found (Debian package mkdocs)")
    work = build / "site_sources"
    for folder in (work, out):
        if folder.exists():
            shutil.rmtree(folder)
    into = work / "pages"
    pages = pages_of(sources)
    copy_pages(sources, pages, into)
    (into / "docs/playground").mkdir(parents=True, exist_ok=True)
    extras = add_extras(sources, build, into)
    adapt_links(into)
    config = {"site_name": "stiction", "docs_dir": str(into), "site_dir": str(out),
              "use_directory_urls": False, "nav": navigation(sources, pages, extras),
              "theme": {"name": "readthedocs", "highlightjs": False, "navigation_depth": 2},
              "plugins": ["search"], "markdown_extensions": ["tables", "fenced_code", "toc"]}
    (work / "mkdocs.yml").write_text(json.dumps(config, indent=1), encoding="utf-8")
    run("mkdocs", "build", "--quiet", "--config-file", work / "mkdocs.yml")
    repair_scripts(out)
    (out / "index.html").write_text(
        '<!DOCTYPE html><meta http-equiv="refresh" content="0; url=docs/index.html">'
        '<a href="docs/index.html">stiction</a>\n', encoding="utf-8")
    print(f"site: {out / 'index.html'}, {len(list(out.rglob('*.html')))} pages")


main()
