/* SPDX-License-Identifier: MIT
 * The soak: a random drive of joints with random parameters, at random time steps, with random
 * saves and restores, for as many steps as are asked for.
 *
 *   stiction_soak [--steps N] [--law NAME] [--seed S] [--episode E] [--shard I/N] [--jobs J]
 *
 * An episode is a robot of joints of one law (and of others, where friction is changed on the way)
 * for some hundred steps, in one of four forms: few joints that step one by one; many in columns;
 * a batch beside the states of its environments; and, where the law has a potential, coupled
 * implicitly. A step is that of one joint; twins do not count. In every step
 *   - every number that is told is finite,
 *   - the twin, which is saved, thrown away and restored at random, has the same bits,
 *   - the work done on the joint is what is dissipated and what the bristle stores,
 *   - and, where the law is passive, nothing is dissipated below 0,
 * the last two up to rounding, whose bound is derived at `look_at_energy`. An episode follows from
 * its seed alone: `--law NAME --episode E` repeats one, and a failure prints that line.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "edges.h"
#include "stiction/implicit.h"
#include "stiction/models/law.h"

enum {
    most_joints = 70,
    most_environments = 8,
    most_slots = 600,
    most_laws = 64,
    memory_numbers = 18
};

/* ---- what is told of a law ---- */

typedef struct tally {
    uint64_t steps, episodes, restores, changes, faults, refusals, implicit_steps;
    double worst_balance;  /* in units of its bound */
    double worst_negative; /* the same for dissipation below 0 */
    double worst_implicit; /* balance, as a part of what flows */
    uint64_t worst_episode;
    bool failed, done;
} tally;

/* Models of the literature that can give energy, which is one of their known faults: LuGre and its
 * kin where the damper moves a bristle that is bent too far (Barahanov and Ortega 2000), those with
 * a threshold below it, and rotating bristles at a reversal. */
static bool is_passive(const char *law) {
    static const char *const givers[] = {"karnopp", "quinn", "rbm", "lugre", "elasto_plastic"};
    for (size_t k = 0; k < sizeof givers / sizeof givers[0]; k++)
        if (strcmp(law, givers[k]) == 0) return false;
    return true;
}

/* ---- an episode ---- */

typedef struct account {
    long double work; /* of the host on the joint, since the account was opened */
    double opened;    /* dissipated then */
    double stored;    /* then, and now */
    double now;
    double rounding; /* that the balance may be off by */
    double K;
    bool passive;
} account;

typedef struct episode {
    const char *law;
    uint64_t number;
    random_source r;
    size_t count, step;
    double T;
    stiction_joint_def defs[most_joints];
    stiction_model *model;
    stiction_state *state, *twin; /* the twin is saved and restored */
    account accounts[most_joints];
    double velocity[most_joints], effort[most_joints], torque[most_joints];
    double deflection[most_joints], dissipated[most_joints], other[most_joints];
    double before[most_joints]; /* dissipated before the step */
    tally *told;
} episode;

/* All that is needed to repeat it. */
static void fail(episode *e, size_t k, const char *what, double value) {
    if (e->told->failed) return;
    e->told->failed = true;
    const stiction_joint_def *d = &e->defs[k];
    stiction_parameter_info info;
    printf("\nFAILED: %s %g (%a)\n  step %zu of joint %zu at time step %a s, velocity %a, effort "
           "%a\n  torque %a, deflection %a, dissipated %a\n  law %s",
           what, value, value, e->step, k, e->T, e->velocity[k], e->effort[k], e->torque[k],
           e->deflection[k], e->dissipated[k], d->law);
    for (size_t p = 0; stiction_parameter_at(p, &info); p++)
        if (!isnan(stiction_joint_def_value(d, p)))
            printf(", %s %a", info.key, stiction_joint_def_value(d, p));
    printf("\n  repeat it: stiction_soak --law %s --episode %" PRIu64 "\n", e->law, e->number);
    (void)fflush(stdout);
}

