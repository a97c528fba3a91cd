#!/bin/sh
# SPDX-License-Identifier: MIT
# The script of the coefficients prints the files that are there, but for their layout.
# usage: coefficients.sh SOURCE_ROOT
set -eu
root=$1
python=/usr/bin/python3 # Debian's, whose packages it needs
"$python" -c 'import mpmath' 2>/dev/null || { echo "python3-mpmath is not here: skipped"; exit 77; }
check() {
    file=joint_models/$1
    shift
    printed=$("$python" "$root/tools/make_coefficients.py" "$@" | tr -d ' \n')
    [ "$printed" = "$(tr -d ' \n' <"$root/$file")" ] || {
        echo "$file is not what tools/make_coefficients.py $* prints"
        exit 1
    }
}
check approximations.h
check lambert_cells.c lambert
