/* SPDX-License-Identifier: MIT
 * Which joints of a body a configuration means, when the body can only be asked for names.
 */
#ifndef STICTION_CUSTOMIZER_JOINT_LIST_H
#define STICTION_CUSTOMIZER_JOINT_LIST_H

#include <stddef.h>

#include "body_customizer.h"
#include "stiction/stiction.h"

typedef struct joint_list {
    size_t count;
    char **names;
    int *links;
} joint_list;

/*
 * The joints of the body that entries of the configuration name or match. Names are looked up;
 * patterns made of characters, ? and [...] are spelled out and looked up; a * is matched against
 * the links up to the last one that was found by name. False: no memory.
 */
bool joint_list_find(joint_list *list, const body_interface *bodies, body_handle body,
                     const stiction_config *config);
void joint_list_free(joint_list *list);

#endif
