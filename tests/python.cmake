# SPDX-License-Identifier: MIT
# Tests of the Python package, with an interpreter that has numpy: STICTION_PYTHON, the one of CMake,
# or the system's.
find_package(Python3 COMPONENTS Interpreter QUIET)
set(python "")
foreach(candidate ${STICTION_PYTHON} ${Python3_EXECUTABLE} /usr/bin/python3)
  if(NOT python)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE without_numpy
                    OUTPUT_QUIET ERROR_QUIET)
    if(NOT without_numpy)
      set(python ${candidate})
    endif()
  endif()
endforeach()
if(NOT python)
  message(STATUS "No python3 with numpy (python3-numpy) was found: the tests of Python are skipped")
  return()
endif()

set(python_environment
  PYTHONPATH=${PROJECT_SOURCE_DIR}/plugin/python:${CMAKE_CURRENT_SOURCE_DIR}/python
  STICTION_LIBRARY_PATH=${PROJECT_BINARY_DIR} PYTHONDONTWRITEBYTECODE=1
  STICTION_PYTHON=${python} SOURCES=${PROJECT_SOURCE_DIR} BUILD=${PROJECT_BINARY_DIR}
  PYTHONWARNINGS=error)
if(STICTION_SANITIZE STREQUAL address)
  # the interpreter was built without; what it leaves is not ours
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE asan
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND python_environment LD_PRELOAD=${asan} ASAN_OPTIONS=detect_leaks=0)
endif()

# test_NAME.py is CTest's python.NAME.
function(stiction_python_test name)
  add_test(NAME python.${name}
           COMMAND ${python} ${CMAKE_CURRENT_SOURCE_DIR}/python/test_${name}.py
           WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(python.${name} PROPERTIES ENVIRONMENT "${python_environment}"
                       LABELS python SKIP_RETURN_CODE 77)
endfunction()

set(parts library laws config state batch random implicit lifetime results controller doctests)
if(STICTION_TOOLS)
  list(APPEND parts conformance fit simulation vector gym plot calls examples documented)
endif()
foreach(part ${parts})
  stiction_python_test(${part})
endforeach()

if(TARGET stiction_mujoco_plugin)
  stiction_python_test(mujoco)
  set_tests_properties(python.mujoco PROPERTIES LABELS "python;mujoco3"
    ENVIRONMENT "${python_environment};MUJOCO3_LIBRARY=$<TARGET_FILE:mujoco::mujoco>")
endif()

# What `ninja python-tables` writes
if(TARGET print_python_tables)
  add_test(NAME python.tables COMMAND sh -c "\"$1\" | diff - \"$2\"" sh
           $<TARGET_FILE:print_python_tables> ${PROJECT_SOURCE_DIR}/plugin/python/stiction/_tables.py)
  set_tests_properties(python.tables PROPERTIES LABELS python)
endif()

# Type hints that hold
find_program(MYPY mypy)
if(MYPY)
  add_test(NAME python.types COMMAND ${MYPY} --strict --no-warn-return-any --allow-any-generics
           --no-warn-unused-ignores --cache-dir ${CMAKE_CURRENT_BINARY_DIR}/mypy
           ${PROJECT_SOURCE_DIR}/plugin/python/stiction)
  set_tests_properties(python.types PROPERTIES LABELS python)
else()
  message(STATUS "mypy was not found: the type hints of the Python package are not checked")
endif()

add_test(NAME python.installed COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/python/installed.sh
         ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/python_installed ${python})
set_tests_properties(python.installed PROPERTIES LABELS python)

# From a URDF to a report: the page of newcomers, in C and in Python
if(STICTION_TOOLS)
  add_test(NAME your_robot COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/your_robot.sh
           ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/your_robot ${python})
  set_tests_properties(your_robot PROPERTIES LABELS python)
endif()
