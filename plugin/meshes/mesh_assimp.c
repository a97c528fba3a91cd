/* SPDX-License-Identifier: MIT
 * STL, OBJ and DAE by assimp: all nodes with their transforms. As in Choreonoid, the unit of a DAE
 * counts and its up_axis does not.
 */
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/scene.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "triangles.h"

enum { deepest = 1000 };

/* Assimp is loaded with the first mesh: linked, it would cost every run that has none 5 ms. */
static struct {
    __typeof__(&aiCreatePropertyStore) create_settings;
    __typeof__(&aiSetImportPropertyInteger) set_integer;
    __typeof__(&aiImportFileFromMemoryWithProperties) import;
    __typeof__(&aiGetErrorString) error;
    bool is_there;
} assimp;

static void load(void) {
    void *library = dlopen(STICTION_ASSIMP, RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    const struct {
        void *function;
        const char *name;
    } functions[] = {{&assimp.create_settings, "aiCreatePropertyStore"},
                     {&assimp.set_integer, "aiSetImportPropertyInteger"},
                     {&assimp.import, "aiImportFileFromMemoryWithProperties"},
                     {&assimp.error, "aiGetErrorString"}};
    assimp.is_there = true;
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        void *found = dlsym(library, functions[k].name);
        memcpy(functions[k].function, &found, sizeof found);
        assimp.is_there = assimp.is_there && found;
    }
}

void mesh_prepare_assimp(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
}

static frame3 frame_of(const struct aiMatrix4x4 *m) {
    return (frame3){{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->b1, (double)m->b2,
                     (double)m->b3, (double)m->c1, (double)m->c2, (double)m->c3},
                    {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static void add_mesh(triangles *t, const struct aiMesh *mesh, const frame3 *at) {
    const size_t first = t->vertex_count;
    for (unsigned k = 0; k < mesh->mNumVertices; k++) {
        const struct aiVector3D *v = &mesh->mVertices[k];
        const double local[3] = {(double)v->x, (double)v->y, (double)v->z};
        double point[3];
        frame3_point(at, local, point);
        triangles_add_vertex(t, point);
    }
    for (unsigned k = 0; k < mesh->mNumFaces; k++)
        triangles_add_face(t, first, mesh->mFaces[k].mIndices, mesh->mFaces[k].mNumIndices);
}

static void add_node(triangles *t, const struct aiScene *scene, const struct aiNode *node,
                     const frame3 *outer, int depth) {
    if (depth > deepest) triangles_fail(t, "is nested more than %d levels deep", deepest);
    const frame3 own = frame_of(&node->mTransformation), at = frame3_inside(outer, &own);
    for (unsigned k = 0; k < node->mNumMeshes; k++)
        add_mesh(t, scene->mMeshes[node->mMeshes[k]], &at);
    for (unsigned k = 0; k < node->mNumChildren; k++)
        add_node(t, scene, node->mChildren[k], &at, depth + 1);
}

void mesh_import_assimp(triangles *t, const char *path, const char *bytes, size_t size) {
    const char *ending = strrchr(path, '.');
    mesh_prepare_assimp();
    if (!assimp.is_there)
        triangles_fail(t, "needs %s (Debian: libassimp5), which is not there", STICTION_ASSIMP);
    struct aiPropertyStore *settings = assimp.create_settings();
    assimp.set_integer(settings, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene =
        assimp.import(bytes, (unsigned)size, 0, ending ? ending + 1 : "", settings);
    if (!scene || !scene->mRootNode) {
        /* without the name that assimp gives to what is in memory */
        const char *why = assimp.error(), *name_of = strstr(why, " for $$$");
        size_t length = name_of ? (size_t)(name_of - why) : strcspn(why, "\r\n");
        /* nor what it quotes of the file */
        if (strcspn(why, "\"'`") < length) length = strcspn(why, "\"'`");
        triangles_fail(t, "cannot be read: %.*s", (int)length, why);
    }
    add_node(t, scene, scene->mRootNode, &frame3_identity, 0);
}
