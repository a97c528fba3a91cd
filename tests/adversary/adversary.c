/* SPDX-License-Identifier: MIT
 * An adversary: random robots with random legal friction on the embedded engine, and an oracle that
 * knows what friction must do whatever the robot is. README.md describes both.
 *
 *     adversary --seed 1 --cases 200     each failure prints the seed that repeats it
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "stiction/engine.h"
#include "stiction/stiction.h"

enum { most_joints = 7, most_ramp = 2000, text_size = 16384 };

/* A ramp to F_C lasts this many radians of the slowest swing of the robot on its bristles. */
static const double ramp_phase = 60;

/* ---- a case ---- */

typedef enum base_kind { FIXED_BASE, FREE_BASE, BASE_ON_FLOOR } base_kind;

typedef struct robot_link {
    int parent; /* -1: the base */
    char axis;  /* 'X', 'Y', 'Z' */
    bool slides;
    double mass, reach, inertia, rotor; /* kg, m, kg m^2, kg m^2 or kg as the joint feels it */
} robot_link;

typedef struct adversary_case {
    uint64_t seed;
    base_kind base;
    bool gravity;
    double timestep; /* s */
    stiction_coupling coupling;
    stiction_element_choice element; /* of implicit coupling */
    size_t count;
    robot_link links[most_joints];
    stiction_joint_def joints[most_joints];
    double inertia[most_joints]; /* that a joint feels at the start, kg m^2 or kg */
    double alone[most_joints];   /* the same where all other joints stick: never smaller */
    size_t pushed;               /* the joint that is to break away */
    double direction;            /* 1 or -1 */
} adversary_case;

static bool chance(random_source *r, double probability) {
    return random_uniform(r, 0, 1) < probability;
}

static void draw_robot(adversary_case *c, random_source *r) {
    const double kind = random_uniform(r, 0, 1);
    c->base = kind < 0.6 ? FIXED_BASE : kind < 0.85 ? FREE_BASE : BASE_ON_FLOOR;
    c->gravity = c->base == BASE_ON_FLOOR || (c->base == FIXED_BASE && chance(r, 0.3));
    c->timestep = random_decade(r, -4, c->base == BASE_ON_FLOOR ? -2.5 : -1.7);
    c->count = 1 + (size_t)(random_bits(r) % most_joints);
    for (size_t k = 0; k < c->count; k++) {
        const bool branches = chance(r, 0.25);
        c->links[k] = (robot_link){
            .parent = k == 0     ? -1
                      : branches ? (int)(random_bits(r) % k) - 1
                                 : (int)k - 1,
            .axis = "XYZ"[random_bits(r) % 3],
            .slides = chance(r, 0.25),
            .mass = random_decade(r, -2, 1),
            .reach = random_uniform(r, 0.02, 0.4),
            .inertia = random_decade(r, -5, -1),
            .rotor = chance(r, 0.5) ? random_decade(r, -4, 0) : 0,
        };
    }
    c->pushed = (size_t)(random_bits(r) % c->count);
    c->direction = chance(r, 0.5) ? 1 : -1;
}

/* The drive keys, each with a small probability. F_C is known. */
static void draw_drive(stiction_joint_def *d, random_source *r, double F_C, double softest) {
    if (chance(r, 0.15)) d->load_motor = random_uniform(r, 0, 0.4);
    if (chance(r, 0.1)) d->load_external = random_uniform(r, 0, 0.4);
    if (chance(r, 0.1)) d->load_motor_static = random_uniform(r, 0, 0.3);
    if (chance(r, 0.1)) d->load_external_static = random_uniform(r, 0, 0.3);
    if (d->load_motor_static > 0 || d->load_external_static > 0 || chance(r, 0.05))
        d->load_limit = F_C * random_decade(r, -0.5, 1);
    if (chance(r, 0.15)) {
        d->temperature = random_uniform(r, -10, 60);
        d->reference_temperature = random_uniform(r, 10, 40);
        d->temperature_level = random_uniform(r, -0.005, 0.005);
        d->temperature_viscous = random_uniform(r, 0, 0.03);
    }
    if (chance(r, 0.1)) {
        d->ripple = random_uniform(r, 0, 0.4);
        d->ripple_count = random_uniform(r, 1, 60);
        d->ripple_phase = random_uniform(r, -3, 3);
    }
    if (chance(r, 0.1)) d->reverse_factor = random_uniform(r, 0.6, 1.6);
    if (chance(r, 0.05)) d->reverse_viscous_factor = random_uniform(r, 0.6, 1.6);
    if (chance(r, 0.1)) d->lag = random_decade(r, -3, 0);
    if (chance(r, 0.15)) {
        const size_t count = 1 + (size_t)(random_bits(r) % 3);
        for (size_t k = 0; k < count; k++) {
            d->presliding_torque[k] = F_C / (double)count * random_uniform(r, 0.05, 0.9);
            d->presliding_stiffness[k] = fmax(softest, d->stiffness * random_decade(r, -2, 1));
        }
    }
}

