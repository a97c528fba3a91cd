# SPDX-License-Identifier: MIT
"""How the libraries are found, and what is said where they are not."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import helpers

PACKAGE = helpers.SOURCES / "plugin" / "python" / "stiction"


class Libraries(helpers.Test):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)
        self.package = self.root / "lib" / "python3" / "dist-packages"
        shutil.copytree(PACKAGE, self.package / "stiction")

    def run_python(self, code, **surroundings):
        environment = {k: v for k, v in os.environ.items() if k != "STICTION_LIBRARY_PATH"}
        environment.update(PYTHONPATH=str(self.package), **surroundings)
        return subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=1000
        )

    def library(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(helpers.BUILD / "libstiction.so.3", folder)
        return folder

    def compile(self, source):
        folder = self.root / "other"
        folder.mkdir()
        (folder / "a.c").write_text(source)
        library = folder / "libstiction.so.3"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder / "a.c"], check=True)
        return folder

    def test_beside_the_package(self):
        self.library(self.root / "lib")
        done = self.run_python("import stiction; print(stiction.Law('coulomb', coulomb_torque=1).phi(1.0))")
        self.assertEqual((done.stdout, done.stderr), ("1.0\n", ""))

    def test_the_environment_comes_first(self):
        self.library(self.root / "lib")
        folder = self.library(self.root / "mine")
        code = "from stiction._abi import lib; print(lib.path)"
        done = self.run_python(code, STICTION_LIBRARY_PATH=f"/no/such:{folder}")
        self.assertEqual(done.stdout.strip(), str(folder / "libstiction.so.3"), done.stderr)

    def test_there_is_none(self):
        done = self.run_python("import stiction", STICTION_LIBRARY_PATH="/no/such")
        if done.returncode == 0:
            self.skipTest("libstiction is installed in the system")
        last = done.stderr.splitlines()[-1]
        self.assertIn("ImportError: libstiction.so.3 cannot be loaded", last)
        self.assertIn("/no/such", last)

    def test_another_version(self):
        folder = self.compile("int stiction_abi_version(void) { return 4; }")
        done = self.run_python("import stiction", STICTION_LIBRARY_PATH=str(folder))
        self.assertIn("has version 4 of stiction's ABI, and this package needs 3", done.stderr)

    def test_something_else(self):
        folder = self.compile("int other;")
        done = self.run_python("import stiction", STICTION_LIBRARY_PATH=str(folder))
        self.assertIn("is not stiction's library", done.stderr)

    def test_an_older_one(self):
        folder = self.compile("int stiction_abi_version(void) { return 3; }")
        done = self.run_python("import stiction", STICTION_LIBRARY_PATH=str(folder))
        self.assertIn("is older than this package: it has no stiction_", done.stderr)

    def test_a_controller_needs_no_library(self):
        done = subprocess.run(
            [sys.executable, "-m", "stiction.controller", "--help"],
            env={**os.environ, "PYTHONPATH": str(self.package), "STICTION_LIBRARY_PATH": "/no/such"},
            capture_output=True,
            text=True,
            timeout=1000,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_without_numpy(self):
        self.library(self.root / "lib")
        done = self.run_python("import sys; sys.modules['numpy'] = None; import stiction")
        self.assertIn("python3-numpy", done.stderr.splitlines()[-1])

    def test_everything_that_is_declared_has_the_right_number_of_arguments(self):
        from stiction import _abi

        folders = ("capi/include/stiction", "joint_models/include/stiction/models")
        helpers.check_prototypes(self, _abi.FUNCTIONS, *folders)


helpers.main()
