#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs that share a process are those of `stiction run`, to the bit and to the word, whatever ran
# before them in it.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # where a sync takes no time
. "$(dirname "$0")/lib.sh"
folder=$sources/sample_projects/wrist

# what enters the model beside what does not, the fastest last, so that friction of MuJoCo's own,
# which changes the model, alternates with ours; two projects
{
    printf 'sweep: 1\nprojects: ["%s", "%s"]\n' "$folder/wrist.cnoid" "$folder/wrist_rational.cnoid"
    printf 'set:\n  duration: 0.03\n  timestep: [0.001, 0.002]\n  gravity: [9.8, "1,0,-5"]\n'
    printf '  friction: [frictionloss, stiction, none]\n'
} >mixed.yaml
run 0 sweep mixed.yaml --out mixed --no-reports --jobs 1
number=0
for project in wrist wrist_rational; do
    for timestep in 0.001 0.002; do
        for gravity in 9.8 1,0,-5; do
            for friction in frictionloss stiction none; do
                number=$((number + 1))
                run 0 run "$folder/$project.cnoid" --set duration=0.03 --set timestep=$timestep \
                    --set gravity=$gravity --set friction=$friction --force --no-report --out single
                of=$(echo mixed/runs/$(printf %04d $number)-*)
                for file in summary.json joints.csv; do
                    cmp "$of/$file" "single/$project/$file" || fail "run $number: $file"
                done
                if [ -e "$of/messages.txt" ]; then
                    cmp "$of/messages.txt" err || fail "run $number says something else"
                else
                    silent err
                fi
            done
        done
    done
done
[ $number -eq 24 ] || fail "$number runs"

# a run that diverges, or cannot begin, leaves nothing to the next in its process
{
    printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.03\n' "$folder/wrist.cnoid"
    printf '  controller.kp: [20, 50]\n  joints.*.static_torque: [2.5, 0.1]\n  push:\n'
    printf '    - "link=RWRR force=%s point=0.1,0.2,-0.3 time=0.01 duration=1"\n' 1,0,0 1e16,2e16,4e16
} >some.yaml
run 1 sweep some.yaml --out some --no-reports --jobs 1 --keep-going
says err '6 of 8 runs failed'
number=0
for kp in 20 50; do
    for torque in 2.5 0.1; do
        for force in 1,0,0 1e16,2e16,4e16; do
            number=$((number + 1))
            rm -rf single
            "$STICTION" run "$folder/wrist.cnoid" --set duration=0.03 --set controller.kp=$kp \
                --set "joints.*.static_torque=$torque" --no-report --out single \
                --set "push=link=RWRR force=$force point=0.1,0.2,-0.3 time=0.01 duration=1" >out 2>err
            of=$(echo some/runs/000$number-*)
            [ $torque = 0.1 ] || for file in summary.json joints.csv; do
                cmp "$of/$file" "single/wrist/$file" || fail "run $number of some: $file"
            done
            [ ! -s err ] || cmp "$of/messages.txt" err || fail "run $number of some says something else"
        done
    done
done

# figures alone are the same figures, and nothing else is written
run 0 sweep mixed.yaml --out figures --no-reports --figures-only
cmp mixed/sweep.csv figures/sweep.csv || fail 'figures alone are others'
[ -z "$(ls -A figures/runs 2>/dev/null)" ] || fail 'figures alone have folders'

# also with one process per run, as with a limit of processor time
(
    ulimit -t 100000
    run 0 sweep mixed.yaml --out alone --no-reports --figures-only
    cmp mixed/sweep.csv alone/sweep.csv || fail 'figures of single processes are others'
    finish
) || fail 'a process a run'

# and of laws, configurations, integrators and controllers, against another order of the same runs
keys='integrator|euler, rk4
law|stribeck, coulomb
coupling|explicit, auto
controller.kp|20, 50'
for order in sort 'sort -r'; do
    {
        printf 'sweep: 1\nprojects: ["%s"]\nset:\n  duration: 0.03\n' "$folder/wrist.cnoid"
        printf '%s\n' "$keys" | $order | sed 's/\(.*\)|\(.*\)/  \1: [\2]/'
    } >order.yaml
    run 0 sweep order.yaml --out order --no-reports --jobs 1
    for of in order/runs/*; do # by settings, in the order of one of the two
        name=$(grep -o '"[a-z.]*": "[a-z0-9]*"' "$of/settings.json" | grep -v project | sort | tr -dc 'a-z0-9')
        sed 's/"overrides": \[[^]]*\]//' "$of/joints.csv" >"$(echo "$order" | tr -d ' -')$name.csv"
    done
    rm -r order
done
count=0
for file in sort[!r]*.csv; do
    count=$((count + 1))
    cmp "$file" "sortr${file#sort}" || fail "$file depends on the order"
done
[ $count -eq 16 ] || fail "$count runs in two orders"
finish
