/* SPDX-License-Identifier: MIT
 * Arrays of the quantities of joints (stiction/quantities.h), for hosts: one entry per joint or per
 * degree of freedom, all in one block of memory.
 */
#ifndef STICTION_RESULTS_JOINT_ARRAYS_H
#define STICTION_RESULTS_JOINT_ARRAYS_H

#include <string.h>

#include "stiction/stiction.h"

STICTION_BEGIN_C

typedef struct joint_arrays {
    STICTION_JOINT_QUANTITIES(STICTION_QUANTITY_ARRAY)
} joint_arrays;

/* The same, to read. */
typedef struct joint_quantities {
    STICTION_JOINT_QUANTITIES(STICTION_QUANTITY_CONST_ARRAY)
} joint_quantities;

/* Lays the arrays out in `memory`, which is aligned for doubles and zeroed by the caller; returns
 * the bytes that they take. With NULL it only counts them. */
static inline size_t joint_arrays_place(joint_arrays *arrays, void *memory, size_t count) {
    size_t used = 0;
#define PLACE_ARRAY(type, name, unit, description)                                                 \
    if (memory) arrays->name = (type *)(void *)((char *)memory + used);                            \
    used += (count * sizeof(type) / sizeof(double) + 1) * sizeof(double);
    STICTION_JOINT_QUANTITIES(PLACE_ARRAY)
#undef PLACE_ARRAY
    return used;
}

static inline joint_quantities joint_arrays_view(const joint_arrays *arrays) {
    joint_quantities view;
#define VIEW_ARRAY(type, name, unit, description) view.name = arrays->name;
    STICTION_JOINT_QUANTITIES(VIEW_ARRAY)
#undef VIEW_ARRAY
    return view;
}

/* Copies entry `m` of `from` to entry `k` of `to`. */
static inline void joint_arrays_copy(const joint_arrays *to, size_t k, const joint_quantities *from,
                                     size_t m) {
#define COPY_ENTRY(type, name, unit, description) to->name[k] = from->name[m];
    STICTION_JOINT_QUANTITIES(COPY_ENTRY)
#undef COPY_ENTRY
}

/* The same for the levels only. */
static inline void joint_arrays_copy_levels(const joint_arrays *to, size_t k,
                                            const joint_arrays *from, size_t m) {
#define COPY_ENTRY(type, name, unit, description) to->name[k] = from->name[m];
    STICTION_JOINT_LEVELS(COPY_ENTRY)
#undef COPY_ENTRY
}

/* Sets the levels of an output, of a step or an implicit step, to the arrays from entry `first`. */
#define JOINT_ARRAYS_LEVEL(type, name, unit, description) output_->name = arrays_->name + first_;
#define JOINT_ARRAYS_WANT_LEVELS(output_type, output, arrays, first)                               \
    do {                                                                                           \
        output_type *output_ = (output);                                                           \
        const joint_arrays *arrays_ = (arrays);                                                    \
        const size_t first_ = (first);                                                             \
        STICTION_JOINT_LEVELS(JOINT_ARRAYS_LEVEL)                                                  \
    } while (0)

/* An output that writes to the arrays from entry `first` on. */
static inline stiction_output joint_arrays_output(const joint_arrays *arrays, size_t first,
                                                  bool levels) {
    stiction_output output = stiction_output_default();
    output.torque = arrays->torque + first;
    output.deflection = arrays->deflection + first;
    output.slipping = arrays->slipping + first;
    output.dissipated_energy = arrays->dissipated_energy + first;
    if (levels) JOINT_ARRAYS_WANT_LEVELS(stiction_output, &output, arrays, first);
    return output;
}

/* The same for an implicit step. */
static inline stiction_implicit_output joint_arrays_implicit_output(const joint_arrays *arrays) {
    stiction_implicit_output output = stiction_implicit_output_default();
    output.friction = arrays->torque;
    output.deflection = arrays->deflection;
    output.slipping = arrays->slipping;
    output.dissipated_energy = arrays->dissipated_energy;
    JOINT_ARRAYS_WANT_LEVELS(stiction_implicit_output, &output, arrays, 0);
    return output;
}

STICTION_END_C

#endif
