#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Changes an operator or a constant of the sources, builds, runs the tests that concern the file,
and reports which changes no test sees. See --help."""
import argparse
import difflib
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KNOWN = os.path.join(ROOT, "tools/mutants_known.txt")

# Where: the programs of the tests that concern it, fastest first; `command` stands for the shell
# tests of the command. The first row that fits a file counts.
CORE = ("names override edit capi host allocation fast_steps elements "
        "reference_models laws holding load batch load_errors implicit_api implicit_contact random "
        "implicit_motion faults")
IMPLICIT = ("implicit_api implicit_contact implicit_motion implicit_holding implicit_later implicit "
            "faults")
TESTS = [
    ("joint_models/comparison", "rk4_friction elements bodies network laws bristles "
     "reproduce reference_models"),
    ("joint_models/reference", "reference_models bristles capi laws batch random"),
    ("joint_models/fast", "fast_steps batch capi laws accuracy"),
    ("joint_models", "fast_steps elements capi laws reference_models batch holding "
     "implicit_api implicit_contact bristles accuracy"),
    ("capi/implicit", IMPLICIT),
    ("capi/document", "names override edit posture_config project robot motion load "
     "load_errors sweep_file shown hostile faults"),
    ("capi", CORE),
    ("plugin/velocities", "velocity_check customizer"),
    ("plugin/customizer", "customizer"),
    ("plugin/json", "table results report"),
    ("plugin/controllers/qp", "qp posture"),
    ("plugin/controllers/remote", "controller_remote"),
    ("plugin/controllers", "controller_host posture_config posture motion controller_remote"),
    ("plugin/results", "results simulation engine"),
    ("plugin/stability/linear", "linear"),
    ("plugin/stability/chatter.c", "results engine"),
    ("plugin/stability/coupling.c", "stability coupling"),
    ("plugin/stability", "stability simulation"),
    ("plugin/meshes", "meshes"),
    ("plugin/robots", "robot any_robot world stability"),
    ("plugin/projects", "project world any_robot"),
    ("plugin/mujoco", "body_view world contact simulation any_robot loads engine"),
    ("plugin/engine", "engine vector"),
    ("tools/common", "table sweep_file command"),
    ("tools/plot", "table command"),
    ("tools/import", "fit command"),
    ("tools/sweep", "sweep_file command"),
    ("tools/report", "report command"),
    ("tools", "command"),
]
PROGRAMS = {"command": "stiction_command fuzz_replay", "faults": "faults_library",
            "hostile": "stiction_command", "results": "test_results print_documented", "coupling": "stiction_command",
            "controller": "stiction_command posture"}
PATTERNS = {"faults": "^faults\\.library$", "hostile": "^command\\.hostile$",
            "controller": "^command\\.controller$", "coupling": "^command\\.coupling$",
            "command": "^command\\.(usage|help|curve|import|replay|run|random|report|sweep|robots|new)$"}
# not ours to change: another simulator runs it, or nothing but speed depends on it
SKIPPED = ("plugin/choreonoid", "plugin/controllers/examples", "plugin/python", "tools/bench",
           "tools/run/run_choreonoid.c", "plugin/mujoco/video")

# Operators as clang-format leaves them: what has two sides has spaces around it.
OPERATORS = {" + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " < ": [" <= ", " > "],
             " <= ": [" < "], " > ": [" >= ", " < "], " >= ": [" > "], " == ": [" != "],
             " != ": [" == "], " && ": [" || "], " || ": [" && "], " += ": [" -= "],
             " -= ": [" += "], " *= ": [" /= "], " /= ": [" *= "], "++": ["--"], "--": ["++"],
             " << ": [" >> "], " >> ": [" << "], " & ": [" | "], " | ": [" & "],
             "true": ["false"], "false": ["true"], "!": [""]}
SITE = re.compile(r" (?:[-+*/]=?|[<>]=?|[=!]=|&&|\|\||<<|>>|&|\|) |\+\+|--|!(?=[a-z(])|"
                  r"\b(?:true|false)\b|(?<![\w.])(?:\d+\.?\d*(?:e[-+]?\d+)?)(?![\w.])")


def blank(text):
    """The same text with spaces for comments, strings and lines of the preprocessor."""
    def spaces(m):
        return re.sub(r"[^\n]", " ", m.group(0))
    text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", spaces, text,
                  flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", spaces, text, flags=re.M)


def changed_constant(text, dice):
    if re.fullmatch(r"\d+", text):
        return "1" if text == "0" else dice.choice(["0", "2"]) if text == "1" else \
            str(int(text) + dice.choice([-1, 1]))
    return "%s" % repr(float(text) * dice.choice([0.5, 1.01, 2]) or 1.0)


def sources(modules):
    names = subprocess.run(["git", "ls-files"] + [module for module, _ in TESTS], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.split()
    for name in sorted(set(names)):
        if name.endswith(".c") and not name.startswith(SKIPPED) and \
                (not modules or name.startswith(tuple(modules))):
            yield name


def make(name, dice):
    """A change of a file: its new text, or None where there is nothing to change."""
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        text = f.read()
    sites = list(SITE.finditer(blank(text)))
    if not sites:
        return None
    site = dice.choice(sites)
    there = site.group(0)
    new = dice.choice(OPERATORS[there]) if there in OPERATORS else changed_constant(there, dice)
    return text, text[:site.start()] + new + text[site.end():]


def tests_of(name):
    for module, words in TESTS:
        if name == module or name.startswith(module + "/"):
            return words.split()
    raise KeyError(name)


def difference(name, old, new):
    return "".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, name,
                                        n=1))


def lines_of(diff):
    """What tells two changes of a file apart, wherever the lines stand."""
    return [line[0] + " " + line[1:].strip() for line in diff.splitlines()
            if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def known_survivors():
    """(file, removed line, added line) -> the reason that no test can see it."""
    known, entry = {}, {}
    with open(KNOWN, encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("file: "):
                entry = {"file": line[6:]}
            elif line[:2] in ("- ", "+ "):
                entry[line[0]] = line
            elif line.startswith("why: "):
                known[(entry["file"], entry["-"], entry["+"])] = line[5:]
    return known


def bounds(seconds):
    """For a child: a loop without end is to fail, not the machine. The limit is of the processor's
    time, a process: on a machine that is busy, or while it is stopped, nothing counts as hung."""
    def set_them():
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    return set_them


class Work:
    """A copy of the tree with a build of its own."""

    def __init__(self, folder, jobs):
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.jobs, self.log = str(jobs), os.path.join(folder, "log")
        self.times = {}
        names = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, capture_output=True,
                               check=True).stdout.split("\n")
        for name in filter(None, names):
            source, target = os.path.join(ROOT, name), os.path.join(self.tree, name)
            if not os.path.exists(source):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(source, "rb") as f:
                new = f.read()
            if not os.path.exists(target) or open(target, "rb").read() != new:
                shutil.copy2(source, target)
                os.utime(target)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache",
                        "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
            self.must(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja",
                       "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1", "-DCMAKE_CXX_FLAGS=-O1",
                       "-DSTICTION_TESTS=ON", "-DSTICTION_CHOREONOID=OFF",
                       "-DSTICTION_WARNINGS_AS_ERRORS=OFF"] + launcher)

    def run(self, command, limit=None):
        """Whether it went well; a process of it may use `limit` seconds of the processor."""
        with open(self.log, "w", encoding="utf-8") as out:
            return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT,
                                  preexec_fn=bounds(limit), check=False).returncode == 0

    def must(self, command):
        if not self.run(command):
            sys.exit("failed: %s, see %s" % (" ".join(command), self.log))

    def compile(self, words):
        targets = " ".join(PROGRAMS.get(word, "test_" + word) for word in words).split()
        targets += ["StictionCustomizer"] if "customizer" in words else []
        return self.run(["ninja", "-C", self.build, "-j", self.jobs] + targets)

    def test(self, word, limit):
        pattern = PATTERNS.get(word, "^%s\\." % word)
        return self.run(["ctest", "--test-dir", self.build, "-R", pattern, "-LE", "lint|fuzz",
                         "-E", "leaks_nothing", "-j", self.jobs, "--stop-on-failure"], limit)

    def prepare(self, words):
        """What they take as it is, which must go well; a change that takes much longer hangs."""
        new = [word for word in words if word not in self.times]
        if not new:
            return
        if not self.compile(new):
            sys.exit("the sources do not build, see %s" % self.log)
        for word in new:
            start = time.monotonic()
            if not self.test(word, None):
                sys.exit("%s fails without any change, see %s" % (word, self.log))
            self.times[word] = time.monotonic() - start

    def judge(self, name, text, words):
        """What becomes of a change."""
        target = os.path.join(self.tree, name)
        with open(target, encoding="utf-8") as f:
            before = f.read()
        try:
            with open(target, "w", encoding="utf-8") as f:
                f.write(text)
            if not self.compile(words):
                return "did not compile", ""
            for word in words:
                if not self.test(word, 20 * self.times[word] + 60):
                    return "killed", word
            return "survived", ""
        finally:
            with open(target, "w", encoding="utf-8") as f:
                f.write(before)


def main():
    parser = argparse.ArgumentParser(
        prog="mutants.py", description="Changes one operator or constant at a time, in a copy of "
        "the tree, and runs the tests that concern the file until one fails. What no test sees is "
        "shown as a difference. Exit code 1 where such a change is not explained in "
        "tools/mutants_known.txt. Begun again with the same options it goes on where it was.")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="so many changes (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="S",
                        help="other changes for another number (1)")
    parser.add_argument("--module", action="append", metavar="FOLDER",
                        help="only sources below it (may be repeated; default: joint_models and "
                        "capi; `all`: plugin and tools as well)")
    parser.add_argument("--out", metavar="DIR", default=os.path.join(ROOT, "build-mutants"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--list", action="store_true", help="only show the changes")
    options = parser.parse_args()
    modules = options.module or ["joint_models/", "capi/"]
    names = list(sources([] if "all" in modules else modules))
    if not names:
        parser.error("there is no source below %s" % ", ".join(modules))

    weights = [os.path.getsize(os.path.join(ROOT, name)) for name in names]
    changes, seen, dice = [], set(), random.Random(options.seed)
    for _ in range(20 * options.count):
        if len(changes) == options.count:
            break
        name = dice.choices(names, weights)[0]
        made = make(name, dice)
        if made:
            diff = difference(name, *made)
            if diff not in seen:
                seen.add(diff)
                changes.append((name, made[1], diff))
    if options.list:
        print("".join(diff for _, _, diff in changes))
        return

    out = os.path.abspath(options.out)
    os.makedirs(out, exist_ok=True)
    done, path = {}, os.path.join(out, "verdicts.jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            for line in f:
                entry = json.loads(line)
                done[entry["change"]] = entry
    known, work, counts, open_ones = known_survivors(), None, {}, []
    for number, (name, text, diff) in enumerate(changes, 1):
        key = hashlib.sha256((diff + open(os.path.join(ROOT, name), encoding="utf-8").read())
                             .encode()).hexdigest()
        entry = done.get(key)
        if not entry or entry["verdict"] == "survived":  # new tests may see it
            work = work or Work(out, options.jobs)
            words = tests_of(name)
            work.prepare(words)
            verdict, by = work.judge(name, text, words)
            entry = {"change": key, "file": name, "verdict": verdict, "by": by, "diff": diff}
            with open(path, "a", encoding="utf-8") as f:
                f.write(json.dumps(entry) + "\n")
        lines = lines_of(diff)
        reason = known.get((name, lines[0], lines[1])) if len(lines) == 2 else None
        verdict = entry["verdict"]
        if verdict == "survived" and reason:
            verdict = "survived, explained"
        elif verdict == "survived":
            open_ones.append(entry)
        counts[verdict] = counts.get(verdict, 0) + 1
        print("%3d of %d  %-20s %-40s %s" % (number, len(changes), verdict, name, entry["by"]),
              flush=True)
        if verdict == "survived":
            print(diff, flush=True)
    print("\n" + ", ".join("%d %s" % (count, verdict) for verdict, count in sorted(counts.items())))
    if open_ones:
        sys.exit("%d changes are seen by no test and not explained" % len(open_ones))


if __name__ == "__main__":
    main()
