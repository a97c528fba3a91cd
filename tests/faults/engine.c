/* SPDX-License-Identifier: MIT
 * The engine: a project with its robot, friction and controller loaded, run, saved, restored and
 * written. What MuJoCo has in hand when it finds no memory is lost.
 * usage: faults_engine PROJECT.cnoid
 */
#include "stiction/engine.h"
#include "in_turn.h"

static const char *project;

static void run(walk *w) {
    stiction_engine_def def = stiction_engine_def_default();
    stiction_engine *engine = NULL;
    char *buffer = NULL;
    bool fine = went(w, "engine_create", stiction_engine_create(project, &def, &engine, &w->error));
    const size_t size = fine ? stiction_engine_state_size(engine) : 0;
    fine = fine && made(w, "malloc", buffer = malloc(size)) &&
           went(w, "run", stiction_engine_run(engine, 0.005, &w->error)) &&
           went(w, "save", stiction_engine_save(engine, buffer, size, &w->error)) &&
           went(w, "step", stiction_engine_step(engine, NULL, &w->error)) &&
           went(w, "restore", stiction_engine_restore(engine, buffer, size, &w->error)) &&
           went(w, "run", stiction_engine_run(engine, 0.01, &w->error)) &&
           went(w, "reset", stiction_engine_reset(engine, &w->error)) &&
           went(w, "run", stiction_engine_run(engine, 0.005, &w->error));
    if (fine) w->result = stiction_engine_q(engine)[0];
    free(buffer);
    stiction_engine_destroy(engine);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    project = argv[1];
    const in_turn all = {
        .name = "the engine", .go = run, .first = 300, .then = 1200, .others_leak = true};
    return try_in_turn(&all, false) + try_in_turn(&all, true) != 0;
}
