# SPDX-License-Identifier: MIT
# Tests of the stiction command, of its pages, and of projects in the simulators.
# Its figures, and what it says
stiction_test(tools/test_command.c)
target_compile_definitions(test_command PRIVATE STICTION_COMMAND="$<TARGET_FILE:stiction_command>")
add_dependencies(test_command stiction_command)
stiction_test(tools/test_table.c LIBRARIES stiction_tools)
stiction_test(tools/test_manifest.c LIBRARIES stiction_storage)
stiction_test(tools/test_place.c LIBRARIES stiction_tools)
stiction_test(tools/test_common.c LIBRARIES stiction_tools)
stiction_test(tools/test_plot.c LIBRARIES stiction_tools)
if(TARGET stiction_fit)
  stiction_test(tools/test_fit.c LIBRARIES stiction_fit m)
endif()
stiction_test(sweep/test_select.c LIBRARIES stiction_sweep_file)
stiction_test(sweep/test_sampling.c LIBRARIES stiction_sweep_file m)
stiction_test(sweep/test_sweep_file.c LIBRARIES stiction_sweep_file)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
stiction_test(sweep/test_records.c LIBRARIES stiction_sweep PkgConfig::sqlite3)
stiction_test(sweep/test_sweep_tables.c LIBRARIES stiction_sweep)
stiction_test(sweep/test_processes.c LIBRARIES stiction_sweep ${CMAKE_DL_LIBS})
stiction_test(sweep/test_picture.c LIBRARIES stiction_sweep)
stiction_test(sweep/test_run_values.c LIBRARIES stiction_sweep)
foreach(part usage help terminal curve import export fit fit_motion excite replay run health results series random report sweep sweep_plot sweep_store sampling search jobs workers precheck bench reproduce robots coupling new standing video hostile choreonoid_start)
  add_test(NAME command.${part} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/${part}.sh
           $<TARGET_FILE:stiction_command>)
