/* SPDX-License-Identifier: MIT
 * stiction init: a configuration to start from, with the joints of a robot, what its file says
 * about friction, and estimates for the rest that are legal, with the coupling that holds on it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_options.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "common/whole_file.h"
#include "document/memory_stream.h"
#include "document/number.h"
#include "document/text.h"
#include "document/yaml_write.h"
#include "init.h"
#include "robots/robot_bodies.h"
#include "stability/inertia.h"
#include "stability/stability.h"

typedef struct init_options {
    const char *out;
    double timestep;
    bool force;
    base_options base;
    bool untrusted;
} init_options;

/* How missing values are estimated; the comment at the head of the output explains it. */
static const double friction_of_effort = 0.02; /* of the largest torque */
static const double usual_deceleration = 5;    /* rad/s^2 or m/s^2, where no torque is stated */

/* The friction of one joint as it is going to be written. */
typedef struct estimate {
    const body_link *joint;
    double torque, viscous;
    stability_spring spring;
} estimate;

typedef struct init {
    const robot *robot;
    double timestep;
    estimate *items;
    size_t unstable;   /* how many joints are not stable with explicit coupling */
    const char *first; /* the first of them */
    bool unjudged;     /* not known, since there are too many */
} init;

/* Three digits, since it is an estimate. */
static double rounded(double value) {
    const double unit = pow(10, floor(log10(value)) - 2);
    char text[32];
    double number = value;
    (void)snprintf(text, sizeof text, "%.3g", floor(value / unit * (1 + 1e-12)) * unit);
    (void)stiction_decimal(text, &number);
    return number;
}

static bool is_stated(const robot_number *number) {
    return number->value > 0 && isfinite(number->value);
}

static double estimate_torque(const body_link *joint, double inertia) {
    if (is_stated(&joint->friction)) return joint->friction.value;
    if (is_stated(&joint->effort)) return rounded(friction_of_effort * joint->effort.value);
    return rounded(usual_deceleration * inertia);
}

/* What `auto` is for this joint; Coulomb's law is legal with any spring. */
static stability_spring spring_of(const estimate *e, double timestep) {
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "coulomb";
    def.coulomb_torque = e->torque;
    def.viscous = e->viscous;
    def.stiffness = def.damping = STICTION_AUTO;
    stiction_config *config = must_have(stiction_config_create());
    if (stiction_config_add_joint(config, "joint", &def, NULL) == STICTION_OK)
        (void)stiction_config_joint_at(config, 0, &def);
    stiction_config_destroy(config);
    return stability_spring_of(&def, timestep);
}

static void make_estimates(init *all, const robot_mobility *mobility) {
    for (size_t k = 0; k < all->robot->joint_count; k++) {
        estimate *e = &all->items[k];
        e->joint = all->robot->joints[k].link;
        e->torque = estimate_torque(e->joint, robot_effective_inertia(mobility, k));
        e->viscous = is_stated(&e->joint->damping) ? e->joint->damping.value : 0;
        e->spring = spring_of(e, all->timestep);
    }
}

/* Which joints are too light for explicit coupling. */
static bool find_unstable(init *all, const robot_mobility *mobility, stiction_error *error) {
    const size_t n = all->robot->joint_count;
    AUTO_FREE stability_spring *springs = allocate(n, sizeof *springs);
    AUTO_FREE stability_joint *joints = allocate(n, sizeof *joints);
    stability_body body;
    for (size_t k = 0; k < n; k++) springs[k] = all->items[k].spring;
    const bool fine =
        stability_judge(mobility, springs, all->timestep, joints, &body, error) == STICTION_OK;
    all->unjudged = fine && isnan(body.number);
    for (size_t k = 0; k < n && fine && !all->unjudged; k++) {
        if (joints[k].verdict == STABILITY_STABLE) continue;
        if (all->unstable++ == 0) all->first = all->items[k].joint->joint_name;
    }
    return fine;
}

/* ---- writing ---- */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "arm.urdf:14" or "arm.xml" */
static char *source_of(const robot_number *number) {
    return number->line > 0 ? format_text("%s:%d", file_name(number->path), number->line)
                            : format_text("%s", file_name(number->path));
}

/* One parameter with its unit and where it comes from. */
static void write_parameter(FILE *out, const char *key, double value, const char *unit,
                            const char *origin) {
    char number[NUMBER_SIZE];
    AUTO_FREE char *line = format_text("    %s: %s", key, stiction_number_write(value, number));
    AUTO_FREE char *from = shown_text(origin);
    fprintf(out, "%-28s # %s, %s\n", line, unit, from);
}

