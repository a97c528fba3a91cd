/*
 * stiction bench, part laws: what a step of a joint costs, beside what others take for the same, as
 * ratios to E, one exp of libm, and to the batch step with a look-up table; all in one race.
 * The bars stand beside what they are for. A bar that is missed is said to be, and nothing else.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "bench_error.h"
#include "bench_joints.h"
#include "bench_rivals.h"
#include "common/command.h"
#include "document/file.h"
#include "stiction/models/lambert_w.h"

/* The most that a figure may be, and what would be better; 0: there is no bar. */
typedef struct bar {
    double must, stretch;
} bar;

typedef struct row {
    const char *name;
    size_t joints;        /* that one call steps; 0: it is no call */
    bar exps, tables;     /* of the ratios */
    bench_runner *runner; /* NULL where the row is a figure */
    /* of figures */
    double figure;
    bar bar;
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
} contest;

/* ---- how large ---- */

/* The number at the start of a file; false where there is none. */
static bool read_count(const char *folder, const char *name, unsigned long *count) {
    char *path = format_text("%s/%s", folder, name);
    file_problem problem;
    FILE *file = stiction_file_stream(path, FILE_MOST_CONFIGURATION, &problem);
    free(path);
    if (!file) return false;
    const bool found = fscanf(file, "%lu", count) == 1;
    (void)fclose(file);
    return found;
}

/* Bytes of the cache of a level, or of the last one (level 0). From Linux itself: what sysconf says
 * of the last cache is eight times too much on some AMD processors. */
static size_t cache_size(unsigned level) {
    size_t size = 0;
    for (int k = 0; k < 8; k++) {
        unsigned long of_level = 0, kib = 0;
        char *path = format_text("/sys/devices/system/cpu/cpu0/cache/index%d", k);
        if (read_count(path, "level", &of_level) && read_count(path, "size", &kib) &&
            (of_level == level || level == 0) && kib << 10 > size)
            size = (size_t)kib << 10;
        free(path);
    }
    return size;
}

