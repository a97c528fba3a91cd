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
                       PATTERN "*.md" PATTERN "*.py"
                       PATTERN "results" EXCLUDE)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT ${data_component})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${data_component}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")

# In no package: dpkg keeps its own records.
install(PROGRAMS tools/install/uninstall.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction
        COMPONENT record)
install(SCRIPT tools/install/record.cmake COMPONENT record)
add_custom_target(uninstall
  COMMAND sh ${PROJECT_SOURCE_DIR}/tools/install/uninstall.sh
          --manifest ${PROJECT_BINARY_DIR}/install_manifest.txt
  COMMENT "Removing what `cmake --install` installed last" VERBATIM USES_TERMINAL)
