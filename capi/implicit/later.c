/* SPDX-License-Identifier: MIT
 * Constraints that the host solves after our step. The forces of contacts, limits and loops are not
 * known when friction is computed, so those of the last step are used, from the balance of
 * momentum; and the bristles follow the actual velocities, so that their springs balance the forces
 * that a contact adds. docs/implicit.md, "Contacts solved after us".
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "implicit/implicit_internal.h"
#include "joint_models/drive/presliding.h"
#include "joint_models/exponential.h"

/* A constraint acts on a joint where its force exceeds this part of F_S, or this part of the
 * friction in the last step, which counts as this part of F_S at least; and for some steps more:
 * contacts come and go. A step of Runge-Kutta leaves forces of 1e-4 of the friction that no contact
 * has. */
static const double noticeable = 1e-4, noticeable_of_load = 1e-3, least_load = 1e-3;
enum { contact_steps = 20 };

/* Energy that friction gives matters above this part of what the bristle can hold. */
static const double negligible = 1e-6;

static void find_constraint_force(stiction_implicit *s, const double *velocity) {
    const size_t n = s->def.count;
    double *force = s->constraint_force, *change = s->scratch;
    memset(force, 0, n * sizeof *force);
    if (!s->knows_last) return;
    for (size_t i = 0; i < n; i++)
        change[i] = (velocity[i] - s->last_velocity[i]) / s->last_timestep;
    stiction_tree_multiply(&s->sparse, s->last_mass, change, force);
    for (size_t i = 0; i < n; i++) force[i] -= s->last_force[i] - s->last_friction[i];
}

/* The slip of a bristle under a joint that moves at `velocity`: G s + Phi(s) contains
 * K e + G velocity, a problem of one rigid joint of mass G T. */
static double slip_at(stiction_implicit *s, const implicit_joint *of, double spring, double G,
                      double velocity) {
    descent *d = &s->single;
    const stiction_phi_z *closed = &joint_of(of)->model.element.phi_z;
    if (!joint_of(of)->is_drive && G == closed->inverse_Z) {
        const double x = velocity + spring * closed->Z;
        return stiction_phi_z_sticks(closed, x) ? 0 : x - closed->Z * stiction_phi_z_at(closed, x);
    }
    d->mass[0] = G;
    d->momentum[0] = fma(G, velocity, spring);
    d->velocity[0] = memory_of(of)->slip;
    d->row_count = 1;
    d->rows[0] = (descent_row){.dof = 0,
                               .law = joint_of(of)->law,
                               .parameters = {&of->forwards, &of->backwards},
                               .breakaway = {implicit_static(of, false), implicit_static(of, true)},
                               .slip = memory_of(of)->slip};
    return stiction_descent_run(d) == DESCENT_SINGULAR ? 0 : d->rows[0].slip;
}

/* Only the first warning of a step is kept. */
static void warn(stiction_implicit_output *output, size_t dof, const char *message) {
    if (output->warning) return;
    output->warning = message;
    output->warning_dof = dof;
}

/* The same for presliding; gives what its springs have more than before, J. */
static double move_presliding(const implicit_joint *of, double T, double velocity) {
    const joint *j = joint_of(of);
    double stored = 0;
    for (size_t k = 0; j->is_drive && k < j->model.drive.presliding; k++) {
        const stiction_drive *d = &j->model.drive;
        double *e = &memory_of(of)->drive.presliding[k];
        const double K = d->presliding_stiffness[k], limit = of->scale * d->presliding_torque[k];
        const double after = presliding_step(&d->parameters, limit, K, T, velocity, *e).deflection;
        stored += presliding_stored(K, *e, after);
        *e = after;
    }
    return stored;
}

