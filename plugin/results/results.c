/* SPDX-License-Identifier: MIT
 * Collecting a run: each joint's figures are kept up to date with every sample.
 */
#include "results.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/reader.h"
#include "results_internal.h"

/* NULL stands for "". */
static const char *copy_text(reader *m, const char *text) {
    return stiction_reader_text(m, text ? text : "");
}

static void *copy_array(reader *m, const void *items, size_t count, size_t size) {
    void *copy = stiction_reader_alloc(m, count * size);
    if (items) memcpy(copy, items, count * size);
    return copy;
}

static const char *const *copy_texts(reader *m, const char *const *texts, size_t count) {
    const char **copies = stiction_reader_alloc(m, count * sizeof *copies);
    for (size_t k = 0; k < count; k++) copies[k] = copy_text(m, texts[k]);
    return copies;
}

/* SIZE_MAX: there is no such channel. */
static size_t find_channel(const results *r, const char *name) {
    for (size_t k = 0; k < r->def.channel_count; k++)
        if (strcmp(r->def.channels[k], name) == 0) return k;
    return SIZE_MAX;
}

/* Finds the channels in which controllers record their friction compensation. */
static void find_compensation(reader *m, results *r) {
    r->compensation_channels =
        stiction_reader_alloc(m, r->def.count * sizeof *r->compensation_channels);
    for (size_t k = 0; k < r->def.count; k++) {
        char name[600];
        (void)snprintf(name, sizeof name, "controller.%.500s.compensation", r->def.names[k]);
        r->compensation_channels[k] = find_channel(r, name);
        if (r->compensation_channels[k] != SIZE_MAX && !r->compensation)
            r->compensation = stiction_reader_alloc(m, r->def.count * sizeof *r->compensation);
    }
}

/* ---- bodies: their samples, with what controllers record of them ---- */

/* Of controllers, in the order of recorded_body.channels. */
static const char *const asked[] = {"com_error_x", "com_error_y", "com_error_z", "com_asked_x",
                                    "com_asked_y", "com_asked_z", "cop_x",       "cop_y"};
enum { asked_count = sizeof asked / sizeof asked[0] };

/* "controller.NAME", or "controller.BODY.NAME" if several have joints. */
static size_t find_body_channel(const results *r, const char *body, const char *name) {
    char alone[100], own[400];
    (void)snprintf(alone, sizeof alone, "controller.%s", name);
    (void)snprintf(own, sizeof own, "controller.%.250s.%s", body, name);
    const size_t first = find_channel(r, alone), second = find_channel(r, own);
    return first < second ? first : second;
}

static void make_bodies(reader *m, results *r, const results_def *def) {
    r->bodies = stiction_reader_alloc(m, def->body_count * sizeof *r->bodies);
    for (size_t k = 0; k < def->body_count; k++) {
        recorded_body *b = &r->bodies[k];
        const results_body *of = &def->bodies[k];
        b->name = copy_text(m, of->name);
        b->record = body_record_create(of->mass, of->link_count, def->timestep);
        if (!b->record) stiction_reader_no_memory(m);
        for (size_t i = 0; i < asked_count; i++)
            b->channels[i] = find_body_channel(r, of->name, asked[i]);
    }
}

static bool add_bodies(results *r, const results_sample *s) {
    for (size_t k = 0; s->bodies && k < r->def.body_count; k++) {
        const recorded_body *b = &r->bodies[k];
        body_sample sample = s->bodies[k];
        double *const wanted[asked_count] = {
            &sample.com_error[0], &sample.com_error[1], &sample.com_error[2], &sample.com_asked[0],
            &sample.com_asked[1], &sample.com_asked[2], &sample.cop_asked[0], &sample.cop_asked[1]};
        for (size_t i = 0; i < asked_count; i++)
            *wanted[i] = b->channels[i] == SIZE_MAX ? (double)NAN : s->channels[b->channels[i]];
        if (!body_record_add(b->record, s->time, &sample)) return false;
    }
    return true;
}

/* NaN: its controller does not record it. */
static double gain_of(const results *r, const char *body) {
    for (size_t k = 0; k < r->controller_count; k++) {
        const results_controller *c = &r->controllers[k];
        for (size_t i = 0; strcmp(c->body, body) == 0 && i < c->note_count; i++)
            if (!c->notes[i].text && strcmp(c->notes[i].key, "com_kp") == 0)
                return c->notes[i].value;
    }
    return (double)NAN;
}

static void find_pulls(results *r) {
    for (size_t k = 0; k < r->def.body_count; k++)
        for (size_t i = 0; i < r->def.push_count; i++) {
            const push *p = &r->def.pushes[i];
            if (!isinf(p->duration) || strcmp(p->body, r->bodies[k].name) != 0) continue;
            body_record_set_pull(r->bodies[k].record, p,
                                 isnan(p->kp) ? gain_of(r, p->body) : p->kp);
            break;
        }
}

