/* SPDX-License-Identifier: MIT
 * The LuGre friction of MuJoCo's <dcmotor> in an MJCF file: lugre="stiffness damping coulomb static
 * stribeck" and the actuator's damping, through its gear to the joint that it drives. Read from the
 * XML, since MuJoCo before 3.7 knows no such element, with defaults and included files.
 * Its stationary torque is F_C + (F_S - F_C) exp(-(v/v_S)^2) + D v: a Stribeck law of exponent 2.
 */
#include <math.h>
#include <string.h>

#include "import.h"
#include "robots/xml.h"
#include "stiction/models/parameters.h"

enum { deepest = 20, most_files = 1000, lugre_count = 5 };

/* A class of defaults: its elements that matter here. */
typedef struct defaults {
    const char *name;
    const xml_element *joint, *motor;
    const struct defaults *parent;
    struct defaults *next;
} defaults;

typedef struct joint_place {
    const char *name, *type;
    struct joint_place *next;
} joint_place;

typedef struct motor_place {
    const xml_element *element;
    struct motor_place *next;
} motor_place;

typedef struct mjcf {
    reader *r;
    const char *path; /* of the first file, which others are beside */
    const import_options *options;
    import_result *result;
    defaults *classes;
    joint_place *joints;
    motor_place *motors, **last_motor;
    const xml_element *option; /* that has a timestep; NULL: none */
    const char *unread;        /* attributes of the motor itself */
    int depth, files;
} mjcf;

/* ---- the file, with those that it includes ---- */

typedef void visit(mjcf *m, const xml_element *element, const char *class_name);

static const xml_element *read_file(mjcf *m, stiction_place at, const char *path) {
    size_t size;
    if (++m->files > most_files)
        stiction_reader_refuse(m->r, at, "more than %d files are included", most_files);
    const char *text = stiction_reader_file(m->r, at, path, &size);
    return xml_parse(m->r, path, text, size);
}

static void visit_children(mjcf *m, const xml_element *parent, const char *class_name,
                           visit *each) {
    for (const xml_element *e = parent->first_child; e; e = e->next) {
        if (strcmp(e->name, "include") != 0) {
            each(m, e, class_name);
            continue;
        }
        if (++m->depth > deepest)
            stiction_reader_refuse(m->r, e->at, "files include each other without end");
        const char *name = xml_required(m->r, e, "file");
        visit_children(m, read_file(m, e->at, stiction_reader_beside(m->r, m->path, name)),
                       class_name, each);
        m->depth--;
    }
}

static defaults *find_class(const mjcf *m, const char *name) {
    defaults *d = m->classes;
    while (d && strcmp(d->name, name) != 0) d = d->next;
    return d;
}

static void visit_default(mjcf *m, const xml_element *e, const char *parent) {
    defaults *d = parent ? find_class(m, parent) : NULL;
    if (strcmp(e->name, "joint") == 0 && d) d->joint = e;
    if (strcmp(e->name, "dcmotor") == 0 && d) d->motor = e;
    if (strcmp(e->name, "default") != 0) return;
    const char *name = xml_attribute(e, "class");
    if (!name) name = "main";
    if (!find_class(m, name)) {
        defaults *made = stiction_reader_alloc(m->r, sizeof *made);
        *made = (defaults){name, NULL, NULL, d, m->classes};
        m->classes = made;
    }
    if (++m->depth > deepest) stiction_reader_refuse(m->r, e->at, "defaults are nested too deeply");
    visit_children(m, e, name, visit_default);
    m->depth--;
}

static void visit_defaults(mjcf *m, const xml_element *e, const char *class_name) {
    if (strcmp(e->name, "default") == 0) visit_default(m, e, class_name);
}

/* What an element or its defaults say; the innermost wins. */
static const char *stated(const mjcf *m, const xml_element *e, const char *class_name,
                          bool is_motor, const char *attribute) {
    const char *own = xml_attribute(e, "class"), *value = xml_attribute(e, attribute);
    for (const defaults *d = find_class(m, own ? own : class_name); d && !value; d = d->parent) {
        const xml_element *from = is_motor ? d->motor : d->joint;
        if (from) value = xml_attribute(from, attribute);
    }
    return value;
}

