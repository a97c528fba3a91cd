# SPDX-License-Identifier: MIT
# A run without friction never looks like one with it: a misspelt item ends it, one that is missing or
# off is reported on stderr, in the table and in summary.json.
. "$(dirname "$0")/lib.sh"
SECONDS_=0.1
# has_none REASON PROJECT
has_none() {
    CNOID_PLUGIN_PATH=$PLUGINS XDG_RUNTIME_DIR=$work LANG=C STICTION_CHOREONOID=$CHOREONOID \
        "$STICTION" run --engine choreonoid --force --no-report --out "$work/results" "$2" \
        >"$work/out" 2>"$work/log" || fail "exit code $?"
    says "warning: no joint has friction: $1"
    for file in "$work/out" "$work/results/$(basename "$2" .cnoid)/summary.json"; do
        grep -qF "no joint has friction: $1" "$file" || fail "$file lacks: $1"
    done
}

project "$work/whole.cnoid"
choreonoid "$work/whole" "$work/whole.cnoid" || fail "exit code $?"
grep -qF '"warnings": []' "$work/whole/Simulator/summary.json" || fail "a warning of nothing"

sed 's/StictionItem/StictionIten/' "$work/whole.cnoid" >"$work/misspelt.cnoid"
if choreonoid "$work/misspelt" "$work/misspelt.cnoid"; then fail "a misspelt item was passed over"; fi
says "'Stiction' below a simulator is of an unknown class, StictionIten; the nearest is StictionItem"
[ ! -e "$work/misspelt/Simulator/summary.json" ] || fail "it ran without its item"

sed 's/record: true/coupling: implicid/' "$work/whole.cnoid" >"$work/implicid.cnoid"
if choreonoid "$work/implicid" "$work/implicid.cnoid"; then fail "a coupling was passed over"; fi
says "There is no coupling 'implicid'."
says "StictionItem 'Stiction' below a simulator was not restored, see above"

sed 's/enabled: true/enabled: false/' "$work/whole.cnoid" >"$work/off.cnoid"
has_none "the StictionItem 'Stiction' is not enabled" "$work/off.cnoid"
sed 's/configuration_file: "[^"]*",//' "$work/whole.cnoid" >"$work/empty.cnoid"
has_none "the StictionItem 'Stiction' has no configuration file" "$work/empty.cnoid"
sed 's/record: true/law: none/' "$work/whole.cnoid" >"$work/lawless.cnoid"
has_none "the law of every joint is none" "$work/lawless.cnoid"
CONFIG=none
project "$work/none.cnoid"
has_none "the simulator 'Simulator' has no StictionItem" "$work/none.cnoid"

# a file that is given is for a simulator without an item, too
(
    export STICTION_CONFIGURATION=$SOURCES/config/wrist.yaml STICTION_OVERRIDE=joints.RWRR.viscous=5
    choreonoid "$work/given" "$work/none.cnoid"
) || fail "exit code $?"
grep -q '"viscous": 5' "$work/given/Simulator/summary.json" || fail "the given file has no effect"
grep -qF '"warnings": []' "$work/given/Simulator/summary.json" || fail "a warning of nothing"

# neither a body nor a controller that Choreonoid left out is passed over; a view may be
sed 's/file: ".*body"/file: "nowhere.body"/' "$work/whole.cnoid" >"$work/bodiless.cnoid"
if choreonoid "$work/bodiless" "$work/bodiless.cnoid"; then fail "a lost body was passed over"; fi
says "BodyItem 'Robot' was not restored, see above"
sed 's/SimpleControllerItem/SimpleControllerIten/' "$work/whole.cnoid" >"$work/idle.cnoid"
if choreonoid "$work/idle" "$work/idle.cnoid"; then fail "a lost controller was passed over"; fi
says "SimpleControllerIten 'Controller' was not restored, see above"
{
    cat "$work/whole.cnoid"
    printf 'views:\n  - { id: 1, name: Nowhere, plugin: Nowhere, class: NowhereView, mounted: true }\n'
} >"$work/viewless.cnoid"
choreonoid "$work/viewless" "$work/viewless.cnoid" || fail "a lost view ends the run: $?"
grep -q '"Choreonoid says: .*Nowhere' "$work/viewless/Simulator/summary.json" ||
    fail "what Choreonoid says is not in the warnings"
finish
