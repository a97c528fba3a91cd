/* SPDX-License-Identifier: MIT
 * The customizer with every allocation failing in turn: it cannot refuse a simulation, so it says
 * that a body goes without friction, or gives all of it. usage: faults_customizer CUSTOMIZER FILE
 */
#define _GNU_SOURCE /* memfd_create */
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../plugin/customizer/body_customizer.h"
#include "in_turn.h"

enum { links = 3, steps = 5 };
static const char *const names[links] = {"A", "B1", "B2"};
static double q[links], dq[links], u[links];

static int index_of(body_handle body, const char *name) {
    (void)body;
    for (int k = 0; k < links; k++)
        if (strcmp(names[k], name) == 0) return k;
    return -1;
}
static const char *name_of(body_handle body, int link) {
    (void)body;
    return names[link];
}
static double *position(body_handle body, int link) {
    (void)body;
    return &q[link];
}
static double *velocity(body_handle body, int link) {
    (void)body;
    return &dq[link];
}
static double *effort(body_handle body, int link) {
    (void)body;
    return &u[link];
}

static body_interface simulator = {1, index_of, name_of, position, velocity, effort};
static body_customizer_interface *(*get)(body_interface *);
static const char *path;
static int said; /* what it says, in place of stderr */

/* The friction of a body that moves, from the reading of the file on. */
static void slide(walk *w) {
    if (ftruncate(said, 0) != 0) abort();
    (void)lseek(said, 0, SEEK_SET);
    (void)setenv("STICTION_CONFIG", path, 1);
    const body_customizer_interface *c = get(&simulator);
    customizer_handle handle = c->target_model_names()[0] ? c->create(NULL, "Robot") : NULL;
    for (int k = 0; k < links; k++) q[k] = u[k] = 0, dq[k] = 0.3;
    for (int n = 0; handle && n < steps; n++) {
        for (int k = 0; k < links; k++) q[k] += 0.001 * dq[k];
        c->set_virtual_joint_forces_2(handle, 0.001);
    }
    c->destroy(handle);
    (void)setenv("STICTION_CONFIG", ":", 1); /* forgets what it read */
    (void)get(&simulator);
    w->result = u[0] + u[1] + u[2];
    if (w->result != 0) return;
    (void)went(w, "friction", STICTION_OUT_OF_MEMORY);
    const ssize_t length = pread(said, w->error.message, sizeof w->error.message - 1, 0);
    w->error.message[length > 0 ? length : 0] = '\0';
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    path = argv[2];
    static const char yaml[] = "stiction: 1\nmodels: [Robot]\ncoupling: implicit\njoints:\n"
                               "  A: &a { law: coulomb, static_torque: 2, coulomb_torque: 1,\n"
                               "          stiffness: 5000, damping: 50, inertia: 1 }\n"
                               "  \"B[12]\": *a\n";
    FILE *file = fopen(path, "w");
    if (!file || fputs(yaml, file) < 0 || fclose(file) != 0) return 2;
    void *library = dlopen(argv[1], RTLD_NOW);
    void *symbol = library ? dlsym(library, "getHrpBodyCustomizerInterface") : NULL;
    if (!symbol) {
        printf("%s\n", dlerror());
        return 2;
    }
    memcpy(&get, &symbol, sizeof get);
    said = memfd_create("said", 0);
    if (said < 0 || dup2(said, STDERR_FILENO) < 0) return 2;
    const in_turn sliding = {.name = "the customizer", .go = slide, .then = -1};
    const int bad = try_in_turn(&sliding, false) + try_in_turn(&sliding, true);
    (void)dlclose(library);
    (void)remove(path);
    return bad != 0;
}
