/* SPDX-License-Identifier: MIT
 * The binary interface between Choreonoid (1.7 and later) and a body customizer, in plain C: what
 * a shared object must export and what it is given. Only the layout of these structs matters.
 */
#ifndef STICTION_CUSTOMIZER_BODY_CUSTOMIZER_H
#define STICTION_CUSTOMIZER_BODY_CUSTOMIZER_H

#include <stdbool.h>

typedef void *body_handle;
typedef void *customizer_handle;

/* What the simulator lets a customizer do with a body. There is no call for the number of links:
 * an index is only safe up to one that a name was found at. */
typedef struct body_interface {
    int version;
    int (*link_index_from_name)(body_handle body, const char *name); /* -1: no such link */
    const char *(*link_name)(body_handle body, int link);
    double *(*joint_position)(body_handle body, int link);
    double *(*joint_velocity)(body_handle body, int link);
    double *(*joint_effort)(body_handle body, int link);
} body_interface;

/* What a customizer does for the simulator; of version 2, which knows the time step. */
typedef struct body_customizer_interface {
    int version;
    const char **(*target_model_names)(void);
    customizer_handle (*create)(body_handle body, const char *model_name);
    void (*destroy)(customizer_handle customizer);
    int (*initialize_analytic_ik)(customizer_handle customizer, int base_link, int target_link);
    bool (*calculate_analytic_ik)(customizer_handle customizer, int path, const double *position,
                                  const double *rotation);
    void (*set_virtual_joint_forces)(customizer_handle customizer);
    void (*set_virtual_joint_forces_2)(customizer_handle customizer, double timestep);
} body_customizer_interface;

enum { body_customizer_version = 2 };

/* The one symbol that the simulator looks for. */
__attribute__((visibility("default"))) body_customizer_interface *
getHrpBodyCustomizerInterface(body_interface *bodies);

#endif