/*
 * Friction in proportion to the inertia M, and at least the torque of gravity, which a small motion
 * of the base changes. Every element is at least as stiff as `softest`, so that a slow ramp lasts
 * at most `most_ramp` steps. False: no legal joint was found.
 */
static bool draw_joint(stiction_joint_def *d, random_source *r, double M, double gravity, double T,
                       double softest) {
    static const char *const laws[] = {"coulomb", "stribeck", "rational"};
    for (int attempt = 0; attempt < 20; attempt++) {
        *d = stiction_joint_def_default();
        d->law = laws[random_bits(r) % 3];
        d->coulomb_torque = fmax(M * random_decade(r, -1, 3), gravity);
        d->static_torque = d->coulomb_torque * random_uniform(r, 1, 5);
        d->stribeck_velocity = random_decade(r, -2, 0.5);
        if (chance(r, 0.15)) d->stribeck_exponent = random_uniform(r, 1, 3);
        d->viscous = chance(r, 0.3) ? 0 : d->coulomb_torque * random_decade(r, -2, 1);
        if (chance(r, 0.1)) d->viscous_exponent = random_uniform(r, 0.5, 2);
        d->stiffness = fmax(softest, d->static_torque / random_decade(r, -5, -2.5));
        d->damping = chance(r, 0.1) ? 0 : d->stiffness * random_decade(r, -4, 0.5);
        draw_drive(d, r, d->coulomb_torque, softest);
        stiction_error error;
        for (int k = 0; k < 12; k++, d->damping = 2 * d->damping + 0.01 * d->stiffness)
            if (stiction_joint_def_check("J", d, T, &error) == STICTION_OK) return true;
    }
    return false;
}

/* ---- files ---- */

static char folder[200] = "/tmp/stiction_adversary_XXXXXX";
static const char *exported; /* --export: the folder of cases for another host; NULL: none */

static const char *file_path(const char *name) {
    static char paths[4][260];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) {
        perror(path);
        exit(2);
    }
}

static void write_robot(const adversary_case *c) {
    static char text[text_size];
    static const char *const roots[] = {
        [FIXED_BASE] = "joint_type: fixed",
        [FREE_BASE] = "joint_type: free, mass: 5, center_of_mass: [ 0, 0, 0 ], "
                      "inertia: [ 0.1, 0, 0, 0.1, 0, 0.1 ]",
        [BASE_ON_FLOOR] =
            "joint_type: free, translation: [ 0, 0, 0.1 ], elements: [ { type: RigidBody, "
            "mass: 400, inertia: [ 60, 0, 0, 0, 60, 0, 0, 0, 60 ] }, { type: Shape, "
            "geometry: { type: Box, size: [ 4, 4, 0.2 ] } } ]",
    };
    int at = snprintf(text, sizeof text,
                      "format: ChoreonoidBody\nformat_version: 2.0\nname: Adversary\nlinks:\n"
                      "  - { name: BASE, %s }\n",
                      roots[c->base]);
    for (size_t k = 0; k < c->count; k++) {
        const robot_link *l = &c->links[k];
        char parent[20] = "BASE";
        if (l->parent >= 0) (void)snprintf(parent, sizeof parent, "J%d", l->parent);
        at +=
            snprintf(text + at, sizeof text - (size_t)at,
                     "  - { name: J%zu, parent: %s, joint_type: %s, joint_axis: %c, joint_id: %zu, "
                     "translation: [ %.6g, 0, %s ], joint_range: [ -%s, %s ], mass: %.6g, "
                     "center_of_mass: [ %.6g, 0, 0 ], inertia: [ %.6g, 0, 0, %.6g, 0, %.6g ], "
                     "rotor_inertia: %.6g, gear_ratio: 1 }\n",
                     k, parent, l->slides ? "prismatic" : "revolute", l->axis, k, l->reach,
                     l->parent < 0 ? "0.5" : "0", l->slides ? "2" : "170", l->slides ? "2" : "170",
                     l->mass, l->reach, l->inertia, l->inertia, l->inertia, l->rotor);
    }
    write_text(file_path("robot.body"), text);
}

static stiction_config *make_config(const adversary_case *c) {
    stiction_config *config = stiction_config_create();
    stiction_error error;
    for (size_t k = 0; k < c->count; k++) {
        char name[24];
        (void)snprintf(name, sizeof name, "J%zu", k);
        if (stiction_config_add_joint(config, name, &c->joints[k], &error) != STICTION_OK) {
            printf("seed %llu: %s\n", (unsigned long long)c->seed, error.message);
            exit(2);
        }
    }
    (void)stiction_config_set_timestep(config, c->timestep, &error);
    stiction_config_set_coupling(config, c->coupling);
    stiction_config_set_element(config, c->element);
    return config;
}