static double stiffness_of(const stiction_joint_def *d) {
    static const char *const without[] = {"none",  "viscosity", "tanh", "karnopp",
                                          "quinn", "sawtooth",  "drbm", "rbm"};
    for (size_t k = 0; k < sizeof without / sizeof without[0]; k++)
        if (strcmp(d->law, without[k]) == 0) return 0;
    if (strcmp(d->law, "mpabm") == 0)
        return d->bristle_stiffness / d->bristle_height * d->angle_scale;
    return d->stiffness;
}

static void open_account(episode *e, size_t k) {
    const double K = stiffness_of(&e->defs[k]),
                 stored = 0.5 * K * e->deflection[k] * e->deflection[k];
    e->accounts[k] = (account){.opened = e->dissipated[k],
                               .stored = stored,
                               .now = stored,
                               .K = K,
                               .passive = is_passive(e->defs[k].law)};
}

/*
 * The balance. In a step the library computes f v T - (K e1^2/2 - K e0^2/2) in 2 + 3 + 3 + 2
 * roundings and adds it to the sum in one more; each is half of 2^-52 of what it rounds. So a step
 * adds at most 4 2^-52 of |f v T| + K e0^2/2 + K e1^2/2, and half of 2^-52 of the sum; as much
 * again for the sum that is made here, where long double is no longer than double. What leaves the
 * normal numbers adds the smallest of them. Dissipation below 0 may have eight times the first
 * part: the torque itself is rounded, by some units, before it does its work.
 */
static void look_at_energy(episode *e, size_t k, tally *t) {
    account *a = &e->accounts[k];
    const double moved = e->torque[k] * e->velocity[k] * e->T;
    const double work = isfinite(e->velocity[k]) && e->torque[k] != 0 ? moved : 0;
    const double stored = 0.5 * a->K * e->deflection[k] * e->deflection[k];
    const double flow = fabs(work) + stored + a->now;
    const double part = 4 * DBL_EPSILON * flow + 8 * DBL_MIN;
    const double gained = work - (stored - a->now);
    a->work += (long double)work;
    a->rounding += part + DBL_EPSILON * (fabs(e->dissipated[k]) + fabs(a->opened));
    a->now = stored;
    const double off = (double)fabsl(a->work - ((long double)e->dissipated[k] - a->opened) -
                                     ((long double)stored - a->stored));
    const double ratio = off / a->rounding;
    if (!(ratio <= 1)) fail(e, k, "the balance of energy is off, in units of its bound, by", ratio);
    if (ratio > t->worst_balance) {
        t->worst_balance = ratio;
        t->worst_episode = e->number;
    }
    if (!a->passive) return;
    const double negative = -gained / (8 * part);
    if (!(negative <= 1)) fail(e, k, "dissipation below 0, in units of its bound, of", negative);
    t->worst_negative = fmax(t->worst_negative, negative);
}

static bool make_robot(episode *e, size_t count, const stiction_law_info *law) {
    static char names[most_joints][8];
    const char *list[most_joints];
    stiction_config *config = stiction_config_create();
    e->count = count;
    e->T = edge_timestep(&e->r);
    bool fine = true;
    for (size_t k = 0; k < count && fine; k++) {
        (void)snprintf(names[k], sizeof names[k], "J%zu", k);
        list[k] = names[k];
        fine = false;
        for (int tries = 0; tries < 50 && !fine; tries++) {
            e->defs[k] = edge_joint(&e->r, law, e->T);
            fine = stiction_joint_def_check(NULL, &e->defs[k], e->T, NULL) == STICTION_OK;
        }
        fine = fine && stiction_config_add_joint(config, list[k], &e->defs[k], NULL) == STICTION_OK;
    }
    stiction_model_def def = stiction_model_def_default();
    def.timestep = e->T;
    fine = fine &&
           stiction_model_create(config, list, count, &def, &e->model, NULL) == STICTION_OK &&
           stiction_state_create(e->model, &e->state, NULL) == STICTION_OK &&
           stiction_state_create(e->model, &e->twin, NULL) == STICTION_OK;
    stiction_config_destroy(config);
    if (!fine) return false;
    for (size_t k = 0; k < count; k++) {
        e->deflection[k] = e->dissipated[k] = 0;
        open_account(e, k);
    }
    return true;
}