static void visit_bodies(mjcf *m, const xml_element *e, const char *class_name) {
    const char *name = xml_attribute(e, "name");
    if (strcmp(e->name, "joint") == 0 && name) {
        joint_place *joint = stiction_reader_alloc(m->r, sizeof *joint);
        const char *type = stated(m, e, class_name, false, "type");
        *joint = (joint_place){name, type ? type : "hinge", m->joints};
        m->joints = joint;
    }
    if (strcmp(e->name, "worldbody") != 0 && strcmp(e->name, "body") != 0 &&
        strcmp(e->name, "frame") != 0 && strcmp(e->name, "replicate") != 0)
        return;
    const char *child_class = xml_attribute(e, "childclass");
    visit_children(m, e, child_class ? child_class : class_name, visit_bodies);
}

static void visit_motor(mjcf *m, const xml_element *e, const char *class_name) {
    (void)class_name;
    const char *bias = xml_attribute(e, "biastype");
    if (bias && strcmp(bias, "dcmotor") == 0)
        import_note(m->result,
                    "not taken over: <%s> of line %d, a dcmotor written as raw "
                    "parameters",
                    e->name, e->at.line);
    if (strcmp(e->name, "dcmotor") != 0) return;
    motor_place *motor = stiction_reader_alloc(m->r, sizeof *motor);
    motor->element = e;
    *m->last_motor = motor;
    m->last_motor = &motor->next;
}

static void visit_top(mjcf *m, const xml_element *e, const char *class_name) {
    if (strcmp(e->name, "actuator") == 0) visit_children(m, e, class_name, visit_motor);
    if (strcmp(e->name, "option") == 0 && xml_attribute(e, "timestep")) m->option = e;
    visit_bodies(m, e, class_name);
}

/* ---- one motor ---- */

/* Up to so many numbers of an attribute, over those that are there; false: it is not there. */
static bool read_numbers(mjcf *m, const xml_element *e, const char *name, int most,
                         double *numbers) {
    const char *text = xml_attribute(e, name);
    if (!text) return false;
    int count = 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        const size_t length = strcspn(at, " \t\r\n");
        if (count == most)
            stiction_reader_refuse(m->r, e->at, "%s '%s' has more than %d numbers", name, text,
                                   most);
        numbers[count++] = stiction_reader_number(
            m->r, e->at, name, stiction_reader_format(m->r, "%.*s", (int)length, at));
        at += length;
    }
    return true;
}

/* The outermost defaults first: fewer numbers than there may be leave the others as they are. */
static bool inherit_numbers(mjcf *m, const defaults *d, const char *name, int most,
                            double *numbers) {
    if (!d) return false;
    const bool found = inherit_numbers(m, d->parent, name, most, numbers);
    return (d->motor && read_numbers(m, d->motor, name, most, numbers)) || found;
}

static bool numbers_of(mjcf *m, const xml_element *e, const char *name, int most, double *numbers) {
    const char *own = xml_attribute(e, "class");
    if (own && !find_class(m, own))
        stiction_reader_refuse(m->r, e->at, "there is no class '%s' of defaults", own);
    const bool found = inherit_numbers(m, find_class(m, own ? own : "main"), name, most, numbers);
    return read_numbers(m, e, name, most, numbers) || found;
}

static const char *title_of(mjcf *m, const xml_element *e) {
    const char *name = xml_attribute(e, "name");
    return name ? stiction_reader_format(m->r, "dcmotor '%s'", name) : "dcmotor";
}

/* Attributes of the motor that are not friction, each once. */
static void note_unread(mjcf *m, const xml_element *e) {
    static const char *const attributes[] = {"motorconst", "resistance", "nominal",
                                             "saturation", "inductance", "thermal",
                                             "cogging",    "controller", "armature"};
    for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++) {
        if (!stated(m, e, "main", true, attributes[k]) || strstr(m->unread, attributes[k]))
            continue;
        m->unread = stiction_reader_format(m->r, "%s%s%s", m->unread, *m->unread ? ", " : "",
                                           attributes[k]);
    }
}

