/* SPDX-License-Identifier: MIT
 * The state of a simulation between two steps: read, saved, restored, changed from outside.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "document/auto.h"
#include "document/text.h"
#include "simulation_internal.h"

/* ---- contacts, and the start of the next step ---- */

void simulation_prepare(simulation *s) {
    if (s->prepared) return;
    mju_copy(s->unprepared, s->data->qpos, s->world->model->nq);
    mj_step1(s->world->model, s->data);
    s->prepared = true;
}

/* For engine_run: before mj_step1 replaces them. */
static void keep_contacts(void *context) {
    simulation *s = context;
    size_t first = 0;
    for (size_t b = 0; b < s->world->body_count && !s->contacts_known; b++) {
        s->contact_counts[b] =
            s->stepped ? body_view_contacts(s->world, s->data, b, s->contacts + first) : 0;
        first += s->world->bodies[b].link_count;
    }
    s->contacts_known = true;
}

/* For engine_run. */
static void prepare(void *context) {
    keep_contacts(context);
    simulation_prepare(context);
}

stiction_status simulation_update_links(simulation *s, stiction_error *error) {
    return s->prepared ? STICTION_OK : simulation_call(s, prepare, error);
}

size_t simulation_contacts(simulation *s, size_t body, stiction_controller_contact *contacts,
                           stiction_error *error) {
    if (!s->contacts_known && simulation_call(s, keep_contacts, error) != STICTION_OK) return 0;
    size_t first = 0;
    for (size_t b = 0; b < body; b++) first += s->world->bodies[b].link_count;
    memcpy(contacts, s->contacts + first, s->contact_counts[body] * sizeof *contacts);
    return s->contact_counts[body];
}

/* ---- saving ---- */

/* The first bytes of a buffer: they differ between simulations with other robots or time steps. */
typedef struct state_head {
    char magic[8];
    uint64_t checksum; /* of all that follows */
    double timestep;
    int nq, nv, na, nuserdata;
} state_head;

static state_head head_of(const simulation *s) {
    const mjModel *m = s->world->model;
    return (state_head){.magic = "stictsi",
                        .timestep = m->opt.timestep,
                        .nq = m->nq,
                        .nv = m->nv,
                        .na = m->na,
                        .nuserdata = m->nuserdata};
}

/* What MuJoCo's step depends on, in the order of the buffer. */
typedef struct state_part {
    mjtNum *numbers;
    int count;
} state_part;
enum { position_part = 3, part_count = 8 };

static size_t watched_count(const simulation *s) {
    return SIMULATION_WATCHED * s->world->joint_count;
}

static void parts_of(const simulation *s, state_part parts[part_count]) {
    const mjModel *m = s->world->model;
    mjData *d = s->data;
    const state_part all[part_count] = {{&d->time, 1},
                                        {s->made_implicit, (int)s->world->body_count},
                                        {s->watched, (int)watched_count(s)},
                                        {d->qpos, m->nq},
                                        {d->qvel, m->nv},
                                        {d->act, m->na},
                                        {d->qacc_warmstart, m->nv},
                                        {d->userdata, m->nuserdata}};
    memcpy(parts, all, sizeof all);
}

size_t simulation_state_size(const simulation *s) {
    const mjModel *m = s->world->model;
    return sizeof(state_head) +
           sizeof(double) * ((size_t)(1 + m->nq + 2 * m->nv + m->na + m->nuserdata) +
                             s->world->body_count + watched_count(s));
}

/* Of a buffer from the end of its checksum on. */
static uint64_t checksum_of(const void *buffer, size_t size) {
    const size_t start = offsetof(state_head, timestep);
    return stiction_checksum((const char *)buffer + start, size - start);
}

/* Where auto may become implicit, the next steps depend on it. */
static void write_chatter(const simulation *s) {
    for (size_t k = 0; k < s->world->joint_count; k++) {
        const chatter c = results_chatter(s->results, k);
        const double numbers[SIMULATION_WATCHED] = {
            (double)(c.turns >> 32), (double)(c.turns & UINT32_MAX), c.lasted, c.torque, c.command};
        mju_copy(s->watched + SIMULATION_WATCHED * k, numbers, SIMULATION_WATCHED);
    }
}

static void read_chatter(const simulation *s) {
    for (size_t k = 0; k < s->world->joint_count; k++) {
        const double *numbers = s->watched + SIMULATION_WATCHED * k;
        const chatter c = {(uint64_t)numbers[0] << 32 | (uint64_t)numbers[1], (unsigned)numbers[2],
                           numbers[3], numbers[4]};
        results_set_chatter(s->results, k, &c);
    }
}

static bool is_whole(double number, double most) {
    return number >= 0 && number <= most && floor(number) == number;
}