/* The bristle of a joint after the last step, now that its velocity is known. */
static void move_bristle(stiction_implicit *s, implicit_joint *of, double velocity,
                         stiction_implicit_output *output) {
    const joint *j = joint_of(of);
    joint_memory *m = memory_of(of);
    const double T = s->last_timestep, K = of->stiffness, G = fma(T, K, implicit_damping(of, T));
    const double before = j->stiffness * m->deflection;
    /* a bristle that slid fast bears more than F_S for a while after it has stopped */
    const double most = stiction_most(implicit_largest(of), fabs(before));
    m->slip = of->slipped ? slip_at(s, of, before, G, velocity) : 0;
    double spring = fma(K * T, velocity - m->slip, before);
    if (!of->slipped) spring = stiction_most(-most, stiction_least(spring, most));
    m->deflection = spring / j->stiffness;
    const double work = T * of->friction * velocity;
    const double heat =
        work - (spring * spring - before * before) / (2 * K) - move_presliding(of, T, velocity);
    m->dissipated += heat;
    output->work += work;
    output->heat += heat;
    /* friction was that of another velocity: a blow, or a contact that was lost, turned the joint
     */
    if (heat < -negligible * most * most / (2 * K))
        warn(output, of->dof,
             "in the last step contacts or limits turned a joint against its friction, which then "
             "gave it energy");
}

/* 1/(M^-1)_ii: the inertia that the joint moves when the others give way. */
static double free_inertia(stiction_implicit *s, size_t dof) {
    if (!s->has_mass_factor)
        s->has_mass_factor = stiction_factored_update(&s->mass_factor, &s->sparse, s->mass, NULL);
    if (!s->has_mass_factor) return s->mass[s->sparse.start[dof]];
    return 1 / stiction_tree_inverse_at(&s->sparse, s->mass_factor.factor, dof, s->scratch);
}

/* Whether the least curvature of J is known before the K of this step are: a K that is softened, or
 * the levels of a drive, change it. */
static bool knows_least(stiction_implicit *s, double timestep) {
    if (s->has_tried_least) return s->has_least;
    s->has_tried_least = true;
    s->has_least = true;
    for (size_t k = 0; k < s->joint_count; k++) {
        const joint *j = joint_of(&s->joints[k]);
        const double last = s->joints[k].stiffness;
        if (j->is_drive || (last > 0 && last < j->stiffness)) s->has_least = false;
    }
    s->has_least = s->has_least && stiction_implicit_find_least(s, timestep, false);
    return s->has_least;
}

/* Whether K T^2 is below free_inertia for certain, without a factor of M: the least curvature,
 * which the step factors anyway, is at most M/T, hence the diagonal of its inverse is no smaller.
 */
static bool is_heavy(stiction_implicit *s, size_t dof, double K, double timestep) {
    static const double certain = 1 - 1e-9; /* whatever rounding does */
    if (!knows_least(s, timestep)) return false;
    const double inverse = stiction_tree_inverse_at(&s->sparse, s->least.factor, dof, s->scratch);
    return K * timestep * inverse <= certain;
}

static double presliding_stiffness(const implicit_joint *of) {
    const joint *j = joint_of(of);
    double sum = 0;
    for (size_t k = 0; j->is_drive && k < j->model.drive.presliding; k++)
        sum += j->model.drive.presliding_stiffness[k];
    return sum;
}

/*
 * The K that a joint may have: under contact K T^2 must not exceed its inertia. A bristle that
 * sticks keeps a K once softened while that is small enough and not by far too small: each change
 * of it under load moves the foot, and inertias and contacts that come and go would make it creep.
 */
static double choose_stiffness(stiction_implicit *s, const implicit_joint *of, double timestep) {
    const double K = joint_of(of)->stiffness, T2 = timestep * timestep, last = of->stiffness;
    const bool keeps = last > 0 && last < K && memory_of(of)->slip == 0;
    if (K * T2 <= 0 || (of->contact == 0 && !keeps)) return K;
    if (is_heavy(s, of->dof, K, timestep)) return K;
    const double all = free_inertia(s, of->dof) / T2;
    /* presliding has its part of it; where that is all, the bristle keeps an eighth */
    const double most = fmax(all - presliding_stiffness(of), all / 8);
    if (keeps && last <= most && last >= most / 2) return last;
    return K <= most ? K : 0.875 * most;
}

