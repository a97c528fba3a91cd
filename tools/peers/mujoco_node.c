/* SPDX-License-Identifier: MIT */
/* A world of MuJoCo in node (mujoco_node.mjs). Steps are sent when somebody reads. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mujoco_world.h"

enum { MOST_STEPS = 500 };

struct mujoco_world {
    int id, before, count, steps;
    double torque[MOST_STEPS * PEER_MOST_LINKS], state[2 * PEER_MOST_LINKS];
};

enum { VERSION, OPEN, STEP, PLACE, LEVEL, CLOSE };

static int to_node = -1, from_node = -1;

static void transfer(bool sends, void *what, size_t size) {
    for (char *at = what; size;) {
        const ssize_t done = sends ? write(to_node, at, size) : read(from_node, at, size);
        if (done <= 0) {
            fprintf(stderr, "peers: node ended; is @mujoco/mujoco in PEERS_NODE_PACKAGE?\n");
            exit(1);
        }
        at += done;
        size -= (size_t)done;
    }
}

static void start(void) {
    int out[2], in[2];
    if (to_node >= 0) return;
    if (pipe(out) || pipe(in)) abort();
    if (fork() == 0) {
        /* clear of 3 and 4 before they are taken */
        const int reads = dup2(out[0], 20), writes = dup2(in[1], 21);
        (void)dup2(reads, 3);
        (void)dup2(writes, 4);
        for (int k = 5; k < 32; k++) (void)close(k);
        (void)execlp("node", "node", PEERS_FOLDER "/mujoco_node.mjs", getenv("PEERS_NODE_PACKAGE"),
                     (char *)NULL);
        _exit(1);
    }
    (void)close(out[0]);
    (void)close(in[1]);
    to_node = out[1];
    from_node = in[0];
}

static void request(int what, const mujoco_world *world, int count) {
    int32_t head[4] = {what, world ? world->id : 0, count, world ? world->before : 0};
    start();
    transfer(true, head, sizeof head);
}

mujoco_world *mujoco_open(const chain *c, const char *text) {
    double id;
    static char copy[64 * 1024];
    (void)snprintf(copy, sizeof copy, "%s", text);
    request(OPEN, NULL, (int)strlen(copy));
    transfer(true, copy, strlen(copy));
    transfer(false, &id, sizeof id);
    if (id < 0) return NULL;
    mujoco_world *world = calloc(1, sizeof *world);
    world->id = (int)id;
    world->before = mujoco_before(c);
    world->count = c->count;
    mujoco_place(world, world->state, world->state);
    return world;
}

void mujoco_close(mujoco_world *world) {
    request(CLOSE, world, 0);
    free(world);
}

static void flush(mujoco_world *world) {
    const size_t count = (size_t)world->count;
    if (!world->steps) return;
    request(STEP, world, world->steps);
    transfer(true, world->torque, (size_t)world->steps * count * sizeof(double));
    transfer(false, world->state, 2 * count * sizeof(double));
    world->steps = 0;
}

void mujoco_step(mujoco_world *world, const double *torque) {
    const size_t count = (size_t)world->count;
    memcpy(world->torque + (size_t)world->steps++ * count, torque, count * sizeof *torque);
    if (world->steps == MOST_STEPS) flush(world);
}

void mujoco_read(mujoco_world *world, double *position, double *velocity) {
    const size_t count = (size_t)world->count;
    flush(world);
    memcpy(position, world->state, count * sizeof *position);
    memcpy(velocity, world->state + count, count * sizeof *velocity);
}

void mujoco_place(mujoco_world *world, const double *position, const double *velocity) {
    const size_t count = (size_t)world->count;
    world->steps = 0;
    if (position != world->state) {
        memcpy(world->state, position, count * sizeof *position);
        memcpy(world->state + count, velocity, count * sizeof *velocity);
    }
    request(PLACE, world, world->count);
    transfer(true, world->state, 2 * count * sizeof *world->state);
}

void mujoco_set_level(mujoco_world *world, double level) {
    flush(world);
    request(LEVEL, world, world->count);
    transfer(true, &level, sizeof level);
}

const char *mujoco_version(void) {
    static char text[60];
    double number;
    request(VERSION, NULL, 0);
    transfer(false, &number, sizeof number);
    (void)snprintf(text, sizeof text, "%d.%d.%d in WebAssembly", (int)(number / 1e6),
                   (int)fmod(number / 1e3, 1e3), (int)fmod(number, 1e3));
    return text;
}
