/* SPDX-License-Identifier: MIT */
/* The shapes of a world for the replay of its runs. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/command.h"
#include "common/whole_file.h"

/* A mesh with more faces than this is simplified, in a grid of so many cells along its longest
 * side. */
enum { most_faces = 4000, finest_grid = 48 };

/* ---- numbers ---- */

static void print_numbers(FILE *out, const char *key, const mjtNum *values, int count) {
    fprintf(out, ",\"%s\":[", key);
    for (int k = 0; k < count; k++) fprintf(out, "%s%.6g", k ? "," : "", values[k]);
    fputc(']', out);
}

static void print_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "\"%s\":\"", key);
    for (const char *c = text ? text : ""; *c; c++)
        if ((unsigned char)*c < 0x20 || strchr("\"\\<>&", *c))
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    fputc('"', out);
}

/* ---- meshes ---- */

typedef struct shape_mesh {
    float *vertices; /* three each */
    int *faces;      /* three vertices each */
    int vertex_count, face_count;
} shape_mesh;

/* Vertices of one cell of a grid become one, their mean; faces that collapse vanish. */
static void simplify(shape_mesh *m, int cells) {
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF},
          high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    float longest = 0;
    for (int k = 0; k < 3 * m->vertex_count; k++) {
        low[k % 3] = fminf(low[k % 3], m->vertices[k]);
        high[k % 3] = fmaxf(high[k % 3], m->vertices[k]);
    }
    for (int k = 0; k < 3; k++) longest = fmaxf(longest, high[k] - low[k]);
    if (!(longest > 0)) return;
    const size_t n = (size_t)cells + 1;
    AUTO_FREE int *cell_of =
        allocate(n * n * n, sizeof *cell_of); /* number of its vertex, from 1 */
    AUTO_FREE int *to = allocate((size_t)m->vertex_count, sizeof *to);
    AUTO_FREE int *members = allocate((size_t)m->vertex_count, sizeof *members);
    AUTO_FREE double *sums = allocate(3 * (size_t)m->vertex_count, sizeof *sums);
    int count = 0;
    for (int k = 0; k < m->vertex_count; k++) {
        const float *v = m->vertices + 3 * k;
        size_t cell = 0;
        for (int axis = 0; axis < 3; axis++)
            cell = cell * n + (size_t)((v[axis] - low[axis]) / longest * (float)cells);
        if (!cell_of[cell]) cell_of[cell] = ++count;
        to[k] = cell_of[cell] - 1;
        members[to[k]]++;
        for (int axis = 0; axis < 3; axis++) sums[3 * to[k] + axis] += (double)v[axis];
    }
    for (int k = 0; k < 3 * count; k++) m->vertices[k] = (float)(sums[k] / members[k / 3]);
    m->vertex_count = count;
    int kept = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int *old = m->faces + 3 * f;
        const int a = to[old[0]], b = to[old[1]], c = to[old[2]];
        if (a == b || b == c || c == a) continue;
        m->faces[3 * kept] = a, m->faces[3 * kept + 1] = b, m->faces[3 * kept + 2] = c;
        kept++;
    }
    m->face_count = kept;
}

static shape_mesh mesh_of(const mjModel *model, int id) {
    shape_mesh m = {.vertex_count = model->mesh_vertnum[id], .face_count = model->mesh_facenum[id]};
    const size_t vertices = 3 * (size_t)m.vertex_count, faces = 3 * (size_t)m.face_count;
    m.vertices = allocate(vertices + 1, sizeof *m.vertices);
    m.faces = allocate(faces + 1, sizeof *m.faces);
    memcpy(m.vertices, model->mesh_vert + 3 * model->mesh_vertadr[id], vertices * sizeof(float));
    memcpy(m.faces, model->mesh_face + 3 * model->mesh_faceadr[id], faces * sizeof(int));
    for (int cells = finest_grid; m.face_count > most_faces && cells > 4; cells = cells * 3 / 4)
        simplify(&m, cells);
    return m;
}

/* Of one that no shown shape has: null. */
static void print_mesh(FILE *out, const mjModel *model, int id, bool used) {
    if (id) fputs(",\n", out);
    if (!used) {
        fputs("null", out);
        return;
    }
    shape_mesh m = mesh_of(model, id);
    fputs("{\"vertices\":", out);
    base64 b = base64_begin(out);
    for (int k = 0; k < 3 * m.vertex_count; k++) base64_float(&b, (double)m.vertices[k]);
    base64_end(&b);
    fputs(",\"faces\":", out);
    b = base64_begin(out);
    for (int k = 0; k < 3 * m.face_count; k++) base64_bytes(&b, (uint32_t)m.faces[k], 4);
    base64_end(&b);
    fputc('}', out);
    free(m.vertices);
    free(m.faces);
}