/* ---- a run ---- */

static void finish(void *memory) {
    results *r = memory;
    stiction_arena_free(&r->controller_memory);
    for (size_t k = 0; r->bodies && k < r->def.body_count; k++)
        body_record_destroy(r->bodies[k].record);
    free(r->records);
    free(r->rows);
}

static void *make(reader *m, const void *context) {
    const results_def *def = context;
    results *r = stiction_reader_own(m, sizeof *r, finish);
    const size_t count = def->count;
    r->def = *def;
    r->def.project = copy_text(m, def->project);
    r->def.simulator = copy_text(m, def->simulator);
    r->def.engine = copy_text(m, def->engine);
    r->def.engine_version = copy_text(m, def->engine_version);
    r->def.friction_source = copy_text(m, def->friction_source ? def->friction_source : "stiction");
    r->def.coupling = copy_text(m, def->coupling ? def->coupling : "explicit");
    r->def.names = copy_texts(m, def->names, count);
    r->def.channels = copy_texts(m, def->channels, def->channel_count);
    r->def.overrides = copy_texts(m, def->overrides, def->override_count);
    r->def.prismatic = copy_array(m, def->prismatic, count, sizeof *def->prismatic);
    r->def.pushes = copy_array(m, def->pushes, def->push_count, sizeof *def->pushes);
    r->records = joint_records_create(count, def->timestep, def->friction);
    if (!r->records) stiction_reader_no_memory(m);
    make_bodies(m, r, def);
    find_compensation(m, r);
    stiction_joint_def *friction = stiction_reader_alloc(m, count * sizeof *friction);
    r->def.friction = friction;
    r->columns = stiction_reader_alloc(m, count * sizeof *r->columns);
    r->top_speeds = stiction_reader_alloc(m, count * sizeof *r->top_speeds);
    r->saturated = stiction_reader_alloc(m, count * sizeof *r->saturated);
    r->top_loads = stiction_reader_alloc(m, count * sizeof *r->top_loads);
    r->coldest = stiction_reader_alloc(m, count * sizeof *r->coldest);
    r->warmest = stiction_reader_alloc(m, count * sizeof *r->warmest);
    for (size_t k = 0; k < count; k++) r->coldest[k] = r->warmest[k] = (double)NAN;
    if (def->valid) r->def.valid = copy_array(m, def->valid, count, sizeof *def->valid);
    if (def->torque_limits)
        r->def.torque_limits = copy_array(m, def->torque_limits, count, sizeof *def->torque_limits);
    r->row_size = 1 + def->channel_count;
    for (size_t k = 0; k < count; k++) {
        friction[k] = def->friction ? def->friction[k] : stiction_joint_def_default();
        /* texts that outlive the friction */
        stiction_law_info law;
        friction[k].law = stiction_law_info_find(friction[k].law, &law) ? law.name : "none";
        for (size_t c = 0; c < JOINT_COLUMN_COUNT; c++) {
            const bool has = joint_has_columns(&friction[k], joint_columns[c].presence);
            r->columns[k] |= (unsigned)has << c;
            r->row_size += has;
        }
    }
    return r;
}

results *results_create(const results_def *def) {
    reader m = {0};
    results *r = stiction_reader_run(&m, make, def);
    if (r) r->memory = m.memory;
    return r;
}

void results_destroy(results *r) {
    if (r) stiction_arena_free(&r->memory);
}

static void read_compensation(results *r, results_sample *s) {
    for (size_t k = 0; r->compensation && k < r->def.count; k++) {
        const size_t at = r->compensation_channels[k];
        r->compensation[k] = at == SIZE_MAX ? (double)NAN : s->channels[at];
    }
    s->compensation = r->compensation;
}

bool results_has_column(const results *r, size_t joint, size_t column) {
    return r->columns[joint] >> column & 1;
}

size_t results_row_size(const results *r) {
    return r->row_size;
}

bool results_is_full(const results *r) {
    return (r->row_count + 1) * r->row_size > RESULTS_MOST_NUMBERS;
}

static double *new_row(results *r) {
    if (results_is_full(r)) return NULL;
    if (r->row_count == r->row_capacity) {
        const size_t capacity = r->row_capacity ? 2 * r->row_capacity : 1024;
        double *rows = realloc(r->rows, capacity * r->row_size * sizeof *rows);
        if (!rows) return NULL;
        r->rows = rows;
        r->row_capacity = capacity;
    }
    return r->rows + r->row_size * r->row_count++;
}

