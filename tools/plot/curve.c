/* SPDX-License-Identifier: MIT
 * The torque of one law with the parameters of one joint, as a function of one number.
 */
#include "curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

/* Row of the parameter table by its key. */
static size_t parameter_index(const char *key) {
    stiction_parameter_info info;
    size_t k = 0;
    while (stiction_parameter_at(k, &info) && strcmp(info.key, key) != 0) k++;
    return k;
}

static bool reads(const curve *c, const char *key) {
    return c->info.parameters >> parameter_index(key) & 1;
}

static bool is_of_drive(const char *key) {
#define NAME(key, ...) #key,
    static const char *const keys[] = {STICTION_DRIVE_PARAMETERS(NAME)};
#undef NAME
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(keys[k], key) == 0) return true;
    return false;
}

/* ---- making ---- */

/* Completes the definition with defaults and checks it. */
static stiction_status complete_def(curve *c, const char *name, stiction_error *error) {
    c->config = must_have(stiction_config_create());
    const stiction_status status = stiction_config_add_joint(c->config, name, &c->def, error);
    if (status == STICTION_OK) (void)stiction_config_joint_at(c->config, 0, &c->def);
    return status;
}

/* The parameters of the law in each direction, after the inputs. */
static void make_sides(curve *c) {
    const stiction_drive_parameters drive = stiction_joint_drive_parameters(&c->def);
    const curve_inputs *in = &c->inputs;
    const stiction_drive_input input = {
        .position = isnan(in->position) ? 0 : in->position,
        .motor_torque = isnan(in->motor_torque) ? 0 : in->motor_torque,
        .external_torque = isnan(in->external_torque) ? 0 : in->external_torque,
        .temperature = isnan(in->temperature) ? drive.temperature : in->temperature};
    for (int back = 0; back < 2; back++) {
        c->sides[back] = c->parameters;
        if (!c->is_drive) continue;
        const stiction_levels levels =
            stiction_drive_levels(&drive, &c->parameters, &input, back == 1);
        c->sides[back].coulomb_torque = levels.coulomb;
        c->sides[back].static_torque = levels.coulomb + levels.falling;
        c->sides[back].viscous = levels.viscous;
    }
}

/* Whether any parameter of a drive differs from its neutral value. */
static bool has_drive(const curve *c) {
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (is_of_drive(info.key) &&
            !stiction_parameter_is_neutral(k, stiction_joint_def_value(&c->def, k)))
            return true;
    return false;
}

static stiction_status make_implicit(curve *c, const char *name, double timestep,
                                     stiction_error *error) {
    const stiction_status status = stiction_joint_def_check(name, &c->def, timestep, error);
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = c->def.stiffness,
                                      .damping = c->def.damping,
                                      .timestep = timestep};
    for (int back = 0; back < 2 && status == STICTION_OK && c->law; back++)
        (void)stiction_element_init(&c->element[back], &def, c->law, &c->sides[back]);
    return status;
}

static stiction_status make_state(curve *c, const char *name, stiction_error *error) {
    stiction_model_def def = stiction_model_def_default();
    def.timestep = 1; /* every step passes its own */
    const stiction_status status =
        stiction_model_create(c->config, &name, 1, &def, &c->model, error);
    return status == STICTION_OK ? stiction_state_create(c->model, &c->state, error) : status;
}

/* Why a law has no such curve; NULL: it has one. */
static const char *obstacle(const curve *c) {
    if (!c->info.reference) return NULL;
    if (c->implicit) return "is a reference model without Phi_Z; omit --implicit";
    if (reads(c, "bristle_spacing"))
        return "depends on the position; it has no curve over the velocity";
    return NULL;
}

/* Whether a step depends on more of the past than the deflection of the bristle. */
static bool remembers(const curve *c) {
    const double *torques;
    return c->law && (stiction_joint_drive_parameters(&c->def).lag > 0 ||
                      stiction_joint_def_list(&c->def, 0, &torques) > 0);
}

bool curve_make(curve *c, const char *path, const char *name, const stiction_joint_def *def,
                const char *law, double timestep, const curve_inputs *inputs,
                stiction_error *error) {
    static const curve_inputs none = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    *c = (curve){.def = *def, .implicit = timestep > 0, .inputs = inputs ? *inputs : none};
    if (law) c->def.law = law;
    if (!stiction_law_info_find(c->def.law, &c->info))
        return fail(error, "%s: joint '%s': unknown law '%s'", path, name, c->def.law);
    const char *reason = obstacle(c);
    if (reason) return fail(error, "%s: joint '%s': law %s %s", path, name, c->def.law, reason);
    stiction_status status = complete_def(c, name, error);
    c->law = stiction_law_find(c->info.name);
    c->parameters = stiction_joint_law_parameters(&c->def);
    c->is_drive = status == STICTION_OK && c->law && has_drive(c);
    make_sides(c);
    if (status == STICTION_OK && c->implicit && remembers(c))
        return fail(error,
                    "%s: joint '%s': a step with lag or presliding depends on earlier steps; omit "
                    "--implicit",
                    path, name);
    if (status == STICTION_OK && c->implicit) status = make_implicit(c, name, timestep, error);
    if (status == STICTION_OK && c->info.reference) status = make_state(c, name, error);
    if (status == STICTION_OK) return true;
    const stiction_error why = *error;
    return fail(error, "%s: %s", path, why.message);
}

