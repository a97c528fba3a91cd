#!/bin/sh
# SPDX-License-Identifier: MIT
# Every allocation (memory) or every write (writes) of a verb failing in turn: once, and with all
# after it. Small verbs whole; of large ones the first, and the rest at equal distances.
# usage: faults.sh STICTION FOLDER_OF_PROGRAMS VERB memory|writes     FAULTS_ALL=1: every one
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # where a sync takes no time; it fails as well
. "$(dirname "$0")/../command/lib.sh"
programs=$2 verb=$3 kind=$4
export kind
wrist=$sources/sample_projects/wrist
export LC_ALL=C

# in_turn [OPTIONS] -- COMMAND...: both ways
in_turn() {
    for how in '' --on; do
        # shellcheck disable=SC2086
        "$programs/faults_driver" "$programs/faults_shim.so" "$kind" $how "$@" ||
            fail "$verb: $kind $how"
    done
}
sed '/SOFT/d' robot.yaml >legal.yaml

# A file is as it was, or as it becomes, and there is nothing else beside it.
cat >file.sh <<'END'
# file.sh FILE OLD NEW: as the exit code says
if [ "$CODE" -eq 0 ]; then cmp "$1" "$3"; else
    if [ -e "$2" ]; then cmp "$1" "$2" || cmp "$1" "$3"; else [ ! -e "$1" ] || cmp "$1" "$3"; fi
fi
END
# alone.sh PATTERN...: nothing of these names is there, where it could be removed
cat >alone.sh <<'END'
[ -n "$ON" ] && exit
for name; do [ ! -e "$name" ] || { echo "$name is left"; exit 1; }; done
END
# A folder of results is whole, and the old one or a new one.
cat >folder.sh <<'END'
# folder.sh FOLDER OLD NEW: OLD and NEW are names of folders to compare joints.csv with. Where a
# rename fails and the one back, too, the old results wait beside their place.
waiting=$(dirname "$1")/.$(basename "$1").part/old
[ -d "$1" ] || [ ! -d "$waiting" ] || set -- "$waiting" "$2" "$3"
[ -d "$1" ] || { [ "$CODE" -ne 0 ] && [ ! -e "$2" ]; exit; }
(cd "$1" && sha256sum --quiet -c SHA256SUMS) || exit 1
[ "$CODE" -eq 0 ] && { cmp "$1/joints.csv" "$3/joints.csv"; exit; }
[ -e "$2" ] && cmp -s "$1/joints.csv" "$2/joints.csv" || cmp "$1/joints.csv" "$3/joints.csv"
END

case $verb in
check)
    in_turn --first 150 --then 60 -- "$STICTION" check legal.yaml
    in_turn --first 100 --then 60 -- "$STICTION" check legal.yaml --json
    [ "$kind" = writes ] || in_turn --first 40 --then 60 -- \
        "$STICTION" check "$wrist/wrist_coulomb.yaml" --body "$wrist/wrist.body"
    ;;
curve)
    in_turn --first 100 --then 60 -- "$STICTION" curve robot.yaml RWRR
    run 0 curve robot.yaml RWRR --svg new.svg
    # who ends for want of memory leaves what is half done under another name
    in_turn --first 20 --then 80 --prepare 'rm -f c.svg .c.svg.part' \
        --check 'sh file.sh c.svg none new.svg && { [ "$kind" = memory ] || sh alone.sh .c*; }' -- \
        "$STICTION" curve robot.yaml RWRR --svg c.svg
    ;;
replay)
    printf 'time,RWRR,LWRP.velocity\n0,0.1,0\n0.001,0.2,nan\n0.002,0.1,0.3\n' >log.csv
    in_turn -- "$STICTION" replay robot.yaml log.csv
    ;;
edit)
    cp robot.yaml before.yaml
    cp robot.yaml after.yaml
    "$programs/faults_edit" after.yaml joints.RWRR.static_torque 2.75 || fail edit
    in_turn --first 100 --then 80 --prepare 'cp before.yaml robot.yaml' \
        --check 'sh file.sh robot.yaml before.yaml after.yaml && sh alone.sh robot.yaml.*' -- \
        "$programs/faults_edit" robot.yaml joints.RWRR.static_torque 2.75
    ;;