static void free_robot(episode *e) {
    stiction_state_destroy(e->twin);
    stiction_state_destroy(e->state);
    stiction_model_destroy(e->model);
}

/* Goes on from step to step, turns round, stops, and jumps to an edge now and then. */
static void drive(episode *e) {
    for (size_t k = 0; k < e->count; k++) {
        const uint64_t bits = random_bits(&e->r);
        const double sway = (double)(bits >> 11) * 0x1p-52 - 1;
        switch (bits % 64) {
        case 0:
            e->velocity[k] = edge_velocity(&e->r);
            break;
        case 1:
            e->velocity[k] = 0;
            break;
        case 2:
            e->velocity[k] = -e->velocity[k];
            break;
        case 3:
            e->velocity[k] = sway * random_decade(&e->r, -6, 2);
            break;
        default:
            e->velocity[k] *= 1 + 0.1 * sway;
        }
        e->effort[k] = bits % 16 == 3 ? edge_velocity(&e->r) : e->effort[k] * (1 + sway);
    }
}

/* The twin goes through bytes, into a state that was anywhere. */
static void save_and_restore(episode *e) {
    stiction_error error;
    const size_t size = stiction_state_buffer_size(e->twin);
    unsigned char *buffer = malloc(size), *again = malloc(size);
    bool fine = stiction_state_save(e->twin, buffer, size, NULL) == STICTION_OK;
    if (edge_below(&e->r, 2)) { /* into another one */
        stiction_state_destroy(e->twin);
        fine = stiction_state_create(e->model, &e->twin, NULL) == STICTION_OK && fine;
    } else {
        fine = stiction_state_reset(e->twin, NULL) == STICTION_OK && fine;
    }
    if (stiction_state_restore(e->twin, buffer, size, &error) != STICTION_OK) {
        printf("\n%s\n", error.message);
        fine = false;
    }
    fine = fine && stiction_state_save(e->twin, again, size, NULL) == STICTION_OK &&
           memcmp(buffer, again, size) == 0;
    if (!fine) fail(e, 0, "a state is not what was saved, of joints", (double)e->count);
    free(buffer);
    free(again);
    e->told->restores++;
}

static void read_memory(episode *e) {
    double memory[most_joints * memory_numbers];
    (void)stiction_state_get_memory(e->state, memory, NULL);
    for (size_t k = 0; k < e->count; k++) {
        e->deflection[k] = memory[k * memory_numbers];
        e->dissipated[k] = memory[k * memory_numbers + 1];
    }
}

/* Another friction of one joint, of its own law or any. */
static bool change_joint(episode *e, size_t *changed) {
    stiction_law_info law;
    *changed = edge_below(&e->r, e->count);
    if (edge_below(&e->r, 2))
        (void)stiction_law_info_find(e->defs[*changed].law, &law);
    else
        (void)stiction_law_info_at(edge_below(&e->r, stiction_law_info_count()), &law);
    const stiction_joint_def def = edge_joint(&e->r, &law, e->T);
    if (stiction_state_set_joint(e->state, *changed, &def, NULL) != STICTION_OK) {
        e->told->refusals++;
        return false;
    }
    if (stiction_state_set_joint(e->twin, *changed, &def, NULL) != STICTION_OK)
        fail(e, *changed, "the twin refuses the joint", 0);
    e->defs[*changed] = def;
    read_memory(e);
    open_account(e, *changed);
    e->told->changes++;
    return true;
}

