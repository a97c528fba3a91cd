# SPDX-License-Identifier: MIT
"""The peer process of a controller in Python, with a host that speaks the frames of docs/controller_protocol.md."""
import os
import socket
import struct
import subprocess
import sys

import numpy as np

import helpers
from stiction import control


class Host:
    """As `stiction run` is: starts the program and asks."""

    def __init__(self, path, joints=("A", "B"), floating=False, links=("BASE", "HAND"), options="", version=1):
        mine, its = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stiction.controller", str(path), "--fd", str(its.fileno())],
            pass_fds=[its.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        its.close()
        mine.settimeout(1000)
        self.connection = control.Connection(mine)
        self.socket = mine
        self.n, self.dof = len(joints), len(joints) + 6 * floating
        hello = b"stiction" + struct.pack("<IId3dII", version, floating, 1e-3, 0, 0, -9.8, len(joints), len(links))
        for text in ("Arm", options, "/some/where"):
            hello += control.text_field(text)
        for name in joints:
            hello += control.text_field(name) + struct.pack("<I4d", 0, -1, 1, float("inf"), 50)
        for name in links:
            hello += control.text_field(name)
        self.logs = []
        self.ready = self.ask(control.HELLO, hello)

    def ask(self, kind, payload=b""):
        self.connection.send(kind, payload)
        while True:
            kind, payload = self.connection.receive()
            if kind != control.LOG:
                return kind, payload
            self.logs.append((struct.unpack_from("<I", payload)[0], payload[8:].decode()))

    def error(self, answer):
        kind, payload = answer
        assert kind == control.ERROR, (kind, payload)
        return payload[4:].decode()

    def step(self, *extra, time=0.5):
        n = self.n
        numbers = [time, *range(n), *([0.25] * n), *([0] * n), *([1.0] * n)]
        numbers += [0, 0, 1] + [1, 0, 0, 0] + [0] * 12
        payload = np.array(numbers, "<f8").tobytes() + b"".join(extra)
        return self.ask(control.STEP, payload)

    def command(self, answer, records=0):
        kind, payload = answer
        assert kind == control.COMMAND, (kind, payload)
        n = self.n
        assert len(payload) == 8 * (1 + 7 * n + records)
        whole, numbers = np.frombuffer(payload, "<i8"), np.frombuffer(payload, "<f8")
        parts = {"finished": whole[0], "mode": whole[1 : 1 + n].tolist(), "records": numbers[1 + 7 * n :]}
        for k, field in enumerate(("torque", "position", "velocity", "kp", "kd", "target")):
            parts[field] = numbers[1 + n * (k + 1) : 1 + n * (k + 2)]
        return parts

    def end(self):
        try:
            self.connection.send(control.END)
        except OSError:
            pass
        self.socket.close()
        out, err = self.process.communicate(timeout=1000)
        return self.process.returncode, out, err


class Controllers(helpers.Test):
    def setUp(self):
        self.folder = helpers.folder(self)

    def host(self, code, **named):
        path = self.folder / "my.py"
        path.write_text(code)
        self.now = host = Host(path, **named)
        self.addCleanup(host.end)
        return host

    def test_a_function_is_enough(self):
        host = self.host("def step(input):\n    return 2 * (input.target - input.q) - input.dq\n")
        kind, payload = host.ready
        self.assertEqual((kind, payload), (control.READY, struct.pack("<IIdII", 1, 0, 0, 0, 0)))
        told = host.command(host.step())
        self.assertEqual(told["torque"].tolist(), [1.75, -0.25])
        self.assertEqual((told["mode"], told["finished"]), ([0, 0], 0))
        self.assertTrue(np.isnan(told["kp"]).all())
        self.assertEqual(host.end(), (0, "", ""))

    def test_a_class_with_everything(self):
        host = self.host(
            """
import stiction

class Controller:
    needs = ["mass_matrix", "bias", "contacts", "link_states"]
    jacobians = ["HAND"]
    records = ["error", "other"]
    control_period = 0.005

    def __init__(self, setup):
        assert setup.names == ["A", "B"] and setup.links == ["BASE", "HAND"] and setup.floating
        assert setup.joints[0].torque_limit == 50 and setup.gravity[2] == -9.8 and setup.dof == 8
        self.kp = setup.option("kp", 1.0)
        setup.log("kp is %g" % self.kp)
        print("made for", setup.body)
        self.resets = 0

    def reset(self):
        self.resets += 1

    def step(self, input):
        assert input.mass_matrix.shape == (8, 8) and input.mass_matrix[0, 1] == 1
        assert input.bias.tolist() == [7] * 8
        assert input.jacobians["HAND"].shape == (6, 8)
        hand = input.link_states["HAND"]
        assert hand.position.tolist() == [0, 1, 2] and hand.rotation.tolist() == [3, 4, 5, 6]
        assert hand.bias.tolist() == [7, 8, 9, 10, 11, 12]
        contact, = input.contacts
        assert contact.link == "HAND" and contact.force[2] == 5 and contact.torque[0] == 6
        return stiction.Command(position=[1, 2], kp=self.kp, kd=[1, float("nan")], torque=0.5, target=[3, 4],
                                records={"error": self.resets}, finished=self.resets == 2)

    def notes(self):
        return {"resets": self.resets, "warning": "it was cold"}

    def close(self):
        print("closed")
""",
            floating=True,
            options="kp=30",
        )
        kind, payload = host.ready
        self.assertEqual(kind, control.READY)
        ready = struct.pack("<IIdII", 1, 1 + 2 + 4 + 8 + 32, 0.005, 1, 2) + struct.pack("<I", 1)
        self.assertEqual(payload, ready + control.text_field("error") + control.text_field("other"))
        self.assertEqual(host.logs, [(0, "kp is 30")])
        host.connection.send(control.RESET)
        extra = (
            np.arange(64.0).tobytes(),
            np.full(8, 7.0).tobytes(),
            np.zeros(48).tobytes(),
            struct.pack("<QQ6d", 1, 1, 0, 0, 5, 6, 0, 0),
            np.arange(13.0).tobytes(),
        )
        told = host.command(host.step(*extra), records=2)
        self.assertEqual(told["mode"], [1, 1])
        self.assertEqual(told["kp"].tolist(), [30, 30])
        self.assertEqual(told["kd"].tolist(), [1, 0])
        self.assertEqual(told["torque"].tolist(), [0.5, 0.5])
        self.assertEqual(told["target"].tolist(), [3, 4])
        self.assertEqual((told["records"][0], told["finished"]), (1, 0))
        self.assertTrue(np.isnan(told["records"][1]))
        host.connection.send(control.RESET)
        self.assertEqual(host.command(host.step(*extra), records=2)["finished"], 1)
        kind, payload = host.ask(control.NOTES)
        expected = struct.pack("<I", 2) + control.text_field("resets") + struct.pack("<Id", 0, 2)
        expected += control.text_field("warning") + struct.pack("<I", 1) + control.text_field("it was cold")
        self.assertEqual((kind, payload), (control.NOTED, expected))
        self.assertEqual(host.end(), (0, "made for Arm\nclosed\n", ""))

    def wrong(self, code, sentence, **named):
        host = self.host(code, **named)
        answer = host.ready if host.ready[0] == control.ERROR else host.step()
        self.assertIn(sentence, host.error(answer))
        code, _, err = host.end()
        self.assertEqual(code, 1)
        return err

    def test_mistakes_of_the_user_are_sentences(self):
        err = self.wrong("def step(input):\n    return 1 / 0\n", "my.py:2: ZeroDivisionError: division by zero")
        self.assertIn("Traceback", err)
        self.wrong("def step(input:\n", "my.py:1: SyntaxError")
        self.wrong("import no_such_module\n", "my.py:1: ModuleNotFoundError: No module named 'no_such_module'")
        self.wrong("x = 1\n", "my.py defines neither a class Controller nor a function step(input)")
        self.wrong("class Controller: pass\n", "has no step")
        self.wrong("def step(input): pass\n", "step returned nothing")
        self.wrong("def step(input): return [1, 2, 3]\n", "torque of shape (3,), and the robot has 2 joints")
        self.wrong("def step(input): return 'fast'\n", "torque must be real numbers")
        self.wrong("def step(input): return {'torqe': 1}\n", "'torqe', which is none of")
        self.wrong("def step(input): return input.mass_matrix\n", "mass_matrix was not asked for: write needs")
        self.wrong("def step(input): return input.qq\n", "my.py:1: AttributeError: a step's input has no 'qq'")
        self.wrong("needs = ['masses']\ndef step(input): pass\n", "needs 'masses', which is none of mass_matrix")
        self.wrong("jacobians = ['FOOT']\ndef step(input): pass\n", "there is no link 'FOOT' among BASE, HAND")
        self.wrong("def step(input): return {'torque': 0, 'records': {'x': 1}}\n", "step recorded 'x'")
        self.wrong("import sys\ndef step(input): sys.exit('enough')\n", "SystemExit: enough")
        self.wrong("def step(input): return 0\n", "version 7", version=7)

    def test_a_host_that_breaks_the_protocol(self):
        host = self.host("def step(input): return 0\n")
        self.assertIn("unknown type 99", host.error(host.ask(99)))
        host.end()
        host = self.host("def step(input): return 0\n")
        self.assertIn("within a field", host.error(host.ask(control.STEP, b"12345678")))
        host.end()
        host = self.host("def step(input): return 0\n")
        host.socket.sendall(struct.pack("<II", 1 << 30, control.STEP))
        self.assertIn("larger than", host.error(host.connection.receive()))
        host.end()
        host = self.host("def step(input): return 0\n")
        host.socket.sendall(b"123")
        host.socket.close()
        self.assertEqual(host.process.wait(1000), 1)

    def test_a_host_that_goes_away_is_the_end(self):
        host = self.host("def step(input): return 0\n")
        host.socket.close()
        self.assertEqual(host.process.wait(1000), 0)

    def test_files_that_are_not_there(self):
        host = Host(self.folder / "none.py")
        self.addCleanup(host.end)
        self.assertIn("none.py: there is no such file", host.error(host.ready))
        done = subprocess.run(
            [sys.executable, "-m", "stiction.controller", "my.py", "--fd", "77"], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("--fd 77 is not a socket", done.stderr)

    def test_it_can_listen(self):
        path = self.folder / "my.py"
        path.write_text("def step(input):\n    return 0\n")
        place = str(self.folder / "socket")
        process = subprocess.Popen(
            [sys.executable, "-m", "stiction.controller", str(path), "--listen", place, "--once"],
            stdout=subprocess.PIPE,
            text=True,
        )
        with process.stdout:
            self.assertIn(f"--controller unix:{place}", process.stdout.readline())
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(place)
                control.Connection(client).send(control.END)
            self.assertEqual(process.wait(1000), 0)
        self.assertFalse(os.path.exists(place))


helpers.main()
