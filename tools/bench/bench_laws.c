/* SPDX-License-Identifier: MIT
 * stiction bench, part laws: what a step of a joint costs, and what alternatives cost;
 * all in one race. The bars are ratios to what the same processor does with the same caches and
 * vectors: a look-up table (T), a copy (C), a power of two with a root and a division (the floor);
 * E, one exp of libm, is there to be read. A missed bar is only reported.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "joint_models/fast/variant.h"
#include "stiction/models/lambert_w.h"

/* What rows are measured in. */
typedef enum reference { OF_E, OF_T, OF_C, OF_FLOOR, OF_BATCH_CALL, REFERENCE_COUNT } reference;
static const char *const reference_names[REFERENCE_COUNT] = {"E", "T", "C", "floors",
                                                             "batch calls"};

/* The most that a figure may be, and what would be better; 0: there is no bar. */
typedef struct bar {
    double must, stretch;
    double stretch_wide; /* the stretch with AVX-512; 0: the same */
    reference of;        /* of rows that are timed */
    size_t pair;         /* which compares them, once there is one */
} bar;

enum { most_bars = 2 };

typedef struct row {
    const char *name;
    size_t joints; /* that one call steps; 0: it is no call */
    bar bars[most_bars];
    bench_runner *runner;     /* NULL where the row is a figure */
    const bench_runner *copy; /* as large as this batch; NULL: as the others */
    double figure;            /* of figures */
    bool more_is_better;
} row;

enum { most_rows = 48, most_things = 48 };

/* All that races, and what it steps. */
typedef struct contest {
    const bench_request *request;
    size_t l2, last; /* bytes of the second and of the last cache */
    bench_runner runners[most_rows];
    size_t runner_count;
    row rows[most_rows];
    size_t row_count;
    bench_batch *batches[most_things];
    size_t batch_count;
    bench_robots *robots[most_things];
    size_t robot_count;
    bench_calls *calls[most_things];
    size_t call_count;
    bench_copy copies[2];
    size_t copy_count;
    bench_table *table;
    bench_floor *floor;
    bench_runner *references[REFERENCE_COUNT], *shifted_E;
    bench_pair pairs[most_bars * most_rows];
    size_t pair_count;
} contest;

/* ---- how large ---- */

static void look_at_caches(contest *c) {
    const bench_caches caches = bench_find_caches();
    c->l2 = caches.second;
    c->last = caches.last;
    if (c->request->quick) c->l2 = c->last = 64 << 10;
}

/* Of a joint, in a batch step: velocity, deflection and torque; and where it has its own, the
 * numbers of its law. */
enum { shared_bytes = 3 * sizeof(double), own_bytes = shared_bytes + sizeof(stiction_element_c) };

/* As many as take half of the second cache, in whole dozens of blocks. Of a larger part not all
 * seem to find room in some processes; the row of three quarters is there to show it. */
static size_t joints_in_l2(const contest *c, size_t bytes) {
    enum { dozen = 12 * STICTION_FAST_BLOCK };
    const size_t joints = c->l2 / 2 / bytes / dozen * dozen;
    return joints ? joints : dozen;
}

/* As many as take ten times the last cache, or what a quarter of the memory has room for: there is
 * a copy of as many bytes, too. */
static size_t joints_beyond_caches(const contest *c) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const size_t wanted = 10 * (c->last / shared_bytes);
    const size_t most =
        pages > 0 && page > 0 ? (size_t)pages / (8 * shared_bytes) * (size_t)page : wanted;
    return wanted < most ? wanted : most;
}

/* ---- what races ---- */

static row *add_row(contest *c, row r) {
    c->rows[c->row_count] = r;
    return &c->rows[c->row_count++];
}

static bench_runner *add_runner(contest *c, void (*run)(void *), void *context, size_t steps) {
    bench_runner *r = &c->runners[c->runner_count++];
    *r = (bench_runner){.run = run, .context = context, .steps = steps};
    return r;
}

static row *add_batch(contest *c, const char *name, bench_batch_def def) {
    bench_batch *b = c->batches[c->batch_count++] = bench_batch_create(&def);
    bench_runner *runner = add_runner(c, bench_batch_run, b, b->size);
    return add_row(c, (row){.name = name, .joints = b->size, .runner = runner});
}