static bool chatter_fits(const simulation *s, const double *numbers) {
    for (size_t k = 0; k < s->world->joint_count; k++, numbers += SIMULATION_WATCHED)
        if (!is_whole(numbers[0], UINT32_MAX) || !is_whole(numbers[1], UINT32_MAX) ||
            !is_whole(numbers[2], 64))
            return false;
    return true;
}

void simulation_save(const simulation *s, void *buffer) {
    write_chatter(s);
    state_head head = head_of(s);
    state_part parts[part_count];
    parts_of(s, parts);
    /* a quaternion that is normalised twice may have other bits */
    if (s->prepared) parts[position_part].numbers = s->unprepared;
    char *to = buffer;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (int k = 0; k < part_count; k++) {
        memcpy(to, parts[k].numbers, (size_t)parts[k].count * sizeof(double));
        to += (size_t)parts[k].count * sizeof(double);
    }
    head.checksum = checksum_of(buffer, simulation_state_size(s));
    memcpy(buffer, &head, sizeof head);
}

/* Copies the numbers of a buffer into the state. */
static void load_numbers(simulation *s, const char *from) {
    state_part parts[part_count];
    parts_of(s, parts);
    for (int k = 0; k < part_count; k++) {
        memcpy(parts[k].numbers, from, (size_t)parts[k].count * sizeof(double));
        from += (size_t)parts[k].count * sizeof(double);
    }
}

/* The coupling of bodies, as it was when the state was saved; `implicit` has an entry a body. */
static stiction_status restore_coupling(simulation *s, const double *implicit,
                                        stiction_error *error) {
    stiction_status status = STICTION_OK;
    for (size_t k = 0; k < s->world->body_count && status == STICTION_OK; k++)
        if (implicit[k] != 0 && !friction_is_implicit(s->friction, k))
            status = simulation_make_implicit(s, k, error);
    if (status == STICTION_OK) results_set_coupling(s->results, friction_coupling(s->friction));
    return status;
}

static bool couplings_fit(const simulation *s, const double *implicit) {
    for (size_t k = 0; k < s->world->body_count; k++)
        if (implicit[k] != 0 && (implicit[k] != 1 || !friction_is_auto(s->friction, k) ||
                                 friction_obstacle(s->friction, k)))
            return false;
    return true;
}

stiction_status simulation_restore(simulation *s, const void *buffer, size_t size,
                                   stiction_error *error) {
    state_head own = head_of(s), given;
    if (size == simulation_state_size(s)) {
        memcpy(&given, buffer, sizeof given);
        own.checksum = given.checksum;
    }
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): written by the same build */
    if (size != simulation_state_size(s) || memcmp(buffer, &own, sizeof own) != 0)
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the state was saved by a simulation of another robot or time step");
    if (own.checksum != checksum_of(buffer, size))
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the saved state was changed after it was saved");
    const char *numbers = (const char *)buffer + sizeof own;
    const size_t count = (size - sizeof own) / sizeof(double);
    const mjModel *m = s->world->model;
    const size_t act = 1 + s->world->body_count + watched_count(s) + (size_t)(m->nq + m->nv);
    const size_t userdata = act + (size_t)(m->na + m->nv);
    AUTO_FREE double *copy = malloc(count * sizeof *copy); /* a buffer need not be aligned */
    if (!copy) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    memcpy(copy, numbers, count * sizeof *copy);
    for (size_t k = 0; k < count; k++)
        if (!isfinite(copy[k]))
            return stiction_fail(error, STICTION_INVALID_BUFFER,
                                 "the saved state has a number that is not finite");
    stiction_error why;
    if (friction_check_memory(s->friction, copy + userdata, copy + act, &why) != STICTION_OK)
        return stiction_fail(error, STICTION_INVALID_BUFFER, "the saved state: %.900s",
                             why.message);
    const double *implicit = copy + 1;
    if (!chatter_fits(s, implicit + s->world->body_count))
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the saved state has a chatter that no steps can make");
    if (!couplings_fit(s, implicit))
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the saved state has a coupling that this simulation cannot take");
    TRY(simulation_reset(s, error));
    TRY(restore_coupling(s, implicit, error));
    load_numbers(s, numbers);
    read_chatter(s);
    return STICTION_OK;
}

void simulation_moved(simulation *s) {
    const mjModel *m = s->world->model;
    if (m->nuserdata) memset(s->data->userdata, 0, (size_t)m->nuserdata * sizeof(double));
    if (m->na) memset(s->data->act, 0, (size_t)m->na * sizeof(double));
    s->prepared = s->stepped = s->contacts_known = false;
    results_jump(s->results);
    s->jumped = true;
}
