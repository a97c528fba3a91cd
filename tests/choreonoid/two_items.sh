# SPDX-License-Identifier: MIT
# Two StictionItems below one simulator: the results have the friction of both, and one body never gets
# it twice.
. "$(dirname "$0")/lib.sh"
samples=$SOURCES/sample_projects
# two FILE FIRST SECOND: the wrist and the arm of two links, with these configurations
two() {
    cat >"$1" <<PROJECT
items:
  { id: 0, name: Root, plugin: Base, class: RootItem, children: [
    { id: 1, name: World, plugin: Body, class: WorldItem, children: [
      { id: 2, name: Wrist, plugin: Body, class: BodyItem, data: {
          file: "$samples/wrist/wrist.body", format: CHOREONOID-BODY } },
      { id: 3, name: Arm, plugin: Body, class: BodyItem, data: {
          file: "$samples/two_link/two_link.body", format: CHOREONOID-BODY } },
      { id: 4, name: Simulator, plugin: Body, class: AISTSimulatorItem,
        data: { time_step: 0.001, realtime_sync_mode: off, recording: off,
                time_range_mode: specified, time_length: 0.1 },
        children: [
          { id: 5, name: First, plugin: Stiction, class: StictionItem,
            data: { configuration_file: "$2" } },
          { id: 6, name: Second, plugin: Stiction, class: StictionItem,
            data: { configuration_file: "$3" } } ] } ] } ] }
PROJECT
}

two "$work/two.cnoid" "$SOURCES/config/wrist.yaml" "$samples/two_link/two_link.yaml"
choreonoid "$work/two" "$work/two.cnoid" || fail "exit code $?"
summary=$work/two/Simulator/summary.json
joints=$(grep -c '"final_position"' "$summary")
[ "$joints" -eq 3 ] || fail "$joints joints instead of 3"
! grep -q '"law": "none"' "$summary" || fail "a joint is reported without its friction"

two "$work/twice.cnoid" "$SOURCES/config/wrist.yaml" "$SOURCES/config/wrist.yaml"
if choreonoid "$work/twice" "$work/twice.cnoid"; then fail "friction twice was not refused"; fi
says "Wrist gets its friction from First already; it is not applied twice."
# bodies of one name are distinguished: the first is steered, the second stands
project "$work/one.cnoid"
awk -v body="$BODY" '
    /^          id: 4$/ {
        print "          id: 7\n          name: Robot\n          plugin: Body\n          class: BodyItem"
        print "          data: { file: \"" body "\", format: CHOREONOID-BODY, jointDisplacements: [ 0 ],"
        print "                  rootPosition: [ 0, 2, 0 ], initialRootPosition: [ 0, 2, 0 ] }"
        print "        -"
    }
    { print }' "$work/one.cnoid" >"$work/same.cnoid"
choreonoid "$work/same" "$work/same.cnoid" || fail "exit code $?"
near "the one that is steered, deg" \
    "$(degrees "$(figure "$work/same/Simulator/summary.json" Robot.RWRR final_position)")" 69.877 0.03
near "the one that is not, deg" \
    "$(degrees "$(figure "$work/same/Simulator/summary.json" Robot-2.RWRR final_position)")" 0 1e-6
finish