static bench_robots *add_robots(contest *c, const char *name, bar b, char law, size_t joints) {
    bench_robots *r = c->robots[c->robot_count++] = bench_robots_create(law, joints);
    bench_runner *runner =
        add_runner(c, bench_robots_run, r, bench_robot_count * bench_swing_steps * joints);
    (void)add_row(c, (row){.name = name, .joints = joints, .bars = {b}, .runner = runner});
    return r;
}

/* The step of the law alone, of the first joint of each robot. */
static void add_law(contest *c, const char *name, bench_robots *robots) {
    bench_runner *runner =
        add_runner(c, bench_robots_run_law, robots, bench_robot_count * bench_swing_steps);
    (void)add_row(c, (row){.name = name, .joints = 1, .runner = runner});
}

static bench_runner *add_calls(contest *c, const char *name, bench_function function,
                               double (*argument)(size_t k)) {
    if (!function) {
        (void)add_row(c, (row){.name = name, .figure = (double)NAN});
        return NULL;
    }
    bench_calls *calls = c->calls[c->call_count++] = allocate(1, sizeof *calls);
    bench_runner *runner = &c->runners[c->runner_count++];
    *runner = bench_calls_of(calls, function, argument);
    (void)add_row(c, (row){.name = name, .joints = 1, .runner = runner});
    return runner;
}

static bench_runner *add_copy(contest *c, const char *name, size_t joints) {
    bench_copy *copy = &c->copies[c->copy_count++];
    copy->joints = joints;
    copy->from = bench_array(joints);
    for (size_t k = 0; k < 2; k++) copy->to[k] = bench_array(joints);
    bench_runner *runner = add_runner(c, bench_copy_run, copy, joints);
    return add_row(c, (row){.name = name, .joints = joints, .runner = runner})->runner;
}

/* ---- the rows ---- */

/* The batches, which are the first rows. */
/* clang-format off */
enum {
    STRIBECK, THREE_QUARTERS, ALL_STICK, STRIBECK_OWN, LARGE, RATIONAL, COULOMB, RATIONAL_OWN,
    COULOMB_OWN, MIXED, MIXED_OWN, BY_ENVIRONMENT, ONE_THREAD, TWO_THREADS, BATCH_ROWS
};
/* clang-format on */

static void add_batches(contest *c) {
    const size_t shared = joints_in_l2(c, shared_bytes), own = joints_in_l2(c, own_bytes);
    const size_t many = c->request->quick ? 2 * shared : 1000000;
    const size_t large = joints_beyond_caches(c);
    /* clang-format off */
    const struct {
        const char *name;
        bench_batch_def def;
        bar bars[most_bars];
    } rows[BATCH_ROWS] = {
        [STRIBECK] = {.name = "batch, Stribeck exact", .def = {.laws = "s", .environments = shared},
                      .bars = {{2, 1.75, .stretch_wide = 1.5, .of = OF_T},
                               {1.6, 1.3, .of = OF_FLOOR}}},
        [THREE_QUARTERS] = {.name = "batch, 3/4 of the second cache, Stribeck",
                            .def = {.laws = "s", .environments = shared / 2 * 3}},
        [ALL_STICK] = {.name = "batch, Stribeck exact, all stick",
                       .def = {.laws = "s", .environments = shared, .all_stick = true}},
        [STRIBECK_OWN] = {.name = "batch, own constants, Stribeck",
                          .def = {.laws = "s", .environments = own, .own_constants = true}},
        [LARGE] = {.name = "batch, 10 x last cache, Stribeck",
                   .def = {.laws = "s", .environments = large}, .bars = {{2.2, 1.7, .of = OF_C}}},
        [RATIONAL] = {.name = "batch, rational", .def = {.laws = "r", .environments = shared},
                      .bars = {{1.25, 1, .stretch_wide = 0.8, .of = OF_T}}},
        [COULOMB] = {.name = "batch, Coulomb-viscous", .def = {.laws = "c", .environments = shared},
                     .bars = {{1.6, 1.1, .of = OF_C}}},
        [RATIONAL_OWN] = {.name = "batch, own constants, rational",
                          .def = {.laws = "r", .environments = own, .own_constants = true}},
        [COULOMB_OWN] = {.name = "batch, own constants, Coulomb-viscous",
                         .def = {.laws = "c", .environments = own, .own_constants = true}},
        [MIXED] = {.name = "batch, a law a joint of 12",
                   .def = {.laws = "src", .joints = 12, .environments = shared / 12}},
        [MIXED_OWN] = {.name = "batch, one robot, laws in turns",
                       .def = {.laws = "src", .joints = own, .environments = 1}},
        [BY_ENVIRONMENT] = {.name = "batch, environment by environment",
                            .def = {.laws = "s", .joints = 12, .environments = shared / 12,
                                    .environment_major = true}},
        [ONE_THREAD] = {.name = "batch for two threads, one thread",
                        .def = {.laws = "s", .environments = many}},
        [TWO_THREADS] = {.name = "batch for two threads, two threads",
                         .def = {.laws = "s", .environments = many, .threads = 2}},
    };
    /* clang-format on */
    for (size_t k = 0; k < BATCH_ROWS; k++)
        memcpy(add_batch(c, rows[k].name, rows[k].def)->bars, rows[k].bars, sizeof rows[k].bars);
}