/* The joint that a motor drives; NULL: it drives none alone, which a note says. */
static const joint_place *driven(mjcf *m, const xml_element *e) {
    const char *name = stated(m, e, "main", true, "joint");
    if (!name) name = stated(m, e, "main", true, "jointinparent");
    if (!name) {
        import_note(m->result, "not taken over: the %s of line %d, which drives no joint",
                    title_of(m, e), e->at.line);
        return NULL;
    }
    const joint_place *joint = m->joints;
    while (joint && strcmp(joint->name, name) != 0) joint = joint->next;
    if (!joint)
        stiction_reader_refuse(m->r, e->at, "%s drives joint '%s', which the file does not have",
                               title_of(m, e), name);
    if (strcmp(joint->type, "hinge") == 0 || strcmp(joint->type, "slide") == 0) return joint;
    import_note(m->result, "not taken over: the %s of line %d, whose joint '%s' is of type %s",
                title_of(m, e), e->at.line, name, joint->type);
    return NULL;
}

static bool is_wanted(const mjcf *m, const char *joint) {
    const text_list *wanted = &m->options->joints;
    for (size_t k = 0; k < wanted->count; k++)
        if (strcmp(wanted->items[k], joint) == 0) return true;
    return wanted->count == 0;
}

static void refuse_second(mjcf *m, const xml_element *e, const char *joint) {
    for (size_t k = 0; k < m->result->joint_count; k++)
        if (strcmp(m->result->joints[k].name, joint) == 0)
            stiction_reader_refuse(m->r, e->at,
                                   "joint '%s' has the LuGre friction of two motors; one joint has "
                                   "one law here",
                                   joint);
}

static void check_lugre(mjcf *m, const xml_element *e, const double lugre[lugre_count]) {
    static const char *const names[] = {"stiffness", "damping", "coulomb", "static", "stribeck"};
    for (int k = 0; k < lugre_count; k++)
        if (lugre[k] < 0 || (k != 1 && lugre[k] == 0))
            stiction_reader_refuse(m->r, e->at, "lugre: %s %g must be %s 0", names[k], lugre[k],
                                   k == 1 ? "at least" : "above");
    if (lugre[3] < lugre[2])
        stiction_reader_refuse(m->r, e->at, "lugre: static %g is below coulomb %g", lugre[3],
                               lugre[2]);
}

/* The bristle's own numbers, unless the user gives others or its damping is not legal. */
static void add_bristle(mjcf *m, import_joint *joint, const double lugre[lugre_count], double ratio,
                        const char *twice, int line) {
    import_options given = *m->options;
    const double own = lugre[1] * ratio * ratio;
    if (isnan(given.stiffness)) {
        given.stiffness = lugre[0] * ratio * ratio;
        import_add(m->result, joint, "stiffness", given.stiffness, "lugre[0]%s, line %d", twice,
                   line);
    } else {
        import_add(m->result, joint, "stiffness", given.stiffness, "--stiffness");
    }
    const double needed = import_descent(joint) - given.stiffness * m->result->timestep;
    if (isnan(given.damping) && own > needed) {
        import_add(m->result, joint, "damping", own, "lugre[1]%s, line %d", twice, line);
        return;
    }
    import_damping(m->result, joint, &given);
    if (isnan(given.damping))
        import_note(m->result,
                    "joint '%s': the damping of lugre, %g, is not legal at a time step of %g ms, "
                    "which needs more than %g; %g was chosen (--damping); steady sliding is the "
                    "same",
                    joint->name, own, 1e3 * m->result->timestep, needed,
                    import_value(joint, "damping"));
}

