"""The blocks of documents that begin with ```python run, those of one document one after the other, in a copy
of the sources."""
import doctest
import os
import pathlib
import re
import shutil
import tempfile

import helpers

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