static void add_single_calls(contest *c) {
    static const bar none = {0}, by_state = {1.75, 0, .of = OF_BATCH_CALL};
    static const struct {
        const char *name, *by_state;
        char law;
    } laws[] = {
        {"one joint, Stribeck", "one joint, Stribeck, stiction_step", 's'},
        {"one joint, rational", "one joint, rational, stiction_step", 'r'},
        {"one joint, Coulomb-viscous", "one joint, Coulomb-viscous, stiction_step", 'c'},
    };
    row *r = add_batch(c, "12 joints, stiction_step_batch",
                       (bench_batch_def){.laws = "s", .joints = 12, .environments = 1});
    r->bars[0] = (bar){3.2, 2.7, .of = OF_T};
    c->references[OF_BATCH_CALL] = r->runner;
    (void)add_robots(c, "12 joints, stiction_step", by_state, 's', 12);
    for (size_t k = 0; k < 3; k++) {
        bench_robots *robots = add_robots(c, laws[k].by_state, none, laws[k].law, 1);
        add_law(c, laws[k].name, robots);
    }
    bench_robots *robots = c->robots[c->robot_count++] = bench_robots_create('c', 1);
    robots->element.step = bench_empty_step;
    add_law(c, "one joint, a step that does nothing", robots);
}

static void add_rivals(contest *c) {
    const size_t shared = joints_in_l2(c, shared_bytes);
    bench_runner *E = c->references[OF_E] = add_calls(c, "E: exp, libm", exp, bench_minus_sigma);
    c->shifted_E = add_runner(c, bench_calls_run_shifted, E->context, bench_argument_count);
    c->table = bench_table_create(shared, c->batches[0]->velocity);
    c->references[OF_T] = add_runner(c, bench_table_run, c->table, shared);
    (void)add_row(c, (row){.name = "batch, table of 4096 entries",
                           .joints = shared,
                           .runner = c->references[OF_T]});
    c->references[OF_C] = add_copy(c, "copy of the bytes of a batch", shared);
    c->rows[LARGE].copy = add_copy(c, "copy of 10 x last cache", c->rows[LARGE].joints);
    c->floor = bench_floor_create(shared, c->batches[0]->velocity);
    c->references[OF_FLOOR] = add_runner(c, bench_floor_run, c->floor, shared);
    (void)add_row(c, (row){.name = "batch, floor of exp2, root and division",
                           .joints = shared,
                           .runner = c->references[OF_FLOOR]});
    (void)add_calls(c, "W0, ours", stiction_lambert_w0, bench_psi);
    (void)add_calls(c, "W0, Boost", bench_boost_w0, bench_psi);
    (void)add_calls(c, "W0, GSL", bench_gsl_w0, bench_psi);
    (void)add_calls(c, "W0, Halley's method", bench_naive_w0, bench_psi);
    (void)add_calls(c, "Phi_Z, closed form", bench_phi_z, bench_x);
    (void)add_calls(c, "Phi_Z, table", bench_table_call, bench_x);
    (void)add_calls(c, "Phi_Z, printed, Boost", bench_boost_w0 ? bench_printed_boost : NULL,
                    bench_x);
    (void)add_calls(c, "Phi_Z, printed, GSL", bench_gsl_w0 ? bench_printed_gsl : NULL, bench_x);
    (void)add_calls(c, "Phi_Z, printed, Halley's method", bench_printed_naive, bench_x);
}

