/* What collecting a run and writing it share. */
#ifndef STICTION_RESULTS_INTERNAL_H
#define STICTION_RESULTS_INTERNAL_H

#include "results.h"

/* What is known of a joint so far. */
typedef struct joint_figures {
    bool prismatic;
    double final_position, stop_time, peak_torque, final_torque, tracking_error;
    double dissipated_energy;
    double creep; /* of the last time that it stuck for long */
    double stick_slip_events;
    bool armed;         /* it has stuck since it last moved */
    bool stuck;         /* in the last sample */
    double stuck_since; /* s */
    double settled_at;  /* rad: where it was when it had stuck for settling_time */
    bool settled;
} joint_figures;

/* Values of joints.csv for every joint, behind `time`. */
enum { RESULTS_COLUMNS = 7 };

struct results {
    results_def def; /* its texts are those below */
    char **names, **overrides;
    char *project, *simulator, *engine, *engine_version, *friction_source;
    stiction_joint_def *friction;
    joint_figures *figures;
    double *rows; /* time, then columns of each joint */
    size_t row_count, row_capacity, row_size;
    size_t samples;
    double last_time, next_row; /* s */
    bool interrupted;
    char **warnings;
    size_t warning_count;
    char **controllers; /* as JSON */
    size_t controller_count;
};

/* The figures of a joint under their names in summary.json; NULL behind the last. */
const char *results_figure_name(size_t index);
double results_figure_at(const joint_figures *figures, size_t index);

void results_free_texts(char **texts, size_t count);

#endif
