/* SPDX-License-Identifier: MIT
 * Collecting a run: each joint's figures are kept up to date with every sample.
 */
#include "results.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "results_internal.h"

static char *copy(const char *text) {
    return stiction_text_copy(text ? text : "");
}

static void free_texts(char **texts, size_t count) {
    for (size_t k = 0; texts && k < count; k++) free(texts[k]);
    free(texts);
}

/* NULL if memory runs out. */
static char **copy_texts(const char *const *texts, size_t count) {
    char **copies = calloc(count + 1, sizeof *copies);
    for (size_t k = 0; copies && k < count; k++) {
        copies[k] = copy(texts[k]);
        if (copies[k]) continue;
        free_texts(copies, k);
        return NULL;
    }
    return copies;
}

/* Finds the channels in which controllers record their friction compensation. False if memory runs
 * out. */
static bool find_compensation(results *r) {
    bool any = false;
    r->compensation_channels = calloc(r->def.count + 1, sizeof *r->compensation_channels);
    for (size_t k = 0; r->compensation_channels && k < r->def.count; k++) {
        char name[600];
        (void)snprintf(name, sizeof name, "controller.%.500s.compensation", r->names[k]);
        size_t at = 0;
        while (at < r->def.channel_count && strcmp(r->channels[at], name) != 0) at++;
        r->compensation_channels[k] = at < r->def.channel_count ? at : SIZE_MAX;
        any = any || at < r->def.channel_count;
    }
    if (any) r->compensation = calloc(r->def.count + 1, sizeof *r->compensation);
    return r->compensation_channels && (!any || r->compensation);
}

/* ---- bodies: their samples, with what controllers record of them ---- */

/* Of controllers, in the order of recorded_body.channels. */
static const char *const asked[] = {"com_error_x", "com_error_y", "com_error_z", "com_asked_x",
                                    "com_asked_y", "com_asked_z", "cop_x",       "cop_y"};
enum { asked_count = sizeof asked / sizeof asked[0] };

/* "controller.NAME", or "controller.BODY.NAME" where several have joints. */
static size_t find_channel(const results *r, const char *body, const char *name) {
    char alone[100], own[400];
    (void)snprintf(alone, sizeof alone, "controller.%s", name);
    (void)snprintf(own, sizeof own, "controller.%.250s.%s", body, name);
    for (size_t k = 0; k < r->def.channel_count; k++)
        if (strcmp(r->channels[k], alone) == 0 || strcmp(r->channels[k], own) == 0) return k;
    return SIZE_MAX;
}

static bool make_bodies(results *r, const results_def *def) {
    r->bodies = calloc(def->body_count + 1, sizeof *r->bodies);
    for (size_t k = 0; r->bodies && k < def->body_count; k++) {
        recorded_body *b = &r->bodies[k];
        const results_body *of = &def->bodies[k];
        b->name = stiction_text_copy(of->name);
        b->record = body_record_create(of->mass, of->link_count, def->timestep);
        if (!b->name || !b->record) return false;
        for (size_t i = 0; i < asked_count; i++)
            b->channels[i] = find_channel(r, of->name, asked[i]);
    }
    return r->bodies;
}

static void free_bodies(results *r) {
    for (size_t k = 0; r->bodies && k < r->def.body_count; k++) {
        free(r->bodies[k].name);
        body_record_destroy(r->bodies[k].record);
    }
    free(r->bodies);
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
            const push *p = &r->pushes[i];
            if (!isinf(p->duration) || strcmp(p->body, r->bodies[k].name) != 0) continue;
            body_record_set_pull(r->bodies[k].record, p,
                                 isnan(p->kp) ? gain_of(r, p->body) : p->kp);
            break;
        }
}

/* ---- a run ---- */

results *results_create(const results_def *def) {
    results *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->def = *def;
    r->top_speeds = calloc(def->count + 1, sizeof *r->top_speeds);
    r->project = copy(def->project);
    r->simulator = copy(def->simulator);
    r->engine = copy(def->engine);
    r->engine_version = copy(def->engine_version);
    r->friction_source = copy(def->friction_source ? def->friction_source : "stiction");
    r->coupling = copy(def->coupling ? def->coupling : "explicit");
    r->names = copy_texts(def->names, def->count);
    r->channels = copy_texts(def->channels, def->channel_count);
    r->overrides = copy_texts(def->overrides, def->override_count);
    r->friction = calloc(def->count + 1, sizeof *r->friction);
    r->prismatic = calloc(def->count + 1, sizeof *r->prismatic);
    r->columns = calloc(def->count + 1, sizeof *r->columns);
    r->pushes = calloc(def->push_count + 1, sizeof *r->pushes);
    r->records = joint_records_create(def->count, def->timestep, def->friction);
    const bool complete = r->project && r->simulator && r->engine && r->engine_version &&
                          r->friction_source && r->coupling && r->names && r->channels &&
                          r->overrides && r->friction && r->prismatic && r->columns && r->records &&
                          r->top_speeds && r->pushes && make_bodies(r, def) && find_compensation(r);
    for (size_t k = 0; complete && k < def->push_count; k++) r->pushes[k] = def->pushes[k];
    for (size_t k = 0; complete && k < def->count; k++) {
        r->friction[k] = def->friction ? def->friction[k] : stiction_joint_def_default();
        /* texts that outlive the friction */
        stiction_law_info law;
        r->friction[k].law = stiction_law_info_find(r->friction[k].law, &law) ? law.name : "none";
        r->prismatic[k] = def->prismatic && def->prismatic[k];
        for (size_t c = 0; c < JOINT_COLUMN_COUNT; c++) {
            const bool has = joint_has_columns(&r->friction[k], joint_columns[c].presence);
            r->columns[k] |= (unsigned)has << c;
            r->row_size += has;
        }
    }
    r->row_size += 1 + def->channel_count;
    if (complete) return r;
    results_destroy(r);
    return NULL;
}

