# SPDX-License-Identifier: MIT
# Run at the end of `cmake --install`: writes installed.txt, the list that uninstall.sh reads. A line is
# a file with its checksum, a link, or a folder that was made; paths are below the prefix, so that the
# list holds with DESTDIR and in a tree that was moved.
cmake_policy(VERSION 3.22)
set(place "${CMAKE_INSTALL_PREFIX}/${STICTION_RECORD_FOLDER}")
file(RELATIVE_PATH up "${place}" "${CMAKE_INSTALL_PREFIX}")
set(lines)
set(paths)
set(folders)
foreach(file ${CMAKE_INSTALL_MANIFEST_FILES})
  set(real "$ENV{DESTDIR}${file}")
  file(RELATIVE_PATH path "${CMAKE_INSTALL_PREFIX}" "${file}")
  set(is_below TRUE)
  if(path MATCHES "^\\.\\./")
    set(path "${file}") # a folder that was configured with an absolute path
    set(is_below FALSE)
  endif()
  if(IS_SYMLINK "${real}")
    list(APPEND lines "link  ${path}")
  else()
    file(SHA256 "${real}" sum)
    list(APPEND lines "${sum}  ${path}")
  endif()
  list(APPEND paths "${path}")
  get_filename_component(folder "${path}" DIRECTORY)
  while(is_below AND NOT folder STREQUAL "")
    list(APPEND folders "${folder}")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()
list(APPEND folders "${STICTION_RECORD_FOLDER}" .)
list(REMOVE_DUPLICATES folders)
if(STICTION_FOLDERS_BEFORE)
  list(REMOVE_ITEM folders ${STICTION_FOLDERS_BEFORE})
endif()

# what an earlier version installed there, and this one does not, is still ours to remove
set(list_file "$ENV{DESTDIR}${place}/installed.txt")
if(EXISTS "${list_file}")
  file(STRINGS "${list_file}" earlier)
  foreach(line ${earlier})
    if(line MATCHES "^folder  (.*)$")
      list(APPEND folders "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^parents  ([0-9]+)$")
      set(STICTION_PARENTS_MADE ${CMAKE_MATCH_1})
    elseif(line MATCHES "^([0-9a-f]+|link)  (.*)$" AND NOT CMAKE_MATCH_2 IN_LIST paths)
      list(APPEND lines "${line}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
endif()

list(SORT lines)
list(SORT folders)
list(TRANSFORM folders PREPEND "folder  ")
list(JOIN lines "\n" lines)
list(JOIN folders "\n" folders)
file(WRITE "${list_file}" "# what stiction ${STICTION_RECORD_VERSION} installed; uninstall.sh beside this file removes it
prefix  ${up}
parents  ${STICTION_PARENTS_MADE}
${lines}
${folders}
")
message(STATUS "Installing: ${list_file}")
list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${place}/installed.txt")
