/* SPDX-License-Identifier: MIT */
/* Implicit coupling for hosts: from states and a mass matrix to the rows of a descent, and back. */
#include "stiction/implicit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fail.h"
#include "implicit/implicit_internal.h"
#include "joint_parameters.h"
#include "sized.h"

stiction_implicit_def stiction_implicit_def_default(void) {
    return (stiction_implicit_def){.size = sizeof(stiction_implicit_def)};
}

stiction_implicit_input stiction_implicit_input_default(void) {
    return (stiction_implicit_input){.size = sizeof(stiction_implicit_input)};
}

stiction_implicit_output stiction_implicit_output_default(void) {
    return (stiction_implicit_output){.size = sizeof(stiction_implicit_output)};
}

/* ---- making ---- */

static stiction_status check_def(const stiction_implicit_def *def, stiction_implicit_def *own,
                                 stiction_error *error) {
    *own = stiction_implicit_def_default();
    REQUIRE(def, error, "the definition is NULL");
    READ_SIZED(stiction_implicit_def, own, def, constraints_later, "definition", error);
    REQUIRE(own->count >= 1 && own->count <= 10000, error,
            "%zu degrees of freedom; there must be 1 to 10000", own->count);
    REQUIRE(!own->rigid || !own->constraints_later, error,
            "rigid joints must see every force: where constraints are solved later they would "
            "creep; use bristles");
    return STICTION_OK;
}

static bool make_numbers(stiction_implicit *s) {
    const size_t n = s->def.count;
    double **arrays[] = {&s->last_velocity, &s->last_force, &s->last_friction, &s->constraint_force,
                         &s->scratch};
    s->mass = calloc(s->sparse.size, sizeof *s->mass);
    s->last_mass = calloc(s->sparse.size, sizeof *s->last_mass);
    bool fine = s->mass && s->last_mass && stiction_factored_create(&s->mass_factor, &s->sparse) &&
                stiction_factored_create(&s->least, &s->sparse);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        *arrays[k] = calloc(n, sizeof(double));
        fine = fine && *arrays[k];
    }
    return fine;
}

stiction_status stiction_implicit_create(const stiction_implicit_def *def,
                                         stiction_implicit **implicit, stiction_error *error) {
    if (implicit) *implicit = NULL;
    REQUIRE(implicit, error, "the place for the solver is NULL");
    stiction_implicit_def own;
    TRY(check_def(def, &own, error));
    stiction_implicit *made = calloc(1, sizeof *made);
    size_t wrong = own.count, unused;
    bool fine = made && stiction_tree_create(&made->sparse, own.count, own.parent, &wrong) &&
                stiction_tree_create(&made->full, own.count, NULL, &unused) &&
                stiction_tree_create(&made->single_tree, 1, NULL, &unused);
    if (fine) {
        made->def = own;
        made->def.parent = NULL; /* the caller's may go */
        fine = make_numbers(made) &&
               stiction_descent_create(&made->descent, &made->sparse, &made->full, 0) &&
               stiction_descent_create(&made->single, &made->single_tree, &made->single_tree, 1);
    }
    if (fine) {
        made->single.rigid = true;
        *implicit = made;
        return stiction_succeed(error);
    }
    stiction_implicit_destroy(made);
    REQUIRE(wrong == own.count, error,
            "the parent of degree of freedom %zu is %d; it must be -1 or one before it", wrong,
            own.parent[wrong]);
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for %zu degrees of freedom",
                         own.count);
}

void stiction_implicit_destroy(stiction_implicit *implicit) {
    if (!implicit) return;
    stiction_descent_destroy(&implicit->descent);
    stiction_descent_destroy(&implicit->single);
    stiction_tree_destroy(&implicit->sparse);
    stiction_tree_destroy(&implicit->full);
    stiction_tree_destroy(&implicit->single_tree);
    double *arrays[] = {implicit->mass,       implicit->last_mass,     implicit->last_velocity,
                        implicit->last_force, implicit->last_friction, implicit->constraint_force,
                        implicit->scratch};
    stiction_factored_destroy(&implicit->mass_factor);
    stiction_factored_destroy(&implicit->least);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    free(implicit->joints);
    free(implicit->joints_before);
    free(implicit->backup);
    free(implicit->joint_of_row);
    free(implicit->part_of_row);
    free(implicit->presliding);
    free(implicit);
}

