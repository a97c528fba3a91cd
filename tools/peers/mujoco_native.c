/* SPDX-License-Identifier: MIT */
/* A world of MuJoCo by its library. */
#include "mujoco_native.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mjModel *load(const char *text) {
    char error[500] = "";
    mjVFS *vfs = calloc(1, sizeof *vfs);
    mj_defaultVFS(vfs);
#if mjVERSION_HEADER >= 300
    mj_addBufferVFS(vfs, "chain.xml", text, (int)strlen(text));
#else
    mj_makeEmptyFileVFS(vfs, "chain.xml", (int)strlen(text));
    memcpy(vfs->filedata[0], text, strlen(text));
#endif
    mjModel *model = mj_loadXML("chain.xml", vfs, error, sizeof error);
    mj_deleteVFS(vfs);
    free(vfs);
    if (!model) fprintf(stderr, "peers: %s\n", error);
    return model;
}

/* That a contestant diverges is one of the figures. */
static void ignore(const char *message) {
    (void)message;
}

mujoco_world *mujoco_open(const chain *c, const char *text) {
    mju_user_warning = ignore;
    mjModel *model = load(text);
    if (!model) return NULL;
    mujoco_world *world = malloc(sizeof *world);
    *world = (mujoco_world){model, mj_makeData(model), mujoco_before(c), c->count, false};
    return world;
}

void mujoco_close(mujoco_world *world) {
    mj_deleteData(world->data);
    mj_deleteModel(world->model);
    free(world);
}

void mujoco_step(mujoco_world *world, const double *torque) {
    mjData *data = world->data;
    const double time = data->time;
    memcpy(data->qfrc_applied + world->before, torque, (size_t)world->count * sizeof *torque);
    mj_step(world->model, data);
    if (!(data->time > time)) world->has_failed = true; /* MuJoCo starts again when it diverges */
}

void mujoco_read(mujoco_world *world, double *position, double *velocity) {
    const size_t size = (size_t)world->count * sizeof *position;
    memcpy(position, world->data->qpos + world->before, size);
    memcpy(velocity, world->data->qvel + world->before, size);
    for (int k = 0; k < world->count && world->has_failed; k++)
        position[k] = velocity[k] = (double)NAN;
}

void mujoco_place(mujoco_world *world, const double *position, const double *velocity) {
    const size_t size = (size_t)world->count * sizeof *position;
    mj_resetData(world->model, world->data);
    memcpy(world->data->qpos + world->before, position, size);
    memcpy(world->data->qvel + world->before, velocity, size);
    world->has_failed = false;
}

void mujoco_set_level(mujoco_world *world, double level) {
    for (int k = 0; k < world->count; k++)
        world->model->dof_frictionloss[world->before + k] = level;
}

const char *mujoco_version(void) {
    return mj_versionString();
}
