#!/bin/sh
# SPDX-License-Identifier: MIT
# The examples of controllers, built and run against the installed tree as their first lines say.
# usage: controllers.sh BUILD_DIR SOURCE_ROOT WORK_DIR
set -eu
build=$1 samples=$(cd "$2/sample_projects" && pwd) work=$3
rm -rf "$work"
mkdir -p "$work/mine"
cmake --install "$build" --prefix "$work/prefix" >/dev/null
prefix=$(cd "$work/prefix" && pwd)
library=$(dirname "$(find "$prefix" -name libstiction.so)")
export PKG_CONFIG_PATH="$library/pkgconfig" PATH="$prefix/bin:$PATH"
cp "$prefix"/share/stiction/examples/* "$work/mine"
cd "$work/mine"

# commands FILE: what its first comment says, lines that go on joined
commands() {
    sed -n '1,/\*\//s/^ \*     //p' "$1" | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'
}
for file in pd.c computed_torque.cpp; do
    commands $file >script
    [ "$(wc -l <script)" -eq 2 ]
    # the projects lie where they lie
    sed "s#run wrist#run $samples/wrist/wrist#; s#run arm7#run $samples/arm7/arm7#; s#stiction run .*#& --no-report#" \
        script >script.here
    sh -eux script.here
done
nm -D --defined-only pd.so computed_torque.so | grep -c ' stiction_controller$' | grep -qx 2

# the PD of the example is that of the posture controller, to the bit
stiction run "$samples/wrist/wrist.cnoid" --controller 'posture:mode=pd kp=20 kv=2 target=RWRR:90' \
    --out posture --no-report
cmp results/wrist/joints.csv posture/wrist/joints.csv
grep -q '"library": "./pd.so"' results/wrist/summary.json
# so is the installed posture controller
stiction run "$samples/wrist/wrist.cnoid" --out built_in --no-report
stiction run "$samples/wrist/wrist.cnoid" --out loaded --no-report \
    --controller "$library/stiction/controllers/posture.so:kp=20 kv=2 lambda=0 target=RWRR:90"
cmp built_in/wrist/joints.csv loaded/wrist/joints.csv
# a bad option is its own sentence
if stiction run "$samples/wrist/wrist.cnoid" --controller ./pd.so:kp=-1 --out bad 2>err; then exit 1; fi
grep -qF "controller './pd.so:kp=-1': kp -1 and kd 2 must be at least 0" err
