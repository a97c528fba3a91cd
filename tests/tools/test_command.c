/* SPDX-License-Identifier: MIT
 * The figures of the stiction command: what curve and replay print is what the library computes,
 * to the bit, and meets the reference vectors. What the command says is tested in tests/command/.
 */
#include <stdarg.h>
#include <unistd.h>

#include "check.h"
#include "joint_models/element.h"
#include "reference.h"
#include "stiction/stiction.h"

/* ---- files and runs ---- */

static char folder[] = "/tmp/stiction_command_XXXXXX";
static const char *const files[] = {"c.yaml", "at.txt", "log.csv"};

static void remove_folder(void) {
    char path[128];
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        unlink(path);
    }
    rmdir(folder);
}

static FILE *create(const char *name) {
    static int made;
    char path[128];
    if (!made) {
        if (!mkdtemp(folder)) reference_fail("cannot make a folder", folder);
        atexit(remove_folder);
        made = 1;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) reference_fail("cannot write", path);
    return file;
}

/* The columns of what the command prints, all of them numbers. */
enum { most_rows = 4096, most_columns = 16 };

typedef struct result {
    char head[512];
    size_t rows, columns;
    double cells[most_rows][most_columns];
} result;

static result output;

static void read_rows(FILE *pipe) {
    static char line[4096];
    output.rows = output.columns = 0;
    output.head[0] = '\0';
    if (fgets(output.head, sizeof output.head, pipe))
        output.head[strcspn(output.head, "\n")] = '\0';
    while (output.rows < most_rows && fgets(line, sizeof line, pipe)) {
        char *at = line;
        size_t column = 0;
        do {
            output.cells[output.rows][column++] = strtod(at, &at);
        } while (*at++ == ',' && column < most_columns);
        output.columns = column;
        output.rows++;
    }
}

