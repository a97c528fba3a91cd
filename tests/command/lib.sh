# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Sourced by the tests of the stiction command: STICTION is the program, and the test runs in an
# empty folder of its own. A test is a list of calls of the functions below.
set -u
STICTION=$1
sources=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset COLUMNS LINES
# on a busy machine there would be lines of progress
STICTION_PROGRESS_INTERVAL=0
export STICTION_PROGRESS_INTERVAL
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$*"
}

# run EXIT_CODE ARGUMENTS...: stdout goes to ./out, stderr to ./err.
run() {
    expected=$1
    shift
    "$STICTION" "$@" >out 2>err
    code=$?
    [ "$code" -eq "$expected" ] || {
        fail "stiction $*: exit code $code instead of $expected"
        cat err
    }
}

# says FILE TEXT: the text is somewhere in the file.
says() { grep -qF -e "$2" "$1" || { fail "$1 lacks: $2"; cat "$1"; }; }
# is FILE TEXT: the file is this line and nothing else.
is() { [ "$(cat "$1")" = "$2" ] || { fail "$1 is not: $2"; cat "$1"; }; }
silent() { [ ! -s "$1" ] || { fail "$1 is not empty"; cat "$1"; }; }

# refuses EXIT_CODE "SENTENCE" ARGUMENTS...: nothing on stdout, the sentence on stderr.
refuses() {
    code_of_refusal=$1
    sentence=$2
    shift 2
    run "$code_of_refusal" "$@"
    silent out
    says err "$sentence"
}

# waits_for SECONDS TEST...: until it is true; the seconds are only a limit for hangs
waits_for() {
    tries=$(($1 * 20))
    shift
    until "$@" 2>/dev/null; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}
# has_child PROCESS: its first child is then $child
has_child() { child=$(cut -d' ' -f1 "/proc/$1/task/$1/children") && [ -n "$child" ]; }
# has_worked SECONDS PROCESS: waits until the process had so much of a processor, whatever else runs.
has_worked() {
    ticks=$(($1 * $(getconf CLK_TCK)))
    while kill -0 "$2" 2>/dev/null && [ "$(cut -d' ' -f14 "/proc/$2/stat")" -lt "$ticks" ]; do
        sleep 0.05
    done
}

# limit_files BLOCKS: no file of this shell has more blocks of 512 bytes. The counts of
# tools/coverage.py would be cut, too, so they go elsewhere.
limit_files() {
    ulimit -f "$1"
    export GCOV_PREFIX="$PWD/.counts"
}

# relist FOLDER: its files count as written by stiction as they are now.
relist() {
    (
        cd "$1" || exit
        rm -f SHA256SUMS
        find . -type f ! -name .sums | sed 's#^\./##' | LC_ALL=C sort | xargs sha256sum >.sums
        {
            printf '# stiction: files of this folder, %s, ' "$(wc -l <.sums | tr -d ' ')"
            sha256sum <.sums | cut -d' ' -f1
            cat .sums
        } >SHA256SUMS
        rm .sums
    )
}
# whole FOLDER...: the files of every folder are as listed in SHA256SUMS.
whole() {
    for folder in "$@"; do
        (cd "$folder" && sha256sum --quiet --strict -c SHA256SUMS >/dev/null 2>&1) ||
            fail "$folder is not as it was written"
    done
}

finish() { [ "$failures" -eq 0 ]; }

# with_wrist FILE: a configuration of the joints on stdin, and the friction of the paper's wrist as
# the profile wrist
with_wrist() {
    cat - >"$1.joints"
    cat - "$1.joints" >"$1" <<'END'
stiction: 1
profiles:
  wrist:
    law: stribeck
    static_torque: 2.5
    coulomb_torque: 0.4
    stribeck_velocity: 0.06
    viscous: 4.5
    stiffness: 5000
    damping: 50
END
    rm "$1.joints"
}

# A wrist, a pattern, and models of the literature.
with_wrist robot.yaml <<'END'
joints:
  RWRR: { profile: wrist }
  "?WR[PY]": { profile: wrist, static_torque: 2.2 }
  KARNOPP: { profile: wrist, law: karnopp, stick_velocity: 0.001 }
  LUGRE: { profile: wrist, law: lugre }
  SAW: { law: sawtooth, static_torque: 2, coulomb_torque: 1, bristle_spacing: 0.1 }
  SOFT: { profile: wrist, damping: 1 }
END