static void look_at_caches(contest *c) {
    c->l2 = cache_size(2);
    c->last = cache_size(0);
    if (!c->l2) c->l2 = 512 << 10;
    if (c->last < c->l2) c->last = c->l2;
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

static bench_runner *add_batch(contest *c, const char *name, bar exps, bar tables,
                               bench_batch_def def) {
    bench_batch *b = c->batches[c->batch_count++] = bench_batch_create(&def);
    bench_runner *runner = add_runner(c, bench_batch_run, b, b->size);
    (void)add_row(
        c,
        (row){.name = name, .joints = b->size, .exps = exps, .tables = tables, .runner = runner});
    return runner;
}

static bench_robots *add_robots(contest *c, const char *name, bar exps, char law, size_t joints) {
    bench_robots *r = c->robots[c->robot_count++] = bench_robots_create(law, joints);
    bench_runner *runner =
        add_runner(c, bench_robots_run, r, bench_robot_count * bench_swing_steps * joints);
    (void)add_row(c, (row){.name = name, .joints = joints, .exps = exps, .runner = runner});
    return r;
}

/* The step of the law alone, of the first joint of each robot. */
static void add_law(contest *c, const char *name, bar exps, bench_robots *robots) {
    bench_runner *runner =
        add_runner(c, bench_robots_run_law, robots, bench_robot_count * bench_swing_steps);
    (void)add_row(c, (row){.name = name, .joints = 1, .exps = exps, .runner = runner});
}

static bench_runner *add_calls(contest *c, const char *name, bench_function function,
                               double (*argument)(size_t k)) {
    if (!function) {
        (void)add_row(c, (row){.name = name, .figure = (double)NAN});
        return NULL;
    }
    bench_calls *calls = c->calls[c->call_count++] = allocate(1, sizeof *calls);
    calls->function = function;
    for (size_t k = 0; k < bench_argument_count; k++) calls->arguments[k] = argument(k);
    bench_runner *runner = add_runner(c, bench_calls_run, calls, bench_argument_count);
    (void)add_row(c, (row){.name = name, .joints = 1, .runner = runner});
    return runner;
}

static void add_copy(contest *c, const char *name, size_t joints) {
    bench_copy *copy = &c->copies[c->copy_count++];
    copy->joints = joints;
    copy->from = bench_array(joints);
    for (size_t k = 0; k < 2; k++) copy->to[k] = bench_array(joints);
    bench_runner *runner = add_runner(c, bench_copy_run, copy, joints);
    (void)add_row(c, (row){.name = name, .joints = joints, .runner = runner});
}

/* ---- the rows ---- */

/* What some rows are compared with. */
typedef struct marks {
    bench_runner *E, *shifted_E, *table;
    bench_runner *shared[3], *own[3]; /* stribeck, rational, coulomb */
    bench_runner *mixed, *mixed_own;
    bench_runner *one_thread, *two_threads;
} marks;

static void add_batches(contest *c, marks *m) {
    static const bar none = {0, 0};
    const size_t shared = joints_in_l2(c, shared_bytes), own = joints_in_l2(c, own_bytes);
    m->shared[0] = add_batch(c, "batch, Stribeck exact", (bar){0.52, 0.45}, (bar){2, 1.75},
                             (bench_batch_def){.laws = "s", .environments = shared});
    (void)add_batch(c, "batch, 3/4 of the second cache, Stribeck", none, none,
                    (bench_batch_def){.laws = "s", .environments = shared / 2 * 3});
    (void)add_batch(c, "batch, Stribeck exact, all stick", none, none,
                    (bench_batch_def){.laws = "s", .environments = shared, .all_stick = true});
    m->own[0] =
        add_batch(c, "batch, own constants, Stribeck", (bar){0.58, 0.50}, none,
                  (bench_batch_def){.laws = "s", .environments = own, .own_constants = true});
    (void)add_batch(c, "batch, 10 x last cache, Stribeck", (bar){0.50, 0.45}, none,
                    (bench_batch_def){.laws = "s", .environments = 10 * (c->last / shared_bytes)});
    m->shared[1] = add_batch(c, "batch, rational", (bar){0.28, 0.22}, none,
                             (bench_batch_def){.laws = "r", .environments = shared});
    m->shared[2] = add_batch(c, "batch, Coulomb-viscous", (bar){0.08, 0.065}, none,
                             (bench_batch_def){.laws = "c", .environments = shared});
    m->own[1] =
        add_batch(c, "batch, own constants, rational", none, none,
                  (bench_batch_def){.laws = "r", .environments = own, .own_constants = true});
    m->own[2] =
        add_batch(c, "batch, own constants, Coulomb-viscous", none, none,
                  (bench_batch_def){.laws = "c", .environments = own, .own_constants = true});
    m->mixed =
        add_batch(c, "batch, a law a joint of 12", none, none,
                  (bench_batch_def){.laws = "src", .joints = 12, .environments = shared / 12});
    m->mixed_own = add_batch(c, "batch, one robot, laws in turns", none, none,
                             (bench_batch_def){.laws = "src", .joints = own, .environments = 1});
    (void)add_batch(
        c, "batch, environment by environment", none, none,
        (bench_batch_def){
            .laws = "s", .joints = 12, .environments = shared / 12, .environment_major = true});
    const size_t many = c->request->quick ? 2 * shared : 1000000;
    m->one_thread = add_batch(c, "batch for two threads, one thread", none, none,
                              (bench_batch_def){.laws = "s", .environments = many});
    m->two_threads = add_batch(c, "batch for two threads, two threads", none, none,
                               (bench_batch_def){.laws = "s", .environments = many, .threads = 2});
}

static void add_single_calls(contest *c) {
    static const bar none = {0, 0}, twelve = {0.80, 0.65};
    static const struct {
        const char *name, *by_state;
        char law;
        bar exps;
    } laws[] = {
        {"one joint, Stribeck", "one joint, Stribeck, stiction_step", 's', {2.8, 2.3}},
        {"one joint, rational", "one joint, rational, stiction_step", 'r', {1.3, 1.1}},
        {"one joint, Coulomb-viscous",
         "one joint, Coulomb-viscous, stiction_step",
         'c',
         {0.55, 0.45}},
    };
    (void)add_batch(c, "12 joints, stiction_step_batch", twelve, none,
                    (bench_batch_def){.laws = "s", .joints = 12, .environments = 1});
    (void)add_robots(c, "12 joints, stiction_step", none, 's', 12);
    for (size_t k = 0; k < 3; k++) {
        bench_robots *robots = add_robots(c, laws[k].by_state, none, laws[k].law, 1);
        add_law(c, laws[k].name, laws[k].exps, robots);
    }
    bench_robots *robots = c->robots[c->robot_count++] = bench_robots_create('c', 1);
    robots->element.step = bench_empty_step;
    add_law(c, "one joint, a step that does nothing", none, robots);
}

static void add_rivals(contest *c, marks *m) {
    const size_t shared = joints_in_l2(c, shared_bytes);
    m->E = add_calls(c, "E: exp, libm", exp, bench_minus_sigma);
    m->shifted_E = add_runner(c, bench_calls_run_shifted, m->E->context, bench_argument_count);
    c->table = bench_table_create(shared, c->batches[0]->velocity);
    m->table = add_runner(c, bench_table_run, c->table, shared);
    (void)add_row(
        c, (row){.name = "batch, table of 4096 entries", .joints = shared, .runner = m->table});
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
    add_copy(c, "copy of the bytes of a batch", shared);
    add_copy(c, "copy of 10 x last cache", 10 * (c->last / shared_bytes));
}

/* ---- figures ---- */

static double best_of(const contest *c, const bench_runner *r) {
    return bench_best(r->times, c->request->repeat);
}

static double over_mean(const contest *c, const bench_runner *mixed, bench_runner *const three[3]) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++) sum += best_of(c, three[k]);
    return best_of(c, mixed) / (sum / 3);
}

/* E is the faster of the two. */
static void choose_E(const contest *c, const marks *m) {
    if (best_of(c, m->E) <= best_of(c, m->shifted_E)) return;
    const bench_runner slower = *m->E;
    *m->E = *m->shifted_E;
    *m->shifted_E = slower;
}

