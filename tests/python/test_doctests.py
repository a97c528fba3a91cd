# SPDX-License-Identifier: MIT
"""The examples in the docstrings of all modules."""
import doctest
import importlib
import os
import pkgutil
import unittest

import helpers
import stiction


def load_tests(_loader, tests, _pattern):
    os.chdir(helpers.SOURCES)
    examples = 0
    for module in pkgutil.walk_packages(stiction.__path__, "stiction."):
        if not module.name.endswith("__main__"):
            suite = doctest.DocTestSuite(importlib.import_module(module.name))
            examples += suite.countTestCases()
            tests.addTests(suite)
    tests.addTests(doctest.DocTestSuite(stiction))
    assert examples > 8, "the docstrings have examples"
    return tests


class Documentation(helpers.Test):
    def test_everything_public_says_what_it_is(self):
        for name in stiction.__all__:
            thing = getattr(stiction, name)
            self.assertTrue(thing.__doc__, name)
            for key, value in vars(thing).items() if isinstance(thing, type) else ():
                if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                    self.assertTrue(value.__doc__, f"{name}.{key}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
