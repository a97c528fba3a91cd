/* SPDX-License-Identifier: MIT
 * A project for a robot without one: the robot at the start of its file, one simulator, friction
 * without a configuration, and a floor if requested.
 */
#include <math.h>
#include <string.h>

#include "document/text.h"
#include "project_reader.h"
#include "robots/robot.h"
#include "robots/standing.h"

static const double usual_duration = 10;
/* How deep a robot starts in the floor, m. */
static const double start_depth = 1e-5;
static const double usual_gravity[3] = {0, 0, -9.80665}; /* Choreonoid's */

/* "arms/left.urdf" -> "left" */
static const char *stem(reader *r, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return stiction_reader_format(r, "%.*s", (int)(dot ? dot - start : (long)strlen(start)), start);
}

const double *project_start_of(reader *r, stiction_place at, const body_file *file) {
    double *start = stiction_reader_alloc(r, file->count * sizeof *start);
    for (size_t k = 0; k < file->count; k++) {
        const body_link *link = &file->links[k];
        start[k] = link->displacement;
        if (link->joint != BODY_REVOLUTE && link->joint != BODY_PRISMATIC) continue;
        if (!(start[k] < link->lower) && !(start[k] > link->upper)) continue;
        start[k] = start[k] < link->lower ? link->lower : link->upper;
        stiction_reader_warn(r, at,
                             "joint '%s' starts at %g, the end of its range, since %g is outside",
                             link->joint_name, start[k], link->displacement);
    }
    return start;
}

static project_body make_body(reader *r, const body_file *file, const char *name) {
    const body_link *root = &file->links[file->root];
    project_body body = {.name = name,
                         .at = {file->path, 0, 0},
                         .file = file,
                         .fixed_root = root->joint == BODY_FIXED,
                         .collides = true};
    mju_copy3(body.translation, root->translation);
    mju_copy4(body.rotation, root->rotation);
    body.displacements = project_start_of(r, body.at, file);
    return body;
}

/* The plane z = 0. */
static const body_file *make_floor(reader *r, const char *path) {
    static const double grey[3] = {0.35, 0.42, 0.38};
    body_file *file = stiction_reader_alloc(r, sizeof *file);
    body_link *link = stiction_reader_alloc(r, sizeof *link);
    body_shape *shape = stiction_reader_alloc(r, sizeof *shape);
    *shape = (body_shape){.kind = BODY_PLANE, .size = {0, 0, 1}, .rotation = {1, 0, 0, 0}};
    mju_copy3(shape->color, grey);
    *link = body_new_link((stiction_place){path, 0, 0});
    link->name = link->joint_name = "FLOOR";
    link->material = "Ground";
    link->shapes = shape;
    link->shape_count = 1;
    body_set_mass(link, &(body_mass){0}, 1);
    *file = (body_file){.name = "Floor", .path = path, .links = link, .count = 1, .apart = 1};
    return file;
}

static bool has_plane(const robot_bodies *all) {
    for (size_t k = 0; k < all->count; k++)
        for (size_t i = 0; i < all->files[k]->count; i++) {
            const body_link *link = &all->files[k]->links[i];
            for (size_t s = 0; s < link->shape_count; s++)
                if (link->shapes[s].kind == BODY_PLANE) return true;
        }
    return false;
}

/* Where all lowest points of a floating robot touch the floor: those of level soles differ by
 * rounding, and a light foot would be turned before the others touch. */
static void put_on_floor(reader *r, project_body *body) {
    const double lowest = body_lowest(body->file, body->displacements);
    if (isfinite(lowest))
        body->translation[2] =
            body->file->links[body->file->root].translation[2] - lowest - start_depth;
    else
        stiction_reader_warn(r, body->at, "'%s' has no shapes that could touch the floor",
                             body->name);
}

static const project_simulator *make_simulator(reader *r, const char *path,
                                               const robot_bodies *all) {
    project_simulator *s = stiction_reader_alloc(r, sizeof *s);
    project_friction *f = stiction_reader_alloc(r, sizeof *f);
    const stiction_place at = {path, 0, 0};
    *f = (project_friction){.name = "Stiction", .at = at, .enabled = true, .text = all->friction};
    *s =
        (project_simulator){.name = "robot",
                            .class_name = "AISTSimulatorItem",
                            .at = at,
                            .timestep = isnan(all->timestep) ? ROBOT_USUAL_TIMESTEP : all->timestep,
                            .duration = usual_duration,
                            .frictions = f,
                            .friction_count = 1};
    for (int k = 0; k < 3; k++)
        s->gravity[k] = isnan(all->gravity[k]) ? usual_gravity[k] : all->gravity[k];
    return s;
}