static void look_at_step(episode *e) {
    tally *t = e->told;
    for (size_t k = 0; k < e->count; k++) {
        if (!isfinite(e->torque[k])) fail(e, k, "torque", e->torque[k]);
        if (!isfinite(e->deflection[k])) fail(e, k, "deflection", e->deflection[k]);
        if (!isfinite(e->dissipated[k])) fail(e, k, "dissipated energy", e->dissipated[k]);
        if (memcmp(&e->torque[k], &e->other[k], sizeof e->torque[k]) != 0)
            fail(e, k, "the twin has another torque,", e->other[k]);
        look_at_energy(e, k, t);
    }
    t->steps += e->count;
}

static bool step_states(episode *e) {
    stiction_input in = stiction_input_default();
    stiction_output out = stiction_output_default();
    in.timestep = e->T;
    in.velocity = e->velocity;
    in.effort = e->effort;
    out.torque = e->torque;
    out.deflection = e->deflection;
    out.dissipated_energy = e->dissipated;
    const stiction_status status = stiction_step_full(e->state, &in, &out, NULL);
    stiction_output short_out = stiction_output_default();
    short_out.torque = e->other;
    /* by the shortest way, where the model does without efforts */
    stiction_status other = stiction_step(e->twin, e->T, e->velocity, e->other, NULL);
    if (other != STICTION_OK) other = stiction_step_full(e->twin, &in, &short_out, NULL);
    if (other != status) fail(e, 0, "the twin says otherwise,", (double)other);
    if (status != STICTION_OK) e->told->refusals++;
    return status == STICTION_OK;
}

/* What happens between steps. */
static void disturb(episode *e, double *last_T, stiction_batch *batch) {
    size_t changed;
    switch (edge_below(&e->r, 40)) {
    case 0:
    case 1:
        save_and_restore(e);
        break;
    case 2:
        *last_T = e->T;
        e->T = edge_timestep(&e->r);
        break;
    case 3:
        if (change_joint(e, &changed) && batch) {
            const stiction_joint_def *def = &e->defs[changed];
            for (size_t n = 0; n < stiction_batch_environment_count(batch); n++)
                if (stiction_batch_set_joint(batch, n, changed, def, NULL) != STICTION_OK)
                    fail(e, changed, "the batch refuses the joint", (double)n);
        }
        break;
    default:;
    }
}

static void run_states(episode *e, size_t steps) {
    double last_T = e->T;
    for (e->step = 0; e->step < steps && !e->told->failed; e->step++) {
        drive(e);
        if (step_states(e))
            look_at_step(e);
        else
            e->T = last_T; /* the joints are illegal at the other one */
        disturb(e, &last_T, NULL);
    }
}

/* A batch in which all environments are driven alike, but each begins later. */
static void run_batch(episode *e, size_t steps) {
    static double velocity[most_slots], effort[most_slots], torque[most_slots],
        deflection[most_slots];
    stiction_batch *batch = NULL;
    stiction_batch_def def = stiction_batch_def_default();
    const size_t most = most_slots / e->count;
    const size_t environments = 1 + edge_below(&e->r, most < 40 ? most : 40);
    def.environment_major = edge_below(&e->r, 2);
    if (stiction_batch_create(e->model, environments, &def, &batch, NULL) != STICTION_OK) return;
    double last_T = e->T;
    for (e->step = 0; e->step < steps && !e->told->failed; e->step++) {
        drive(e);
        for (size_t k = 0; k < e->count; k++)
            for (size_t n = 0; n < environments; n++) {
                const size_t at = def.environment_major ? n * e->count + k : k * environments + n;
                velocity[at] = e->velocity[k];
                effort[at] = e->effort[k];
            }
        stiction_input in = stiction_input_default();
        in.timestep = e->T;
        in.velocity = velocity;
        in.effort = effort;
        const bool fine = stiction_step_batch_full(batch, &in, torque, NULL) == STICTION_OK;
        if (step_states(e) != fine) fail(e, 0, "the batch says otherwise, time step", e->T);
        if (!fine) {
            e->T = last_T;
            continue;
        }
        look_at_step(e);
        for (size_t k = 0; k < e->count; k++)
            for (size_t n = 0; n < environments; n++) {
                const size_t at = def.environment_major ? n * e->count + k : k * environments + n;
                if (memcmp(&torque[at], &e->torque[k], sizeof torque[at]) != 0)
                    fail(e, k, "the batch has another torque,", torque[at]);
            }
        e->told->steps += e->count * (environments - 1);
        disturb(e, &last_T, batch);
        if (edge_below(&e->r, 50) == 0) { /* deflections go out and come back */
            const bool back =
                stiction_batch_get_deflections(batch, deflection, NULL) == STICTION_OK &&
                stiction_batch_set_deflections(batch, deflection, NULL) == STICTION_OK;
            if (!back) fail(e, 0, "deflections that were given are refused,", 0);
        }
    }
    stiction_batch_destroy(batch);
}

