#!/bin/sh
# SPDX-License-Identifier: MIT
# `cmake --install` is whole and works without sources and build; an uninstall removes it, all of it,
# and nothing else.
# usage: install.sh BUILD_DIR SOURCE_ROOT WORK_DIR
set -eu
build=$(cd "$1" && pwd)
sources=$(cd "$2" && pwd)
work=$3
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
prefix="$work/a prefix"

fail() {
    echo "failed: $*"
    exit 1
}

install() {
    cmake --install "$build" --prefix "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
}

# ---- what is there ----
# a folder and a file of somebody else's, which stay
mkdir -p "$prefix/share/man" "$prefix/bin"
echo other >"$prefix/bin/other"
install "$prefix"
for file in include/stiction/stiction.h lib/pkgconfig/stiction.pc \
    lib/cmake/stiction/stictionConfig.cmake lib/python3/dist-packages/stiction/__init__.py \
    share/stiction/config/wrist.yaml share/stiction/sample_projects/wrist/wrist.cnoid \
    share/stiction/uninstall.sh share/doc/stiction/LICENSE share/doc/stiction/docs/command.md; do
    [ -s "$prefix/$file" ] || fail "$file is not installed"
done
# every configuration and sample that git knows
(cd "$sources" && find config sample_projects -name results -prune -o -type f -print) | sort >"$work/wanted"
(cd "$prefix/share/stiction" && find config sample_projects -type f) | sort >"$work/found"
diff "$work/wanted" "$work/found" || fail "the samples are not those of the sources"
# the pages lead to each other and to what is installed, with the option tables of the controllers
python3 "$sources/tests/links.py" "$prefix" >"$work/log" || { cat "$work/log"; fail "installed pages have dead links"; }
for page in controllers/posture controllers/whole_body robots; do
    [ -s "$prefix/share/doc/stiction/plugin/$page/README.md" ] || fail "plugin/$page/README.md is not installed"
done
# nothing leads back to where it was built; debug information may
if grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$build/CMakeCache.txt" &&
    grep -rlF "$sources/" "$prefix"; then
    fail "installed files name the folder of the sources"
fi

# no archive, and no shared object that tests/symbols.sh does not know
if find "$prefix" -name '*.a' | grep .; then fail "an archive is installed"; fi
find "$prefix" -name '*.so' | while read -r file; do
    grep -qF "$(basename "$file" | sed 's/^Stiction[A-Za-z]*Controller/Stiction*Controller/')" "$sources/tests/symbols.sh" ||
        echo "$file"
done >"$work/unknown"
[ ! -s "$work/unknown" ] || { cat "$work/unknown"; fail "tests/symbols.sh does not look at it"; }

if [ -e "$prefix/bin/stiction" ]; then
    for file in share/man/man1/stiction.1 share/bash-completion/completions/stiction \
        share/zsh/site-functions/_stiction lib/stiction/controllers/posture.so \
        lib/stiction/controllers/whole_body.so; do
        [ -s "$prefix/$file" ] || fail "$file is not installed"
    done
    # moved, so that only what lies beside the program can be found
    mv "$prefix" "$work/moved"
    mkdir "$work/elsewhere"
    cd "$work/elsewhere"
    "$work/moved/bin/stiction" run "$work/moved/share/stiction/sample_projects/wrist/wrist.cnoid" \
        --out results --no-report >"$work/log" 2>&1 || { cat "$work/log"; fail "the installed sample"; }
    [ -s results/wrist/summary.json ] || fail "the installed sample wrote no summary"
    "$work/moved/bin/stiction" check "$work/moved/share/stiction/config/wrist.yaml" \
        --body "$work/moved/share/stiction/sample_projects/wrist/wrist.body" >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "the installed check"; }
    cd "$work"
    mv "$work/moved" "$prefix"
fi

# ---- what goes ----
manifest=$build/install_manifest.txt
uninstall="$sources/tools/install/uninstall.sh"
# a changed file is kept, and told of
echo '# mine' >>"$prefix/share/stiction/config/wrist.yaml"
mkdir -p "$prefix/lib/python3/dist-packages/stiction/__pycache__"
echo >"$prefix/lib/python3/dist-packages/stiction/__pycache__/batch.cpython-311.pyc"
sh "$uninstall" --dry-run "$prefix" >"$work/dry"
[ -s "$prefix/include/stiction/stiction.h" ] || fail "--dry-run removed files"
grep -q "would remove .*stiction\.h" "$work/dry" || fail "--dry-run does not tell"
sh "$uninstall" --manifest "$manifest" >"$work/log"
grep -q '^kept, since it was changed: .*config/wrist.yaml$' "$work/log" || fail "a changed file is not told of"
(cd "$prefix" && find . -type f | sort) >"$work/left"
printf '%s\n' ./bin/other ./share/stiction/config/wrist.yaml ./share/stiction/installed.txt \
    ./share/stiction/uninstall.sh | diff - "$work/left" || fail "not only the changed file is left"
sh "$prefix/share/stiction/uninstall.sh" --force >"$work/log"
(cd "$prefix" && find . | sort) >"$work/left"
printf '%s\n' . ./bin ./bin/other ./share ./share/man | diff - "$work/left" ||
    fail "what others had is not what is left"
if sh "$uninstall" --manifest "$manifest" >"$work/log" 2>&1; then fail "nothing was there to remove"; fi
grep -q 'is removed already$' "$work/log" || { cat "$work/log"; fail "a second uninstall is not told"; }

# installed twice, then removed by the target's command: also what only the first had
install "$prefix"
sum=$(echo old | sha256sum | cut -d ' ' -f 1)
echo old >"$prefix/lib/libstiction.so.0"
echo "$sum  lib/libstiction.so.0" >>"$prefix/share/stiction/installed.txt"
install "$prefix"
sh "$uninstall" "$prefix" >"$work/log"
(cd "$prefix" && find . | sort) >"$work/left"
printf '%s\n' . ./bin ./bin/other ./share ./share/man | diff - "$work/left" ||
    fail "an uninstall of two installations leaves files"

# below a DESTDIR, of which nothing stays
DESTDIR="$work/staged" install /some/prefix
[ -x "$work/staged/some/prefix/share/stiction/uninstall.sh" ] || fail "DESTDIR"
[ ! -e /some/prefix ] || fail "DESTDIR was not heeded"
DESTDIR="$work/staged" sh "$uninstall" --manifest "$manifest" >"$work/log"
[ ! -e "$work/staged" ] || { find "$work/staged"; fail "an uninstall below DESTDIR leaves folders"; }

# a list that leads out of the prefix is refused
install "$prefix"
echo precious >"$work/precious"
echo "$(sha256sum <"$work/precious" | cut -d ' ' -f 1)  share/../../precious" >>"$prefix/share/stiction/installed.txt"
if sh "$uninstall" "$prefix" >"$work/log" 2>&1; then fail "a path out of the prefix was accepted"; fi
grep -q "leads out of the prefix" "$work/log" || fail "a path out of the prefix is not told"
[ -e "$prefix/include/stiction/stiction.h" ] || fail "a list that is refused removed files"
[ -e "$work/precious" ] || fail "a file outside was removed"
rm -rf "$work"
echo "installed, run, uninstalled"
