# The sample projects on another simulator item come to the figures of their expected.yaml, with
# true velocities whether or not the item gives them by itself. AIST's are choreonoid.samples.
# usage: matrix.sh ITEM, with CHECK_EXPECTED beside what lib.sh expects
. "$(dirname "$0")/lib.sh"
item=$1
needs_item "$item"

# Where an item may differ: item, project, quantity, the range of what is found (nan: it may have
# none). Why:
# - PhysX computes in single precision: a position near 1 is known to 1e-7, and what sticks wanders
#   by that much.
# - In contact, PhysX's solver moves positions beside velocities, which jitter: a standing robot's
#   joints never seem to stop, and creep a little.
differences='
PhysX holding RWRR.final_position 4.49e-4 4.51e-4
PhysX holding *.creep -1e-6 1e-6
PhysX two_link *.drift 0 1e-5
PhysX humanoid_arms *.creep -1e-6 1e-6
PhysX humanoid_standing *.creep -2e-4 2e-4
PhysX humanoid_standing *.stop_time nan nan
'

# Projects that an item cannot run, which must be said: ODE knows no rotor inertia, from which
# geared joints have most of theirs, and friction at this time step needs it (`stiction check`).
impossible=
[ "$item" != ODE ] || impossible="arm7 humanoid_arms humanoid_standing"

# allowed PROJECT QUANTITY FOUND
allowed() {
    printf '%s\n' "$differences" | while read -r of project quantity lowest highest; do
        [ "$of" = "$item" ] || continue
        # patterns of the table
        # shellcheck disable=SC2254
        case $1 in $project) ;; *) continue ;; esac
        # shellcheck disable=SC2254
        case $2 in $quantity) ;; *) continue ;; esac
        awk -v x="$3" -v a="$lowest" -v b="$highest" 'BEGIN {
            exit !(x == a || (x ~ /^[-+0-9]/ && a ~ /^[-+0-9]/ && x >= a + 0 && x <= b + 0)) }' &&
            echo yes
    done | grep -q yes
}

# The AIST item of every project becomes one of this class; the rest stays.
mkdir "$work/samples"
cp -r "$SOURCES/config" "$work"
for folder in wrist holding arm7 two_link humanoid; do
    cp -r "$SOURCES/sample_projects/$folder" "$work/samples"
    for file in "$work/samples/$folder"/*.cnoid; do
        awk -v item="$item" '
            { lines[NR] = $0 }
            /class: AISTSimulatorItem/ {
                sub(/".*"/, "\"Simulator\"", lines[NR - 2])
                if (item != "AIST") sub(/plugin: .*/, "plugin: " item, lines[NR - 1])
                sub(/AIST/, item, lines[NR])
            }
            END { for (k = 1; k <= NR; k++) print lines[k] }' "$file" >"$work/changed"
        mv "$work/changed" "$file"
    done
done

# run PROJECT...
run() {
    CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID \
        "$STICTION" run --engine choreonoid --simulator Simulator --no-report --out "$work/results" \
        "$@" >"$work/log" 2>&1
}

for name in $impossible; do
    file=$(ls "$work"/samples/*/"$name.cnoid")
    if run "$file" --set duration=1; then fail "$item $name: nothing was said"; fi
    says "is not that of its motion"
    printf '%s %s: told that its joints fly apart\n' "$item" "$name"
    rm -f "$(dirname "$file")/expected.yaml" "$file"
done
run "$work"/samples/*/*.cnoid || fail "exit code $?"
folders=$(for file in "$work"/samples/*/expected.yaml; do dirname "$file"; done)
# shellcheck disable=SC2086
"$CHECK_EXPECTED" "$work/results" $folders >"$work/checked" || true
cat "$work/checked"
grep -q '[0-9] figures' "$work/checked" || fail "nothing was checked"
grep 'WRONG$' "$work/checked" >"$work/wrong" || true
while read -r line; do
    # shellcheck disable=SC2086
    set -- $line
    project=$1 quantity=$2
    while [ $# -gt 2 ]; do shift; done
    if allowed "$project" "$quantity" "$1"; then
        printf '%s may differ: %s %s is %s\n' "$item" "$project" "$quantity" "$1"
    else
        fail "$item: $project $quantity is $1"
    fi
done <"$work/wrong"
finish
