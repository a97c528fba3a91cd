#!/bin/sh
# report: the pages of runs that are there, one alone or several over each other.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid

run 0 run "$wrist" --out a --no-report --set duration=0.1
run 0 run "$wrist" --out b --no-report --set duration=0.1 --set controller.kp=50
[ ! -e a/wrist/report.html ] || fail '--no-report writes a report'

run 0 report a/wrist
is out 'report: a/wrist/report.html'
[ -s a/wrist/report.html ] || fail 'no report of one run'
refuses 2 '--out is for several runs' report a/wrist --out page.html

run 0 report a/wrist b/wrist --out page.html
is out 'report: page.html'
for name in a/wrist b/wrist; do
    says page.html "data-choice=\"RWRR\" data-layer=\"$name\""
    says page.html "<a href=\"$name/report.html#joint=RWRR\">RWRR</a>"
done
says page.html 'controller.kp=50'
run 0 report a/wrist b/wrist
is out 'report: overlay.html'
run 0 report "$PWD/a/wrist" b/wrist --out a/page.html
says a/page.html '<a href="wrist/report.html">'
says a/page.html '<a href="../b/wrist/report.html">'

refuses 2 "report: folder 'a/wrist' is given twice" report a/wrist a/wrist
refuses 2 'there is an argument too many' report 1 2 3 4 5 6 7 8
refuses 1 'absent/summary.json: No such file or directory' report absent
refuses 1 'absent/summary.json: No such file or directory' report a/wrist absent
refuses 1 'absent/page.html: No such file' report a/wrist b/wrist --out absent/page.html
finish
