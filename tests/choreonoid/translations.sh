# Every message of the Choreonoid plugin has a Japanese translation, and the catalogue is sound.
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
