# SPDX-License-Identifier: MIT
# Prints what friction costs on AIST: the processor time of a second of the standing humanoid (53
# joints, 1 ms) without friction, with explicit and with implicit friction; and the instructions, which
# are the same in each run, where there is valgrind. Figures, no verdict.
. "$(dirname "$0")/lib.sh"
project=$SOURCES/sample_projects/humanoid/humanoid_standing.cnoid

# run SECONDS: the processor time of the whole program, s
run() {
    times >"$work/before"
    STICTION_SIMULATOR=AISTSimulator STICTION_INTERVAL=1 STICTION_TIME=$1 choreonoid "$work/out" "$project" ||
        fail "exit code $?"
    times >"$work/after"
    # the second line has the times of children, of which the first is the user's: 1m2.5s
    cat "$work/before" "$work/after" | awk 'NR % 2 == 0 { split($1, t, "m"); s = 60 * t[1] + t[2] - s }
        END { print s }'
}

# cost: of a second without start and end, the least of three, ms
cost() {
    for repetition in 1 2 3; do
        short=$(run 2)
        long=$(run 12)
        echo "$short $long"
    done | awk '{ c = ($2 - $1) * 100; least = NR == 1 || c < least ? c : least } END { print least }'
}

# show WHAT UNIT
show() {
    awk -v what="$1" -v unit="$2" -v a="$without" -v b="$explicit" -v c="$implicit" 'BEGIN {
        printf "%s: %.0f %s without friction, ", what, a, unit
        printf "%.0f explicit (%.2f times), %.0f implicit (%.2f times)\n", b, b / a, c, c / a }'
}

# instructions SECONDS: of the whole program
instructions() {
    CNOID_PLUGIN_PATH=$PLUGINS STICTION_BATCH=$work/out QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work LANG=C \
        STICTION_SIMULATOR=AISTSimulator STICTION_INTERVAL=1 STICTION_TIME=$1 timeout 1000 \
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$CHOREONOID" --no-window "$project" \
        >"$work/log" 2>&1 || fail "exit code $?"
    awk '/Collected :/ { print $NF }' "$work/log"
}

# millions: of instructions in the second from 1 s on
millions() { echo "$(instructions 1) $(instructions 2)" | awk '{ print ($2 - $1) / 1e6 }'; }

without=$(STICTION_FRICTION=none cost)
explicit=$(STICTION_OVERRIDE=coupling=explicit cost)
implicit=$(STICTION_OVERRIDE=coupling=implicit cost)
show "a second of 53 joints at 1 ms" ms
if command -v valgrind >/dev/null; then
    without=$(STICTION_FRICTION=none millions)
    explicit=$(STICTION_OVERRIDE=coupling=explicit millions)
    implicit=$(STICTION_OVERRIDE=coupling=implicit millions)
    show "instructions of it" million
fi
finish
