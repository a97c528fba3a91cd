/* SPDX-License-Identifier: MIT
 * Making a controller, checking what it asks for and what it commands, and calling it so that its
 * crash is an error.
 */
#define _GNU_SOURCE /* dlinfo */
#include "controller_host.h"

#include <dlfcn.h>
#include <float.h>
#include <link.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller_source.h"
#include "controllers/notes/note_list.h"
#include "crash_guard.h"
#include "document/c_locale.h"
#include "document/fail.h"
#include "document/shown.h"
#include "document/text.h"

/* After structs that a controller writes: one of a later version may have more fields. */
enum { room_for_later = 256 };

typedef struct padded_needs {
    stiction_controller_needs of;
    char later[room_for_later];
} padded_needs;

typedef struct padded_output {
    stiction_controller_output of;
    char later[room_for_later];
} padded_output;

enum { most_jacobians = 10000, most_records = 10000, most_notes = 1000, name_size = 100 };

struct controller_host {
    controller_source source;
    void *self;
    bool was_made; /* create succeeded, and nothing has crashed since */
    stiction_log log;
    void *log_user;
    size_t n, dof;
    double timestep;
    double gravity[3];
    char (*names)[name_size]; /* of the joints, for messages */
    stiction_controller_needs needs;

    controller_readings readings;
    stiction_controller_input in;
    padded_output out;
    stiction_controller_output arrays; /* those of `out`, as a controller must leave them */
    double *memory;                    /* of everything that a step writes */
    double *nothing;                   /* NaN, as many */
    size_t memory_count;
    bool runs;     /* in the step that has begun */
    bool uses_pd;  /* some joint does */
    double ran_at; /* s: when it ran last, as the host counts time */
    struct {
        int *mode;
        double *torque, *position, *velocity;
    } before; /* the output of the step before the last one, which PD_INTERPOLATED starts from */
    double (*last_linear_of)[3]; /* of each link of needs.motions, in the last step */
    bool was_plain;              /* all modes of the last step were STICTION_CONTROL_TORQUE */
    bool has_started;            /* since the reset */
    double due;                  /* s: when it runs next */
    double last_time;            /* s: when it ran last */
    double last_linear[3];

    stiction_error failure; /* its crash */
    bool has_crashed_in_note;
    note_list notes;
    arena memory_of_texts;
};

/* ---- calling it ---- */

typedef enum api_function { CREATE, STEP, DESTROY, RESET, NOTE, UNLOAD } api_function;

/* A call with the arguments of all functions. */
typedef struct api_call {
    controller_host *host;
    api_function function;
    const stiction_controller_setup *setup;
    const char *untrusted;
    padded_needs *needs;
    size_t index;
    stiction_controller_note note;
    int answer;
    stiction_status status;
    stiction_error error;
} api_call;

static void enter(void *context) {
    api_call *c = context;
    controller_host *h = c->host;
    const controller_source *source = &h->source;
    switch (c->function) {
    case CREATE:
        c->status = source->create
                        ? source->create(c->setup, c->untrusted, &c->needs->of, &h->self, &c->error)
                        : source->api.create(c->setup, &c->needs->of, &h->self, &c->error);
        break;
    case STEP:
        c->status = source->api.step(h->self, &h->in, &h->out.of, &c->error);
        break;
    case DESTROY:
        source->api.destroy(h->self);
        break;
    case RESET:
        source->api.reset(h->self);
        break;
    case NOTE:
        c->answer = source->api.note(h->self, c->index, &c->note);
        break;
    case UNLOAD:
        (void)dlclose(source->handle);
        break;
    }
}

/* False: it crashed, see host->failure. No controller is called again in this process. */
static bool call(api_call *c, api_function function) {
    static const char *const names[] = {"create", "step", "destroy", "reset", "note", "unloading"};
    c->function = function;
    const int crash = crash_guard_run(enter, c);
    if (!crash) return true;
    c->host->was_made = false;
    (void)stiction_fail(&c->host->failure, STICTION_INVALID_CONFIG, "it crashed in %s: %s",
                        names[function], crash_guard_name(crash));
    return false;
}