/* Masses of a machine, whatever the friction: what of it cannot be solved is refused, and then
 * nothing has changed. The account is the solver's own: work = heat + what the bristles take up. */
static void run_implicit(episode *e, size_t steps) {
    double mass[most_joints], w[most_joints], slip[most_joints];
    int dof[most_joints], parent[most_joints];
    stiction_implicit *solver = NULL;
    stiction_implicit_def def = stiction_implicit_def_default();
    for (size_t k = 0; k < e->count; k++) {
        mass[k] = random_decade(&e->r, -4, 2);
        e->velocity[k] = random_uniform(&e->r, -1, 1);
        dof[k] = (int)k;
        parent[k] = -1;
    }
    def.count = e->count;
    def.parent = parent;
    def.packed = true;
    def.rigid = edge_below(&e->r, 2);
    if (stiction_implicit_create(&def, &solver, NULL) != STICTION_OK ||
        stiction_implicit_add(solver, e->state, dof, NULL) != STICTION_OK)
        fail(e, 0, "no solver for joints", (double)e->count);
    double stored = 0;
    for (e->step = 0; solver && e->step < steps && !e->told->failed; e->step++) {
        for (size_t k = 0; k < e->count; k++)
            if (edge_below(&e->r, 16) == 0) e->effort[k] = edge_velocity(&e->r);
        stiction_implicit_input in = stiction_implicit_input_default();
        stiction_implicit_output out = stiction_implicit_output_default();
        in.timestep = e->T;
        in.mass = mass;
        in.velocity = e->velocity;
        in.force = e->effort;
        out.velocity = w;
        out.friction = e->torque;
        out.slip = slip;
        out.deflection = e->deflection;
        out.dissipated_energy = e->dissipated;
        if (stiction_implicit_step(solver, &in, &out, NULL) != STICTION_OK) {
            e->told->refusals++;
            for (size_t k = 0; k < e->count; k++) e->velocity[k] = e->effort[k] = 0;
            continue;
        }
        for (size_t k = 0; k < e->count; k++) {
            if (!isfinite(w[k]) || !isfinite(slip[k]) || !isfinite(e->torque[k]) ||
                !isfinite(e->deflection[k]) || !isfinite(e->dissipated[k]))
                fail(e, k, "not finite: velocity", w[k]);
            e->velocity[k] = w[k];
        }
        /* what is not solved tells what friction gave */
        if (!(out.heat >= 0) && out.outcome != STICTION_IMPLICIT_FROZEN)
            fail(e, 0, "heat of an implicit step", out.heat);
        const double flow = fabs(out.work) + fabs(out.heat) + stored + out.stored;
        const double off = fabs(out.work - out.heat - (out.stored - stored)) / (flow + 1e-280);
        if (out.outcome != STICTION_IMPLICIT_FROZEN && !(off <= 1e-7))
            fail(e, 0, "an implicit step's energy is off by a part of", off);
        if (out.outcome != STICTION_IMPLICIT_FROZEN)
            e->told->worst_implicit = fmax(e->told->worst_implicit, off);
        stored = out.stored;
        if (!isfinite(stored)) fail(e, 0, "stored energy", stored);
        e->told->steps += e->count;
        e->told->implicit_steps += e->count;
        if (edge_below(&e->r, 20) == 0) { /* what steps made is restored */
            const size_t size = stiction_state_buffer_size(e->state);
            unsigned char *buffer = malloc(size);
            if (stiction_state_save(e->state, buffer, size, NULL) != STICTION_OK ||
                stiction_state_restore(e->state, buffer, size, NULL) != STICTION_OK)
                fail(e, 0, "not restored", 0);
            free(buffer);
            e->told->restores++;
        }
    }
    stiction_implicit_destroy(solver);
}

