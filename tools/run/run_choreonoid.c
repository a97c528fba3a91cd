/*
 * A run in an installed Choreonoid: the plugin's batch mode, told by environment variables what to
 * replace. Its output is shown only when it fails.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "document/number.h"
#include "run.h"

/* Where the build found Choreonoid and put our plugin; empty: it found none. */
#ifndef STICTION_CHOREONOID_PROGRAM
#define STICTION_CHOREONOID_PROGRAM ""
#define STICTION_CHOREONOID_PLUGINS ""
#endif

static const char *program(void) {
    const char *given = getenv("STICTION_CHOREONOID");
    return given && *given ? given : STICTION_CHOREONOID_PROGRAM;
}

/* ---- which simulator ---- */

static void *read_name(reader *r, const void *path) {
    return copy_text(project_read(r, path)->simulators[0].name);
}

/* The first of the project, as on the embedded engine. NULL: a project that only Choreonoid can
 * read, which then must have one simulator. The caller frees it. */
static char *first_simulator(const char *project_path) {
    reader r = {.log = NULL};
    char *name = stiction_reader_run(&r, read_name, project_path);
    stiction_arena_free(&r.memory);
    return name;
}

/* ---- what to replace ---- */

static void set_number(const char *name, double value) {
    char text[NUMBER_SIZE];
    if (!isnan(value)) (void)setenv(name, stiction_number_write(value, text), 1);
}

/* All texts in one variable, with something between them; without any it is not set. */
static void set_texts(const char *name, const text_list *texts, const char *between) {
    char *all = copy_text("");
    for (size_t k = 0; k < texts->count; k++) {
        char *longer = format_text("%s%s%s", all, k ? between : "", texts->items[k]);
        free(all);
        all = longer;
    }
    if (*all) (void)setenv(name, all, 1);
    free(all);
}

static void set_overrides(const settings *s) {
    text_list lines = {.count = 0};
    for (size_t k = 0; k < s->value_count; k++)
        text_list_add(&lines, format_text("%s=%s", s->values[k].key, s->values[k].value));
    set_texts("STICTION_OVERRIDE", &lines, "\n");
    for (size_t k = 0; k < lines.count; k++) free((void *)lines.items[k]);
    free((void *)lines.items);
}

/* In the child, before it becomes Choreonoid. */
static void set_environment(const settings *s, const char *project_path, const char *batch_folder,
                            const char *configuration) {
    const world_options *w = &s->simulation.world;
    const friction_options *f = &s->simulation.friction;
    (void)setenv("STICTION_BATCH", batch_folder, 1);
    (void)setenv("STICTION_PROGRESS", "1", 1);
    set_number("STICTION_TIME", w->duration);
    set_number("STICTION_TIMESTEP", w->timestep);
    if (s->simulation.interval > 0) set_number("STICTION_INTERVAL", s->simulation.interval);
    char *first = w->simulator ? NULL : first_simulator(project_path);
    if (w->simulator || first)
        (void)setenv("STICTION_SIMULATOR", w->simulator ? w->simulator : first, 1);
    free(first);
    if (!isnan(w->gravity[0])) {
        char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE], text[3 * NUMBER_SIZE];
        (void)snprintf(text, sizeof text, "%s %s %s", stiction_number_write(w->gravity[0], x),
                       stiction_number_write(w->gravity[1], y),
                       stiction_number_write(w->gravity[2], z));
        (void)setenv("STICTION_GRAVITY", text, 1);
    }
    if (f->source == FRICTION_NONE) (void)setenv("STICTION_FRICTION", "none", 1);
    if (f->law) (void)setenv("STICTION_LAW", f->law, 1);
    if (configuration) (void)setenv("STICTION_CONFIGURATION", configuration, 1);
    set_overrides(s);
    set_texts("STICTION_CONTROLLER", &s->controller, " ");
    set_texts("STICTION_REPLACED", &s->given, "\n");
    const char *plugins = getenv("CNOID_PLUGIN_PATH");
    if (!plugins && *STICTION_CHOREONOID_PLUGINS)
        (void)setenv("CNOID_PLUGIN_PATH", STICTION_CHOREONOID_PLUGINS, 1);
    /* a plugin of Choreonoid's own may want a window system */
    if (!getenv("DISPLAY")) (void)setenv("QT_QPA_PLATFORM", "offscreen", 0);
}

/* The file that is given instead of the project's; NULL: none is. False after a sentence. */
static bool find_configuration(const char *given, char **path) {
    *path = given ? realpath(given, NULL) : NULL;
    return !given || *path || complain("%s: %s", given, strerror(errno));
}

/* ---- the child ---- */

