#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which lines and branches the tests run, one line per module, with bounds. See --help."""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Room: at least so many per cent of lines, of branches.
CORE, REST = (97, 90), (95, 85)
MODULES = [("joint_models", CORE), ("capi", CORE)] + [(module, REST) for module in (
    "plugin/velocities", "plugin/customizer", "plugin/storage", "plugin/json", "plugin/pushes",
    "plugin/controllers", "plugin/results",
    "plugin/stability", "plugin/meshes", "plugin/robots", "plugin/projects", "plugin/mujoco",
    "plugin/engine", "tools/common", "tools/plot", "tools/import", "tools/report",
    "tools/reproduce", "tools/run", "tools/sweep", "tools/bench", "tools/command")]

# The rule for what is not counted: nothing of a module but whole files that are here for people to
# read or that another program runs, each with its reason. No line and no branch is left out; that
# an allocation fails is a branch like any other (tests/faults takes it).
LEFT_OUT = {
    "plugin/controllers/examples": "examples, built and run by tests as others would",
    "plugin/mujoco/video_none.c": "in place of video.c, where there is no EGL",
    "tools/run/run_choreonoid.c": "runs where Choreonoid is installed (ctest -L choreonoid)",
    "tools/bench": "measures; its own test runs it once, for a small part",
}

# What compiles for itself, watches with another program, or shows nothing new for its time.
WITHOUT_LABELS = "choreonoid|fuzz|lint"
WITHOUT_TESTS = ("^(core_alone|determinism|coefficients|modules|symbols|your_robot|soak.*|"
                 "install|installed_.*|python\\.installed|report\\.chromium|abi.*|other_machines.*|"
                 "customizer\\.leaks_nothing|command\\.(bench|documented|valgrind)|packages|security)$")

# A function that is always inlined would have branches of its own at every call.
FLAGS = ("-O0 -DSTICTION_FEW_ROUNDS -Dalways_inline=unused "
         "--coverage -fprofile-update=atomic -fprofile-abs-path")


def step(what, command, log):
    """A line of progress; the output is shown where it fails."""
    sys.stdout.write("%s ... " % what)
    sys.stdout.flush()
    with open(log, "w", encoding="utf-8") as out:
        code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
    print("done" if code == 0 else "failed, see %s" % log)
    return code == 0


def data_files(folder):
    for base, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcda"):
                yield os.path.join(base, name)