static void take_motor(mjcf *m, const xml_element *e) {
    import_result *result = m->result;
    double lugre[lugre_count] = {0}, damping[3] = {0}, gear[6] = {1};
    (void)numbers_of(m, e, "lugre", lugre_count, lugre);
    (void)numbers_of(m, e, "damping", 3, damping);
    (void)numbers_of(m, e, "gear", 6, gear);
    note_unread(m, e);
    if (lugre[0] == 0) {
        import_note(result, "the %s of line %d has no LuGre friction%s", title_of(m, e), e->at.line,
                    damping[0] > 0 ? "; its damping alone is not taken over" : "");
        return;
    }
    const joint_place *at = driven(m, e);
    if (!at || !is_wanted(m, at->name)) return;
    check_lugre(m, e, lugre);
    refuse_second(m, e, at->name);
    const double ratio = fabs(gear[0]);
    if (!(ratio > 0)) stiction_reader_refuse(m->r, e->at, "gear %g must not be 0", gear[0]);
    if (!(damping[0] >= 0))
        stiction_reader_refuse(m->r, e->at, "damping %g must be at least 0", damping[0]);
    const char *through = ratio == 1 ? "" : stiction_reader_format(m->r, " times gear %g", ratio);
    const char *over = ratio == 1 ? "" : stiction_reader_format(m->r, " over gear %g", ratio);
    const char *twice = ratio == 1 ? "" : stiction_reader_format(m->r, " times gear %g^2", ratio);
    const int line = e->at.line;
    import_joint *joint = import_add_joint(result, at->name, "stribeck");
    joint->slides = strcmp(at->type, "slide") == 0;
    import_add(result, joint, "coulomb_torque", lugre[2] * ratio, "lugre[2]%s, line %d", through,
               line);
    import_add(result, joint, "static_torque", lugre[3] * ratio, "lugre[3]%s, line %d", through,
               line);
    import_add(result, joint, "stribeck_velocity", lugre[4] / ratio, "lugre[4]%s, line %d", over,
               line);
    import_add(result, joint, "stribeck_exponent", 2, "as MuJoCo's formula has it");
    import_add(result, joint, "viscous", damping[0] * ratio * ratio, "damping%s, line %d", twice,
               line);
    add_bristle(m, joint, lugre, ratio, twice, line);
    if (damping[1] != 0 || damping[2] != 0)
        import_note(result,
                    "joint '%s': not taken over: the quadratic and cubic damping %g and %g of line "
                    "%d",
                    joint->name, damping[1], damping[2], line);
}

/* ---- the format ---- */

static void find_timestep(mjcf *m) {
    static const double usual = 0.002;
    import_result *result = m->result;
    result->timestep_origin = "--timestep";
    if (!isnan(m->options->timestep)) return;
    result->timestep_origin = "MuJoCo's default: the file states none";
    result->timestep = usual;
    if (!m->option) return;
    (void)read_numbers(m, m->option, "timestep", 1, &result->timestep);
    if (!(result->timestep > 0))
        stiction_reader_refuse(m->r, m->option->at, "timestep %g must be above 0",
                               result->timestep);
    result->timestep_origin = stiction_reader_format(m->r, "option, line %d", m->option->at.line);
}

static void check_wanted(const mjcf *m) {
    const text_list *wanted = &m->options->joints;
    for (size_t k = 0; k < wanted->count; k++) {
        bool found = false;
        for (size_t n = 0; n < m->result->joint_count; n++)
            found = found || strcmp(m->result->joints[n].name, wanted->items[k]) == 0;
        if (!found)
            stiction_reader_refuse(m->r, (stiction_place){m->path, 0, 0},
                                   "no dcmotor with LuGre friction drives joint '%s'",
                                   wanted->items[k]);
    }
}

void import_mujoco(import_result *result, const import_options *options) {
    mjcf m = {
        .r = result->r, .path = result->path, .options = options, .result = result, .unread = ""};
    m.last_motor = &m.motors;
    const stiction_place whole = {result->path, 0, 0};
    const xml_element *root = read_file(&m, whole, result->path);
    if (strcmp(root->name, "mujoco") != 0)
        stiction_reader_refuse(m.r, root->at, "is not MJCF: it begins with %s, not with <mujoco>",
                               xml_kind(root));
    const char *model = xml_attribute(root, "model");
    result->what = stiction_reader_format(m.r, "the LuGre friction of MuJoCo's dcmotors in %s",
                                          model ? model : "a model without a name");
    visit_children(&m, root, NULL, visit_defaults);
    m.depth = m.files = 0;
    visit_children(&m, root, "main", visit_top);
    find_timestep(&m);
    for (const motor_place *motor = m.motors; motor; motor = motor->next)
        take_motor(&m, motor->element);
    check_wanted(&m);
    if (result->joint_count == 0)
        stiction_reader_refuse(m.r, whole, "has no dcmotor with LuGre friction on a joint");
    import_remark(result,
                  "A number is followed by its unit and the attribute of <dcmotor> that it comes "
                  "from. The torque of steady sliding is MuJoCo's; what sticks is stiction's.");
    import_note(result, "take lugre and damping out of the motors in a simulation with this "
                        "configuration: friction would act twice");
    if (*m.unread) import_note(result, "not taken over, since it is not friction: %s", m.unread);
}
