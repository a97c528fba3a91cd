#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Power loss: a command's calls on files are recorded (shim_files.c), and for every point of the record the
folders are made that a machine may find when the power comes back. What was not synced may have reached the disk
or not: the entries of folders before the data of files, the data before the entries, and half of it. In each the
old is there whole, or the new, or the same command goes on and comes to the whole.

usage: power.py SHIM STICTION EDIT SOURCES SCENARIO
"""
import copy
import hashlib
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

OPEN, TRUNCATE, WRITE, SYNC, RENAME, EXCHANGE, LINK, UNLINK, MKDIR, RMDIR = range(10)
HEAD = struct.Struct("@IIIQQQ")  # struct recorded of shim.h


def calls_of(record):
    """(call, path, other, inode, offset, size, data) of each."""
    data = record.read_bytes()
    at = 0
    while at < len(data):
        call, path, other, inode, offset, size = HEAD.unpack_from(data, at)
        at += HEAD.size
        parts = []
        for length in (path, other, size if call == WRITE else 0):
            parts.append(data[at : at + length])
            at += length
        yield call, parts[0].decode(), parts[1].decode(), inode, offset, size, parts[2]


class Node:
    """A file or a folder: as programs see it now, and as the disk has it for certain."""

    def __init__(self, is_folder, content=None):
        self.is_folder = is_folder
        self.now = content if content is not None else ({} if is_folder else b"")
        self.synced = copy.copy(self.now)


class Disk:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.top = self._load(self.root)
        self.open = {}  # inode number -> node

    def _load(self, path):
        if path.is_dir():
            return Node(True, {child.name: self._load(child) for child in path.iterdir()})
        return Node(False, path.read_bytes())

    def _find(self, path):
        """The folder of a path, and its name there."""
        names = pathlib.PurePath(path).relative_to(self.root).parts
        folder = self.top
        for name in names[:-1]:
            folder = folder.now[name]
        return folder, names[-1] if names else None

    def _node(self, path):
        folder, name = self._find(path)
        return folder if name is None else folder.now.get(name)

    def do(self, call, path, other, inode, offset, size, data):
        if call in (WRITE, TRUNCATE, SYNC):
            node = self.open.get(inode)
            if not node or node.is_folder:
                node = self._node(path)
        if call == OPEN:
            folder, name = self._find(path)
            self.open[inode] = folder.now.setdefault(name, Node(False))
        elif call == WRITE:
            now = node.now.ljust(offset, b"\0")
            node.now = now[:offset] + data + now[offset + len(data) :]
        elif call == TRUNCATE:
            node.now = node.now[:offset].ljust(offset, b"\0")
        elif call == SYNC:
            node.synced = copy.copy(node.now)
        elif call == MKDIR:
            folder, name = self._find(path)
            folder.now[name] = Node(True)
        elif call in (UNLINK, RMDIR):
            folder, name = self._find(path)
            del folder.now[name]
        elif call == LINK:
            folder, name = self._find(other)
            folder.now[name] = self._node(path)
        else:
            source, name = self._find(path)
            target, new = self._find(other)
            if call == EXCHANGE:
                source.now[name], target.now[new] = target.now[new], source.now[name]
            else:
                target.now[new] = source.now.pop(name)

    def found(self, entries, data):
        """What a machine finds, a dictionary of paths: entries and data "now", "synced" or, of data, "half"."""
        files = {}

        def walk(folder, before):
            for name, node in getattr(folder, entries).items():
                path = f"{before}{name}"
                if node.is_folder:
                    files[path + "/"] = None
                    walk(node, path + "/")
                elif data == "half":
                    files[path] = node.now[: (len(node.synced) + len(node.now)) // 2]
                else:
                    files[path] = getattr(node, data)

        walk(self.top, "")
        return files


def put(files, root):
    shutil.rmtree(root, ignore_errors=True)
    os.mkdir(root)
    for path, content in sorted(files.items()):
        place = pathlib.Path(root, path)
        if content is None:
            place.mkdir(exist_ok=True)
        else:
            place.write_bytes(content)
            if place.name.endswith(".part"):  # its mode is on the disk with its size
                place.chmod(0o1644)


def tree(folder):
    """All files below a folder with their bytes; None where there is none."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        return None
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def put_tree(files, root):
    """What tree() gave, on the disk again."""
    folders = {f"{parent}/": None for path in files for parent in pathlib.PurePath(path).parents if str(parent) != "."}
    put({**folders, **files}, root)