/* ---- joints ---- */

static bool has_friction(const joint *j) {
    return j->law || strcmp(j->def.law, "none") != 0;
}

/* Whether a joint has no friction, or of a law with a potential. */
static stiction_status check_law(const stiction_state *state, size_t k, bool rigid,
                                 stiction_error *error) {
    const joint *j = &state->joints[k];
    FAIL_IF(j->is_drive && rigid && j->model.drive.presliding, error, STICTION_INVALID_CONFIG,
            "joint '%.200s': presliding needs bristles; rigid joints have none",
            state->model->names[k]);
    FAIL_IF(!j->law && has_friction(j), error, STICTION_INVALID_CONFIG,
            "joint '%.200s': law %s has no potential, so it cannot be implicit; use "
            "coulomb, stribeck or rational, or explicit coupling",
            state->model->names[k], j->def.law);
    return STICTION_OK;
}

static stiction_status check_joint(const stiction_implicit *s, const stiction_state *state,
                                   size_t k, int dof, stiction_error *error) {
    const char *name = state->model->names[k];
    TRY(check_law(state, k, s->def.rigid, error));
    REQUIRE(dof >= 0 || !has_friction(&state->joints[k]), error,
            "joint '%.200s' has friction and no degree of freedom", name);
    REQUIRE(dof < 0 || (size_t)dof < s->def.count, error,
            "joint '%.200s': there is no degree of freedom %d; there are %zu", name, dof,
            s->def.count);
    for (size_t n = 0; n < s->joint_count; n++)
        REQUIRE(dof < 0 || s->joints[n].dof != (size_t)dof, error,
                "joint '%.200s': degree of freedom %d is that of joint '%.200s'", name, dof,
                s->joints[n].state->model->names[s->joints[n].index]);
    return STICTION_OK;
}

/* Enlarges an array; without memory, returns the old one and sets *fine to false. */
static void *enlarged(void *old, size_t count, size_t size, bool *fine) {
    void *larger = realloc(old, (count + 1) * size);
    if (larger) return larger;
    *fine = false;
    return old;
}

static bool grow(stiction_implicit *s, size_t count) {
    const size_t total = s->joint_count + count;
    const size_t rows = total * (1 + STICTION_PRESLIDING_MOST);
    bool fine = true;
    s->joints = enlarged(s->joints, total, sizeof *s->joints, &fine);
    s->joints_before = enlarged(s->joints_before, total, sizeof *s->joints_before, &fine);
    s->backup = enlarged(s->backup, total, sizeof *s->backup, &fine);
    s->joint_of_row = enlarged(s->joint_of_row, rows, sizeof *s->joint_of_row, &fine);
    s->part_of_row = enlarged(s->part_of_row, rows, sizeof *s->part_of_row, &fine);
    s->presliding = enlarged(s->presliding, rows, sizeof *s->presliding, &fine);
    descent larger;
    if (!fine || !stiction_descent_create(&larger, &s->sparse, &s->full, rows)) return false;
    stiction_descent_destroy(&s->descent);
    s->descent = larger;
    s->descent.rigid = s->def.rigid;
    return true;
}

stiction_status stiction_implicit_add(stiction_implicit *implicit, stiction_state *state,
                                      const int *dof, stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(implicit && dof, error, "the %s NULL",
            implicit ? "degrees of freedom are" : "solver is");
    const size_t before = implicit->joint_count, count = state->model->count;
    for (size_t k = 0; k < before; k++)
        REQUIRE(implicit->joints[k].state != state, error,
                "the state was added before: a bristle belongs to one degree of freedom");
    FAIL_IF(!grow(implicit, count), error, STICTION_OUT_OF_MEMORY, "out of memory for %zu joints",
            count);
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < count && status == STICTION_OK; k++) {
        status = check_joint(implicit, state, k, dof[k], error);
        if (status == STICTION_OK && dof[k] >= 0)
            implicit->joints[implicit->joint_count++] =
                (implicit_joint){.state = state, .index = k, .dof = (size_t)dof[k]};
    }
    if (status != STICTION_OK) implicit->joint_count = before;
    return status == STICTION_OK ? stiction_succeed(error) : status;
}

