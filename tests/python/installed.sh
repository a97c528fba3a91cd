#!/bin/sh
# SPDX-License-Identifier: MIT
# The package in an installed tree and in Debian's packages: found, complete, and working without any
# variable of the environment.
# usage: installed.sh BUILD SOURCES WORK PYTHON
set -eu
build=$1
sources=$2
work=$3
python=$4
rm -rf "$work"
mkdir -p "$work"
unset STICTION_LIBRARY_PATH STICTION_COMMAND PYTHONPATH
cd "$work"

# works PREFIX: the package below it does what it should, with the libraries that lie beside it.
works() {
    PYTHONPATH="$1/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 "$python" -W error - "$1" "$sources" <<'END'
import os
import sys

prefix, sources = sys.argv[1:]
import stiction

assert stiction.__file__.startswith(prefix), stiction.__file__
assert stiction._lib.path.startswith(prefix), stiction._lib.path
config = stiction.Config.load(sources + "/config/wrist.yaml")
state = config.model(["RWRR"], timestep=1e-3).state()
assert state.step([0.001])[0] == 0.055
assert os.path.exists(os.path.join(os.path.dirname(stiction.__file__), "py.typed"))
if os.path.exists(prefix + "/bin/stiction"):
    from stiction.command import find_command

    assert find_command() == prefix + "/bin/stiction", find_command()
    project = sources + "/sample_projects/wrist/wrist.cnoid"
    results = stiction.run(project, out=prefix + "/results")[0]
    assert abs(results["RWRR"].position[-1] - 1.21958) < 1e-4
    with stiction.Simulation(project) as sim:
        sim.run()
        assert sim.q[0] == results["RWRR"].position[-1]
print("works:", stiction.__version__, stiction.__file__)
END
}

cmake --install "$build" --prefix "$work/prefix" >/dev/null
works "$work/prefix"

command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || {
    echo "dpkg-dev is not there: Debian's packages are not tried"
    exit 0
}
(cd "$build" && cpack -G DEB -B "$work/packages") >"$work/cpack.log" 2>&1 || {
    cat "$work/cpack.log"
    exit 1
}
has() {
    dpkg-deb -c "$work"/packages/"$1"_*.deb | awk '{print $6}' >"$work/$1.list"
    shift_name=$1
    shift
    for file in "$@"; do
        grep -qx "./usr/$file" "$work/$shift_name.list" || {
            echo "$shift_name lacks $file"
            exit 1
        }
    done
}
has libstiction lib/libstiction.so.3
has stiction-dev include/stiction/stiction.h lib/libstiction.so lib/pkgconfig/stiction.pc
has python3-stiction lib/python3/dist-packages/stiction/__init__.py \
    lib/python3/dist-packages/stiction/py.typed
! grep -q pycache "$work/python3-stiction.list"
[ ! -e "$work/prefix/bin/stiction" ] || {
    has libstiction lib/libstiction_engine.so.1
    has stiction-dev include/stiction/engine.h include/stiction/controller.h lib/libstiction_engine.so
    has stiction bin/stiction share/man/man1/stiction.1.gz \
        share/stiction/sample_projects/wrist/wrist.cnoid share/stiction/config/wrist.yaml
}
# every file of ours is in one package, and in one only
for component in library development command python; do
    cmake --install "$build" --prefix "$work/parts" --component "$component" >/dev/null
done
# but for what Debian alone wants, and for pages that are compressed there
cat "$work"/*.list | grep -v '/$' | sed 's#^\./usr/##; s#\.1\.gz$#.1#' |
    grep -v '^share/lintian/\|^share/doc/[^/]*/\(copyright\|changelog.*\)$' | sort >"$work/packed"
(cd "$work/parts" && find . ! -type d | sed 's#^\./##' |
    grep -vx 'share/doc/stiction/\(LICENSE\|CHANGELOG.md\)' | sort) >"$work/installed"
diff "$work/packed" "$work/installed"
dpkg-deb -f "$work"/packages/python3-stiction_*_all.deb Depends | grep -q 'python3-numpy.*libstiction (= '

for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$work/unpacked"; done
works "$work/unpacked/usr"
