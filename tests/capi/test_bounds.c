/* SPDX-License-Identifier: MIT
 * No legal input gives a number that is not finite: parameters, time steps, velocities and efforts
 * from the edges of what is legal, and from beyond, through every law, alone, in columns and in
 * batches, with the coupling solved implicitly, and through a save and a restore.
 */
#include <stdio.h>

#include "auto.h"
#include "check.h"
#include "edges.h"
#include "stiction/models/law.h"

enum { most_joints = 9, environments = 3, numbers = 18 };

/* ---- parameters ---- */

static const char *key_of(size_t parameter) {
    stiction_parameter_info info = {.key = ""};
    (void)stiction_parameter_at(parameter, &info);
    return info.key;
}

TEST(a_parameter_outside_its_bounds_is_refused_with_value_bound_and_unit) {
    stiction_law_info law;
    stiction_parameter_info info;
    stiction_error error;
    random_source r = {1};
    double least, most;
    for (size_t n = 0; stiction_law_info_at(n, &law); n++)
        for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
            if (!(law.parameters >> k & 1)) continue;
            CHECK(stiction_parameter_range(k, &least, &most));
            CHECK(least >= info.minimum && most > least && most <= 1e30);
            const double values[] = {nextafter(most, DBL_MAX), 1e300, DBL_MAX,
                                     least > 0 ? nextafter(least, 0) : least - 1};
            for (size_t v = 0; v < 4; v++) {
                stiction_joint_def def = edge_joint(&r, &law, 0.001);
                *edge_field(&def, k) = values[v];
                /* of what stands before it, nothing may be wrong */
                for (size_t i = 0; i < k; i++) {
                    double low;
                    (void)stiction_parameter_range(i, &low, NULL);
                    if (!(law.parameters >> i & 1)) continue;
                    *edge_field(&def, i) = fmax(low, strstr(key_of(i), "load") || i > 20 ? 0 : 1);
                }
                CHECK(stiction_joint_def_check("J", &def, 0.001, &error) ==
                      STICTION_INVALID_CONFIG);
                char text[128];
                (void)snprintf(text, sizeof text, "joint 'J': %s ", info.key);
                CHECK_CONTAINS(error.message, text);
                (void)snprintf(text, sizeof text, v < 3 ? "must be at most %g%s%s" : "must be ",
                               most, strcmp(info.unit, "1") ? " " : "",
                               strcmp(info.unit, "1") ? info.unit : "");
                CHECK_CONTAINS(error.message, text);

                /* by every way in */
                AUTO(free_config) stiction_config *config = stiction_config_create();
                CHECK(stiction_config_add_joint(config, "J", &def, &error) ==
                      STICTION_INVALID_CONFIG);
                def = edge_joint(&r, &law, 0.001);
            }
        }
    CHECK(!stiction_parameter_range(stiction_parameter_count(), &least, &most));
    CHECK(stiction_parameter_range(0, NULL, NULL));
}