static void write_friction(const adversary_case *c) {
    stiction_config *config = make_config(c);
    char *text = stiction_config_write(config);
    write_text(file_path("friction.yaml"), text);
    stiction_free(text);
    stiction_config_destroy(config);
}

/* NULL: see *error. */
static stiction_engine *create_engine(const adversary_case *c, bool friction,
                                      stiction_error *error) {
    stiction_engine_def def = stiction_engine_def_default();
    const char *settings[] = {c->gravity ? "gravity=0,0,-9.81" : "gravity=0,0,0"};
    stiction_engine *engine = NULL;
    def.configuration = friction ? file_path("friction.yaml") : NULL;
    def.timestep = c->timestep;
    def.floor = c->base == BASE_ON_FLOOR;
    def.settings = settings;
    def.setting_count = 1;
    def.duration = 1e6;
    def.interval = (double)NAN;
    return stiction_engine_create(file_path("robot.body"), &def, &engine, error) == STICTION_OK
               ? engine
               : NULL;
}

/* ---- numbers of a robot ---- */

enum { most_dofs = most_joints + 6 };

/*
 * What each joint feels: the diagonal of the mass matrix, where all others stick, and one over that
 * of its inverse (by Cholesky's method), where none does.
 */
static void find_inertias(stiction_engine *e, size_t joints, double *inertia, double *alone) {
    stiction_engine_body info = stiction_engine_body_default();
    double M[most_dofs * most_dofs], L[most_dofs][most_dofs] = {{0}};
    stiction_error error;
    size_t body = 0;
    while (stiction_engine_body_at(e, body, &info) && !info.joint_count) body++;
    if (stiction_engine_mass_matrix(e, body, M, &error) != STICTION_OK) abort();
    const size_t n = info.dof;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = M[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
    for (size_t k = 0; k < joints; k++) {
        double x[most_dofs] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++) {
            double right = i == n - joints + k ? 1 : 0;
            for (size_t j = 0; j < i; j++) right -= L[i][j] * x[j];
            x[i] = right / L[i][i];
            sum += x[i] * x[i];
        }
        inertia[k] = 1 / sum;
        alone[k] = M[(n - joints + k) * n + n - joints + k];
    }
}

/* What the joints need against gravity where nothing moves. */
static void find_gravity(stiction_engine *e, double *torque) {
    stiction_engine_body info = stiction_engine_body_default();
    double bias[most_dofs];
    stiction_error error;
    size_t body = 0;
    while (stiction_engine_body_at(e, body, &info) && !info.joint_count) body++;
    if (stiction_engine_bias(e, body, bias, &error) != STICTION_OK) abort();
    for (size_t k = 0; k < info.joint_count; k++) torque[k] = bias[info.dof - info.joint_count + k];
}

static double kinetic_energy(stiction_engine *e) {
    stiction_engine_body info = stiction_engine_body_default();
    double M[most_dofs * most_dofs], v[most_dofs], base[13], energy = 0;
    stiction_error error;
    size_t body = 0;
    while (stiction_engine_body_at(e, body, &info) && !info.joint_count) body++;
    if (stiction_engine_mass_matrix(e, body, M, &error) != STICTION_OK ||
        stiction_engine_base(e, body, base, &error) != STICTION_OK)
        abort();
    const size_t n = info.dof, first = n - info.joint_count;
    for (size_t i = 0; i < first; i++) v[i] = base[7 + i];
    for (size_t i = first; i < n; i++) v[i] = stiction_engine_dq(e)[i - first];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) energy += 0.5 * v[i] * M[i * n + j] * v[j];
    return energy;
}

static double given(double value, double fallback) {
    return isnan(value) ? fallback : value;
}

static double clamp(double value, double limit) {
    return fmax(-limit, fmin(limit, value));
}

/* F_S' of docs/drives.md, written from the formula and not from the product's code. */
static double static_level(const stiction_joint_def *d, double side, double q, double motor,
                           double external, double temperature) {
    const double limit = given(d->load_limit, 1e30);
    const double theta0 = given(d->reference_temperature, 25);
    const double s =
        (1 + given(d->ripple, 0) * cos(given(d->ripple_count, 0) * q - given(d->ripple_phase, 0))) *
        (side < 0 ? given(d->reverse_factor, 1) : 1) *
        (1 + given(d->temperature_level, 0) *
                 (given(temperature, given(d->temperature, theta0)) - theta0));
    motor = clamp(motor, limit);
    external = clamp(external, limit);
    const double F_C = s * d->coulomb_torque + fabs(given(d->load_motor, 0) * motor -
                                                    given(d->load_external, 0) * external);
    const double F_SC =
        s * (d->static_torque - d->coulomb_torque) +
        fabs(given(d->load_motor_static, 0) * motor - given(d->load_external_static, 0) * external);
    return strcmp(d->law, "coulomb") == 0 ? F_C : F_C + F_SC;
}

