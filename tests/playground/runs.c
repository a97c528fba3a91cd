/* SPDX-License-Identifier: MIT
 * Prints what the playground computes, with all digits: built natively and as WebAssembly, the two
 * outputs must be the same.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "docs/playground/playground.h"

static int parameter_of(const char *key) {
    int k = 0;
    while (play_parameter_key(k) && strcmp(play_parameter_key(k), key) != 0) k++;
    return k;
}

static const double settings[PLAY_SETTINGS] = {
    [PLAY_INERTIA] = 0.1675, [PLAY_TIMESTEP] = 0.001, [PLAY_DURATION] = 6, [PLAY_KP] = 20,
    [PLAY_KV] = 2,           [PLAY_TARGET] = 90,      [PLAY_PULL] = 20,    [PLAY_SPEED] = 0.05,
    [PLAY_LOAD] = 2.25,      [PLAY_SOFTNESS] = 0.01,  [PLAY_RATE] = 1};

static void print_run(const char *law, play_experiment experiment, const double *with) {
    static double rows[PLAY_ROWS * PLAY_COLUMNS];
    double figures[PLAY_FIGURES];
    const int count = play_run(experiment, with, rows, figures);
    printf("%s, experiment %d, %s: %d rows\n", law, (int)experiment,
           with[PLAY_IMPLICIT] > 0 ? "implicit" : "explicit", count);
    for (int k = 0; k < PLAY_OTHER_CREEP; k++)
        if (isnan(figures[k]))
            printf(" none");
        else
            printf(" %a", figures[k]);
    printf("\n");
    /* the column beside a held load comes from the tanh of each machine's own libm */
    const int columns = experiment == PLAY_HOLD ? PLAY_OTHER : PLAY_COLUMNS;
    for (int k = 0; k < count; k += 40)
        for (int column = 0; column < columns; column++)
            printf("%a%c", rows[k * PLAY_COLUMNS + column], column + 1 < columns ? ' ' : '\n');
}

static void print_curves(void) {
    double x[81], y[81];
    for (int k = 0; k < 81; k++) x[k] = 0.01 * (k - 40);
    for (int implicit = 0; implicit < 2; implicit++) {
        printf("curve %d: %d\n", implicit, play_curve(implicit ? 0.001 : 0, 1, 81, x, y));
        for (int k = 0; k < 81; k++) printf("%a\n", y[k]);
    }
}

int main(void) {
    for (int law = 0; play_law_name(law); law++) {
        const char *name = play_law_name(law);
        if (strcmp(name, "stribeck") != 0 && strcmp(name, "rational") != 0 &&
            strcmp(name, "coulomb") != 0)
            continue;
        for (int drive = 0; drive < 2; drive++) {
            play_clear(law);
            play_set(parameter_of("static_torque"), 2.5);
            play_set(parameter_of("coulomb_torque"), 0.4);
            play_set(parameter_of("stribeck_velocity"), 0.06);
            play_set(parameter_of("viscous"), 4.5);
            play_set(parameter_of("stiffness"), 5000);
            play_set(parameter_of("damping"), 50);
            if (drive) {
                play_set(parameter_of("stribeck_exponent"), 1.7);
                play_set(parameter_of("viscous_exponent"), 0.8);
                play_set(parameter_of("load_motor"), 0.1);
                play_set(parameter_of("temperature_viscous"), 0.02);
                play_set(parameter_of("temperature"), 15);
                play_set(parameter_of("ripple"), 0.2);
                play_set(parameter_of("reverse_factor"), 1.2);
                play_set(parameter_of("reverse_viscous_factor"), 0.8);
            }
            printf("%s%s", play_check(0.001), play_write(0.001));
            print_curves();
            for (int experiment = PLAY_WRIST; experiment <= PLAY_RAMP; experiment++)
                for (int implicit = 0; implicit < 2; implicit++) {
                    double with[PLAY_SETTINGS];
                    memcpy(with, settings, sizeof with);
                    with[PLAY_IMPLICIT] = implicit;
                    print_run(name, (play_experiment)experiment, with);
                }
        }
    }
    return 0;
}