void stiction_implicit_reset(stiction_implicit *implicit) {
    if (!implicit) return;
    implicit->steps = implicit->frozen = 0;
    implicit->knows_last = false;
    implicit->descent.factor.is_known = false;
    for (size_t k = 0; k < implicit->joint_count; k++)
        implicit->joints[k].contact = 0, implicit->joints[k].stiffness = 0;
}

uint64_t stiction_implicit_steps(const stiction_implicit *implicit) {
    return implicit ? implicit->steps : 0;
}

uint64_t stiction_implicit_frozen(const stiction_implicit *implicit) {
    return implicit ? implicit->frozen : 0;
}

size_t stiction_implicit_frozen_at(const stiction_implicit *implicit) {
    return implicit ? implicit->frozen_at : 0;
}

/* ---- a step ---- */

/* The index of the first number that cannot be used; -1: all can. */
static long first_unusable(size_t n, const double *numbers) {
    if (joint_can_use(implicit_sum(n, numbers))) return -1;
    for (size_t i = 0; i < n; i++)
        if (!joint_can_use(numbers[i])) return (long)i;
    return -1;
}

static stiction_status check_numbers(const stiction_implicit *s,
                                     const stiction_implicit_input *input, stiction_error *error) {
    const struct {
        const char *what;
        const double *numbers;
    } arrays[] = {{"velocity", input->velocity}, {"force", input->force}};
    for (size_t k = 0; k < 2; k++) {
        const long i = first_unusable(s->def.count, arrays[k].numbers);
        REQUIRE(i < 0, error, "the %s of degree of freedom %ld is %g", arrays[k].what, i,
                arrays[k].numbers[i]);
    }
    for (size_t i = 0; i < s->def.count; i++)
        FAIL_IF(!(s->mass[s->sparse.start[i]] > 0), error, STICTION_SINGULAR,
                "the mass of degree of freedom %zu is %g; it must be above 0", i,
                s->mass[s->sparse.start[i]]);
    FAIL_IF(first_unusable(s->sparse.size, s->mass) >= 0, error, STICTION_SINGULAR,
            "the mass matrix is not finite");
    return STICTION_OK;
}

/* What a drive reads at the start of a step. */
static stiction_drive_input drive_input(const implicit_joint *of,
                                        const stiction_implicit_input *input) {
    const size_t k = of->dof;
    const joint_input in = {STICTION_JOINT_INPUTS(READ_INPUT)};
    return joint_drive_input(joint_of(of), in);
}

/* Whether a joint has a law with a potential, and all that it reads. */
static stiction_status check_drive_input(const stiction_implicit *s, const implicit_joint *of,
                                         const stiction_implicit_input *input,
                                         stiction_error *error) {
    const joint *j = joint_of(of);
    const char *name = of->state->model->names[of->index];
    TRY(check_law(of->state, of->index, s->def.rigid, error));
    if (!j->is_drive) return STICTION_OK;
    const stiction_input given = {STICTION_JOINT_INPUTS(SHARE_INPUT)};
    TRY(stiction_joint_refuse_input(name, j, &given, error));
    const stiction_drive_input in = drive_input(of, input);
    REQUIRE(joint_can_drive(0, &in), error,
            "joint '%.200s': position %g, effort %g, external torque %g and "
            "temperature %g are not all usable",
            name, in.position, in.motor_torque, in.external_torque, in.temperature);
    return STICTION_OK;
}

