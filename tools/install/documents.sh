#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes the Markdown files that are installed, with links that lead to where their targets are
# installed. A link to a file that is not installed becomes plain text.
# usage: documents.sh SOURCES OUT DOCDIR DATADIR INCLUDEDIR; the last three relative to the prefix
set -eu
sources=$1 out=$2
export DOCDIR="$3" DATADIR="$4/stiction" INCLUDEDIR="$5"
rm -rf "$out"
cd "$sources"
find README.md CHANGELOG.md SECURITY.md docs plugin config sample_projects -name results -prune -o \
    -name '*.md' -print | while read -r page; do
    mkdir -p "$out/$(dirname "$page")"
    PAGE=$page awk '
        # The path of a source file below the prefix; "": it is not installed.
        function installed(path) {
            if (path ~ /^(config|sample_projects)(\/|$)/) return ENVIRON["DATADIR"] "/" path
            if (path ~ /\/include\/stiction\/[^\/]*\.h(pp)?$/) {
                sub(/.*\/include\//, "", path)
                return ENVIRON["INCLUDEDIR"] "/" path
            }
            if (path ~ /^(capi|plugin\/controllers|plugin\/python)\/examples/) {
                sub(/^.*\/examples/, "examples", path)
                return ENVIRON["DATADIR"] "/" path
            }
            if (path ~ /^docs(\/|$)/ || path ~ /^plugin\/.*\.md$/ ||
                path ~ /^(README|CHANGELOG|SECURITY)\.md$/ || path == "LICENSE")
                return ENVIRON["DOCDIR"] "/" path
            return ""
        }
        # a/b/../c -> a/c
        function plain(path,    parts, n, k, kept, list, text) {
            n = split(path, parts, "/")
            for (k = 1; k <= n; k++)
                if (parts[k] == "..") kept -= kept > 0
                else if (parts[k] != "." && parts[k] != "") list[++kept] = parts[k]
            for (k = 1; k <= kept; k++) text = text (k > 1 ? "/" : "") list[k]
            return text
        }
        function relative(from, to,    a, b, n, m, k, same, text) {
            n = split(from, a, "/")
            m = split(to, b, "/")
            while (same < n && same < m - 1 && a[same + 1] == b[same + 1]) same++
            for (k = same + 1; k <= n; k++) text = text "../"
            for (k = same + 1; k <= m; k++) text = text b[k] (k < m ? "/" : "")
            return text
        }
        function folder(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "" }
        BEGIN { page = ENVIRON["PAGE"]; here = folder(installed(page)) }
        {
            rest = $0
            line = ""
            while (match(rest, /\[[^][]*\]\([^) ]+\)/)) {
                link = substr(rest, RSTART, RLENGTH)
                line = line substr(rest, 1, RSTART - 1)
                rest = substr(rest, RSTART + RLENGTH)
                cut = index(link, "](")
                text = substr(link, 2, cut - 2)
                target = substr(link, cut + 2, length(link) - cut - 2)
                hash = index(target, "#") ? substr(target, index(target, "#")) : ""
                name = hash ? substr(target, 1, length(target) - length(hash)) : target
                if (target ~ /^[a-z]+:/ || name == "") {
                    line = line link
                    continue
                }
                to = installed(plain(folder(page) "/" name))
                line = line (to == "" ? text : "[" text "](" relative(here, to) hash ")")
            }
            print line rest
        }' "$page" >"$out/$page"
done