/* Where the friction torque comes from; a stated 0 does not make a joint stick. */
static char *torque_origin(const body_link *joint) {
    const bool turns = joint->joint == BODY_REVOLUTE, taken = is_stated(&joint->friction);
    AUTO_FREE char *friction = isnan(joint->friction.value) ? NULL : source_of(&joint->friction);
    AUTO_FREE char *effort = is_stated(&joint->effort) ? source_of(&joint->effort) : NULL;
    AUTO_FREE char *rule =
        taken    ? copy_text(friction)
        : effort ? format_text("estimate: %g %% of the largest %s, %s", 100 * friction_of_effort,
                               turns ? "torque" : "force", effort)
                 : format_text("estimate: stops the joint at %g %s/s^2", usual_deceleration,
                               turns ? "rad" : "m");
    return format_text("%s%s%s%s", rule, friction && !taken ? " (" : "",
                       friction && !taken ? friction : "",
                       friction && !taken ? " states none)" : "");
}

static void write_joint(FILE *out, const estimate *e) {
    const bool turns = e->joint->joint == BODY_REVOLUTE;
    const char *viscous_unit = turns ? "N m s/rad" : "N s/m";
    fputs("  ", out);
    (void)stiction_yaml_write_text(out, e->joint->joint_name);
    fputs(":\n    law: coulomb\n", out);
    AUTO_FREE char *origin = torque_origin(e->joint);
    write_parameter(out, "coulomb_torque", e->torque, turns ? "N m" : "N", origin);
    if (is_stated(&e->joint->damping)) {
        AUTO_FREE char *source = source_of(&e->joint->damping);
        write_parameter(out, "viscous", e->viscous, viscous_unit, source);
    }
    fputs("    stiffness: auto\n    damping: auto\n", out);
}

/* Simulators list the joints of a .body by their ids: a joint without an id moves, but a host
 * cannot address it. If no joint has an id, all are meant. */
static bool is_reached(const robot *r, const body_link *joint) {
    bool has_ids = false;
    for (size_t k = 0; k < r->joint_count; k++)
        has_ids = has_ids || r->joints[k].link->joint_id >= 0;
    return joint->joint_id >= 0 || !has_ids;
}

static void write_unreached(FILE *out, const robot *r) {
    for (size_t k = 0; k < r->joint_count; k++)
        if (!is_reached(r, r->joints[k].link)) {
            fputs("# ", out);
            (void)stiction_yaml_write_text(out, r->joints[k].link->joint_name);
            fputs(" has no joint_id: simulators give it no friction.\n", out);
        }
}

/* Why friction is coupled as it is. */
static void write_reason(FILE *out, const init *all) {
    const double ms = 1e3 * all->timestep;
    if (all->unjudged)
        fprintf(out,
                "# Coupling: implicit, which holds for any inertia and time step; explicit is not\n"
                "# judged of more than %d joints, nor with much else in the model.\n",
                STABILITY_MOST_JOINTS);
    else if (all->unstable)
        fprintf(out,
                "# Coupling: implicit, which holds for any inertia and time step; explicit would\n"
                "# not be stable at %g ms, for %zu of %zu joints are too light.\n",
                ms, all->unstable, all->robot->joint_count);
    else
        fprintf(out,
                "# Coupling: explicit would be stable at a time step of %g ms; auto takes it\n"
                "# where that is safe by a factor of two, else implicit.\n",
                ms);
}

/* In Choreonoid a URDF is called as its file is. */
static void write_other_name(FILE *out, const robot *r) {
    AUTO_FREE char *stem = path_stem(r->path);
    if (robot_format_of(r->path) == ROBOT_URDF && strcmp(stem, r->name) != 0) {
        fputs(", ", out);
        (void)stiction_yaml_write_text(out, stem);
    }
}

static void write_all(FILE *out, const init *all) {
    AUTO_FREE char *name = shown_text(all->robot->name),
                   *path = shown_text(file_name(all->robot->path));
    fprintf(
        out,
        "# Friction of %s, begun by stiction init from %s.\n"
        "# A number is followed by the place that it was taken from, or by \"estimate\": a\n"
        "# guess to start from, not a measurement. With auto, stiffness lets a joint give way\n"
        "# by 0.5 mrad (or mm) before it slips; damping is stiffness times 10 ms, or more where\n"
        "# the law needs it. `stiction check` prints both.\n"
        "# With law: stribeck and static_torque, stribeck_velocity a joint can stick harder\n"
        "# than it slides.\n",
        name, path);
    write_reason(out, all);
    write_unreached(out, all->robot);
    fputs("stiction: 1\nmodels: [", out);
    (void)stiction_yaml_write_text(out, all->robot->name);
    write_other_name(out, all->robot);
    fprintf(out, "]\ntimestep: %g  # s; only for hosts whose simulator does not report its own\n",
            all->timestep);
    fprintf(out, "coupling: %s\njoints:\n", all->unstable || all->unjudged ? "implicit" : "auto");
    for (size_t k = 0; k < all->robot->joint_count; k++)
        if (is_reached(all->robot, all->items[k].joint)) write_joint(out, &all->items[k]);
}