/* The checks that change no state. */
static stiction_status check_input(stiction_implicit *s, const stiction_implicit_input *input,
                                   stiction_error *error) {
    REQUIRE(input->mass && input->velocity && input->force, error, "the %s is NULL",
            !input->mass       ? "mass matrix"
            : !input->velocity ? "velocity"
                               : "force");
    TRY(stiction_check_timestep("time step", input->timestep, STICTION_INVALID_ARGUMENT, error));
    const stiction_constraints *given = input->constraints;
    REQUIRE(!given || (given->evaluate && given->curvature), error,
            "a function of the constraints is NULL");
    REQUIRE(!given || !s->def.constraints_later, error,
            "constraints are given, and said to be solved later");
    if (s->def.packed)
        memcpy(s->mass, input->mass, s->sparse.size * sizeof *s->mass);
    else
        stiction_tree_pack(&s->sparse, input->mass, s->mass);
    TRY(check_numbers(s, input, error));
    for (size_t k = 0; k < s->joint_count; k++)
        TRY(check_drive_input(s, &s->joints[k], input, error));
    return STICTION_OK;
}

/* The law of a joint in this step, in both directions. */
static void set_levels(implicit_joint *of, const stiction_implicit_input *input) {
    const joint *j = joint_of(of);
    of->forwards = of->backwards = j->model.element.phi_z.parameters;
    of->scale = 1;
    if (!j->is_drive) return;
    const stiction_drive_input in = drive_input(of, input);
    const stiction_drive *drive = &j->model.drive;
    const stiction_drive_outlook ahead =
        drive->functions->look_ahead(drive, &in, &memory_of(of)->drive);
    stiction_law_parameters *const sides[] = {&of->forwards, &of->backwards};
    for (int k = 0; k < 2; k++) {
        const stiction_levels *l = &ahead.levels[k];
        sides[k]->coulomb_torque = l->coulomb;
        sides[k]->static_torque = l->coulomb + l->falling;
        sides[k]->viscous = l->viscous;
    }
    of->temperature = ahead.temperature;
    of->scale = ahead.scale;
}

static descent_row *add_row(stiction_implicit *s, size_t k, size_t part) {
    descent *d = &s->descent;
    s->joint_of_row[d->row_count] = k;
    s->part_of_row[d->row_count] = part;
    return &d->rows[d->row_count++];
}

/* The elements beside the law's own: coulomb, with springs of their own. */
static void add_presliding(stiction_implicit *s, size_t k, double T) {
    const implicit_joint *of = &s->joints[k];
    const joint *j = joint_of(of);
    for (size_t n = 0; j->is_drive && n < j->model.drive.presliding; n++) {
        const stiction_drive *drive = &j->model.drive;
        const double K = drive->presliding_stiffness[n];
        const double spring = K * memory_of(of)->drive.presliding[n];
        stiction_law_parameters *sides = s->presliding[s->descent.row_count];
        const double limit = of->scale * drive->presliding_torque[n];
        sides[0] = sides[1] = stiction_law_parameters_default();
        sides[0].coulomb_torque = limit;
        sides[1].coulomb_torque = limit * drive->parameters.reverse_factor;
        *add_row(s, k, n + 1) =
            (descent_row){.dof = of->dof,
                          .law = stiction_law_find("coulomb"),
                          .parameters = {&sides[0], &sides[1]},
                          .breakaway = {sides[0].coulomb_torque, sides[1].coulomb_torque},
                          .shares = true,
                          .rigidity = T * K,
                          .spring = spring,
                          .slip = 0};
    }
}

static void make_rows(stiction_implicit *s, const stiction_implicit_input *input,
                      stiction_implicit_output *output) {
    s->descent.row_count = 0;
    for (size_t k = 0; k < s->joint_count; k++) {
        implicit_joint *of = &s->joints[k];
        const joint *j = joint_of(of);
        const joint_memory *m = memory_of(of);
        if (!j->law) continue;
        const double T = input->timestep, spring = j->stiffness * m->deflection;
        of->stiffness =
            s->def.constraints_later ? stiction_later_stiffness(s, of, T, output) : j->stiffness;
        set_levels(of, input);
        /* a bristle that never was anything begins where the joint is: it slides with it */
        const bool fresh = m->slip == 0 && m->deflection == 0;
        *add_row(s, k, 0) =
            (descent_row){.dof = of->dof,
                          .law = j->law,
                          .parameters = {&of->forwards, &of->backwards},
                          .breakaway = {implicit_static(of, false), implicit_static(of, true)},
                          .shares = j->is_drive && j->model.drive.presliding > 0,
                          .rigidity = fma(T, of->stiffness, implicit_damping(of, T)),
                          .spring = spring,
                          .slip = s->def.rigid || fresh ? input->velocity[of->dof] : m->slip};
        add_presliding(s, k, T);
    }
}