/* An error that foreign code has filled: terminated, in one line, without control characters. */
static void clean_error(stiction_error *error, stiction_status status) {
    error->status = status;
    error->message[sizeof error->message - 1] = '\0';
    error->path[sizeof error->path - 1] = '\0';
    stiction_show_in_place(error->message, sizeof error->message);
    stiction_show_in_place(error->path, sizeof error->path);
    if (!error->message[0])
        (void)snprintf(error->message, sizeof error->message, "it failed without a reason");
}

/* ---- making ---- */

static stiction_status out_of_memory(stiction_error *error) {
    return stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory for a controller");
}

static stiction_status refuse(stiction_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static stiction_status refuse(stiction_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const stiction_status status = stiction_fail_list(
        error, STICTION_INVALID_CONFIG, (stiction_place){NULL, 0, 0}, format, arguments);
    va_end(arguments);
    return status;
}

static stiction_status take_jacobians(controller_host *h, const stiction_controller_needs *asked,
                                      size_t link_count, stiction_error *error) {
    if (!asked->jacobian_count) return STICTION_OK;
    if (asked->jacobian_count > most_jacobians || !asked->jacobians)
        return refuse(error, "it asks for %zu Jacobians%s; at most %d are possible",
                      asked->jacobian_count, asked->jacobians ? "" : " without naming links",
                      most_jacobians);
    size_t *links = stiction_arena_take(&h->memory_of_texts, asked->jacobian_count * sizeof *links);
    if (!links) return out_of_memory(error);
    for (size_t k = 0; k < asked->jacobian_count; k++) {
        links[k] = asked->jacobians[k];
        if (links[k] >= link_count)
            return refuse(error, "it asks for the Jacobian of link %zu; the body has %zu, from 0",
                          links[k], link_count);
    }
    h->needs.jacobians = links;
    return STICTION_OK;
}

static stiction_status take_motions(controller_host *h, const stiction_controller_needs *asked,
                                    size_t link_count, stiction_error *error) {
    if (!asked->motion_count) return STICTION_OK;
    if (asked->motion_count > most_jacobians || !asked->motions)
        return refuse(error, "it asks for the motions of %zu links%s; at most %d are possible",
                      asked->motion_count, asked->motions ? "" : " without their numbers",
                      most_jacobians);
    size_t *links = stiction_arena_take(&h->memory_of_texts, asked->motion_count * sizeof *links);
    if (!links) return out_of_memory(error);
    for (size_t k = 0; k < asked->motion_count; k++) {
        links[k] = asked->motions[k];
        if (links[k] >= link_count)
            return refuse(error, "it asks for the motion of link %zu; the body has %zu, from 0",
                          links[k], link_count);
    }
    h->needs.motions = links;
    return STICTION_OK;
}

/* Where the simulation starts: the project's start where the controller has none. */
static stiction_status take_start(controller_host *h, const stiction_controller_needs *asked,
                                  const stiction_controller_setup *setup, stiction_error *error) {
    enum { base_numbers = 7 };
    const double *joints = asked->start_joints, *base = asked->start_base;
    double *own = stiction_arena_take(&h->memory_of_texts, (h->n + base_numbers) * sizeof *own);
    if (!own) return out_of_memory(error);
    for (size_t k = 0; joints && k < h->n; k++) {
        own[k] = joints[k];
        if (isinf(own[k]))
            return refuse(error, "joint '%s': its start position is %g, not finite", h->names[k],
                          own[k]);
    }
    if (joints) h->needs.start_joints = own;
    if (!base) return STICTION_OK;
    if (!setup->floating) return refuse(error, "it gives a start pose of the base, which is fixed");
    double length = 0;
    for (int k = 0; k < base_numbers; k++) {
        if (!isfinite(base[k]))
            return refuse(error, "number %d of the start pose of the base is not finite", k);
        if (k >= 3) length += base[k] * base[k];
    }
    if (!(length > 0)) return refuse(error, "the quaternion of the start pose of the base is 0");
    for (int k = 0; k < base_numbers; k++)
        own[h->n + (size_t)k] = base[k] / (k < 3 ? 1 : sqrt(length));
    h->needs.start_base = own + h->n;
    return STICTION_OK;
}

static stiction_status take_records(controller_host *h, const stiction_controller_needs *asked,
                                    stiction_error *error) {
    if (!asked->record_count) return STICTION_OK;
    if (asked->record_count > most_records || !asked->records)
        return refuse(error, "it asks for %zu records%s; at most %d are possible",
                      asked->record_count, asked->records ? "" : " without their names",
                      most_records);
    const char **names =
        stiction_arena_take(&h->memory_of_texts, asked->record_count * sizeof *names);
    if (!names) return out_of_memory(error);
    for (size_t k = 0; k < asked->record_count; k++) {
        const char *name = asked->records[k];
        if (!name || !*name) return refuse(error, "its record %zu has no name", k);
        const char *copy = stiction_shown_text(&h->memory_of_texts, name);
        if (!copy) return out_of_memory(error);
        for (size_t other = 0; other < k; other++)
            if (strcmp(names[other], copy) == 0)
                return refuse(error, "two of its records are called '%.100s'", copy);
        names[k] = copy;
    }
    h->needs.records = names;
    return STICTION_OK;
}

static stiction_status take_needs(controller_host *h, const stiction_controller_needs *asked,
                                  const stiction_controller_setup *setup, stiction_error *error) {
    if (!isfinite(asked->control_period) || asked->control_period < 0)
        return refuse(error, "its control_period %g must be finite and at least 0 s",
                      asked->control_period);
    h->needs = *asked;
    h->needs.size = sizeof h->needs;
    h->needs.jacobians = NULL;
    h->needs.records = NULL;
    h->needs.motions = NULL;
    h->needs.start_joints = h->needs.start_base = NULL;
    stiction_status status = take_jacobians(h, asked, setup->link_count, error);
    if (status == STICTION_OK) status = take_motions(h, asked, setup->link_count, error);
    if (status == STICTION_OK) status = take_start(h, asked, setup, error);
    return status == STICTION_OK ? take_records(h, asked, error) : status;
}

/* The arrays of a step. */

typedef struct part {
    double **array;
    size_t count;
} part;

static size_t cut(double *block, const part *parts, size_t count) {
    size_t used = 0;
    for (size_t k = 0; k < count; k++) {
        if (block) *parts[k].array = parts[k].count ? block + used : NULL;
        used += parts[k].count;
    }
    return used;
}

/* What only some controllers ask for. */
static bool make_motions(controller_host *h, size_t other_count) {
    arena *a = &h->memory_of_texts;
    controller_readings *r = &h->readings;
    const size_t motions = h->needs.motion_count;
    if (motions) {
        r->motions = stiction_arena_take(a, motions * sizeof *r->motions);
        h->last_linear_of = stiction_arena_take(a, motions * sizeof *h->last_linear_of);
    }
    if (h->needs.others && other_count)
        r->others = stiction_arena_take(a, other_count * sizeof *r->others);
    return (!motions || (r->motions && h->last_linear_of)) &&
           (!h->needs.others || !other_count || r->others);
}

static bool make_arrays(controller_host *h, size_t link_count) {
    const size_t n = h->n, dof = h->dof;
    const stiction_controller_needs *needs = &h->needs;
    controller_readings *r = &h->readings;
    stiction_controller_output *out = &h->out.of;
    double *jacobians = NULL;
    const part of_output[] = {
        {&out->torque, n},
        {&out->position, n},
        {&out->velocity, n},
        {&out->kp, n},
        {&out->kd, n},
        {&out->target, n},
        {&out->records, needs->record_count},
    };
    const part of_input[] = {
        {&h->before.torque, n},
        {&h->before.position, n},
        {&h->before.velocity, n},
        {&r->q, n},
        {&r->dq, n},
        {&r->effort, n},
        {&r->target, n},
        {&r->mass_matrix, needs->mass_matrix ? dof * dof : 0},
        {&r->bias, needs->bias ? dof : 0},
        {&jacobians, 6 * dof * needs->jacobian_count},
    };
    const size_t outputs = sizeof of_output / sizeof of_output[0],
                 inputs = sizeof of_input / sizeof of_input[0];
    h->memory_count = cut(NULL, of_output, outputs);
    arena *a = &h->memory_of_texts;
    h->memory = stiction_arena_take(a, (h->memory_count + 1) * sizeof *h->memory);
    h->nothing = stiction_arena_take(a, (h->memory_count + 1) * sizeof *h->nothing);
    double *block = stiction_arena_take(a, (cut(NULL, of_input, inputs) + 1) * sizeof *block);
    double **list = stiction_arena_take(a, (needs->jacobian_count + 1) * sizeof *list);
    out->mode = stiction_arena_take(a, (n + 1) * sizeof *out->mode);
    h->before.mode = stiction_arena_take(a, (n + 1) * sizeof *out->mode);
    if (needs->contacts)
        r->contacts = stiction_arena_take(a, (link_count + 1) * sizeof *r->contacts);
    const bool has_states = needs->link_states && needs->jacobian_count;
    if (has_states)
        r->link_states = stiction_arena_take(a, needs->jacobian_count * sizeof *r->link_states);
    if (!h->memory || !h->nothing || !block || !list || !out->mode || !h->before.mode ||
        (needs->contacts && !r->contacts) || (has_states && !r->link_states))
        return false;
    (void)cut(h->memory, of_output, outputs);
    for (size_t k = 0; k < h->memory_count; k++) h->nothing[k] = (double)NAN;
    (void)cut(block, of_input, inputs);
    for (size_t k = 0; k < needs->jacobian_count; k++) list[k] = jacobians + 6 * dof * k;
    r->jacobians = needs->jacobian_count ? list : NULL;
    r->rotation[0] = 1;
    return true;
}

static void connect_arrays(controller_host *h) {
    const controller_readings *r = &h->readings;
    h->in = (stiction_controller_input){
        .size = sizeof h->in,
        .joint_count = h->n,
        .dof = h->dof,
        .q = r->q,
        .dq = r->dq,
        .effort = r->effort,
        .target = r->target,
        .mass_matrix = r->mass_matrix,
        .bias = r->bias,
        .jacobians = (const double *const *)r->jacobians,
        .contacts = r->contacts,
        .link_states = r->link_states,
        .motions = r->motions,
        .others = r->others,
    };
    h->out.of.size = sizeof h->out.of;
    h->out.of.joint_count = h->n;
}

static bool copy_setup(controller_host *h, const stiction_controller_setup *setup) {
    h->log = setup->log;
    h->log_user = setup->log_user;
    h->n = setup->joint_count;
    h->dof = setup->joint_count + (setup->floating ? 6 : 0);
    h->timestep = setup->timestep;
    memcpy(h->gravity, setup->gravity, sizeof h->gravity);
    h->names = stiction_arena_take(&h->memory_of_texts, (h->n + 1) * sizeof *h->names);
    for (size_t k = 0; h->names && k < h->n; k++)
        (void)snprintf(h->names[k], name_size, "%s", setup->joints[k].name);
    return h->names;
}

static void forget(controller_host *h);

static stiction_status make(controller_host *h, const controller_host_def *def,
                            stiction_error *error) {
    if (!copy_setup(h, &def->setup)) return out_of_memory(error);
    const stiction_status found =
        controller_source_find(def, &h->memory_of_texts, &h->source, error);
    if (found != STICTION_OK) return found;
    stiction_controller_setup setup = def->setup;
    setup.size = sizeof setup;
    setup.options = h->source.options;
    if (!setup.directory) setup.directory = "";
    if (!setup.robot_file) setup.robot_file = "";
    padded_needs asked = {.of = {.size = sizeof asked.of}};
    api_call c = {.host = h, .setup = &setup, .untrusted = def->untrusted, .needs = &asked};
    if (!call(&c, CREATE)) {
        if (error) *error = h->failure;
        return STICTION_INVALID_CONFIG;
    }
    if (c.status != STICTION_OK) {
        clean_error(&c.error, c.status);
        if (error) *error = c.error;
        return c.status;
    }
    h->was_made = true;
    const stiction_status status = take_needs(h, &asked.of, &def->setup, error);
    if (status != STICTION_OK) return status;
    if (!make_arrays(h, def->setup.link_count) || !make_motions(h, def->setup.other_count))
        return out_of_memory(error);
    connect_arrays(h);
    forget(h);
    h->arrays = h->out.of;
    return STICTION_OK;
}

controller_host *controller_host_create(const controller_host_def *def, stiction_error *error) {
    controller_host *h = calloc(1, sizeof *h);
    if (!h) {
        (void)out_of_memory(error);
        return NULL;
    }
    if (crash_guard_has_crashed()) {
        (void)refuse(error,
                     "a controller crashed earlier in this process, which must end: start it "
                     "again");
        free(h);
        return NULL;
    }
    const c_locale locale = c_locale_enter();
    const stiction_status status = make(h, def, error);
    c_locale_leave(locale);
    if (status == STICTION_OK) {
        (void)stiction_succeed(error);
        return h;
    }
    controller_host_destroy(h);
    return NULL;
}

/* Whether a library is linked to stay, as one does whose threads outlive its controllers. */
static bool stays_loaded(void *handle) {
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return false;
    for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_FLAGS_1) return (entry->d_un.d_val & DF_1_NODELETE) != 0;
    return false;
}

