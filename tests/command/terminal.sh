#!/bin/sh
# SPDX-License-Identifier: MIT
# On a terminal nothing is wider than it, so that a plot is not torn and a line of progress
# overwrites itself, also after the terminal was made narrower.
. "$(dirname "$0")/lib.sh"
export STICTION

# on_terminal COLUMNS COMMAND: what a terminal of so many columns gets to see, in ./seen: a line for
# every line, and for every time that one begins anew. A byte a character, without colours.
on_terminal() {
    script -qec "stty cols $1 rows 24; $2" /dev/null </dev/null >raw
    LC_ALL=C sed -e 's/\x1b\[[0-9;]*[mK]//g' -e 's/[\x80-\xBF]//g' raw |
        LC_ALL=C tr '\r' '\n' >seen
}
# fits COLUMNS: nothing that was seen is wider
fits() {
    LC_ALL=C awk -v columns="$1" 'length > columns' seen >wide
    [ ! -s wide ] || fail "wider than $1 columns: $(head -n 2 wide)"
}

for columns in 40 80 200; do
    on_terminal $columns '"$STICTION" curve robot.yaml RWRR --implicit --timestep 0.001'
    fits $columns
    [ "$(grep -c . seen)" -le 24 ] || fail "the plot floods a terminal of $columns columns"
    # nothing of the law is lost where there is room for another line
    for part in 'RWRR: stribeck' 'F_S 2.5' 'alpha 1' 'Z 0.0181818'; do says seen "$part"; done
done
# without room each curve keeps one line
on_terminal 40 '"$STICTION" curve robot.yaml RWRR LWRP RWRP LWRY RWRY LUGRE'
fits 40
[ "$(grep -c '^[a-f] ' seen)" -eq 6 ] || fail 'not one line a curve'

# tables leave out columns at the right, and say which
wrist="$sources/sample_projects/wrist/wrist.cnoid"
export wrist sources
for columns in 40 80; do
    on_terminal $columns '"$STICTION" run "$wrist" --set duration=0.1 --no-report --force 2>/dev/null'
    fits $columns
    says seen '(left out:'
    # the most interesting columns stay
    head -n 1 seen | grep -q 'error (deg)' || fail "no error on $columns columns"
    on_terminal $columns '"$STICTION" reproduce --list'
    sed -i '1,/^$/!d' seen # the legend of the papers is prose
    fits $columns
    on_terminal $columns '"$STICTION" check robot.yaml --timestep 0.001'
    sed -i 1d seen # so is the headline
    fits $columns
done
on_terminal 200 '"$STICTION" run "$wrist" --set duration=0.1 --no-report --force 2>/dev/null'
grep -q 'left out' seen && fail 'columns are left out of a wide terminal'

# a run that is over at once, and one that takes for ever: there is a line of progress, which is
# looked at until it was there three times more
cat >long.yaml <<END
sweep: 1
projects: ["$sources/sample_projects/wrist/wrist.cnoid"]
interval: 1
set: { duration: [0.01, 1e6] }
END
cat >more <<'END'
lines() { LC_ALL=C tr '\r' '\n' <raw | grep -ac "^sweep.*$1"; }
enough=$(($(lines "$2") + 3))
while kill -0 "$1" && [ "$(lines "$2")" -lt $enough ]; do sleep 0.05; done
END
sweep='"$STICTION" sweep long.yaml --jobs 1 --no-reports --force --out swept >table & sh more $! "50 %"'
end='; kill -TERM $!; wait $!'
for columns in 40 80; do
    on_terminal $columns "$sweep $end"
    sed -i '/: stopped;/d' seen # a sentence may take two lines
    fits $((columns - 1))
    [ "$(grep -ac '^sweep.*%' seen)" -gt 1 ] || fail "no progress on $columns columns"
    # a line of the terminal that ends would stay on the screen
    [ "$(grep -ac 'sweep.*%' raw)" -eq 1 ] || fail "progress on $columns columns takes several lines"
done
grep -aq '^sweep \[##* *\]  50 %, .*1 of 2 done, 0 failed' seen || fail 'no bar on 80 columns'

# made narrower in the middle of it: what comes afterwards fits
on_terminal 80 "$sweep; stty cols 40 </dev/tty; sh more \$! '50 %' $end"
grep -a '^sweep.*%' seen | LC_ALL=C awk 'length > 39 { wide = NR } length <= 39 { narrow = NR }
    END { exit !(wide && narrow > wide) }' || fail 'the line does not follow the width'
finish