static void make_problem(stiction_implicit *s, const stiction_implicit_input *input,
                         stiction_implicit_output *output) {
    descent *d = &s->descent;
    const size_t n = s->def.count;
    stiction_tree_multiply(&s->sparse, d->mass, input->velocity, d->here.product);
    for (size_t i = 0; i < n; i++) d->momentum[i] = d->here.product[i] + input->force[i];
    if (s->def.constraints_later)
        for (size_t i = 0; i < n; i++) d->momentum[i] += s->constraint_force[i];
    memcpy(d->velocity, input->velocity, n * sizeof *d->velocity);
    d->constraints = input->constraints;
    make_rows(s, input, output);
}

/* The smallest slope of a law at any slip, or 0 if that is less. */
static double least_slope(const implicit_joint *of) {
    const joint *j = joint_of(of);
    const stiction_phi_z *p = &j->model.element.phi_z;
    if (!j->is_drive) return fmin(0, (p->margin - 1) * p->inverse_Z);
    return fmin(0, -fmax(j->law->steepest_descent(&of->forwards),
                         j->law->steepest_descent(&of->backwards)));
}

bool stiction_implicit_find_least(stiction_implicit *s, double T, bool softened) {
    const descent *d = &s->descent;
    memcpy(d->matrix, d->mass, s->sparse.size * sizeof *d->matrix);
    for (size_t k = 0; k < s->joint_count; k++) {
        const implicit_joint *of = &s->joints[k];
        const joint *j = joint_of(of);
        if (!j->law) continue; /* only laws have a falling part */
        const double c = least_slope(of);
        const double G = softened ? fma(T, of->stiffness, implicit_damping(of, T))
                                  : fma(T, j->stiffness, j->def.damping);
        if (!(G + c > 0)) return false;
        d->matrix[s->sparse.start[of->dof]] += G * c / (G + c);
    }
    return stiction_factored_update(&s->least, &s->sparse, d->matrix, NULL);
}

/* False: M is not positive definite. */
static bool find_convexity(stiction_implicit *s, double timestep) {
    descent *d = &s->descent;
    /* convex at any slip: one stationary point, which can be sought from anywhere */
    d->is_convex = !d->rigid && !d->constraints && stiction_implicit_find_least(s, timestep, true);
    return d->is_convex || stiction_factored_update(&s->mass_factor, &s->sparse, s->mass, NULL);
}

/* A bristle's foot goes on as its joint did in the last step. */
static void predict_slips(stiction_implicit *s, const double *velocity) {
    for (size_t r = 0; r < s->descent.row_count; r++) {
        descent_row *row = &s->descent.rows[r];
        const double ahead = row->slip + (velocity[row->dof] - s->last_velocity[row->dof]);
        if (row->slip * ahead > 0) row->slip = ahead;
    }
}

/* Where the deflection of a row is. */
static double *deflection_of(const stiction_implicit *s, size_t r) {
    joint_memory *m = memory_of(&s->joints[s->joint_of_row[r]]);
    const size_t part = s->part_of_row[r];
    return part ? &m->drive.presliding[part - 1] : &m->deflection;
}

static double stiffness_of(const stiction_implicit *s, size_t r) {
    const joint *j = joint_of(&s->joints[s->joint_of_row[r]]);
    const size_t part = s->part_of_row[r];
    return part ? j->model.drive.presliding_stiffness[part - 1] : j->stiffness;
}

/* Moves the bristle of a row, and gives what the step was. Where constraints come later, that is
 * done when the velocity is known. */
