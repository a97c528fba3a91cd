# SPDX-License-Identifier: MIT
# Nothing is simulated to its end, and no results are written, where something is wrong:
# a configuration that is wrong, joints that are not driven by effort, a project without a
# simulator; an error message each.
. "$(dirname "$0")/lib.sh"
printf 'stiction: 1\nmodels: [Wrist]\njoints:\n  RWRX: { law: none }\n' >"$work/missing.yaml"
CONFIG=$work/missing.yaml
project "$work/missing.cnoid"
if choreonoid "$work/missing" "$work/missing.cnoid"; then fail "a missing joint was not reported"; fi
says "missing.yaml:4:3: joint 'RWRX': the robot has no such joint"
grep -q "^stiction: error: .*missing.yaml:4:3" "$work/log" || fail "no message of the batch mode"
[ ! -e "$work/missing/Simulator" ] || fail "results of a run that was refused"

printf 'stiction: 1\nmodels: [Other]\njoints: {}\n' >"$work/other.yaml"
CONFIG=$work/other.yaml
project "$work/other.cnoid"
if choreonoid "$work/other" "$work/other.cnoid"; then fail "a missing model was not reported"; fi
says "No body of this simulation is a model of"

printf 'items: { id: 0, name: Root, plugin: Base, class: RootItem }\n' >"$work/empty.cnoid"
if choreonoid "$work/empty" "$work/empty.cnoid"; then fail "no simulator was not reported"; fi
says "the project has no simulator item"
finish