void curve_release(curve *c) {
    stiction_state_destroy(c->state);
    stiction_model_destroy(c->model);
    stiction_config_destroy(c->config);
}

/* ---- values ---- */

/* Slides at velocity v, doubling the time step, until nothing changes. */
static double steady_torque(curve *c, double v) {
    const curve_inputs *given = &c->inputs;
    const double effort = isnan(given->motor_torque) ? 0 : given->motor_torque;
    const double external = isnan(given->external_torque) ? 0 : given->external_torque;
    double torque = 0, deflection = 0;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.velocity = &v;
    input.effort = &effort;
    input.external_torque = &external;
    /* at lower velocities the longest time step is too short */
    if (v != 0) v = copysign(fmax(fabs(v), 1 / STICTION_MOST), v);
    input.timestep = fmin(fmax(1 / fabs(v), 1e-3), STICTION_MOST);
    output.torque = &torque;
    output.deflection = &deflection;
    (void)stiction_state_reset(c->state, NULL);
    for (int k = 0; k < 100 && input.timestep <= STICTION_MOST; k++, input.timestep *= 2) {
        const double last_torque = torque, last_deflection = deflection;
        (void)stiction_step_full(c->state, &input, &output, NULL);
        if (k && torque == last_torque && deflection == last_deflection) break;
    }
    /* if the torque is infinite, a step returns 0 and counts a fault */
    return stiction_state_total_faults(c->state) ? copysign((double)INFINITY, v) : torque;
}

double curve_at(curve *c, double x) {
    if (c->state) return steady_torque(c, x);
    if (!c->law) return 0;
    if (c->implicit) return stiction_phi_z_at(&c->element[x < 0].phi_z, x);
    return x == 0 ? 0 : stiction_phi(c->law, &c->sides[x < 0], x);
}

/* Phi(+0), the end of the vertical segment; 0 if there is none. */
static double jump_of(const curve *c, bool backwards) {
    return c->law && !c->implicit ? stiction_phi(c->law, &c->sides[backwards], 0) : 0;
}

size_t curve_line(curve *c, const double *grid, size_t count, double *x, double *y) {
    const double jump = jump_of(c, false), back = jump_of(c, true);
    size_t points = 0;
    for (size_t k = 0; k < count; k++) {
        const bool vertical = jump > 0 && grid[k] == 0;
        /* the vertical segment, on the sides that the grid covers */
        if (vertical && grid[0] < 0) {
            x[points] = 0;
            y[points++] = -back;
        }
        x[points] = grid[k];
        y[points++] = !vertical ? curve_at(c, grid[k]) : grid[count - 1] > 0 ? jump : 0;
    }
    return points;
}

bool curve_exists(const char *law) {
    curve c = {.implicit = false};
    return strcmp(law, "none") != 0 && stiction_law_info_find(law, &c.info) && !obstacle(&c);
}

double curve_reach(const curve *c) {
    const double sticking = c->law && c->implicit ? 2 * c->element[0].Z *
                                                        fmax(c->element[0].phi_z.breakaway,
                                                             c->element[1].phi_z.breakaway)
                                                  : 0;
    double sliding = sticking;
    if (reads(c, "stick_velocity")) sliding = 5 * c->def.stick_velocity;
    if (reads(c, "stribeck_velocity")) sliding = 5 * c->def.stribeck_velocity;
    return sticking + sliding;
}

unsigned curve_needs(const curve *c) {
    if (!c->is_drive)
        return c->info.needs_effort ? STICTION_NEEDS_EFFORT | STICTION_NEEDS_EXTERNAL_TORQUE : 0;
    const stiction_drive_parameters p = stiction_joint_drive_parameters(&c->def);
    unsigned needs = 0;
    if (p.load_motor > 0 || p.load_motor_static > 0) needs |= STICTION_NEEDS_EFFORT;
    if (p.load_external > 0 || p.load_external_static > 0) needs |= STICTION_NEEDS_EXTERNAL_TORQUE;
    if (p.ripple > 0) needs |= STICTION_NEEDS_POSITION;
    if (p.temperature_level != 0 || p.temperature_viscous != 0) needs |= CURVE_READS_TEMPERATURE;
    return needs;
}

/* Rarely used parameters are listed only if they differ from their default. */
static bool is_described(const curve *c, size_t k, const stiction_parameter_info *info) {
    const bool is_extra = is_of_drive(info->key) || strcmp(info->key, "viscous_exponent") == 0;
    return (c->info.parameters >> k & 1) &&
           !(is_extra && stiction_joint_def_value(&c->def, k) == info->fallback);
}

char *curve_describe(const curve *c) {
    char *text = copy_text(c->info.name);
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        if (is_described(c, k, &info))
            append_text(&text, "  %s %.6g", info.symbol, stiction_joint_def_value(&c->def, k));
    }
    if (c->implicit && c->law) append_text(&text, "  Z %.6g", c->element[0].Z);
    return text;
}
