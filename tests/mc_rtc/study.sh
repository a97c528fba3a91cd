#!/bin/sh
# SPDX-License-Identifier: MIT
# The figures of sample_projects/mc_rtc_jvrc1/README.md, within 15 %.
# usage: study.sh STICTION BRIDGE [--choreonoid], with the robot's files in $STICTION_JVRC_MJ_DESCRIPTION
# Exit code 77: mc_rtc or the robot's files are missing.
if [ ! -e "$2" ] || [ ! -e "${STICTION_JVRC_MJ_DESCRIPTION:-}/xml/jvrc1.xml" ]; then
    echo 'skipped: needs the bridge to mc_rtc and STICTION_JVRC_MJ_DESCRIPTION, see bridge.sh'
    exit 77
fi
. "$(dirname "$0")/../command/lib.sh"
HOME=$work
export HOME
python3 "$sources/sample_projects/mc_rtc_jvrc1/study.py" "$STICTION" \
    "$STICTION_JVRC_MJ_DESCRIPTION" study $3 || fail 'the study comes out otherwise'
finish
