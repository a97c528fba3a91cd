# SPDX-License-Identifier: MIT
# Random robots of the adversary (tests/adversary) in Choreonoid: on a ramp of 4 s each holds 0.98 of
# the torque at which it must break away, and gives way at 1.02 of it.
# ADVERSARY: the program; CASES, SEED: which.
. "$(dirname "$0")/lib.sh"
cd "$work"
mkdir cases
"$ADVERSARY" --seed "${SEED:-1}" --cases 2000 --export cases | head -n "${CASES:-100}" >list
[ "$(wc -l <list)" -eq "${CASES:-100}" ] || fail 'too few cases'

# moved SEED JOINT TORQUE TIMESTEP: how far the joint has moved after 4.3 s, its creep, and whether it
# sticks; a robot that slips at a long time step is not followed for longer
moved() {
    printf 'posture: 1\nmode: torque\njoints:\n  %s: { target: %s, shape: ramp, duration: 4 }\n' "$2" "$3" >posture.yaml
    STICTION_CHOREONOID=$CHOREONOID "$STICTION" run "cases/$1/robot.body" --engine choreonoid \
        --config "cases/$1/friction.yaml" --controller "posture:config=$work/posture.yaml" \
        --set gravity=0,0,0 --timestep "$4" --duration 4.3 --out of_case --force --no-report \
        >out 2>"$work/log" || return 1
    figure of_case/robot/summary.json "$2" final_position
    figure of_case/robot/summary.json "$2" creep
    awk -F, -v name="$2.stick" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) column = k }
        END { print $column }' of_case/robot/joints.csv
}
while read -r seed joint torque timestep range; do
    # shellcheck disable=SC2046 # three numbers
    set -- $(moved "$seed" "$joint" "$(awk "BEGIN { print 0.98 * $torque }")" "$timestep")
    [ $# -eq 3 ] || { fail "seed $seed: no run"; continue; }
    awk -v q="$1" -v c="$2" -v r="$range" 'BEGIN { q = q < 0 ? -q : q; c = c < 0 ? -c : c
        exit !(q < r && (c == "null" || c < 1e-9)) }' ||
        fail "seed $seed, $joint, $timestep s: at 0.98 F_S it moves by $1, creep $2, elastic range $range"
    # shellcheck disable=SC2046 # three numbers
    set -- $(moved "$seed" "$joint" "$(awk "BEGIN { print 1.02 * $torque }")" "$timestep")
    [ $# -eq 3 ] || { fail "seed $seed: no run"; continue; }
    [ "$3" = 0 ] || awk -v q="$1" -v r="$range" 'BEGIN { q = q < 0 ? -q : q; exit !(q > r) }' ||
        fail "seed $seed, $joint, $timestep s: at 1.02 F_S it holds, moves by $1, elastic range $range"
done <list
printf '%s cases, %s failures\n' "$(wc -l <list)" "$failures"
finish
