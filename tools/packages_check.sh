#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the Debian packages, runs lintian, and tests them in a clean root: installs them with their
# dependencies, runs them, builds against them, and purges them.
set -eu

usage() {
    cat <<'END'
usage: packages_check.sh [--packages DIR] [--keep] BUILD

Makes the packages of BUILD with cpack, asks lintian, makes a clean Debian with
debootstrap from the mirror that this machine's apt uses, installs them there and
tries them. Needs root, debootstrap and the network; exits with 77 and one line
where one of them is missing.

  --packages DIR  take the packages that lie there
  --keep          keep the clean root, and print its path
END
}

keep= packages= build=
while [ $# -gt 0 ]; do
    case $1 in
    --keep) keep=1 ;;
    --packages)
        packages=$(cd "$2" && pwd)
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    -*)
        usage >&2
        exit 2
        ;;
    *) build=$(cd "$1" && pwd) ;;
    esac
    shift
done
[ -n "$build" ] || [ -n "$packages" ] || {
    usage >&2
    exit 2
}

skip() {
    echo "skipped: $*"
    exit 77
}
[ "$(id -u)" -eq 0 ] || skip "a clean root wants root"
for tool in debootstrap dpkg-deb chroot; do
    command -v $tool >/dev/null || skip "$tool is not installed"
done

codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
# deb lines of Debian's own archives as apt has them here; the first of the release is the mirror
archives() {
    apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' | sort -u | grep " $codename"
}
mirror=$(archives | awk -v name="$codename" '$3 == name && $4 == "main" { print $2; exit }')
[ -n "$mirror" ] || skip "apt knows no archive of Debian $codename here"
work=$(mktemp -d)
root=$work/root
proxies=$(apt-config dump | grep -i '^Acquire::[a-z]*::proxy ' || true)

clean() {
    status=$?
    umount "$root/proc" 2>/dev/null || true
    if [ -n "$keep" ]; then echo "left: $root"; else rm -rf "$work"; fi
    exit $status
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

# quietly WHAT COMMAND...: prints one line, and the output only if it fails
quietly() {
    what=$1
    shift
    start=$(date +%s)
    "$@" >"$work/log" 2>&1 || {
        echo "FAILED: $what"
        tail -n 40 "$work/log"
        exit 1
    }
    printf '%s: %s s\n' "$what" "$(($(date +%s) - start))"
}
inside() { LC_ALL=C DEBIAN_FRONTEND=noninteractive HOME=/root chroot "$root" "$@"; }

make_packages() { (cd "$build" && cpack -G DEB -B "$work/packages"); }
if [ -z "$packages" ]; then
    quietly "cpack" make_packages
    packages=$work/packages
fi
for package in libstiction stiction-dev stiction python3-stiction; do
    [ -s "$(echo "$packages/${package}"_*.deb)" ] || {
        echo "FAILED: no package $package in $packages"
        exit 1
    }
done
if command -v lintian >/dev/null; then
    quietly "lintian" lintian --allow-root --fail-on error,warning "$packages"/*.deb
fi

# ---- the clean root ----
if ! debootstrap --variant=minbase "$codename" "$root" "$mirror" >"$work/log" 2>&1; then
    grep -q 'Failed getting release file' "$work/log" && skip "Debian's mirror does not answer"
    tail -n 20 "$work/log"
    exit 1
fi
echo "debootstrap: Debian $codename"
mount -t proc proc "$root/proc"
archives >"$root/etc/apt/sources.list"
[ -z "$proxies" ] || printf '%s\n' "$proxies" >"$root/etc/apt/apt.conf.d/99proxies"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
quietly "apt-get update" inside apt-get update -q
# compilers, installed first, so that they do not count as dependencies of the packages
quietly "a compiler" inside apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config
everything() { (cd "$root" && find . -xdev -path ./proc -prune -o -print | LC_ALL=C sort); }
everything >"$work/before"

# ---- installed ----
quietly "apt-get install" inside sh -c 'apt-get install -qy --no-install-recommends /packages/*.deb'
inside dpkg -l | awk '/stiction/ { print $1, $2, $3 }'
inside sh -c 'for p in $(dpkg-query -W -f "\${Package}\n" "*stiction*"); do dpkg -L $p 2>/dev/null; done' |
    sort -u >"$work/ours"

samples=/usr/share/stiction/sample_projects
quietly "stiction --version" inside stiction --version
cat "$work/log"
quietly "stiction run" inside stiction run $samples/wrist/wrist.cnoid --out /tmp/results
[ -s "$root/tmp/results/wrist/summary.json" ] && [ -s "$root/tmp/results/wrist/report.html" ]
quietly "stiction check" inside stiction check /usr/share/stiction/config/wrist.yaml \
    --body $samples/wrist/wrist.body
quietly "python3" inside python3 -W error -c "
import stiction
state = stiction.Config.load('/usr/share/stiction/config/wrist.yaml').model(['RWRR'], timestep=1e-3).state()
assert state.step([0.001])[0] == 0.055
with stiction.Simulation('$samples/wrist/wrist.cnoid') as simulation:
    simulation.run()
"
cp "$(dirname "$0")/../tests/consumer/consumer.c" "$root/tmp"
quietly "a program in C" inside sh -c 'cd /tmp &&
    cc -Wall -Werror consumer.c $(pkg-config --cflags --libs stiction) -o consumer && ./consumer'
quietly "the man page" inside test -s /usr/share/man/man1/stiction.1.gz

# ---- removed ----
purge() {
    inside dpkg -P $(inside dpkg-query -W -f '${Package} ' '*stiction*')
    inside apt-get autoremove -qy --purge
}
rm -rf "$root/tmp/results" "$root/tmp/consumer" "$root/tmp/consumer.c"
quietly "dpkg -P" purge
if grep -i 'not empty' "$work/log"; then exit 1; fi
everything >"$work/after"
# files that are new: only those of dpkg, apt and ldconfig are allowed
LC_ALL=C comm -13 "$work/before" "$work/after" |
    grep -Ev '^\./(var/(lib|cache|log)|etc/ld\.so\.cache|etc/(python|alternatives|mailcap|X11|fonts|ssl)|run|tmp|root)(/|$)' \
        >"$work/left" || true
LC_ALL=C comm -13 "$work/before" "$work/after" | grep -i stiction >>"$work/left" || true
if [ -s "$work/left" ]; then
    echo "FAILED: left after dpkg -P:"
    cat "$work/left"
    exit 1
fi
echo "the packages install, run and are removed completely"
