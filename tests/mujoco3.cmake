# SPDX-License-Identifier: MIT
# Friction inside MuJoCo 3: with MuJoCo's own library, where it is installed.
if(NOT TARGET stiction_mujoco_plugin)
  add_test(NAME mujoco3 COMMAND ${CMAKE_COMMAND} -E echo "skipped: MuJoCo 3 was not found")
  set_tests_properties(mujoco3 PROPERTIES LABELS mujoco3 SKIP_REGULAR_EXPRESSION skipped)
  return()
endif()
get_target_property(mujoco3_include mujoco::mujoco INTERFACE_INCLUDE_DIRECTORIES)
function(mujoco3_test file)
  stiction_test(${file} ${ARGN} LIBRARIES mujoco::mujoco LABELS mujoco3)
  get_filename_component(program ${file} NAME_WE)
  target_include_directories(${program} SYSTEM PRIVATE ${mujoco3_include})
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/plugin)
  target_compile_definitions(${program} PRIVATE
    PLUGIN_LIBRARY="$<TARGET_FILE:stiction_mujoco_plugin>")
  add_dependencies(${program} stiction_mujoco_plugin)
endfunction()
mujoco3_test(mujoco3/test_mujoco_plugin.c)
mujoco3_test(mujoco3/test_mujoco_cost.c)