class Scenario:
    def __init__(self, shim, stiction, edit, sources):
        self.shim, self.stiction, self.edit = shim, stiction, edit
        self.wrist = f"{sources}/sample_projects/wrist"
        self.config = f"{sources}/config/wrist.yaml"
        # where a sync takes no time: what is synced is what the record says
        self.work = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.root = f"{self.work}/root"
        os.mkdir(self.root)

    def run(self, *words, env=None):
        return subprocess.run(words, cwd=self.root, env=env, capture_output=True, text=True)

    def must_run(self, *words, env=None):
        done = self.run(*words, env=env)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")

    def record(self, *words):
        page, record = pathlib.Path(self.work, "page"), pathlib.Path(self.work, "record")
        page.write_bytes(bytes(4096))
        record.write_bytes(b"")
        environment = dict(os.environ, LD_PRELOAD=self.shim, FAULTS_PAGE=str(page), FAULTS_RECORD=str(record),
                           FAULTS_ROOT=self.root)
        self.must_run(*words, env=environment)
        return list(calls_of(record))

    def try_all(self, words, check):
        """Every point of the record of a command, in every way; check() gives what is wrong. Had nothing been
        synced, something must be wrong: else the check could see nothing."""
        before = tree(self.root)
        calls = self.record(*words)
        after = tree(self.root)
        states, problems = self.states(before, calls, check, True)
        put(self.last.found("now", "now"), self.root)
        if tree(self.root) != after:
            sys.exit("the record does not come to what the command left")
        for problem in problems:
            print(f"FAILED {problem}")
        if not self.states(before, [call for call in calls if call[0] != SYNC], check, False)[1]:
            sys.exit("without its syncs all would be well, too: this test sees nothing")
        print(f"{' '.join(words[1:3])}: {len(calls)} calls, {states} states, {len(problems)} failed")
        return len(problems)

    def states(self, before, calls, check, all_of_them):
        """How many there are, and what is wrong in which."""
        put_tree(before, self.root)
        disk = self.last = Disk(self.root)
        seen, problems = set(), []
        for k in range(len(calls) + 1):
            if k:
                disk.do(*calls[k - 1])
            for entries, data in (("now", "now"), ("now", "synced"), ("now", "half"), ("synced", "now"),
                                  ("synced", "synced")):
                files = disk.found(entries, data)
                name = hashlib.sha256(repr(sorted(files.items())).encode()).digest()
                if name in seen:
                    continue
                seen.add(name)
                put(files, self.root)
                problem = check()
                if problem:
                    call = calls[k - 1] if k else ("nothing", "", "")
                    problems.append(f"behind call {k} of {len(calls)} ({call[0]} {call[1]} {call[2]}), entries "
                                    f"{entries}, data {data}: {problem}")
                    if not all_of_them:
                        return len(seen), problems
        return len(seen), problems


def results_of(s, *more):
    """What a run leaves in its folder, which is then removed."""
    s.must_run(*run_words(s, *more))
    made = tree(f"{s.root}/out/wrist")
    shutil.rmtree(f"{s.root}/out")
    return made


def run_words(s, *more):
    return [s.stiction, "run", f"{s.wrist}/wrist.cnoid", "--set", "duration=0.01", "--out", "out", "--no-report", *more]


