# SPDX-License-Identifier: MIT
# docs/results.md has the tables of figures and columns as plugin/results has them.
# usage: documented_figures.sh PRINT_DOCUMENTED DOCUMENT [--write], which puts them there
set -eu
program=$1
document=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$document" "$work/new"
for table in figures bodies columns; do
    "$program" $table >"$work/$table"
    awk -v name="$table" -v file="$work/$table" '
        $0 == "<!-- end of " name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " -->" { inside = found = 1; while ((getline line <file) > 0) print line }
        END { exit !found }' "$work/new" >"$work/next" || { echo "$document has no place for $table"; exit 1; }
    mv "$work/next" "$work/new"
done
if [ "${3-}" = --write ]; then
    cp "$work/new" "$document"
elif ! diff -u "$document" "$work/new"; then
    echo "the target 'documents' of the build writes the tables anew"
    exit 1
fi