/* Of a K that changes under load; the force stays. */
static void account_for_change(implicit_joint *of, double K, stiction_implicit_output *output) {
    joint_memory *m = memory_of(of);
    const double spring = joint_of(of)->stiffness * m->deflection;
    if (!(of->stiffness > 0) || K == of->stiffness || spring == 0) return;
    const double heat = spring * spring / 2 * (1 / of->stiffness - 1 / K);
    m->dissipated += heat;
    output->heat += heat;
    if (heat < 0)
        warn(output, of->dof,
             "a contact softens a bristle under load for this time step, which gives the joint "
             "energy");
}

/* The step before did not know of a contact that began in it. Its blow moved the joint without
 * friction; a bristle as stiff as in free motion would take from that a torque that no contact had,
 * and drag the joint with it for long after it has softened. */
static void meet_contact(stiction_implicit *s, implicit_joint *of, double timestep,
                         stiction_implicit_output *output) {
    of->contact = contact_steps;
    const double K = choose_stiffness(s, of, timestep);
    account_for_change(of, K, output);
    of->stiffness = K;
}

void stiction_later_look_back(stiction_implicit *s, const stiction_implicit_input *input,
                              stiction_implicit_output *output) {
    find_constraint_force(s, input->velocity);
    s->has_mass_factor = s->has_tried_least = false;
    for (size_t k = 0; k < s->joint_count; k++) {
        implicit_joint *of = &s->joints[k];
        if (!joint_of(of)->law) continue;
        const double F_S = joint_of(of)->model.element.phi_z.breakaway;
        /* a brake may be far stronger than all that it ever bears */
        const double bears = stiction_most(fabs(of->friction), least_load * F_S);
        const double least = stiction_least(noticeable * F_S, noticeable_of_load * bears);
        const bool touches = fabs(s->constraint_force[of->dof]) > least;
        if (touches && of->contact == 0) meet_contact(s, of, input->timestep, output);
        if (s->knows_last) move_bristle(s, of, input->velocity[of->dof], output);
        if (touches)
            of->contact = contact_steps;
        else if (of->contact > 0)
            of->contact--;
    }
}

double stiction_later_stiffness(stiction_implicit *s, implicit_joint *of, double timestep,
                                stiction_implicit_output *output) {
    const double K = choose_stiffness(s, of, timestep);
    if (s->knows_last) account_for_change(of, K, output);
    if (K < joint_of(of)->stiffness && of->contact > 0)
        warn(output, of->dof,
             "a contact acts on a joint whose bristle is softened for this time step (K T^2 "
             "exceeds its inertia): under a fast load it may break away early, and a contact that "
             "is lost may kick it");
    return K;
}

void stiction_later_remember(stiction_implicit *s, const stiction_implicit_input *input,
                             const double *friction) {
    const size_t bytes = s->def.count * sizeof(double);
    s->last_timestep = input->timestep;
    memcpy(s->last_mass, s->mass, s->sparse.size * sizeof *s->mass);
    memcpy(s->last_velocity, input->velocity, bytes);
    memcpy(s->last_force, input->force, bytes);
    memcpy(s->last_friction, friction, bytes);
    s->knows_last = true;
}

/* ---- the memory as numbers: the time step, the arrays of the last step, ten per joint ---- */

enum { numbers_per_joint = 10 };

/* The levels of the last step, which a bristle that slipped in it still follows. */
static void find_levels(implicit_joint *of, double *levels[6]) {
    stiction_law_parameters *const sides[] = {&of->forwards, &of->backwards};
    for (int k = 0; k < 2; k++) {
        *levels++ = &sides[k]->coulomb_torque;
        *levels++ = &sides[k]->static_torque;
        *levels++ = &sides[k]->viscous;
    }
}