/* How far a joint moves before it slips: of the bristle, and of the softest element beside it. */
static double elastic_range(const stiction_joint_def *d) {
    double range = 3 * d->static_torque / d->stiffness;
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST && !isnan(d->presliding_torque[k]); k++)
        range = fmax(range, 3 * d->presliding_torque[k] / d->presliding_stiffness[k]);
    return range;
}

/* Near break-away the element with the longest range is the only one that still sticks. */
static double softest_element(const stiction_joint_def *d) {
    double stiffness = d->stiffness;
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST && !isnan(d->presliding_torque[k]); k++)
        stiffness = fmin(stiffness, d->presliding_stiffness[k]);
    return stiffness;
}

static double total_stiffness(const stiction_joint_def *d) {
    double stiffness = d->stiffness;
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST && !isnan(d->presliding_torque[k]); k++)
        stiffness += d->presliding_stiffness[k];
    return stiffness;
}

static double stored_energy(const stiction_joint_def *d, double deflection) {
    double energy = 0.5 * d->stiffness * deflection * deflection;
    for (size_t k = 0; k < STICTION_PRESLIDING_MOST && !isnan(d->presliding_torque[k]); k++)
        energy += 0.5 * d->presliding_torque[k] * d->presliding_torque[k] /
                  d->presliding_stiffness[k]; /* at most */
    return energy;
}

/* ---- the oracle ---- */

typedef enum verdict { PASSED, SKIPPED, FAILED } verdict;

static char problem[600];

static verdict fail_case(const char *oracle, const char *format, double a, double b, double c) {
    const int at = snprintf(problem, sizeof problem, "%s: ", oracle);
    (void)snprintf(problem + at, sizeof problem - (size_t)at, format, a, b, c);
    return FAILED;
}

/* The engine, what it is commanded, and what it must do. */
typedef struct trial {
    const adversary_case *c;
    stiction_engine *engine;
    stiction_engine_friction friction;
    double base_command[most_joints]; /* holds the robot against gravity in the pose of the step */
    double command[most_joints];
    double load[most_joints]; /* beyond base_command, N m */
    struct {
        double q[most_joints], dq[most_joints], deflection[most_joints];
    } before;                 /* the last step */
    double peak[most_joints]; /* friction as a share of F_S', since it was set to 0 */
    bool was_overloaded[most_joints];
} trial;

/* --trace 1: time, then position, friction and load of each joint, a line a step. */
static bool tracing;

/* F_S' of the last step: its levels are those of its start. */
static double level(const trial *t, size_t k) {
    const stiction_joint_def *d = &t->c->joints[k];
    const double side = t->friction.torque[k] < 0 ? -1 : 1;
    const bool changes = d->load_motor > 0 || d->load_external > 0 || d->load_motor_static > 0 ||
                         d->load_external_static > 0 || d->ripple > 0 || d->reverse_factor > 0;
    /* the formula has no memory: with lag a level that changes comes late */
    if (d->lag > 0 && changes) return t->friction.static_level[k];
    return static_level(d, side, t->before.q[k], t->command[k],
                        given(t->friction.external_torque[k], 0), t->friction.temperature[k]);
}

/* Friction as a share of F_S', without the viscous part D' s^p of a bristle that slips at s. In the
 * last step s was the joint's velocity, less that of the deflection; explicit coupling takes the
 * velocity before the step and implicit coupling the one after it, so s has a lower bound and an
 * upper bound. Viscous friction adds torque after break-away only. */
typedef struct friction_share {
    double least, most;
} friction_share;

static friction_share share(const trial *t, size_t k) {
    const stiction_joint_def *d = &t->c->joints[k];
    const double torque = t->friction.torque[k], F = level(t, k);
    const double theta0 = given(d->reference_temperature, 25);
    const double theta = given(t->friction.temperature[k], given(d->temperature, theta0));
    const double back = given(d->reverse_viscous_factor, given(d->reverse_factor, 1));
    const double D = d->viscous * (torque < 0 ? back : 1) *
                     exp(-given(d->temperature_viscous, 0) * (theta - theta0));
    const double velocities[] = {t->before.dq[k], stiction_engine_dq(t->engine)[k]};
    const double bristle = (t->friction.deflection[k] - t->before.deflection[k]) / t->c->timestep;
    double viscous[2];
    for (int n = 0; n < 2; n++) {
        const double slip = copysign(1, torque) * (velocities[n] - bristle);
        viscous[n] = D * pow(fmax(0, slip), given(d->viscous_exponent, 1));
    }
    return (friction_share){(fabs(torque) - fmax(viscous[0], viscous[1])) / F,
                            (fabs(torque) - fmin(viscous[0], viscous[1])) / F};
}

