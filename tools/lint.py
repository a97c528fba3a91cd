#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Static analysis with clang-tidy, cppcheck and gcc's analyzer, and spelling with codespell, each
with its configuration in the repository. See --help."""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODULES = ("capi", "joint_models", "plugin", "tools")
SLOW_MODULES = ("tools/bench/", "tools/reproduce/")  # no user's input gets there: only with --all
# loops over doubles alone, of which gcc's analyzer would follow every turn: minutes for a law
LOOPS = ("joint_models/laws/", "joint_models/fast/", "capi/implicit/descent.c")
MISSING = 77  # for CTest: a tool is not here

# all that gcc's analyzer has but for the note that it gave up
ANALYZER_FLAGS = ["-fanalyzer", "-fdiagnostics-plain-output"]
for warning in subprocess.run(["gcc", "--help=warnings"], capture_output=True, text=True,
                              check=False).stdout.split() if shutil.which("gcc") else []:
    if warning.startswith("-Wanalyzer-") and warning != "-Wanalyzer-too-complex":
        ANALYZER_FLAGS.append(warning)


def commands(build, wanted, everything):
    """file -> its compiler's arguments, once each, of the modules."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        entries = json.load(f)
    found = {}
    for e in entries:
        path = os.path.realpath(os.path.join(e["directory"], e["file"]))
        name = os.path.relpath(path, ROOT)
        if not name.startswith(tuple(module + "/" for module in MODULES)) or name in found:
            continue
        if name not in wanted if wanted else name.startswith(SLOW_MODULES) and not everything:
            continue
        found[name] = (e["directory"], shlex.split(e["command"]))
    return dict(sorted(found.items()))


def run(command, **how):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                          **how)
    return done.returncode, done.stdout + done.stderr


class Progress:
    def __init__(self, what, count):
        self.what, self.count, self.done = what, count, 0
        self.shown = sys.stderr.isatty()

    def one(self):
        self.done += 1
        if self.shown:
            sys.stderr.write("\r%s: %d of %d files%s" % (
                self.what, self.done, self.count, "\n" if self.done == self.count else ""))


def each(what, names, jobs, call):
    """call(name) -> a list of findings, for all of them at once."""
    bar, all_found = Progress(what, len(names)), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(call, names):
            bar.one()
            all_found += found
    return all_found


# ---- the three ----

FINDING = re.compile(r"^(\S+?):(\d+):(?:(\d+):)? (?:warning|error|style|performance|portability|"
                     r"information): (.*)$")


def findings_in(text, directory=ROOT):
    found = []
    for line in text.splitlines():
        m = FINDING.match(line)
        if not m:
            continue
        path = os.path.relpath(os.path.realpath(os.path.join(directory, m.group(1))), ROOT)
        if path.startswith(tuple(module + "/" for module in MODULES)):
            found.append("%s:%s: %s" % (path, m.group(2), m.group(4)))
    return found


def clang_tidy(found, options):
    # the analyzer wants memcpy_s, which no C library here has
    checks = ["--checks=clang-analyzer-*,-clang-analyzer-security.insecureAPI."
              "DeprecatedOrUnsafeBufferHandling"] if options.all else []

    def one(name):
        _, text = run(["clang-tidy", "-p", options.build, "--quiet", "--extra-arg=-w"] + checks +
                      [os.path.join(ROOT, name)])
        return findings_in(text)
    return each("clang-tidy", list(found), options.jobs, one)


def cppcheck(found, options):
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "compile_commands.json")
        with open(database, "w", encoding="utf-8") as f:
            json.dump([{"directory": d, "file": os.path.join(ROOT, name),
                        "command": shlex.join(c)} for name, (d, c) in found.items()], f)
        level = ["--enable=warning,performance,portability"]
        if options.all:
            level += ["--check-level=exhaustive"] if "check-level" in run(
                ["cppcheck", "--help"])[1] else ["--max-ctu-depth=4"]
        code, text = run(["cppcheck", "--quiet", "--project=" + database, "-j%d" % options.jobs,
                          "--inline-suppr", "--library=" + os.path.join(ROOT, "tools/cppcheck.cfg"),
                          "--template={file}:{line}: warning: {message} [{id}]",
                          "--suppressions-list=" + os.path.join(ROOT, "tools/cppcheck.txt"),
                          ] + level)
    return findings_in(text) + ([] if code == 0 else ["cppcheck: ended with %d" % code])


# what codespell does not read: other languages, data, and inputs of tests that are wrong on purpose
NOT_ENGLISH = ("*.png,*.svg,*.npz,*.gz,*.po,*.stl,*.dae,*.obj,*.json,*.csv,*.ja.md,"
               "./tests/load,./tests/fuzz/corpus,./tests/reference,./capi/abi")