static void add_figures(contest *c, const marks *m) {
    enum { sets = 100000, quick_sets = 1000 };
    (void)add_row(c, (row){.name = "two threads, times one",
                           .figure = best_of(c, m->one_thread) / best_of(c, m->two_threads),
                           .bar = {1.9, 1.97},
                           .more_is_better = true});
    (void)add_row(c, (row){.name = "mixed laws, over the weighted sum",
                           .figure = over_mean(c, m->mixed, m->shared),
                           .bar = {1.3, 0}});
    (void)add_row(c, (row){.name = "mixed laws, one robot, over the weighted sum",
                           .figure = over_mean(c, m->mixed_own, m->own)});
    (void)add_row(c, (row){.name = "error, relative",
                           .figure = bench_largest_error(c->request->quick ? quick_sets : sets),
                           .bar = {2e-15, 1.2e-15}});
    (void)add_row(c,
                  (row){.name = "error of the table, N m", .figure = bench_table_error(c->table)});
}

/* ---- the table ---- */

static const table_column columns[] = {
    {"row", "a step of a joint", 0},
    {"joints", "joints a call", 0},
    {"best_ns", "best (ns)", 3},
    {"median_ns", "median (ns)", 3},
    {"exps", "best (E)", 3},
    {"tables", "best (tables)", 3},
    {"figure", NULL, 3},
};

static const table_column target_columns[] = {
    {"must", NULL, 0},
    {"stretch", NULL, 0},
    {"holds", NULL, 0},
};

/* 2: the stretch holds, 1: the must, 0: neither. */
static int level(bar b, double value, bool more_is_better) {
    const double sign = more_is_better ? -1 : 1;
    if (b.stretch > 0 && sign * value <= sign * b.stretch) return 2;
    return sign * value <= sign * b.must;
}

static char *bar_text(double exps, double tables, double figure) {
    if (figure > 0) return format_text("%g", figure);
    if (tables > 0) return format_text("%g E, %g tables", exps, tables);
    return exps > 0 ? format_text("%g E", exps) : copy_text("");
}

static void add_bars(table *t, const row *r, double exps, double tables) {
    static const char *const words[] = {"no", "must", "stretch"};
    char *must = bar_text(r->exps.must, r->tables.must, r->bar.must);
    char *stretch = bar_text(r->exps.stretch, r->tables.stretch, r->bar.stretch);
    table_text(t, must);
    table_text(t, stretch);
    int holds = 2;
    if (r->exps.must > 0) holds = level(r->exps, exps, false);
    if (r->tables.must > 0 && level(r->tables, tables, false) < holds)
        holds = level(r->tables, tables, false);
    if (r->bar.must > 0) holds = level(r->bar, r->figure, r->more_is_better);
    table_text(t, *must ? words[holds] : "");
    free(must);
    free(stretch);
}

static void print_row(const contest *c, const marks *m, const row *r, table *t) {
    static const double ns = 1e9;
    double exps = 0, tables = 0;
    table_text(t, r->name);
    if (r->runner) {
        const double best = best_of(c, r->runner);
        exps = best / best_of(c, m->E);
        tables = best / best_of(c, m->table);
        table_count(t, r->joints);
        table_number(t, ns * best);
        table_number(t, ns * bench_median(r->runner->times, c->request->repeat));
        table_number(t, exps);
        table_number(t, tables);
        table_empty(t);
    } else {
        for (size_t k = 0; k < 5; k++) table_empty(t);
        if (isnan(r->figure))
            table_text(t, "not in this build");
        else
            table_number(t, r->figure);
    }
    if (c->request->targets) add_bars(t, r, exps, tables);
}

static void clean_up(contest *c) {
    for (size_t k = 0; k < c->runner_count; k++) free(c->runners[k].times);
    for (size_t k = 0; k < c->batch_count; k++) bench_batch_destroy(c->batches[k]);
    for (size_t k = 0; k < c->robot_count; k++) bench_robots_destroy(c->robots[k]);
    for (size_t k = 0; k < c->call_count; k++) free(c->calls[k]);
    for (size_t k = 0; k < c->copy_count; k++) {
        bench_array_free(c->copies[k].from);
        bench_array_free(c->copies[k].to[0]);
        bench_array_free(c->copies[k].to[1]);
    }
    bench_table_destroy(c->table);
    free(c);
}

static bool measure(const bench_request *request, table *t) {
    contest *c = allocate(1, sizeof *c);
    marks m;
    *c = (contest){.request = request};
    look_at_caches(c);
    add_batches(c, &m);
    add_single_calls(c);
    add_rivals(c, &m);
    bench_race(request, c->runners, c->runner_count);
    choose_E(c, &m);
    add_figures(c, &m);
    for (size_t k = 0; k < c->row_count; k++) print_row(c, &m, &c->rows[k], t);
    clean_up(c);
    return true;
}

const bench_part bench_laws = {
    .name = "laws",
    .columns = columns,
    .column_count = sizeof columns / sizeof columns[0],
    .target_columns = target_columns,
    .target_column_count = sizeof target_columns / sizeof target_columns[0],
    .measure = measure,
};