static bool add_row(results *r, const results_sample *s) {
    double *row = new_row(r);
    if (!row) return false;
    *row++ = s->time;
    for (size_t k = 0; k < r->def.count; k++) {
        double all[JOINT_COLUMN_COUNT];
        joint_columns_fill(all, s, k);
        for (size_t c = 0; c < JOINT_COLUMN_COUNT; c++)
            if (results_has_column(r, k, c)) *row++ = all[c];
    }
    for (size_t k = 0; k < r->def.channel_count; k++) row[k] = s->channels[k];
    return true;
}

bool results_add(results *r, const results_sample *s) {
    /* half a step early: times are sums of roundings */
    if (r->samples == 0) r->next_row = s->time;
    if (!isnan(r->def.interval) && s->time >= r->next_row - 0.5 * r->def.timestep) {
        if (!add_row(r, s)) return false;
        r->next_row += r->def.interval;
    }
    results_sample known = *s;
    read_compensation(r, &known);
    joint_records_add(r->records, r->def.count, &known);
    if (!add_bodies(r, s)) return false;
    health_add(r, s);
    r->last_time = s->time;
    r->samples++;
    return true;
}

bool results_warn(results *r, const char *message) {
    for (size_t k = 0; k < r->warning_count; k++)
        if (strcmp(r->warnings[k], message) == 0) return true;
    const char **longer = stiction_arena_take(&r->memory, (r->warning_count + 1) * sizeof *longer);
    const char *copy = stiction_arena_text(&r->memory, message, strlen(message));
    if (!longer || !copy) return results_lose(r);
    if (r->warning_count) memcpy(longer, r->warnings, r->warning_count * sizeof *longer);
    longer[r->warning_count++] = copy;
    r->warnings = longer;
    return true;
}

bool results_doubt(results *r, const char *message) {
    r->doubtful = true;
    return results_warn(r, message);
}

bool results_lose(results *r) {
    r->incomplete = true;
    return false;
}

const char *results_warning(const results *r, size_t index) {
    return index < r->warning_count ? r->warnings[index] : NULL;
}

bool results_stable(const results *r) {
    return health_is_stable(r);
}

void results_jump(results *r) {
    joint_records_jump(r->records, r->def.count);
    r->energy.known = false;
}

void results_set_unconverged(results *r, uint64_t steps, const char *where) {
    r->unconverged = steps;
    (void)snprintf(r->unconverged_where, sizeof r->unconverged_where, "%s", where);
}

void results_set_coupling(results *r, const char *coupling) {
    r->def.coupling = coupling;
}

size_t results_find_chatter(const results *r) {
    size_t k = 0;
    while (k < r->def.count && !joint_records_friction(r->records, k)->chatters) k++;
    return k;
}

void results_end_chatter(results *r, size_t joint) {
    joint_records_end_chatter(r->records, joint);
}

chatter results_chatter(const results *r, size_t joint) {
    return joint_records_friction(r->records, joint)->signs;
}

void results_set_chatter(results *r, size_t joint, const chatter *c) {
    joint_records_set_chatter(r->records, joint, c);
}

typedef struct controller_list {
    const results_controller *items;
    size_t count;
} controller_list;

static void *copy_controllers(reader *m, const void *context) {
    const controller_list *list = context;
    results_controller *copies = copy_array(m, list->items, list->count, sizeof *copies);
    for (size_t k = 0; k < list->count; k++) {
        results_controller *c = &copies[k];
        c->name = copy_text(m, c->name);
        c->body = copy_text(m, c->body);
        c->options = copy_text(m, c->options);
        if (c->library) c->library = copy_text(m, c->library);
        stiction_controller_note *notes = copy_array(m, c->notes, c->note_count, sizeof *notes);
        c->notes = notes;
        for (size_t i = 0; i < c->note_count; i++) {
            notes[i].key = copy_text(m, notes[i].key);
            if (notes[i].text) notes[i].text = copy_text(m, notes[i].text);
        }
    }
    return copies;
}

bool results_finish(results *r, bool complete, const results_controller *list, size_t count) {
    reader m = {0};
    stiction_arena_free(&r->controller_memory);
    r->interrupted = !complete;
    r->controllers = stiction_reader_run(&m, copy_controllers, &(controller_list){list, count});
    r->controller_count = r->controllers ? count : 0;
    r->controller_memory = m.memory;
    if (!r->controllers) return results_lose(r);
    find_pulls(r);
    return health_warn(r);
}

double results_figure(const results *r, size_t joint, const char *name) {
    const joint_figure *f = joint_figure_find(name);
    return f && joint < r->def.count ? joint_records_value(r->records, joint, f) : (double)NAN;
}
