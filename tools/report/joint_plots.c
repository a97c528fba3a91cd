/* SPDX-License-Identifier: MIT
 * The plots of one joint of a run.
 */
#include "joint_plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "plot/curve.h"
#include "reduce.h"

/* If there are more bands, or more than points, neighbouring bands are joined. */
enum { most_bands = 1000 };

/* Numbers on a page, and about how many a joint has per point; limits for points per curve. */
enum { most_numbers = 330000, numbers_a_joint = 14, most_points = 6000, least_points = 120 };
enum { numbers_of_levels = 4, numbers_of_temperature = 2, numbers_a_body = 12 };

static size_t numbers_of(const run_joint *joint) {
    size_t sum = numbers_a_joint;
    if (joint->static_level) sum += numbers_of_levels;
    if (joint->temperature) sum += numbers_of_temperature;
    return sum;
}

size_t joint_plots_points(const run_data *runs, size_t count) {
    size_t at_one_point = 0;
    for (size_t k = 0; k < count; k++) at_one_point += numbers_a_body * runs[k].body_count;
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < runs[k].joint_count; j++)
            at_one_point += numbers_of(&runs[k].joints[j]);
    const size_t most = most_numbers / (at_one_point ? at_one_point : numbers_a_joint);
    return most > most_points ? most_points : most < least_points ? least_points : most;
}

/* ---- memory ---- */

static void *keep(joint_plots *p, void *memory) {
    p->memory = reallocate(p->memory, p->memories + 1, sizeof *p->memory);
    p->memory[p->memories++] = memory;
    return memory;
}

static double *numbers(joint_plots *p, size_t count) {
    return keep(p, allocate(count + 1, sizeof(double)));
}

void joint_plots_release(joint_plots *p) {
    for (size_t k = 0; k < p->memories; k++) free(p->memory[k]);
    free(p->memory);
    *p = (joint_plots){.memory = NULL};
}

/* ---- over time ---- */

typedef struct curve_source {
    const char *label;
    const double *values;
} curve_source;

/* Whether sample k[0] equals its neighbours k[-1] and k[1] in all series. */
static bool is_within_flat(const curve_source *sources, size_t count, const size_t *k) {
    for (size_t s = 0; s < count; s++)
        if (sources[s].values[k[-1]] != sources[s].values[k[0]] ||
            sources[s].values[k[0]] != sources[s].values[k[1]])
            return false;
    return true;
}

static size_t drop_flat(const curve_source *sources, size_t count, size_t *indices, size_t kept) {
    size_t left = 0;
    AUTO_FREE size_t *copy = allocate(kept + 1, sizeof *copy);
    memcpy(copy, indices, kept * sizeof *copy);
    for (size_t k = 0; k < kept; k++)
        if (k == 0 || k + 1 == kept || !is_within_flat(sources, count, &copy[k]))
            indices[left++] = copy[k];
    return left;
}

static double *gather(joint_plots *p, const double *values, const size_t *indices, size_t count) {
    double *gathered = numbers(p, count);
    for (size_t k = 0; k < count; k++) gathered[k] = values[indices[k]];
    return gathered;
}

/* Series over the same times. */
static plot_series *time_series(joint_plots *p, const run_data *run, const curve_source *sources,
                                size_t count, size_t most) {
    AUTO_FREE const double **values = allocate(count, sizeof *values);
    for (size_t s = 0; s < count; s++) values[s] = sources[s].values;
    AUTO_FREE size_t *indices = allocate(run->sample_count + 1, sizeof *indices);
    size_t kept = reduce_series(values, count, run->sample_count, most, indices);
    p->reduced = p->reduced || kept < run->sample_count;
    kept = drop_flat(sources, count, indices, kept);
    const double *time = gather(p, run->time, indices, kept);
    plot_series *series = keep(p, allocate(count, sizeof *series));
    for (size_t s = 0; s < count; s++)
        series[s] = (plot_series){.label = sources[s].label,
                                  .x = time,
                                  .y = gather(p, sources[s].values, indices, kept),
                                  .count = kept};
    return series;
}

