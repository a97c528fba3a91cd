/* SPDX-License-Identifier: MIT */
/* A chain as MJCF. */
#include <stdio.h>

#include "mujoco_world.h"

int mujoco_before(const chain *c) {
    return c->stands ? 2 : 0;
}

int mujoco_after(const chain *c) {
    return c->weight > 0 ? 3 : 0;
}

static const char *const planar = "<joint type=\"slide\" axis=\"1 0 0\"/>"
                                  "<joint type=\"slide\" axis=\"0 1 0\"/>";

const char *mujoco_text(const chain *c, const char *option, const char *joint, const char *motor) {
    static char text[64 * 1024];
    size_t at = 0;
#define PRINT(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    PRINT("<mujoco><option timestep=\"%.17g\" gravity=\"0 %.17g 0\" %s %s><flag contact=\"%s\"/>"
          "</option><worldbody>",
          c->timestep, -c->gravity, c->stands ? "cone=\"elliptic\" impratio=\"10\"" : "", option,
          c->stands ? "enable" : "disable");
    if (c->stands)
        PRINT("<geom type=\"plane\" size=\"0 0 1\" zaxis=\"0 1 0\" pos=\"0 %.17g 0\"/>",
              -PEER_FOOT_HEIGHT / 2);
    int depth = 0, depths[PEER_MOST_LINKS];
    for (int k = 0; k < c->count; k++) {
        const int parent = peer_parent(c, k);
        for (depths[k] = parent < 0 ? 0 : depths[parent] + 1; depth > depths[k]; depth--)
            PRINT("</body>");
        depth++;
        const bool is_free = c->stands && k == 0, is_foot = c->stands && k % (c->count - 1) == 0;
        PRINT("<body name=\"L%d\" pos=\"%.17g 0 0\">%s<joint name=\"J%d\" axis=\"0 0 1\" "
              "damping=\"%.17g\" %s/><inertial pos=\"%.17g 0 0\" mass=\"%.17g\" "
              "diaginertia=\"%.17g %.17g %.17g\"/>",
              k, k ? c->length : 0, is_free ? planar : "", k, is_free ? 0 : c->viscous,
              is_free ? "" : joint, c->centre, c->mass, c->inertia, c->inertia, c->inertia);
        if (is_foot)
            PRINT("<geom type=\"box\" pos=\"%.17g 0 0\" size=\"%.17g %.17g %.17g\" "
                  "friction=\"%.17g\"/>",
                  c->length / 2, c->length / 2, PEER_FOOT_HEIGHT / 2, PEER_FOOT_WIDTH / 2,
                  PEER_FLOOR);
    }
    while (depth-- > 0) PRINT("</body>");
    if (c->weight > 0)
        PRINT("<body name=\"weight\" pos=\"%.17g 0 0\">%s<joint axis=\"0 0 1\"/><inertial "
              "pos=\"0 %.17g 0\" mass=\"%.17g\" diaginertia=\"0.1 0.1 0.1\"/></body>",
              c->count * c->length, planar, -PEER_ROPE, c->weight);
    PRINT("</worldbody>");
    if (c->weight > 0)
        PRINT("<equality><connect body1=\"L%d\" body2=\"weight\" anchor=\"%.17g 0 0\"/></equality>",
              c->count - 1, c->length);
    PRINT("<actuator>");
    for (int k = c->stands; k < c->count && *motor; k++) PRINT(motor, k);
    (void)snprintf(text + at, sizeof text - at, "</actuator></mujoco>");
#undef PRINT
    return text;
}
