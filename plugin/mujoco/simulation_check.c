/*
 * Whether a simulation could begin, part by part. Controllers and pushes know nothing of friction
 * and friction nothing of them, but for one thing: where the coupling is auto, the gains of a
 * controller decide whether friction is implicit, which not all friction can be. So friction is
 * asked whether it could be, whatever the gains are.
 */
#include <math.h>

#include "simulation_internal.h"

/* With the texts and logs of the options, as simulation_create has it. */
static world *take_world(const char *path, const simulation_options *o, stiction_error *error) {
    world_options of_world = o->world;
    of_world.log = o->log;
    of_world.log_user = o->log_user;
    of_world.memory_per_joint = FRICTION_MEMORY;
    return o->worlds ? world_cache_take(o->worlds, path, &of_world, error)
                     : world_load(path, &of_world, error);
}

static void give_back(const simulation_options *o, world *w) {
    if (o->worlds)
        world_cache_return(o->worlds, w);
    else
        world_destroy(w);
}

static bool check_controllers(const world *w, const simulation_options *o, stiction_error *error) {
    const controllers_options of = {.options = o->controller,
                                    .option_count = o->controller_count,
                                    .specifications = o->specifications,
                                    .specification_count = o->specification_count,
                                    .targets = o->targets,
                                    .log = o->words,
                                    .log_user = o->words_user};
    controllers *made = controllers_create(w, &of, error);
    controllers_destroy(made);
    return made != NULL;
}

static bool check_pushes(const world *w, const simulation_options *o, stiction_error *error) {
    pushes *made = pushes_create(w, o->pushes, o->push_count, o->log, o->log_user, error);
    pushes_destroy(made);
    return made != NULL;
}

/* For friction_couple: then every body that may be implicit is. */
static bool is_never_safe(const void *user, size_t body) {
    (void)user, (void)body;
    return false;
}

static bool check_friction(world *w, const simulation_options *o, bool *depends,
                           stiction_error *error) {
    friction_options of = o->friction;
    of.log = o->log;
    of.log_user = o->log_user;
    friction *made = friction_create(w, &of, error);
    stiction_error why;
    of.log = NULL; /* what it would say need not come true */
    if (made && friction_couple(made, is_never_safe, NULL, &of, &why) != STICTION_OK)
        *depends = true;
    friction_destroy(made);
    return made != NULL;
}

stiction_status simulation_check(const char *path, const simulation_options *o,
                                 simulation_part part, bool *depends, stiction_error *error) {
    stiction_error own = {.status = STICTION_OUT_OF_MEMORY, .message = "out of memory"};
    *depends = false;
    world *w = take_world(path, o, &own);
    bool fine = w != NULL;
    if (fine && part == SIMULATION_CONTROLLERS) fine = check_controllers(w, o, &own);
    if (fine && part == SIMULATION_PUSHES) fine = check_pushes(w, o, &own);
    if (fine && part == SIMULATION_FRICTION) fine = check_friction(w, o, depends, &own);
    if (w) give_back(o, w);
    if (fine) return STICTION_OK;
    if (error) *error = own;
    return own.status == STICTION_OK ? STICTION_INVALID_CONFIG : own.status;
}