/* ---- stick bands ---- */

static size_t join_near(plot_band *bands, size_t count, double gap) {
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (left && bands[k].from - bands[left - 1].to <= gap)
            bands[left - 1].to = bands[k].to;
        else
            bands[left++] = bands[k];
    return left;
}

static const plot_band *stick_bands(joint_plots *p, const run_data *run, const run_joint *joint,
                                    size_t most, size_t *band_count) {
    plot_band *bands = keep(p, allocate(run->sample_count + 1, sizeof *bands));
    size_t count = 0;
    bool open = false;
    for (size_t k = 0; k < run->sample_count; k++) {
        const bool sticks = joint->stick[k] > 0;
        if (sticks && !open) bands[count++] = (plot_band){run->time[k], run->time[k]};
        if (open) bands[count - 1].to = run->time[k];
        open = sticks;
    }
    if (count && bands[count - 1].from == bands[count - 1].to) count--; /* only the last sample */
    double gap = (run->time[run->sample_count - 1] - run->time[0]) / 4000;
    for (; count > most_bands || count > most; gap *= 2) count = join_near(bands, count, gap);
    *band_count = count;
    return bands;
}

/* ---- over velocity ---- */

static double largest(const double *values, size_t count) {
    double most = 0;
    for (size_t k = 0; k < count; k++)
        if (isfinite(values[k])) most = fmax(most, fabs(values[k]));
    return most;
}

/* The law over the velocities of the run, with more points near 0, where it bends. */
static bool law_series(joint_plots *p, const run_data *run, const run_joint *joint,
                       plot_series *series) {
    enum { half = 150, count = 2 * half + 1 };
    curve c;
    if (!curve_exists(joint->friction.law)) return false;
    stiction_error error; /* without a legal law the plot shows the run alone */
    const bool fine =
        curve_make(&c, run->folder, joint->name, &joint->friction, NULL, 0, NULL, &error);
    if (fine) {
        const double reach =
            fmax(1.05 * largest(joint->velocity, run->sample_count), curve_reach(&c));
        double grid[count];
        for (int k = 0; k < count; k++) {
            const double u = (double)(k - half) / half;
            grid[k] = (reach > 0 ? reach : 1) * u * u * u;
        }
        double *x = numbers(p, count + 1), *y = numbers(p, count + 1);
        const char *label = c.law ? "law \xCE\xA6(v)" : "law, sliding steadily";
        *series = (plot_series){
            .label = label, .x = x, .y = y, .count = curve_line(&c, grid, count, x, y)};
    }
    curve_release(&c);
    return fine;
}

static plot_series *law_plot_series(joint_plots *p, const run_data *run, const run_joint *joint,
                                    size_t most, size_t *series_count) {
    plot_series *series = keep(p, allocate(2, sizeof *series));
    size_t count = law_series(p, run, joint, &series[0]) ? 1 : 0;
    /* a curve rarely passes more than 4 n cells of a grid of n by n */
    const size_t cells = most / 4 < 40 ? 40 : most / 4 > 400 ? 400 : most / 4;
    AUTO_FREE size_t *indices = allocate(run->sample_count + 1, sizeof *indices);
    const size_t kept =
        reduce_cloud(joint->velocity, joint->friction_torque, run->sample_count, cells, indices);
    series[count++] = (plot_series){.label = "run",
                                    .x = gather(p, joint->velocity, indices, kept),
                                    .y = gather(p, joint->friction_torque, indices, kept),
                                    .count = kept,
                                    .points = true};
    *series_count = count;
    return series;
}

/* ---- all of them ---- */

/* Quantities that are computed from the series of a joint. */
static double error_at(const run_joint *j, size_t k) {
    return j->target[k] - j->position[k];
}
static double power_at(const run_joint *j, size_t k) {
    return j->friction_torque[k] * j->velocity[k];
}
static double friction_size_at(const run_joint *j, size_t k) {
    return fabs(j->friction_torque[k]);
}