TEST(a_time_step_outside_its_bounds_is_refused) {
    static const struct {
        double timestep;
        const char *message;
    } cases[] = {{0x1p-1074, "must be at least 1e-30 s"},
                 {1e-300, "must be at least 1e-30 s"},
                 {1e300, "must be at most 1e+30 s"},
                 {DBL_MAX, "must be at most 1e+30 s"},
                 {0, "must be above 0 s"},
                 {(double)NAN, "must be above 0 s"},
                 {(double)INFINITY, "must be above 0 s and finite"},
                 {-1, "must be above 0 s"}};
    const char *const names[] = {"J"};
    stiction_error error;
    stiction_joint_def def = stiction_joint_def_default();
    def.law = "coulomb";
    def.coulomb_torque = def.damping = def.stiffness = 1;
    AUTO(free_config) stiction_config *config = stiction_config_create();
    CHECK(stiction_config_set_timestep(config, 0.001, NULL) == STICTION_OK);
    CHECK(stiction_config_add_joint(config, "J", &def, NULL) == STICTION_OK);
    stiction_model *model = NULL, *other = NULL;
    AUTO(free_state) stiction_state *state = NULL;
    stiction_batch *batch = NULL, *second = NULL;
    CHECK(stiction_model_create(config, names, 1, NULL, &model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
    CHECK(stiction_batch_create(model, 2, NULL, &batch, NULL) == STICTION_OK);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double T = cases[k].timestep, v[2] = {1, 1};
        double f[2] = {7, 7};
        CHECK_REFUSED(stiction_joint_def_check("J", &def, T, &error), STICTION_INVALID_ARGUMENT,
                      error, cases[k].message);
        CHECK_REFUSED(stiction_config_set_timestep(config, T, &error), STICTION_INVALID_CONFIG,
                      error, cases[k].message);
        CHECK_REFUSED(stiction_step(state, T, v, f, &error), STICTION_INVALID_ARGUMENT, error,
                      cases[k].message);
        CHECK_REFUSED(stiction_step_batch(batch, T, v, f, &error), STICTION_INVALID_ARGUMENT, error,
                      cases[k].message);
        CHECK(f[0] == 0 && f[1] == 0);
        if (T == 0) continue; /* stands for that of the configuration */
        stiction_model_def model_def = stiction_model_def_default();
        stiction_batch_def batch_def = stiction_batch_def_default();
        model_def.timestep = batch_def.timestep = T;
        CHECK_REFUSED(stiction_model_create(config, names, 1, &model_def, &other, &error),
                      STICTION_INVALID_ARGUMENT, error, cases[k].message);
        CHECK_REFUSED(stiction_batch_create(model, 2, &batch_def, &second, &error),
                      STICTION_INVALID_ARGUMENT, error, cases[k].message);
        double rate;
        CHECK(stiction_rate(state, T, v, v, f, &rate, &error) == STICTION_INVALID_ARGUMENT);
    }
    stiction_batch_destroy(batch);
    stiction_model_destroy(model);
}

/* ---- steps ---- */

typedef struct robot {
    size_t count;
    stiction_joint_def defs[most_joints];
    double T;
    stiction_model *model;
    stiction_state *state, *other;
    stiction_batch *batch;
    unsigned char *buffer;
} robot;

/* False: it is refused with a message. */
static bool make_robot(robot *b, random_source *r, const stiction_law_info *law) {
    static const char *const names[most_joints] = {"A", "B", "C", "D", "E", "F", "G", "H", "I"};
    stiction_error error = {.message = ""};
    stiction_config *config = stiction_config_create();
    *b = (robot){.count = edge_below(r, 2) ? 1 : 1 + edge_below(r, most_joints)};
    b->T = edge_timestep(r);
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < b->count && status == STICTION_OK; k++) {
        for (int tries = 0; tries < 20; tries++) {
            b->defs[k] = edge_joint(r, law, b->T);
            edge_load(r, law, &b->defs[k]);
            if (stiction_joint_def_check(NULL, &b->defs[k], b->T, NULL) == STICTION_OK) break;
        }
        /* one number from outside */
        const size_t p = edge_below(r, stiction_parameter_count());
        double least, most;
        (void)stiction_parameter_range(p, &least, &most);
        if (law->parameters >> p & 1 && edge_below(r, 12) == 0) {
            *edge_field(&b->defs[k], p) = edge_outside(r, least, most);
            CHECK(stiction_joint_def_check(NULL, &b->defs[k], b->T, &error) != STICTION_OK);
        }
        status = stiction_config_add_joint(config, names[k], &b->defs[k], &error);
    }
    stiction_model_def def = {.size = sizeof def, .timestep = b->T};
    if (status == STICTION_OK)
        status = stiction_model_create(config, names, b->count, &def, &b->model, &error);
    if (status == STICTION_OK) status = stiction_state_create(b->model, &b->state, &error);
    if (status == STICTION_OK) status = stiction_state_create(b->model, &b->other, &error);
    if (status == STICTION_OK)
        status = stiction_batch_create(b->model, environments, NULL, &b->batch, &error);
    if (status != STICTION_OK) CHECK(strlen(error.message) > 10);
    stiction_config_destroy(config);
    b->buffer = malloc(stiction_state_buffer_size(b->state) + 1);
    return status == STICTION_OK;
}

static void free_robot(robot *b) {
    free(b->buffer);
    stiction_batch_destroy(b->batch);
    stiction_state_destroy(b->other);
    stiction_state_destroy(b->state);
    stiction_model_destroy(b->model);
}

static void check_finite(const robot *b, const char *what, const double *values, size_t count,
                         double T, const double *velocity) {
    for (size_t k = 0; k < count; k++) {
        if (isfinite(values[k])) continue;
        const size_t j = k % b->count;
        const stiction_joint_def *d = &b->defs[j];
        FAIL("%s: %s %g at T %g, v %g: F_S %g F_C %g v_S %g alpha %.17g D %g K %g B %g eps %g z_ba "
             "%g",
             d->law, what, values[k], T, velocity[j], d->static_torque, d->coulomb_torque,
             d->stribeck_velocity, d->stribeck_exponent, d->viscous, d->stiffness, d->damping,
             d->stick_velocity, d->elastic_limit);
    }
}

