# SPDX-License-Identifier: MIT
# What is installed beside programs and libraries: configurations, samples and documents; and the
# record of all that is installed, from which it is removed again.
# `before` runs ahead of everything else that is installed, this file behind it.
set(data_component library)
if(STICTION_TOOLS)
  set(data_component command)
endif()
# only what belongs there: whoever tried a sample may have left results beside it
install(DIRECTORY config sample_projects DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction
        COMPONENT ${data_component}
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.cnoid" PATTERN "*.body" PATTERN "*.csv"
                       PATTERN "*.py" PATTERN "*.cpp"
                       PATTERN "results" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${data_component})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${data_component}
        FILES_MATCHING PATTERN "*.png" PATTERN "*.svg" PATTERN "*.gif"
                       PATTERN "page.html")
# the pages, whose links follow
set(pages ${PROJECT_BINARY_DIR}/pages)
install(CODE "execute_process(COMMAND sh \"${PROJECT_SOURCE_DIR}/tools/install/documents.sh\"
  \"${PROJECT_SOURCE_DIR}\" \"${pages}\" \"${CMAKE_INSTALL_DOCDIR}\" \"${CMAKE_INSTALL_DATADIR}\"
  \"${CMAKE_INSTALL_INCLUDEDIR}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${data_component})
install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${data_component}
        PATTERN "config" EXCLUDE PATTERN "sample_projects" EXCLUDE)
install(DIRECTORY ${pages}/sample_projects DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction
        COMPONENT ${data_component})

# In no package: dpkg keeps its own records.
install(PROGRAMS tools/install/uninstall.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction
        COMPONENT record)
install(SCRIPT tools/install/record.cmake COMPONENT record)
add_custom_target(uninstall
  COMMAND sh ${PROJECT_SOURCE_DIR}/tools/install/uninstall.sh
          --manifest ${PROJECT_BINARY_DIR}/install_manifest.txt
  COMMENT "Removing what `cmake --install` installed last" VERBATIM USES_TERMINAL)