static void move_bristle(stiction_implicit *s, size_t r, double T,
                         stiction_implicit_output *output) {
    const descent_row *row = &s->descent.rows[r];
    joint_memory *m = memory_of(&s->joints[s->joint_of_row[r]]);
    const double velocity = s->descent.velocity[row->dof], work = T * row->friction * velocity;
    double *deflection = deflection_of(s, r), yield = 0; /* rad/s, of the bristle */
    if (!s->def.rigid) yield = (row->friction - row->spring) / row->rigidity;
    *deflection = fma(T, yield, *deflection);
    /* the heat of the bristle plus that of the slip, each >= 0; computed as the remainder of the
     * work it could round below 0 for a joint at rest. In a step that did not converge friction
     * does not belong to the foot's velocity and may add energy: all of it counts, so that the
     * energy balance closes
     */
    const double slid = T * row->friction * (velocity - yield);
    double heat = T * (row->rigidity - T * stiffness_of(s, r) / 2) * yield * yield;
    if (output->outcome == STICTION_IMPLICIT_FROZEN)
        heat += slid;
    else if (row->slip != 0)
        heat += fmax(0, slid);
    if (!s->part_of_row[r]) m->slip = row->slip;
    m->dissipated += heat;
    output->work += work;
    output->heat += heat;
}

/* The direction in which a joint slips or, if it sticks, would slip. */
static bool is_backwards(const descent_row *row) {
    return row->slip != 0 ? row->slip < 0 : row->friction < 0;
}

/* Leaves level and temperature of a drive for the next step; `r` is the row of its law, and those
 * of its presliding follow. */
static void settle_drive(stiction_implicit *s, size_t r) {
    const implicit_joint *of = &s->joints[s->joint_of_row[r]];
    const joint *j = joint_of(of);
    if (!j->is_drive || s->part_of_row[r]) return;
    const descent_row *rows = &s->descent.rows[r];
    const stiction_law_parameters *p = rows->parameters[is_backwards(rows)];
    const stiction_levels l = {p->coulomb_torque, p->static_torque - p->coulomb_torque, p->viscous};
    double power = 0;
    for (size_t k = 0; k <= j->model.drive.presliding; k++)
        power += fabs(rows[k].friction * rows[k].slip);
    j->model.drive.functions->settle(&j->model.drive, of->temperature, &l, fabs(rows->friction),
                                     fabs(rows->slip), power, &memory_of(of)->drive);
}

static bool wants_levels(const stiction_implicit_output *output) {
#define IF_WANTED(type, name, ...) || output->name
    return false STICTION_JOINT_LEVELS(IF_WANTED);
#undef IF_WANTED
}

/* The levels of a joint in its direction, presliding elements included. */
static void write_levels(const stiction_implicit *s, size_t r,
                         const stiction_implicit_output *output) {
    const descent_row *rows = &s->descent.rows[r];
    const implicit_joint *of = &s->joints[s->joint_of_row[r]];
    const joint *j = joint_of(of);
    const size_t k = rows->dof;
    const bool backwards = is_backwards(rows);
    double presliding = 0;
    for (size_t n = 1; j->is_drive && n <= j->model.drive.presliding; n++)
        presliding += rows[n].breakaway[backwards];
    const joint_levels levels = stiction_joint_levels_of(
        rows->parameters[backwards], rows->breakaway[backwards], presliding,
        j->is_drive ? of->temperature : stiction_joint_def_value(&j->def, parameter_temperature));
    STICTION_JOINT_LEVELS(WRITE_LEVEL)
}

static void write_row(const stiction_implicit *s, size_t r, stiction_implicit_output *output) {
    const descent_row *row = &s->descent.rows[r];
    const implicit_joint *of = &s->joints[s->joint_of_row[r]];
    const joint_memory *m = memory_of(of);
    const size_t i = row->dof;
    if (s->part_of_row[r]) {
        const double e = *deflection_of(s, r);
        output->stored += stiffness_of(s, r) * e * e / 2;
        return;
    }
    if (wants_levels(output)) write_levels(s, r, output);
    /* of the bristle as it is in this step: a softer one bends more under the same torque */
    const double softened = joint_of(of)->stiffness / of->stiffness;
    const double deflection = s->def.rigid ? 0 : m->deflection * softened;
    if (output->slip) output->slip[i] = row->slip;
    if (output->deflection) output->deflection[i] = deflection;
    if (output->slipping) output->slipping[i] = row->slip != 0;
    if (output->dissipated_energy) output->dissipated_energy[i] = m->dissipated;
    output->stored += of->stiffness * deflection * deflection / 2;
}

