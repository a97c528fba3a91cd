# SPDX-License-Identifier: MIT
# Included ahead of everything that is installed: remembers which folders that programs share were
# there already, so that an uninstall leaves them even if they are empty.
set(shared_folders . ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR} ${CMAKE_INSTALL_LIBDIR}/cmake
    ${CMAKE_INSTALL_LIBDIR}/pkgconfig lib lib/python3 lib/python3/dist-packages
    ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_DATADIR} ${CMAKE_INSTALL_DATADIR}/doc
    ${CMAKE_INSTALL_MANDIR} ${CMAKE_INSTALL_MANDIR}/man1 ${CMAKE_INSTALL_DATADIR}/bash-completion
    ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${CMAKE_INSTALL_DATADIR}/zsh
    ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(CODE "
set(STICTION_RECORD_FOLDER \"${CMAKE_INSTALL_DATADIR}/stiction\")
set(STICTION_RECORD_VERSION \"${PROJECT_VERSION}\")
set(STICTION_FOLDERS_BEFORE)
foreach(folder ${shared_folders})
  if(EXISTS \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${folder}\")
    list(APPEND STICTION_FOLDERS_BEFORE \"\${folder}\")
  endif()
endforeach()
# folders above the prefix that are made with it
set(STICTION_PARENTS_MADE 0)
set(parent \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
if(NOT EXISTS \"\${parent}\")
  get_filename_component(parent \"\${parent}\" DIRECTORY)
  while(NOT EXISTS \"\${parent}\")
    math(EXPR STICTION_PARENTS_MADE \"\${STICTION_PARENTS_MADE} + 1\")
    get_filename_component(parent \"\${parent}\" DIRECTORY)
  endwhile()
endif()
" COMPONENT record)
