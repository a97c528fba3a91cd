/* What collecting a run and writing it share. */
#ifndef STICTION_RESULTS_INTERNAL_H
#define STICTION_RESULTS_INTERNAL_H

#include "results.h"

struct results {
    results_def def; /* its texts are those below */
    char **names, **channels, **overrides, **warnings;
    size_t warning_count;
    char *project, *simulator, *engine, *engine_version, *friction_source, *coupling;
    double energy_gained; /* of all bodies, J; NaN: not known */
    stiction_joint_def *friction;
    bool *prismatic;
    push *pushes;
    joint_record *records;
    double *rows; /* time, then columns of each joint */
    size_t row_count, row_capacity, row_size;
    size_t samples;
    double last_time, next_row; /* s */
    bool interrupted;
    bool incomplete; /* something of it is lost for want of memory: it is not written */
    results_controller *controllers; /* their texts are copies */
    size_t controller_count;
};

#endif
