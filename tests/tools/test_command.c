/* SPDX-License-Identifier: MIT
 * The figures of the stiction command: what curve and replay print is what the library computes,
 * to the bit. Messages are tested in tests/command/.
 */
#include <stdarg.h>
#include <unistd.h>

#include "check.h"
#include "joint_models/element.h"
#include "stiction/stiction.h"
#include "temporary.h"

/* ---- one joint as a configuration ---- */

static const stiction_law_parameters wrist = {.static_torque = 2.5,
                                              .coulomb_torque = 0.4,
                                              .stribeck_velocity = 0.06,
                                              .stribeck_exponent = 1,
                                              .viscous = 4.5};
static const double K = 5000, B = 50, T = 0.001;

static void write_config(void) {
    (void)temporary_file("c.yaml", "stiction: 1\ntimestep: 0.001\njoints:\n"
                                   "  J: { law: stribeck, static_torque: 2.5, coulomb_torque: 0.4, "
                                   "stribeck_velocity: 0.06, viscous: 4.5, stiffness: 5000, "
                                   "damping: 50 }\n");
}

/* ---- the output of the command ---- */

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
__attribute__((format(printf, 1, 2))) static void run_command(const char *format, ...) {
    char arguments[512], command[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd %s && %s %s", temporary_folder, STICTION_COMMAND,
             arguments);
    FILE *pipe = popen(command, "r");
    if (pipe) read_rows(pipe);
    if (!pipe || pclose(pipe) != 0) FAIL("failed: %s", command);
}

/* ---- curve ---- */

TEST(curve_prints_the_bits_of_the_library) {
    write_config();
    run_command("curve c.yaml J --from -0.37 --to 0.41 --points 1001 --csv");
    CHECK(output.rows == 1001);
    CHECK_SAME(output.cells[0][0], -0.37);
    CHECK_SAME(output.cells[1000][0], 0.41);
    for (size_t k = 0; k < output.rows; k++)
        CHECK_SAME(output.cells[k][1],
                   stiction_phi(stiction_law_find("stribeck"), &wrist, output.cells[k][0]));

    stiction_element element;
    const stiction_element_def def = {STICTION_ELEMENT_C, 0, K, B, 0.002};
    CHECK(stiction_element_init(&element, &def, stiction_law_find("stribeck"), &wrist) ==
          STICTION_LAW_OK);
    run_command("curve c.yaml J --implicit --timestep 0.002 --csv");
    CHECK(output.rows == 401);
    for (size_t k = 0; k < output.rows; k++)
        CHECK_SAME(output.cells[k][1], stiction_phi_z_at(&element.phi_z, output.cells[k][0]));
}

TEST(default_range_is_symmetric_and_has_zero) {
    write_config();
    run_command("curve c.yaml J --csv");
    CHECK_SAME(output.cells[200][0], 0);
    CHECK_SAME(output.cells[200][1], 0);
    for (size_t k = 0; k < output.rows; k++)
        for (size_t n = 0; n < 2; n++)
            if (k != 200) CHECK_SAME(output.cells[k][n], -output.cells[400 - k][n]);
}

TEST(several_laws_stand_beside_each_other) {
    const char *const laws[] = {"rational", "stribeck", "coulomb"};
    write_config();
    run_command("curve c.yaml J --law rational --law stribeck --law=coulomb --points 101 --csv");
    CHECK(strcmp(output.head, "velocity,torque.rational,torque.stribeck,torque.coulomb") == 0);
    CHECK(output.rows == 101);
    for (size_t k = 0; k < output.rows; k++)
        for (size_t n = 0; n < 3; n++)
            if (output.cells[k][0] != 0)
                CHECK_SAME(output.cells[k][n + 1],
                           stiction_phi(stiction_law_find(laws[n]), &wrist, output.cells[k][0]));
}

/* The steady torque of LuGre has a closed form: f_ss(v) sgn(v) + D v. */
TEST(curve_of_lugre_is_its_steady_torque) {
    write_config();
    (void)temporary_file("at.txt", "-3\n-0.06\n-1e-9\n0\n1e-300\n1e-5\n0.01\n0.1\n100\n");
    run_command("curve c.yaml J --law lugre --at at.txt --csv");
    CHECK(output.rows == 9);
    for (size_t k = 0; k < output.rows; k++) {
        const double v = output.cells[k][0], r = v / 0.06;
        const double f = v == 0 ? 0 : copysign(0.4 + 2.1 * exp(-(r * r)), v) + 4.5 * v;
        CHECK_NEAR(output.cells[k][1], f, 1e-14 * fmax(1, fabs(f)));
    }
}

/* ---- replay ---- */

/* Columns of the output after `time` and the velocity. */
enum { torque_column = 2, stick_column, deflection_column };

static stiction_state *wrist_state(stiction_model **model) {
    static const char *const names[] = {"J"};
    stiction_config *config = stiction_config_create();
    stiction_joint_def def = stiction_joint_def_default();
    stiction_model_def model_def = stiction_model_def_default();
    stiction_state *state = NULL;
    def.law = "stribeck";
    def.static_torque = wrist.static_torque;
    def.coulomb_torque = wrist.coulomb_torque;
    def.stribeck_velocity = wrist.stribeck_velocity;
    def.viscous = wrist.viscous;
    def.stiffness = K;
    def.damping = B;
    model_def.timestep = T;
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
    write_config();
    FILE *log = fopen(temporary_file("log.csv", ""), "w");
    fputs("time,J\n", log);
    for (int k = 0; k < rows; k++) {
        time[k] = k * 1e-3 + 4e-4 * sin(3 * k);
        velocity[k] = 0.1 * sin(k * 0.05) + 0.02 * cos(k);
        fprintf(log, "%.17g,%.17g\n", time[k], velocity[k]);
    }
    fclose(log);
    run_command("replay c.yaml log.csv");
    CHECK(output.rows == rows && output.columns == 5);

    stiction_model *model = NULL;
    stiction_state *state = wrist_state(&model);
    double torque, deflection, sticks = 0;
    unsigned char slipping;
    stiction_input input = stiction_input_default();
    stiction_output stepped = stiction_output_default();
    stepped.torque = &torque;
    stepped.deflection = &deflection;
    stepped.slipping = &slipping;
    for (size_t k = 0; k < output.rows; k++) {
        input.timestep = k ? time[k] - time[k - 1] : time[1] - time[0];
        input.velocity = &velocity[k];
        CHECK(stiction_step_full(state, &input, &stepped, NULL) == STICTION_OK);
        CHECK_SAME(output.cells[k][torque_column], torque);
        CHECK_SAME(output.cells[k][stick_column], slipping ? 0 : 1);
        CHECK_SAME(output.cells[k][deflection_column], deflection);
        sticks += output.cells[k][stick_column];
    }
    CHECK(sticks > 0 && sticks < rows);
    stiction_state_destroy(state);
    stiction_model_destroy(model);
}
