/*
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

/* ---- making ---- */

/* The definition with everything that the law reads given and in its domain. */
static stiction_status complete_def(curve *c, const char *name, stiction_error *error) {
    c->config = must_have(stiction_config_create());
    const stiction_status status = stiction_config_add_joint(c->config, name, &c->def, error);
    if (status == STICTION_OK) (void)stiction_config_joint_at(c->config, 0, &c->def);
    return status;
}

static stiction_status make_implicit(curve *c, const char *name, double timestep,
                                     stiction_error *error) {
    const stiction_status status = stiction_joint_def_check(name, &c->def, timestep, error);
    const stiction_element_def def = {.kind = STICTION_ELEMENT_C,
                                      .stiffness = c->def.stiffness,
                                      .damping = c->def.damping,
                                      .timestep = timestep};
    if (status == STICTION_OK && c->law)
        (void)stiction_element_init(&c->element, &def, c->law, &c->parameters);
    return status;
}

static stiction_status make_state(curve *c, const char *name, stiction_error *error) {
    stiction_model_def def = stiction_model_def_default();
    def.timestep = 1; /* every step brings its own */
    const stiction_status status =
        stiction_model_create(c->config, &name, 1, &def, &c->model, error);
    return status == STICTION_OK ? stiction_state_create(c->model, &c->state, error) : status;
}

/* What a curve cannot show, as a sentence; NULL: nothing stands against it. */
static const char *obstacle(const curve *c) {
    if (!c->info.reference) return NULL;
    if (c->implicit) return "is a model of the literature and has no Phi_Z: leave --implicit out";
    if (reads(c, "bristle_spacing"))
        return "gives a torque that depends on the position: it has no curve over the velocity";
    return NULL;
}

bool curve_make(curve *c, const char *path, const char *name, const stiction_joint_def *def,
                const char *law, double timestep) {
    stiction_error error;
    *c = (curve){.def = *def, .implicit = timestep > 0};
    if (law) c->def.law = law;
    if (!stiction_law_info_find(c->def.law, &c->info))
        return complain("%s: joint '%s': there is no law '%s'", path, name, c->def.law);
    const char *sentence = obstacle(c);
    if (sentence) return complain("%s: joint '%s': law %s %s", path, name, c->def.law, sentence);
    stiction_status status = complete_def(c, name, &error);
    c->law = stiction_law_find(c->info.name);
    c->parameters = stiction_joint_law_parameters(&c->def);
    if (status == STICTION_OK && c->implicit) status = make_implicit(c, name, timestep, &error);
    if (status == STICTION_OK && c->info.reference) status = make_state(c, name, &error);
    return status == STICTION_OK || complain("%s: %s", path, error.message);
}

void curve_release(curve *c) {
    stiction_state_destroy(c->state);
    stiction_model_destroy(c->model);
    stiction_config_destroy(c->config);
}

/* ---- values ---- */

/* Slides on at velocity v, twice as long with every step, until nothing changes any more. */
static double steady_torque(curve *c, double v) {
    const double effort = 0;
    double torque = 0, deflection = 0;
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.velocity = &v;
    input.effort = &effort;
    /* slower than this nothing arrives within the longest time step */
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
    /* where the torque is infinite a step gives 0 and counts a fault */
    return stiction_state_total_faults(c->state) ? copysign((double)INFINITY, v) : torque;
}

double curve_at(curve *c, double x) {
    if (c->state) return steady_torque(c, x);
    if (!c->law) return 0;
    if (c->implicit) return stiction_phi_z_at(&c->element.phi_z, x);
    return x == 0 ? 0 : stiction_phi(c->law, &c->parameters, x);
}

/* Phi(+0): where the vertical piece of the curve ends; 0 where it has none. */
static double jump_of(const curve *c) {
    return c->law && !c->implicit ? stiction_phi(c->law, &c->parameters, 0) : 0;
}

size_t curve_line(curve *c, const double *grid, size_t count, double *x, double *y) {
    const double jump = jump_of(c);
    size_t points = 0;
    for (size_t k = 0; k < count; k++) {
        const bool vertical = jump > 0 && grid[k] == 0;
        /* the vertical piece, as far as there is a curve on its side */
        if (vertical && grid[0] < 0) {
            x[points] = 0;
            y[points++] = -jump;
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
    const double sticking =
        c->law && c->implicit ? 2 * c->element.Z * c->element.phi_z.breakaway : 0;
    double sliding = sticking;
    if (reads(c, "stick_velocity")) sliding = 5 * c->def.stick_velocity;
    if (reads(c, "stribeck_velocity")) sliding = 5 * c->def.stribeck_velocity;
    return sticking + sliding;
}

char *curve_describe(const curve *c) {
    char *text = copy_text(c->info.name);
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        if (!(c->info.parameters >> k & 1)) continue;
        char *longer =
            format_text("%s  %s %.6g", text, info.symbol, stiction_joint_def_value(&c->def, k));
        free(text);
        text = longer;
    }
    if (!c->implicit || !c->law) return text;
    char *longer = format_text("%s  Z %.6g", text, c->element.Z);
    free(text);
    return longer;
}