/* ---- figures ---- */

static double best_of(const contest *c, size_t batch) {
    return c->rows[batch].runner->best;
}

static double over_mean(const contest *c, size_t mixed, size_t a, size_t b, size_t d) {
    return best_of(c, mixed) / ((best_of(c, a) + best_of(c, b) + best_of(c, d)) / 3);
}

/* E is the faster of the two. */
static void choose_E(const contest *c) {
    bench_runner *E = c->references[OF_E];
    if (E->best <= c->shifted_E->best) return;
    const bench_runner slower = *E;
    *E = *c->shifted_E;
    *c->shifted_E = slower;
}

static void add_figures(contest *c) {
    enum { sets = 100000, quick_sets = 1000 };
    (void)add_row(c, (row){.name = "two threads, times one",
                           .figure = best_of(c, ONE_THREAD) / best_of(c, TWO_THREADS),
                           .bars = {{.must = 1.9, .stretch = 1.97}},
                           .more_is_better = true});
    (void)add_row(c, (row){.name = "mixed laws, over the weighted sum",
                           .figure = over_mean(c, MIXED, STRIBECK, RATIONAL, COULOMB),
                           .bars = {{.must = 1.3}}});
    (void)add_row(
        c, (row){.name = "mixed laws, one robot, over the weighted sum",
                 .figure = over_mean(c, MIXED_OWN, STRIBECK_OWN, RATIONAL_OWN, COULOMB_OWN)});
    (void)add_row(c, (row){.name = "error, relative",
                           .figure = bench_largest_error(c->request->quick ? quick_sets : sets),
                           .bars = {{.must = 2e-15, .stretch = 1.2e-15}}});
    (void)add_row(c,
                  (row){.name = "error of the table, N m", .figure = bench_table_error(c->table)});
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"row", "a step of a joint", 0}, {"joints", "joints a call", 0}, {"best_ns", "best (ns)", 3},
    {"median_ns", "median (ns)", 3}, {"exps", "best (E)", 3},        {"tables", "best (T)", 3},
    {"copies", "best (C)", 3},       {"floors", "best (floors)", 3}, {"figure", NULL, 3},
};

static const bench_runner *reference_of(const contest *c, const row *r, reference of) {
    return of == OF_C && r->copy ? r->copy : c->references[of];
}

/* How many times as long as a reference a row takes, by the best times. */
static double ratio_of(const contest *c, const row *r, reference of) {
    return r->runner->best / reference_of(c, r, of)->best;
}

/* By times that were taken side by side. */
static double figure_of(const contest *c, const row *r, const bar *b) {
    return r->runner ? c->pairs[b->pair].ratio : r->figure;
}

static double stretch_of(const bar *b) {
    const bool wide = b->stretch_wide > 0 && stiction_variant_best() == STICTION_AVX512;
    return wide ? b->stretch_wide : b->stretch;
}

/* 2: the stretch holds, 1: the must, 0: neither. */
static int level(const bar *b, double figure, bool more_is_better) {
    const double sign = more_is_better ? -1 : 1, stretch = stretch_of(b);
    if (stretch > 0 && sign * figure <= sign * stretch) return 2;
    return sign * figure <= sign * b->must;
}

