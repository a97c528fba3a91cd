#!/bin/sh
# SPDX-License-Identifier: MIT
# Results are never lost and never mixed: old ones stay until new ones are complete.
# tests/tools/test_place.c has what a killed run leaves, and tests/faults every failing call.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid
# short RUN...: half a second of the wrist
short() { run "$1" run "$wrist" --no-report --set duration=0.5 "$2" "$3" "$4"; }
no_scratch() { [ -z "$(find "$1" -maxdepth 1 -name '.*' ! -name "$(basename "$1")")" ] || fail "$1 has a scratch folder"; }
tree() { (cd "$1" && find . -mindepth 1 -printf '%P %y %s %l\n' | sort; find . -type f -exec sha256sum {} + | sort); }
# stays FOLDER: it is as tree left it in ./before
stays() { tree "$1" | cmp -s - before || { fail "$1 was changed"; tree "$1" | diff before -; }; }

# ---- whatever is in the folder is a refusal ----
for entry in joints.csv report.html summary.json notes.txt .hidden video SHA256SUMS link folder; do
    rm -rf own
    mkdir -p own/wrist
    case $entry in
    video | folder) mkdir own/wrist/$entry && echo mine >own/wrist/$entry/clip.mp4 ;;
    link) ln -s /nowhere own/wrist/link ;;
    *) echo mine >own/wrist/$entry ;;
    esac
    tree own >before
    refuses 1 "own/wrist has '$entry' in it" run "$wrist" --out own
    stays own
    case $entry in notes.txt | .hidden | link | folder) ;;
    *) # not listed as ours, so not ours, with --force, too
        refuses 1 "own/wrist has '$entry' in it, which is not listed as written by stiction" \
            run "$wrist" --out own --force
        stays own
        ;;
    esac
done
mkdir -p empty/wrist
run 0 run "$wrist" --out empty --no-report --set duration=0.1
whole empty/wrist

# ---- settings that have no effect together are refused ----
refuses 2 '--set friction=none: laws and values of joints that are set have no effect with it' \
    run "$wrist" --out idle --no-report --set duration=0.01 --set friction=none --set law=coulomb
refuses 2 '--set element=rigid has no effect with coupling=explicit' \
    run "$wrist" --out idle --no-report --set duration=0.01 --set coupling=explicit --set element=rigid

# ---- a refused run leaves no files ----
refuses 1 'is shorter than a time step' run "$wrist" --out a/b/c --set timestep=10 --set duration=2
refuses 1 'is shorter than a time step' run "$wrist" --out a/b/c --duration 0.0005
refuses 1 'is shorter than a time step' run "$sources/sample_projects/arm7/arm7.body" --out a/b/c \
    --timestep 10 --duration 2
echo 'no project' >bad.cnoid
run 1 run bad.cnoid --out a/b/c
[ ! -e a ] || fail 'a refused project leaves a folder'

# ---- results are listed, and files of others stay among them ----
run 0 run "$wrist" --out kept --set duration=0.5
whole kept/wrist
for file in joints.csv summary.json report.html; do says kept/wrist/SHA256SUMS "  $file"; done
[ "$(wc -l <kept/wrist/SHA256SUMS)" -eq "$(ls kept/wrist | wc -l)" ] || fail 'the list is not complete'
echo mine >kept/wrist/notes.txt
mkdir kept/wrist/own
echo mine >kept/wrist/own/.deep
ln -s /nowhere kept/wrist/link
short 0 --out kept --force
whole kept/wrist
is kept/wrist/notes.txt mine
is kept/wrist/own/.deep mine
[ "$(readlink kept/wrist/link)" = /nowhere ] || fail 'a link of others is lost'
[ ! -e kept/wrist/report.html ] || fail 'a report of older results is left'
no_scratch kept
# a foreign folder without write permission stays and does not prevent a run
if [ "$(id -u)" -eq 0 ]; then
    # who may not add to the counts of tools/coverage.py
    nobody() { GCOV_PREFIX=$PWD/counts setpriv --reuid=65534 --clear-groups "$@"; }
    chmod 755 .
    mkdir -m 777 shut counts
else
    nobody() { "$@"; }
    mkdir shut
fi
for duration in 0.05 0.06 0.07; do
    nobody "$STICTION" run "$wrist" --out shut --no-report --force --set duration=$duration >out 2>err ||
        fail 'a folder that nobody may write into is in the way'
    silent err
    [ -e shut/wrist/own ] || nobody sh -c 'mkdir shut/wrist/own && echo mine >shut/wrist/own/file && chmod 555 shut/wrist/own'
    is shut/wrist/own/file mine
    [ "$(stat -c %a shut/wrist/own)" = 555 ] || fail 'the mode of a folder of others is lost'
    no_scratch shut
done
nobody chmod 755 shut/wrist/own

