/* SPDX-License-Identifier: MIT */
/* The comparison: the figures of each contestant in each problem, as peers.json.
 * usage: peers [--reduced] [--only NAME] OUT.json */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "problems.h"

bool peers_reduced;
static FILE *out;
static bool comma;

void report(const char *problem, const peer *p, const char *figure, const char *unit, double value,
            const char *why) {
    fprintf(
        out,
        "%s\n {\"problem\": \"%s\", \"contestant\": \"%s\", \"figure\": \"%s\", \"unit\": \"%s\"",
        comma ? "," : "", problem, p->name, figure, unit);
    comma = true;
    if (why || !isfinite(value))
        fprintf(out, ", \"value\": null, \"why\": \"%s\"}", why ? why : "diverges");
    else
        fprintf(out, ", \"value\": %.6g}", value);
    fflush(out);
}

void report_reference(const char *problem, const char *figure, const char *unit, double value,
                      double error) {
    fprintf(
        out,
        "%s\n {\"problem\": \"%s\", \"contestant\": \"reference\", \"figure\": \"%s\", \"unit\": "
        "\"%s\", \"value\": %.9g, \"error\": %.2g}",
        comma ? "," : "", problem, figure, unit, value, error);
    comma = true;
}

chain with_level(const peer *p, chain c, double level) {
    if (!p->has_stiction) c.static_torque = c.coulomb_torque = level;
    return c;
}

const char *why_creep(double creep) {
    return isnan(creep) ? "diverges" : creep > 0.1 ? "slips" : NULL;
}

static bool is_asked(const peer *p, const char *only) {
    return !only || strstr(p->name, only);
}

static void print_head(const char *only) {
    char line[300], name[300] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !*name && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            (void)snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
    if (file) (void)fclose(file);
    name[strcspn(name, "\n\"\\")] = '\0';
    fprintf(out, "{\"processor\": \"%s\",\n\"reduced\": %s,\n\"contestants\": [", name,
            peers_reduced ? "true" : "false");
    const char *between = "";
    for (int k = 0; contestants[k]; k++) {
        const peer *p = contestants[k];
        if (!is_asked(p, only)) continue;
        fprintf(out, "%s\n {\"name\": \"%s\", \"version\": \"%s\", \"settings\": \"%s\"}", between,
                p->name, p->version(), p->settings);
        between = ",";
    }
    fprintf(out, "],\n\"figures\": [");
}

int main(int argc, char **argv) {
    static void (*const problems[])(const peer *) = {
        measure_hold,  measure_disturbed, measure_ramp,     measure_reversals, measure_stick_slip,
        measure_wrist, measure_load,      measure_coasting, measure_contact,   measure_cost};
    const char *path = "peers.json", *only = NULL;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--reduced") == 0)
            peers_reduced = true;
        else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
            only = argv[++k];
        else
            path = argv[k];
    out = fopen(path, "w");
    if (!out) {
        perror(path);
        return 1;
    }
    print_head(only);
    find_joint_references();
    find_chain_references();
    for (int k = 0; contestants[k]; k++) {
        if (!is_asked(contestants[k], only)) continue;
        const clock_t start = clock();
        for (size_t n = 0; n < sizeof problems / sizeof problems[0]; n++)
            problems[n](contestants[k]);
        fprintf(stderr, "%s: %.1f s\n", contestants[k]->name,
                (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    fprintf(out, "\n]}\n");
    return fclose(out) != 0;
}
