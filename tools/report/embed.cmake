# Files that go into every page, as C arrays: cmake -DOUT=... -DFILES="a.css;b.js" -P embed.cmake
set(source "/* Made by embed.cmake. */\n#include \"report/assets.h\"\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND source "const char ${name}[] = {${bytes}0};\n"
    "const size_t ${name}_size = sizeof ${name} - 1;\n")
endforeach()
file(WRITE ${OUT} "${source}")
