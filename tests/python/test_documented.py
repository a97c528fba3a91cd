# SPDX-License-Identifier: MIT
"""The blocks of documents that begin with ```python run, those of one document one after the other, in a copy
of the sources."""
import doctest
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import helpers
import stiction

FENCE = re.compile(r"^```python run *\n(.*?)^```", re.M | re.S)


class Documents(helpers.Test):
    def test_their_blocks_run(self):
        count = 0
        os.environ["PATH"] = f"{helpers.BUILD}:{os.environ['PATH']}"
        for document in [helpers.SOURCES / "README.md", *sorted((helpers.SOURCES / "docs").glob("*.md"))]:
            text = document.read_text(encoding="utf-8")
            blocks = [(text.count("\n", 0, m.start()) + 1, m.group(1)) for m in FENCE.finditer(text)]
            if not blocks:
                continue
            with self.subTest(document.name), tempfile.TemporaryDirectory() as folder:
                for name in ("config", "sample_projects", "tests/robots"):
                    shutil.copytree(helpers.SOURCES / name, pathlib.Path(folder) / name)
                before = os.getcwd()
                os.chdir(folder)
                try:
                    self.run_blocks(document.name, blocks)
                finally:
                    os.chdir(before)
            count += len(blocks)
        self.assertGreater(count, 5)

    def test_the_five_lines(self):
        """What a newcomer types, word by word."""
        lines = """
import stiction
law = stiction.Config.load("config/wrist.yaml").model(["RWRR"], timestep=1e-3)
sim = stiction.Simulation("arm.urdf", config="arm.yaml", timestep=1e-3, fixed_base=True)
while sim.time < 6: sim.step(my_controller(sim.q, sim.dq, sim.mass_matrix(), sim.bias()))
sim.report("results")
"""

        def my_controller(q, dq, mass_matrix, bias):
            return bias + mass_matrix @ (100 * (0.1 - q) - 20 * dq)

        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            shutil.copytree(helpers.SOURCES / "config", place / "config")
            shutil.copy(helpers.SOURCES / "tests" / "robots" / "arm.urdf", place)
            with open(place / "arm.yaml", "w", encoding="utf-8") as file:
                subprocess.run([helpers.BUILD / "stiction", "init", place / "arm.urdf"], stdout=file, check=True)
            before = os.getcwd()
            os.chdir(folder)
            try:
                names = {"my_controller": my_controller}
                exec(lines, names)  # pylint: disable=exec-used
                names.pop("sim").close()
            finally:
                os.chdir(before)
            self.assertTrue((place / "results" / "report.html").exists())
            results = stiction.Results.load(place / "results")
            self.assertEqual(len(results.joints), 4)
            self.assertAlmostEqual(results.time[-1], 6, 1)

    def run_blocks(self, name, blocks):
        names = {"__name__": "document"}
        for line, code in blocks:
            if ">>>" in code:
                test = doctest.DocTestParser().get_doctest(code, names, name, name, line)
                said = []
                doctest.DocTestRunner().run(test, out=said.append, clear_globs=False)
                names = test.globs
                self.assertFalse(said, "".join(said))
            else:
                exec(compile("\n" * line + code, name, "exec"), names)  # pylint: disable=exec-used


helpers.main()
