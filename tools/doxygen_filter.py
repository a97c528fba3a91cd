#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the plain comments of a public header readable for Doxygen: a comment above a declaration
documents it, one behind a declaration documents that, and the first one documents the file.
usage: doxygen_filter.py HEADER, which prints the header with the same number of lines"""
import html
import re
import sys

COMMENT = re.compile(r"/\*(.*?)\*/|\"(?:\\.|[^\"\\])*\"", re.S)


def escaped(text):
    """The text with Doxygen's special characters escaped and `code` marked up."""
    parts = re.split(r"`([^`\n]*)`", text)
    for k, part in enumerate(parts):
        part = html.escape(part, quote=False)
        part = re.sub(r"([@\\#%])", lambda m: "&#%d;" % ord(m.group(1)), part)
        part = part.replace("::", ":&#58;")
        parts[k] = "<code>%s</code>" % part if k % 2 else part
    return "".join(parts)


def filtered(source):
    first = True

    def replace(match):
        nonlocal first
        if match.group(1) is None:  # a string
            return match.group(0)
        line = source[source.rfind("\n", 0, match.start()) + 1:match.start()]
        if first:
            start = "/** @file\n"
        elif line.strip() == "":
            start = "/**"
        else:
            start = "/**<"
        text = match.group(1).replace(" SPDX-License-Identifier: MIT", "")
        if first and text.startswith("\n"):
            text = text[1:]
        first = False
        return start + escaped(text) + "*/"
    return COMMENT.sub(replace, source)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(filtered(header.read()))
