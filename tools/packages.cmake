# `cpack -G DEB` in the build folder: packages for Debian, a component each.
#   libstiction       the libraries: the core, the engine, controllers, the customizer
#   stiction          the command
#   stiction-dev      headers, CMake's and pkg-config's files
#   python3-stiction  the Python package, for every architecture
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stiction)
set(CPACK_PACKAGE_VENDOR stiction)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development python)
if(STICTION_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "stiction <stiction@stiction.invalid>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# what the programs link with is found by dpkg-shlibdeps; our own libraries are named here
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(ours "libstiction (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libstiction)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "Joint friction that really sticks: the libraries")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libassimp5") # meshes

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME stiction-dev)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Joint friction that really sticks: headers")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${ours}")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME stiction)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "Joint friction that really sticks: the command")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${ours}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gnuplot-nox, libjs-dygraphs, libassimp5")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "python3-stiction")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-stiction)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Joint friction that really sticks: for Python")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.10), python3-numpy, ${ours}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "stiction (= ${PROJECT_VERSION})")

include(CPack)
