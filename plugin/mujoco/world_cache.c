/* SPDX-License-Identifier: MIT
 * Worlds that are kept. A world depends on its path, its options and its files; all of the options
 * are compared, since any of them may matter to MuJoCo's compiler.
 */
#include "world_cache.h"

#include <stdlib.h>
#include <string.h>

#include "document/text.h"
#include "mujoco_compile/fence.h"

/* Limits of the cache: worlds, and bytes of models. Beyond them the world that was not used for
 * the longest time is removed. */
enum { most_worlds = 32 };
static const size_t most_bytes = (size_t)256 << 20;

/* A warning of the reading, repeated with every use. */
typedef struct kept_message {
    stiction_log_level level;
    char *text;
} kept_message;

typedef struct kept_world {
    char *path;
    world_options options; /* its texts are copies */
    world *world;
    mjModel *as_new; /* an unchanged copy: a simulation may change that of the world */
    file_notes notes;
    kept_message *messages;
    size_t message_count;
    bool lost_message, in_use;
    size_t used; /* when, by the clock of the cache */
} kept_world;

struct world_cache {
    kept_world *list[most_worlds];
    size_t count, clock;
    size_t made, again;
};

world_cache *world_cache_create(void) {
    return calloc(1, sizeof(world_cache));
}

/* ---- one of them ---- */

static void free_options(world_options *o) {
    free((char *)o->simulator);
    free((char *)o->posture);
}

static void destroy(kept_world *k) {
    if (!k) return;
    if (k->as_new) mj_deleteModel(k->as_new);
    world_destroy(k->world);
    for (size_t i = 0; i < k->message_count; i++) free(k->messages[i].text);
    free(k->messages);
    stiction_file_notes_free(&k->notes);
    free_options(&k->options);
    free(k->path);
    free(k);
}

/* Copies the texts; false: no memory. */
static bool copy_options(world_options *to, const world_options *from) {
    *to = *from;
    to->simulator = from->simulator ? stiction_text_copy(from->simulator) : NULL;
    to->posture = from->posture ? stiction_text_copy(from->posture) : NULL;
    return !to->simulator == !from->simulator && !to->posture == !from->posture;
}

static bool is_same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* By their bits: NaN stands for the project's value. */
static bool is_same_number(const double *a, const double *b, size_t count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool is_same(const world_options *a, const world_options *b) {
    return is_same_text(a->simulator, b->simulator) &&
           is_same_number(&a->timestep, &b->timestep, 1) &&
           is_same_number(&a->duration, &b->duration, 1) &&
           is_same_number(a->gravity, b->gravity, 3) && a->integrator == b->integrator &&
           a->memory_per_joint == b->memory_per_joint && a->floor == b->floor &&
           a->base == b->base && is_same_text(a->posture, b->posture) &&
           a->untrusted == b->untrusted;
}

/* ---- warnings ---- */

typedef struct listener {
    kept_world *kept;
    stiction_log log; /* NULL: none */
    void *user;
} listener;

static void keep_message(void *user, stiction_log_level level, const char *message) {
    const listener *l = user;
    kept_world *k = l->kept;
    kept_message *longer = realloc(k->messages, (k->message_count + 1) * sizeof *longer);
    if (longer) k->messages = longer;
    char *text = longer ? stiction_text_copy(message) : NULL;
    if (text) k->messages[k->message_count++] = (kept_message){level, text};
    k->lost_message = k->lost_message || !text;
    if (l->log) l->log(l->user, level, message);
}

/* ---- taking ---- */

static void drop(world_cache *c, size_t index) {
    destroy(c->list[index]);
    c->list[index] = c->list[--c->count];
}

static size_t bytes_of(const world_cache *c) {
    size_t bytes = 0;
    for (size_t k = 0; k < c->count; k++) bytes += 2 * (size_t)c->list[k]->as_new->nbuffer;
    return bytes;
}

/* Makes room for another world; false: all are in use. */
static bool make_room(world_cache *c, size_t bytes) {
    while (c->count == most_worlds || (c->count && bytes_of(c) + bytes > most_bytes)) {
        size_t oldest = c->count;
        for (size_t k = 0; k < c->count; k++)
            if (!c->list[k]->in_use &&
                (oldest == c->count || c->list[k]->used < c->list[oldest]->used))
                oldest = k;
        if (oldest == c->count) return false;
        drop(c, oldest);
    }
    return bytes <= most_bytes;
}

/* For engine_run. */
static void copy_model(void *context) {
    kept_world *k = context;
    k->as_new = mj_copyModel(NULL, k->world->model);
}

static void renew_model(void *context) {
    const kept_world *k = context;
    (void)mj_copyModel(k->world->model, k->as_new);
}

/* Makes one. NULL: see *error. */
static kept_world *make(const char *path, const world_options *o, stiction_error *error) {
    kept_world *k = calloc(1, sizeof *k);
    if (k) k->path = stiction_text_copy(path);
    if (!k || !k->path || !copy_options(&k->options, o)) {
        (void)stiction_fail(error, STICTION_OUT_OF_MEMORY, "out of memory");
        destroy(k);
        return NULL;
    }
    listener l = {k, o->log, o->log_user};
    world_options own = *o;
    own.log = keep_message;
    own.log_user = &l;
    own.notes = &k->notes;
    k->world = world_load(path, &own, error);
    if (k->world) return k;
    destroy(k);
    return NULL;
}

/* Returns the world even if it cannot be kept. */
static world *keep(world_cache *c, kept_world *k) {
    world *w = k->world;
    char message[ENGINE_MESSAGE];
    const bool known = stiction_file_notes_hold(&k->notes) && !k->lost_message;
    if (known && engine_run(copy_model, k, NULL, NULL, message) && k->as_new &&
        make_room(c, 2 * (size_t)k->as_new->nbuffer)) {
        k->in_use = true;
        k->used = ++c->clock;
        c->list[c->count++] = k;
        return w;
    }
    k->world = NULL;
    destroy(k);
    return w;
}

/* A kept world that is still valid, or NULL. */
static world *find(world_cache *c, const char *path, const world_options *o) {
    char message[ENGINE_MESSAGE];
    for (size_t i = 0; i < c->count; i++) {
        kept_world *k = c->list[i];
        if (k->in_use || strcmp(k->path, path) != 0 || !is_same(&k->options, o)) continue;
        if (!stiction_file_notes_hold(&k->notes) ||
            !engine_run(renew_model, k, NULL, NULL, message)) {
            drop(c, i);
            return NULL;
        }
        for (size_t n = 0; o->log && n < k->message_count; n++)
            o->log(o->log_user, k->messages[n].level, k->messages[n].text);
        k->in_use = true;
        k->used = ++c->clock;
        return k->world;
    }
    return NULL;
}

world *world_cache_take(world_cache *c, const char *path, const world_options *options,
                        stiction_error *error) {
    world *w = find(c, path, options);
    c->again += w != NULL;
    if (w) return w;
    kept_world *made = make(path, options, error);
    c->made += made != NULL;
    return made ? keep(c, made) : NULL;
}

void world_cache_return(world_cache *c, world *w) {
    for (size_t k = 0; k < c->count; k++)
        if (c->list[k]->world == w) {
            c->list[k]->in_use = false;
            return;
        }
    world_destroy(w);
}

void world_cache_count(const world_cache *c, size_t *made, size_t *again) {
    *made = c->made;
    *again = c->again;
}

void world_cache_destroy(world_cache *c) {
    if (!c) return;
    while (c->count) drop(c, 0);
    free(c);
}