#define OF(name) (&joint_columns[joint_column_##name])
/* Plots over time. One without its first column has no curve; other columns may be missing. */
static const struct {
    joint_plot plot;
    const char *title, *y_label; /* of a revolute joint; "torque" and units become "force" and N */
    const char *unit;
    struct {
        const char *label;
        const joint_column *column;                    /* that is drawn, or that */
        double (*value)(const run_joint *j, size_t k); /* reads */
    } curves[3];
} time_plots[] = {
    {JOINT_POSITION,
     "Position",
     "position",
     "rad",
     {{"position", OF(position), NULL}, {"target", OF(target), NULL}}},
    {JOINT_VELOCITY, "Velocity", "velocity", "rad/s", {{"velocity", OF(velocity), NULL}}},
    {JOINT_TORQUE,
     "Torque",
     "torque",
     "N m",
     {{"command", OF(command), NULL}, {"friction", OF(friction_torque), NULL}}},
    {JOINT_ERROR, "Tracking error", "error", "rad", {{"error", OF(target), error_at}}},
    {JOINT_POWER,
     "Friction power",
     "friction power",
     "W",
     {{"power", OF(friction_torque), power_at}}},
    {JOINT_LEVEL,
     "Friction level",
     "friction level",
     "N m",
     {{"static level", OF(static_level), NULL},
      {"Coulomb level", OF(coulomb_level), NULL},
      {"|friction|", OF(friction_torque), friction_size_at}}},
    {JOINT_TEMPERATURE,
     "Friction temperature",
     "temperature",
     "\xC2\xB0"
     "C",
     {{"temperature", OF(temperature), NULL}}},
};
#undef OF

static const double *computed(joint_plots *p, const run_data *run, const run_joint *joint,
                              double value(const run_joint *j, size_t k)) {
    double *values = numbers(p, run->sample_count);
    for (size_t k = 0; k < run->sample_count; k++) values[k] = value(joint, k);
    return values;
}

static void make_time_plot(joint_plots *p, const run_data *run, const run_joint *joint, size_t row,
                           size_t most) {
    curve_source sources[3];
    size_t count = 0;
    for (size_t k = 0; k < 3 && time_plots[row].curves[k].label; k++) {
        const double *series = run_data_series(joint, time_plots[row].curves[k].column);
        if (!series && k == 0) return;
        if (series && time_plots[row].curves[k].value)
            series = computed(p, run, joint, time_plots[row].curves[k].value);
        if (series) sources[count++] = (curve_source){time_plots[row].curves[k].label, series};
    }
    const bool force = joint->prismatic && time_plots[row].plot == JOINT_TORQUE;
    const char *unit = time_plots[row].unit;
    p->plots[time_plots[row].plot] =
        (plot){.title = keep(
                   p, format_text("%s, %s", force ? "Force" : time_plots[row].title, joint->name)),
               .x_label = "time (s)",
               .y_label = keep(p, format_text("%s (%s)", force ? "force" : time_plots[row].y_label,
                                              joint->prismatic ? joint_linear_unit(unit) : unit)),
               .series = time_series(p, run, sources, count, most),
               .count = count};
}

void joint_plots_make(joint_plots *p, const run_data *run, const run_joint *joint, size_t most) {
    const bool linear = joint->prismatic;
    *p = (joint_plots){.memory = NULL};
    size_t band_count;
    const plot_band *bands = stick_bands(p, run, joint, most, &band_count);
    for (size_t row = 0; row < sizeof time_plots / sizeof time_plots[0]; row++) {
        make_time_plot(p, run, joint, row, most);
        plot *made = &p->plots[time_plots[row].plot];
        made->bands = bands;
        made->band_count = band_count;
        made->band_label = "sticks";
    }
    plot *law = &p->plots[JOINT_LAW];
    const char *quantity = linear ? "force" : "torque";
    *law = (plot){.title =
                      keep(p, format_text("Friction %s over velocity, %s", quantity, joint->name)),
                  .x_label = linear ? "velocity (m/s)" : "velocity (rad/s)",
                  .y_label = linear ? "friction force (N)" : "friction torque (N m)"};
    law->series = law_plot_series(p, run, joint, most, &law->count);
}

