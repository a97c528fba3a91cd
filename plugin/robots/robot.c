/* SPDX-License-Identifier: MIT
 * A robot: the reader for its format, and the joints of the MuJoCo model with what the file says
 * about them.
 */
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/names.h"
#include "formats.h"

#define FORMAT_ROW(format, ending, read, bodies) [format] = read,
static robot_reader *const readers[] = {ROBOT_FORMATS(FORMAT_ROW)};
#undef FORMAT_ROW

void robot_check_name(reader *r, stiction_place at, const char *what, const char *name) {
    const size_t length = strlen(name);
    if (length > NAME_MOST)
        stiction_reader_refuse(r, at, "the name of %s has %zu bytes, more than %d", what, length,
                               NAME_MOST);
}

robot_number number_at(stiction_place at, double value) {
    return (robot_number){value, at.path, at.line};
}

body_link *robot_find_joint(const robot_source *source, const char *name) {
    for (size_t k = 0; k < source->link_count; k++)
        if (strcmp(source->links[k].joint_name, name) == 0) return &source->links[k];
    return NULL;
}

/* Once, however many there are: a chain or a cloth has hundreds. */
void robot_warn_nameless(reader *r, const robot_source *source, const char *path, int count,
                         int first) {
    const mjModel *m = source->model;
    const char *link = mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[first]);
    const stiction_place at =
        source->nameless_at.line > 0 ? source->nameless_at : (stiction_place){path, 0, 0};
    const char *of = link ? stiction_reader_format(r, "link '%s'", link) : "a link without a name";
    if (count == 1)
        stiction_reader_warn(r, at, "a joint of %s has no name, so it cannot be given friction",
                             of);
    else
        stiction_reader_warn(
            r, at, "%d joints have no name, the first of %s, so they cannot be given friction",
            count, of);
}

static void make_joints(reader *r, robot *made, const robot_source *source) {
    const mjModel *m = source->model;
    int nameless = 0, first_nameless = 0;
    robot_joint *joints = stiction_reader_alloc(r, (size_t)m->njnt * sizeof *joints + 1);
    for (int k = 0; k < m->njnt; k++) {
        if (m->jnt_type[k] == mjJNT_FREE) made->free_root = true;
        if (m->jnt_type[k] != mjJNT_HINGE && m->jnt_type[k] != mjJNT_SLIDE) continue;
        const char *name = mj_id2name(m, mjOBJ_JOINT, k);
        const body_link *link = name ? robot_find_joint(source, name) : NULL;
        if (link)
            joints[made->joint_count++] = (robot_joint){link, m->jnt_qposadr[k], m->jnt_dofadr[k]};
        else if (nameless++ == 0)
            first_nameless = k;
    }
    if (nameless > 0) robot_warn_nameless(r, source, made->path, nameless, first_nameless);
    made->joints = joints;
}

/* "arms/left.body" -> "left" */
static const char *stem(reader *r, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    return stiction_reader_format(r, "%.*s", (int)(strrchr(start, '.') - start), start);
}

static robot *read_robot(reader *r, const char *path, const robot_options *options) {
    const robot_format format = robot_format_of(path);
    if (format == ROBOT_NO_FORMAT)
        stiction_reader_refuse(r, (stiction_place){path, 0, 0},
                               "is not a robot file: its name must end in " ROBOT_ENDINGS "%s",
                               robot_openhrp_hint(path));
    path = stiction_reader_format(r, "%s", path);
    const robot_source source = readers[format](r, path, options);
    robot *made = stiction_reader_alloc(r, sizeof *made);
    made->path = path;
    made->name = source.name && *source.name ? source.name : stem(r, path);
    made->model = source.model;
    /* MJCF has a time step, MuJoCo's where it gives none */
    made->timestep = format == ROBOT_MJCF ? source.model->opt.timestep : ROBOT_USUAL_TIMESTEP;
    made->has_timestep = format == ROBOT_MJCF;
    make_joints(r, made, &source);
    return made;
}

typedef struct request {
    const char *path;
    const robot_options *options;
} request;

static void *answer(reader *r, const void *context) {
    const request *q = context;
    return read_robot(r, q->path, q->options);
}

robot *robot_load(const char *path, const robot_options *options, stiction_error *error) {
    const robot_options none = {0};
    if (!options) options = &none;
    reader r = {.log = options->log,
                .log_user = options->log_user,
                .error = error,
                .untrusted = options->untrusted ? path : NULL};
    robot *made = stiction_reader_run(&r, answer, &(request){path, options});
    if (made) made->memory = r.memory;
    return made;
}

void robot_destroy(robot *r) {
    if (r) stiction_arena_free(&r->memory);
}
