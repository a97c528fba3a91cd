# SPDX-License-Identifier: MIT
"""Many simulations in one call: the bits of single ones, views, draws, failures, threads and forks."""
import gc
import os
import signal
import sys
import threading
import warnings

import numpy as np

import helpers
import stiction

ARM = helpers.SOURCES / "sample_projects" / "arm7" / "arm7.cnoid"
WRIST = helpers.SOURCES / "sample_projects" / "wrist" / "wrist.cnoid"
FLOATER = helpers.SOURCES / "tests" / "robots" / "floater.urdf"


def random_wrist(seed=7):
    config = stiction.Config.parse(helpers.WRIST)
    config.set("RWRR", static_torque={"uniform": [2, 3]}, viscous={"normal": [4.5, 0.3]})
    config.seed = seed
    return config


def wrists(n=5, threads=2, **arguments):
    return stiction.VectorSimulation(WRIST, n, threads=threads, controller="none", **arguments)


class Vectors(helpers.Test):
    def test_an_environment_is_a_simulation_to_the_bit(self):
        torques = np.random.default_rng(1).normal(scale=3, size=(200, 5, 1))
        for threads in (1, 2, 3):
            with wrists(config=random_wrist(), threads=threads) as vector:
                for torque in torques:
                    vector.step(torque)
                for k in (0, 3):
                    settings = {"seed": 7 + k}
                    one = stiction.Simulation(
                        WRIST, random_wrist(), controller="none", settings=settings, interval=None
                    )
                    for torque in torques:
                        one.step(torque[k])
                    self.assertEqual(one.seed, vector.seeds[k])
                    for name in ("q", "dq", "command"):
                        self.assertEqual(getattr(one, name).tobytes(), getattr(vector, name)[k].tobytes())
                    self.assertEqual(one.friction.torque.tobytes(), vector.friction.torque[k].tobytes())
                    self.assertEqual(one.figure(0, "peak_torque"), vector.figures("peak_torque")[k, 0])

    def test_controllers_act_without_torques(self):
        vector = stiction.VectorSimulation(ARM, 3, threads=2, targets="J1:30,J2:40")
        one = stiction.Simulation(ARM, targets="J1:30,J2:40", interval=None)
        vector.step(steps=300)
        one.run(0.3)
        self.assertGreater(one.q[0], 0.01)
        for row in vector.q:
            self.assertEqual(row.tobytes(), one.q.tobytes())

    def test_arrays_are_views_that_outlive_the_vector(self):
        vector = wrists()
        q, base, slipping = vector.q, vector.base, vector.friction.slipping
        self.assertEqual((q.shape, base.rotation.shape, slipping.dtype), ((5, 1), (5, 4), np.bool_))
        self.assertFalse(q.flags.writeable)
        vector.step(np.full((5, 1), 5.0), steps=10)
        self.assertTrue((q > 0).all())
        self.assertIs(vector.q, q)
        third = vector[2]
        self.assertEqual((third.q[0], third.time), (q[2, 0], vector.time[2]))
        kept = q.copy()
        vector.close()
        del vector
        gc.collect()
        np.testing.assert_array_equal(q, kept)
        third.step([5.0])  # an environment keeps its memory, too
        self.assertGreater(q[2, 0], kept[2, 0])

    def test_one_environment_is_changed_alone(self):
        vector = wrists(config=random_wrist())
        vector.step(np.full((5, 1), 5.0), steps=50)
        before = vector.q.copy()
        vector.reset(1)
        vector.reset([True, False, False, True, False])
        self.assertEqual(vector.time.tolist(), [0, 0, 0.05, 0, 0.05])
        np.testing.assert_array_equal(vector.q[[2, 4]], before[[2, 4]])
        vector.set_joints(q=[[0.1], [0.2]], environments=[0, -1])
        self.assertEqual(vector.q[:, 0].tolist(), [0.1, 0, before[2, 0], 0, 0.2])
        vector.set_parameter("RW*", "static_torque", [2.25, 2.75], environments=slice(0, 2))
        self.assertEqual(vector.parameters("static_torque")[:2, 0].tolist(), [2.25, 2.75])
        state = vector[0].save()
        vector[3].restore(state)
        self.assertEqual(vector.q[3, 0], 0.1)
        self.assertEqual(vector[-1].names, ["RWRR"])
        self.assertEqual(vector[1].mass_matrix().shape, (1, 1))

    def test_friction_is_drawn_by_seed(self):
        vector = wrists(config=random_wrist())
        drawn = vector.parameters("static_torque")[:, 0]
        self.assertEqual(len(set(drawn)), 5)
        self.assertEqual(drawn[0], random_wrist(7).draw("RWRR", 0).static_torque)
        self.assertEqual(vector.seeds.tolist(), [7, 8, 9, 10, 11])
        vector.reset(seed=10)
        self.assertEqual(vector.parameters("static_torque")[0, 0], drawn[3])
        vector.reset([4, 1], seed=[7, 8])
        self.assertEqual(vector.seeds.tolist(), [10, 8, 12, 13, 7])
        self.assertEqual(vector.parameters("static_torque")[[4, 1], 0].tolist(), drawn[:2].tolist())
        self.refuses(ValueError, "1 seeds for 2 environments", vector.reset, [0, 1], seed=[1])
        fixed = wrists()
        self.assertIsNone(fixed.seeds)
        self.refuses(stiction.Error, "nothing is drawn", fixed.reset, seed=1)

    def test_drawn_parameters_of_a_batch_are_an_array(self):
        model = random_wrist().model(["RWRR"])
        for joint_major in (False, True):
            batch = stiction.Batch(model, 6, joint_major=joint_major)
            values = batch.parameters("static_torque")
            self.assertEqual(values.shape, batch.shape)
            each = [batch.joint(k, 0).static_torque for k in range(6)]
            self.assertEqual(values.ravel().tolist(), each)
            self.assertTrue(np.isnan(batch.parameters("ripple")).all() or (batch.parameters("ripple") == 0).all())

    def test_tables_have_a_row_per_environment(self):
        vector = wrists(config=random_wrist(), interval=0.01)
        vector.step(np.full((5, 1), 3.0), steps=100)
        table = vector.table("final_position", "static_torque")
        names = ["environment", "seed", "time", "failed", "RWRR.final_position", "RWRR.static_torque"]
        self.assertEqual(list(table), names)
        self.assertEqual({array.shape for array in table.values()}, {(5,)})
        np.testing.assert_allclose(table["RWRR.final_position"], vector.q[:, 0], atol=1e-3)
        self.assertIn("RWRR.stop_time", vector.table())
        self.refuses(KeyError, "no figure 'stop'", vector.figures, "stop")
        self.refuses(KeyError, "no parameter 'stop'", vector.table, "stop")
        results = vector[2].write(helpers.folder(self) / "second")
        self.assertEqual(results.figures("RWRR")["final_position"], table["RWRR.final_position"][2])
        figures = results.table()
        self.assertEqual(figures["joint"].tolist(), ["RWRR"])
        self.assertEqual(figures["final_position"].tolist(), [table["RWRR.final_position"][2]])
        self.assertEqual({array.shape for array in figures.values()}, {(1,)})
        self.assertEqual({array.shape for array in results.columns.values()}, {results.time.shape})

    def test_pandas_takes_the_tables(self):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of pandas about others
                import pandas
        except ImportError:
            self.skipTest("no pandas")
        vector = wrists(config=random_wrist(), interval=0.01)
        vector.step(np.full((5, 1), 3.0), steps=100)
        table = pandas.DataFrame(vector.table("final_position", "static_torque"))
        self.assertEqual(table.shape, (5, 6))
        self.assertEqual(table["RWRR.static_torque"].dtype, np.float64)
        self.assertEqual(table.sort_values("RWRR.static_torque")["environment"].nunique(), 5)
        results = vector[0].write(helpers.folder(self) / "first")
        series = pandas.DataFrame(results.columns).set_index("time")
        self.assertEqual(series["RWRR.position"].iloc[-1], results["RWRR"].position[-1])
        figures = pandas.DataFrame(results.table()).set_index("joint")
        self.assertEqual(figures.loc["RWRR", "final_position"], table["RWRR.final_position"][0])

    def test_a_failure_stays_with_its_environment(self):
        vector = wrists()
        torque = np.array([[1.0], [1e300], [1.0], [1.0], [1.0]])
        error = self.refuses(stiction.Error, "environment 1: the simulation diverged", vector.step, torque, 2)
        self.assertEqual(error.status, stiction.Status.ILLEGAL_TIMESTEP)
        self.assertEqual(vector.failed.tolist(), [False, True, False, False, False])
        self.assertEqual(vector.time[0], 0.002)
        vector.step()
        self.refuses(stiction.Error, "cannot go on", vector[1].step)
        vector.reset(1)
        self.assertFalse(vector.failed.any())
        torque[1] = np.nan
        self.refuses(stiction.Error, "environment 1: joint 'RWRR': the torque is nan", vector.step, torque)
        self.assertEqual(vector.time[0], 0.003)

    def test_wrong_arguments_are_refused(self):
        vector = wrists()
        self.refuses(ValueError, "torque has shape (1, 5), and (5, 1) is needed", vector.step, np.zeros((1, 5)))
        self.refuses(stiction.Error, "0 steps", vector.step, None, 0)
        self.refuses(IndexError, "environment 5 of 5", vector.reset, 5)
        self.refuses(IndexError, "environment -6 of 5", vector.__getitem__, -6)
        self.refuses(ValueError, "the mask has shape (1,)", vector.reset, np.array([True]))
        self.refuses(ValueError, "shape", vector.set_joints, q=np.zeros((4, 1)))
        self.refuses(stiction.Error, "0 environments", wrists, n=0)
        self.refuses(stiction.Error, "0 threads", wrists, threads=0)
        self.refuses(TypeError, "a text such as", stiction.VectorSimulation, WRIST, 2, controller=lambda i: 0)
        error = self.refuses(stiction.Error, "No such file", stiction.VectorSimulation, "absent.urdf", 2)
        self.assertEqual(error.path, "absent.urdf")
        vector.close()
        vector.close()
        self.refuses(ValueError, "the simulations are closed", vector.step)
        self.refuses(ValueError, "the simulations are closed", lambda: vector.q)
        self.refuses(ValueError, "the simulations are closed", vector.reset)

    def test_a_floating_base_is_an_array(self):
        vector = stiction.VectorSimulation(FLOATER, 3, floor=True, threads=2)
        vector.step(steps=20)
        one = vector[1]
        self.assertLess(one.base.linear[2], -0.1)
        for name, rows in vector.base_of(one.bodies[0].name)._asdict().items():
            self.assertEqual(getattr(one.base, name).tobytes(), np.ascontiguousarray(rows[1]).tobytes())

    def test_close_while_another_thread_steps(self):
        def step(simulations, torque):
            try:
                while True:
                    simulations.step(torque)
                    simulations.time  # pylint: disable=pointless-statement
            except ValueError as closed:
                found.append(str(closed))

        for _ in range(10):
            found = []
            vector, one = wrists(), stiction.Simulation(WRIST, controller="none", interval=None)
            threads = [
                threading.Thread(target=step, args=(vector, np.zeros((5, 1)))),
                threading.Thread(target=step, args=(one, [0.0])),
            ]
            for thread in threads:
                thread.start()
            while not (vector.time[0] > 0.02 and one.time > 0.02):
                pass
            vector.close()
            one.close()
            for thread in threads:
                thread.join(60)
            self.assertEqual(sorted(found), ["the simulation is closed", "the simulations are closed"])

    def test_simulations_step_in_threads_at_the_same_time(self):
        alone = stiction.Simulation(ARM, controller="none", interval=None)
        for _ in range(300):
            alone.step(np.full(7, 5.0))
        found = [None] * 3

        def run(k):
            with stiction.Simulation(ARM, controller="none", interval=None) as sim:
                for _ in range(300):
                    sim.step(np.full(7, 5.0))
                found[k] = sim.q.tobytes()

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        self.addCleanup(sys.setswitchinterval, interval)
        helpers.in_threads(3, run)
        self.assertEqual(set(found), {alone.q.tobytes()})

    def test_a_child_process_continues(self):
        vector = wrists(threads=3)
        stop = threading.Event()

        def step():
            while not stop.is_set():
                vector.step(np.full((5, 1), 3.0))

        thread = threading.Thread(target=step)
        thread.start()
        try:
            for _ in range(5):
                child = os.fork()
                if child == 0:
                    signal.alarm(60)  # ends a child that hangs
                    before = vector.time[0]
                    vector.step(np.full((5, 1), 3.0))
                    os._exit(0 if vector.time[0] > before else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            stop.set()
            thread.join()


helpers.main()
