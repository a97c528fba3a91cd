/* SPDX-License-Identifier: MIT
 * stiction bench, part machine: what the figures of the other parts were measured on. It comes with
 * the part laws, whose rows are as large as the caches say.
 */
#define _GNU_SOURCE /* sched_getcpu */

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench.h"
#include "common/command.h"
#include "document/file.h"
#include "joint_models/fast/variant.h"

/* The first line of a small file of the system, without its newline; NULL if it cannot be read. */
static char *first_line(const char *path, const char *begins) {
    file_problem problem;
    FILE *file = stiction_file_stream(path, FILE_MOST_CONFIGURATION, &problem);
    if (!file) return NULL;
    char line[512], *found = NULL;
    while (!found && fgets(line, sizeof line, file))
        if (strncmp(line, begins, strlen(begins)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            found = copy_text(line);
        }
    (void)fclose(file);
    return found;
}

/* ---- caches ---- */

/* The line of a file about cache `index` of the processor on which this runs. */
static char *cache_line(int index, const char *name) {
    const int here = sched_getcpu();
    char *path = format_text("/sys/devices/system/cpu/cpu%d/cache/index%d/%s", here < 0 ? 0 : here,
                             index, name);
    char *line = first_line(path, "");
    free(path);
    return line;
}

/* "512K", "32M" */
static size_t bytes_of(const char *text) {
    char *end;
    const unsigned long long number = strtoull(text, &end, 10);
    return (size_t)(*end == 'K' ? number << 10 : *end == 'M' ? number << 20 : number);
}

/* The size of a cache that holds data, and its level; 0 if it does not exist. */
static size_t cache_size(int index, unsigned long *level) {
    char *of_level = cache_line(index, "level"), *type = cache_line(index, "type");
    AUTO_FREE char *size = cache_line(index, "size");
    const bool holds_data = of_level && size && type && strcmp(type, "Instruction") != 0;
    *level = holds_data ? strtoul(of_level, NULL, 10) : 0;
    const size_t bytes = holds_data ? bytes_of(size) : 0;
    free(of_level);
    free(type);
    return bytes;
}

static size_t most_of(size_t a, size_t b) {
    return a > b ? a : b;
}

bench_caches bench_find_caches(void) {
    enum { most_caches = 8 };
    bench_caches c = {0, 0, 0};
    for (int k = 0; k < most_caches; k++) {
        unsigned long level;
        const size_t size = cache_size(k, &level);
        if (level == 1) c.first = most_of(c.first, size);
        if (level == 2) c.second = most_of(c.second, size);
        c.last = most_of(c.last, size);
    }
    if (!c.first) c.first = 32 << 10;
    if (!c.second) c.second = 512 << 10;
    c.last = most_of(c.last, c.second);
    return c;
}

/* ---- the part ---- */

/* The text after the colon of a line such as "model name : AMD EPYC". */
static const char *after_colon(const char *line) {
    const char *colon = strchr(line, ':');
    return colon ? colon + 1 + strspn(colon + 1, " \t") : line;
}

static void add_row(table *t, const char *what, char *value) {
    table_text(t, what);
    table_text(t, value);
    free(value);
}

static char *size_text(size_t bytes) {
    return bytes % (1 << 20) ? format_text("%zu KiB", bytes >> 10)
                             : format_text("%zu MiB", bytes >> 20);
}

/* "avx2 (also there: baseline)" */
static char *chosen_text(void) {
    const stiction_variant best = stiction_variant_best();
    char *text = format_text("%s", stiction_variant_name(best));
    for (int v = 0; v < STICTION_VARIANT_COUNT; v++) {
        if (v == (int)best || !stiction_variant_runs((stiction_variant)v)) continue;
        char *longer = format_text("%s%s%s", text, strchr(text, '(') ? ", " : " (runs too: ",
                                   stiction_variant_name((stiction_variant)v));
        free(text);
        text = longer;
    }
    char *whole = format_text("%s%s", text, strchr(text, '(') ? ")" : "");
    free(text);
    return whole;
}

static bool measure(const bench_request *request, const char *project, table *t,
                    stiction_error *error) {
    (void)request, (void)project, (void)error;
    const bench_caches c = bench_find_caches();
    char *model = first_line("/proc/cpuinfo", "model name");
    struct utsname system;
    const char *kind = uname(&system) == 0 ? system.machine : "not known";
    add_row(t, "processor", copy_text(model ? after_colon(model) : kind));
    free(model);
    add_row(t, "processors in use", format_text("%ld", sysconf(_SC_NPROCESSORS_ONLN)));
    add_row(t, "first cache, data", size_text(c.first));
    add_row(t, "second cache", size_text(c.second));
    add_row(t, "last cache", size_text(c.last));
    add_row(t, "instruction set", chosen_text());
    return true;
}

static const table_column columns[] = {{"machine", NULL, 0}, {"value", "", 0}};

const bench_part bench_machine = {
    .name = "machine",
    BENCH_COLUMNS(columns),
    .measure = measure,
};