size_t stiction_implicit_memory_size(const stiction_implicit *implicit) {
    if (!implicit || !implicit->def.constraints_later) return 0;
    return 1 + implicit->sparse.size + 3 * implicit->def.count +
           numbers_per_joint * implicit->joint_count;
}

static stiction_status check_memory_call(const stiction_implicit *s, const double *memory,
                                         stiction_error *error) {
    REQUIRE(s && memory, error, "the %s is NULL", s ? "memory" : "solver");
    return STICTION_OK;
}

stiction_status stiction_implicit_get_memory(const stiction_implicit *implicit, double *memory,
                                             stiction_error *error) {
    const stiction_implicit *s = implicit;
    TRY(check_memory_call(s, memory, error));
    const size_t size = stiction_implicit_memory_size(s);
    if (size == 0) return stiction_succeed(error);
    if (!s->knows_last) {
        memset(memory, 0, size * sizeof *memory);
        return stiction_succeed(error);
    }
    const size_t n = s->def.count;
    const double *const arrays[] = {s->last_mass, s->last_velocity, s->last_force,
                                    s->last_friction};
    *memory++ = s->last_timestep;
    for (size_t k = 0; k < 4; k++) {
        const size_t count = k == 0 ? s->sparse.size : n;
        memcpy(memory, arrays[k], count * sizeof *memory);
        memory += count;
    }
    for (size_t k = 0; k < s->joint_count; k++) {
        const implicit_joint *of = &s->joints[k];
        *memory++ = of->stiffness;
        *memory++ = of->friction;
        *memory++ = of->slipped;
        *memory++ = of->contact;
        double *levels[6];
        find_levels(&s->joints[k], levels);
        /* of a joint that is no drive they are its parameters */
        for (int i = 0; i < 6; i++) *memory++ = joint_of(of)->is_drive ? *levels[i] : 0;
    }
    return stiction_succeed(error);
}

static bool is_usable(const double *memory, size_t size) {
    return memory[0] >= 0 && isfinite(implicit_sum(size, memory));
}

stiction_status stiction_implicit_set_memory(stiction_implicit *implicit, const double *memory,
                                             stiction_error *error) {
    stiction_implicit *s = implicit;
    TRY(check_memory_call(s, memory, error));
    const size_t size = stiction_implicit_memory_size(s), n = s->def.count;
    if (size == 0) return stiction_succeed(error);
    const double *joints = memory + size - numbers_per_joint * s->joint_count;
    bool fine = is_usable(memory, size);
    for (size_t k = 0; k < s->joint_count; k++) {
        const double *m = joints + numbers_per_joint * k;
        const bool is_new = memory[0] == 0;
        fine = fine && m[0] >= 0 && (is_new || m[0] > 0 || !joint_of(&s->joints[k])->law) &&
               m[3] >= 0 && m[3] <= contact_steps;
        for (int i = 4; i < numbers_per_joint; i++) fine = fine && m[i] >= 0;
    }
    REQUIRE(fine, error, "the memory of the solver has a number that steps cannot produce");
    double *const arrays[] = {s->last_mass, s->last_velocity, s->last_force, s->last_friction};
    s->knows_last = memory[0] > 0;
    s->last_timestep = *memory++;
    for (size_t k = 0; k < 4; k++) {
        const size_t count = k == 0 ? s->sparse.size : n;
        memcpy(arrays[k], memory, count * sizeof *memory);
        memory += count;
    }
    for (size_t k = 0; k < s->joint_count; k++, joints += numbers_per_joint) {
        implicit_joint *of = &s->joints[k];
        of->stiffness = joints[0];
        of->friction = joints[1];
        of->slipped = joints[2] != 0;
        of->contact = (int)joints[3];
        if (!joint_of(of)->law) continue;
        of->forwards = of->backwards = joint_of(of)->model.element.phi_z.parameters;
        double *levels[6];
        find_levels(of, levels);
        for (int i = 0; i < 6 && joint_of(of)->is_drive; i++) *levels[i] = joints[4 + i];
    }
    return stiction_succeed(error);
}