/* The motion of other joints may load a joint beyond what it is to hold. */
static bool holds(const trial *t, size_t k) {
    return t->peak[k] < (k == t->c->pushed ? 0.99 : 0.9);
}

static bool step(trial *t, stiction_error *error) {
    stiction_engine_look(t->engine, &t->friction);
    if (t->c->gravity) find_gravity(t->engine, t->base_command);
    for (size_t k = 0; k < t->c->count; k++) {
        t->command[k] = t->base_command[k] + t->load[k];
        t->before.q[k] = stiction_engine_q(t->engine)[k];
        t->before.dq[k] = stiction_engine_dq(t->engine)[k];
        t->before.deflection[k] = t->friction.deflection[k];
    }
    if (stiction_engine_step(t->engine, t->command, error) != STICTION_OK) return false;
    stiction_engine_look(t->engine, &t->friction);
    if (tracing) {
        printf("%.5f", stiction_engine_time(t->engine));
        for (size_t k = 0; k < t->c->count; k++)
            printf("  %.4g (%.3g of %.3g)", stiction_engine_q(t->engine)[k], t->friction.torque[k],
                   t->load[k]);
        printf("\n");
    }
    for (size_t k = 0; k < t->c->count; k++) {
        t->peak[k] = fmax(t->peak[k], share(t, k).most);
        if (!holds(t, k)) t->was_overloaded[k] = true;
    }
    return true;
}

/* A joint at rest takes the load that is commanded: gravity is compensated. While the load grows,
 * friction follows it late or swings about it. */
static double loaded_share(const trial *t, size_t k) {
    return fmax(fabs(t->load[k]), fabs(t->friction.torque[k])) / level(t, k);
}

/* Of all cases: joints that were held, and those of them that others overloaded all the time. */
static size_t held_joints, overloaded_joints;

/* Holds the load, for as long as a joint moves on: what settles does not creep. */
static verdict hold_still(trial *t, size_t hold) {
    enum { most_windows = 12 };
    const adversary_case *c = t->c;
    stiction_error error;
    double mean[most_joints] = {0}, last[most_joints];
    bool held[most_joints] = {false};
    for (int window = 0;; window++) {
        size_t moving = c->count, overloaded = 0;
        memcpy(last, mean, sizeof last);
        memset(mean, 0, sizeof mean);
        memset(t->peak, 0, sizeof t->peak);
        for (size_t n = 0; n < hold; n++) {
            if (!step(t, &error)) return fail_case(error.message, "", 0, 0, 0);
            for (size_t k = 0; k < c->count; k++)
                mean[k] += stiction_engine_q(t->engine)[k] / (double)hold;
        }
        for (size_t k = 0; k < c->count; k++) {
            const stiction_joint_def *d = &c->joints[k];
            const double range = elastic_range(d);
            if (!t->was_overloaded[k] && !(fabs(mean[k]) < range))
                return fail_case("creep", "joint %g is at %g rad, elastic range %g", (double)k,
                                 mean[k], range);
            /* a bristle with much damping takes its deflection late, B/K */
            const bool late = d->damping / d->stiffness > 0.1 * (double)hold * c->timestep;
            const bool still = late || fabs(mean[k] - last[k]) < 0.01 * range;
            if (held[k] && holds(t, k) && !still) moving = k;
            held[k] = holds(t, k);
            if (!held[k]) overloaded++;
        }
        if (window > 0 && moving == c->count) {
            held_joints += c->count;
            overloaded_joints += overloaded;
            return PASSED;
        }
        if (window == most_windows)
            return fail_case("creep", "joint %g moves by %g rad while it is held, elastic range %g",
                             (double)moving, mean[moving] - last[moving],
                             elastic_range(&c->joints[moving]));
    }
}