def codespell(_found, options):
    where = options.files or [name for name in os.listdir(ROOT) if name.endswith(".md") or name in
                              MODULES + ("tests", "docs", "config", "sample_projects", ".github")]
    code, text = run(["codespell", "--skip", NOT_ENGLISH, "-L", ",".join(reasons(
        "tools/codespell.txt"))] + ["./" + name for name in where], cwd=ROOT)
    found = [line for line in text.splitlines() if "==>" in line]
    return found + (["codespell: ended with %d" % code] if code and not found else [])


def reasons(name):
    """exception -> its reason, from lines "exception -- reason"."""
    known = {}
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        for line in f:
            line = line.strip()
            if line and not line.startswith("#"):
                place, reason = line.split(" -- ", 1)
                known[place.strip()] = reason
    return known


def gcc_analyzer(found, options):
    known, used = reasons("tools/gcc_analyzer.txt"), set()
    names = [name for name in found if name.endswith(".c")]

    def one(name):
        directory, command = found[name]
        while command[0] == "ccache" or command[0].endswith("/ccache"):
            command = command[1:]
        out = command.index("-o")
        command = ["gcc"] + command[1:out] + command[out + 2:]
        # dependencies would be written beside the object file
        for flag in ("-MD", "-MT", "-MF"):
            if flag in command:
                at = command.index(flag)
                del command[at:at + (1 if flag == "-MD" else 2)]
        command = [c for c in command if not re.match(r"-O|-W|-g|-fopenmp|--coverage", c)]
        level = "-O1" if name.startswith(LOOPS) else "-O0"
        code, text = run(command + [level, "-o", "/dev/null"] + ANALYZER_FLAGS, cwd=directory)
        if code != 0 and "warning:" not in text:
            return ["%s:1: gcc: %s" % (name, text.strip().splitlines()[0] if text else "failed")]
        left = []
        for finding in findings_in(text, directory):
            path = finding.split(":", 1)[0]
            kind = re.search(r"\[-W(analyzer-[a-z-]+)\]", finding)
            key = "%s: %s" % (path, kind.group(1) if kind else "")
            if key in known:
                used.add(key)
            else:
                left.append(finding)
        return left
    all_found = each("gcc -fanalyzer", names, options.jobs, one)
    if not options.files:
        all_found += ["tools/gcc_analyzer.txt:1: '%s' is not found any more: remove it" % key
                      for key in sorted(set(known) - used)
                      if options.all or not key.startswith(SLOW_MODULES)]
    return all_found


TOOLS = {"clang-tidy": clang_tidy, "cppcheck": cppcheck, "gcc": gcc_analyzer,
         "codespell": codespell}


def main():
    parser = argparse.ArgumentParser(
        prog="lint.sh", description="Static analysis of capi, joint_models, plugin and tools, and spelling. "
        "Exit code 1 where something is found, 77 where a tool is not installed.",
        epilog="Configurations, with a reason beside each exception: .clang-tidy, "
        "tools/cppcheck.txt, tools/gcc_analyzer.txt, tools/codespell.txt; single places have NOLINT or "
        "cppcheck-suppress with a reason.")
    parser.add_argument("--tool", choices=sorted(TOOLS), action="append",
                        help="only this one (may be repeated; default all)")
    parser.add_argument("--all", action="store_true",
                        help="also what takes minutes: clang's analyzer, cppcheck across files, "
                        "and tools/bench and tools/reproduce")
    parser.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build"),
                        help="a configured build, for the compilers' flags (default: build)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="so many at once (default: all cores)")
    parser.add_argument("files", nargs="*", metavar="FILE", help="only these (default: all)")
    options = parser.parse_args()
    if not os.path.exists(os.path.join(options.build, "compile_commands.json")):
        parser.error("%s is not a configured build: cmake -S . -B build" % options.build)
    found = commands(options.build,
                     {os.path.relpath(os.path.realpath(f), ROOT) for f in options.files},
                     options.all)
    if not found:
        parser.error("none of these files is built")
    failed, missing = False, False
    for name in options.tool or list(TOOLS):
        if not shutil.which(name):
            print("skipped: %s is not installed" % name)
            missing = True
            continue
        result = sorted(set(TOOLS[name](found, options)))
        for finding in result:
            print(finding)
        print("%s: %d files, %d findings" % (name, len(found), len(result)))
        failed = failed or bool(result)
    sys.exit(1 if failed else MISSING if missing else 0)


if __name__ == "__main__":
    main()
