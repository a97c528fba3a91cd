/* SPDX-License-Identifier: MIT
 * Friction along a motion: one step of a state whose joints are the same joint with different
 * parameters, so that all derivatives by parameters cost one pass over the log.
 */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fit_simulator {
    stiction_model *model[FIT_LANES + 1]; /* by the number of joints */
    stiction_state *state[FIT_LANES + 1];
};

fit_simulator *fit_simulator_create(stiction_error *error) {
    (void)error;
    return allocate(1, sizeof(fit_simulator));
}

void fit_simulator_destroy(fit_simulator *s) {
    if (!s) return;
    for (size_t k = 0; k <= FIT_LANES; k++) {
        stiction_state_destroy(s->state[k]);
        stiction_model_destroy(s->model[k]);
    }
    free(s);
}

static bool make_state(fit_simulator *s, size_t lanes, const stiction_joint_def *def, double step,
                       stiction_error *error) {
    if (s->state[lanes]) return true;
    static const char *const names[FIT_LANES] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                                 "8", "9", "10", "11", "12", "13", "14", "15"};
    stiction_config *config = must_have(stiction_config_create());
    stiction_model_def model = stiction_model_def_default();
    model.timestep = step;
    const bool fine =
        stiction_config_add_joint(config, "*", def, error) == STICTION_OK &&
        stiction_model_create(config, names, lanes, &model, &s->model[lanes], error) ==
            STICTION_OK &&
        stiction_state_create(s->model[lanes], &s->state[lanes], error) == STICTION_OK;
    stiction_config_destroy(config);
    return fine;
}

stiction_joint_def fit_def(const fit_problem *p, const fit_model *model) {
    const double *theta = model->theta;
    stiction_joint_def def = stiction_joint_def_default();
    def.law = model->law;
    def.coulomb_torque = exp(theta[FIT_COULOMB]);
    def.viscous = model->free & FIT_BIT(FIT_VISCOUS) ? exp(theta[FIT_VISCOUS]) : 0;
    def.stiffness = exp(theta[FIT_STIFFNESS]);
    def.damping = 0;
    if (model->law[0] != 'c') {
        def.static_torque = def.coulomb_torque * (1 + exp(theta[FIT_FALL]));
        def.stribeck_velocity = exp(theta[FIT_STRIBECK]);
        if (model->law[0] == 's' && model->law[8] == '2') {
            def.law = "stribeck";
            def.stribeck_exponent = 2;
        }
    }
    if (model->free & FIT_BIT(FIT_REVERSE)) def.reverse_factor = exp(theta[FIT_REVERSE]);
    if (model->free & FIT_BIT(FIT_REVERSE_VISCOUS))
        def.reverse_viscous_factor = exp(theta[FIT_REVERSE_VISCOUS]);
    if (model->free & FIT_BIT(FIT_LOAD_MOTOR)) {
        def.load_motor = fmin(exp(theta[FIT_LOAD_MOTOR]), 0.9);
    }
    if (model->free & FIT_BIT(FIT_LOAD_EXTERNAL)) def.load_external = exp(theta[FIT_LOAD_EXTERNAL]);
    if (model->free & FIT_BIT(FIT_TEMPERATURE_LEVEL))
        def.temperature_level = fmin(fmax(theta[FIT_TEMPERATURE_LEVEL], -0.0075), 0.012);
    if (model->free & FIT_BIT(FIT_TEMPERATURE_VISCOUS))
        def.temperature_viscous = fmin(fmax(theta[FIT_TEMPERATURE_VISCOUS], -0.1), 0.1);
    if (model->free & FIT_BIT(FIT_RIPPLE_COS)) {
        def.ripple = fmin(hypot(theta[FIT_RIPPLE_COS], theta[FIT_RIPPLE_SIN]), 0.9);
        def.ripple_count = p->ripple_count;
        def.ripple_phase = atan2(theta[FIT_RIPPLE_SIN], theta[FIT_RIPPLE_COS]);
    }
    if (model->free & (FIT_BIT(FIT_LOAD_MOTOR) | FIT_BIT(FIT_LOAD_EXTERNAL)))
        def.load_limit = 20 * p->scale + 1e-9;
    const double descent = stiction_joint_def_descent(&def, p->timestep);
    const double needed = descent > 0 ? 1.02 * descent : 0;
    /* a bristle that follows more slowly than this does not model friction */
    const double slowest_bristle = 0.15; /* s */
    def.damping = fmin(exp(theta[FIT_DAMPING]), slowest_bristle * def.stiffness) +
                  fmax(needed - def.stiffness * p->timestep, 0);
    return def;
}

