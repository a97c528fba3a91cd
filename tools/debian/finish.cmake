# SPDX-License-Identifier: MIT
# Run by cpack when the files of all packages lie in their folders: what Debian wants of a package and
# `cmake --install` does not do. Documents of law, compressed pages, no search path, nothing unneeded.
cmake_policy(VERSION 3.22)
find_program(gzip gzip REQUIRED)
find_program(strip strip REQUIRED)

function(compress file)
  execute_process(COMMAND ${gzip} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where it is set
file(READ ${CPACK_RESOURCE_FILE_LICENSE} license_text)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" found "${license_text}")
set(copyright_holders "${CMAKE_MATCH_1}")
# the text behind the line of the holders, indented, a dot for an empty line
string(REGEX REPLACE "^.*Copyright \\(c\\) [^\n]*\n+" "" license_text "${license_text}")
string(STRIP "${license_text}" license_text)
string(REGEX REPLACE "\n\n" "\n.\n" license_text "${license_text}")
string(REGEX REPLACE "\n" "\n " license_text " ${license_text}")

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  set(documents ${root}/usr/share/doc/${package})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${documents}/copyright @ONLY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${documents}/changelog.Debian @ONLY)
  compress(${documents}/changelog.Debian)
  file(REMOVE ${documents}/LICENSE) # which the copyright is
  if(EXISTS ${documents}/CHANGELOG.md)
    file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
    compress(${documents}/changelog)
  endif()

  file(GLOB pages ${root}/usr/share/man/man*/*.[1-9])
  foreach(page ${pages})
    compress(${page})
  endforeach()

  # in /usr the loader finds libraries by itself
  file(GLOB_RECURSE binaries ${root}/usr/bin/* ${root}/usr/libexec/* ${root}/usr/lib/*.so ${root}/usr/lib/*.so.*)
  foreach(binary ${binaries})
    if(NOT IS_SYMLINK ${binary})
      file(RPATH_REMOVE FILE ${binary})
      execute_process(COMMAND ${strip} --remove-section=.comment --remove-section=.note
                              --strip-unneeded ${binary} COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()

  set(overrides ${root}/usr/share/lintian/overrides/${package})
  file(WRITE ${overrides} "# in no archive, which would have asked for a package like this
${package}: initial-upload-closes-no-bugs *
")
  set(more ${CMAKE_CURRENT_LIST_DIR}/${package}/lintian-overrides)
  if(EXISTS ${more})
    file(READ ${more} text)
    file(APPEND ${overrides} "${text}")
  endif()
  # whoever may write for the group where this is built, nobody may where it is installed
  file(CHMOD_RECURSE ${root}/usr/share/doc DIRECTORY_PERMISSIONS
       OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()
