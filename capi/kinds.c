/* SPDX-License-Identifier: MIT
 * How each law of a configuration becomes a joint: the laws of joint_models through element C, and
 * the models of the literature through their own steps.
 * A new law of joint_models appears here by itself; a new reference model is one row.
 */
#include "drives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/fail.h"
#include "joint_parameters.h"

#define USES(key) ((uint64_t)1 << parameter_##key)

/* No friction. */

static joint_result none_step(const joint *j, joint_input in, joint_memory *m) {
    (void)j, (void)in, (void)m;
    return (joint_result){0, true};
}

static double none_slope(const joint *j, joint_input in, const joint_memory *m) {
    (void)j, (void)in, (void)m;
    return 0;
}

static void none_rate(const joint *j, double velocity, double deflection, double *torque,
                      double *deflection_rate) {
    (void)j, (void)velocity, (void)deflection;
    *torque = *deflection_rate = 0;
}

/* Laws that stick: element C, K (38). */

stiction_status stiction_joint_check_viscosity(double viscous, double G, char *message,
                                               size_t size) {
    /* above it 1 + Z D rounds to Z D, and rounding would bend a sliding bristle further and further
     */
    const double farthest = 0x1p49;
    if (!(viscous / farthest > G)) return STICTION_OK;
    (void)snprintf(message, size,
                   "viscous %.15g is more than %g times stiffness * timestep + damping, which is "
                   "%.6g: too far apart for double precision",
                   viscous, farthest, G);
    return STICTION_INVALID_CONFIG;
}

stiction_status stiction_joint_refuse_verdict(const joint *j, stiction_law_verdict verdict,
                                              double needed, char *message, size_t size) {
    const double K = j->def.stiffness, T = j->timestep;
    if (verdict == STICTION_LAW_OK) return STICTION_OK;
    if (verdict == STICTION_LAW_ILLEGAL_Z) {
        (void)snprintf(message, size,
                       "at time step %g s stiffness * timestep + damping is %.12g, but the %s law "
                       "needs more than %.12g N m s/rad; a damping above %.12g would do",
                       T, fma(K, T, j->def.damping), j->law->name, needed, fmax(needed - K * T, 0));
        return STICTION_ILLEGAL_TIMESTEP;
    }
    (void)snprintf(message, size, "the parameters are too far apart for double precision");
    return STICTION_INVALID_CONFIG;
}

static stiction_status element_prepare(joint *j, char *message, size_t size) {
    const stiction_law_parameters p = stiction_joint_law_parameters(&j->def);
    const double K = j->def.stiffness, B = j->def.damping, T = j->timestep;
    /* a stage with tau = 0 has Z = 1/B: the element's own time step must stay positive */
    const stiction_element_def def = {STICTION_ELEMENT_C, 0, K, B, T};
    const double needed = j->law->steepest_descent(&p), G = fma(K, T, B);
    j->stiffness = K;
    if (T == 0 && B < STICTION_LEAST) {
        (void)snprintf(message, size,
                       "damping must be above 0 where the time step is 0: at least %g N m s/rad",
                       STICTION_LEAST);
        return STICTION_ILLEGAL_TIMESTEP;
    }
    TRY(stiction_joint_check_viscosity(p.viscous, G, message, size));
    const stiction_law_verdict verdict =
        T > 0 ? stiction_element_init(&j->model.element, &def, j->law, &p)
              : stiction_phi_z_prepare_inverse(&j->model.element.phi_z, j->law, &p, B);
    j->fast = verdict == STICTION_LAW_OK ? j->model.element.fast : NULL;
    return stiction_joint_refuse_verdict(j, verdict, needed, message, size);
}

static double v_star(const joint *j, double velocity, double deflection) {
    const stiction_element *element = &j->model.element;
    return fma(element->Z * element->def.stiffness, deflection, velocity); /* K (38a) */
}

static joint_result element_step(const joint *j, joint_input in, joint_memory *m) {
    return (joint_result){
        .torque = stiction_element_c_step_1(&j->model.element, in.velocity, &m->deflection)};
}

static bool element_slips(const joint *j, joint_input in, const joint_memory *m) {
    return !stiction_element_c_sticks(&j->model.element, in.velocity, m->deflection);
}

static double element_slope(const joint *j, joint_input in, const joint_memory *m) {
    return stiction_phi_z_slope(&j->model.element.phi_z, v_star(j, in.velocity, m->deflection));
}

/* R (19) with tau = the joint's time step. */
static void element_rate(const joint *j, double velocity, double deflection, double *torque,
                         double *deflection_rate) {
    const stiction_phi_z *phi_z = &j->model.element.phi_z;
    const double K = j->def.stiffness;
    *torque = stiction_phi_z_at(phi_z, fma(phi_z->Z * K, deflection, velocity));
    *deflection_rate = fma(-K, deflection, *torque) * phi_z->Z;
}

