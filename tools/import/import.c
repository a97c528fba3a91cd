/* SPDX-License-Identifier: MIT */
/* What the formats of stiction import share: joints, remarks, and the bristle that no source has.
 */
#include "import.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "document/number.h"
#include "stiction/models/law.h"

#define IMPORT_ROW(name, ending) {#name, ending, import_##name},
const import_kind import_kinds[IMPORT_KIND_COUNT] = {IMPORT_FORMATS(IMPORT_ROW)};

static const double bristle_reach = 5e-4; /* rad or m, before a joint breaks away */
static const double bristle_time = 0.01;  /* s, damping over stiffness */
static const double legal_margin = 1.1;   /* of the damping that any time step needs */

/* ---- joints and their parameters ---- */

import_joint *import_add_joint(import_result *result, const char *name, const char *law) {
    result->joints = stiction_reader_grow(result->r, result->joints, result->joint_count,
                                          sizeof *result->joints);
    import_joint *joint = &result->joints[result->joint_count++];
    *joint = (import_joint){.name = name, .law = law};
    return joint;
}

/* The unit of a key, as the table of parameters has it, or that of a prismatic joint. */
static const char *unit_of(const char *key, bool slides) {
    static const struct {
        const char *turning, *sliding;
    } units[] = {{"N m", "N"}, {"rad/s", "m/s"}, {"N m s/rad", "N s/m"}, {"N m/rad", "N/m"}};
    const char *unit = "1";
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (strcmp(info.key, key) == 0) unit = info.unit;
    for (size_t k = 0; slides && k < sizeof units / sizeof units[0]; k++)
        if (strcmp(units[k].turning, unit) == 0) return units[k].sliding;
    return unit;
}

static const char *format_list(reader *r, const char *format, va_list arguments) {
    char text[1024];
    (void)vsnprintf(text, sizeof text, format, arguments);
    return stiction_reader_text(r, text);
}

void import_add(import_result *result, import_joint *joint, const char *key, double value,
                const char *origin, ...) {
    if (joint->parameter_count == IMPORT_MOST_PARAMETERS) abort();
    va_list arguments;
    va_start(arguments, origin);
    joint->parameters[joint->parameter_count++] = (import_parameter){
        key, value, unit_of(key, joint->slides), format_list(result->r, origin, arguments)};
    va_end(arguments);
}

double import_value(const import_joint *joint, const char *key) {
    for (size_t k = 0; k < joint->parameter_count; k++)
        if (strcmp(joint->parameters[k].key, key) == 0) return joint->parameters[k].value;
    return (double)NAN;
}

static void add_line(reader *r, import_lines *lines, const char *text) {
    lines->items = stiction_reader_grow(r, lines->items, lines->count, sizeof *lines->items);
    lines->items[lines->count++] = text;
}

void import_remark(import_result *result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_line(result->r, &result->remarks, format_list(result->r, format, arguments));
    va_end(arguments);
}

void import_note(import_result *result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_line(result->r, &result->notes, format_list(result->r, format, arguments));
    va_end(arguments);
}

double import_coulomb(import_result *result, const char *what, double torque) {
    if (torque >= STICTION_LEAST) return torque;
    import_note(result,
                "%s is %g: coulomb_torque must be above 0, so the least that there is was written, "
                "%g",
                what, torque, STICTION_LEAST);
    return STICTION_LEAST;
}

void import_name_joints(import_result *result, const import_options *options, const char *of) {
    const import_joint model = result->joints[0];
    result->joints[0].name = options->joints.count ? options->joints.items[0] : "*";
    for (size_t k = 1; k < options->joints.count; k++) {
        import_joint *joint = import_add_joint(result, NULL, NULL);
        *joint = model;
        joint->name = options->joints.items[k];
    }
    if (options->joints.count == 0)
        import_note(result,
                    "%s names no joint: the friction is that of every joint (\"*\"); give --joint "
                    "NAME for one",
                    of);
}

/* ---- the bristle ---- */

/* What a parameter adds, or 0. */
static double term(const import_joint *joint, const char *key) {
    const double value = import_value(joint, key);
    return isnan(value) ? 0 : value;
}

double import_descent(const import_joint *joint) {
    const stiction_law *law = stiction_law_find(joint->law);
    stiction_law_parameters p = stiction_law_parameters_default();
    const double limit = term(joint, "load_limit"), coulomb = import_value(joint, "coulomb_torque");
    const double load = term(joint, "load_motor_static") + term(joint, "load_external_static");
    p.coulomb_torque = coulomb;
    p.static_torque = limit * load + import_value(joint, "static_torque");
    p.stribeck_velocity = import_value(joint, "stribeck_velocity");
    p.stribeck_exponent = fmax(term(joint, "stribeck_exponent"), 1);
    p.viscous = term(joint, "viscous");
    return law ? law->steepest_descent(&p) : 0;
}

/* Three digits, not below the value. */
static double rounded_up(double value) {
    const double unit = pow(10, floor(log10(value)) - 2);
    char text[32];
    double number = value;
    (void)snprintf(text, sizeof text, "%.3g", ceil(value / unit * (1 - 1e-12)) * unit);
    (void)stiction_decimal(text, &number);
    return number;
}

void import_damping(import_result *result, import_joint *joint, const import_options *options) {
    if (!isnan(options->damping)) {
        import_add(result, joint, "damping", options->damping, "--damping");
        return;
    }
    const double usual = bristle_time * import_value(joint, "stiffness");
    const double legal = legal_margin * import_descent(joint);
    import_add(result, joint, "damping", rounded_up(fmax(usual, legal)), "chosen: %s; --damping",
               legal > usual ? "legal at any time step" : "10 ms of the stiffness");
}

void import_bristle(import_result *result, import_joint *joint, const import_options *options) {
    const double at_rest =
        fmax(import_value(joint, "coulomb_torque"), term(joint, "static_torque"));
    if (isnan(options->stiffness))
        import_add(result, joint, "stiffness",
                   rounded_up(fmin(fmax(at_rest / bristle_reach, 1e-3), STICTION_MOST)),
                   "chosen: gives way by %g m%s at rest without load; --stiffness",
                   1e3 * bristle_reach, joint->slides ? "m" : "rad");
    else
        import_add(result, joint, "stiffness", options->stiffness, "--stiffness");
    import_damping(result, joint, options);
}

/* ---- the whole ---- */

typedef struct request {
    const char *path;
    const import_kind *kind;
    const import_options *options;
} request;

import_result *import_within(reader *r, const char *path, const import_kind *kind,
                             const import_options *options) {
    import_result *result = stiction_reader_alloc(r, sizeof *result);
    *result = (import_result){.r = r,
                              .path = stiction_reader_text(r, path),
                              .timestep = isnan(options->timestep) ? 0.001 : options->timestep};
    kind->read(result, options);
    text_stream *stream = stiction_reader_stream(r);
    import_write(stream->file, result);
    result->text = stiction_reader_stream_text(r, stream);
    return result;
}

static void *answer(reader *r, const void *context) {
    const request *q = context;
    return import_within(r, q->path, q->kind, q->options);
}

import_result *import_read(reader *r, const char *path, const import_kind *kind,
                           const import_options *options) {
    return stiction_reader_run(r, answer, &(request){path, kind, options});
}
