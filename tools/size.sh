#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints how large the source tree is and how well it keeps its own rules, one figure a row.
usage='usage: sh tools/size.sh [--list]   (--list: also which files and lines)'
case ${1:-} in
'' | --list) ;;
-h | --help) echo "$usage"; exit 0 ;;
*) echo "$usage" >&2; exit 2 ;;
esac
set -eu
cd "$(dirname "$0")/.."

# code FOLDER...: lines of code files that git tracks
code() {
    git ls-files "$@" | grep -E '\.(c|h|cpp|py|sh|js|cmake)$|CMakeLists' | tr '\n' '\0' |
        xargs -0 -r cat | wc -l
}
row() { printf '%-66s %8s  %s\n' "$1" "$2" "$3"; }

product=$(code capi joint_models plugin tools)
# programs of their own, comparison models, and scripts for developers
apart=$(code tools/bench tools/peers tools/reproduce joint_models/comparison joint_models/reference 'tools/*.sh' \
    'tools/*.py' 'tools/*.cmake')
# files that name at least six of a joint's quantities
quantities=$(
    git ls-files capi plugin tools | grep -E '\.(c|h|cpp|py)$' | while read -r file; do
        found=0
        for name in deflection energy slipping external temperature static_level coulomb_level; do
            if grep -q "$name" "$file"; then found=$((found + 1)); fi
        done
        if [ "$found" -ge 6 ]; then echo "$file"; fi
    done
)
# rules of tests/modules.sh that allow a single file, or a lower module to include a higher one
exceptions=$(sed -n "/^rules='/,/^'/p" tests/modules.sh |
    awk -F: '{ count = split($2, part, " ")
               for (k = 1; k <= count; k++)
                   if (part[k] ~ /\.h$/ || ($1 ~ /^plugin/ && part[k] ~ /^tools/)) n++ }
             END { print n + 0 }')
# code that compares the text of an error
prose=$(grep -rnE 'str(n?cmp|str)\([^)]*(->|\.)message\b' capi plugin tools --include='*.c' \
    --include='*.cpp' || true)
seconds=$(cat build/test_seconds 2>/dev/null || echo '-')

row 'measure' 'now' 'goal'
row 'product, lines (capi joint_models plugin tools)' "$product" 85000
row '  of these in the command and the libraries' "$((product - apart))" 70000
row 'tests, lines' "$(code tests)" 46000
row 'exceptions in tests/modules.sh' "$exceptions" 0
row 'files that list the quantities of a joint' "$(printf '%s' "$quantities" | grep -c . || true)" 2
row 'lines that compare the text of an error' "$(printf '%s' "$prose" | grep -c . || true)" 0
row 'documents, words (docs)' "$(cat docs/*.md | wc -w)" 35000
row 'sh tools/test.sh, the last time, s' "$seconds" 300
[ "${1:-}" = --list ] || exit 0
printf '\nfiles that list the quantities of a joint:\n%s\n' "$quantities"
printf '\nlines that compare the text of an error:\n%s\n' "$prose"
