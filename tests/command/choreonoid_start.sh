#!/bin/sh
# SPDX-License-Identifier: MIT
# A Choreonoid that never begins the run ends with an error: one without our plugin, which would wait
# for ever, and one that would find our plugin twice and load neither copy.
. "$(dirname "$0")/lib.sh"
wrist=$sources/sample_projects/wrist/wrist.cnoid
mkdir -p prefix/bin prefix/lib/choreonoid-2.4 other
printf '#!/bin/sh\ntouch started\nexec sleep 1000\n' >prefix/bin/choreonoid
chmod +x prefix/bin/choreonoid
STICTION_CHOREONOID=$PWD/prefix/bin/choreonoid
export STICTION_CHOREONOID
unset CNOID_PLUGIN_PATH

refuses 1 'Choreonoid did not load the Stiction plugin; install it into' \
    run --engine choreonoid --no-report --simulator AISTSimulator "$wrist"
[ -e started ] || fail 'it was not started'
rm started

touch prefix/lib/choreonoid-2.4/libCnoidStictionPlugin.so other/libCnoidStictionPlugin.so
CNOID_PLUGIN_PATH=$PWD:$PWD/other
export CNOID_PLUGIN_PATH
refuses 1 "and $PWD/other/libCnoidStictionPlugin.so are two copies of the Stiction plugin" \
    run --engine choreonoid --no-report --simulator AISTSimulator "$wrist"
[ ! -e started ] || fail 'it was started with two copies'
# the same copy by two names is one
CNOID_PLUGIN_PATH=$PWD/prefix/bin/../lib/choreonoid-2.4
refuses 1 'Choreonoid did not load the Stiction plugin' \
    run --engine choreonoid --no-report --simulator AISTSimulator "$wrist"
finish