/* ---- floating robots ---- */

static void make_body_plot(joint_plots *p, const run_data *run, const char *title, const char *y,
                           const curve_source *sources, size_t count, int which, size_t most) {
    for (size_t k = 0; k < count; k++)
        if (!sources[k].values) return;
    p->plots[which] = (plot){.title = keep(p, copy_text(title)),
                             .x_label = "time (s)",
                             .y_label = y,
                             .series = time_series(p, run, sources, count, most),
                             .count = count};
}

/* From the first value; NULL: missing. */
static const double *from_start(joint_plots *p, const run_data *run, const double *values) {
    double *moved = values ? numbers(p, run->sample_count) : NULL;
    for (size_t k = 0; moved && k < run->sample_count; k++) moved[k] = values[k] - values[0];
    return moved;
}

void body_plots_make(joint_plots *p, const run_data *run, size_t body, size_t most) {
    const double *const *of = run->body_series[body].columns;
    const double *x = of[RUN_BODY_base_qx], *y = of[RUN_BODY_base_qy];
    *p = (joint_plots){.memory = NULL};
    const curve_source com[] = {{"x", from_start(p, run, of[RUN_BODY_com_x])},
                                {"y", from_start(p, run, of[RUN_BODY_com_y])},
                                {"z", from_start(p, run, of[RUN_BODY_com_z])}};
    const curve_source cop[] = {{"CoP x", of[RUN_BODY_cop_x]},
                                {"CoP y", of[RUN_BODY_cop_y]},
                                {"CoM x", of[RUN_BODY_com_x]},
                                {"CoM y", of[RUN_BODY_com_y]}};
    double *tilt = x && y ? numbers(p, run->sample_count) : NULL;
    for (size_t k = 0; tilt && k < run->sample_count; k++) {
        const double sine = fmin(1, sqrt(x[k] * x[k] + y[k] * y[k])); /* of half the angle */
        tilt[k] = 2 * asin(sine) * 180 / 3.14159265358979323846;
    }
    make_body_plot(p, run, "Centre of mass (CoM), from its start", "position (m)", com, 3, BODY_COM,
                   most);
    make_body_plot(p, run, "Centre of pressure (CoP) and centre of mass",
                   "position on the floor (m)", cop, 4, BODY_COP, most);
    make_body_plot(p, run, "Tilt of the base", "tilt (\xC2\xB0)", &(curve_source){"tilt", tilt}, 1,
                   BODY_TILT, most);
}

char *joint_friction_text(const run_joint *joint) {
    stiction_law_info law;
    char *text = copy_text(joint->friction.law);
    if (!stiction_law_info_find(joint->friction.law, &law)) return text;
    stiction_parameter_info info;
    const char *separator = ": ";
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        const double value = stiction_joint_def_value(&joint->friction, k);
        if (!(law.parameters >> k & 1) || isnan(value) || stiction_parameter_is_neutral(k, value))
            continue;
        const bool pure = strcmp(info.unit, "1") == 0;
        const char *unit = pure ? "" : joint->prismatic ? joint_linear_unit(info.unit) : info.unit;
        append_text(&text, "%s%s %.6g%s%s", separator, info.symbol, value, *unit ? " " : "", unit);
        separator = ", ";
    }
    stiction_list_info list;
    const double *numbers_of_list;
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const size_t count = stiction_joint_def_list(&joint->friction, k, &numbers_of_list);
        if (!count) continue;
        append_text(&text, "%s%s", separator, list.symbol);
        for (size_t n = 0; n < count; n++)
            append_text(&text, "%s %.6g", n ? "," : "", numbers_of_list[n]);
        append_text(&text, " %s", joint->prismatic ? joint_linear_unit(list.unit) : list.unit);
    }
    return text;
}
