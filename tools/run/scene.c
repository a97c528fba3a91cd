/* SPDX-License-Identifier: MIT */
/* The shapes of a world for the replay of its runs. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base64.h"
#include "common/command.h"
#include "common/whole_file.h"
#include "meshes/surface.h"
#include "mujoco/body_view.h"
#include "robots/robot_bodies.h"

/* A mesh of the model with more faces than this is simplified, and what robots look like where all
 * of its meshes have more together. */
enum { most_faces = 4000, most_of_looks = 24000 };

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

static surface surface_of(size_t vertices, size_t faces) {
    return (surface){allocate(3 * vertices + 1, sizeof(double)), vertices,
                     allocate(3 * faces + 1, sizeof(int)), faces};
}

static surface mesh_of(const mjModel *model, int id) {
    surface s = surface_of((size_t)model->mesh_vertnum[id], (size_t)model->mesh_facenum[id]);
    for (size_t k = 0; k < 3 * s.vertex_count; k++)
        s.vertices[k] = (double)model->mesh_vert[3 * (size_t)model->mesh_vertadr[id] + k];
    memcpy(s.faces, model->mesh_face + 3 * model->mesh_faceadr[id],
           3 * s.face_count * sizeof *s.faces);
    return s;
}

/* Releases it. */
static void print_surface(FILE *out, surface s, size_t most) {
    (void)surface_simplify(&s, most);
    fputs("{\"vertices\":", out);
    base64 b = base64_begin(out);
    for (size_t k = 0; k < 3 * s.vertex_count; k++) base64_float(&b, s.vertices[k]);
    base64_end(&b);
    fputs(",\"faces\":", out);
    b = base64_begin(out);
    for (size_t k = 0; k < 3 * s.face_count; k++) base64_bytes(&b, (uint32_t)s.faces[k], 4);
    base64_end(&b);
    fputc('}', out);
    free(s.vertices);
    free(s.faces);
}

/* Of one that no shown shape has: null. */
static void print_mesh(FILE *out, const mjModel *model, int id, bool used) {
    if (id) fputs(",\n", out);
    if (!used) {
        fputs("null", out);
        return;
    }
    print_surface(out, mesh_of(model, id), most_faces);
}

/* ---- looks ---- */

/* What the files of the robots show, which is not in the model. */
typedef struct scene_looks {
    robot_look
        *files; /* by body of the world; that of an earlier one with the same path is empty */
    const body_link **links;   /* by body of the model; NULL: it looks as it touches */
    const body_shape **meshes; /* each once */
    size_t mesh_count, faces;  /* of all meshes */
} scene_looks;

static const robot_look *look_of(scene_looks *l, const world *w, size_t body) {
    const char *path = w->bodies[body].source->file->path;
    for (size_t k = 0; k < body; k++)
        if (strcmp(w->bodies[k].source->file->path, path) == 0) return &l->files[k];
    l->files[body] = robot_look_read(path, w->untrusted);
    return &l->files[body];
}

static bool same_points(const double *a, const double *b, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (a[k] != b[k]) return false;
    return true;
}

/* Its number among them; their count: it is not there. */
static size_t find_mesh(const scene_looks *l, const body_shape *shape) {
    size_t k = 0;
    while (k < l->mesh_count &&
           (l->meshes[k]->faces != shape->faces ||
            l->meshes[k]->vertex_count != shape->vertex_count ||
            !same_points(l->meshes[k]->vertices, shape->vertices, 3 * shape->vertex_count)))
        k++;
    return k;
}

static void note_meshes(scene_looks *l, const body_link *link) {
    for (size_t k = 0; k < link->shape_count; k++) {
        const body_shape *shape = &link->shapes[k];
        if (shape->kind != BODY_MESH || find_mesh(l, shape) < l->mesh_count) continue;
        const body_shape **more = allocate(l->mesh_count + 1, sizeof *more);
        if (l->mesh_count) memcpy(more, l->meshes, l->mesh_count * sizeof *more);
        free((void *)l->meshes);
        l->meshes = more;
        l->meshes[l->mesh_count++] = shape;
        l->faces += shape->face_count;
    }
}

static scene_looks read_looks(const world *w) {
    scene_looks l = {.files = allocate(w->body_count + 1, sizeof *l.files),
                     .links = allocate((size_t)w->model->nbody, sizeof *l.links)};
    for (size_t k = 0; k < w->body_count; k++) {
        const robot_look *look = look_of(&l, w, k);
        for (size_t i = 0; look->count && i < w->bodies[k].link_count; i++) {
            const body_link *link = robot_look_find(look, body_view_link(w, k, i));
            l.links[w->bodies[k].root + (int)i] = link;
            if (link) note_meshes(&l, link);
        }
    }
    return l;
}

static void free_looks(scene_looks *l, size_t bodies) {
    for (size_t k = 0; k < bodies; k++) robot_look_free(&l->files[k]);
    free(l->files);
    free((void *)l->links);
    free((void *)l->meshes);
}

static void print_look_mesh(FILE *out, const scene_looks *l, const body_shape *shape) {
    surface s = surface_of(shape->vertex_count, shape->face_count);
    memcpy(s.vertices, shape->vertices, 3 * s.vertex_count * sizeof *s.vertices);
    memcpy(s.faces, shape->faces, 3 * s.face_count * sizeof *s.faces);
    print_surface(out, s,
                  l->faces > most_of_looks ? s.face_count * most_of_looks / l->faces + 1
                                           : s.face_count);
}

static void print_look(FILE *out, const mjModel *model, const scene_looks *l,
                       const body_link *link) {
    static const char *const names[] = {"box",     "sphere", "ellipsoid", "cylinder",
                                        "capsule", "mesh",   "plane"};
    fputs(",\"shapes\":[", out);
    for (size_t k = 0; k < link->shape_count; k++) {
        const body_shape *s = &link->shapes[k];
        const mjtNum colour[4] = {s->color[0], s->color[1], s->color[2], 1};
        fprintf(out, "%s{\"type\":\"%s\"", k ? "," : "", names[s->kind]);
        if (s->kind == BODY_MESH)
            fprintf(out, ",\"mesh\":%zu", (size_t)model->nmesh + find_mesh(l, s));
        print_numbers(out, "size", s->size, 3);
        print_numbers(out, "position", s->translation, 3);
        print_numbers(out, "rotation", s->rotation, 4);
        print_numbers(out, "colour", colour, 4);
        fputc('}', out);
    }
    fputc(']', out);
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

static void print_link(FILE *out, const world *w, int body, const scene_looks *looks,
                       bool *meshes) {
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
    if (looks->links[body])
        print_look(out, model, looks, looks->links[body]);
    else
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
    scene_looks looks = read_looks(w);
    fputs("{\"scene\":1", file.out);
    print_numbers(file.out, "centre", model->stat.center, 3);
    print_numbers(file.out, "extent", &model->stat.extent, 1);
    fputs(",\"links\":[\n", file.out);
    for (int body = 0; body < model->nbody; body++) print_link(file.out, w, body, &looks, meshes);
    fputs("],\"meshes\":[\n", file.out);
    for (int id = 0; id < model->nmesh; id++) print_mesh(file.out, model, id, meshes[id]);
    for (size_t k = 0; k < looks.mesh_count; k++) {
        if (model->nmesh || k) fputs(",\n", file.out);
        print_look_mesh(file.out, &looks, looks.meshes[k]);
    }
    free_looks(&looks, w->body_count);
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
