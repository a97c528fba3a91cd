/* SPDX-License-Identifier: MIT */
/* In place of assimp, where a build goes without. */
#include "triangles.h"

void mesh_prepare_assimp(void) {}

bool mesh_import_assimp(triangles *t, const char *name, const char *bytes, size_t size) {
    (void)name, (void)bytes, (void)size;
    return triangles_fail(t, "needs assimp (libassimp-dev), which this build goes without");
}
