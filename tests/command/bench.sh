#!/bin/sh
# SPDX-License-Identifier: MIT
# bench prints its tables, and refuses what it cannot measure. Never the times: they are the
# machine's.
. "$(dirname "$0")/lib.sh"
humanoid=$sources/sample_projects/humanoid/humanoid_standing.cnoid

# the part of the projects
run 0 bench --quick --part engine "$humanoid"
silent err
head -n 1 out >columns
says columns 'project'
says columns 'cost, best (us)'
says columns 'of frictionloss (%)'
[ "$(wc -l <out)" -eq 5 ] || fail 'not four rows'
for friction in none stiction implicit frictionloss; do
    grep -q "^humanoid_standing  *53  $friction " out || fail "no row for $friction"
done

# a row more for each project; every figure is there, and a step takes time
run 0 bench --quick --repeat 3 --json --part engine "$humanoid" \
    "$sources/sample_projects/wrist/wrist.cnoid"
silent err
grep -q '^  "engine": \[$' out || fail 'the JSON does not begin with the part'
[ "$(grep -c '"friction"' out)" -eq 8 ] || fail 'not eight objects'
[ "$(grep -c '"best_us": [0-9]*[1-9]' out)" -eq 8 ] || fail 'a step takes no time'
grep '"none"' out | grep -q '"best_cost_us": null' || fail 'no friction has a cost'
if command -v python3 >/dev/null; then
    python3 -m json.tool out >/dev/null || fail 'the JSON is none'
fi

# every row of the laws, with its time and its ratio; E is 1 E
run 0 bench --quick --part laws
silent err
while read -r row; do
    grep -q "^$row  " out || fail "part laws lacks: $row"
done <<'END'
batch, Stribeck exact
batch, rational
batch, Coulomb-viscous
12 joints, stiction_step
one joint, Stribeck, stiction_step
E: exp, libm
END
run 0 bench --quick --part laws --json
grep '"E: exp, libm"' out | grep -q '"exps": 1, ' || fail 'E is not 1 E'
[ "$(grep -c '"best_ns": 0,' out)" -eq 0 ] || fail 'a step takes no time'
chosen=$(sed -n 's/.*"set": "\([^"]*\)".*/\1/p' out | sort -u)
case $chosen in baseline | avx2 | avx512) ;; *) fail "no instruction set is called '$chosen'" ;; esac
if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    [ "$chosen" != baseline ] || fail 'the processor has AVX2, and it was not chosen'
fi

# the solver by itself: two robots, two elements, moving and stuck
run 0 bench --quick --part implicit --json
silent err
[ "$(grep -c '"motion": "stuck", "slipping": 0,' out)" -eq 4 ] || fail 'what is stuck slips'
[ "$(grep -c '"motion": "moving", "slipping": [1-9]' out)" -eq 4 ] || fail 'what moves does not slip'

# without a project all parts run that need none
run 0 bench --quick --json
silent err
[ "$(grep -oE '"(laws|implicit|engine|vector)": \[' out | tr -d '\n')" = \
    '"laws": ["implicit": [' ] || fail 'not the two parts that need no project'
if command -v python3 >/dev/null; then
    python3 -m json.tool out >/dev/null || fail 'the JSON is none'
fi

run 0 bench --quick --part vector "$sources/sample_projects/wrist/wrist.cnoid"
silent err
grep -Eq '^wrist +1 +4 +1 ' out && grep -Eq '^wrist +1 +4 +[2-9]' out || fail 'part vector lacks one thread or all'

refuses 2 'part engine needs a project' bench --part engine
refuses 2 "there is no part 'engin'; the nearest is 'engine'" bench --part engin "$humanoid"
refuses 2 "--repeat '0' is not a whole number from 1" bench --repeat 0 "$humanoid"
refuses 1 'absent.cnoid: there is no such file' bench --quick --part engine absent.cnoid
refuses 1 'absent.cnoid: there is no such file' bench --quick --part engine --json "$humanoid" absent.cnoid
finish