void controller_host_destroy(controller_host *h) {
    if (!h) return;
    api_call c = {.host = h};
    /* code that has crashed stays loaded: it may hold locks, and its threads may still run */
    const bool is_sound = !crash_guard_has_crashed();
    bool whole = is_sound;
    if (whole && h->was_made) whole = call(&c, DESTROY);
    const bool idles =
        whole && h->source.handle && controller_source_count_threads() <= h->source.threads;
    if (idles) whole = call(&c, UNLOAD);
    if (whole && h->source.handle && !idles && h->log && !stays_loaded(h->source.handle))
        h->log(h->log_user, STICTION_LOG_WARNING,
               "its threads still run after destroy: it stays loaded");
    if (is_sound && !whole && h->log) h->log(h->log_user, STICTION_LOG_WARNING, h->failure.message);
    note_list_clear(&h->notes);
    stiction_arena_free(&h->memory_of_texts);
    free(h);
}

/* ---- a step ---- */

/* As before the first step. */
static void forget(controller_host *h) {
    h->has_started = h->runs = h->uses_pd = false;
    h->due = 0;
    h->out.of.finished = 0;
    for (size_t k = 0; k < h->memory_count; k++) h->memory[k] = (double)NAN;
    memset(h->out.of.mode, 0, h->n * sizeof *h->out.of.mode);
    memset(h->readings.effort, 0, h->n * sizeof(double));
    for (size_t k = 0; k < h->needs.motion_count; k++)
        h->readings.motions[k] = (stiction_controller_link_motion){.rotation = {1}};
    for (size_t k = 0; k < h->n; k++) h->readings.target[k] = (double)NAN;
}