static void read_compensation(results *r, results_sample *s) {
    for (size_t k = 0; r->compensation && k < r->def.count; k++) {
        const size_t at = r->compensation_channels[k];
        r->compensation[k] = at == SIZE_MAX ? (double)NAN : s->channels[at];
    }
    s->compensation = r->compensation;
}

static void free_notes(results_controller *c) {
    for (size_t k = 0; c->notes && k < c->note_count; k++) {
        free((char *)c->notes[k].key);
        free((char *)c->notes[k].text);
    }
    free((void *)c->notes);
}

static bool copy_notes(results_controller *c, const results_controller *from) {
    stiction_controller_note *notes = calloc(from->note_count + 1, sizeof *notes);
    bool made = notes != NULL;
    c->notes = notes;
    for (size_t k = 0; made && k < from->note_count; k++) {
        const stiction_controller_note *note = &from->notes[k];
        notes[k].key = copy(note->key);
        notes[k].text = note->text ? copy(note->text) : NULL;
        notes[k].value = note->value;
        made = notes[k].key && !notes[k].text == !note->text;
    }
    return made;
}

static void free_controllers(results *r) {
    for (size_t k = 0; k < r->controller_count; k++) {
        free((char *)r->controllers[k].name);
        free((char *)r->controllers[k].body);
        free((char *)r->controllers[k].options);
        free((char *)r->controllers[k].library);
        free_notes(&r->controllers[k]);
    }
    free(r->controllers);
    r->controllers = NULL;
    r->controller_count = 0;
}

void results_destroy(results *r) {
    if (!r) return;
    free_texts(r->names, r->def.count);
    free_texts(r->channels, r->def.channel_count);
    free(r->compensation_channels);
    free(r->compensation);
    free_texts(r->overrides, r->def.override_count);
    free_texts(r->warnings, r->warning_count);
    free_controllers(r);
    free(r->friction);
    free(r->prismatic);
    free(r->columns);
    free(r->pushes);
    free_bodies(r);
    free(r->records);
    free(r->top_speeds);
    free(r->rows);
    free(r->project);
    free(r->simulator);
    free(r->engine);
    free(r->engine_version);
    free(r->friction_source);
    free(r->coupling);
    free(r);
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

bool results_warn(results *r, const char *sentence) {
    for (size_t k = 0; k < r->warning_count; k++)
        if (strcmp(r->warnings[k], sentence) == 0) return true;
    char **longer = realloc(r->warnings, (r->warning_count + 1) * sizeof *longer);
    if (longer) {
        r->warnings = longer;
        longer[r->warning_count] = stiction_text_copy(sentence);
    }
    if (!longer || !longer[r->warning_count]) return results_lose(r);
    r->warning_count++;
    return true;
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

void results_set_unconverged(results *r, uint64_t steps) {
    r->unconverged = steps;
}

bool results_set_coupling(results *r, const char *coupling) {
    char *name = copy(coupling);
    if (!name) return false;
    free(r->coupling);
    r->coupling = name;
    return true;
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
    return joint_records_friction(r->records, joint)->chatter;
}

void results_set_chatter(results *r, size_t joint, const chatter *c) {
    joint_records_set_chatter(r->records, joint, c);
}

bool results_finish(results *r, bool complete, const results_controller *list, size_t count) {
    free_controllers(r);
    r->interrupted = !complete;
    r->controllers = calloc(count + 1, sizeof *r->controllers);
    bool made = r->controllers != NULL;
    for (size_t k = 0; made && k < count; k++) {
        results_controller *c = &r->controllers[r->controller_count++];
        *c = list[k];
        c->name = copy(list[k].name);
        c->body = copy(list[k].body);
        c->options = copy(list[k].options);
        c->library = list[k].library ? copy(list[k].library) : NULL;
        made = copy_notes(c, &list[k]) && c->name && c->body && c->options &&
               !c->library == !list[k].library;
    }
    if (!made) {
        free_controllers(r);
        return results_lose(r);
    }
    find_pulls(r);
    return health_warn(r);
}

double results_figure(const results *r, size_t joint, const char *name) {
    const joint_figure *f = joint_figure_find(name);
    return f && joint < r->def.count ? joint_records_value(r->records, joint, f) : (double)NAN;
}

double results_body_figure(const results *r, size_t body, const char *name) {
    const joint_figure *f;
    for (size_t k = 0; body < r->def.body_count && (f = body_figure_at(k)); k++)
        if (strcmp(f->name, name) == 0) return body_record_value(r->bodies[body].record, k);
    return (double)NAN;
}
