#!/bin/sh
# SPDX-License-Identifier: MIT
# with_visitor.sh WHICH PAGE: the page of a sweep with the visitor of sweep_visit.js in it, who also
# sees every error of its scripts.
watch='<script>window.problems = []; window.onerror = function (m) { problems.push(m); };
console.error = function (m) { problems.push(m); };</script>'
awk -v watch="$watch" '{ print } /<head>/ { print watch }' "$2"
echo '<script>'
cat "$(dirname "$0")/sweep_visit.js"
echo "visit(\"$1\");</script>"