/* Sets all outputs to 0 and the velocity to that before the step. */
static void clear(size_t n, const double *velocity, stiction_implicit_output *output) {
#define LEVEL_ARRAY(type, name, unit, description) output->name,
    double *const arrays[] = {output->friction, output->slip, output->deflection,
                              output->dissipated_energy, STICTION_JOINT_LEVELS(LEVEL_ARRAY)};
#undef LEVEL_ARRAY
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        if (arrays[k]) memset(arrays[k], 0, n * sizeof(double));
    if (output->slipping) memset(output->slipping, 0, n);
    if (output->velocity && velocity && output->velocity != velocity)
        memcpy(output->velocity, velocity, n * sizeof(double));
    output->work = output->heat = output->stored = 0;
    output->outcome = STICTION_IMPLICIT_STUCK;
    output->iterations = 0;
    output->residual = 0;
    output->warning = NULL;
    output->warning_dof = 0;
}

static void write_output(stiction_implicit *s, const stiction_implicit_input *input,
                         descent_end end, stiction_implicit_output *output) {
    descent *d = &s->descent;
    const size_t n = s->def.count;
    output->outcome = end == DESCENT_FROZEN    ? STICTION_IMPLICIT_FROZEN
                      : end == DESCENT_SLIPPED ? STICTION_IMPLICIT_SLIPPED
                                               : STICTION_IMPLICIT_STUCK;
    output->iterations = d->iterations;
    output->residual = d->residual;
    memset(s->scratch, 0, n * sizeof *s->scratch);
    for (size_t r = 0; r < d->row_count; r++) {
        const descent_row *row = &d->rows[r];
        implicit_joint *of = &s->joints[s->joint_of_row[r]];
        const bool is_law = s->part_of_row[r] == 0;
        s->scratch[row->dof] += row->friction;
        of->friction = is_law ? row->friction : of->friction + row->friction;
        if (is_law) of->slipped = row->slip != 0;
        if (!s->def.constraints_later)
            move_bristle(s, r, input->timestep, output);
        else if (is_law)
            memory_of(of)->slip = row->slip;
        write_row(s, r, output);
        settle_drive(s, r);
    }
}

/* Called after the checks, as output->velocity may be the array of input->velocity. */
static void hand_over(const stiction_implicit *s, const stiction_implicit_output *output) {
    const size_t bytes = s->def.count * sizeof(double);
    if (output->friction) memcpy(output->friction, s->scratch, bytes);
    if (output->velocity) memcpy(output->velocity, s->descent.velocity, bytes);
}

static void back_up(stiction_implicit *s) {
    for (size_t k = 0; k < s->joint_count; k++) {
        stiction_state *state = s->joints[k].state;
        if (state->in_columns) stiction_state_to_memories(state);
        s->backup[k].memory = *memory_of(&s->joints[k]);
        s->backup[k].timestep = state->timestep;
    }
    if (s->joint_count) memcpy(s->joints_before, s->joints, s->joint_count * sizeof *s->joints);
}

static void take_back(stiction_implicit *s) {
    for (size_t k = 0; k < s->joint_count; k++) {
        s->joints[k] = s->joints_before[k];
        *memory_of(&s->joints[k]) = s->backup[k].memory;
        /* cannot fail: the state had this time step */
        (void)stiction_state_prepare(s->joints[k].state, s->backup[k].timestep, NULL);
    }
}

/* If one of them fails, others may have changed. */
static stiction_status prepare_states(stiction_implicit *s, double timestep,
                                      stiction_error *error) {
    for (size_t k = 0; k < s->joint_count; k++)
        TRY(stiction_state_prepare(s->joints[k].state, timestep, error));
    return STICTION_OK;
}

