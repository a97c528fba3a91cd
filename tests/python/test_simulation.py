# SPDX-License-Identifier: MIT
"""Simulations: what they show, what they take, and their ends."""
import gc
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading

import numpy as np

import helpers
import stiction

SAMPLES = helpers.SOURCES / "sample_projects"
WRIST = SAMPLES / "wrist" / "wrist.cnoid"
ARM = SAMPLES / "arm7" / "arm7.cnoid"
STANDING = SAMPLES / "humanoid" / "humanoid_standing.cnoid"


class Stepping(helpers.Test):
    def test_the_wrist_of_the_paper(self):
        with stiction.Simulation(WRIST) as sim:
            self.assertEqual((sim.names, sim.timestep, sim.duration), (["RWRR"], 0.001, 6))
            sim.run()
            self.assertAlmostEqual(sim.time, 6, 9)
            self.assertAlmostEqual(math.degrees(sim.q[0]), 69.8768, 3)
            self.assertAlmostEqual(sim.figure("RWRR", "stop_time"), 2.768, 6)
            self.assertTrue(math.isnan(sim.figure("RWRR", "no_such")))
            self.assertFalse(sim.friction.slipping[0])
            self.assertAlmostEqual(sim.friction.heat[0], 3.689, 2)
            self.assertEqual(sim.warnings, [])

    def test_torques_are_ours(self):
        with stiction.Simulation(WRIST) as sim:
            for _ in range(2000):
                sim.step([2.0])
            self.assertEqual(sim.command.tolist(), [2.0])
            self.assertLess(abs(sim.dq[0]), 1e-9)  # below F_S
            self.assertAlmostEqual(sim.friction.torque[0], 2.0, 6)
            self.assertAlmostEqual(sim.friction.deflection[0], 2 / 5000, 9)
            for _ in range(100):
                sim.step(3.0)  # one joint: a number will do
            self.assertTrue(sim.friction.slipping[0])
            self.assertGreater(sim.dq[0], 0)

    def test_views_follow_and_cannot_be_written(self):
        with stiction.Simulation(WRIST) as sim:
            q, friction = sim.q, sim.friction
            self.assertIs(q, sim.q)
            sim.step([5.0])
            sim.step([5.0])
            self.assertGreater(q[0], 0)
            self.assertGreater(friction.torque[0], 0)
            for view in (sim.q, sim.dq, sim.command, friction.torque, friction.slipping):
                with self.assertRaises(ValueError):
                    view[0] = 1
                with self.assertRaises(ValueError):
                    view.flags.writeable = True
            self.assertEqual(friction.slipping.dtype, bool)

    def test_wrong_torques(self):
        with stiction.Simulation(ARM) as sim:
            self.refuses(ValueError, "torque has shape (2,), and (7,) is needed: 7 joints", sim.step, [1, 2])
            self.refuses(ValueError, "torque has shape ()", sim.step, 1.0)
            self.refuses(ValueError, "torque has shape (1,)", sim.step, np.ones(1))
            self.refuses(ValueError, "torque has shape (7, 1)", sim.step, np.ones((7, 1)))
            self.refuses(TypeError, "torque must be real numbers", sim.step, ["a"] * 7)
            self.refuses(TypeError, "torque", sim.step, np.ones(7) * 1j)
            self.assertEqual(sim.time, 0)
            self.refuses(stiction.Error, "finite", sim.step, [np.nan] * 7)
            sim.step(np.ones(7, np.float32))
            sim.step(range(7))
            self.assertAlmostEqual(sim.time, 2 * sim.timestep, 12)
            self.refuses(ValueError, "until inf must be a time", sim.run, float("inf"))
            self.refuses(ValueError, "until nan must be a time", sim.run, float("nan"))

    def test_going_back(self):
        with stiction.Simulation(WRIST) as sim:
            sim.run(0.5)
            saved = sim.save()
            self.assertIsInstance(saved, bytes)
            sim.run(1.0)
            end = sim.q[0]
            sim.restore(saved)
            self.assertAlmostEqual(sim.time, 0.5, 9)
            self.refuses(stiction.Error, "", sim.restore, saved[:-1])
            self.refuses(stiction.Error, "", sim.restore, b"")
            sim.reset()
            self.assertEqual((sim.time, sim.q[0]), (0, 0))
            sim.run(1.0)
            self.assertEqual(sim.q[0], end)
            with stiction.Simulation(WRIST) as other:
                other.restore(saved)
                self.assertAlmostEqual(other.time, 0.5, 9)

    def test_friction_of_a_configuration_made_here(self):
        config = stiction.Config.load(helpers.SOURCES / "config" / "wrist.yaml")
        config.set("RWRR", static_torque=4.0, damping=60)
        with stiction.Simulation(WRIST, config=config) as sim:
            self.assertEqual(sim.parameter("RWRR", "static_torque"), 4)
            for _ in range(2000):
                sim.step([3.2])
            self.assertLess(abs(sim.dq[0]), 1e-9)
            sim.set_parameter("RWRR", "static_torque", 3.0)
            self.assertEqual(sim.parameter(0, "static_torque"), 3)
            for _ in range(2000):
                sim.step([3.2])
            self.assertGreater(sim.dq[0], 1e-3)
            self.refuses(stiction.Error, "static_torque", sim.set_parameter, "RWRR", "static_torque", -1)
            self.refuses(stiction.Error, "XX", sim.set_parameter, "XX", "static_torque", 1)
            self.refuses(stiction.Error, "statik", sim.set_parameter, "RWRR", "statik", 1)
            self.assertTrue(math.isnan(sim.parameter("RWRR", "elastic_limit")))
            self.refuses(KeyError, "no joint 'XX' among RWRR", sim.parameter, "XX", "viscous")
        config.set("RWRR", damping=0)
        error = self.refuses(stiction.Error, "damping", stiction.Simulation, WRIST, config=config)
        self.assertEqual((error.path, error.line), (config.path, 0))

    def test_settings(self):
        with stiction.Simulation(WRIST, settings={"controller.kp": 50, "duration": 1}, timestep=0.002) as sim:
            self.assertEqual((sim.timestep, sim.duration), (0.002, 1))
        self.refuses(stiction.Error, "kq", stiction.Simulation, WRIST, settings={"controller.kq": 50})
        self.refuses(stiction.Error, "-1", stiction.Simulation, WRIST, timestep=-1)
        self.refuses(TypeError, "timestep must be a number", stiction.Simulation, WRIST, timestep="x")

    def test_files_that_are_wrong(self):
        self.refuses(stiction.Error, "no.cnoid", stiction.Simulation, "no.cnoid")
        error = self.refuses(stiction.Error, "no.yaml", stiction.Simulation, WRIST, config="no.yaml")
        self.assertNotEqual(error.status, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.yaml"
            path.write_text("stiction: 1\njoints: {RWRR: {law: x}}\n")
            error = self.refuses(stiction.Error, "there is no law 'x'", stiction.Simulation, WRIST, config=path)
            self.assertEqual((error.path, error.line), (str(path), 2))

    def test_an_interrupt_ends_a_long_run(self):
        with stiction.Simulation(WRIST, interval=None) as sim:
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                sim.run(1e7)
            self.assertGreater(sim.time, 0)
            sim.step()  # and it can go on


class Looking(helpers.Test):
    def test_the_dynamics_of_an_arm(self):
        with stiction.Simulation(ARM) as sim:
            self.assertEqual(len(sim.names), 7)
            body = sim.bodies[sim._body_number("Arm7") if any(b.name == "Arm7" for b in sim.bodies) else 0]
            self.assertEqual((len(body.joints), body.dof, body.floating), (7, 7, False))
            q0 = np.full(7, 0.3)
            sim.set_joints(q0, np.zeros(7))
            self.assertTrue(np.array_equal(sim.q, q0))
            M, h = sim.mass_matrix(), sim.bias()
            self.assertTrue(np.allclose(M, M.T))
            self.assertTrue((np.linalg.eigvalsh(M) > 0).all())
            # the jacobian is how the link moves
            link = body.links[-1]
            J = sim.jacobian(link)
            self.assertEqual(J.shape, (6, 7))
            self.assertTrue(np.array_equal(J, sim.jacobian(len(body.links) - 1, body.name)))
            state = sim.link_state(link)
            self.assertEqual(state.bias.shape, (6,))
            self.assertAlmostEqual(float(np.linalg.norm(state.rotation)), 1, 12)
            self.assertEqual(state.position.shape, (3,))
            # without friction and contacts: M a + h = torque
            sim.close()
        with stiction.Simulation(ARM, settings={"friction": "none"}) as sim:
            sim.set_joints(q0, np.zeros(7))
            torque = h + M @ np.full(7, 1.0)
            sim.step(torque)
            np.testing.assert_allclose(sim.dq / sim.timestep, 1, rtol=1e-6)

    def test_what_there_is_not(self):
        with stiction.Simulation(ARM) as sim:
            self.refuses(KeyError, "no link 'X' among", sim.jacobian, "X")
            self.refuses(IndexError, "link 99 of", sim.jacobian, 99)
            self.refuses(KeyError, "no link 'X' among", sim.link_state, "X")
            self.refuses(IndexError, "body 99 of", sim.mass_matrix, 99)
            self.refuses(KeyError, "no body 'X' among", sim.bias, "X")
            self.refuses(ValueError, "q has shape (1,)", sim.set_joints, [0])
            self.refuses(stiction.Error, "finite", sim.set_joints, [np.nan] * 7)
            self.refuses(stiction.Error, "floats", sim.set_base, [0, 0, 1])
            self.refuses(ValueError, "targets has shape", sim.set_targets, [0.0])
            self.refuses(KeyError, "no joint 'X'", sim.set_targets, {"X": 1})

    def test_joints_have_limits(self):
        with stiction.Simulation(ARM) as sim:
            joint = sim.joints[0]
            self.assertEqual(joint.name, sim.names[0])
            self.assertLess(joint.lower, joint.upper)
            self.assertFalse(joint.prismatic)

    def test_a_robot_without_a_project(self):
        robots = helpers.SOURCES / "tests" / "robots"
        with self.assertLogs("stiction", "WARNING"):  # meshes that are not there
            sim = stiction.Simulation(robots / "arm.urdf", fixed_base=True)
        with sim:
            self.assertEqual((sim.timestep, sim.duration, len(sim.names)), (0.001, 10, 4))
            self.assertTrue(sim.joints[2].prismatic)
            sim.step(sim.bias())
            self.assertLess(np.abs(sim.dq).max(), 1e-9)  # it bears itself
        falls = {}
        for fixed in (False, True):
            with stiction.Simulation(robots / "floater.xml", fixed_base=fixed, floor=True) as sim:
                self.assertEqual(sim.bodies[0].floating, not fixed)
                start = sim.base.position[2]
                sim.run(0.05)
                falls[fixed] = start - sim.base.position[2]
        self.assertEqual(falls[True], 0)
        self.assertNotEqual(falls[False], 0)

    def test_an_untrusted_robot_names_only_files_in_its_folder(self):
        meshes = helpers.SOURCES / "tests" / "meshes"
        inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.urdf"
            path.write_text(
                f"<robot name='m'><link name='A'><inertial><mass value='1'/>{inertia}</inertial><collision>"
                f"<geometry><mesh filename='{meshes}/box.stl'/></geometry></collision></link></robot>"
            )
            with self.assertRaisesRegex(stiction.Error, "outside the folder"):
                stiction.Simulation(path, untrusted=True)
            stiction.Simulation(path).close()

    def test_a_humanoid_stands_on_its_feet(self):
        with stiction.Simulation(STANDING, interval=None) as sim:
            number, body = next((k, b) for k, b in enumerate(sim.bodies) if len(b.joints))
            self.assertTrue(body.floating)
            self.assertEqual(body.dof, 6 + len(body.joints))
            self.assertEqual(len(sim.bias(number)), body.dof)
            sim.run(0.2)
            contacts = sim.contacts(number)
            self.assertGreaterEqual(len(contacts), 2)
            self.assertIn(contacts[0].link, body.links)
            base = sim.base_of(number)
            self.assertAlmostEqual(float(np.linalg.norm(base.rotation)), 1, 6)
            weight = sum(contact.force[2] for contact in contacts)
            self.assertGreater(weight, 100)
            sim.set_base(position=base.position + [0, 0, 1], body=number)
            self.assertAlmostEqual(sim.base_of(number).position[2], base.position[2] + 1, 12)


class Results(helpers.Test):
    def setUp(self):
        self.folder = helpers.folder(self)

    def test_they_are_those_of_the_command(self):
        with stiction.Simulation(WRIST, duration=1) as sim:
            sim.run()
            results = sim.write(self.folder / "a")
            self.assertFalse((self.folder / "a" / "report.html").exists())
            sim.report(self.folder / "b")
            self.assertTrue((self.folder / "b" / "report.html").exists())
            self.refuses(stiction.Error, "", sim.write, self.folder / "a")
        command = stiction.run(WRIST, out=self.folder / "c", settings={"duration": 1})[0]
        for key in ("position", "velocity", "command", "friction_torque", "deflection"):
            self.assertTrue(np.array_equal(results["RWRR"][key], command["RWRR"][key]), key)
        self.assertEqual(results.figures("RWRR"), command.figures("RWRR"))

    def test_nothing_is_recorded_where_nobody_wants_it(self):
        with stiction.Simulation(WRIST, interval=None) as sim:
            sim.run(0.1)
            self.assertEqual(len(sim.write(self.folder / "a").time), 0)


class Prototypes(helpers.Test):
    def test_they_take_as_many_arguments_as_the_header_says(self):
        from stiction import _engine

        helpers.check_prototypes(self, _engine.FUNCTIONS, "plugin/engine/include/stiction")


class Ends(helpers.Test):
    def test_a_closed_simulation_says_so(self):
        sim = stiction.Simulation(WRIST)
        q, torque = sim.q, sim.friction.torque
        sim.step([5.0])
        sim.close()
        sim.close()
        self.assertTrue(sim.closed)
        attributes = "q dq friction command time duration finished base joints bodies warnings".split()
        calls = "step mass_matrix bias contacts save reset".split()
        uses = [lambda name=name: getattr(sim, name) for name in attributes]
        uses += [lambda name=name: getattr(sim, name)() for name in calls]
        uses += [
            lambda: sim.step([1.0]),
            lambda: sim.run(1),
            lambda: sim.restore(b""),
            lambda: sim.write("x"),
            lambda: sim.set_parameter("RWRR", "viscous", 1),
            lambda: sim.parameter("RWRR", "viscous"),
            lambda: sim.figure("RWRR", "stop_time"),
            lambda: sim.set_targets([0]),
        ]
        for use in uses:
            self.refuses(ValueError, "the simulation is closed", use)
        self.assertIn("closed", repr(sim))
        gc.collect()
        self.assertEqual(q.shape, (1,))  # what was given out is still there
        self.assertTrue(np.isfinite(torque).all())

    def test_a_controller_cannot_close_its_simulation(self):
        def controller(input):
            sim.close()

        sim = stiction.Simulation(WRIST, controller=controller)
        self.refuses(RuntimeError, "a controller cannot close its own simulation", sim.step)
        self.assertFalse(sim.closed)
        sim.step([0.0])
        sim.close()

    def test_cycles(self):
        for _ in range(5):
            sim = stiction.Simulation(WRIST)
            sim.me = [sim, sim.q]
            del sim
        gc.collect()

    def test_threads_wait_for_each_other(self):
        ends = {}

        def run(k):
            with stiction.Simulation(WRIST, interval=None) as sim:
                for _ in range(300):
                    sim.step([3.0])
                ends[k] = sim.q[0]

        helpers.in_threads(4, run)
        self.assertEqual(len(ends), 4)
        self.assertEqual(len(set(ends.values())), 1)

    def test_one_simulation_in_many_threads(self):
        with stiction.Simulation(WRIST, interval=None) as sim:
            def run(_):
                for _ in range(250):
                    sim.step([3.0])

            helpers.in_threads(4, run)
            self.assertAlmostEqual(sim.time, 1.0, 9)

    def test_the_end_of_the_interpreter(self):
        code = (
            "import stiction\n"
            f"sim = stiction.Simulation({str(WRIST)!r})\n"
            "sim.me = sim; q = sim.q; sim.step([1.0])\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1000)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_it_is_not_pickled_by_mistake(self):
        with stiction.Simulation(WRIST) as sim:
            self.refuses(TypeError, "what its save() gives can", pickle.dumps, sim)


class PythonControllers(helpers.Test):
    def test_a_function(self):
        seen = []

        def control(input):
            torque = 20 * (input.target - input.q) - 2 * input.dq
            seen.append((input.time, input.q[0], torque[0]))
            return torque

        with stiction.Simulation(WRIST, controller=control, targets={"RWRR": math.pi / 2}) as sim:
            sim.run(0.1)
            self.assertEqual(len(seen), 100)
            self.assertEqual(seen[0][:2], (0, 0))
            self.assertEqual(sim.command[0], seen[-1][2])
            sim.step([0.0])  # ours in place of it
            self.assertEqual(sim.command[0], 0)
            self.assertEqual(len(seen), 100)

    def test_a_class_with_a_period_and_gains(self):
        class Controller:
            control_period = 0.01
            steps = resets = 0
            closed = False

            def __init__(self, setup):
                assert setup.names == ["RWRR"] and setup.timestep == 0.001
                Controller.made = self

            def reset(self):
                self.resets += 1

            def step(self, input):
                self.steps += 1
                assert input.mass_matrix.shape == (1, 1) and input.bias.shape == (1,)
                assert input.effort.shape == (1,) and input.gyro.shape == (3,)
                assert input.position.shape == (3,) and input.rotation.shape == (4,)
                return stiction.Command(position=0.5, kp=30, kd=[3.0], finished=input.time > 0.195)

            def close(self):
                Controller.closed = True

        with stiction.Simulation(WRIST, controller=Controller) as sim:
            sim.step()
            self.assertAlmostEqual(sim.command[0], 15)
            held = 30 * (0.5 - sim.q[0]) - 3 * sim.dq[0]
            sim.step()
            self.assertEqual(sim.command[0], held)
            sim.run()
            self.assertTrue(sim.finished)
            self.assertLess(sim.time, 0.25)
            self.assertEqual(Controller.made.steps, 21)
            sim.reset()
            self.assertEqual(Controller.made.resets, 1)
            self.assertFalse(sim.finished)
        self.assertTrue(Controller.closed)

    def test_targets(self):
        seen = []

        def look(input):
            seen.append(input.target.tolist())
            return np.zeros_like(input.q)

        def first(targets):
            with stiction.Simulation(ARM, controller=look, targets=targets) as sim:
                sim.step()
            return seen.pop()

        half = math.radians(30)
        nan = float("nan")
        np.testing.assert_allclose(first("J1:30, J[23]:-60"), [half, -2 * half, -2 * half] + [nan] * 4)
        np.testing.assert_allclose(first({"J2": half}), [nan, half] + [nan] * 5)
        np.testing.assert_allclose(first(np.arange(7)), np.arange(7))
        self.refuses(stiction.Error, "there is no joint 'X'", first, "X:3")
        self.refuses(stiction.Error, "is not JOINT:DEGREES", first, "motion.csv")
        self.refuses(stiction.Error, "is not JOINT:DEGREES", first, "J1:nan")

    def test_controllers_of_the_engine(self):
        with stiction.Simulation(WRIST, controller="posture:kp=50 kv=5 target=RWRR:45") as sim:
            sim.run(2)
            self.assertTrue(0.5 < sim.q[0] < math.radians(45), sim.q[0])  # friction stops it before
        with stiction.Simulation(WRIST, controller="none") as sim:
            sim.run(0.1)
            self.assertEqual((sim.q[0], sim.command[0]), (0, 0))
        self.refuses(stiction.Error, "no_such.so", stiction.Simulation, WRIST, controller="no_such.so")

    def test_a_python_file_in_a_process_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "mine.py"
            path.write_text("def step(input):\n    return 20 * (input.target - input.q) - 2 * input.dq\n")
            with stiction.Simulation(WRIST, controller=str(path), targets="RWRR:90") as sim:
                sim.run(0.3)
                there = sim.q[0]

            def control(input):
                return 20 * (input.target - input.q) - 2 * input.dq

            with stiction.Simulation(WRIST, controller=control, targets="RWRR:90") as sim:
                sim.run(0.3)
                self.assertEqual(sim.q[0], there)
            path.write_text("def step(input):\n    return 1 / 0\n")
            with stiction.Simulation(WRIST, controller=str(path)) as sim:
                self.refuses(stiction.Error, "mine.py:2: ZeroDivisionError", sim.run, 1)
                self.refuses(stiction.Error, "cannot go on", sim.step)

    def test_mistakes(self):
        def make(control, **named):
            return stiction.Simulation(WRIST, controller=control, **named)

        with make(lambda input: 1 / 0) as sim:
            with self.assertRaises(ZeroDivisionError):
                sim.step()
            self.assertEqual(sim.time, 0)
        with make(lambda input: None) as sim:
            self.refuses(stiction.Error, "returned nothing", sim.step)
        with make(lambda input: [1, 2]) as sim:
            self.refuses(stiction.Error, "torque of shape (2,), and the robot has 1 joint", sim.step)
        with make(lambda input: [np.nan]) as sim:
            self.refuses(stiction.Error, "finite", sim.step)
        self.refuses(stiction.Error, "has no step", make, 5)
        self.refuses(TypeError, "must contain strings", make, [print])


helpers.main()
