#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs that look healthy and are not: stable is false, a warning says why, --strict exits with 1.
. "$(dirname "$0")/lib.sh"

# chain JOINTS: a horizontal chain that falls
chain() {
    awk -v n="$1" 'BEGIN {
        print "<robot name=\"chain\"><link name=\"base\"/>"
        for (k = 1; k <= n; k++) {
            print "<link name=\"L" k "\"><inertial><origin xyz=\"0.05 0 0\"/><mass value=\"0.2\"/>"
            print "<inertia ixx=\"3e-4\" iyy=\"3e-4\" izz=\"1e-4\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"
            print "</inertial></link>"
            print "<joint name=\"J" k "\" type=\"continuous\"><parent link=\"" (k > 1 ? "L" k - 1 : "base") "\"/>"
            print "<child link=\"L" k "\"/><origin xyz=\"" (k > 1 ? 0.1 : 0) " 0 0\"/>"
            print "<axis xyz=\"0 " (k % 2 ? "0 1" : "1 0") "\"/></joint>"
        }
        print "</robot>" }' >chain.urdf
}
cat >chain.yaml <<'END'
stiction: 1
models: [chain]
joints:
  "J*": { law: coulomb, coulomb_torque: 0.1, viscous: 0, stiffness: 10, damping: 0.1 }
END

# ---- energy from nothing: the integration of 40 joints at 2 ms; nobody drives them ----
chain 40
run 0 run chain.urdf --config chain.yaml --set timestep=0.002 --set duration=5 --out long --no-report
says long/chain/summary.json '"stable": false'
says out 'J from nothing in the first'
says out 'the time step is too long for this motion; take a smaller one'
grep -q 'stiction check' out err && fail 'friction is blamed'
run 1 run chain.urdf --config chain.yaml --set timestep=0.002 --set duration=5 --out long --no-report --force --strict

# ---- at a time step that resolves the motion the same chain, shorter, is fine ----
chain 4
run 0 run chain.urdf --config chain.yaml --set timestep=0.0005 --set duration=2 --out short --no-report --strict
says short/chain/summary.json '"warnings": []'

# ---- the work of a push is no energy from nothing ----
run 0 run "$sources/sample_projects/whole_body/humanoid_push.cnoid" --out push --no-report --strict

finish
