# SPDX-License-Identifier: MIT
# Where a configuration says auto, the item takes the coupling that `stiction check` reports, for the
# same robots as the engine (command/coupling.sh).
. "$(dirname "$0")/lib.sh"
. "$SOURCES/tests/coupling_robots.sh"

cd "$work"
make_robots >list
while read -r name coupling; do
    checked=$("$STICTION" check "$name.yaml" --body "$name.body" --json 2>/dev/null || true)
    case $checked in
    *'"taken": "'"$coupling"'"'*) ;;
    *) fail "check of $name is not $coupling" ;;
    esac
    BODY=$work/$name.body CONFIG=$work/$name.yaml POSE='' CONTROLLER=none SECONDS_=0.01 SIMULATOR=AIST
    project "$name.cnoid"
    choreonoid "$work/of_$name" "$name.cnoid" || fail "$name: exit code $?"
    grep -qF '"coupling": "'"$coupling"'"' "$work/of_$name/Simulator/summary.json" || fail "$name is not $coupling"
done <list
finish
