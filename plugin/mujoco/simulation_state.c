/* SPDX-License-Identifier: MIT
 * The state of a simulation between two steps: looked at, saved, restored, changed from outside.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "mujoco_compile/fence.h"
#include "simulation_internal.h"

/* ---- contacts and what the next step begins with ---- */

/* Before mj_step1 finds new ones. */
static void keep_contacts(simulation *s) {
    size_t first = 0;
    for (size_t b = 0; b < s->world->body_count && !s->contacts_known; b++) {
        s->contact_counts[b] =
            s->stepped ? body_view_contacts(s->world, s->data, b, s->contacts + first) : 0;
        first += s->world->bodies[b].link_count;
    }
    s->contacts_known = true;
}

void simulation_prepare(simulation *s) {
    if (s->prepared) return;
    mj_step1(s->world->model, s->data);
    s->prepared = true;
}

/* For engine_run. */
static void look(void *context) {
    keep_contacts(context);
    simulation_prepare(context);
}

static stiction_status fenced(simulation *s, void (*call)(void *), stiction_error *error) {
    char message[ENGINE_MESSAGE];
    return engine_run(call, s, s->log, s->log_user, message)
               ? STICTION_OK
               : stiction_fail(error, engine_status(message, STICTION_INVALID_CONFIG), "%s",
                               message);
}

stiction_status simulation_look(simulation *s, stiction_error *error) {
    return s->prepared ? STICTION_OK : fenced(s, look, error);
}

static void only_contacts(void *context) {
    keep_contacts(context);
}

size_t simulation_contacts(simulation *s, size_t body, stiction_controller_contact *contacts,
                           stiction_error *error) {
    if (!s->contacts_known && fenced(s, only_contacts, error) != STICTION_OK) return 0;
    size_t first = 0;
    for (size_t b = 0; b < body; b++) first += s->world->bodies[b].link_count;
    memcpy(contacts, s->contacts + first, s->contact_counts[body] * sizeof *contacts);
    return s->contact_counts[body];
}

/* ---- channels: the poses of bases that float, pushes, and what controllers record ---- */