/* Points the inputs of a step at velocity, effort, position, external torque and temperature. */
static stiction_input input_of(double T, double (*given)[most_joints * environments]) {
    stiction_input in = stiction_input_default();
    in.timestep = T;
    in.velocity = given[0];
    in.effort = given[1];
    in.position = given[2];
    in.external_torque = given[3];
    in.temperature = given[4];
    return in;
}

/* A step of all forms. */
static bool step_robot(robot *b, random_source *r, double T) {
    /* all environments alike: the batch lies joint by joint */
    double own[5][most_joints * environments], all[5][most_joints * environments];
    double f[most_joints], e[most_joints], s[most_joints], d[most_joints], levels[3][most_joints];
    double many[most_joints * environments], again[most_joints];
    const double *own_v = own[0];
    stiction_error error = {.message = ""};
    for (size_t k = 0; k < b->count; k++) {
        for (size_t n = 0; n < 5; n++) {
            const bool is_nan = n == 4 && edge_below(r, 2);
            own[n][k] = is_nan ? (double)NAN : edge_velocity(r);
        }
        for (size_t n = 0; n < 5 * environments; n++)
            all[n / environments][k * environments + n % environments] = own[n / environments][k];
    }
    const stiction_input in = input_of(T, own), in_batch = input_of(T, all);
    stiction_output out = stiction_output_default();
    out.torque = f;
    out.deflection = e;
    out.slope = s;
    out.dissipated_energy = d;
    out.temperature = levels[0];
    out.static_level = levels[1];
    out.coulomb_level = levels[2];
    const stiction_status status = stiction_step_full(b->state, &in, &out, &error);
    const stiction_status twin = stiction_step_batch_full(b->batch, &in_batch, many, NULL);
    stiction_output torque = {.size = sizeof torque, .torque = again};
    stiction_error of_other = {.message = ""};
    const stiction_status other = stiction_step_full(b->other, &in, &torque, &of_other);
    if (other != status || (twin == STICTION_OK) != (status == STICTION_OK))
        FAIL("%d (%s), restored %d (%s), batch %d", (int)status, error.message, (int)other,
             of_other.message, (int)twin);
    if (status != STICTION_OK) {
        CHECK(strlen(error.message) > 10);
        return false;
    }
    check_finite(b, "torque", f, b->count, T, own_v);
    check_finite(b, "deflection", e, b->count, T, own_v);
    check_finite(b, "slope", s, b->count, T, own_v);
    check_finite(b, "energy", d, b->count, T, own_v);
    check_finite(b, "static level", levels[1], b->count, T, own_v);
    check_finite(b, "coulomb level", levels[2], b->count, T, own_v);
    for (size_t k = 0; k < b->count; k++) {
        CHECK_SAME(again[k], f[k]);
        for (size_t n = 0; n < environments; n++) CHECK_SAME(many[k * environments + n], f[k]);
    }
    double rate[most_joints];
    if (stiction_rate(b->state, T, own_v, e, f, rate, NULL) == STICTION_OK) {
        check_finite(b, "rate's torque", f, b->count, T, own_v);
        check_finite(b, "rate", rate, b->count, T, own_v);
    }
    return true;
}

/* Whatever steps have made can be saved, and goes on alike where it is restored. */
static void save_and_restore(robot *b) {
    stiction_error error;
    const size_t size = stiction_state_buffer_size(b->state);
    unsigned char *again = malloc(size);
    CHECK(stiction_state_save(b->state, b->buffer, size, NULL) == STICTION_OK);
    CHECK(stiction_state_reset(b->other, NULL) == STICTION_OK);
    if (stiction_state_restore(b->other, b->buffer, size, &error) != STICTION_OK)
        FAIL("not restored: %s", error.message);
    CHECK(stiction_state_save(b->other, again, size, NULL) == STICTION_OK);
    CHECK(memcmp(again, b->buffer, size) == 0);
    free(again);
    double memory[most_joints * numbers];
    CHECK(stiction_state_memory_size(b->state) == b->count * numbers);
    CHECK(stiction_state_get_memory(b->state, memory, NULL) == STICTION_OK);
    if (stiction_state_set_memory(b->other, memory, &error) != STICTION_OK)
        FAIL("memory not set: %s", error.message);
    double deflections[most_joints * environments];
    CHECK(stiction_batch_get_deflections(b->batch, deflections, NULL) == STICTION_OK);
    if (stiction_batch_set_deflections(b->batch, deflections, &error) != STICTION_OK)
        FAIL("deflections not set: %s", error.message);
}