static verdict hold_and_break(trial *t, size_t ramp, size_t hold) {
    const adversary_case *c = t->c;
    const size_t pushed = c->pushed;
    stiction_error error;
    double increment[most_joints];
    friction_share largest = {0, 0};
    for (size_t k = 0; k < c->count; k++)
        increment[k] =
            (k == pushed ? c->direction : 0.5) * c->joints[k].coulomb_torque / (double)ramp;
    /* up to 0.9 of F_S'; the others stop at half of their F_C */
    size_t steps = 0;
    do {
        for (size_t k = 0; k < c->count; k++)
            if (k == pushed || steps < ramp) t->load[k] += increment[k];
        if (!step(t, &error)) return fail_case(error.message, "", 0, 0, 0);
        if (!t->was_overloaded[pushed] &&
            fabs(stiction_engine_q(t->engine)[pushed]) > 3 * elastic_range(&c->joints[pushed]))
            return fail_case("break-away", "joint %g breaks away at %g F_S', load %g",
                             (double)pushed, share(t, pushed).most, t->load[pushed]);
        if (++steps > 30 * ramp)
            return fail_case("ramp", "friction of joint %g stays at %g F_S' with load %g",
                             (double)pushed, share(t, pushed).most, t->load[pushed]);
    } while (loaded_share(t, pushed) < 0.9);
    const verdict held = hold_still(t, hold);
    if (held != PASSED) return held;
    /* and on, until it slips */
    const double from = stiction_engine_q(t->engine)[pushed];
    const double far = 3 * elastic_range(&c->joints[pushed]);
    for (steps = 0; fabs(stiction_engine_q(t->engine)[pushed] - from) < far; steps++) {
        t->load[pushed] += 0.3 * increment[pushed];
        if (!step(t, &error)) return fail_case(error.message, "", 0, 0, 0);
        const friction_share now = share(t, pushed);
        largest.least = fmax(largest.least, now.least);
        largest.most = fmax(largest.most, now.most);
        if (steps > 60 * ramp)
            return fail_case("break-away", "joint %g holds at %g F_S', load %g", (double)pushed,
                             now.most, t->load[pushed]);
    }
    if (!(largest.most > 0.99 && largest.least < 1.01))
        return fail_case("break-away", "joint %g breaks away at %g to %g F_S'", (double)pushed,
                         largest.least, largest.most);
    return PASSED;
}

/*
 * Explicit coupling of bristles that stick is Euler's symplectic rule, e' = e + T v and then
 * M v' = M v - T K e'. Without damping it conserves v'Mv/2 + e'Ke/2 + T e'Kv/2 and not the energy;
 * as e'Ke/2 + T e'Kv/2 >= -T^2 v'Kv/8, motion may exceed what was conserved by T^2 v'Kv/8.
 */
static double explicit_excess(const trial *t) {
    const double T = t->c->timestep;
    double excess = 0;
    if (t->c->coupling == STICTION_COUPLING_IMPLICIT) return 0;
    for (size_t k = 0; k < t->c->count; k++)
        excess += T * T * total_stiffness(&t->c->joints[k]) *
                  pow(stiction_engine_dq(t->engine)[k], 2) / 8;
    return excess;
}

/* Without gravity and load the energy of motion and bristles falls. */
static verdict coast(trial *t, size_t steps) {
    const adversary_case *c = t->c;
    stiction_error error;
    double stored = 0;
    for (size_t k = 0; k < c->count; k++) {
        const double e = t->friction.deflection[k], v = stiction_engine_dq(t->engine)[k];
        t->load[k] = 0;
        stored += stored_energy(&c->joints[k], e);
        if (c->coupling != STICTION_COUPLING_IMPLICIT)
            stored += fabs(c->timestep * total_stiffness(&c->joints[k]) * e * v) / 2;
    }
    const double before = kinetic_energy(t->engine);
    for (size_t n = 0; n < steps; n++) {
        if (!step(t, &error)) return fail_case(error.message, "", 0, 0, 0);
        const double now = kinetic_energy(t->engine) - explicit_excess(t);
        if (!(now <= 1.02 * (before + stored) + 1e-12))
            return fail_case("energy", "motion has %g J of %g J and %g J in bristles", now, before,
                             stored);
    }
    return PASSED;
}

/*
 * A single joint of explicit coupling: in each step the C API gets the engine's velocity and must
 * give its friction, and the joint must move by it. Two motions of their own would not do: near the
 * least legal K T + B, roundings grow in a bristle that slips, e by Z Phi'/(1 + Z Phi') a step.
 */