/* Whether the next step can go on from here: numbers of inputs so far apart that a result
 * overflows are no motion of any robot. */
static stiction_status check_result(const stiction_implicit *s, stiction_error *error) {
    for (size_t k = 0; k < s->joint_count; k++) {
        const implicit_joint *of = &s->joints[k];
        const char *name = of->state->model->names[of->index];
        TRY(stiction_joint_check_memory(name, joint_of(of), memory_of(of),
                                        STICTION_INVALID_ARGUMENT, error));
        REQUIRE(!joint_of(of)->law || isfinite(s->scratch[of->dof]), error,
                "joint '%.200s': its friction is not finite", name);
    }
    return STICTION_OK;
}

static stiction_status solve(stiction_implicit *s, const stiction_implicit_input *input,
                             stiction_implicit_output *output, stiction_error *error) {
    const double inverse_T = 1 / input->timestep;
    for (size_t k = 0; k < s->sparse.size; k++) s->descent.mass[k] = s->mass[k] * inverse_T;
    if (s->def.constraints_later) stiction_later_look_back(s, input, output);
    make_problem(s, input, output);
    FAIL_IF(!find_convexity(s, input->timestep), error, STICTION_SINGULAR,
            "the mass matrix is not positive definite");
    if (s->descent.is_convex && s->knows_last) predict_slips(s, input->velocity);
    const descent_end end = stiction_descent_run(&s->descent);
    FAIL_IF(end == DESCENT_SINGULAR, error, STICTION_SINGULAR,
            input->constraints ? "the curvature of the constraints is not finite, "
                                 "or not that of a convex cost"
                               : "the mass matrix is not positive definite");
    REQUIRE(first_unusable(s->def.count, s->descent.velocity) < 0 &&
                first_unusable(s->def.count, s->descent.here.force) < 0 &&
                isfinite(s->descent.here.cost),
            error,
            input->constraints ? "the constraints give a cost or a force that is not finite"
                               : "the velocity after the step would be above 1e90");
    write_output(s, input, end, output);
    TRY(check_result(s, error));
    REQUIRE(isfinite(output->work) && isfinite(output->heat) && isfinite(output->stored) &&
                isfinite(output->residual),
            error, "the energy of the step is not finite");
    if (s->def.constraints_later) stiction_later_remember(s, input, s->scratch);
    s->steps++;
    if (end == DESCENT_FROZEN) {
        s->frozen++;
        s->frozen_at = s->descent.rows[s->descent.worst].dof;
    }
    hand_over(s, output);
    return STICTION_OK;
}

static stiction_status run(stiction_implicit *s, const stiction_implicit_input *input,
                           stiction_implicit_output *output, stiction_error *error) {
    stiction_status status = check_input(s, input, error);
    clear(s->def.count, input->velocity, output);
    if (status != STICTION_OK) return status;
    back_up(s);
    status = prepare_states(s, input->timestep, error);
    if (status == STICTION_OK) status = solve(s, input, output, error);
    if (status == STICTION_OK) return stiction_succeed(error);
    take_back(s);
    clear(s->def.count, input->velocity, output);
    return status;
}

stiction_status stiction_implicit_step(stiction_implicit *implicit,
                                       const stiction_implicit_input *input,
                                       stiction_implicit_output *output, stiction_error *error) {
    REQUIRE(implicit && input && output, error, "the %s is NULL",
            !implicit ? "solver"
            : !input  ? "input"
                      : "output");
    stiction_implicit_input own_input = stiction_implicit_input_default();
    stiction_implicit_output own = stiction_implicit_output_default();
    READ_SIZED(stiction_implicit_input, &own_input, input, constraints, "input", error);
    READ_SIZED(stiction_implicit_output, &own, output, warning_dof, "output", error);
    const size_t size = output->size;
    const stiction_status status = run(implicit, &own_input, &own, error);
    memcpy(output, &own, size < sizeof own ? size : sizeof own);
    output->size = size;
    return status;
}