static const char *const base_names[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
enum { base_size = sizeof base_names / sizeof base_names[0] };

static bool add_channel(simulation *s, const char *prefix, const char *dot, const char *name) {
    char **names = realloc(s->channel_names, (s->channel_count + 1) * sizeof *names);
    if (!names) return false;
    s->channel_names = names;
    const size_t size = strlen(prefix) + strlen(dot) + strlen(name) + 1;
    char *text = malloc(size);
    if (!text) return false;
    (void)snprintf(text, size, "%s%s%s", prefix, dot, name);
    names[s->channel_count++] = text;
    return true;
}

bool simulation_make_channels(simulation *s) {
    size_t floating = 0;
    for (size_t b = 0; b < s->world->body_count; b++) floating += s->world->bodies[b].floats;
    bool fine = true;
    for (size_t b = 0; b < s->world->body_count; b++)
        for (int k = 0; k < base_size && s->world->bodies[b].floats && fine; k++)
            fine = add_channel(s, floating > 1 ? s->world->bodies[b].name : "",
                               floating > 1 ? ".base." : "base.", base_names[k]);
    fine = fine && simulation_make_bodies(s);
    s->body_channels = s->channel_count;
    for (size_t k = 0; k < SIMULATION_BODY_CHANNELS * s->body_count && fine; k++)
        fine = add_channel(s, floating > 1 ? s->bodies[k / SIMULATION_BODY_CHANNELS].name : "",
                           floating > 1 ? "." : "",
                           simulation_body_channel(k % SIMULATION_BODY_CHANNELS));
    for (size_t k = 0; k < 3 * pushes_count(s->pushes) && fine; k++) {
        char name[PUSH_NAME_SIZE + 2];
        (void)snprintf(name, sizeof name, "%s.%s", pushes_at(s->pushes, k / 3)->name,
                       base_names[k % 3]);
        fine = add_channel(s, "push", ".", name);
    }
    for (size_t k = 0; k < controllers_record_count(s->controllers) && fine; k++)
        fine = add_channel(s, "controller", ".", controllers_record_name(s->controllers, k));
    s->channels = calloc(s->channel_count + 1, sizeof *s->channels);
    return fine && s->channels;
}

void simulation_read_channels(simulation *s) {
    double *channel = s->channels;
    for (size_t b = 0; b < s->world->body_count; b++) {
        if (!s->world->bodies[b].floats) continue;
        const body_base base = body_view_base(s->world, s->data, b);
        mju_copy3(channel, base.position);
        mju_copy4(channel + 3, base.rotation);
        channel += base_size;
    }
    channel += SIMULATION_BODY_CHANNELS * s->body_count;
    const size_t pushed = 3 * pushes_count(s->pushes);
    memcpy(channel, pushes_forces(s->pushes), pushed * sizeof *channel);
    channel += pushed;
    memcpy(channel, controllers_record_values(s->controllers),
           controllers_record_count(s->controllers) * sizeof *channel);
}

/* ---- saving ---- */

/* What a buffer begins with: whether it is of a simulation that was made alike. */
typedef struct state_head {
    char magic[8];
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
enum { part_count = 6 };

static void parts_of(const simulation *s, state_part parts[part_count]) {
    const mjModel *m = s->world->model;
    mjData *d = s->data;
    const state_part all[part_count] = {
        {&d->time, 1},   {d->qpos, m->nq},           {d->qvel, m->nv},
        {d->act, m->na}, {d->qacc_warmstart, m->nv}, {d->userdata, m->nuserdata}};
    memcpy(parts, all, sizeof all);
}

size_t simulation_state_size(const simulation *s) {
    const mjModel *m = s->world->model;
    return sizeof(state_head) +
           sizeof(double) * (size_t)(1 + m->nq + 2 * m->nv + m->na + m->nuserdata);
}

void simulation_save(const simulation *s, void *buffer) {
    const state_head head = head_of(s);
    state_part parts[part_count];
    parts_of(s, parts);
    char *to = buffer;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (int k = 0; k < part_count; k++) {
        memcpy(to, parts[k].numbers, (size_t)parts[k].count * sizeof(double));
        to += (size_t)parts[k].count * sizeof(double);
    }
}

/* `numbers`: of a buffer, behind its head. */
static stiction_status check_friction(const simulation *s, const char *numbers,
                                      stiction_error *error) {
    const mjModel *m = s->world->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, na = (size_t)m->na;
    const size_t act = 1 + nq + nv, userdata = act + na + nv;
    const size_t count = userdata + (size_t)m->nuserdata;
    double *copy = malloc(count * sizeof *copy); /* a buffer need not be aligned */
    if (!copy) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    memcpy(copy, numbers, count * sizeof *copy);
    stiction_error sentence;
    stiction_status status =
        friction_check_memory(simulation_friction(s), copy + userdata, copy + act, &sentence);
    if (status != STICTION_OK)
        status = stiction_fail(error, STICTION_INVALID_BUFFER, "the saved state: %.900s",
                               sentence.message);
    free(copy);
    return status;
}

stiction_status simulation_restore(simulation *s, const void *buffer, size_t size,
                                   stiction_error *error) {
    const state_head own = head_of(s);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-*): what one build has written */
    if (size != simulation_state_size(s) || memcmp(buffer, &own, sizeof own) != 0)
        return stiction_fail(error, STICTION_INVALID_BUFFER,
                             "the state was saved by a simulation of another robot or time step");
    const char *from = (const char *)buffer + sizeof own;
    for (size_t k = sizeof own; k < size; k += sizeof(double)) {
        double number;
        memcpy(&number, (const char *)buffer + k, sizeof number);
        if (!isfinite(number))
            return stiction_fail(error, STICTION_INVALID_BUFFER,
                                 "the saved state has a number that is not finite");
    }
    stiction_status status = check_friction(s, from, error);
    if (status == STICTION_OK) status = simulation_reset(s, error);
    if (status != STICTION_OK) return status;
    state_part parts[part_count];
    parts_of(s, parts);
    for (int k = 0; k < part_count; k++) {
        memcpy(parts[k].numbers, from, (size_t)parts[k].count * sizeof(double));
        from += (size_t)parts[k].count * sizeof(double);
    }
    return STICTION_OK;
}

void simulation_moved(simulation *s) {
    const mjModel *m = s->world->model;
    if (m->nuserdata) memset(s->data->userdata, 0, (size_t)m->nuserdata * sizeof(double));
    if (m->na) memset(s->data->act, 0, (size_t)m->na * sizeof(double));
    s->prepared = s->stepped = s->contacts_known = false;
}

/* ---- values of friction ---- */

static bool add_override(simulation *s, const char *name, const char *value) {
    stiction_override *all = realloc(s->overrides, (s->override_count + 1) * sizeof *all);
    if (!all) return false;
    s->overrides = all;
    char **texts = realloc(s->override_texts, 2 * (s->later_count + 1) * sizeof *texts);
    if (!texts) return false;
    s->override_texts = texts;
    char *own_name = stiction_text_copy(name), *own_value = stiction_text_copy(value);
    if (!own_name || !own_value) {
        free(own_name);
        free(own_value);
        return false;
    }
    texts[2 * s->later_count] = own_name;
    texts[2 * s->later_count++ + 1] = own_value;
    all[s->override_count++] = (stiction_override){own_name, own_value};
    return true;
}

static void drop_last_override(simulation *s) {
    s->override_count--;
    s->later_count--;
    free(s->override_texts[2 * s->later_count]);
    free(s->override_texts[2 * s->later_count + 1]);
}

/* A record that has not begun is one of the new friction. */
static stiction_status describe_anew(simulation *s, stiction_error *error) {
    const bool fine =
        s->stepped ? results_warn(s->results, "parameters of friction were changed during the "
                                              "run: those of its start are given")
                   : simulation_make_results(s);
    s->recording = s->recording && fine;
    return fine ? STICTION_OK : stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
}

stiction_status simulation_override(simulation *s, const char *name, const char *value,
                                    stiction_error *error) {
    /* one that is there already gets the new value, so that thousands of changes cost no memory */
    const size_t given = s->override_count - s->later_count;
    for (size_t k = given; k < s->override_count; k++) {
        if (strcmp(s->overrides[k].key, name) != 0) continue;
        char *copy = stiction_text_copy(value), *before = s->override_texts[2 * (k - given) + 1];
        if (!copy) return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
        s->overrides[k].value = s->override_texts[2 * (k - given) + 1] = copy;
        const stiction_status status = simulation_make_friction(s, error);
        if (status != STICTION_OK)
            s->overrides[k].value = s->override_texts[2 * (k - given) + 1] = before;
        free(status == STICTION_OK ? before : copy);
        return status == STICTION_OK ? describe_anew(s, error) : status;
    }
    if (!add_override(s, name, value))
        return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
    const stiction_status status = simulation_make_friction(s, error);
    if (status == STICTION_OK) return describe_anew(s, error);
    drop_last_override(s);
    return status;
}
