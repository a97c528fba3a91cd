# SPDX-License-Identifier: MIT
# The checker of the samples finds what is wrong: a figure, a joint, results or expectations that lack.
# usage: check_expected.sh CHECK_EXPECTED
set -eu
checker=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A joint that moves, sticks from 0.2 s on, and moves off again at 0.5 s with 3 N m.
mkdir -p "$work/results/one" "$work/sample"
: >"$work/sample/one.cnoid"
cat >"$work/results/one/summary.json" <<'JSON'
{ "joints": { "J": { "final_position": 0.25, "creep": null, "stop_time": 0.6 } } }
JSON
cat >"$work/results/one/joints.csv" <<'CSV'
time,J.position,J.velocity,J.command
0,0,0,9
0.1,0.1,1,9
0.2,0.2,0,1
0.3,0.2,0.0005,2
0.4,0.2,0.005,2.5
0.5,0.3,1,3
0.6,0.25,-0.5,-2
CSV

# expect VERDICT SENTENCE: with the figures of the standard input; VERDICT is 0 or 1.
expect() {
    { printf 'expected: 1\nprojects:\n'; cat; } >"$work/sample/expected.yaml"
    code=0
    "$checker" "$work/results" "$work/sample" >"$work/log" 2>&1 || code=$?
    if [ "$code" -ne "$1" ] || ! grep -qF -- "$2" "$work/log"; then
        printf 'exit code %s, expected %s and: %s\n' "$code" "$1" "$2"
        cat "$work/log"
        failures=$((failures + 1))
    fi
}

expect 0 "9 figures, 0 failures" <<'YAML'
  one:
    J:
      final_position: { deg: 14.3239, tolerance: 0.0001 }
      stop_time: { at_most: 0.6 }
      creep: { none: true }
      position: { at: 0.2, value: 0.2, tolerance: 1e-9 }
      max_position: { value: 0.3, relative: 1e-9 }
      mean_position: { over: 0.15, value: 0.275, tolerance: 1e-9 }
      drift: { over: 0.15, since: 0.4, value: 0.375, tolerance: 1e-9 }
      break_away_times: { values: [ 0.5 ], tolerance: 1e-9 }
      peak_after_stop: { value: 3, tolerance: 1e-9 }
YAML
expect 1 "WRONG" <<'YAML'
  one: { J: { final_position: { value: 0.26, tolerance: 0.009 } } }
YAML
expect 1 "WRONG" <<'YAML'
  one: { J: { creep: { at_most: 1 } } }
YAML
expect 1 "WRONG" <<'YAML'
  one: { J: { stop_time: { none: true } } }
YAML
expect 1 "key 'at_most' is of no use here" <<'YAML'
  one: { J: { creep: { none: true, at_most: 1 } } }
YAML
expect 1 "WRONG" <<'YAML'
  one: { J: { break_away_times: { values: [ 0.5, 0.6 ], tolerance: 10 } } }
YAML
expect 1 "WRONG" <<'YAML'
  one: { J: { position: { at: 7, value: 0.25, tolerance: 10 } } }
YAML
expect 1 "expected.yaml:3:10: the results have no joint or body 'K'" <<'YAML'
  one: { K: { final_position: { value: 0, tolerance: 1 } } }
YAML
expect 1 "expected.yaml:3:15: there is no figure 'finl_position'" <<'YAML'
  one: { J: { finl_position: { value: 0, tolerance: 1 } } }
YAML
expect 1 "give either tolerance or relative" <<'YAML'
  one: { J: { final_position: { value: 0.25 } } }
YAML
expect 1 "key 'tolerence' is of no use here" <<'YAML'
  one: { J: { stop_time: { at_most: 1, tolerence: 1 } } }
YAML
expect 1 "nothing is expected" <<'YAML'
  one: {}
YAML
expect 1 "nothing is expected" <<'YAML'
  one: { J: {} }
YAML
expect 1 "two/summary.json" <<'YAML'
  one: { J: { stop_time: { at_most: 1 } } }
  two: { J: { stop_time: { at_most: 1 } } }
YAML
expect 1 "one                      has no expected figures" <<'YAML'
  {}
YAML
[ "$failures" -eq 0 ]