void controller_host_reset(controller_host *h) {
    api_call c = {.host = h};
    forget(h);
    if (h->was_made && h->source.api.reset) (void)call(&c, RESET);
}

const stiction_controller_needs *controller_host_needs(const controller_host *h) {
    return &h->needs;
}

controller_readings *controller_host_readings(controller_host *h) {
    return &h->readings;
}

bool controller_host_begin(controller_host *h, double time) {
    const double period = h->needs.control_period;
    h->in.time = time;
    h->runs = !(period > 0) || !h->has_started || !(time < h->due - 0.5 * h->timestep);
    if (h->runs && period > 0) {
        /* from when it was due, so that a period that is no whole number of steps is kept on
         * average */
        const bool is_late = !h->has_started || time > h->due + period;
        h->due = (is_late ? time : h->due) + period;
    }
    return h->runs;
}

/* From the world's axes into those of a quaternion. */
static void rotate_back(const double q[4], const double v[3], double result[3]) {
    const double w = q[0], x = -q[1], y = -q[2], z = -q[3];
    const double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]),
                 tz = 2 * (x * v[1] - y * v[0]);
    result[0] = v[0] + w * tx + y * tz - z * ty;
    result[1] = v[1] + w * ty + z * tx - x * tz;
    result[2] = v[2] + w * tz + x * ty - y * tx;
}

