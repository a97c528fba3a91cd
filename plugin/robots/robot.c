/*
 * A robot: the reader for its format, and the joints of the MuJoCo model with what the file says
 * about them.
 */
#include "robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/names.h"
#include "document/text.h"
#include "formats.h"

#define ROBOT_FORMAT_ROW(ending, read) {ending, read},
static const struct {
    const char *ending;
    robot_format *read;
} formats[] = {ROBOT_FORMATS(ROBOT_FORMAT_ROW)};
#undef ROBOT_FORMAT_ROW
enum { format_count = sizeof formats / sizeof formats[0] };

/* ".body, .urdf or .xml" */
static const char *list_endings(reader *r) {
    const char *list = formats[0].ending;
    for (size_t k = 1; k < format_count; k++)
        list = stiction_reader_format(r, "%s%s%s", list, k + 1 < format_count ? ", " : " or ",
                                      formats[k].ending);
    return list;
}

void robot_check_name(reader *r, stiction_place at, const char *what, const char *name) {
    const size_t length = strlen(name);
    if (length > NAME_MOST)
        stiction_reader_refuse(r, at, "the name of %s has %zu bytes, more than %d", what, length,
                               NAME_MOST);
}

robot_number number_at(stiction_place at, double value) {
    return (robot_number){value, at.path, at.line};
}

joint_facts facts_of(const char *name) {
    const robot_number none = {(double)NAN, NULL, 0};
    return (joint_facts){name, -1, (double)NAN, (double)NAN, none, none, none, none, none};
}

joint_facts *add_facts(reader *r, robot_source *source, const char *name) {
    source->facts =
        stiction_reader_grow(r, source->facts, source->fact_count, sizeof *source->facts);
    source->facts[source->fact_count] = facts_of(name);
    return &source->facts[source->fact_count++];
}

static joint_facts find_facts(const robot_source *source, const char *name) {
    for (size_t k = 0; k < source->fact_count; k++)
        if (strcmp(source->facts[k].name, name) == 0) return source->facts[k];
    return facts_of(name);
}

static robot_joint make_joint(reader *r, const robot_source *source, int k, const char *name) {
    const mjModel *m = source->model;
    const joint_facts facts = find_facts(source, name);
    const bool limited = m->jnt_limited[k], stated = !isnan(facts.lower);
    return (robot_joint){.name = stiction_reader_format(r, "%s", name),
                         .type = m->jnt_type[k] == mjJNT_HINGE ? ROBOT_REVOLUTE : ROBOT_PRISMATIC,
                         .id = facts.id,
                         .position = m->jnt_qposadr[k],
                         .velocity = m->jnt_dofadr[k],
                         .lower = stated    ? facts.lower
                                  : limited ? m->jnt_range[2 * k]
                                            : (double)-INFINITY,
                         .upper = stated    ? facts.upper
                                  : limited ? m->jnt_range[2 * k + 1]
                                            : (double)INFINITY,
                         .effort = facts.effort,
                         .friction = facts.friction,
                         .damping = facts.damping,
                         .rotor_inertia = facts.rotor_inertia,
                         .gear_ratio = facts.gear_ratio,
                         .armature = m->dof_armature[m->jnt_dofadr[k]]};
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
        if (name)
            joints[made->joint_count++] = make_joint(r, source, k, name);
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
    size_t k = 0;
    while (k < format_count && !stiction_text_ends_with(path, formats[k].ending)) k++;
    if (k == format_count)
        stiction_reader_refuse(r, (stiction_place){path, 0, 0},
                               "is not a robot file: its name must end in %s", list_endings(r));
    path = stiction_reader_format(r, "%s", path);
    const robot_source source = formats[k].read(r, path, options);
    robot *made = stiction_reader_alloc(r, sizeof *made);
    made->path = path;
    made->name = source.name && *source.name ? source.name : stem(r, path);
    made->model = source.model;
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
