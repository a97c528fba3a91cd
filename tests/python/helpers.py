"""What the tests of Python share."""
import os
import pathlib
import unittest

SOURCES = pathlib.Path(os.environ["SOURCES"])
BUILD = pathlib.Path(os.environ["BUILD"])

WRIST = """\
stiction: 1
timestep: 0.001
joints:
  RWRR:
    law: stribeck
    static_torque: 2.5
    coulomb_torque: 0.4
    stribeck_velocity: 0.06
    viscous: 4.5
    stiffness: 5000
    damping: 50
"""


class Test(unittest.TestCase):
    """With a shorter word for the sentence of an exception."""

    def refuses(self, kind, sentence, call, *arguments, **named):
        with self.assertRaises(kind) as context:
            call(*arguments, **named)
        self.assertIn(sentence, str(context.exception))
        return context.exception


__all__ = ["unittest"]


def main():
    unittest.main(verbosity=2)
