# SPDX-License-Identifier: MIT
# The whole-body controller on the humanoid in AIST: without friction its dynamics are right and it
# yields as the spring that it is; with friction it does what it does on the embedded engine, within
# 20 %, implicitly coupled at 5 ms, too.
. "$(dirname "$0")/lib.sh"
export STICTION_CHOREONOID="$CHOREONOID" CNOID_PLUGIN_PATH="$PLUGINS" XDG_RUNTIME_DIR="$work" LANG=C
projects=$SOURCES/sample_projects/whole_body

# run ENGINE PROJECT [OPTION...]: its summary is $work/ENGINE/PROJECT/summary.json
run() {
    engine=$1 name=$2
    shift 2
    "$STICTION" run "$projects/$name.cnoid" --engine "$engine" --out "$work/$engine" --force --no-report \
        "$@" >"$work/log" 2>&1 || fail "$name does not run on $engine: $*"
}
# figure ENGINE PROJECT FIGURE: of the one body
figure() {
    tr '{,' '\n\n' <"$work/$1/$2/summary.json" | sed -n "s/.*\"$3\": *\([^ }]*\).*/\1/p" | head -1
}
# mm ENGINE PROJECT FIGURE
mm() { awk -v x="$(figure "$@")" 'BEGIN { print 1000 * x }'; }
# alike WHAT FIGURE PROJECT TOLERANCE: within 20 % of the embedded engine, and of what is too small to matter
alike() {
    here=$(figure choreonoid "$3" "$2") there=$(figure mujoco "$3" "$2")
    near "$1" "$here" "$there" "$(awk -v x="$there" -v t="$4" 'BEGIN { print (x < 0 ? -x : x) / 5 + t }')"
}

# down by 10 cm, without friction
run choreonoid humanoid_squat --set friction=none --set duration=4
near "squat: CoM error z, mm" "$(mm choreonoid humanoid_squat com_error_max_z)" 0 0.5
near "squat: CoM error x, mm" "$(mm choreonoid humanoid_squat com_error_max_x)" 0 0.5
near "squat: real less asked acceleration, m/s^2" \
    "$(figure choreonoid humanoid_squat com_acceleration_error)" 0 0.02
near "squat: slip, mm" "$(mm choreonoid humanoid_squat sole_slip)" 0 0.2
near "squat: falls" "$(figure choreonoid humanoid_squat falls)" 0 0

# it yields as its spring
run choreonoid humanoid_balance --set friction=none --set duration=4 \
    --set push="link=PELVIS force=30,0,0 ramp=0.5"
near "yield ratio at 30 N" "$(figure choreonoid humanoid_balance yield_ratio)" 1 0.03

# stiction shows, as on the embedded engine
for engine in choreonoid mujoco; do
    run $engine humanoid_squat --set coupling=implicit --set timestep=0.005
    run $engine humanoid_balance --set coupling=implicit --set timestep=0.005 --set duration=5 \
        --set push="link=PELVIS force=100,0,0 ramp=0.5"
done
near "squat, friction: CoM error z, mm" "$(mm choreonoid humanoid_squat com_error_max_z)" 43 8
alike "squat, friction: largest CoM error z, m" com_error_max_z humanoid_squat 2e-4
alike "squat, friction: CoM error z at the end, m" com_error_end_z humanoid_squat 2e-4
alike "squat, friction: residual, m" com_residual humanoid_squat 2e-4
alike "friction: yield ratio at 100 N" yield_ratio humanoid_balance 0.02
finish