static verdict compare_with_api(const adversary_case *c, stiction_engine *engine) {
    stiction_config *config = make_config(c);
    const char *const names[] = {"J0"};
    stiction_model_def def = stiction_model_def_default();
    stiction_model *model = NULL;
    stiction_state *state = NULL;
    stiction_error error;
    verdict result = PASSED;
    def.timestep = c->timestep;
    if (stiction_model_create(config, names, 1, &def, &model, &error) != STICTION_OK ||
        stiction_state_create(model, &state, &error) != STICTION_OK)
        result = fail_case(error.message, "", 0, 0, 0);
    const double T = c->timestep, M = c->inertia[0], F = c->joints[0].static_torque;
    double q, v, f, load;
    const double external = 0;
    stiction_engine_friction friction = stiction_engine_friction_default();
    for (int n = 0; n < 600 && result == PASSED; n++) {
        load = c->direction * 1.5 * F * sin(0.02 * n);
        q = stiction_engine_q(engine)[0];
        v = stiction_engine_dq(engine)[0];
        stiction_input input = stiction_input_default();
        stiction_output output = stiction_output_default();
        input.timestep = T;
        input.velocity = &v;
        input.position = &q;
        input.effort = &load;
        input.external_torque = &external;
        output.torque = &f;
        if (stiction_step_full(state, &input, &output, &error) != STICTION_OK ||
            stiction_engine_step(engine, &load, &error) != STICTION_OK)
            return fail_case(error.message, "", 0, 0, 0);
        stiction_engine_look(engine, &friction);
        if (!(fabs(f - friction.torque[0]) <= 1e-12 * F))
            result =
                fail_case("agreement", "step %g: friction %.12g of the C API, %.12g of the engine",
                          n, f, friction.torque[0]);
        const double expected = v + T / M * (load - f), now = stiction_engine_dq(engine)[0];
        if (!(fabs(now - expected) <= 1e-9 * (fabs(v) + T / M * F)))
            result =
                fail_case("agreement", "step %g: velocity %.12g by the C API, %.12g by the engine",
                          n, expected, now);
        if (fabs(q) > 1.5) break; /* before the joint's limit */
    }
    stiction_state_destroy(state);
    stiction_model_destroy(model);
    stiction_config_destroy(config);
    return result;
}

/* What `stiction check` reports for coupling auto, and what a run starts with: where friction
 * without damping rings within a few steps, the run becomes implicit later. */
static verdict compare_with_check(const adversary_case *c, stiction_engine *engine) {
    char command[800], line[4000], checked[20] = "", taken[20] = "";
    stiction_error error;
    const char *program = getenv("STICTION");
    if (!program) return PASSED;
    (void)snprintf(command, sizeof command, "'%s' check '%s' --body '%s' --timestep %.17g --json",
                   program, file_path("friction.yaml"), file_path("robot.body"), c->timestep);
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in)) {
        const char *at = strstr(line, "\"taken\": \"");
        if (at) (void)sscanf(at + 10, "%19[a-z]", checked);
    }
    if (in) (void)pclose(in);
    const double still[most_joints] = {0};
    if (stiction_engine_step(engine, still, &error) != STICTION_OK ||
        stiction_engine_write(engine, file_path("results"), &error) != STICTION_OK)
        return fail_case(error.message, "", 0, 0, 0);
    in = fopen(file_path("results/summary.json"), "r");
    while (in && fgets(line, sizeof line, in)) {
        const char *at = strstr(line, "\"coupling\": \"");
        if (at && !*taken) (void)sscanf(at + 13, "%19[a-z]", taken);
    }
    if (in) (void)fclose(in);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", file_path("results"));
    if (system(command) != 0) exit(2);
    if (!*checked || strcmp(checked, taken) != 0) {
        (void)snprintf(problem, sizeof problem, "agreement: check says '%s', the run takes '%s'",
                       checked, taken);
        return FAILED;
    }
    return PASSED;
}

/* Explicit coupling is tried where it is stable for each joint, by a factor of four. */
static bool explicit_is_safe(const adversary_case *c) {
    double sum = 0;
    for (size_t k = 0; k < c->count; k++) {
        const stiction_joint_def *d = &c->joints[k];
        const double T = c->timestep;
        sum += (2 * T * d->damping + T * T * total_stiffness(d)) / c->inertia[k];
    }
    return sum < 1;
}

/*
 * For hosts that cannot be stepped from here: prints the seed, the joint that is pushed, the
 * torque at which it must break away, the time step and the range of elastic motion. Only cases
 * whose F_S' does not depend on load, heat or motion.
 */
static verdict export_case(const adversary_case *c) {
    const stiction_joint_def *d = &c->joints[c->pushed];
    const bool is_constant =
        !(d->load_motor > 0 || d->load_external > 0 || d->load_motor_static > 0 ||
          d->load_external_static > 0 || d->ripple > 0 || d->lag > 0 || d->thermal_resistance > 0);
    if (!is_constant || c->base != FIXED_BASE || c->gravity || c->timestep < 5e-4) return SKIPPED;
    const double level = static_level(d, c->direction, 0, 0, 0, (double)NAN);
    printf("%llu J%zu %.12g %.12g %.6g\n", (unsigned long long)c->seed, c->pushed,
           c->direction * level, c->timestep, elastic_range(d));
    return PASSED;
}