/* Why coupling: implicit is written; NULL: it is not. */
static char *note_coupling(const init *all) {
    if (all->unjudged)
        return format_text("init: coupling: implicit is written, since explicit is not judged of "
                           "more than %d joints, nor with much else in the model",
                           STABILITY_MOST_JOINTS);
    if (!all->unstable) return NULL;
    AUTO_FREE char *others = all->unstable == 1 ? copy_text("")
                                                : format_text(" and %zu other%s", all->unstable - 1,
                                                              all->unstable == 2 ? "" : "s");
    return format_text("init: coupling: implicit is written, since explicit would not be "
                       "stable at %g ms for '%s'%s",
                       1e3 * all->timestep, all->first, others);
}

char *init_write(const robot *r, double timestep, char **note, stiction_error *error) {
    init all = {.robot = r, .timestep = timestep};
    robot_mobility mobility = {0};
    char *text = NULL;
    size_t size;
    if (r->joint_count == 0) {
        (void)fail(error, "%s: has no joints that could have friction", r->path);
        return NULL;
    }
    all.items = allocate(r->joint_count, sizeof *all.items);
    if (robot_mobility_compute(r, &mobility, error) == STICTION_OK) {
        make_estimates(&all, &mobility);
        if (find_unstable(&all, &mobility, error)) {
            FILE *out = must_have(stiction_memory_stream(&text, &size));
            write_all(out, &all);
            (void)must_have(fclose(out) == 0 ? text : NULL);
            *note = note_coupling(&all);
        }
    }
    robot_mobility_release(&mobility);
    free(all.items);
    return text;
}

static int init_configuration(const void *options, const text_list *arguments,
                              stiction_error *error) {
    const init_options *given = options;
    if (!base_options_fit(&given->base)) return fail_usage(error, "init: " BASE_CONFLICT);
    if (given->force && !given->out)
        return fail_usage(error, "init: --force is for --out; stdout replaces nothing");
    const robot_options how = {
        .log = print_log, .base = base_of(&given->base), .untrusted = given->untrusted};
    robot *r = robot_load(arguments->items[0], &how, error);
    AUTO_FREE char *note = NULL,
                   *text = r ? init_write(r, isnan(given->timestep) ? r->timestep : given->timestep,
                                          &note, error)
                             : NULL;
    const bool fine = text && whole_file_write(given->out, given->force, text, error);
    if (fine && note) (void)print_error("%s", note);
    robot_destroy(r);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const init_options defaults = {.timestep = (double)NAN};

#define FIELD(name) offsetof(init_options, name)

static const option options_of_init[] = {
    {"out", OPTION_TEXT, "FILE", "write to a file that is not there yet, instead of stdout",
     FIELD(out)},
    {"force", OPTION_FLAG, NULL, "replace an existing file", FIELD(force)},
    {"timestep", OPTION_POSITIVE, "T", "time step in s (default: of the MJCF file, else 0.001)",
     FIELD(timestep)},
    BASE_OPTIONS(init_options, base),
    UNTRUSTED_OPTION(init_options, untrusted),
    {.name = NULL},
};

const verb verb_init = {
    .name = "init",
    .summary = "a configuration to start from, with the joints of a robot",
    .arguments = "ROBOT",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_init, defaults),
    .description =

        "Reads a Choreonoid .body, a .urdf or an MJCF .xml and writes a configuration\n"
        "with all its joints. Friction and damping are taken over where the file states\n"
        "them (<dynamics> of a URDF, frictionloss and damping of MJCF), with the line\n"
        "that they are on; the rest is estimated and marked as such. The result is legal,\n"
        "and where explicit coupling would not be stable on the robot at the time step,\n"
        "it has coupling: implicit, which is stable for any inertia.",
    .example = "  stiction init arm.urdf --out arm.yaml\n"
               "  stiction check arm.yaml --body arm.urdf",
    .run = init_configuration,
};
