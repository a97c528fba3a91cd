#!/bin/sh
# From a fresh Debian 12 machine to a first result: packages, build, what there is to run.
. "$(dirname "$0")/setup.sh"

install_packages
build
"$root/build/stiction" --version