/* A file without a name is called after its path, as by the reader of robots. */
const body_file *project_named(reader *r, const body_file *file) {
    if (file->name && *file->name) return file;
    body_file *named = stiction_reader_alloc(r, sizeof *named);
    *named = *file;
    named->name = stem(r, file->path);
    return named;
}

/* Why a base does not move. */
static const char *reason_of_fixed(const body_file *file, robot_base base) {
    const body_link *root = &file->links[file->root];
    if (base == ROBOT_BASE_FIXED) return "as asked";
    if (strcmp(root->name, "world") == 0) return "its root link is 'world'";
    return root->mass > 0 ? "as its file says"
                          : "its root link has no mass and nothing fixed to it";
}

static void note_base(reader *r, const project_body *body, robot_base base, bool on_floor) {
    if (!r->log) return;
    const double lowest = body_lowest(body->file, body->displacements) + body->translation[2] -
                          body->file->links[body->file->root].translation[2];
    const char *text;
    if (body->fixed_root)
        text = stiction_reader_format(r, "base of '%s': fixed, %s", body->name,
                                      reason_of_fixed(body->file, base));
    else if (on_floor && isfinite(lowest))
        text =
            stiction_reader_format(r, "base of '%s': floating, lowest point %.3f m above the floor",
                                   body->name, fabs(lowest) < 5e-4 ? 0 : lowest);
    else
        text = stiction_reader_format(r, "base of '%s': floating", body->name);
    r->log(r->log_user, STICTION_LOG_INFO, text);
}

/* Applies the requested posture. Returns whether it includes the pose of the root. */
static bool take_posture(reader *r, project_body *body, const char *posture) {
    double *start = stiction_reader_alloc(r, body->file->count * sizeof *start);
    if (!posture) return false;
    mju_copy(start, body->displacements, (int)body->file->count);
    const body_keyframe *keyframe = project_apply_posture(r, body->file, posture, start);
    body->displacements = start;
    if (!keyframe || !keyframe->placed || body->fixed_root) return false;
    mju_copy3(body->translation, keyframe->translation);
    mju_copy4(body->rotation, keyframe->rotation);
    return true;
}

/* The posture in which a robot stands; whether there is one. */
static bool take_standing(reader *r, project_body *body, const project_robot_options *options) {
    if (!options->standing || body->fixed_root) return false;
    const standing *found =
        standing_find(r, body->file, body->displacements, options->posture == NULL);
    *options->standing = found;
    if (found->obstacle) return false;
    body->displacements = found->displacements;
    return true;
}

const project *project_of_robot(reader *r, const char *path, const project_robot_options *options) {
    const project_floor floor = options->floor;
    const robot_base base = options->base;
    const robot_bodies all = robot_read_bodies(r, (stiction_place){path, 0, 0}, path);
    project_body *bodies = stiction_reader_alloc(r, (all.count + 1) * sizeof *bodies);
    project *p = stiction_reader_alloc(r, sizeof *p);
    robot_set_base(r, all.files[0], base);
    for (size_t k = 0; k < all.count; k++) {
        const body_file *file = project_named(r, all.files[k]);
        bodies[k] = make_body(r, file, k ? file->name : stem(r, path));
    }
    size_t count = all.count;
    const bool placed = take_posture(r, &bodies[0], options->posture);
    const bool stands = take_standing(r, &bodies[0], options);
    const bool wanted =
        floor == PROJECT_FLOOR || (floor == PROJECT_FLOOR_IF_FLOATING && !bodies[0].fixed_root);
    const bool has_floor = has_plane(&all);
    if (wanted && has_floor) {
        if (floor == PROJECT_FLOOR)
            stiction_reader_warn(r, bodies[0].at, "has a floor of its own: none is added");
    } else if (wanted) {
        const body_file *file = make_floor(r, path);
        bodies[count++] = make_body(r, file, file->name);
    }
    const bool is_moved = stands || (options->posture && !placed);
    if (wanted && !bodies[0].fixed_root && !placed && (!has_floor || is_moved))
        put_on_floor(r, &bodies[0]);
    note_base(r, &bodies[0], base, wanted);
    *p = (project){.path = path,
                   .is_robot = true,
                   .bodies = bodies,
                   .body_count = count,
                   .simulators = make_simulator(r, path, &all),
                   .simulator_count = 1};
    materials_begin(r, &p->materials);
    return p;
}
