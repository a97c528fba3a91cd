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
mujoco3_test(mujoco3/test_mujoco_step.c)
target_link_libraries(test_mujoco_step PRIVATE stiction_mujoco_plugin)
# Models of others, where the environment names folders of them
if(STICTION_TOOLS)
  foreach(program at_rest free_motion)
    add_executable(${program} mujoco3/${program}.c)
    target_link_libraries(${program} PRIVATE stiction_options mujoco::mujoco m)
    target_include_directories(${program} SYSTEM PRIVATE ${mujoco3_include})
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/plugin)
    set_target_properties(${program} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  endforeach()
  add_test(NAME mujoco3.free_motion COMMAND sh
           ${CMAKE_CURRENT_SOURCE_DIR}/mujoco3/free_motion.sh
           $<TARGET_FILE:stiction_command> $<TARGET_FILE:free_motion>)
  set_tests_properties(mujoco3.free_motion PROPERTIES LABELS mujoco3 SKIP_RETURN_CODE 77)
  add_test(NAME mujoco3.robots COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mujoco3/robots.sh
           $<TARGET_FILE:stiction_command> $<TARGET_FILE:at_rest>
           $<TARGET_FILE:stiction_mujoco_plugin>)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND)
    add_test(NAME mujoco3.merge COMMAND ${Python3_EXECUTABLE}
             ${CMAKE_CURRENT_SOURCE_DIR}/mujoco3/merge.py $<TARGET_FILE:stiction_command>
             $<TARGET_FILE:at_rest> $<TARGET_FILE:stiction_mujoco_plugin>)
    set_tests_properties(mujoco3.merge PROPERTIES LABELS mujoco3)
  endif()
  set_tests_properties(mujoco3.robots PROPERTIES LABELS mujoco3 SKIP_RETURN_CODE 77)
endif()
