# SPDX-License-Identifier: MIT
# As a subfolder of Choreonoid's own build, where a link in its ext/ puts us: the plugin, the
# controller and the customizer are built into its folders and installed with it, without MuJoCo from
# Debian, the command or the tests. Choreonoid's tree is stood for by a project with its targets.
. "$(dirname "$0")/lib.sh"
needs_own_prefix
mkdir "$work/tree"
cat >"$work/tree/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(Choreonoid C CXX)
find_package(Choreonoid REQUIRED)
set(CMAKE_CXX_STANDARD ${CHOREONOID_CXX_STANDARD})
add_library(CnoidBodyPlugin INTERFACE)
target_link_libraries(CnoidBodyPlugin INTERFACE Choreonoid::CnoidBodyPlugin)
add_library(CnoidBase INTERFACE)
target_link_libraries(CnoidBase INTERFACE Choreonoid::CnoidBase)
add_subdirectory(ext/stiction)
CMAKE
mkdir "$work/tree/ext"
ln -s "$SOURCES" "$work/tree/ext/stiction"
{
    cmake -S "$work/tree" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
        -DCMAKE_PREFIX_PATH="$(dirname "$CHOREONOID")/.." -DCMAKE_INSTALL_PREFIX="$work/installed" &&
        cmake --build "$work/build" && cmake --install "$work/build"
} >"$work/log" 2>&1 || fail "it does not build"
for file in libCnoidStictionPlugin.so simplecontroller/StictionPostureController.so \
    simplecontroller/StictionController.so \
    customizer/StictionCustomizer.so; do
    [ -e "$(echo "$work"/installed/lib/choreonoid-*/)$file" ] || fail "$file is not installed"
done
[ -e "$(echo "$work"/build/lib/choreonoid-*/)libCnoidStictionPlugin.so" ] ||
    fail "the plugin is not beside Choreonoid's own"
[ ! -e "$work/build/ext/stiction/stiction" ] || fail "the command was built"

PLUGINS=$(echo "$work"/installed/lib/choreonoid-*/)
project "$work/wrist.cnoid"
choreonoid "$work/out" "$work/wrist.cnoid" || fail "exit code $?"
near "stop angle, deg" \
    "$(degrees "$(figure "$work/out/Simulator/summary.json" RWRR final_position)")" 69.877 0.03
finish