/* What is felt on the base. */
static void fill_base(controller_host *h) {
    const controller_readings *r = &h->readings;
    stiction_controller_input *in = &h->in;
    const double passed = in->time - h->last_time;
    in->contact_count = r->contact_count;
    for (size_t m = 0; m < h->needs.motion_count; m++) {
        stiction_controller_link_motion *motion = &r->motions[m];
        double *last = h->last_linear_of[m];
        for (int k = 0; k < 3; k++) {
            motion->acceleration[k] =
                h->has_started && passed > 0 ? (motion->linear[k] - last[k]) / passed : 0;
            last[k] = motion->linear[k];
        }
    }
    h->last_time = in->time;
    /* a base that is fixed feels what it felt in the first step */
    if (h->has_started && h->dof == h->n) return;
    memcpy(in->position, r->position, sizeof in->position);
    memcpy(in->rotation, r->rotation, sizeof in->rotation);
    memcpy(in->linear, r->linear, sizeof in->linear);
    memcpy(in->angular, r->angular, sizeof in->angular);
    double felt[3];
    for (int k = 0; k < 3; k++) {
        felt[k] = -h->gravity[k];
        if (h->has_started && passed > 0) felt[k] += (r->linear[k] - h->last_linear[k]) / passed;
        h->last_linear[k] = r->linear[k];
    }
    rotate_back(r->rotation, r->angular, in->gyro);
    rotate_back(r->rotation, felt, in->accelerometer);
}

