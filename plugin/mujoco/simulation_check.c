/* SPDX-License-Identifier: MIT
 * Whether a simulation could begin, part by part. Controllers and pushes know nothing of friction
 * and friction nothing of them, but for one thing: where the coupling is auto, the gains of a
 * controller decide whether friction is implicit, which not all friction can be. So friction is
 * asked whether it could be, whatever the gains are.
 */
#include "simulation_internal.h"

static bool check_controllers(const world *w, const simulation_options *o, stiction_error *error) {
    controllers *made = simulation_make_controllers(w, o, error);
    controllers_destroy(made);
    return made != NULL;
}

static bool check_pushes(const world *w, const simulation_options *o, stiction_error *error) {
    pushes *made = pushes_create(w, o->pushes, o->push_count, o->log, o->log_user, error);
    pushes_destroy(made);
    return made != NULL;
}

static bool check_friction(world *w, const simulation_options *o, bool *depends,
                           stiction_error *error) {
    friction_options of = o->friction;
    of.log = o->log;
    of.log_user = o->log_user;
    friction *made = friction_create(w, &of, error);
    stiction_error why;
    of.log = NULL; /* what it would say need not come true */
    if (made && friction_couple(made, NULL, NULL, &of, &why) != STICTION_OK)
        *depends = true;
    friction_destroy(made);
    return made != NULL;
}

stiction_status simulation_check(const char *path, const simulation_options *o,
                                 simulation_part part, bool *depends, stiction_error *error) {
    stiction_error own = {.status = STICTION_OUT_OF_MEMORY, .message = "out of memory"};
    *depends = false;
    world *w = simulation_take_world(path, o, &own);
    bool fine = w != NULL;
    if (fine && part == SIMULATION_CONTROLLERS) fine = check_controllers(w, o, &own);
    if (fine && part == SIMULATION_PUSHES) fine = check_pushes(w, o, &own);
    if (fine && part == SIMULATION_FRICTION) fine = check_friction(w, o, depends, &own);
    simulation_give_back(o->worlds, w);
    if (fine) return STICTION_OK;
    if (error) *error = own;
    return own.status == STICTION_OK ? STICTION_INVALID_CONFIG : own.status;
}
