# SPDX-License-Identifier: MIT
"""Runs, sweeps and what they wrote."""
import os
import pickle

import numpy as np

import helpers
import stiction

WRIST = helpers.SOURCES / "sample_projects" / "wrist" / "wrist.cnoid"


class Files(helpers.Test):
    def setUp(self):
        self.folder = helpers.folder(self)

    def write(self, csv, summary='{"joints": {"A": {"stop_time": null}}, "complete": true}'):
        (self.folder / "summary.json").write_text(summary)
        (self.folder / "joints.csv").write_text(csv)
        return stiction.Results.load(self.folder)

    def test_empty_cells_are_nan(self):
        results = self.write('time,A.position,"B, the.second.target"\n0,1,\n0.5,,3\r\n1,2,4\n')
        np.testing.assert_array_equal(results.time, [0, 0.5, 1])
        np.testing.assert_array_equal(results["A"].position, [1, np.nan, 2])
        np.testing.assert_array_equal(results["B, the.second"].target, [np.nan, 3, 4])
        self.assertIsNone(results.figures("A")["stop_time"])
        self.assertTrue(results.complete)
        self.refuses(AttributeError, "has no column 'speed'; it has position", getattr, results["A"], "speed")
        self.refuses(KeyError, "no 'C'", results.__getitem__, "C")
        self.refuses(KeyError, "no joint 'C' among A", results.figures, "C")
        self.assertEqual(pickle.loads(pickle.dumps(results))["A"].position[0], 1)

    def test_arrays_are_read_as_the_table_is(self):
        results = stiction.run(WRIST, out=self.folder / "out", series="both", settings={"duration": 0.05})[0]
        self.assertTrue((results.folder / "joints.npz").exists())
        (results.folder / "joints.npz").rename(self.folder / "kept.npz")
        table = stiction.Results.load(results.folder)
        self.assertEqual(list(results.columns), list(table.columns))
        for name, column in results.columns.items():
            np.testing.assert_array_equal(column, table.columns[name])
        (results.folder / "joints.npz").write_bytes((self.folder / "kept.npz").read_bytes()[:-300])
        self.refuses(stiction.Error, "is no npz file", stiction.Results.load, results.folder)

    def test_a_table_without_rows(self):
        self.assertEqual(self.write("time,A.position\n")["A"].position.shape, (0,))

    def test_one_row(self):
        self.assertEqual(self.write("time,A.position\n1,2\n")["A"].position.tolist(), [2])

    def test_damaged_files(self):
        self.refuses(stiction.Error, "summary.json: cannot be read", stiction.Results.load, "/no/such")
        self.refuses(stiction.Error, "summary.json:1:3: ", self.write, "", summary="{ x")
        self.refuses(stiction.Error, "is not a summary", self.write, "", summary="[]")
        self.refuses(stiction.Error, "joints.csv: is empty", self.write, "")
        self.refuses(stiction.Error, "not a table of numbers", self.write, "a,b\n1,x\n")
        self.refuses(stiction.Error, "2 columns in its first line and 3", self.write, "a,b\n1,2,3\n")
        self.refuses(stiction.Error, "sweep.csv: cannot be read", stiction.Sweep.load, self.folder)


@helpers.unittest.skipUnless((helpers.BUILD / "stiction").exists(), "the command is not built")
class Commands(Files):
    def test_a_run_gives_arrays(self):
        results = stiction.run(WRIST, out=self.folder)
        self.assertEqual(len(results), 1)
        wrist = results[0]
        self.assertEqual((wrist.name, wrist.joints, wrist.warnings), ("wrist", ["RWRR"], []))
        self.assertEqual(len(wrist.time), len(wrist["RWRR"].position))
        self.assertEqual(wrist["RWRR"].position[-1], wrist.figures("RWRR")["final_position"])
        self.assertAlmostEqual(np.degrees(wrist["RWRR"].position[-1]), 69.877, 2)
        self.refuses(stiction.CommandError, "--force", stiction.run, WRIST, out=self.folder)
        again = stiction.run([WRIST], out=self.folder, force=True, settings={"duration": 0.5})[0]
        self.assertEqual(again.summary["duration"], 0.5)

    def test_a_run_that_fails(self):
        error = self.refuses(stiction.CommandError, "no.cnoid", stiction.run, "no.cnoid", out=self.folder)
        self.assertNotEqual(error.exit_code, 0)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
        self.assertEqual(stiction.run("no.cnoid", out=self.folder, check=False), [])
        self.refuses(stiction.CommandError, "kq", stiction.run, WRIST, out=self.folder, settings={"controller.kq": 1})
        self.refuses(ValueError, "no project", stiction.run, [])
        self.refuses(stiction.CommandError, "took longer", stiction.run, WRIST, out=self.folder, timeout=1e-4)

    def test_a_sweep_gives_a_table(self):
        path = self.folder / "gains.yaml"
        path.write_text(
            f"sweep: 1\nprojects: [{WRIST}]\nset:\n  controller.kp: [20, 50]\n  duration: 1\n"
        )
        sweep = stiction.sweep(path, out=self.folder / "gains", jobs=1)
        self.assertEqual(len(sweep), 2)
        np.testing.assert_array_equal(sweep["controller.kp"], [20, 50])
        self.assertEqual(list(sweep["status"]), ["done", "done"])
        ends = [run["RWRR"].position[-1] for run in sweep.runs]
        np.testing.assert_array_equal(sweep["RWRR.final_position"], ends)
        self.assertIn("RWRR.stop_time", list(sweep))
        bare = stiction.sweep(path, out=self.folder / "bare", jobs=1, figures_only=True)
        np.testing.assert_array_equal(bare["RWRR.final_position"], ends)
        self.assertEqual(bare.runs, [])
        self.refuses(KeyError, "no column 'x'", sweep.__getitem__, "x")
        self.refuses(stiction.CommandError, "no.yaml", stiction.sweep, "no.yaml", out=self.folder / "x")

    def test_the_command_is_found(self):
        from stiction import command

        self.assertEqual(command.find_command(), str(helpers.BUILD / "stiction"))
        os.environ["STICTION_COMMAND"] = "/no/such/command"
        try:
            self.refuses(stiction.CommandError, "cannot be started", stiction.run, WRIST, out=self.folder)
        finally:
            del os.environ["STICTION_COMMAND"]


helpers.main()
