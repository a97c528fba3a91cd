#!/bin/sh
# Static analysis: clang-tidy, cppcheck and gcc -fanalyzer; see --help.
exec python3 "$(dirname "$0")/lint.py" "$@"
