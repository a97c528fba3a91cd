# Tests of the embedded engine and of what hosts share.
stiction_test(test_linear.c LIBRARIES stiction_linear)

# Robots: reading them, their inertias, and whether friction is stable on them
stiction_test(test_robot.c LIBRARIES stiction_mujoco)
stiction_test(test_stability.c LIBRARIES stiction_mujoco)
stiction_test(test_project.c LIBRARIES stiction_mujoco)
stiction_test(test_world.c LIBRARIES stiction_mujoco)
stiction_test(test_body_view.c LIBRARIES stiction_mujoco)
stiction_test(test_contact.c LIBRARIES stiction_mujoco)
stiction_test(test_meshes.c LIBRARIES stiction_mujoco)

# Projects on the embedded engine
stiction_test(test_simulation.c LIBRARIES stiction_mujoco)
stiction_test(test_implicit_engine.c LIBRARIES stiction_mujoco TIMEOUT 300)
stiction_test(test_implicit_driven.c LIBRARIES stiction_mujoco TIMEOUT 300)
stiction_test(test_implicit_later.c LIBRARIES stiction_mujoco TIMEOUT 300)
pkg_check_modules(png IMPORTED_TARGET libpng)
if(png_FOUND)
  stiction_test(test_video.c LIBRARIES stiction_mujoco PkgConfig::png SKIPS)
endif()

# The results of a run
stiction_test(test_results.c LIBRARIES stiction_results)
add_executable(print_documented print_documented.c)
target_link_libraries(print_documented PRIVATE stiction_options stiction_results)
# `ninja documents` writes what the test wants to find.
set(documented_figures sh ${CMAKE_CURRENT_SOURCE_DIR}/documented_figures.sh
    $<TARGET_FILE:print_documented> ${PROJECT_SOURCE_DIR}/docs/running.md)
add_test(NAME results.documented COMMAND ${documented_figures})
add_custom_target(documents COMMAND ${documented_figures} --write DEPENDS print_documented VERBATIM)

# The posture controller
stiction_test(test_posture.c LIBRARIES stiction_controllers)
stiction_test(test_posture_config.c LIBRARIES stiction_controllers)
stiction_test(test_motion.c LIBRARIES stiction_controllers)
stiction_test(test_qp.c LIBRARIES stiction_controllers TIMEOUT 300)
find_path(CGAL_HEADERS CGAL/QP_functions.h)
find_library(GMP_LIBRARY gmp)
if(CGAL_HEADERS AND GMP_LIBRARY)
  # header only; a find_package(CGAL) would change the flags of everything here
  stiction_test(test_qp_exact.cpp LIBRARIES stiction_controllers ${GMP_LIBRARY} PkgConfig::mpfr TIMEOUT 60)
  target_include_directories(test_qp_exact SYSTEM PRIVATE ${CGAL_HEADERS})
  target_compile_definitions(test_qp_exact PRIVATE CGAL_USE_GMP CGAL_USE_MPFR)
else()
  message(STATUS "CGAL was not found: the quadratic program is not compared with an exact solver")
endif()
