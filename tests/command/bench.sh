#!/bin/sh
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

# where the time of a run goes, for each choice of files, and nothing is left of it
mkdir temporary
TMPDIR=$PWD/temporary run 0 bench --quick --part run "$sources/sample_projects/whole_body/humanoid_balance.cnoid"
for part in reading MuJoCo controller 'its QP' friction 'writing series' report sum; do
    says out "humanoid_balance: csv, report  $part "
done
says out 'humanoid_balance: npz          writing series '
! grep -q 'none  *writing series\|npz  *report' out || fail 'times of what was not asked for'
[ -z "$(ls -A temporary)" ] || fail 'the runs are left behind'

# the controller with and without its table, and projects that have none to compare
run 0 bench --quick --part controller "$sources/sample_projects/arm7/arm7.cnoid" "$humanoid"
silent err
grep -q '^arm7  *7 ' out || fail 'no row for arm7'
grep -q '^humanoid_standing  *53 ' out || fail 'no row for the humanoid'
refuses 1 'the part controller needs one controller, not 0' \
    bench --quick --part controller "$sources/sample_projects/brakes/brakes.cnoid"

# another controller is timed as it is
run 0 bench --quick --part controller "$sources/sample_projects/whole_body/humanoid_balance.cnoid"
silent err
grep -Eq '^humanoid_balance  *53 +[0-9.]+ +nan +[0-9.]+ ' out || fail 'no row for the whole body'

# the solver on a humanoid's programs, and a project that has no humanoid
run 0 bench --quick --part qp "$humanoid"
silent err
[ "$(grep -Ec '^ *73 +120 +(standing|squat|push) +(cold|warm) ' out)" -eq 6 ] ||
    fail 'not six rows of 73 variables'
[ "$(grep -Ec '^ *91 +156 +(standing|squat|push) +(cold|warm) ' out)" -eq 6 ] ||
    fail 'not six rows of 91 variables'
refuses 1 'no body floats and has the links RAR and LAR' \
    bench --quick --part qp "$sources/sample_projects/arm7/arm7.cnoid"

# every row of the laws, with its time and its ratios; E is 1 E, the table 1 table; what is aimed at
# is for those who ask
run 0 bench --quick --part laws
silent err
head -n 1 out >columns
says columns 'best (E)'
! grep -Eq 'must|stretch|holds' out || fail 'targets that nobody asked for'
while read -r row; do
    grep -q "^$row  " out || fail "part laws lacks: $row"
done <<'END'
batch, Stribeck exact
batch, own constants, Stribeck
batch, 10 x last cache, Stribeck
batch, rational
batch, Coulomb-viscous
12 joints, stiction_step
one joint, Stribeck
one joint, rational
one joint, Coulomb-viscous
E: exp, libm
batch, table of 4096 entries
W0, Boost
W0, GSL
Phi_Z, printed, Boost
Phi_Z, printed, GSL
Phi_Z, printed, Halley's method
copy of the bytes of a batch
copy of 10 x last cache
two threads, times one
mixed laws, over the weighted sum
error, relative
END
run 0 bench --quick --part laws --targets
head -n 1 out | grep -Eq ' must +stretch +holds$' || fail '--targets adds no columns'
grep '^batch, Stribeck exact  ' out | grep -Eq '0.52 E, 2 tables +0.45 E, 1.75 tables +(no|must|stretch) *$' ||
    fail 'the bars of the first row'
# no time: the error is the same on every machine
grep -q '^error, relative .* 2e-15 *1.2e-15 *stretch' out || fail 'the error of the law'
# the solver by itself: two robots, two elements, moving and stuck
run 0 bench --quick --part implicit --json
silent err
[ "$(grep -c '"motion": "stuck", "slipping": 0,' out)" -eq 4 ] || fail 'what is stuck slips'
[ "$(grep -c '"motion": "moving", "slipping": [1-9]' out)" -eq 4 ] || fail 'what moves does not slip'

run 0 bench --quick --part laws --json
silent err
grep '"E: exp, libm"' out | grep -q '"exps": 1, ' || fail 'E is not 1 E'
grep '"batch, table of 4096 entries"' out | grep -q '"tables": 1, ' || fail 'the table is not 1 table'
[ "$(grep -c '"best_ns": 0,' out)" -eq 0 ] || fail 'a step takes no time'
! grep -q '"must"' out || fail 'the JSON has targets that nobody asked for'

# from 1 to 10^6 joints on one and two threads, and the picture
run 0 bench --quick --part size --plot speed.svg
silent err
for threads in 1 2; do
    for joints in 1 10 1000 1000000; do
        grep -Eq "^ *$joints +$threads " out || fail "part size lacks $joints joints, $threads threads"
    done
done
says speed.svg '2 threads'
says speed.svg '>1e+06<'
if command -v xmllint >/dev/null; then xmllint --noout speed.svg || fail 'the SVG is none'; fi
refuses 2 '--plot is for the part size' bench --quick --part laws --plot speed.svg
refuses 2 "--plot '-': the tables are on stdout" bench --quick --part size --plot -
run 1 bench --quick --part size --plot absent/speed.svg
says err 'absent/speed.svg: No such file or directory'

run 0 bench --quick --part fleet
silent err
for row in '4096 robots of 37 joints at 1 kHz, 1 thread' 'configuration of 1000 joints' \
    'memory of a batch, constants shared' 'memory of a state'; do
    says out "$row"
done

# sweeps: a row for figures and for series, each by processes that stay and by one a run
run 0 bench --quick --part sweep "$sources/sample_projects/wrist/wrist.cnoid"
silent err
head -n 1 out >columns
says columns 'runs a second'
says columns 'times faster'
for kept in figures series 'figures, a process a run' 'series, a process a run'; do
    grep -Eq "^ +4  $kept +[0-9.]+ " out || fail "no row for $kept"
done
refuses 2 '--runs is for the part sweep' bench --part laws --runs 5
refuses 1 'bench: stiction sweep failed' \
    bench --quick --part sweep "$sources/sample_projects/brakes/brakes.cnoid"

# without a project all parts run that need none
run 0 bench --quick --json
silent err
[ "$(grep -oE '"(laws|size|fleet|engine|instructions)": \[' out | tr -d '\n')" = \
    '"laws": ["size": ["fleet": [' ] || fail 'not the three parts that need no project'
if command -v python3 >/dev/null; then
    python3 -m json.tool out >/dev/null || fail 'the JSON is none'
fi

# instructions repeat exactly; a sanitized program does not run under valgrind
if command -v valgrind >/dev/null && ! nm "$STICTION" 2>/dev/null | grep -q __asan_init; then
    run 0 bench --instructions
    silent err
    cp out counted
    run 0 bench --instructions
    cmp -s out counted || fail 'the instructions differ from run to run'
    for law in stribeck rational coulomb; do
        grep -Eq "^$law +slides +[1-9][0-9]+ +[1-9][0-9]+$" out || fail "no instructions of $law"
    done
fi
PATH=/nowhere "$STICTION" bench --instructions >out 2>err && fail 'it counts without valgrind'
silent out
says err '--instructions needs valgrind, which is not there'

refuses 2 'part engine needs a project' bench --part engine
refuses 2 "there is no part 'engin'; the nearest is 'engine'" bench --part engin "$humanoid"
refuses 2 "--repeat '0' is not a whole number from 1" bench --repeat 0 "$humanoid"
refuses 1 'absent.cnoid: there is no such file' bench --quick --part engine absent.cnoid
refuses 1 'absent.cnoid: there is no such file' bench --quick --part engine --json "$humanoid" absent.cnoid
finish
