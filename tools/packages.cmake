# SPDX-License-Identifier: MIT
# `cpack` in the build folder: packages for Debian, a component each.
#   libstiction          the libraries: the core, the engine, the customizer
#   stiction             the command, controllers, configurations, sample projects, documents
#   stiction-extras      the programs of stiction bench and stiction reproduce
#   stiction-dev         headers, CMake's and pkg-config's files
#   python3-stiction     the Python package, for every architecture
#   stiction-mujoco      the plugin for MuJoCo 3, where one was found; nothing of MuJoCo's own
#   stiction-choreonoid  Choreonoid's plugin, where Choreonoid was found; nothing of Choreonoid's own
# What Debian wants beside the files is in tools/debian. `cmake --build build --target packages-check`
# tries them in a clean root.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stiction)
set(CPACK_PACKAGE_VENDOR stiction)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development python)
if(STICTION_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL command extras)
endif()
if(TARGET stiction_mujoco_plugin)
  list(APPEND CPACK_COMPONENTS_ALL mujoco)
endif()
if(TARGET CnoidStictionPlugin)
  list(APPEND CPACK_COMPONENTS_ALL choreonoid)
endif()
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tools/debian/finish.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "stiction <stiction@stiction.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# what the programs link with is found by dpkg-shlibdeps; our own libraries are named here
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(ours "libstiction (= ${version})")
set(about "A joint that is pushed below its static torque stands still, in any simulator
and at any time step: discrete-time friction with a bristle, by closed forms of
the laws of Coulomb, Stribeck and others.")

# A program that links with a library depends on its ABI, which the package provides.
set(provides)
set(shlibs)
foreach(library stiction stiction_engine)
  if(TARGET ${library})
    get_target_property(soversion ${library} SOVERSION)
    string(REPLACE _ - name ${library})
    list(APPEND provides "lib${name}-abi-${soversion}")
    string(APPEND shlibs
      "lib${library} ${soversion} libstiction (>= ${PROJECT_VERSION}), lib${name}-abi-${soversion}\n")
  endif()
endforeach()
list(JOIN provides ", " provides)
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "${shlibs}")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libstiction)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "joint friction that really sticks: libraries
${about}
.
This package has the core and the embedded engine as shared libraries, and the
body customizer for Choreonoid.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_PROVIDES "${provides}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libassimp5") # meshes
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
    "${PROJECT_BINARY_DIR}/debian/shlibs;${PROJECT_SOURCE_DIR}/tools/debian/libstiction/triggers")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME stiction-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "joint friction that really sticks: headers
${about}
.
This package has what programs in C and C++ are built with: headers, files for
pkg-config and CMake, and examples of controllers.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${ours}")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME stiction)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "joint friction that really sticks: the command
${about}
.
This package has the command, which checks and draws friction, simulates robots
and projects and writes reports, with configurations and sample projects.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${ours}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gnuplot-nox, libjs-dygraphs, libjs-three, libassimp5")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "stiction-extras, python3-stiction")

set(CPACK_DEBIAN_EXTRAS_PACKAGE_NAME stiction-extras)
set(CPACK_DEBIAN_EXTRAS_DESCRIPTION "joint friction that really sticks: bench and papers
${about}
.
This package has the programs that 'stiction bench' and 'stiction reproduce'
start: what friction costs, and the experiments of the papers.")
set(CPACK_DEBIAN_EXTRAS_PACKAGE_DEPENDS "stiction (= ${version})")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-stiction)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "joint friction that really sticks: for Python
${about}
.
This package has the Python package, over numpy and the shared libraries.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.10), python3-numpy, ${ours}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "stiction (= ${version})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/tools/debian/python3-stiction/postinst;${PROJECT_SOURCE_DIR}/tools/debian/python3-stiction/prerm")

# MuJoCo 3 is in no Debian 12; a program that loads the plugin has its own.
set(CPACK_DEBIAN_MUJOCO_PACKAGE_NAME stiction-mujoco)
set(CPACK_DEBIAN_MUJOCO_DESCRIPTION "joint friction that really sticks: plugin for MuJoCo 3
${about}
.
This package has the engine plugin libstiction_mujoco.so, for programs
with the version of MuJoCo that it was built for.")
set(CPACK_DEBIAN_MUJOCO_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MUJOCO_PACKAGE_DEPENDS "libc6, libyaml-0-2")

# Choreonoid is in no Debian; whoever has it has its libraries, which the plugin is loaded into.
set(CPACK_DEBIAN_CHOREONOID_PACKAGE_NAME stiction-choreonoid)
set(CPACK_DEBIAN_CHOREONOID_DESCRIPTION "joint friction that really sticks: Choreonoid's plugin
${about}
.
This package has the item plugin, the customizer and the controllers, in
/usr/${STICTION_CHOREONOID_PLUGIN_SUBDIR}. A Choreonoid outside /usr finds them
there through CNOID_PLUGIN_PATH.")
set(CPACK_DEBIAN_CHOREONOID_PACKAGE_ENHANCES "choreonoid")
if(TARGET CnoidStictionPlugin)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${STICTION_CHOREONOID_ROOT}/lib
       ${STICTION_CHOREONOID_ROOT}/${STICTION_CHOREONOID_PLUGIN_SUBDIR})
endif()

include(CPack)

add_custom_target(packages-check
  COMMAND sh ${PROJECT_SOURCE_DIR}/tools/packages_check.sh ${PROJECT_BINARY_DIR}
  COMMENT "Debian's packages in a clean root" VERBATIM USES_TERMINAL)
