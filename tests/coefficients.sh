#!/bin/sh
# The script of the coefficients prints the header that is there, but for its layout.
# usage: coefficients.sh SOURCE_ROOT
set -eu
root=$1
python=/usr/bin/python3 # Debian's, whose packages it needs
"$python" -c 'import mpmath' 2>/dev/null || { echo "python3-mpmath is not here: skipped"; exit 77; }
printed=$("$python" "$root/tools/make_coefficients.py" | tr -d ' \n')
[ "$printed" = "$(tr -d ' \n' <"$root/joint_models/approximations.h")" ] || {
    echo "joint_models/approximations.h is not what tools/make_coefficients.py prints"
    exit 1
}