/* ---- links ---- */

/* What viewers of MuJoCo show at first; the rest are shapes for contacts. */
static bool is_shown(const mjModel *model, int geom) {
    return model->geom_group[geom] < 3;
}

static void print_shapes(FILE *out, const mjModel *model, int body, bool *meshes) {
    static const char *const names[mjNGEOMTYPES] = {
        [mjGEOM_PLANE] = "plane",       [mjGEOM_SPHERE] = "sphere",
        [mjGEOM_CAPSULE] = "capsule",   [mjGEOM_ELLIPSOID] = "ellipsoid",
        [mjGEOM_CYLINDER] = "cylinder", [mjGEOM_BOX] = "box",
        [mjGEOM_MESH] = "mesh"};
    const int first = model->body_geomadr[body], count = model->body_geomnum[body];
    bool any = false, comma = false;
    for (int k = first; k < first + count; k++) any = any || is_shown(model, k);
    fputs(",\"shapes\":[", out);
    for (int k = first; k < first + count; k++) {
        const char *name = names[model->geom_type[k]];
        if (!name || (any && !is_shown(model, k))) continue;
        fprintf(out, "%s{\"type\":\"%s\"", comma ? "," : "", name);
        comma = true;
        if (model->geom_type[k] == mjGEOM_MESH) {
            fprintf(out, ",\"mesh\":%d", model->geom_dataid[k]);
            meshes[model->geom_dataid[k]] = true;
        }
        print_numbers(out, "size", model->geom_size + 3 * k, 3);
        print_numbers(out, "position", model->geom_pos + 3 * k, 3);
        print_numbers(out, "rotation", model->geom_quat + 4 * k, 4);
        const int material = model->geom_matid[k];
        const float *colour =
            material < 0 ? model->geom_rgba + 4 * k : model->mat_rgba + 4 * material;
        const mjtNum rgba[4] = {(double)colour[0], (double)colour[1], (double)colour[2],
                                (double)colour[3]};
        print_numbers(out, "colour", rgba, 4);
        fputc('}', out);
    }
    fputc(']', out);
}

/* The joint of the world at an index of qpos; NULL: its motion is not recorded. */
static const world_joint *joint_at(const world *w, int position) {
    for (size_t k = 0; k < w->joint_count; k++)
        if (w->joints[k].position == position) return &w->joints[k];
    return NULL;
}

/* `start`: position at the start; `zero`: at which the link lies as drawn. */
static void print_joints(FILE *out, const world *w, int body) {
    const mjModel *model = w->model;
    bool comma = false;
    fputs(",\"joints\":[", out);
    for (int k = 0; k < model->body_jntnum[body]; k++) {
        const int id = model->body_jntadr[body] + k, at = model->jnt_qposadr[id];
        const int type = model->jnt_type[id];
        if (type != mjJNT_HINGE && type != mjJNT_SLIDE) continue;
        const world_joint *joint = joint_at(w, at);
        fputs(comma ? ",{" : "{", out);
        comma = true;
        print_text(out, "name", joint ? joint->label : "");
        fprintf(out, ",\"slides\":%s", type == mjJNT_SLIDE ? "true" : "false");
        print_numbers(out, "axis", model->jnt_axis + 3 * id, 3);
        print_numbers(out, "anchor", model->jnt_pos + 3 * id, 3);
        print_numbers(out, "zero", model->qpos0 + at, 1);
        print_numbers(out, "start", model->key_qpos + at, 1);
        if (model->jnt_limited[id]) print_numbers(out, "limits", model->jnt_range + 2 * id, 2);
        fputc('}', out);
    }
    fputc(']', out);
}

/* Index of the floating body of the world with this root link; -1: none. */
static int floating_body(const world *w, int root) {
    for (size_t k = 0; k < w->body_count; k++)
        if (w->bodies[k].floats && w->bodies[k].root == root) return (int)k;
    return -1;
}

static void print_link(FILE *out, const world *w, int body, bool *meshes) {
    const mjModel *model = w->model;
    const mjtNum *position = model->body_pos + 3 * body, *rotation = model->body_quat + 4 * body;
    const int floats = floating_body(w, body);
    if (model->body_jntnum[body] && model->jnt_type[model->body_jntadr[body]] == mjJNT_FREE) {
        position = model->key_qpos + model->jnt_qposadr[model->body_jntadr[body]];
        rotation = position + 3;
    }
    fputs(body ? ",\n{" : "{", out);
    print_text(out, "name", model->names + model->name_bodyadr[body]);
    fprintf(out, ",\"parent\":%d", body ? model->body_parentid[body] : -1);
    if (floats >= 0) {
        fputc(',', out);
        print_text(out, "floats", w->bodies[floats].name);
    }
    print_numbers(out, "position", position, 3);
    print_numbers(out, "rotation", rotation, 4);
    print_joints(out, w, body);
    print_shapes(out, model, body, meshes);
    fputc('}', out);
}

