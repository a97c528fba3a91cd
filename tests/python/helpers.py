# SPDX-License-Identifier: MIT
"""What the tests of Python share."""
import os
import pathlib
import re
import tempfile
import threading
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


def check_prototypes(test, functions, *folders):
    """A prototype of ours against the header, by counting its arguments."""
    text = ""
    for folder in folders:
        for header in sorted((SOURCES / folder).glob("*.h")):
            text += re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    for name, (_, arguments) in functions.items():
        found = re.search(rf"\b{name}\(([^;]*)\);", text)
        test.assertIsNotNone(found, name)
        inside = found.group(1).strip()
        count = 0 if inside == "void" else inside.count(",") + 1
        test.assertEqual(count, len(arguments), name)


def in_threads(count, call):
    """Calls it in so many threads, with their numbers, and waits for them."""
    threads = [threading.Thread(target=call, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def folder(test):
    """A folder that goes with a test."""
    made = tempfile.TemporaryDirectory()
    test.addCleanup(made.cleanup)
    return pathlib.Path(made.name)


def main():
    unittest.main(verbosity=2)