init)
    run 0 init "$wrist/wrist.body" --out new.yaml
    echo 'stiction: 1' >old.yaml
    in_turn --first 100 --then 80 --prepare 'rm -f w.yaml' \
        --check 'sh file.sh w.yaml none new.yaml && sh alone.sh .w* w.yaml.*' -- \
        "$STICTION" init "$wrist/wrist.body" --out w.yaml
    in_turn --first 20 --then 50 --prepare 'cp old.yaml w.yaml' \
        --check 'sh file.sh w.yaml old.yaml new.yaml && sh alone.sh .w* w.yaml.*' -- \
        "$STICTION" init "$wrist/wrist.body" --out w.yaml --force
    ;;
new)
    run 0 new "$sources/tests/robots/arm.urdf" --out whole
    in_turn --first 60 --then 60 --prepare 'rm -rf arm' \
        --check '[ "$CODE" -eq 0 ] || [ "$ON$kind" = 1writes ] || [ ! -e arm ] || [ "$(ls -A arm)" = "$(ls -A whole)" ] || { ls -lA arm; false; }' -- \
        "$STICTION" new "$sources/tests/robots/arm.urdf" --out arm
    ;;
run)
    set -- run "$wrist/wrist.cnoid" --set duration=0.05 --series both
    run 0 "$@" --out new --no-report
    run 0 "$@" --out old --no-report --set controller.kp=20
    mkdir mine
    cp -r old mine/old
    in_turn --first 60 --then 60 --prepare 'rm -rf out .out.part' \
        --check 'sh folder.sh out/wrist none new/wrist' -- \
        "$STICTION" "$@" --out out --no-report
    in_turn --first 0 --then 60 --prepare 'rm -rf out .out.part; cp -r old out' \
        --check 'sh folder.sh out/wrist old/wrist new/wrist' -- \
        "$STICTION" "$@" --out out --no-report --force
    ;;
report)
    run 0 run "$wrist/wrist.cnoid" --set duration=0.05 --series npz --out old --no-report
    # gnuplot is not ours to test, and slow
    PATH=/nowhere in_turn --first 40 --then 40 \
        --prepare "PATH='$PATH'; rm -rf out; cp -r old out" \
        --check "PATH='$PATH'; cd out/wrist && sha256sum --quiet -c SHA256SUMS" -- \
        "$STICTION" report out/wrist
    ;;
sweep | figures | merge)
    cat >sweep.yaml <<END
sweep: 1
projects: ["$wrist/wrist.cnoid"]
set:
  duration: 0.02
  controller.kp: [20, 50]
END
    run 0 sweep sweep.yaml --out whole --no-reports
    cat >sweep.sh <<'END'
# sweep.sh: what is complete is whole; the same command goes on, and comes to the whole
for run in out/runs/[0-9]*; do
    [ ! -d "$run" ] || (cd "$run" && sha256sum --quiet -c SHA256SUMS) || exit 1
done
[ "$CODE" -eq 0 ] || "$@" >again 2>&1 || { cat again; exit 1; }
cmp out/sweep.csv whole/sweep.csv
END
    ;;
esac
case $verb in
sweep)
    in_turn --first 5 --then 25 --writes 28 --prepare 'rm -rf out .out.part' \
        --check "sh sweep.sh '$STICTION' sweep sweep.yaml --out out --no-reports --retry" -- \
        "$STICTION" sweep sweep.yaml --out out --no-reports --jobs 1
    ;;
figures)
    in_turn --first 2 --then 10 --writes 20 --prepare 'rm -rf out .out.part' \
        --check "sh sweep.sh '$STICTION' sweep sweep.yaml --out out --figures-only --retry" -- \
        "$STICTION" sweep sweep.yaml --out out --figures-only --jobs 1
    ;;
merge)
    run 0 sweep sweep.yaml --shard 1/2 --out one --no-reports
    run 0 sweep sweep.yaml --shard 2/2 --out two --no-reports
    in_turn --first 20 --then 60 --writes 60 --prepare 'rm -rf out .out.part' \
        --check "sh sweep.sh '$STICTION' merge one two --out out" -- \
        "$STICTION" merge one two --out out
    ;;
esac
finish