/* ---- contacts ---- */

/* The force on one of two links that touch, and where it acts. */
typedef struct touch {
    int from, on; /* links */
    mjtNum force[3], point[3], pressure;
} touch;

/* A force on a link that is fixed in the world is shown as that on the other one. */
static touch touch_of(const mjModel *model, const mjData *data, int contact) {
    const mjContact *c = &data->contact[contact];
    touch t = {model->geom_bodyid[c->geom1], model->geom_bodyid[c->geom2], {0}, {0}, 0};
    mjtNum own[6];
    mj_contactForce(model, data, contact, own);
    mju_mulMatTVec(t.force, c->frame, own, 3, 3);
    t.pressure = own[0];
    mju_scl3(t.point, c->pos, t.pressure);
    if (model->body_weldid[t.on] == 0) {
        const int link = t.on;
        t.on = t.from;
        t.from = link;
        mju_scl3(t.force, t.force, -1);
    }
    return t;
}

void scene_add_contacts(FILE *contacts, const world *w, const mjData *data, double time) {
    AUTO_FREE touch *touches = allocate((size_t)data->ncon + 1, sizeof *touches);
    int count = 0;
    for (int k = 0; k < data->ncon; k++) {
        const touch t = touch_of(w->model, data, k);
        int i = 0;
        if (!(t.pressure > 0)) continue;
        while (i < count && (touches[i].from != t.from || touches[i].on != t.on)) i++;
        if (i == count) touches[count++] = (touch){.from = t.from, .on = t.on};
        mju_addTo3(touches[i].force, t.force);
        mju_addTo3(touches[i].point, t.point);
        touches[i].pressure += t.pressure;
    }
    if (!count) return;
    fprintf(contacts, ",[%.4g", time);
    for (int k = 0; k < count; k++) {
        const touch *t = &touches[k];
        for (int i = 0; i < 3; i++) fprintf(contacts, ",%.4g", t->point[i] / t->pressure);
        for (int i = 0; i < 3; i++) fprintf(contacts, ",%.4g", t->force[i]);
    }
    fputc(']', contacts);
}

/* ---- the file ---- */

bool scene_write(const world *w, const char *contacts, const char *folder, stiction_error *error) {
    const mjModel *model = w->model;
    AUTO_FREE char *path = format_text("%s/scene.json", folder);
    AUTO_FREE bool *meshes = allocate((size_t)model->nmesh + 1, sizeof *meshes); /* are shown */
    whole_file file;
    if (!whole_file_begin(&file, path, error)) return false;
    fputs("{\"scene\":1", file.out);
    print_numbers(file.out, "centre", model->stat.center, 3);
    print_numbers(file.out, "extent", &model->stat.extent, 1);
    fputs(",\"links\":[\n", file.out);
    for (int body = 0; body < model->nbody; body++) print_link(file.out, w, body, meshes);
    fputs("],\"meshes\":[\n", file.out);
    for (int id = 0; id < model->nmesh; id++) print_mesh(file.out, model, id, meshes[id]);
    fputc(']', file.out);
    /* last and on lines of its own, so that a reader can take the shapes without it (replay.c) */
    if (contacts && *contacts) fprintf(file.out, "\n,\"contacts\":[%s]", contacts + 1);
    fputs("}\n", file.out);
    return whole_file_end(&file, error);
}

static bool has_joint(const world *w, const char *name) {
    for (size_t k = 0; k < w->joint_count; k++)
        if (strcmp(w->joints[k].label, name) == 0) return true;
    return false;
}

bool scene_write_of(const char *path, const world_options *options, const char *const *joints,
                    size_t count, size_t *missing, const char *folder, stiction_error *error) {
    world *w = world_load(path, options, error);
    if (!w) return false;
    *missing = 0;
    for (size_t k = 0; k < count; k++) *missing += !has_joint(w, joints[k]);
    const bool fine = *missing < count
                          ? scene_write(w, NULL, folder, error)
                          : fail(error, "%s: no joint of the series is in it, such as '%s'", path,
                                 count ? joints[0] : "");
    world_destroy(w);
    return fine;
}