/* Another friction for a joint in all forms. */
static void change_joint(robot *b, random_source *r, double T) {
    stiction_law_info law;
    const size_t k = edge_below(r, b->count);
    (void)stiction_law_info_at(edge_below(r, stiction_law_info_count()), &law);
    stiction_joint_def def = edge_joint(r, &law, T);
    edge_load(r, &law, &def);
    stiction_error error = {.message = ""};
    const stiction_status status = stiction_state_set_joint(b->state, k, &def, &error);
    CHECK(stiction_state_set_joint(b->other, k, &def, NULL) == status);
    for (size_t n = 0; n < environments; n++)
        CHECK(stiction_batch_set_joint(b->batch, n, k, &def, NULL) == status);
    if (status == STICTION_OK)
        b->defs[k] = def;
    else
        CHECK(strlen(error.message) > 10);
}

TEST(no_legal_input_gives_a_number_that_is_not_finite) {
    stiction_law_info law;
    size_t legal = 0, steps = 0, refused = 0;
    for (size_t l = 0; stiction_law_info_at(l, &law); l++)
        for (uint64_t seed = 0; seed < 600 && check_failures < 20; seed++) {
            random_source r = {seed * 1000 + l};
            robot b;
            if (make_robot(&b, &r, &law)) {
                legal++;
                double T = b.T;
                for (int k = 0; k < 25; k++) {
                    if (step_robot(&b, &r, T))
                        steps++;
                    else
                        refused++, T = b.T;
                    switch (edge_below(&r, 8)) {
                    case 0:
                        save_and_restore(&b);
                        break;
                    case 1:
                        T = b.T = edge_timestep(&r);
                        break;
                    case 2:
                        change_joint(&b, &r, T);
                        break;
                    default:;
                    }
                }
                if (check_failures)
                    printf("law %s, seed %llu\n", law.name, (unsigned long long)seed);
            }
            free_robot(&b);
        }
    printf("%zu robots, %zu steps, %zu refused\n", legal, steps, refused);
    CHECK(legal > 5000 && steps > 100000);
}

/* ---- the laws themselves ---- */

TEST(a_law_of_a_finite_number_is_finite) {
    static const double values[] = {0,    0x1p-1074, DBL_MIN, 1e-200, 1e-30,  1,
                                    1e30, 1e90,      1e200,   1e300,  DBL_MAX};
    enum { count = sizeof values / sizeof values[0] };
    random_source r = {3};
    stiction_law_info info;
    size_t legal = 0;
    for (size_t l = 0; l < stiction_law_count(); l++)
        for (int k = 0; k < 4000; k++) {
            const stiction_law *law = stiction_law_at(l);
            CHECK(stiction_law_info_find(law->name, &info));
            const stiction_joint_def def = edge_joint(&r, &info, 1);
            stiction_law_parameters p = stiction_joint_law_parameters(&def);
            if (!stiction_law_in_domain(law, &p)) continue;
            stiction_phi_z z;
            const double Z = edge_below(&r, 2) ? 1 / fmax(def.damping + def.stiffness * 1e-3, 1e-60)
                                               : random_decade(&r, -300, 300);
            const bool has_z = stiction_phi_z_prepare(&z, law, &p, Z) == STICTION_LAW_OK;
            legal += has_z;
            for (size_t a = 0; a < count; a++) {
                const double v = values[a];
                CHECK(isfinite(stiction_phi(law, &p, v)) && isfinite(stiction_phi(law, &p, -v)));
                CHECK(isfinite(stiction_phi_slope(law, &p, v)));
                for (size_t b = 0; b < count; b++)
                    if (!isfinite(stiction_phi_work(law, &p, v, values[b])))
                        FAIL("%s: work from %g to %g", law->name, v, values[b]);
                if (!has_z) continue;
                if (!isfinite(stiction_phi_z_at(&z, v)) || !isfinite(stiction_phi_z_slope(&z, v)))
                    FAIL("%s: Phi_Z(%g) = %g, Z %g, F_S %g F_C %g v_S %g alpha %.17g D %g",
                         law->name, v, stiction_phi_z_at(&z, v), Z, p.static_torque,
                         p.coulomb_torque, p.stribeck_velocity, p.stribeck_exponent, p.viscous);
            }
        }
    printf("%zu with a Z\n", legal);
    CHECK(legal > 3000);
}