static stiction_status refuse_number(const controller_host *h, size_t joint, const char *what,
                                     double value, stiction_error *error) {
    if (isnan(value))
        return refuse(error, "joint '%s': its %s at %g s is not given, or NaN", h->names[joint],
                      what, h->in.time);
    return refuse(error, "joint '%s': its %s at %g s is %g, not finite", h->names[joint], what,
                  h->in.time, value);
}

/* Numbers that must be there in mode PD, and those that are 0 where they are not. */
static stiction_status check_pd(controller_host *h, size_t joint, stiction_error *error) {
    stiction_controller_output *out = &h->out.of;
    const struct {
        const char *name;
        double *value;
        bool optional;
    } numbers[] = {
        {"position", &out->position[joint], false},
        {"kp", &out->kp[joint], false},
        {"kd", &out->kd[joint], false},
        {"velocity", &out->velocity[joint], true},
        {"torque", &out->torque[joint], true},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        if (numbers[k].optional && isnan(*numbers[k].value)) *numbers[k].value = 0;
        if (!isfinite(*numbers[k].value))
            return refuse_number(h, joint, numbers[k].name, *numbers[k].value, error);
    }
    if (h->before.mode[joint] != STICTION_CONTROL_PD_INTERPOLATED) {
        h->before.torque[joint] = out->torque[joint];
        h->before.position[joint] = out->position[joint];
        h->before.velocity[joint] = out->velocity[joint];
    }
    h->uses_pd = true;
    return STICTION_OK;
}

