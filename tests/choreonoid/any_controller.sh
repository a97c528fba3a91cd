# SPDX-License-Identifier: MIT
# Controllers built outside of the repository against the installed headers, in the installed command
# and plugin: the same torques in both hosts, step by step, and the same messages about what goes
# wrong, with what was computed so far. Expects BUILD (the build) beside what lib.sh does.
. "$(dirname "$0")/lib.sh"
needs_own_prefix
cmake --install "$BUILD" --prefix "$work/prefix" >"$work/log" 2>&1 || fail "it cannot be installed"
mkdir "$work/mine"
cd "$work/mine"
for name in computed_torque odd; do
    cp "$SOURCES/tests/choreonoid/outside/$name.c" .
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fPIC -shared -I"$work/prefix/include" \
        "$name.c" -o "$name.so" || fail "$name.c does not compile"
done
printf 'int nothing;\n' >empty.c
cc -fPIC -shared empty.c -o empty.so
STICTION=$work/prefix/bin/stiction
PLUGINS=$(echo "$work"/prefix/lib/choreonoid-*)
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C
export LD_LIBRARY_PATH="$work/prefix/lib:$(dirname "$(find "$work/prefix" -name libstiction.so)")"

# on ENGINE NAME OPTION...: the project of that name into $work/ENGINE
on() {
    engine=$1 name=$2
    shift 2
    rm -rf "${work:?}/$engine"
    timeout 1000 "$STICTION" run "$SOURCES/sample_projects/$name.cnoid" --engine "$engine" --no-report \
        --out "$work/$engine" "$@" >"$work/out" 2>"$work/log"
}
# results ENGINE: its only folder of results
results() { echo "$work/$1"/*; }

# alike WHAT TOLERANCE COLUMNS LEAST: the columns of both engines that match, of which there are LEAST,
# over all rows, of which there are as many
alike() {
    awk -F, -v what="$1" -v tolerance="$2" -v columns="$3" -v least="$4" '
        FNR == 1 { file++; heads[file] = $0; for (k = 1; k <= NF; k++) head[k] = $k; next }
        file == 1 { row[FNR] = $0; rows[1]++; next }
        {
            rows[2]++
            count = split(row[FNR], other, ",")
            for (k = 1; k <= NF; k++) {
                if (head[k] !~ columns) continue
                compared++
                if ((other[k] == "") != ($k == "")) { print what ": empty in one"; bad = 1; exit }
                d = other[k] - $k
                if (d < 0) d = -d
                if (d > worst) { worst = d; where = head[k] " in row " FNR }
                if ($k > most || -$k > most) most = $k < 0 ? -$k : $k
            }
        }
        END {
            printf "%s: within %.2g of %.4g (%s), %d rows, %d numbers\n", what, worst, most, where,
                rows[2], compared
            exit !(!bad && heads[1] == heads[2] && rows[1] == rows[2] && rows[1] > 0 && most > 0 &&
                   compared >= least * rows[1] && worst <= tolerance)
        }' "$(results mujoco)/joints.csv" "$(results choreonoid)/joints.csv" || fail "$1: not alike"
}
# both NAME OPTION...
both() {
    for host in mujoco choreonoid; do on $host "$@" || fail "$1 on $host: exit code $?"; done
}

# ---- the same torques, from the same M, bias, efforts and targets ----
both wrist/wrist --controller "./computed_torque.so:kp=20 kv=9" --targets RWRR:90
alike "wrist, commands, N m" 1e-9 'command$' 1
alike "wrist, what it was given" 1e-9 '^controller[.](q|dq|effort|bias|M)_' 5
both arm7/arm7 --controller "./computed_torque.so:kp=20 kv=9" --targets "J1:30,J2:40,J3:-20,J4:60" \
    --set duration=2
alike "arm7, commands, N m" 1e-9 'command$' 7
alike "arm7, what it was given" 1e-9 '^controller[.](q|dq|effort|bias|M)_' 77
alike "arm7, targets, rad" 0 'target$' 7
grep -q '"library": ".*computed_torque.so"' "$(results choreonoid)/summary.json" ||
    fail "the results do not name the library"
grep -q '"controller=./computed_torque.so:kp=20 kv=9"' "$(results choreonoid)/summary.json" ||
    fail "the results do not say what was replaced"

# effort is the command less friction of the step before, also where the item has a delay of a step
# efforts DELAY: of the wrist, in the results of Choreonoid, whose rows have what acts in a step
efforts() {
    awk -F, -v delay="$1" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        NR > 2 + delay { d = $at["controller.effort_0_0"] - acted[NR - 1 - delay]
                         if (d < 0) d = -d; if (d > worst) worst = d; compared++ }
        { acted[NR] = $at["RWRR.command"] - $at["RWRR.friction_torque"]; there += acted[NR] != 0 }
        END { printf "effort within %.2g, %d rows\n", worst, compared
              exit !(there > 100 && compared > 100 && worst < 1e-12) }' \
        "$(results choreonoid)/joints.csv" || fail "effort is not the command less friction"
}
both wrist/wrist --controller "./computed_torque.so:kp=20 kv=9" --set duration=0.5 --targets RWRR:9
efforts 0
for delay in 0 1; do
    immediate=true
    [ $delay = 0 ] || immediate=false
    CONTROLLER="computed_torque:kp=20 kv=9"
    project "$work/mine/project.cnoid"
    sed -i "s/StictionPostureController/StictionController/; s/isNoDelayMode: true/isNoDelayMode: $immediate/
        s/jointDisplacements: \[ 0 \]/jointDisplacements: [ 20 ]/" "$work/mine/project.cnoid"
    # files lie beside the project, wherever we are
    (cd / && rm -rf "$work/choreonoid" && "$STICTION" run "$work/mine/project.cnoid" --no-report \
        --engine choreonoid --out "$work/choreonoid" --set duration=0.2 >"$work/out" 2>"$work/log") ||
        fail "a project with a StictionController: exit code $?"
    efforts $delay
done
(cd / && rm -rf "$work/mujoco" && "$STICTION" run "$work/mine/project.cnoid" --no-report \
    --out "$work/mujoco" --set duration=0.2 >"$work/out" 2>"$work/log") ||
    fail "the same project on the embedded engine: exit code $?"

# PD in every step, though the controller runs in every tenth; what it notes and says
both wrist/wrist --controller "./odd.so:what=pd at=0.1" --set duration=0.5
alike "PD, commands, N m" 1e-9 'command$' 1
alike "PD, targets, rad" 1e-15 'target$' 1
grep -q '"what": "pd"' "$(results choreonoid)/summary.json" || fail "a note is lost"
grep -q "\"controller 'odd': the gripper is worn\"" "$(results choreonoid)/summary.json" ||
    fail "a warning of a controller is lost"
says "controller 'odd': it is time"
says "warning: controller 'odd': the gripper is worn"

# the posture controller as a library is found where it is installed, and is the one that is built in
both wrist/wrist --controller "posture:kp=20 kv=2 target=RWRR:90" --set duration=1
alike "posture, commands, N m" 1e-9 'command$' 1
mv "$work/mujoco" "$work/built_in"
on choreonoid wrist/wrist --controller "posture.so:kp=20 kv=2 target=RWRR:90" --set duration=1 ||
    fail "posture.so is not found: exit code $?"
mv "$work/built_in" "$work/mujoco"
alike "posture.so, commands, N m" 1e-9 'command$' 1

# a robot that floats: where its base is, and what touches its feet
both humanoid/humanoid_standing --controller "./odd.so:what=contacts at=9" --set duration=0.02
head -n 1 "$(results choreonoid)/joints.csv" >"$work/head"
head -n 1 "$(results mujoco)/joints.csv" | cmp - "$work/head" || fail "the engines have other columns"
alike "base, m" 1e-3 '^base[.]' 7
for host in mujoco choreonoid; do
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
        END { touched = $at["controller.touched"]; push = $at["controller.push"]
              printf "%d feet touch, %.0f N\n", touched, push
              exit !(touched == 2 && push > 200 && push < 2000) }' \
        "$(results $host)/joints.csv" || fail "contacts on $host"
done
SIMULATOR=ODE CONTROLLER="odd:what=contacts at=9" SECONDS_=0.1
project "$work/mine/ode.cnoid"
sed -i "s/StictionPostureController/StictionController/" "$work/mine/ode.cnoid"
choreonoid "$work/ode" "$work/mine/ode.cnoid" || fail "contacts on ODE: exit code $?"
[ "$(grep -c 'it needs contacts, which .* is not known to report' "$work/log")" -eq 1 ] ||
    fail "a simulator without contacts is not reported once"
SIMULATOR=AIST

# ---- the same in Python and over a socket ----
for python in "${STICTION_PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then break; fi
    python=
done
if [ -z "$python" ]; then
    echo "left out: no Python with numpy"
else
    export STICTION_PYTHON="$python"
    cp "$SOURCES/plugin/python/examples/pd.py" .
    both arm7/arm7 --controller pd.py --targets J1:30,J2:40 --set duration=0.3
    alike "Python, commands, N m" 1e-9 'command$' 7
    printf 'def step(input):\n    if input.time > 0.05:\n        raise ValueError("no more")\n    return 0 * input.q\n' \
        >wrong.py
    if on choreonoid wrist/wrist --controller wrong.py; then fail "a mistake in Python was not reported"; fi
    says "no more"
    [ "$(wc -l <"$(results choreonoid)/joints.csv")" -gt 40 ] || fail "Python: results are lost"
fi

if on choreonoid wrist/wrist --controller "unix:nobody.socket:timeout=0.2"; then
    fail "nobody at a socket was not reported"
fi
says "nobody.socket"

# ---- what goes wrong: an error message each, the same on both, and what was computed so far ----
# wrong WHAT ROWS SENTENCE
wrong() {
    for host in mujoco choreonoid; do
        if on $host wrist/wrist --controller "./odd.so:what=$1 at=0.1" --set duration=0.3; then
            fail "$1 on $host: exit code 0"
        fi
        tail -n 1 "$work/log" | grep -qF -- "$3" || fail "$1 on $host: the last line lacks $3"
        grep -q '"complete": false' "$(results $host)/summary.json" || fail "$1 on $host: no results"
        [ "$(wc -l <"$(results $host)/joints.csv")" -eq "$2" ] || fail "$1 on $host: not $2 rows"
    done
}
wrong nan 101 "controller 'odd': joint 'RWRR': its torque at 0.1 s is not given, or NaN"
wrong crash 101 "controller 'odd': it crashed in step: segmentation fault (SIGSEGV), at 0.1 s"
wrong error 101 "controller 'odd': at 0.1 s: the gripper is lost"
both wrist/wrist --controller "./odd.so:what=end at=0.1"
alike "one that ends, commands, N m" 1e-9 'command$' 1
grep -q '"complete": true' "$(results choreonoid)/summary.json" || fail "one that ends is not complete"
[ "$(wc -l <"$(results choreonoid)/joints.csv")" -eq 102 ] || fail "it goes on when it is done"

# refused SENTENCE OPTION...: before the first step, so without results
refused() {
    message=$1
    shift
    for host in mujoco choreonoid; do
        if on $host wrist/wrist "$@"; then fail "$host: $* was not refused"; fi
        tail -n 1 "$work/log" | grep -qF -- "$message" || fail "$host: the last line lacks $message"
        [ -z "$(find "$work/$host" -name summary.json)" ] || fail "$host: results of $*"
    done
}
refused "it crashed in create: segmentation fault (SIGSEGV)" \
    --controller "./odd.so:what=crash_in_create at=0"
refused "there is no file './none.so': looked in the working directory" --controller ./none.so
refused "empty.so' is not a controller: it does not have the symbol 'stiction_controller'" \
    --controller ./empty.so
refused "the options must be 'kp=20 kv=9', not 'kp=1'" --controller ./computed_torque.so:kp=1
refused "there is no body 'Wrst' with joints; the nearest is 'Wrist'" \
    --controller "Wrst=./odd.so:what=pd at=0"
refused "targets: " --controller "Wrist=./odd.so:what=pd at=0" --targets RWRX:3
refused "targets are given, but there is no controller" --controller none --targets RWRR:3
both wrist/wrist --controller none --set duration=0.1
grep -q '"controllers": \[\]' "$(results choreonoid)/summary.json" || fail "none is not none"
finish