def is_cut(path):
    """Whether a process was killed while it wrote the file: records, tag and length each, end in a
    0. Nobody adds to such a file any more, and gcov takes what is missing for lines not run."""
    with open(path, "rb") as f:
        data = f.read()
    words = struct.unpack("<%dI" % (len(data) // 4), data[:len(data) // 4 * 4])
    for head, unit in ((4, 4), (3, 1)):  # gcc from 12 on counts bytes, before words
        at = head
        while at + 1 < len(words) and words[at]:
            length = words[at + 1] if words[at + 1] < 1 << 31 else 0  # of zeros that are left out
            at += 2 + length // unit
        if at == len(words) - 1 and words[at] == 0:
            return False
    return True


def read_one(path):
    """gcov's JSON of one object file, and what is wrong with its counts ("": nothing)."""
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(
            ["gcov", "--json-format", "--branch-probabilities", path], cwd=folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False).stderr.decode()
        # that a source is newer than its object is said there, too, and loses nothing
        lost = [line for line in said.splitlines() if re.search("mismatch|corrupt|not a gcov", line)]
        problem = "; ".join(lost) or ("a process was killed while it wrote them" if is_cut(path) else "")
        for name in os.listdir(folder):
            with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as f:
                return json.load(f), problem
    return {"files": []}, problem or "gcov makes nothing of them"


def module_of(name):
    if any(name == left or name.startswith(left + "/") for left in LEFT_OUT):
        return None
    for module, _ in MODULES:
        if name.startswith(module + "/"):
            return module
    return None


def collect(build, jobs):
    """file -> line -> [count, {branch: count}], added up over all objects of a source."""
    files = collections.defaultdict(dict)
    paths = list(data_files(build))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for path, (data, problem) in zip(paths, pool.map(read_one, paths)):
            if problem:
                print("the counts of %s are lost: %s" % (os.path.relpath(path, build), problem))
            for one in data["files"]:
                name = os.path.relpath(os.path.realpath(os.path.join(
                    data.get("current_working_directory", ROOT), one["file"])), ROOT)
                if not module_of(name):
                    continue
                # A line of a macro or a header is compiled into several functions, some of them
                # for other processors than this: its branches are taken where one of them does.
                seen = collections.Counter()
                for line in one["lines"]:
                    number = line["line_number"]
                    entry = files[name].setdefault(number, [0, {}])
                    entry[0] += line["count"]
                    for branch in line["branches"]:
                        if branch["throw"]:
                            continue
                        place = number, line.get("function_name")
                        key = seen[place]
                        seen[place] += 1
                        entry[1][key] = entry[1].get(key, 0) + branch["count"]
    return files


def figures(lines):
    run = sum(1 for count, _ in lines.values() if count)
    branches = [count for _, of_line in lines.values() for count in of_line.values()]
    return len(lines), run, len(branches), sum(1 for count in branches if count)


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def show(files, worst):
    fine = True
    print("%-22s %7s %7s   %8s %7s   %s" % ("module", "lines", "run", "branches", "taken", "bounds"))
    for module, (least_lines, least_branches) in MODULES:
        total = [0, 0, 0, 0]
        for name, lines in files.items():
            if module_of(name) == module:
                total = [a + b for a, b in zip(total, figures(lines))]
        if not total[0]:
            continue
        of_lines, of_branches = percent(total[1], total[0]), percent(total[3], total[2])
        short = of_lines < least_lines or of_branches < least_branches
        fine = fine and not short
        print("%-22s %7d %6.1f%%   %8d %6.1f%%   %d %d%s" % (
            module, total[0], of_lines, total[2], of_branches, least_lines, least_branches,
            "  BELOW" if short else ""))
    ranked = sorted(files.items(), key=lambda f: figures(f[1])[3] - figures(f[1])[2])
    if worst:
        print("\nmost branches that no test takes")
    for name, lines in ranked[:worst]:
        all_lines, run, all_branches, taken = figures(lines)
        print("%-44s %4d of %4d lines, %4d of %4d branches" % (
            name, all_lines - run, all_lines, all_branches - taken, all_branches))
    return fine


def show_file(files, name):
    for number, (count, branches) in sorted(files[name].items()):
        missed = sum(1 for taken in branches.values() if not taken)
        if not count:
            print("%s:%d: not run" % (name, number))
        elif missed:
            print("%s:%d: %d of %d branches not taken" % (name, number, missed, len(branches)))


def main():
    parser = argparse.ArgumentParser(
        prog="coverage.py", description="Builds with gcc --coverage into a folder of its own, runs "
        "the suite (without Choreonoid, fuzzing and static analysis) and prints lines "
        "and branches per module. Exit code 1 if a module is below its bounds, or a test failed.")
    parser.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build-coverage"))
    parser.add_argument("--tests", metavar="REGEX", default=".",
                        help="only tests whose names match; figures are then kept, not begun anew")
    parser.add_argument("--no-run", action="store_true", help="only show what earlier runs left")
    parser.add_argument("--worst", type=int, default=15, metavar="N", help="so many files (15)")
    parser.add_argument("--file", metavar="FILE", help="the lines of one source that are missed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    options = parser.parse_args()
    build, passed = os.path.abspath(options.build), True
    if not shutil.which("gcov"):
        parser.error("gcov is not installed (it comes with gcc)")
    if not options.no_run:
        os.makedirs(build, exist_ok=True)
        # a process that a test kills while it writes leaves counts that others cannot add to
        os.environ.update(CC="gcc", CXX="g++", FAULTS_FEW="1", GCOV_ERROR_FILE="/dev/null")
        counted = os.path.join(build, "counted.o")
        subprocess.run(["gcc", "-c", "-fPIC", os.path.join(ROOT, "tests", "counted.c"), "-o", counted], check=True)
        link = "-Wl,--wrap=_exit,--wrap=setrlimit,--wrap=kill " + counted
        if not step("configuring", [
                "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                "-DCMAKE_C_FLAGS=" + FLAGS, "-DCMAKE_CXX_FLAGS=" + FLAGS, "-DSTICTION_TESTS=ON",
                "-DCMAKE_EXE_LINKER_FLAGS=" + link, "-DCMAKE_SHARED_LINKER_FLAGS=" + link,
                "-DCMAKE_MODULE_LINKER_FLAGS=" + link,
                "-DSTICTION_CHOREONOID=OFF"], os.path.join(build, "configure.log")):
            sys.exit(1)
        if not step("building", ["cmake", "--build", build, "-j", str(options.jobs)],
                    os.path.join(build, "build.log")):
            sys.exit(1)
        if options.tests == ".":
            for path in data_files(build):
                os.remove(path)
        passed = step("tests", [
            "ctest", "--test-dir", build, "-j", str(options.jobs), "-LE", WITHOUT_LABELS,
            "-E", WITHOUT_TESTS, "-R", options.tests, "--output-on-failure"],
            os.path.join(build, "tests.log"))
    files = collect(build, options.jobs)
    if not files:
        parser.error("there are no figures in %s yet" % build)
    if options.file:
        show_file(files, os.path.relpath(os.path.realpath(options.file), ROOT))
        sys.exit(0)
    fine = show(files, options.worst)
    sys.exit(0 if fine and passed else 1)


if __name__ == "__main__":
    main()