static bool is_pd(int mode) {
    return mode == STICTION_CONTROL_PD || mode == STICTION_CONTROL_PD_INTERPOLATED;
}

/* Hands the torques on; whether all joints have some, as it is in most steps. */
static bool take_torques(const stiction_controller_output *out, size_t n, double *torque) {
    int odd = 0;
    for (size_t k = 0; k < n; k++) {
        torque[k] = out->torque[k];
        odd |= out->mode[k] | !(fabs(torque[k]) <= DBL_MAX);
    }
    return !odd;
}

static stiction_status check_output(controller_host *h, double *torque, stiction_error *error) {
    const stiction_controller_output *out = &h->out.of;
    h->uses_pd = false;
    h->was_plain = take_torques(out, h->n, torque);
    if (h->was_plain) return STICTION_OK;
    for (size_t k = 0; k < h->n; k++) {
        stiction_status status = STICTION_OK;
        if (is_pd(out->mode[k]))
            status = check_pd(h, k, error);
        else if (out->mode[k] != STICTION_CONTROL_TORQUE)
            status =
                refuse(error,
                       "joint '%s': its mode at %g s is %d; there are 0 (torque), 1 (PD) and 2 "
                       "(interpolated PD)",
                       h->names[k], h->in.time, out->mode[k]);
        else if (!isfinite(out->torque[k]))
            status = refuse_number(h, k, "torque", out->torque[k], error);
        if (status != STICTION_OK) return status;
    }
    return STICTION_OK;
}

/* The arrays are the host's; a controller writes into them. */
static stiction_status check_arrays(controller_host *h, stiction_error *error) {
    const stiction_controller_output *now = &h->out.of, *own = &h->arrays;
    if (now->torque == own->torque && now->mode == own->mode && now->position == own->position &&
        now->velocity == own->velocity && now->kp == own->kp && now->kd == own->kd &&
        now->target == own->target && now->records == own->records)
        return STICTION_OK;
    h->out.of = *own;
    return refuse(error, "it replaced an array of its output at %g s; it must write into it",
                  h->in.time);
}

/* Of the last step, before the next one. */
static void keep_output(controller_host *h) {
    const stiction_controller_output *out = &h->out.of;
    memcpy(h->before.mode, out->mode, h->n * sizeof *out->mode);
    memcpy(h->before.torque, out->torque, h->n * sizeof *out->torque);
    memcpy(h->before.position, out->position, h->n * sizeof *out->position);
    memcpy(h->before.velocity, out->velocity, h->n * sizeof *out->velocity);
    h->ran_at = h->in.time;
}

/* The controller itself. */
static stiction_status run_controller(controller_host *h, double *torque, stiction_error *error) {
    api_call c;
    c.host = h;
    c.error.message[0] = c.error.path[0] = '\0';
    c.error.line = c.error.column = 0;
    keep_output(h);
    memcpy(h->memory, h->nothing, h->memory_count * sizeof *h->memory);
    if (!h->was_plain) memset(h->out.of.mode, 0, h->n * sizeof *h->out.of.mode);
    fill_base(h);
    if (!call(&c, STEP)) {
        stiction_error crash = h->failure;
        return refuse(error, "%s, at %g s", crash.message, h->in.time);
    }
    h->has_started = true;
    const stiction_status arrays = check_arrays(h, error);
    if (arrays != STICTION_OK) return arrays;
    if (c.status != STICTION_OK) {
        clean_error(&c.error, c.status);
        if (!error) return c.status;
        *error = c.error;
        (void)stiction_fail_at(error, c.status,
                               (stiction_place){c.error.path, c.error.line, c.error.column},
                               "at %g s: %s", h->in.time, c.error.message);
        return c.status;
    }
    return check_output(h, torque, error);
}

