# SPDX-License-Identifier: MIT
"""The step of MuJoCo 3 from Python, with objects that have an address, as those of the package mujoco."""
import ctypes
import os
import tempfile

import helpers
import stiction.mujoco

WRIST = b"""<mujoco><option gravity='0 0 0'/><extension><plugin plugin='stiction.friction'/></extension>
<worldbody><body><joint axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0.1675'/>%s
</body></worldbody></mujoco>"""
ELEMENT = b"""<plugin plugin='stiction.friction'><config key='law' value='coulomb'/>
<config key='coulomb_torque' value='1'/><config key='stiffness' value='5000'/>
<config key='damping' value='50'/></plugin>"""


class Handle:
    """What mujoco.MjModel and mujoco.MjData have."""

    def __init__(self, address):
        self._address = address


class Mujoco(helpers.Test):
    def setUp(self):
        self.mujoco = ctypes.CDLL(os.environ["MUJOCO3_LIBRARY"])
        for name in ("mj_loadXML", "mj_makeData"):
            getattr(self.mujoco, name).restype = ctypes.c_void_p
        self.mujoco.mj_loadPluginLibrary(stiction.mujoco.library_path().encode())

    def make(self, element):
        message = ctypes.create_string_buffer(1000)
        with tempfile.NamedTemporaryFile(suffix=".xml") as file:
            file.write(WRIST % element)
            file.flush()
            model = self.mujoco.mj_loadXML(file.name.encode(), None, message, 1000)
        self.assertTrue(model, message.value)
        return Handle(model), Handle(self.mujoco.mj_makeData(ctypes.c_void_p(model)))

    def state(self, model, data):
        values = (ctypes.c_double * 3)()
        physics = 7  # time, qpos, qvel
        self.mujoco.mj_getState(ctypes.c_void_p(model._address), ctypes.c_void_p(data._address), values, physics)
        return list(values)

    def test_a_step_moves_time_and_keeps_the_joint(self):
        model, data = self.make(ELEMENT)
        for _ in range(10):
            stiction.mujoco.step(model, data)
        stiction.mujoco.step(model._address, data._address)
        time, position, velocity = self.state(model, data)
        self.assertAlmostEqual(time, 11 * 0.002)
        self.assertEqual(position, 0)
        self.assertEqual(velocity, 0)

    def test_a_model_without_friction_is_an_error(self):
        model, data = self.make(b"")
        with self.assertRaisesRegex(stiction.Error, "no element of stiction.friction"):
            stiction.mujoco.step(model, data)


helpers.main()
