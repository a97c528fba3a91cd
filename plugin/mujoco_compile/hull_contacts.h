/* SPDX-License-Identifier: MIT
 * Contacts of convex hulls on planes and on the faces of boxes. MuJoCo takes the deepest vertex and
 * some of its neighbours, or points that it finds by iteration: on a flat sole, differences of less
 * than a micrometre decide which, so they are others in each step and a robot never comes to rest.
 * Here, all vertices below the surface touch, or those of them that are far out.
 */
#ifndef STICTION_MUJOCO_HULL_CONTACTS_H
#define STICTION_MUJOCO_HULL_CONTACTS_H

/* The name of a model with these contacts; all others keep MuJoCo's. */
#define HULL_CONTACTS_MODEL "stiction.world"

/* At most so many for two shapes. */
enum { HULL_CONTACTS_MOST = 8 };

/* MuJoCo's table of collision functions is global: changes and restores it. Not for concurrent
 * calls. */
void hull_contacts_begin(void);
void hull_contacts_end(void);

#endif