static const joint_kind none_kind = {
    .info = {.name = "none", .description = "no friction"},
    .step = none_step,
    .slope = none_slope,
    .rate = none_rate,
};

static const joint_kind element_kind = {
    .prepare = element_prepare,
    .step = element_step,
    .slips = element_slips,
    .slope = element_slope,
    .rate = element_rate,
};

/* Algebraic models: torque of velocity and effort, without memory. */

/* All torques on the joint; hosts may pass the motor's part separately. */
static double effort_of(joint_input in) {
    return in.effort + in.external_torque;
}

static joint_result viscosity_step(const joint *j, joint_input in, joint_memory *m) {
    (void)m;
    const stiction_joint_def *d = &j->def;
    return (joint_result){
        stiction_viscosity_force(d->coulomb_torque, d->stick_velocity, in.velocity),
        fabs(in.velocity) > d->stick_velocity};
}

static joint_result tanh_step(const joint *j, joint_input in, joint_memory *m) {
    (void)m;
    const stiction_joint_def *d = &j->def;
    return (joint_result){stiction_tanh_force(d->coulomb_torque, d->stick_velocity, in.velocity),
                          in.velocity != 0};
}

static joint_result quinn_step(const joint *j, joint_input in, joint_memory *m) {
    (void)m;
    const stiction_joint_def *d = &j->def;
    return (joint_result){
        stiction_quinn_force(d->coulomb_torque, d->stick_velocity, in.velocity, effort_of(in)),
        fabs(in.velocity) > d->stick_velocity};
}

/* Karnopp's (3) takes any law; here the Stribeck law, which is Coulomb's where F_S = F_C. */
static joint_result karnopp_step(const joint *j, joint_input in, joint_memory *m) {
    (void)m;
    const stiction_law *law = stiction_law_find("stribeck");
    const stiction_law_parameters p = stiction_joint_law_parameters(&j->def);
    const double epsilon = j->def.stick_velocity;
    const double effort = effort_of(in);
    return (joint_result){stiction_karnopp_force(law, &p, epsilon, in.velocity, effort),
                          !stiction_karnopp_sticks(law, &p, epsilon, in.velocity, effort)};
}

/* Models with one state, E and B. */

static stiction_status refuse(char *message, size_t size, const char *text) {
    (void)snprintf(message, size, "%s", text);
    return STICTION_INVALID_CONFIG;
}

static const joint_conflict of_elastic_limit = {
    3, {parameter_elastic_limit, parameter_coulomb_torque, parameter_stiffness}};

static stiction_status single_state_check(joint *j, char *message, size_t size) {
    j->stiffness = j->model.single_state.stiffness;
    return stiction_single_state_in_domain(&j->model.single_state)
               ? STICTION_OK
               : refuse(message, size,
                        "elastic_limit must be below coulomb_torque / stiffness, where sliding "
                        "begins");
}

static stiction_status dahl_prepare(joint *j, char *message, size_t size) {
    stiction_single_state *s = &j->model.single_state;
    *s = stiction_single_state_default();
    s->stiffness = j->def.stiffness;
    s->coulomb_torque = s->static_torque = j->def.coulomb_torque;
    return single_state_check(j, message, size);
}

static stiction_status lugre_prepare(joint *j, char *message, size_t size) {
    stiction_single_state *s = &j->model.single_state;
    *s = stiction_single_state_default();
    s->stiffness = j->def.stiffness;
    s->damping = j->def.damping;
    s->viscous = j->def.viscous;
    s->coulomb_torque = j->def.coulomb_torque;
    s->static_torque = j->def.static_torque;
    s->stribeck_velocity = j->def.stribeck_velocity;
    /* LuGre does not read the elastic limit */
    s->elastic_limit = j->kind->info.parameters & USES(elastic_limit) ? j->def.elastic_limit : 0;
    return single_state_check(j, message, size);
}

