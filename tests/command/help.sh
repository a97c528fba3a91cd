#!/bin/sh
# SPDX-License-Identifier: MIT
# Help, man page, completion and documentation all come from, or agree with, the table of verbs.
. "$(dirname "$0")/lib.sh"

run 0 --version
grep -qE '^stiction [0-9]+\.[0-9]+\.[0-9]+$' out || fail '--version'
run 0 --help
cp out overview
run 0 help
cmp -s out overview || fail 'help and --help differ'
run 0 --help curve
cp out help
run 0 help curve
cmp -s out help || fail '--help curve and help curve differ'
[ "$(awk 'length > 80' overview)" = '' ] || fail 'the overview has lines above 80 columns'
verbs=$(sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' overview)
[ -n "$verbs" ] || fail 'there are no verbs'

# words(FIRST...): the completions that the shell offers
words() { "$STICTION" help --complete "$@" 2>err; }
run 0 help --man
cp out man
for verb in $verbs; do
    # every verb has one chapter in the documents, with all of its options
    chapter=$(grep -l "^## .*stiction $verb\b" "$sources"/docs/*.md) || [ "$verb" = help ] ||
        fail "no document has a chapter of $verb"
    run 0 help "$verb"
    cp out help
    run 0 "$verb" --help
    cmp -s out help || fail "help $verb and $verb --help differ"
    says out "usage: stiction $verb "
    says out 'example:'
    says out "  stiction $verb"
    [ "$(awk 'length > 80' out)" = '' ] || fail "$verb --help has lines above 80 columns"
    says man ".SS stiction $verb "
    words '' | grep -qx "$verb" || fail "completion lacks $verb"
    words help '' | grep -qx "$verb" || fail "completion of help lacks $verb"
    for option in $(sed -n 's/^  --\([a-z_-]*\).*/\1/p' help); do
        words "$verb" -- | grep -qx -e "--$option" || fail "completion of $verb lacks --$option"
        [ "$option" = help ] || says man "\\fB\\-\\-$option\\fR"
        [ "$verb" = help ] || [ "$option" = help ] || says "$chapter" "\`--$option"
    done
done

# so are the keys of run --set
run 0 run --help
words run wrist.cnoid --set '' >keys
[ "$(wc -l <keys)" -ge 10 ] || fail 'completion does not offer the keys of --set'
while read -r key; do
    grep -Eq "(^| )${key%.}[=.]" out || fail "run --help lacks the key $key"
    grep -Eq "^\|.*\`${key%.}[.\`]" "$sources/docs/running.md" || fail "docs/running.md lacks $key"
done <keys

# and the verdicts of check
run 0 check --help
tr -s ' \n' ' ' <out >one_line
sed -n '/^| `stable` |/,/^$/s/^| `\([^`]*\)` |.*/\1/p' "$sources/docs/robots.md" >verdicts
[ "$(wc -l <verdicts)" -ge 6 ] || fail 'docs/robots.md has no verdicts'
while read -r verdict; do says one_line "$verdict"; done <verdicts

words curve robot.yaml '' | grep -qx RWRR || fail 'completion does not offer joints'
words curve robot.yaml RWRR --law s | grep -qx stribeck || fail 'completion does not offer laws'
[ -z "$(words curve '')" ] || fail 'completion of a file offers something else'

# the script of bash passes on the completions of the command
if command -v bash >/dev/null; then
    PATH="$(dirname "$STICTION"):$PATH" bash -c '
        . "$1/tools/command/completion/stiction.bash"
        COMP_WORDS=(stiction curve robot.yaml --imp) COMP_CWORD=3
        _stiction
        [ "${COMPREPLY[*]}" = --implicit ]' - "$sources" || fail 'completion/stiction.bash'
fi
# man itself finds nothing to complain about
if command -v groff >/dev/null; then
    groff -man -ww -z man 2>err || fail 'groff'
    silent err
fi
finish