static verdict judge(adversary_case *c) {
    random_source r = {c->seed};
    stiction_error error;
    draw_robot(c, &r);
    write_robot(c);
    stiction_engine *bare = create_engine(c, false, &error);
    if (!bare) return fail_case(error.message, "", 0, 0, 0);
    /* sum M_ii/K_i is at least 1/w^2 of the slowest swing: a bound that needs no eigenvalues */
    double gravity[most_joints], slowness = 0;
    const double slowest = ramp_phase / (most_ramp * c->timestep);
    find_inertias(bare, c->count, c->inertia, c->alone);
    find_gravity(bare, gravity);
    stiction_engine_destroy(bare);
    for (size_t k = 0; k < c->count; k++) {
        const double softest = (double)c->count * c->alone[k] * slowest * slowest;
        stiction_joint_def *d = &c->joints[k];
        if (!draw_joint(d, &r, c->inertia[k], fabs(gravity[k]), c->timestep, softest))
            return SKIPPED;
        slowness += c->alone[k] / softest_element(d);
    }
    static const stiction_coupling couplings[] = {
        STICTION_COUPLING_AUTO, STICTION_COUPLING_IMPLICIT, STICTION_COUPLING_EXPLICIT};
    static const stiction_element_choice elements[] = {
        STICTION_ELEMENT_AUTO, STICTION_ELEMENT_BRISTLE, STICTION_ELEMENT_RIGID};
    c->coupling = couplings[random_bits(&r) % 3];
    c->element = elements[random_bits(&r) % 3];
    if (exported && c->element == STICTION_ELEMENT_RIGID) c->element = STICTION_ELEMENT_AUTO;
    for (size_t k = 0; k < c->count; k++) /* presliding needs bristles */
        if (c->element == STICTION_ELEMENT_RIGID && !isnan(c->joints[k].presliding_torque[0]))
            c->element = STICTION_ELEMENT_AUTO;
    if (c->coupling == STICTION_COUPLING_EXPLICIT && !explicit_is_safe(c))
        c->coupling = STICTION_COUPLING_IMPLICIT;
    const double needed = ramp_phase * sqrt(slowness) / c->timestep;
    write_friction(c);
    if (exported) return export_case(c);
    trial t = {.c = c, .engine = create_engine(c, true, &error)};
    if (!t.engine) return fail_case(error.message, "", 0, 0, 0);
    t.friction = stiction_engine_friction_default();
    verdict result = PASSED;
    if (c->count == 1 && c->base == FIXED_BASE && !c->gravity &&
        c->coupling == STICTION_COUPLING_EXPLICIT)
        result = compare_with_api(c, t.engine);
    if (result == PASSED && c->coupling == STICTION_COUPLING_AUTO && c->seed % 8 == 0)
        result = compare_with_check(c, t.engine);
    if (result == PASSED && stiction_engine_reset(t.engine, &error) != STICTION_OK)
        result = fail_case(error.message, "", 0, 0, 0);
    if (result == PASSED)
        result = hold_and_break(&t, (size_t)fmax(400, needed), (size_t)fmax(200, needed));
    if (result == PASSED && !c->gravity) result = coast(&t, 200);
    stiction_engine_destroy(t.engine);
    return result;
}

int main(int count, char **arguments) {
    unsigned long long seed = 1, cases = 100;
    for (int k = 1; k + 1 < count; k += 2) {
        if (strcmp(arguments[k], "--seed") == 0) seed = strtoull(arguments[k + 1], NULL, 10);
        if (strcmp(arguments[k], "--cases") == 0) cases = strtoull(arguments[k + 1], NULL, 10);
        if (strcmp(arguments[k], "--trace") == 0) tracing = true;
        if (strcmp(arguments[k], "--export") == 0) exported = arguments[k + 1];
    }
    if (!exported && !mkdtemp(folder)) return perror(folder), 2;
    size_t verdicts[FAILED + 1] = {0};
    for (unsigned long long k = 0; k < cases; k++) {
        static adversary_case c;
        c = (adversary_case){.seed = seed + k};
        if (exported) {
            (void)snprintf(folder, sizeof folder, "%.150s/%llu", exported, seed + k);
            if (mkdir(folder, 0777) != 0) return perror(folder), 2;
        }
        const verdict result = judge(&c);
        verdicts[result]++;
        if (result == FAILED)
            printf("seed %llu (%zu joints, base %d, gravity %d, %.3g ms, %s, element %s): %s\n",
                   seed + k, c.count, (int)c.base, c.gravity, 1e3 * c.timestep,
                   stiction_coupling_name(c.coupling), stiction_element_choice_name(c.element),
                   problem);
        (void)fflush(stdout);
    }
    if (exported) return 0;
    printf(
        "%zu passed, %zu skipped, %zu failed; %zu joints held, %zu of them overloaded by others\n",
        verdicts[PASSED], verdicts[SKIPPED], verdicts[FAILED], held_joints, overloaded_joints);
    char command[260];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (cases > 1 && system(command) != 0) return 2;
    if (cases == 1) printf("files: %s\n", folder);
    return verdicts[FAILED] ? 1 : 0;
}