# ---- a refused project, a full disk, any failure leaves old results ----
rm -rf old
run 0 run "$wrist" --out old --set duration=0.5
echo mine >old/wrist/notes.txt
tree old >before
run 1 run "$wrist" --out old --force --set joints.RWRR.static_torque=0.1
stays old
# blocks of 512 bytes: neither joints.csv fits, nor the page with its plots
for blocks in 1 4 40 400; do
    (
        limit_files $blocks
        exec "$STICTION" run "$wrist" --out old --force --set duration=1
    ) >out 2>err
    [ $? -eq 1 ] || fail "no exit code 1 with $blocks blocks"
    says err 'File too large'
    stays old
done
# incomplete results do not replace complete ones, only incomplete ones
arm=$sources/sample_projects/arm7/arm7.cnoid
diverges() { run 1 run "$arm" --out "$1" --no-report --set duration=1 --set gravity=1e30 --force; }
run 0 run "$arm" --out cut --no-report --set duration=0.05
tree cut >before
diverges cut
says err 'cut/arm7 keeps the complete results that it had; the results of this run'
stays cut
"$STICTION" run "$wrist" --out old --no-report --force --set duration=100000 --interval 10 >out 2>err &
long=$!
until [ -e old/.wrist.part/new ]; do sleep 0.02; done
kill -TERM $long
wait $long
says old/wrist/summary.json '"complete": true'
says err 'stopped; nothing of it was written'
diverges diverged
diverges diverged
says diverged/arm7/summary.json '"complete": false'
whole diverged/arm7
# without earlier results, complete results without a page are kept
(
    limit_files 400
    exec "$STICTION" run "$wrist" --out fresh --set duration=1
) >out 2>err
[ $? -eq 1 ] || fail 'a page that is not written has exit code 0'
whole fresh/wrist
[ ! -e fresh/wrist/report.html ] || fail 'there is half a page'
no_scratch fresh
(
    limit_files 40
    exec "$STICTION" run "$wrist" --out none/at/all --set duration=1
) >out 2>err
[ ! -e none ] || fail 'a full disk leaves half a folder'

# ---- two at once ----
"$STICTION" run "$wrist" --out once --set duration=100000 --interval 10 --no-report >long.out 2>long.err &
long=$!
until [ -e once/.wrist.part/lock ]; do sleep 0.02; done
refuses 1 'another process writes into once/wrist at this moment' run "$wrist" --out once
refuses 1 'another process writes into once/wrist at this moment' run "$wrist" --out once --force
# the end of the terminal is an interrupt
kill -HUP $long
wait $long
[ $? -eq 1 ] || fail 'a run that was hung up has exit code 0'
says once/wrist/summary.json '"complete": false'
says long.err 'stopped; what was computed so far is in once'
whole once/wrist
no_scratch once
# unless nohup(1) ignores the signal; its output is not read
mkfifo gone
cat gone >/dev/null &
reader=$!
(
    trap '' HUP
    exec "$STICTION" run "$wrist" --out on --set duration=200 --no-report
) >gone 2>&1 &
long=$!
until [ -e on/.wrist.part/lock ] || [ -e on/wrist ]; do sleep 0.02; done
kill "$reader"
kill -HUP $long
wait $long
says on/wrist/summary.json '"complete": true'

# ---- pages ----
coulomb=$sources/sample_projects/wrist/wrist_coulomb.cnoid
mkdir pages
echo mine >pages/index.html
refuses 1 'pages/index.html exists and is not listed as written by stiction' \
    run "$wrist" "$coulomb" --out pages --set duration=0.1
[ "$(ls pages)" = index.html ] || fail 'a refused run wrote something'
rm pages/index.html
run 0 run "$wrist" "$coulomb" --out pages --set duration=0.1
whole pages pages/wrist pages/wrist_coulomb
run 0 run "$wrist" "$coulomb" --out pages --set duration=0.1 --force
whole pages
# one that was changed since is yours, until --force is given
echo mine >>pages/index.html
rm -r pages/wrist pages/wrist_coulomb
refuses 1 'pages/index.html was changed since stiction wrote it' run "$wrist" "$coulomb" --out pages
run 0 run "$wrist" "$coulomb" --out pages --set duration=0.1 --force
whole pages
echo mine >>pages/wrist/report.html
refuses 1 'pages/wrist/report.html was changed since stiction wrote it' report pages/wrist
says pages/wrist/report.html mine
run 0 report pages/wrist --force
whole pages/wrist
run 0 run "$wrist" --out alone --set duration=0.1
(
    limit_files 100
    exec "$STICTION" report alone/wrist
) >out 2>err
[ $? -eq 1 ] || fail 'a report that is not written has exit code 0'
whole alone/wrist
no_scratch alone
sed -i 's/"stable": true/"stable": false/' alone/wrist/summary.json
refuses 1 'alone/wrist/summary.json was changed after the run' report alone/wrist
# ---- a disk that has no room for the page: it is not announced ----
(
    trap '' XFSZ
    ulimit -f 200
    "$STICTION" run "$sources/sample_projects/wrist/wrist.cnoid" --out full --series none >out 2>err
)
[ -e full/wrist/report.html ] && fail 'the page found room'
grep -q '^report:' out && fail 'a page that is not there is announced'
[ -s err ] || fail 'nothing is said of the page'

finish