/* Runs the command in the folder and reads its table. */
__attribute__((format(printf, 1, 2))) static void run(const char *format, ...) {
    char arguments[512], command[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd %s && %s %s", folder, STICTION_COMMAND, arguments);
    FILE *pipe = popen(command, "r");
    if (!pipe) reference_fail("cannot run", command);
    read_rows(pipe);
    if (pclose(pipe) != 0) FAIL("failed: %s", command);
}

/* ---- one joint as a configuration ---- */

typedef struct joint_file {
    const stiction_law *law;
    stiction_law_parameters p;
    double K, B, T;
} joint_file;

static void write_config(const joint_file *j) {
    const struct {
        unsigned bit;
        const char *key;
        double value;
    } rows[] = {
        {STICTION_USES(static_torque), "static_torque", j->p.static_torque},
        {STICTION_USES(coulomb_torque), "coulomb_torque", j->p.coulomb_torque},
        {STICTION_USES(stribeck_velocity), "stribeck_velocity", j->p.stribeck_velocity},
        {STICTION_USES(stribeck_exponent), "stribeck_exponent", j->p.stribeck_exponent},
        {STICTION_USES(viscous), "viscous", j->p.viscous},
    };
    FILE *file = create("c.yaml");
    fprintf(file, "stiction: 1\ntimestep: %.17g\njoints:\n  J:\n    law: %s\n", j->T, j->law->name);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (j->law->uses & rows[k].bit)
            fprintf(file, "    %s: %.17g\n", rows[k].key, rows[k].value);
    fprintf(file, "    stiffness: %.17g\n    damping: %.17g\n", j->K, j->B);
    fclose(file);
}

/* A reference set has K, B and T, or only Z: then B = 1/Z, beside which K T is nothing. */
static joint_file joint_of(reference_node set) {
    joint_file j = {.T = reference_value_or(set, "T", 0.001)};
    j.law = reference_law(set, &j.p);
    reference_node K;
    if (reference_has(set, "K", &K)) {
        j.K = reference_number(K);
        j.B = reference_value(set, "B");
    } else {
        j.K = STICTION_LEAST;
        j.B = 1 / reference_value(set, "Z");
    }
    return j;
}

static joint_file wrist(void) {
    return (joint_file){.law = stiction_law_find("stribeck"),
                        .p = {2.5, 0.4, 0.06, 1, 4.5},
                        .K = 5000,
                        .B = 50,
                        .T = 0.001};
}

/* ---- curve ---- */

static void write_points(reference_node points, const char *key) {
    FILE *file = create("at.txt");
    for (size_t k = 0; k < reference_count(points); k++)
        fprintf(file, "%s\n", reference_text(reference_get(reference_at(points, k), key)));
    fclose(file);
}

static void check_points(const char *id, reference_node points, const char *key) {
    if (output.rows != reference_count(points))
        FAIL("%s: %zu rows of %zu", id, output.rows, reference_count(points));
    for (size_t k = 0; k < output.rows; k++) {
        const reference_node point = reference_at(points, k);
        const double y = reference_value(point, "y"), got = output.cells[k][1];
        CHECK_SAME(output.cells[k][0], reference_value(point, key));
        if (!(fabs(got - y) <= 1e-13 * fabs(y)))
            FAIL("%s at %.17g: %.17g, expected %.17g", id, output.cells[k][0], got, y);
    }
}

TEST(implicit_curve_meets_reference) {
    const reference_node sets = reference_get(reference_load(), "phiZ_sets");
    for (size_t k = 0; k < reference_count(sets); k++) {
        const reference_node set = reference_at(sets, k), points = reference_get(set, "phiZ");
        const joint_file j = joint_of(set);
        write_config(&j);
        write_points(points, "x");
        run("curve c.yaml J --implicit --at at.txt --csv");
        CHECK(strcmp(output.head, "v_star,torque") == 0);
        check_points(reference_text(reference_get(set, "id")), points, "x");
    }
}

TEST(curve_meets_reference) {
    const reference_node sets = reference_get(reference_load(), "phiZ_sets");
    for (size_t k = 0; k < reference_count(sets); k++) {
        const reference_node set = reference_at(sets, k), points = reference_get(set, "phi");
        const joint_file j = joint_of(set);
        write_config(&j);
        write_points(points, "v");
        run("curve c.yaml J --at at.txt --csv");
        CHECK(strcmp(output.head, "velocity,torque") == 0);
        check_points(reference_text(reference_get(set, "id")), points, "v");
    }
}

TEST(curve_prints_the_bits_of_the_library) {
    const joint_file j = wrist();
    write_config(&j);
    run("curve c.yaml J --from -0.37 --to 0.41 --points 1001 --csv");
    CHECK(output.rows == 1001);
    CHECK_SAME(output.cells[0][0], -0.37);
    CHECK_SAME(output.cells[1000][0], 0.41);
    for (size_t k = 0; k < output.rows; k++)
        CHECK_SAME(output.cells[k][1], stiction_phi(j.law, &j.p, output.cells[k][0]));

    stiction_element element;
    const stiction_element_def def = {STICTION_ELEMENT_C, 0, j.K, j.B, 0.002};
    CHECK(stiction_element_init(&element, &def, j.law, &j.p) == STICTION_LAW_OK);
    run("curve c.yaml J --implicit --timestep 0.002 --csv");
    CHECK(output.rows == 401);
    for (size_t k = 0; k < output.rows; k++)
        CHECK_SAME(output.cells[k][1], stiction_phi_z_at(&element.phi_z, output.cells[k][0]));
}

TEST(default_range_is_symmetric_and_has_zero) {
    const joint_file j = wrist();
    write_config(&j);
    run("curve c.yaml J --csv");
    CHECK_SAME(output.cells[200][0], 0);
    CHECK_SAME(output.cells[200][1], 0);
    for (size_t k = 0; k < output.rows; k++)
        for (size_t n = 0; n < 2; n++)
            if (k != 200) CHECK_SAME(output.cells[k][n], -output.cells[400 - k][n]);
}

TEST(several_laws_stand_beside_each_other) {
    const joint_file j = wrist();
    const char *const laws[] = {"rational", "stribeck", "coulomb"};
    write_config(&j);
    run("curve c.yaml J --law rational --law stribeck --law=coulomb --points 101 --csv");
    CHECK(strcmp(output.head, "velocity,torque.rational,torque.stribeck,torque.coulomb") == 0);
    CHECK(output.rows == 101);
    for (size_t k = 0; k < output.rows; k++)
        for (size_t n = 0; n < 3; n++)
            if (output.cells[k][0] != 0)
                CHECK_SAME(output.cells[k][n + 1],
                           stiction_phi(stiction_law_find(laws[n]), &j.p, output.cells[k][0]));
}

/* The steady torque of LuGre has a closed form: f_ss(v) sgn(v) + D v. */
TEST(curve_of_lugre_is_its_steady_torque) {
    const joint_file j = wrist();
    write_config(&j);
    FILE *at = create("at.txt");
    fputs("-3\n-0.06\n-1e-9\n0\n1e-300\n1e-5\n0.01\n0.1\n100\n", at);
    fclose(at);
    run("curve c.yaml J --law lugre --at at.txt --csv");
    CHECK(output.rows == 9);
    for (size_t k = 0; k < output.rows; k++) {
        const double v = output.cells[k][0], r = v / 0.06;
        const double f = v == 0 ? 0 : copysign(0.4 + 2.1 * exp(-(r * r)), v) + 4.5 * v;
        CHECK_NEAR(output.cells[k][1], f, 1e-14 * fmax(1, fabs(f)));
    }
}

/* ---- replay ---- */

/* Columns of the output behind `time` and the velocity. */
enum { torque_column = 2, stick_column, deflection_column };

static void write_log(reference_node rows, double T) {
    FILE *file = create("log.csv");
    fputs("time,J.velocity\n", file);
    for (size_t k = 0; k < reference_count(rows); k++)
        fprintf(file, "%.17g,%s\n", (double)k * T,
                reference_text(reference_at(reference_at(rows, k), 0)));
    fclose(file);
}

static double column_maximum(reference_node rows, size_t column) {
    double most = 0;
    for (size_t k = 0; k < reference_count(rows); k++)
        most = fmax(most, fabs(reference_number(reference_at(reference_at(rows, k), column))));
    return most;
}

static void check_replay(const char *id, reference_node rows) {
    const double f_most = column_maximum(rows, 1), e_most = column_maximum(rows, 2);
    if (output.rows != reference_count(rows)) FAIL("%s: %zu rows", id, output.rows);
    for (size_t k = 0; k < output.rows; k++) {
        const reference_node row = reference_at(rows, k);
        CHECK_NEAR(output.cells[k][torque_column], reference_number(reference_at(row, 1)),
                   1e-12 * f_most);
        CHECK_NEAR(output.cells[k][deflection_column], reference_number(reference_at(row, 2)),
                   1e-12 * e_most);
    }
}

TEST(replay_meets_reference) {
    const reference_node trajectories = reference_get(reference_load(), "trajectories");
    int compared = 0;
    for (size_t k = 0; k < reference_count(trajectories); k++) {
        const reference_node t = reference_at(trajectories, k), rows = reference_get(t, "rows");
        const char *id = reference_text(reference_get(t, "id"));
        if (strncmp(id, "C_", 2) != 0) continue;
        const joint_file j = joint_of(t);
        write_config(&j);
        write_log(rows, j.T);
        run("replay c.yaml log.csv");
        CHECK(strcmp(output.head, "time,J.velocity,J.friction_torque,J.stick,J.deflection") == 0);
        check_replay(id, rows);
        run("replay c.yaml log.csv --timestep %.17g", j.T);
        check_replay(id, rows);
        compared++;
    }
    CHECK(compared == 4);
}

static stiction_state *wrist_state(stiction_model **model) {
    static const char *const names[] = {"J"};
    const joint_file w = wrist();
    stiction_config *config = stiction_config_create();
    stiction_joint_def def = stiction_joint_def_default();
    stiction_model_def model_def = stiction_model_def_default();
    stiction_state *state = NULL;
    def.law = w.law->name;
    def.static_torque = w.p.static_torque;
    def.coulomb_torque = w.p.coulomb_torque;
    def.stribeck_velocity = w.p.stribeck_velocity;
    def.viscous = w.p.viscous;
    def.stiffness = w.K;
    def.damping = w.B;
    model_def.timestep = w.T;
    CHECK(stiction_config_add_joint(config, "J", &def, NULL) == STICTION_OK);
    CHECK(stiction_model_create(config, names, 1, &model_def, model, NULL) == STICTION_OK);
    CHECK(stiction_state_create(*model, &state, NULL) == STICTION_OK);
    stiction_config_destroy(config);
    return state;
}

/* Steps of different length, in which every row has its own. */
TEST(replay_of_uneven_samples_prints_the_bits_of_the_library) {
    enum { rows = 500 };
    static double time[rows], velocity[rows];
    const joint_file j = wrist();
    write_config(&j);
    FILE *log = create("log.csv");
    fputs("time,J\n", log);
    for (int k = 0; k < rows; k++) {
        time[k] = k * 1e-3 + 4e-4 * sin(3 * k);
        velocity[k] = 0.1 * sin(k * 0.05) + 0.02 * cos(k);
        fprintf(log, "%.17g,%.17g\n", time[k], velocity[k]);
    }
    fclose(log);
    run("replay c.yaml log.csv");
    CHECK(output.rows == rows && output.columns == 5);

    stiction_model *model = NULL;
    stiction_state *state = wrist_state(&model);
    double torque, deflection, sticks = 0;
    unsigned char slipping;
    stiction_input input = stiction_input_default();
    stiction_output told = stiction_output_default();
    told.torque = &torque;
    told.deflection = &deflection;
    told.slipping = &slipping;
    for (size_t k = 0; k < output.rows; k++) {
        input.timestep = k ? time[k] - time[k - 1] : time[1] - time[0];
        input.velocity = &velocity[k];
        CHECK(stiction_step_full(state, &input, &told, NULL) == STICTION_OK);
        CHECK_SAME(output.cells[k][torque_column], torque);
        CHECK_SAME(output.cells[k][stick_column], slipping ? 0 : 1);
        CHECK_SAME(output.cells[k][deflection_column], deflection);
        sticks += output.cells[k][stick_column];
    }
    CHECK(sticks > 0 && sticks < rows);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
}
