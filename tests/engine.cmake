# SPDX-License-Identifier: MIT
# Tests of the embedded engine and of what hosts share.

# Robots: reading them, their inertias, and whether friction is stable on them
stiction_test(robots/test_robot.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_robot_files.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_stability.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_project.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_world.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_world_cache.c LIBRARIES stiction_mujoco)
target_compile_definitions(test_world_cache PRIVATE SOURCES="${PROJECT_SOURCE_DIR}")
stiction_test(engine/test_body_view.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_contact.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_any_robot.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_meshes.c LIBRARIES stiction_mujoco)
stiction_test(robots/test_vrml.c LIBRARIES stiction_mujoco)

# Projects on the embedded engine
stiction_test(engine/test_simulation.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_pushes.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_loads.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_implicit_engine.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_implicit_driven.c LIBRARIES stiction_mujoco)
stiction_test(engine/test_implicit_later.c LIBRARIES stiction_mujoco)
pkg_check_modules(png IMPORTED_TARGET libpng)
if(png_FOUND)
  stiction_test(engine/test_video.c LIBRARIES stiction_mujoco PkgConfig::png SKIPS)
endif()

# The results of a run
stiction_test(results/test_json.c LIBRARIES stiction_json)
stiction_test(results/test_results.c LIBRARIES stiction_results)
stiction_test(results/test_series.c LIBRARIES stiction_results stiction_storage)
stiction_test(results/test_body_figures.c LIBRARIES stiction_results)
add_executable(print_documented print_documented.c)
target_link_libraries(print_documented PRIVATE stiction_options stiction_results)
# `ninja documents` writes what the test wants to find.
set(documented_figures sh ${CMAKE_CURRENT_SOURCE_DIR}/documented_figures.sh
    $<TARGET_FILE:print_documented> ${PROJECT_SOURCE_DIR}/docs/results.md)
add_test(NAME results.documented COMMAND ${documented_figures})
add_custom_target(documents COMMAND ${documented_figures} --write DEPENDS print_documented VERBATIM)

# Controllers: any, in this process and in others
set(controller_folder ${CMAKE_CURRENT_BINARY_DIR}/controllers)
function(test_controller name)
  add_library(controller_${name} MODULE controllers/faulty.c)
  target_include_directories(controller_${name} PRIVATE ${PROJECT_SOURCE_DIR}/plugin/controllers/include)
  target_link_libraries(controller_${name} PRIVATE stiction_options stiction_static)
  target_compile_definitions(controller_${name} PRIVATE ${ARGN})
  set_target_properties(controller_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${controller_folder})
  set_property(GLOBAL APPEND PROPERTY test_controllers controller_${name})
endfunction()
test_controller(faulty)
test_controller(without_symbol FAULTY_WITHOUT_SYMBOL)
test_controller(other_abi FAULTY_OTHER_ABI)
test_controller(too_small FAULTY_TOO_SMALL)
test_controller(older FAULTY_OLDER)
test_controller(without_step FAULTY_WITHOUT_STEP)
test_controller(crash_in_loading FAULTY_CRASH_IN_LOADING)
get_property(test_controllers GLOBAL PROPERTY test_controllers)
stiction_test(controllers/test_controller_host.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_controller_remote.c LIBRARIES stiction_controllers)
foreach(program test_controller_host test_controller_remote)
  add_dependencies(${program} posture ${test_controllers})
  target_compile_definitions(${program} PRIVATE CONTROLLER_FOLDER="${controller_folder}"
    POSTURE_LIBRARY="$<TARGET_FILE:posture>")
endforeach()

target_sources(test_controller_remote PRIVATE controllers/controller_peer.c)
add_executable(controller_peer controllers/peer.c controllers/controller_peer.c)
target_link_libraries(controller_peer PRIVATE stiction_options stiction_controllers)
set_target_properties(controller_peer PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${controller_folder})

# The posture controller
# what the engine gives a controller
add_library(controller_senses MODULE controllers/senses.c)
target_include_directories(controller_senses PRIVATE ${PROJECT_SOURCE_DIR}/plugin/controllers/include)
target_link_libraries(controller_senses PRIVATE stiction_options stiction_static)
set_target_properties(controller_senses PROPERTIES PREFIX "" OUTPUT_NAME senses
  LIBRARY_OUTPUT_DIRECTORY ${controller_folder})
stiction_test(engine/test_controller_senses.c LIBRARIES stiction_mujoco)
add_dependencies(test_controller_senses controller_senses)
target_compile_definitions(test_controller_senses PRIVATE CONTROLLER_FOLDER="${controller_folder}")
stiction_test(controllers/test_posture.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_posture_config.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_motion.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_compensation.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_whole_body.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_whole_body_config.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_qp.c LIBRARIES stiction_controllers)
stiction_test(controllers/test_qp_hard.c LIBRARIES stiction_controllers)
# all of what the suite has a part of
add_custom_target(qp-all COMMAND ${CMAKE_COMMAND} -E env QP_ROUNDS=10000
  $<TARGET_FILE:test_qp_hard> equalities_beside_bounds_are_solved DEPENDS test_qp_hard VERBATIM)