/* How much of the controller's period has passed at the end of this step of the simulation. */
static double passed_share(const controller_host *h) {
    const double period = h->needs.control_period;
    return period > 0 ? (h->in.time - h->ran_at + h->timestep) / period : 1;
}

static stiction_status add_pd(const controller_host *h, double *torque, stiction_error *error) {
    const stiction_controller_output *out = &h->out.of;
    const controller_readings *r = &h->readings;
    const double share = passed_share(h);
    for (size_t k = 0; k < h->n; k++) {
        if (!is_pd(out->mode[k])) continue;
        double base = out->torque[k], position = out->position[k], velocity = out->velocity[k];
        if (out->mode[k] == STICTION_CONTROL_PD_INTERPOLATED && share < 1) {
            base += (1 - share) * (h->before.torque[k] - base);
            position += (1 - share) * (h->before.position[k] - position);
            velocity += (1 - share) * (h->before.velocity[k] - velocity);
        }
        torque[k] = base + out->kp[k] * (position - r->q[k]) + out->kd[k] * (velocity - r->dq[k]);
        if (!isfinite(torque[k])) return refuse_number(h, k, "torque of PD", torque[k], error);
    }
    return STICTION_OK;
}

stiction_status controller_host_finish(controller_host *h, double *torque, stiction_error *error) {
    stiction_status status = STICTION_OK;
    if (!h->was_made) {
        if (error) *error = h->failure;
        return STICTION_INVALID_CONFIG;
    }
    if (h->runs)
        status = run_controller(h, torque, error);
    else
        memcpy(torque, h->out.of.torque, h->n * sizeof *torque);
    if (status != STICTION_OK) return status;
    return h->uses_pd ? add_pd(h, torque, error) : STICTION_OK;
}

const double *controller_host_targets(const controller_host *h) {
    return h->out.of.target;
}

const double *controller_host_records(const controller_host *h) {
    return h->out.of.records;
}

bool controller_host_finished(const controller_host *h) {
    return h->out.of.finished != 0;
}

/* ---- reading ---- */

/* Without control characters. False: out of memory. */
static bool add_note(controller_host *h, const stiction_controller_note *note) {
    const char *key = stiction_shown_text(&h->notes.memory, note->key), *text = NULL;
    if (note->text) text = stiction_shown_text(&h->notes.memory, note->text);
    if (key && text)
        note_list_text(&h->notes, key, "%s", text);
    else if (key && !note->text)
        note_list_number(&h->notes, key, note->value);
    return key && !text == !note->text;
}

const stiction_controller_note *controller_host_notes(controller_host *h, size_t *count) {
    api_call c = {.host = h};
    bool more = h->was_made && h->source.api.note;
    note_list_clear(&h->notes);
    for (c.index = 0; more && c.index < most_notes; c.index++) {
        c.note = (stiction_controller_note){NULL, NULL, 0};
        c.answer = 0;
        h->has_crashed_in_note = !call(&c, NOTE);
        more = !h->has_crashed_in_note && c.answer && c.note.key && *c.note.key &&
               add_note(h, &c.note);
    }
    if (h->has_crashed_in_note)
        (void)add_note(h, &(stiction_controller_note){"warning", h->failure.message, 0});
    *count = h->notes.count;
    return h->notes.notes;
}

bool controller_host_has_crashed(void) {
    return crash_guard_has_crashed();
}

const char *controller_host_library(const controller_host *h) {
    return h->source.library;
}

bool controller_host_is_built_in(const controller_host *h) {
    return h->source.is_built_in;
}

const char *controller_host_stem(const controller_host *h) {
    return h->source.stem;
}

const char *controller_host_options(const controller_host *h) {
    return h->source.shown_options;
}
