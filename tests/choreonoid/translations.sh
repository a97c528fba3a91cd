# SPDX-License-Identifier: MIT
# Every message of the Choreonoid plugin has a Japanese translation, and the catalogue is sound; the
# Japanese guide has the commands, figures, variables and sections of the English one.
# usage: translations.sh SOURCES
set -eu
catalogue=$1/plugin/choreonoid/po/ja.po
cat "$1"/plugin/choreonoid/*.cpp | tr '\n' ' ' |
    grep -o '[^A-Za-z_]N\{0,1\}_("[^"]*")' | sed 's/^[^"]*"//; s/")$//' | sort -u >messages.$$
trap 'rm -f messages.$$' EXIT
missing=0
while read -r message; do
    grep -qxF "msgid \"$message\"" "$catalogue" || {
        printf 'not in ja.po: %s\n' "$message"
        missing=1
    }
done <messages.$$
printf '%s messages\n' "$(wc -l <messages.$$)"
if [ "$(wc -l <messages.$$)" -lt 10 ] || [ "$missing" -ne 0 ]; then exit 1; fi
if grep -A1 '^msgid "[^"]' "$catalogue" | grep -qx 'msgstr ""'; then
    echo "a translation is empty"
    exit 1
fi
if command -v msgfmt >/dev/null; then msgfmt --check-format -o /dev/null "$catalogue"; fi

guide=$1/docs/choreonoid.md translated=$1/docs/choreonoid.ja.md
# lines of code without their comments, names in quotes of code, numbers with a unit or in tables
facts() {
    awk '/^ *```/ { inside = !inside; next } inside { sub(/ *#.*/, ""); sub(/^ */, ""); print }' "$1"
    grep -o '`STICTION_[A-Z_]*\|`--[a-z-]*\|images/[a-z_]*' "$1"
    grep -o '[0-9][0-9.]*\(e-[0-9]*\)\{0,1\} \(N m\|rad/s\|deg\|ms\)' "$1" | sed 's/ deg//'
    grep '^| [A-Z][A-Za-z0-9]*, [0-9] s |' "$1"
}
facts "$guide" | sort -u >facts.$$
trap 'rm -f messages.$$ facts.$$ translated.$$' EXIT
# degrees have a Japanese word
facts "$translated" | sort -u >translated.$$
lost=$(comm -23 facts.$$ translated.$$ | grep -v '^[0-9.]*$' || true)
[ -z "$lost" ] || {
    printf 'choreonoid.ja.md lacks:\n%s\n' "$lost"
    exit 1
}
[ "$(grep -c '^##' "$guide")" -eq "$(grep -c '^##' "$translated")" ] || {
    echo "choreonoid.ja.md has other sections"
    exit 1
}
printf '%s facts of the guide\n' "$(wc -l <facts.$$)"