endforeach()
set_tests_properties(command.search command.fit command.fit_motion command.excite command.video PROPERTIES SKIP_RETURN_CODE 77) # without NLopt, GSL or ffmpeg
# Sweeps on Slurm: with scripts in place of it, and on a real one where it is installed (minutes)
if(NOT STICTION_SANITIZE)
  add_test(NAME command.slurm COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/slurm.sh
           $<TARGET_FILE:stiction_command>)
  add_test(NAME slurm COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/slurm/slurm.sh
           $<TARGET_FILE:stiction_command>)
  set_tests_properties(slurm PROPERTIES LABELS slurm SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
# Every other allocation of a verb fails in turn.
add_library(fail_allocation MODULE fail_allocation.c)
set_target_properties(fail_allocation PROPERTIES PREFIX "" C_VISIBILITY_PRESET default)
target_link_libraries(fail_allocation PRIVATE ${CMAKE_DL_LIBS})
add_test(NAME command.memory COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/memory.sh
         $<TARGET_FILE:stiction_command> $<TARGET_FILE:fail_allocation>)
if(NOT STICTION_SANITIZE)
  add_test(NAME command.valgrind COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/valgrind.sh
           $<TARGET_FILE:stiction_command>)
  set_tests_properties(command.valgrind PROPERTIES LABELS valgrind SKIP_RETURN_CODE 77)
endif()
add_test(NAME installed_controllers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/consumer/controllers.sh
         ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/installed_controllers)
# SECURITY.md promises nothing that no test keeps
add_test(NAME security COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/security.sh ${PROJECT_SOURCE_DIR}
         ${PROJECT_BINARY_DIR} ${CMAKE_CTEST_COMMAND})
# Debian's packages: lintian says nothing against them. `packages-check` tries them in a clean root.
add_test(NAME packages COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/packages.sh ${PROJECT_BINARY_DIR})
set_tests_properties(packages PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME command.controller COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/controller.sh
         $<TARGET_FILE:stiction_command> $<TARGET_FILE:posture> ${controller_folder})
# mc_rtc behind its bridge, where both are installed, and the figures of its study (label long)
add_test(NAME mc_rtc.bridge COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mc_rtc/bridge.sh
         $<TARGET_FILE:stiction_command> ${PROJECT_BINARY_DIR}/controllers/mc_rtc.so)
add_test(NAME mc_rtc.study COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/mc_rtc/study.sh
         $<TARGET_FILE:stiction_command> ${PROJECT_BINARY_DIR}/controllers/mc_rtc.so
         $<$<TARGET_EXISTS:CnoidStictionPlugin>:--choreonoid>)
set_tests_properties(mc_rtc.bridge mc_rtc.study PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(mc_rtc.study PROPERTIES LABELS long TIMEOUT 1800)
# some forty runs of a humanoid: too long where every instruction is watched
if(NOT STICTION_SANITIZE)
  add_test(NAME command.whole_body COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/whole_body.sh
           $<TARGET_FILE:stiction_command> $<TARGET_FILE:whole_body>)
  add_test(NAME command.compensation COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/compensation.sh
           $<TARGET_FILE:stiction_command>)
  add_test(NAME command.robustness COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/command/robustness.sh
           $<TARGET_FILE:stiction_command>)
endif()
add_test(NAME command.documented COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/run_documented_commands.sh
         ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})

# The engine as others have it: the shared library alone
stiction_test(engine/test_engine.c LIBRARIES stiction_engine ABI)
stiction_test(engine/test_vector.c LIBRARIES stiction_engine ABI)

# Reports of runs, and their pages in a browser
add_executable(make_reports report/make_reports.c)
target_link_libraries(make_reports PRIVATE stiction_options stiction_sweep stiction_results m)
add_executable(make_sweep report/make_sweep.c)
target_link_libraries(make_sweep PRIVATE stiction_options stiction_sweep m)
stiction_test(tools/test_report.c LIBRARIES stiction_report stiction_results)
add_test(NAME report.chromium
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/report/chromium.sh $<TARGET_FILE:make_reports>)
add_test(NAME report.sweep COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/report/sweep_page.sh
         $<TARGET_FILE:make_sweep>)
add_test(NAME report.replay COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/report/replay.sh
         $<TARGET_FILE:stiction_command> ${PROJECT_SOURCE_DIR}/sample_projects)
add_test(NAME report.index COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/report/index.sh
         $<TARGET_FILE:stiction_command> ${PROJECT_SOURCE_DIR}/sample_projects)
add_test(NAME report.tables COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/report/tables.sh
                                    $<TARGET_FILE:stiction_command> ${PROJECT_SOURCE_DIR}/sample_projects)
set_tests_properties(report.chromium report.index report.replay report.sweep report.tables PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME peers COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/peers.sh ${PROJECT_SOURCE_DIR}
         ${CMAKE_CURRENT_BINARY_DIR}/peers)
add_test(NAME site COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/site.py ${PROJECT_SOURCE_DIR}
         ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/site)
set_tests_properties(site PROPERTIES SKIP_RETURN_CODE 77)
if(TARGET playground)
  add_test(NAME playground COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/playground/page.sh
           ${PROJECT_BINARY_DIR} $<TARGET_FILE:stiction_command>)
  set_tests_properties(playground PROPERTIES SKIP_RETURN_CODE 77)
endif()

# The papers, reproduced
stiction_test(tools/test_reproduce.c LIBRARIES stiction_reproduce)
add_test(NAME gallery COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/gallery.sh
         $<TARGET_FILE:stiction_command>)
set_tests_properties(gallery PROPERTIES LABELS gallery)

# The figures of the sample projects against their expected.yaml; any engine may have run them
add_executable(check_expected check_expected.c)
target_link_libraries(check_expected PRIVATE stiction_options stiction_static m)
set_target_properties(check_expected PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                      ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME samples.checker COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/check_expected.sh
         $<TARGET_FILE:check_expected>)
add_test(NAME samples.mujoco COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/samples.sh
         $<TARGET_FILE:stiction_command> $<TARGET_FILE:check_expected> mujoco)

add_test(NAME choreonoid.translations
         COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/choreonoid/translations.sh ${PROJECT_SOURCE_DIR}
         WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

# In the real Choreonoid, where it is installed
if(TARGET CnoidStictionPlugin)
  stiction_test(choreonoid/test_body_friction.cpp LABELS choreonoid
                LIBRARIES Choreonoid::CnoidBody stiction_stability_numbers stiction_results)
  set(sources_of_friction ../plugin/choreonoid/BodyDynamics.cpp
                          ../plugin/choreonoid/BodyFriction.cpp
                          ../plugin/choreonoid/FrictionJoints.cpp)
  target_sources(test_body_friction PRIVATE ${sources_of_friction})
  target_compile_definitions(test_body_friction PRIVATE
    WRIST_BODY="${PROJECT_SOURCE_DIR}/sample_projects/wrist/wrist.body"
    FINGER_BODY="${PROJECT_SOURCE_DIR}/sample_projects/finger/finger.body"
    FINGER_YAML="${PROJECT_SOURCE_DIR}/sample_projects/finger/finger.yaml"
    HUMANOID_BODY="${PROJECT_SOURCE_DIR}/sample_projects/humanoid/humanoid.body")
  stiction_test(choreonoid/test_body_readings.cpp LABELS choreonoid
                LIBRARIES Choreonoid::CnoidBody stiction_controllers stiction_mujoco)
  target_sources(test_body_readings PRIVATE choreonoid/embedded_body.c
                                            ../plugin/choreonoid/BodyDynamics.cpp
                                            ../plugin/choreonoid/BodyReadings.cpp)
  target_compile_definitions(test_body_readings PRIVATE
    HUMANOID_BODY="${PROJECT_SOURCE_DIR}/sample_projects/humanoid/humanoid.body"
    HUMANOID_PROJECT="${PROJECT_SOURCE_DIR}/sample_projects/humanoid/humanoid_standing.cnoid"
    ARM7_BODY="${PROJECT_SOURCE_DIR}/sample_projects/arm7/arm7.body"
    ARM7_PROJECT="${PROJECT_SOURCE_DIR}/sample_projects/arm7/arm7.cnoid")
  stiction_test(engine/test_world_models.c LABELS choreonoid LIBRARIES stiction_mujoco)
  target_compile_definitions(test_world_models PRIVATE
    CHOREONOID_SHARE="${STICTION_CHOREONOID_SHARE}")
  # Choreonoid's own way of counting in int
  set_source_files_properties(choreonoid/test_body_friction.cpp choreonoid/test_body_readings.cpp
    ${sources_of_friction} ../plugin/choreonoid/BodyReadings.cpp
    PROPERTIES COMPILE_OPTIONS "-Wno-conversion;-Wno-sign-conversion")
  # a plugin that uses the view; not installed, as choreonoid_add_plugin would
  add_library(CnoidStictionViewTestPlugin MODULE choreonoid/view/StictionViewTestPlugin.cpp)
  target_link_libraries(CnoidStictionViewTestPlugin Choreonoid::CnoidBodyPlugin)
  set_target_properties(CnoidStictionViewTestPlugin PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/choreonoid)
  set_target_properties(test_body_friction test_body_readings CnoidStictionViewTestPlugin PROPERTIES
    CXX_STANDARD ${STICTION_CHOREONOID_CXX_STANDARD})
  set(surroundings
    CHOREONOID=${STICTION_CHOREONOID_ROOT}/bin/choreonoid
    PLUGINS=${STICTION_CHOREONOID_PLUGINS}
    CUSTOMIZER=$<TARGET_FILE:StictionCustomizer>
    STICTION=$<TARGET_FILE:stiction_command>
    BUILD=${PROJECT_BINARY_DIR}
    SOURCES=${PROJECT_SOURCE_DIR}
    SHARE=${STICTION_CHOREONOID_SHARE}
    ADVERSARY=$<TARGET_FILE:adversary>
    CHECK_EXPECTED=$<TARGET_FILE:check_expected>
    VIEW_TEST=$<TARGET_FILE_DIR:CnoidStictionViewTestPlugin>)
  foreach(case wrist in_tree any_controller controller implicit coupling overrides holding no_controller customizer
               mistakes robots starts overhead results command two_items velocities view walk
               without_friction sample_projects pushes loads whole_body runge_kutta messages adversary)
    add_test(NAME choreonoid.${case}
             COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/choreonoid/${case}.sh)
    set_tests_properties(choreonoid.${case} PROPERTIES LABELS choreonoid SKIP_RETURN_CODE 77
                         ENVIRONMENT "${surroundings}")
  endforeach()
  # every simulator item that is installed
  foreach(item AIST ODE PhysX MuJoCo)
    foreach(road item customizer)
      add_test(NAME choreonoid.matrix_${item}_${road}
               COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/choreonoid/matrix.sh ${item} ${road})
      list(APPEND matrix choreonoid.matrix_${item}_${road})
    endforeach()
    add_test(NAME choreonoid.others_${item}
             COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/choreonoid/others.sh ${item})
    list(APPEND matrix choreonoid.others_${item})
  endforeach()
  set_tests_properties(${matrix} PROPERTIES LABELS choreonoid SKIP_RETURN_CODE 77
                       ENVIRONMENT "${surroundings}")
  add_test(NAME choreonoid.samples COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/samples.sh
           $<TARGET_FILE:stiction_command> $<TARGET_FILE:check_expected> choreonoid)
  set_tests_properties(choreonoid.samples PROPERTIES LABELS choreonoid)
endif()

# Random sequences of calls of the engine; `engine_calls --seed S --cases N` in tests/ runs more.
add_executable(engine_calls engine/engine_calls.c)
target_include_directories(engine_calls PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(engine_calls PRIVATE stiction_options stiction_engine stiction m)
set_target_properties(engine_calls PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
add_test(NAME engine_calls COMMAND engine_calls --seed 1
         WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

# Random robots with random friction; `adversary --seed S --cases N` runs more of them.
add_executable(adversary adversary/adversary.c)
target_include_directories(adversary PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(adversary PRIVATE stiction_options stiction_engine stiction m)
set_target_properties(adversary PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
if(STICTION_SANITIZE)
  set(adversary_cases 100)
else()
  set(adversary_cases 2000)
endif()
add_test(NAME adversary COMMAND adversary --seed 1 --cases ${adversary_cases})
set_tests_properties(adversary PROPERTIES ENVIRONMENT "STICTION=$<TARGET_FILE:stiction_command>"
                     LABELS long)
