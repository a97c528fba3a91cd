# SPDX-License-Identifier: MIT
# Files that go into pages, as C arrays: cmake -DOUT=... -DFILES="a.css;b.js" -DJOINED=name
# -DPARTS="c.js;d.js" -P embed.cmake, where the parts become one array of that name.
set(source "/* Made by embed.cmake. */\n#include \"report/assets.h\"\n")
function(add_array name)
  set(all "")
  foreach(file ${ARGN})
    file(READ ${file} bytes HEX)
    string(APPEND all "${bytes}")
  endforeach()
  string(REGEX REPLACE "(..)" "0x\\1," all "${all}")
  set(source "${source}const char ${name}[] = {${all}0};\n"
      "const size_t ${name}_size = sizeof ${name} - 1;\n")
  string(REPLACE ";const size_t" "const size_t" source "${source}")
  set(source "${source}" PARENT_SCOPE)
endfunction()
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  add_array(${name} ${file})
endforeach()
add_array(${JOINED} ${PARTS})
file(WRITE ${OUT} "${source}")