def scenario_run(s):
    """Nothing, or the whole; where there is nothing the same command makes it."""
    whole = results_of(s)

    def check():
        there = tree(f"{s.root}/out/wrist")
        if there not in (None, {}, whole):
            return "results that are not whole are in their place"
        done = s.run(*run_words(s))
        if there == whole:
            return None if "has results already" in done.stderr else "whole results are not known as such"
        return None if tree(f"{s.root}/out/wrist") == whole else f"it does not go on: {done.stderr}"

    return s.try_all(run_words(s), check)


def scenario_force(s):
    """The old or the new, whole; a file of the user stays, and another --force makes the new."""
    old, new = results_of(s, "--set", "controller.kp=20"), results_of(s)
    s.must_run(*run_words(s, "--set", "controller.kp=20"))
    pathlib.Path(s.root, "out/wrist/notes.txt").write_text("mine")
    mine = {"notes.txt": b"mine"}

    def check():
        there = tree(f"{s.root}/out/wrist") or {}
        there.pop("notes.txt", None)
        if there not in (old, new):
            return "neither the old nor the new results are whole in their place"
        done = s.run(*run_words(s, "--force"))
        if tree(f"{s.root}/out/wrist") != {**new, **mine}:
            return f"another --force does not come to the new results with the user's file: {done.stderr}"
        return None

    return s.try_all(run_words(s, "--force"), check)


def two_runs(s):
    pathlib.Path(s.root, "two.yaml").write_text(
        f'sweep: 1\nprojects: ["{s.wrist}/wrist.cnoid"]\nset: {{ duration: [0.01, 0.02] }}\n')


def comes_to_its_table(s, words):
    """Whatever is there, the same command comes to the same table."""
    table = pathlib.Path(s.root, "out/sweep.csv")
    s.must_run(*words)
    expected = table.read_bytes()
    shutil.rmtree(f"{s.root}/out")

    def check():
        done = s.run(*words)
        if done.returncode != 0:
            return f"it does not go on: {done.stderr}"
        return None if table.read_bytes() == expected else "another table"

    return s.try_all(words, check)


def scenario_sweep(s, *more):
    two_runs(s)
    words = [s.stiction, "sweep", "two.yaml", "--out", "out", "--no-reports", "--jobs", "1", *more]
    return comes_to_its_table(s, words)


def scenario_figures(s):
    """A run is a row of the database and nothing else."""
    return scenario_sweep(s, "--figures-only")


def scenario_merge(s):
    """What was merged is as it was."""
    two_runs(s)
    for shard in "12":
        s.must_run(s.stiction, "sweep", "two.yaml", "--out", f"part{shard}", "--no-reports", "--shard", f"{shard}/2")
    return comes_to_its_table(s, [s.stiction, "merge", "part1", "part2", "--out", "out"])


def replaces(s, words):
    """A file that is the old or the new one to the byte."""
    place = pathlib.Path(s.root, "w.yaml")
    before = place.read_bytes()
    s.must_run(*words)
    after = place.read_bytes()
    if after == before:
        sys.exit("it changes nothing")
    place.write_bytes(before)

    def check():
        return None if place.is_file() and place.read_bytes() in (before, after) else "neither the old nor the new"

    return s.try_all(words, check)


def scenario_init(s):
    pathlib.Path(s.root, "w.yaml").write_text("# mine\n")
    return replaces(s, [s.stiction, "init", f"{s.wrist}/wrist.body", "--out", "w.yaml", "--force"])


def scenario_edit(s):
    shutil.copy(s.config, f"{s.root}/w.yaml")
    return replaces(s, [s.edit, "w.yaml", "joints.RWRR.damping", "7"])


def main():
    shim, stiction, edit, sources, name = sys.argv[1:]
    s = Scenario(shim, stiction, edit, sources)
    try:
        return 1 if globals()[f"scenario_{name}"](s) else 0
    finally:
        shutil.rmtree(s.work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