static stiction_status mpabm_prepare(joint *j, char *message, size_t size) {
    const stiction_mpabm model = {.force_per_angle =
                                      j->def.bristle_stiffness / j->def.bristle_height,
                                  .scale = j->def.angle_scale,
                                  .min_angle = j->def.min_angle,
                                  .max_angle = j->def.max_angle,
                                  .stribeck_velocity = j->def.stribeck_velocity};
    stiction_single_state *s = &j->model.single_state;
    *s = stiction_mpabm_single_state(&model);
    /* a value derived from several parameters has the bounds of the parameter it replaces */
    const struct {
        const char *what, *unit;
        double value;
    } rows[] = {{"bristle_stiffness / bristle_height * angle_scale", "N m/rad", s->stiffness},
                {"bristle_stiffness / bristle_height * min_angle", "N m", s->coulomb_torque},
                {"bristle_stiffness / bristle_height * max_angle", "N m", s->static_torque}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (!(rows[k].value >= STICTION_LEAST && rows[k].value <= STICTION_MOST)) {
            (void)snprintf(message, size, "%s is %g; it must be from %g to %g %s", rows[k].what,
                           rows[k].value, STICTION_LEAST, STICTION_MOST, rows[k].unit);
            return STICTION_INVALID_CONFIG;
        }
    return single_state_check(j, message, size);
}

static joint_result single_state_step(const joint *j, joint_input in, joint_memory *m) {
    const stiction_single_state *s = &j->model.single_state;
    const bool slips =
        in.velocity != 0 && stiction_single_state_alpha(s, in.velocity, m->deflection) > 0;
    return (joint_result){stiction_single_state_step(s, j->timestep, in.velocity, &m->deflection),
                          slips};
}

static void single_state_rate(const joint *j, double velocity, double deflection, double *torque,
                              double *deflection_rate) {
    stiction_single_state_rate(&j->model.single_state, velocity, deflection, torque,
                               deflection_rate);
}

/* Models that know places: the position is the velocity summed up. */

static stiction_sawtooth sawtooth(const joint *j) {
    return (stiction_sawtooth){j->def.coulomb_torque, j->def.static_torque, j->def.bristle_spacing};
}

static stiction_status sawtooth_prepare(joint *j, char *message, size_t size) {
    (void)message, (void)size;
    j->model.sawtooth = sawtooth(j);
    return STICTION_OK;
}

static joint_result sawtooth_step(const joint *j, joint_input in, joint_memory *m) {
    const double torque = stiction_sawtooth_force(&j->model.sawtooth, m->position, in.velocity);
    m->position += in.velocity * j->timestep;
    return (joint_result){torque, true};
}

static stiction_status ffbm_prepare(joint *j, char *message, size_t size) {
    (void)message, (void)size;
    j->stiffness = j->def.stiffness;
    j->model.ffbm = (stiction_ffbm){j->stiffness, sawtooth(j)};
    return STICTION_OK;
}

static joint_result ffbm_step(const joint *j, joint_input in, joint_memory *m) {
    const double torque =
        stiction_ffbm_step(&j->model.ffbm, j->timestep, m->position, in.velocity, &m->deflection);
    m->position += in.velocity * j->timestep;
    return (joint_result){torque, in.velocity != 0};
}

static const joint_conflict of_bristles = {4,
                                           {parameter_bristle_spacing, parameter_bristle_length,
                                            parameter_bristle_height, parameter_body_length}};

static stiction_status bristles_prepare(joint *j, char *message, size_t size) {
    j->model.bristles = (stiction_bristles){.stiffness = j->def.bristle_stiffness,
                                            .height = j->def.bristle_height,
                                            .length = j->def.bristle_length,
                                            .spacing = j->def.bristle_spacing,
                                            .body_length = j->def.body_length};
    return stiction_bristles_in_domain(&j->model.bristles)
               ? STICTION_OK
               : refuse(message, size,
                        "bristle_spacing must be below sqrt(bristle_length^2 - bristle_height^2), "
                        "and body_length above that root and two spacings");
}

static joint_result drbm_step(const joint *j, joint_input in, joint_memory *m) {
    const double torque = stiction_drbm_force(&j->model.bristles, m->position, in.velocity);
    m->position += in.velocity * j->timestep;
    return (joint_result){torque, true};
}

static joint_result rbm_step(const joint *j, joint_input in, joint_memory *m) {
    stiction_rbm_state s = stiction_rbm_start(m->start);
    s.direction = m->direction;
    s.last_base = m->last_base;
    s.reversed = m->reversed != 0;
    stiction_rbm_update(&j->model.bristles, &s, m->position, in.velocity);
    const double torque = stiction_rbm_force(&j->model.bristles, &s, m->position);
    m->position += in.velocity * j->timestep;
    if (isfinite(torque) && isfinite(m->position)) {
        m->direction = s.direction;
        m->last_base = s.last_base;
        m->reversed = s.reversed;
    }
    return (joint_result){torque, true};
}

#define REFERENCE(key, text, uses)                                                                 \
    .info = {.name = key, .description = text, .reference = true, .parameters = (uses)}
#define STRIBECK_SLIDING                                                                           \
    (USES(static_torque) | USES(coulomb_torque) | USES(stribeck_velocity) | USES(viscous))
#define SAWTOOTH (USES(static_torque) | USES(coulomb_torque) | USES(bristle_spacing))
#define BRISTLES                                                                                   \
    (USES(bristle_stiffness) | USES(bristle_height) | USES(bristle_length) |                       \
     USES(bristle_spacing) | USES(body_length))
#define SINGLE_STATE                                                                               \
    .conflict = &of_elastic_limit, .step = single_state_step, .rate = single_state_rate

static const joint_kind reference_kinds[] = {
    {REFERENCE("viscosity", "high viscosity in place of stiction (Kikuuwe et al. (5))",
               USES(coulomb_torque) | USES(stick_velocity)),
     .step = viscosity_step},
    {REFERENCE("tanh", "smoothed Coulomb friction (Dupont et al. (5))",
               USES(coulomb_torque) | USES(stick_velocity)),
     .step = tanh_step},
    {REFERENCE("karnopp", "rest below a velocity threshold (Karnopp 1985)",
               STRIBECK_SLIDING | USES(stribeck_exponent) | USES(viscous_exponent) |
                   USES(stick_velocity)),
     .info.needs_effort = true, .step = karnopp_step},
    {REFERENCE("quinn", "Karnopp's model without its jumps (Quinn 2004)",
               USES(coulomb_torque) | USES(stick_velocity)),
     .info.needs_effort = true, .step = quinn_step},
    {REFERENCE("dahl", "a bristle that yields (Dahl 1968)", USES(coulomb_torque) | USES(stiffness)),
     SINGLE_STATE, .prepare = dahl_prepare},
    {REFERENCE("lugre", "Dahl's model with the Stribeck effect (Canudas de Wit et al. 1995)",
               STRIBECK_SLIDING | USES(stiffness) | USES(damping)),
     SINGLE_STATE, .prepare = lugre_prepare},
    {REFERENCE("elasto_plastic", "LuGre with an elastic range (Dupont et al. 2000)",
               STRIBECK_SLIDING | USES(stiffness) | USES(damping) | USES(elastic_limit)),
     SINGLE_STATE, .prepare = lugre_prepare},
    {REFERENCE("sawtooth", "a sawtooth over the position (Drincic and Bernstein (50))", SAWTOOTH),
     .prepare = sawtooth_prepare, .step = sawtooth_step},
    {REFERENCE("ffbm", "a bristle on the sawtooth (Drincic and Bernstein (66))",
               SAWTOOTH | USES(stiffness)),
     .prepare = ffbm_prepare, .step = ffbm_step},
    {REFERENCE("mpabm", "the mean pivot angle as LuGre state (Drincic and Bernstein (84))",
               USES(bristle_stiffness) | USES(bristle_height) | USES(angle_scale) |
                   USES(min_angle) | USES(max_angle) | USES(stribeck_velocity)),
     SINGLE_STATE, .prepare = mpabm_prepare},
    {REFERENCE("drbm", "rotating bristles that flip over (Drincic and Bernstein (13))", BRISTLES),
     .conflict = &of_bristles, .prepare = bristles_prepare, .step = drbm_step},
    {REFERENCE("rbm", "rotating bristles (Drincic and Bernstein (9))", BRISTLES),
     .conflict = &of_bristles, .prepare = bristles_prepare, .step = rbm_step},
};

enum { reference_count = sizeof reference_kinds / sizeof reference_kinds[0] };

size_t stiction_law_info_count(void) {
    return 1 + stiction_law_count() + reference_count;
}

bool stiction_law_info_at(size_t index, stiction_law_info *info) {
    if (!info || index >= stiction_law_info_count()) return false;
    if (index == 0) {
        *info = none_kind.info;
    } else if (index <= stiction_law_count()) {
        const stiction_law *law = stiction_law_at(index - 1);
#define OR_USES(key, ...) | USES(key)
        *info = (stiction_law_info){.name = law->name,
                                    .description = law->description,
                                    .parameters = law->uses | USES(stiffness) | USES(damping) |
                                                  USES(inertia) STICTION_DRIVE_PARAMETERS(OR_USES)};
#undef OR_USES
    } else {
        *info = reference_kinds[index - 1 - stiction_law_count()].info;
    }
    return true;
}

bool stiction_law_info_find(const char *name, stiction_law_info *info) {
    for (size_t k = 0; name && stiction_law_info_at(k, info); k++)
        if (strcmp(info->name, name) == 0) return true;
    if (info) *info = (stiction_law_info){.name = NULL};
    return false;
}

bool stiction_joint_find_law(const char *name, const joint_kind **kind, const stiction_law **law) {
    *law = stiction_law_find(name);
    *kind = NULL;
    if (*law) *kind = &element_kind;
    if (strcmp(name, none_kind.info.name) == 0) *kind = &none_kind;
    for (size_t k = 0; k < reference_count; k++)
        if (strcmp(name, reference_kinds[k].info.name) == 0) *kind = &reference_kinds[k];
    return *kind != NULL;
}
