/* Meshes are not read yet: each is told. */
#include "mesh.h"

const mesh *mesh_read(reader *r, stiction_place at, const char *path, const double scale[3]) {
    (void)scale;
    stiction_reader_warn(r, at, "the mesh '%s' is not read: it touches nothing", path);
    return NULL;
}