typedef struct inputs {
    double position[FIT_LANES], effort[FIT_LANES], external[FIT_LANES], temperature[FIT_LANES];
    double velocity[FIT_LANES], torque[FIT_LANES], last[FIT_LANES];
} inputs;

static bool run_log(stiction_state *state, const fit_problem *p, size_t file, size_t lanes,
                    double *const *friction) {
    const fit_log *log = &p->logs[file];
    const fit_motion *m = &p->motions[file];
    const double *temperature = log->column[LOG_TEMPERATURE];
    const double *external = log->column[LOG_EXTERNAL];
    const double *load = p->load ? p->load + p->first[file] : NULL;
    const unsigned needs = stiction_state_needs(state);
    inputs in;
    memset(&in, 0, sizeof in);
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = m->grid_step;
    input.velocity = in.velocity;
    input.position = in.position;
    input.effort = needs & STICTION_NEEDS_EFFORT ? in.effort : NULL;
    input.external_torque = in.external;
    input.temperature = temperature ? in.temperature : NULL;
    output.torque = in.torque;
    size_t i = 0;
    stiction_error error;
    for (size_t g = 0; g < m->grid && i < log->count; g++) {
        for (size_t k = 0; k < lanes; k++) {
            in.velocity[k] = m->grid_velocity[g];
            in.last[k] = in.torque[k];
        }
        if (needs || temperature)
            for (size_t k = 0; k < lanes; k++) {
                in.position[k] = m->grid_position[g];
                in.effort[k] = load ? load[i] : 0;
                in.external[k] = external ? external[i] : 0;
                if (temperature) in.temperature[k] = temperature[i];
            }
        if (stiction_step_full(state, &input, &output, &error) != STICTION_OK) return false;
        /* the samples between the last grid point and this one */
        for (; i < log->count && (m->at[i] < g || (m->at[i] == g && m->share[i] <= 0)); i++) {
            const double x = m->at[i] == g ? 1 : m->share[i];
            for (size_t k = 0; k < lanes; k++)
                friction[k][p->first[file] + i] = in.last[k] + x * (in.torque[k] - in.last[k]);
        }
    }
    for (; i < log->count; i++)
        for (size_t k = 0; k < lanes; k++) friction[k][p->first[file] + i] = in.torque[k];
    return true;
}

stiction_state *fit_state(fit_simulator *s, const fit_problem *p, const fit_model *models,
                          size_t lanes) {
    stiction_error error;
    const stiction_joint_def first = fit_def(p, &models[0]);
    if (!make_state(s, lanes, &first, p->timestep, &error)) return NULL;
    stiction_state *state = s->state[lanes];
    for (size_t k = 0; k < lanes; k++) {
        const stiction_joint_def def = fit_def(p, &models[k]);
        if (stiction_state_set_joint(state, k, &def, &error) != STICTION_OK) return NULL;
    }
    return state;
}

bool fit_simulate(fit_simulator *s, const fit_problem *p, const fit_model *models, size_t lanes,
                  bool all, double *const *friction) {
    stiction_error error;
    stiction_state *state = fit_state(s, p, models, lanes);
    if (!state) return false;
    double *zeros = allocate(stiction_state_memory_size(state), sizeof *zeros);
    bool fine = true;
    for (size_t file = 0; file < p->count && fine; file++)
        if (all || fit_has_weight(p, file))
            fine = stiction_state_set_memory(state, zeros, &error) == STICTION_OK &&
                   run_log(state, p, file, lanes, friction);
    free(zeros);
    return fine;
}
