#!/bin/sh
# SPDX-License-Identifier: MIT
# Includes: what each module may include, and no file name in two modules.
# usage: modules.sh SOURCE_ROOT
set -eu
cd "$1"

# module: what it may include besides its own files and the public headers. Dependencies point one
# way: joint_models <- capi <- plugin <- tools.
rules='
joint_models:
capi: joint_models
plugin/velocities:
plugin/customizer: capi plugin/stability plugin/velocities
plugin/storage: capi
plugin/json: capi plugin/storage
plugin/controllers: capi
plugin/pushes: capi
plugin/results: capi plugin/json plugin/pushes plugin/stability plugin/storage
plugin/meshes: capi
plugin/mujoco_compile: capi plugin/meshes
plugin/robots: capi plugin/meshes plugin/mujoco_compile plugin/mujoco_element
plugin/projects: capi plugin/controllers plugin/meshes plugin/pushes plugin/robots
plugin/stability: capi plugin/mujoco_compile plugin/robots
plugin/mujoco_element: capi
plugin/mujoco_solver: capi plugin/mujoco_compile plugin/results
plugin/mujoco: capi plugin/controllers plugin/mujoco_compile plugin/mujoco_solver plugin/pushes plugin/results plugin/robots plugin/projects plugin/stability
plugin/mujoco_plugin: capi plugin/mujoco_compile plugin/mujoco_element plugin/mujoco_solver plugin/results plugin/stability
plugin/engine: capi plugin/mujoco plugin/mujoco_compile plugin/results plugin/storage
plugin/python: capi plugin/results
plugin/choreonoid: capi plugin/controllers plugin/json plugin/pushes plugin/results plugin/stability plugin/velocities
tools/common: capi plugin/json plugin/storage
tools/plot: capi joint_models tools/common
tools/logs: capi plugin/results tools/common
tools/report: capi plugin/json plugin/results tools/common tools/logs tools/plot
tools/reproduce: capi joint_models plugin/json plugin/storage tools/common tools/plot tools/report
tools/fit: capi plugin/json plugin/robots tools/common tools/logs tools/plot tools/report
tools/import: capi joint_models plugin/robots tools/common tools/plot
tools/run: capi plugin tools/common tools/report
tools/sweep: capi joint_models plugin/json plugin/results plugin/storage tools/common tools/plot tools/report tools/run
tools/bench: capi joint_models plugin tools/common tools/plot tools/run
tools/peers: plugin/mujoco_solver
tools/command: capi plugin tools
'
sources=$(find capi joint_models plugin tools -name '*.[ch]' -o -name '*.cpp')

printf '%s\n' "$sources" | xargs grep -n '^#include "' | RULES=$rules SOURCES=$sources awk '
function module_of(path,    parts) {
    split(path, parts, "/")
    return parts[1] == "plugin" || parts[1] == "tools" ? parts[1] "/" parts[2] : parts[1]
}
function begins(path, with) { return substr(path, 1, length(with)) == with }
function allowed(module, target,    list, count, k) {
    if (begins(target, "capi/include/") || begins(target, "joint_models/include/")) return 1
    if (module_of(target) == module) return 1
    count = split(may[module], list, " ")
    for (k = 1; k <= count; k++)
        if (target == list[k] || begins(target, list[k] "/")) return 1
    return 0
}
BEGIN {
    count = split(ENVIRON["SOURCES"], names, "\n")
    for (k = 1; k <= count; k++) there[names[k]] = 1
    count = split(ENVIRON["RULES"], lines, "\n")
    for (k = 1; k <= count; k++)
        if (split(lines[k], part, ":")) {
            may[part[1]] = part[2]
            known[part[1]] = 1
        }
    root_count = split("|capi/|capi/include/|joint_models/include/|plugin/|tools/", roots, "|")
}
{
    file = substr($0, 1, index($0, ":") - 1)
    name = $0
    sub(/.*#include "/, "", name)
    sub(/".*/, "", name)
    folder = file
    sub(/[^\/]*$/, "", folder)
    target = there[folder name] ? folder name : ""
    for (k = 1; !target && k <= root_count; k++)
        if (there[roots[k] name]) target = roots[k] name
    module = module_of(file)
    if (!known[module]) {
        print "no rule for what " module " may include"
        bad = 1
        exit
    }
    if (target && !allowed(module, target)) {
        print file ": " module " may not include " target
        bad = 1
    }
}
END { exit bad }'

# a law has a file of its name in laws/ and perhaps one in fast/
twice=$(printf '%s\n' "$sources" | grep -v '^joint_models/fast/' | sed 's#.*/##' | sort | uniq -d)
[ -z "$twice" ] || {
    echo "two modules have a file of the same name: $twice"
    exit 1
}
