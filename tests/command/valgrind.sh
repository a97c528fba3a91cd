#!/bin/sh
# SPDX-License-Identifier: MIT
# The command under valgrind: it reads and writes nothing that is not its own and frees what it took.
# gnuplot, which it starts, is another's.
. "$(dirname "$0")/lib.sh"
command -v valgrind >/dev/null || {
    echo 'skipped: valgrind is not here (Debian: valgrind)'
    exit 77
}
cat >watched <<END
#!/bin/sh
exec valgrind -q --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \\
    --error-exitcode=99 --trace-children=yes '--trace-children-skip=*gnuplot*' \\
    --log-file="$work/valgrind.%p" "$STICTION" "\$@"
END
chmod +x watched
unwatched=$STICTION
STICTION=$work/watched
wrist=$sources/sample_projects/wrist

run 0 check "$sources/config/hrp5p.yaml"
run 0 init "$wrist/wrist.body" --out made.yaml
run 0 curve "$sources/config/wrist.yaml" RWRR --svg curve.svg
printf 'time,RWRR\n0,0.1\n0.001,0.1\n' >log.csv
run 0 replay "$sources/config/wrist.yaml" log.csv
run 0 new "$wrist/wrist.body" --out project
run 0 run "$wrist/wrist.cnoid" --set duration=0.02 --series both --out runs
run 0 report runs/wrist
printf 'sweep: 1\nprojects: ["%s"]\nset: { duration: [0.01, 0.02] }\n' "$wrist/wrist.cnoid" >two.yaml
# its runs are programs that valgrind cannot find: they are made before
"$unwatched" sweep two.yaml --no-reports --out swept >out 2>err || fail 'the sweep failed'
run 0 sweep two.yaml --no-reports --out swept
run 0 merge swept --out merged
# refusals
printf 'stiction: 1\njoints: { J: { law: stribek, coulomb_torque: -1 } }\n' >wrong.yaml
run 1 check wrong.yaml
run 1 run "$wrist/wrist.cnoid" --config wrong.yaml --out refused
run 1 sweep wrong.yaml --out refused

find . -maxdepth 1 -name 'valgrind.*' -size +0 -exec cat {} + >found
silent found
finish
