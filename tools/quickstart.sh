#!/bin/sh
# From a fresh Debian 12 machine to a first result: packages, build, what there is to run so far.
. "$(dirname "$0")/setup.sh"

install_packages
build
say
say "The wrist of HRP-5P: its friction law, and whether it is stable on the sample body."
say
"$root/build/stiction" curve "$root/config/wrist.yaml" RWRR
say
"$root/build/stiction" check "$root/config/wrist.yaml" \
    --body "$root/sample_projects/wrist/wrist.body" 2>/dev/null
say
say "Next: $root/README.md, or build/stiction --help"