static void run_episode(const stiction_law_info *law, uint64_t number, tally *t) {
    static episode e;
    e = (episode){.law = law->name, .number = number, .r = {number}, .told = t};
    for (const char *p = law->name; *p; p++) e.r.state = e.r.state * 131 + (unsigned char)*p;
    (void)random_bits(&e.r);
    const size_t form = edge_below(&e.r, 16);
    const bool implicit = form >= 14 && stiction_law_find(law->name);
    const size_t steps = 50 + edge_below(&e.r, 400);
    t->episodes++;
    const size_t count = implicit || form < 5 ? 1 + edge_below(&e.r, 4)
                         : form < 10          ? 5 + edge_below(&e.r, most_joints - 5)
                                              : 1 + edge_below(&e.r, 12);
    if (make_robot(&e, count, law)) {
        if (implicit)
            run_implicit(&e, steps);
        else if (form < 10)
            run_states(&e, steps);
        else
            run_batch(&e, steps);
        t->faults += stiction_state_total_faults(e.state);
    }
    free_robot(&e);
}

/* ---- all of them ---- */

typedef struct options {
    double steps;
    const char *law;
    uint64_t seed, episode;
    bool one;             /* episode */
    size_t shard, shards; /* laws shard - 1, shard - 1 + shards, ... */
    size_t jobs;
} options;

static void run_law(const options *o, size_t index, uint64_t steps, tally *t) {
    stiction_law_info law;
    (void)stiction_law_info_at(index, &law);
    random_source seeds = {o->seed};
    while (!t->failed && (o->one ? t->episodes == 0 : t->steps < steps))
        run_episode(&law, o->one ? o->episode : random_bits(&seeds), t);
    t->done = true;
}

static void show_bar(const tally *tallies, size_t count, uint64_t steps) {
    static int last = -1;
    uint64_t sum = 0;
    for (size_t k = 0; k < count; k++) sum += tallies[k].steps < steps ? tallies[k].steps : steps;
    const double part = (double)sum / ((double)steps * (double)count);
    const int width = 50, filled = (int)(part * width);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r[%.*s%*s] %5.1f %%  %.3g steps ", filled,
                "##################################################", width - filled, "",
                100 * part, (double)sum);
    else if (filled / 5 != last)
        fprintf(stderr, "%3d %%  %.3g steps\n", filled * 2, (double)sum);
    last = filled / 5;
}

/* The laws in processes of their own, so many at a time. */
static void run_laws(const options *o, const size_t *laws, size_t count, uint64_t steps,
                     tally *tallies) {
    size_t next = 0, running = 0;
    while (next < count || running) {
        while (next < count && running < o->jobs) {
            const pid_t child = fork();
            if (child == 0) {
                run_law(o, laws[next], steps, &tallies[next]);
                (void)fflush(stdout);
                _exit(tallies[next].failed);
            }
            if (child < 0) exit(2);
            next++;
            running++;
        }
        while (running && waitpid(-1, NULL, WNOHANG) > 0) running--;
        show_bar(tallies, count, steps);
        (void)usleep(100000);
    }
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\n");
}

