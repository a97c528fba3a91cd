#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that is truly full: a small one in memory (tmpfs), in a namespace of our own, which goes
# with the test. However much is free, old results stay until new ones are whole, the sentence says
# why, and with room the same command comes to the end.
# usage: full_disk.sh STICTION
if [ -z "${FULL_DISK:-}" ]; then
    own= # as root, or as root of a namespace
    for how in --mount '--map-root-user --user --mount'; do
        # shellcheck disable=SC2086
        [ -n "$own" ] || ! unshare $how mount -t tmpfs -o size=64k none /tmp 2>/dev/null || own=$how
    done
    [ -n "$own" ] || {
        echo 'skipped: neither root nor a user namespace may mount a small tmpfs here'
        exit 77
    }
    # shellcheck disable=SC2086
    FULL_DISK=1 exec unshare $own sh "$0" "$@"
fi
. "$(dirname "$0")/../command/lib.sh"
export LC_ALL=C
wrist=$sources/sample_projects/wrist/wrist.cnoid

# disk SIZE: an empty one of so many KiB at ./disk
disk() {
    umount disk 2>/dev/null
    mkdir -p disk && mount -t tmpfs -o "size=${1}k" none disk || fail 'cannot mount a disk'
}
# leave KIB: all but so much is taken
leave() {
    rm -f disk/filler
    free=$(df -k --output=avail disk | tail -n 1)
    head -c "$(((free - $1) * 1024))" /dev/zero >disk/filler
}
# tells OUT ERR: one of them says why
tells() {
    grep -q 'No space left on device' "$1" "$2" || { fail "it does not say why"; cat "$1" "$2"; }
}

# ---- run --force ----
run 0 run "$wrist" --no-report --set duration=0.05 --out new
disk 512
run 0 run "$wrist" --no-report --set duration=0.05 --set controller.kp=20 --out disk/out
cp -r disk/out old
refused=0 done=0
for free in 0 4 8 12 16 20 24 28 32 36 40 48 64 128; do
    leave "$free"
    "$STICTION" run "$wrist" --no-report --set duration=0.05 --out disk/out --force >out 2>err
    code=$?
    whole disk/out/wrist
    case $code in
    0)
        done=$((done + 1))
        cmp -s disk/out/wrist/joints.csv new/wrist/joints.csv || fail "$free KiB: not the new results"
        rm -rf disk/out
        cp -r old disk/out
        ;;
    1)
        refused=$((refused + 1))
        tells out err
        cmp -s disk/out/wrist/joints.csv old/wrist/joints.csv || fail "$free KiB: the old results are lost"
        ;;
    *) fail "$free KiB: exit code $code" ;;
    esac
    [ -z "$(find disk/out -name '.*')" ] || fail "$free KiB: something is left"
done
[ "$refused" -gt 0 ] && [ "$done" -gt 0 ] || fail "run: $refused refused, $done done"
printf 'run --force: %s refused, %s done\n' "$refused" "$done"

# ---- sweep ----
cat >sweep.yaml <<END2
sweep: 1
projects: ["$wrist"]
set:
  duration: 0.05
  controller.kp: [20, 50]
END2
run 0 sweep sweep.yaml --out whole --no-reports
refused=0 done=0
for free in 0 4 12 24 40 60 80 100 140 180 240 320; do
    disk 512
    leave "$free"
    "$STICTION" sweep sweep.yaml --out disk/out --no-reports --jobs 1 >out 2>err
    code=$?
    for folder in disk/out/runs/[0-9]*; do [ ! -d "$folder" ] || whole "$folder"; done
    case $code in
    0) done=$((done + 1)) ;;
    1)
        refused=$((refused + 1))
        tells out err
        rm disk/filler
        run 0 sweep sweep.yaml --out disk/out --no-reports --retry
        ;;
    *) fail "$free KiB: exit code $code" ;;
    esac
    cmp -s disk/out/sweep.csv whole/sweep.csv || fail "$free KiB: not the whole sweep"
    [ -z "$(find disk/out/ -name '.*' ! -name .lock)" ] || fail "$free KiB: something is left"
done
[ "$refused" -gt 0 ] && [ "$done" -gt 0 ] || fail "sweep: $refused refused, $done done"
printf 'sweep: %s refused, %s done\n' "$refused" "$done"
umount disk
finish