/* False at the end. An interrupt is handed on to Choreonoid, which then writes what it has. */
static bool next_line(FILE *from, char **line, size_t *size, pid_t child) {
    while (getline(line, size, from) < 0) {
        if (!run_interrupted() || feof(from)) return false;
        (void)kill(child, SIGTERM);
        clearerr(from);
    }
    return true;
}

/* Lines of Choreonoid are kept; those that tell progress move the bar. */
static char *read_output(FILE *from, const char *project_path, pid_t child) {
    char *line = NULL, *all = NULL;
    size_t size = 0, length = 0;
    FILE *out = open_memstream(&all, &length);
    progress bar = progress_begin(project_path, 1, false);
    while (out && next_line(from, &line, &size, child)) {
        double simulated, duration;
        if (sscanf(line, "stiction: progress %lf %lf", &simulated, &duration) == 2) {
            char note[60];
            (void)snprintf(note, sizeof note, "%.2f s simulated", simulated);
            bar.total = duration;
            progress_update(&bar, simulated, note);
        } else {
            fputs(line, out);
        }
    }
    progress_end(&bar);
    free(line);
    if (out) (void)fclose(out);
    return all;
}

/* Of all that Choreonoid says, what the results warn of. */
static void print_warnings(const char *said) {
    static const char warning[] = "stiction: warning: ";
    for (const char *line = said; line && *line;) {
        const int length = (int)strcspn(line, "\n");
        if (strncmp(line, warning, strlen(warning)) == 0)
            fprintf(stderr, "%.*s\n", length - (int)strlen("stiction: "),
                    line + strlen("stiction: "));
        line += length + (line[length] == '\n');
    }
}

static int start(const char *project_path, const settings *s, const char *batch_folder,
                 const char *configuration, FILE **output) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        /* a sweep that is killed leaves nothing running */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        set_environment(s, project_path, batch_folder, configuration);
        (void)execlp(program(), program(), "--no-window", project_path, (char *)NULL);
        fprintf(stderr, "cannot start %s: %s\n", program(), strerror(errno));
        _exit(127);
    }
    (void)close(ends[1]);
    *output = fdopen(ends[0], "r");
    if (child < 0 || !*output) {
        (void)close(ends[0]);
        return -1;
    }
    return child;
}

/* Choreonoid writes into a folder of its simulator's name; its files belong one up. */
static bool take_results(const char *batch_folder, const char *folder) {
    char *sub = folder_only_child(batch_folder);
    static const char *const names[] = {"joints.csv", "summary.json"};
    bool fine = sub != NULL;
    for (size_t k = 0; fine && k < sizeof names / sizeof names[0]; k++) {
        char *from = format_text("%s/%s", sub, names[k]),
             *to = format_text("%s/%s", folder, names[k]);
        fine = rename(from, to) == 0;
        free(from);
        free(to);
    }
    free(sub);
    return fine;
}

static run_verdict run_child(const char *project_path, const settings *s, const char *batch_folder,
                             const char *folder, const char *configuration) {
    FILE *output = NULL;
    const int child = start(project_path, s, batch_folder, configuration, &output);
    if (child < 0) {
        (void)complain("cannot start %s: %s", program(), strerror(errno));
        return RUN_FAILED;
    }
    char *said = read_output(output, project_path, child);
    (void)fclose(output);
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const bool taken = take_results(batch_folder, folder);
    const run_verdict verdict = run_interrupted()     ? RUN_STOPPED
                                : ended_well && taken ? RUN_FINE
                                                      : RUN_FAILED;
    if (verdict != RUN_FAILED) {
        print_warnings(said);
    } else {
        fputs(said ? said : "", stderr);
        (void)complain("%s: Choreonoid %s", project_path,
                       !ended_well
                           ? "failed, see above"
                           : "wrote no results; give --simulator NAME where there are several");
    }
    free(said);
    return verdict;
}

run_verdict run_choreonoid(const char *project_path, const settings *s, const char *folder) {
    const simulation_options *o = &s->simulation;
    if (project_is_robot(project_path)) {
        (void)complain("%s: %s", project_path, PROJECT_IS_ROBOT);
        return RUN_FAILED;
    }
    if (!*program()) {
        (void)complain("this build found no Choreonoid; STICTION_CHOREONOID=PROGRAM names one");
        return RUN_FAILED;
    }
    if (o->friction.source == FRICTION_FRICTIONLOSS || o->world.integrator == WORLD_RK4) {
        (void)complain("%s: friction=frictionloss and integrator=rk4 are the embedded engine's",
                       project_path);
        return RUN_FAILED;
    }
    char *configuration = NULL, *batch_folder = format_text("%s/choreonoid", folder);
    run_verdict verdict = RUN_FAILED;
    if (find_configuration(o->friction.configuration, &configuration))
        verdict = run_child(project_path, s, batch_folder, folder, configuration);
    folder_remove(batch_folder);
    free(batch_folder);
    free(configuration);
    return verdict;
}
