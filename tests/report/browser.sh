# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Sourced by the tests that open pages in a browser without a window.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
}
# fails without a browser
has_browser() { browser=$(command -v chromium || command -v chromium-browser); }
has_dygraphs() { [ -r /usr/share/javascript/dygraphs/dygraph.min.js ]; }
needs_browser() {
    has_browser || {
        echo "skipped: chromium is not there (Debian package chromium)"
        exit 77
    }
}
# opens FLAG... ADDRESS: the time is for a browser that hangs
opens() {
    timeout 1000 "$browser" --headless --no-sandbox --disable-gpu --enable-unsafe-swiftshader --user-data-dir="$work/profile" "$@"
}
