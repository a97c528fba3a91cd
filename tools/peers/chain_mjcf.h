/* SPDX-License-Identifier: MIT
 * A chain as MJCF, for the contestants that are hosted in MuJoCo.
 */
#ifndef STICTION_PEERS_CHAIN_MJCF_H
#define STICTION_PEERS_CHAIN_MJCF_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

/* `option`: attributes of <option>; `joint`: attributes of each joint. */
static inline mjModel *chain_compile(const chain *c, const char *option, const char *joint) {
    static char text[64 * 1024];
    char error[500] = "";
    size_t at = 0;
#define PRINT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    PRINT("<mujoco><option timestep=\"%.17g\" gravity=\"0 %.17g 0\" %s><flag contact=\"disable\"/>"
          "</option><worldbody>",
          c->timestep, -c->gravity, option);
    for (int k = 0; k < c->count; k++)
        PRINT("<body pos=\"%.17g 0 0\"><joint axis=\"0 0 1\" damping=\"%.17g\" %s/>"
              "<inertial pos=\"%.17g 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>",
              k ? c->length : 0, c->viscous, joint, c->centre, c->mass, c->inertia, c->inertia,
              c->inertia);
    for (int k = 0; k < c->count; k++) PRINT("</body>");
    PRINT("</worldbody></mujoco>");
#undef PRINT
    mjVFS *vfs = (mjVFS *)calloc(1, sizeof *vfs);
    mj_defaultVFS(vfs);
#if mjVERSION_HEADER >= 300
    mj_addBufferVFS(vfs, "chain.xml", text, (int)at);
#else
    mj_makeEmptyFileVFS(vfs, "chain.xml", (int)at);
    memcpy(vfs->filedata[0], text, at);
#endif
    mjModel *model = mj_loadXML("chain.xml", vfs, error, sizeof error);
    mj_deleteVFS(vfs);
    free(vfs);
    if (!model) fprintf(stderr, "peers: %s\n", error);
    return model;
}

#endif
