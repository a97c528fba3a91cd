#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis and spelling: clang-tidy, cppcheck, gcc -fanalyzer, codespell; see --help.
exec python3 "$(dirname "$0")/lint.py" "$@"