/* "1.9 T, 1.4 floors"; a number by itself where the row is a figure. Owned by the caller. */
static char *with_unit(char *text, const row *r, const bar *b, double number, const char *format) {
    char digits[32];
    if (number > 0) {
        (void)snprintf(digits, sizeof digits, format, number);
        char *longer = format_text("%s%s%s%s%s", text, *text ? ", " : "", digits,
                                   r->runner ? " " : "", r->runner ? reference_names[b->of] : "");
        free(text);
        return longer;
    }
    return text;
}

/* The figures of a row that have a bar, the bars, and the worst of how they hold. */
typedef struct verdict {
    char *figure, *must, *stretch;
    const char *holds;
} verdict;

static verdict judge(const contest *c, const row *r) {
    static const char *const verdicts[] = {"no", "must", "stretch"};
    verdict v = {copy_text(""), copy_text(""), copy_text(""), ""};
    int worst = 2;
    for (size_t k = 0; c->request->targets && k < most_bars; k++) {
        const bar *b = &r->bars[k];
        if (!(b->must > 0)) continue;
        const double figure = figure_of(c, r, b);
        const int reached = level(b, figure, r->more_is_better);
        if (reached < worst) worst = reached;
        v.figure = with_unit(v.figure, r, b, figure, "%.3g");
        v.must = with_unit(v.must, r, b, b->must, "%g");
        v.stretch = with_unit(v.stretch, r, b, stretch_of(b), "%g");
        v.holds = verdicts[worst];
    }
    return v;
}

static void print_row(const contest *c, const row *r, table *t) {
    static const double ns = 1e9;
    static const reference shown[] = {OF_E, OF_T, OF_C, OF_FLOOR};
    enum { before_figure = 7 };
    const verdict v = judge(c, r);
    table_text(t, r->name);
    if (r->runner) {
        table_count(t, r->joints);
        table_number(t, ns * r->runner->best);
        table_number(t, ns * r->runner->median);
        for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++)
            table_number(t, ratio_of(c, r, shown[k]));
        if (*v.figure)
            table_text(t, v.figure);
        else
            table_empty(t);
    } else {
        for (size_t k = 0; k < before_figure; k++) table_empty(t);
        if (isnan(r->figure))
            table_text(t, "not in this build");
        else
            table_number(t, r->figure);
    }
    if (c->request->targets) {
        table_text(t, v.must);
        table_text(t, v.stretch);
        table_text(t, v.holds);
    }
    free(v.figure);
    free(v.must);
    free(v.stretch);
}

/* Every row that has bars is timed alternately with their references. */
static void find_pairs(contest *c) {
    for (size_t k = 0; k < c->row_count; k++)
        for (size_t n = 0; n < most_bars; n++) {
            row *r = &c->rows[k];
            if (!r->runner || !(r->bars[n].must > 0)) continue;
            r->bars[n].pair = c->pair_count;
            c->pairs[c->pair_count++] =
                (bench_pair){.one = r->runner, .other = reference_of(c, r, r->bars[n].of)};
        }
}

static void clean_up(contest *c) {
    for (size_t k = 0; k < c->batch_count; k++) bench_batch_destroy(c->batches[k]);
    for (size_t k = 0; k < c->robot_count; k++) bench_robots_destroy(c->robots[k]);
    for (size_t k = 0; k < c->call_count; k++) free(c->calls[k]);
    for (size_t k = 0; k < c->copy_count; k++) {
        bench_array_free(c->copies[k].from);
        bench_array_free(c->copies[k].to[0]);
        bench_array_free(c->copies[k].to[1]);
    }
    bench_table_destroy(c->table);
    bench_floor_destroy(c->floor);
    free(c);
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)project, (void)error;
    contest *c = allocate(1, sizeof *c);
    *c = (contest){.request = request};
    look_at_caches(c);
    add_batches(c);
    add_single_calls(c);
    add_rivals(c);
    if (request->targets) find_pairs(c);
    bench_race_pairs(request, c->runners, c->runner_count, c->pairs, c->pair_count);
    choose_E(c);
    add_figures(c);
    for (size_t k = 0; k < c->row_count; k++) print_row(c, &c->rows[k], t);
    clean_up(c);
    return true;
}

const bench_part bench_laws = {
    .name = "laws",
    BENCH_COLUMNS(columns),
    .has_targets = true,
    .measure = measure,
};
