# SPDX-License-Identifier: MIT
# Sourced by quickstart.sh, test.sh and sanitize.sh: installs missing packages, builds into build/.
# The output of commands goes to a log, which is shown if a command fails.

set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

print_line() { printf '%s\n' "$*"; }

# quietly WHAT COMMAND...: prints one line of progress, and the output only if the command fails.
quietly() {
    what=$1
    shift
    printf '%s ... ' "$what"
    start=$(date +%s)
    if "$@" >"$log" 2>&1; then
        printf 'done (%s s)\n' "$(($(date +%s) - start))"
    else
        status=$?
        printf 'failed:\n'
        cat "$log"
        exit "$status"
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# missing_packages END: packages that are not installed, of the list up to the line END.
missing_packages() {
    sed -e "/^# $1\$/,\$d" -e 's/#.*//' "$root/tools/packages.txt" | while read -r package; do
        [ -z "$package" ] && continue
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            printf '%s ' "$package"
    done
}

# install_packages [tests|all]: for the build, also for the tests, or for the long suite.
install_packages() {
    case ${1:-} in
    all) end=none ;;
    tests) end='all tests' ;;
    *) end=tests ;;
    esac
    packages=$(missing_packages "$end")
    if [ -z "$packages" ]; then
        print_line "packages: all installed"
        return
    fi
    quietly "updating package lists" as_root apt-get -o DPkg::Lock::Timeout=600 update
    # shellcheck disable=SC2086 # a list of words
    quietly "installing $packages" \
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends -o DPkg::Lock::Timeout=600 $packages
}

# build_into FOLDER PURPOSE TARGETS OPTIONS...: PURPOSE is printed after "building".
build_into() {
    folder=$1
    purpose=$2
    targets=$3
    shift 3
    quietly "configuring$purpose" cmake -S "$root" -B "$folder" -G Ninja "$@"
    # parts that this machine cannot build or test
    sed -n '/ are skipped\| will be skipped/s/^-- /  /p' "$log"
    # shellcheck disable=SC2086 # a list of words
    quietly "building$purpose" cmake --build "$folder" --target $targets
}

# Parallel tests: one more than processors, because some wait for a browser, a signal or the disk.
tests_at_once=$(($(nproc) + 1))

# build [tests|all]
build() {
    tests=OFF
    all=OFF
    case ${1:-} in
    tests) tests=ON ;;
    all) tests=ON all=ON ;;
    esac
    build_into "$root/build" "" all -DCMAKE_BUILD_TYPE=Release -DSTICTION_TESTS=$tests \
        -DSTICTION_ALL_TESTS=$all
}

# run_tests FOLDER OPTIONS...
run_tests() {
    folder=$1
    shift
    ctest --test-dir "$folder" -j "$tests_at_once" --output-on-failure --progress "$@"
}