static options read_options(int argc, char **argv) {
    options o = {.steps = 1e6, .seed = 16, .shard = 1, .shards = 1, .jobs = 1};
    for (int k = 1; k < argc; k += 2) {
        const char *value = k + 1 < argc ? argv[k + 1] : NULL;
        char *end = NULL;
        if (value && strcmp(argv[k], "--steps") == 0)
            o.steps = strtod(value, &end);
        else if (value && strcmp(argv[k], "--seed") == 0)
            o.seed = strtoull(value, &end, 10);
        else if (value && strcmp(argv[k], "--episode") == 0)
            o.episode = strtoull(value, &end, 10), o.one = true;
        else if (value && strcmp(argv[k], "--jobs") == 0)
            o.jobs = strtoul(value, &end, 10);
        else if (value && strcmp(argv[k], "--shard") == 0) {
            o.shard = strtoul(value, &end, 10);
            if (*end == '/') o.shards = strtoul(end + 1, &end, 10);
        } else if (value && strcmp(argv[k], "--law") == 0)
            o.law = value;
        else
            end = argv[k];
        if ((end && *end) || !(o.steps >= 1 && o.steps <= 1e15) || o.jobs < 1 || o.jobs > 1000 ||
            o.shard < 1 || o.shard > o.shards) {
            fprintf(stderr, "usage: stiction_soak [--steps N] [--law NAME] [--seed S] [--episode "
                            "E] [--shard I/N] "
                            "[--jobs J]\n");
            exit(2);
        }
    }
    return o;
}

int main(int argc, char **argv) {
    const options o = read_options(argc, argv);
    size_t laws[most_laws], count = 0;
    stiction_law_info law;
    for (size_t k = 0; stiction_law_info_at(k, &law) && count < most_laws; k++)
        if (o.law ? strcmp(law.name, o.law) == 0 : k % o.shards == o.shard - 1) laws[count++] = k;
    if (count == 0) {
        fprintf(stderr, "there is no law '%s'\n", o.law ? o.law : "of this shard");
        return 2;
    }
    tally *tallies = mmap(NULL, most_laws * sizeof *tallies, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED) return 2;
    const uint64_t each = (uint64_t)ceil(o.steps / (double)count);
    printf("seed %" PRIu64 ", %zu laws, %" PRIu64 " steps each\n", o.seed, count, each);
    (void)fflush(stdout);
    run_laws(&o, laws, count, each, tallies);

    printf("%-15s %13s %9s %9s %8s %9s %9s  %s\n", "law", "steps", "robots", "restores", "changes",
           "faults", "refusals", "balance and dissipation below 0, in units of their bounds");
    tally all = {0};
    bool failed = false;
    for (size_t k = 0; k < count; k++) {
        const tally *t = &tallies[k];
        (void)stiction_law_info_at(laws[k], &law);
        printf("%-15s %13" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64 " %9" PRIu64 " %9" PRIu64
               "  %.3f %.3f%s\n",
               law.name, t->steps, t->episodes, t->restores, t->changes, t->faults, t->refusals,
               t->worst_balance, t->worst_negative,
               t->failed  ? "  FAILED"
               : !t->done ? "  DIED"
                          : "");
        all.steps += t->steps;
        all.restores += t->restores;
        all.implicit_steps += t->implicit_steps;
        all.worst_balance = fmax(all.worst_balance, t->worst_balance);
        all.worst_negative = fmax(all.worst_negative, t->worst_negative);
        all.worst_implicit = fmax(all.worst_implicit, t->worst_implicit);
        failed = failed || t->failed || !t->done;
    }
    printf("%" PRIu64 " steps of %zu laws, %" PRIu64 " of them implicit, %" PRIu64
           " restores; worst balance %.3f, worst dissipation below 0 %.3f of its bound, implicit "
           "balance off by %.2g: %s\n",
           all.steps, count, all.implicit_steps, all.restores, all.worst_balance,
           all.worst_negative, all.worst_implicit, failed ? "FAILED" : "all is well");
    return failed;
}
