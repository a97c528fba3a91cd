/* SPDX-License-Identifier: MIT
 * Any robot file as bodies, and where the lowest of their shapes is.
 */
#include "robot_bodies.h"

#include <math.h>
#include <regex.h>
#include <string.h>

#include "document/text.h"
#include "formats.h"
#include "mjcf_reader.h"
#include "rotation.h"

#define FORMAT_ROW(format, ending, read, bodies) [format] = {ending, bodies},
static const struct {
    const char *ending;
    robot_bodies_reader *read;
} formats[] = {ROBOT_FORMATS(FORMAT_ROW)};
#undef FORMAT_ROW

robot_format robot_format_of(const char *path) {
    int k = 0;
    while (k < ROBOT_NO_FORMAT && !stiction_text_ends_with(path, formats[k].ending)) k++;
    return (robot_format)k;
}

bool robot_is_file(const char *path) {
    return robot_format_of(path) != ROBOT_NO_FORMAT;
}

static bool is_wrl(const char *path) {
    return stiction_text_ends_with(path, ".wrl");
}

bool robot_is_openhrp(reader *r, stiction_place at, const char *path) {
    size_t size;
    regex_t joint;
    if (!is_wrl(path)) return false;
    const char *text = stiction_reader_file(r, at, path, &size);
    if (regcomp(&joint, "jointType[[:space:]]+\"(rotate|slide)\"", REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    const bool found = regexec(&joint, text, 0, NULL, 0) == 0;
    regfree(&joint);
    return found;
}

const char *robot_openhrp_hint(const char *path) {
    return is_wrl(path) ? "; in place of a .wrl of OpenHRP use the .body or .urdf of the robot"
                        : "";
}

robot_bodies robot_one_body(reader *r, const body_file *file) {
    const double unknown = (double)NAN;
    robot_bodies all = {.count = 1, .timestep = unknown, .gravity = {unknown, unknown, unknown}};
    all.files = stiction_reader_alloc(r, sizeof *all.files);
    all.files[0] = file;
    all.placed = mju_norm3(file->links[file->root].translation) > 0;
    return all;
}

/* Scenes and meshes are read as a .body is. */
robot_bodies robot_read_bodies(reader *r, stiction_place at, const char *path) {
    const robot_format format = robot_format_of(path);
    return formats[format == ROBOT_NO_FORMAT ? ROBOT_BODY : format].read(r, at, path);
}

/* ---- what it looks like ---- */

/* Of a mesh. More cannot be told apart at the size of a link on a page. */
enum { most_faces = 2000 };

static void *read_look(reader *r, const void *path) {
    const stiction_place at = {path, 0, 0};
    robot_bodies *look = stiction_reader_alloc(r, sizeof *look);
    *look = robot_format_of(path) == ROBOT_MJCF ? mjcf_read_look(r, at, path)
                                                : robot_read_bodies(r, at, path);
    return look;
}

robot_look robot_look_read(const char *path, const char *untrusted) {
    stiction_error error;
    reader r = {.error = &error, .untrusted = untrusted, .most_faces = most_faces};
    const robot_bodies *made = stiction_reader_run(&r, read_look, path);
    if (!made) return (robot_look){0};
    return (robot_look){r.memory, made->files, made->count};
}

const body_link *robot_look_find(const robot_look *look, const char *link) {
    for (size_t i = 0; i < look->count; i++)
        for (size_t k = 0; k < look->files[i]->count; k++) {
            const body_link *found = &look->files[i]->links[k];
            if (found->shape_count && strcmp(found->name, link) == 0) return found;
        }
    return NULL;
}

void robot_look_free(robot_look *look) {
    stiction_arena_free(&look->memory);
    *look = (robot_look){0};
}

/* ---- the lowest point ---- */

frame3 body_frame_of(const double translation[3], const double rotation[4]) {
    frame3 frame;
    mju_quat2Mat(frame.linear, rotation);
    mju_copy3(frame.offset, translation);
    return frame;
}

/* Of a link in the world, with its joint moved. */
frame3 body_link_frame(const body_file *body, const double *displacements, size_t index) {
    frame3 all = frame3_identity;
    for (int k = (int)index; k >= 0; k = body->links[k].parent) {
        const body_link *link = &body->links[k];
        frame3 own = body_frame_of(link->translation, link->rotation), moved = frame3_identity;
        double turn[4];
        if (link->joint == BODY_REVOLUTE) {
            mju_axisAngle2Quat(turn, link->axis, displacements[k]);
            mju_quat2Mat(moved.linear, turn);
        } else if (link->joint == BODY_PRISMATIC) {
            mju_scl3(moved.offset, link->axis, displacements[k]);
        }
        own = frame3_inside(&own, &moved);
        all = frame3_inside(&own, &all);
    }
    return all;
}

/* How far a shape reaches down from its centre; `down` is that direction in its frame. */
static double reach(const body_shape *s, const double down[3]) {
    const double *size = s->size;
    double most = 0;
    switch (s->kind) {
    case BODY_BOX:
        return fabs(down[0]) * size[0] + fabs(down[1]) * size[1] + fabs(down[2]) * size[2];
    case BODY_SPHERE:
        return size[0];
    case BODY_ELLIPSOID:
        return sqrt(down[0] * down[0] * size[0] * size[0] + down[1] * down[1] * size[1] * size[1] +
                    down[2] * down[2] * size[2] * size[2]);
    case BODY_CYLINDER:
        return sqrt(fmax(0, 1 - down[2] * down[2])) * size[0] + fabs(down[2]) * size[1];
    case BODY_CAPSULE:
        return size[0] + fabs(down[2]) * size[1];
    case BODY_MESH:
        most = (double)-INFINITY;
        for (size_t k = 0; k < s->vertex_count; k++)
            most = fmax(most, mju_dot3(s->vertices + 3 * k, down));
        return most;
    case BODY_PLANE:
        break;
    }
    return 0;
}

double body_lowest(const body_file *body, const double *displacements) {
    double lowest = (double)INFINITY;
    for (size_t k = 0; k < body->count; k++) {
        const body_link *link = &body->links[k];
        if (!link->shape_count || link->untouchable) continue;
        const frame3 frame = body_link_frame(body, displacements, k);
        for (size_t i = 0; i < link->shape_count; i++) {
            const body_shape *shape = &link->shapes[i];
            const frame3 inner = body_frame_of(shape->translation, shape->rotation);
            const frame3 seen = frame3_inside(&frame, &inner);
            const double down[3] = {-seen.linear[6], -seen.linear[7], -seen.linear[8]};
            lowest = fmin(lowest, seen.offset[2] - reach(shape, down));
        }
    }
    return lowest;
}

/* Of a link and all that is fixed to it, kg. */
static double mass_from(const body_file *body, size_t link) {
    double mass = body->links[link].mass;
    for (size_t k = 0; k < body->count; k++)
        if (k != link && body->links[k].parent == (int)link && body->links[k].joint == BODY_FIXED)
            mass += mass_from(body, k);
    return mass;
}

void robot_set_base(reader *r, const body_file *body, robot_base base) {
    body_link *root = &body->links[body->root];
    if (base == ROBOT_BASE_FIXED) root->joint = BODY_FIXED;
    if (base != ROBOT_BASE_FREE) return;
    if (!(mass_from(body, body->root) > 0))
        stiction_reader_refuse(r, (stiction_place){body->path, 0, 0},
                               "the base cannot float: its root link '%s' has no mass", root->name);
    root->joint = BODY_FREE;
}
