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

# where the time of a run goes, for each choice of files, and nothing is left of it
mkdir temporary
TMPDIR=$PWD/temporary run 0 bench --quick --part run "$sources/sample_projects/whole_body/humanoid_balance.cnoid"
for part in reading MuJoCo controller 'its QP' friction 'writing series' report sum; do
    says out "humanoid_balance: csv, report  $part "
done
says out 'humanoid_balance: npz          writing series '
! grep -q 'none  *writing series\|npz  *report' out || fail 'times of what was not asked for'
[ -z "$(ls -A temporary)" ] || fail 'the runs are left behind'

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
batch, floor of exp2, root and division
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
# bars are in units that every processor has; what is reached stands before them
number='[0-9.e+]+'
while read -r row; do
    name=${row%%|*} bars=${row#*|}
    grep "^$name  " out | grep -Eq "  $bars +(no|must|stretch) *$" || fail "the bars of $name"
done <<END
batch, Stribeck exact|$number T, $number floors +2 T, 1.6 floors +1.(75|5) T, 1.3 floors
batch, 10 x last cache, Stribeck|$number C +2.2 C +1.7 C
batch, rational|$number T +1.25 T +(1|0.8) T
batch, Coulomb-viscous|$number C +1.6 C +1.1 C
12 joints, stiction_step_batch|$number T +3.2 T +2.7 T
12 joints, stiction_step|$number batch calls +1.75 batch calls
END
! grep -q ' E,* .*\(must\|stretch\|no\) *$' out || fail 'a bar in E'
# on what: the same as the system says, with any part laws
for what in processor 'first cache, data' 'second cache' 'last cache' 'instruction set'; do
    grep -Eq "^$what  +[^ ]" out || fail "the machine lacks its $what"
done
chosen=$(sed -n 's/^instruction set  *\([^ ]*\).*/\1/p' out)
case $chosen in baseline | avx2 | avx512) ;; *) fail "no instruction set is called '$chosen'" ;; esac
if [ "$(uname -m)" = x86_64 ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    [ "$chosen" != baseline ] || fail 'the processor has AVX2, and it was not chosen'
fi
for cache in /sys/devices/system/cpu/cpu0/cache/index*; do
    [ "$(cat "$cache/level" 2>/dev/null)" = 2 ] || continue
    kib=$(sed 's/K$//' "$cache/size")
    grep -Eq "^second cache  +($kib KiB|$((kib / 1024)) MiB)\$" out || fail 'not the second cache of this machine'
done
# no time: the error is the same on every machine
grep -q '^error, relative .* 2e-15 *1.2e-15 *stretch' out || fail 'the error of the law'
# Lambert's W by ranges; the errors are no times
run 0 bench --quick --part lambert --targets
silent err
head -n 1 out | grep -Eq ' error \(ulp\) .* must +stretch +holds$' || fail 'columns of the part lambert'
[ "$(grep -Ec '^W0, z ' out)" -eq 11 ] || fail 'not eleven ranges of W0'
[ "$(grep -Ec '^W-1, z ' out)" -eq 7 ] || fail 'not seven ranges of W-1'
run 0 bench --quick --part lambert --json
[ "$(grep -Ec '"error_ulp": 0\.[0-6]' out)" -eq 18 ] || fail 'an error of W above 0.7 ulp'
! grep -q '"must"' out || fail 'the JSON of W has targets that nobody asked for'

# the solver by itself: two robots, two elements, moving and stuck
run 0 bench --quick --part implicit --json
silent err
[ "$(grep -c '"motion": "stuck", "slipping": 0,' out)" -eq 4 ] || fail 'what is stuck slips'
[ "$(grep -c '"motion": "moving", "slipping": [1-9]' out)" -eq 4 ] || fail 'what moves does not slip'

run 0 bench --quick --part laws --json
silent err
grep '"E: exp, libm"' out | grep -q '"exps": 1, ' || fail 'E is not 1 E'
grep '"batch, table of 4096 entries"' out | grep -q '"tables": 1, ' || fail 'the table is not 1 table'
grep '"copy of the bytes of a batch"' out | grep -q '"copies": 1, ' || fail 'the copy is not 1 C'
grep '"batch, floor of exp2' out | grep -q '"floors": 1, ' || fail 'the floor is not 1 floor'
[ "$(grep -c '"best_ns": 0,' out)" -eq 0 ] || fail 'a step takes no time'
! grep -q '"must"' out || fail 'the JSON has targets that nobody asked for'
# whether a bar holds is what figure and bars say, each by itself; the worst of a row counts
run 0 bench --quick --part laws --targets --json
if command -v python3 >/dev/null; then
    python3 - out <<'END' || fail 'a bar is not judged by its figure'
import json, sys
def numbers(text):
    return [float(part.split()[0]) for part in str(text).split(',') if part]
def shown(figure, bar):  # figures are rounded to three digits
    return figure <= bar * 1.005, figure <= bar * 0.995
judged = 0
for row in json.load(open(sys.argv[1]))['laws']:
    if not row['must'] or row['row'].startswith('two threads'):
        continue
    figures, musts, stretches = (numbers(row[key]) for key in ('figure', 'must', 'stretch'))
    stretches += [0] * (len(musts) - len(stretches))
    best = min(2 if shown(f, s)[0] else 1 if shown(f, m)[0] else 0 for f, m, s in zip(figures, musts, stretches))
    worst = min(2 if shown(f, s)[1] else 1 if shown(f, m)[1] else 0 for f, m, s in zip(figures, musts, stretches))
    if not worst <= ['no', 'must', 'stretch'].index(row['holds']) <= best:
        sys.exit(row['row'])
    judged += 1
sys.exit(0 if judged >= 7 else 'only %d bars' % judged)
END
fi

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
refuses 1 'speed.svg is there already; --force replaces it' bench --quick --part size --plot speed.svg
refuses 2 '--force is for --plot' bench --quick --part size --force
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

# without a project all parts run that need none
run 0 bench --quick --json
silent err
[ "$(grep -oE '"(laws|size|fleet|engine|drives)": \[' out | tr -d '\n')" = \
    '"laws": ["size": ["fleet": [' ] || fail 'not the three parts that need no project'
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