/* ---- implicit coupling ---- */

enum { dofs = 3 };

static double any_number(random_source *r, bool positive) {
    const double value = edge_below(r, 3) ? random_decade(r, -6, 4) : fabs(edge_velocity(r));
    return positive || edge_below(r, 2) ? value : -value;
}

TEST(an_implicit_step_is_finite_or_refused_and_then_changes_nothing) {
    static const char *const names[dofs] = {"A", "B", "C"};
    static const int dof[dofs] = {0, 1, 2};
    size_t done = 0, refused = 0;
    for (uint64_t seed = 0; seed < 4000 && check_failures < 20; seed++) {
        random_source r = {seed};
        stiction_law_info law;
        stiction_error error = {.message = ""};
        AUTO(free_config) stiction_config *config = stiction_config_create();
        double T = edge_timestep(&r);
        for (size_t k = 0; k < dofs; k++) {
            CHECK(stiction_law_info_find(stiction_law_at(edge_below(&r, 3))->name, &law));
            stiction_joint_def def = edge_joint(&r, &law, T);
            (void)stiction_config_add_joint(config, names[k], &def, NULL);
        }
        stiction_model_def model_def = {.size = sizeof model_def, .timestep = T};
        AUTO(free_model) stiction_model *model = NULL;
        AUTO(free_state) stiction_state *state = NULL;
        AUTO(free_solver) stiction_implicit *solver = NULL;
        stiction_implicit_def def = stiction_implicit_def_default();
        def.count = dofs;
        def.rigid = edge_below(&r, 3) == 0;
        def.constraints_later = !def.rigid && edge_below(&r, 2);
        if (stiction_model_create(config, names, dofs, &model_def, &model, NULL) == STICTION_OK) {
            CHECK(stiction_state_create(model, &state, NULL) == STICTION_OK);
            CHECK(stiction_implicit_create(&def, &solver, NULL) == STICTION_OK);
            CHECK(stiction_implicit_add(solver, state, dof, NULL) == STICTION_OK);
            const size_t size = stiction_state_buffer_size(state);
            AUTO(free_bytes) unsigned char *before = malloc(size), *after = malloc(size);
            for (int step = 0; step < 10; step++) {
                double mass[dofs * dofs] = {0}, v[dofs], force[dofs];
                double w[dofs], f[dofs], slip[dofs], e[dofs], d[dofs];
                for (size_t k = 0; k < dofs; k++) {
                    mass[k * dofs + k] = any_number(&r, true);
                    v[k] = any_number(&r, false);
                    force[k] = any_number(&r, false);
                }
                stiction_implicit_input in = stiction_implicit_input_default();
                in.timestep = T;
                in.mass = mass;
                in.velocity = v;
                in.force = force;
                stiction_implicit_output out = stiction_implicit_output_default();
                out.velocity = w;
                out.friction = f;
                out.slip = slip;
                out.deflection = e;
                out.dissipated_energy = d;
                CHECK(stiction_state_save(state, before, size, NULL) == STICTION_OK);
                if (stiction_implicit_step(solver, &in, &out, &error) == STICTION_OK) {
                    done++;
                    const double reported[] = {out.work, out.heat, out.stored, out.residual};
                    for (size_t k = 0; k < 4; k++) CHECK(isfinite(reported[k]));
                    for (size_t k = 0; k < dofs; k++)
                        CHECK(isfinite(w[k]) && isfinite(f[k]) && isfinite(slip[k]) &&
                              isfinite(e[k]) && isfinite(d[k]));
                    CHECK(stiction_state_save(state, after, size, NULL) == STICTION_OK);
                    if (stiction_state_restore(state, after, size, &error) != STICTION_OK)
                        FAIL("not restored: %s", error.message);
                } else {
                    refused++;
                    CHECK(strlen(error.message) > 10);
                    CHECK(stiction_state_save(state, after, size, NULL) == STICTION_OK);
                    CHECK(memcmp(before, after, size) == 0);
                    for (size_t k = 0; k < dofs; k++) {
                        CHECK(f[k] == 0);
                        CHECK_SAME(w[k], v[k]);
                    }
                }
            }
        }
    }
    printf("%zu steps, %zu refused\n", done, refused);
    CHECK(done > 5000 && refused > 500);
}
