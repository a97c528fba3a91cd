/* SPDX-License-Identifier: MIT
 * A run in an installed Choreonoid: the plugin's batch mode, which gets the overrides by
 * environment variables and answers with events (plugin/choreonoid/BatchEvents.h). What Choreonoid
 * itself prints is passed on only when the run fails.
 */
#include <errno.h>
#include <glob.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
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
#include "document/text.h"
#include "project_file.h"
#include "run.h"
#include "scene.h"
#include "storage/place.h"

/* Where the build found Choreonoid, and where plugins lie below a prefix; empty: it found none. */
#ifndef STICTION_CHOREONOID_PROGRAM
#define STICTION_CHOREONOID_PROGRAM       ""
#define STICTION_CHOREONOID_PLUGIN_SUBDIR ""
#endif

static const char *program(void) {
    const char *given = getenv("STICTION_CHOREONOID");
    return given && *given ? given : STICTION_CHOREONOID_PROGRAM;
}

/* ---- the project ---- */

static void *check_project(reader *r, const void *path) {
    project_check(r, path);
    return r;
}

/* Refuses what is an error in Choreonoid as well. */
static bool project_is_fine(const char *project_path, stiction_error *error) {
    reader r = {.error = error};
    const bool fine = stiction_reader_run(&r, check_project, project_path);
    stiction_arena_free(&r.memory);
    return fine;
}

/* A simulator of a project that can be read here. */
typedef struct chosen {
    const char *project_path, *name; /* NULL: the first, as on the embedded engine */
    char *found;                     /* its name; the caller frees it. NULL: not found */
    char *endless; /* why it has no end, for a message; the caller frees it; or NULL */
    char *mjcf;    /* a body that Choreonoid cannot load; the caller frees it; or NULL */
    double duration, timestep; /* s; NaN: not known */
} chosen;

static void *choose(reader *r, const void *context) {
    chosen *c = *(chosen *const *)context;
    const project *p = project_read(r, c->project_path);
    for (size_t k = 0; k < p->body_count && !c->mjcf; k++)
        if (robot_format_of(p->bodies[k].file->path) == ROBOT_MJCF)
            c->mjcf = copy_text(p->bodies[k].file->path);
    for (size_t k = 0; k < p->simulator_count && !c->found; k++) {
        const project_simulator *s = &p->simulators[k];
        if (c->name && strcmp(c->name, s->name) != 0) continue;
        const char *endless = project_endlessness(p, s);
        c->found = copy_text(s->name);
        c->endless = endless ? copy_text(endless) : NULL;
        c->duration = s->duration;
        c->timestep = s->timestep;
    }
    return c;
}

static void free_chosen(chosen *c) {
    free(c->found);
    free(c->endless);
    free(c->mjcf);
}

/* Finds nothing if only Choreonoid can read the project, which then must have one simulator. */
static chosen choose_simulator(const char *project_path, const char *name) {
    chosen c = {.project_path = project_path,
                .name = name,
                .duration = (double)NAN,
                .timestep = (double)NAN};
    chosen *const context = &c;
    reader r = {.error = NULL};
    (void)stiction_reader_run(&r, choose, &context);
    stiction_arena_free(&r.memory);
    return c;
}

/* ---- what to replace ---- */

/* A run, and the file that is given instead of the project's configuration; NULL: none is. */
typedef struct request {
    const char *project_path;
    const overrides *overrides;
    const char *batch_folder, *configuration;
    const char *simulator;   /* NULL: the project has one */
    const char *robot;       /* that the project was written for, in a scratch folder; or NULL */
    const char *plugin_path; /* CNOID_PLUGIN_PATH; NULL: as it is */
} request;

/* All texts, one per line; NULL without any. */
static char *join_texts(const char *const *texts, size_t count) {
    char *all = NULL;
    for (size_t k = 0; k < count; k++) append_text(&all, "%s%s", all ? "\n" : "", texts[k]);
    return all;
}

/* Appends "KEY=VALUE", one per line. */
static char *join_overrides(char *all, const stiction_override *values, size_t count) {
    for (size_t k = 0; k < count; k++)
        append_text(&all, "%s%s=%s", all ? "\n" : "", values[k].key, values[k].value);
    return all;
}

/* ---- the plugin ---- */

#define PLUGIN_FILE "libCnoidStictionPlugin.so"

/* Our plugin in a folder; NULL: it is not there. The caller frees it. */
static char *plugin_in(const char *folder) {
    char *plugin = format_text("%s/" PLUGIN_FILE, folder);
    if (access(plugin, R_OK) == 0) return plugin;
    free(plugin);
    return NULL;
}

/* Our plugin in Choreonoid's own prefix, where Choreonoid finds it by itself; NULL: it is not
 * there. The caller frees it. */
static char *installed_plugin(void) {
    const char *slash = strrchr(program(), '/');
    AUTO_FREE char *pattern = format_text("%.*s../lib*/choreonoid-*/" PLUGIN_FILE,
                                          slash ? (int)(slash + 1 - program()) : 0, program());
    glob_t found;
    char *plugin = NULL;
    if (slash && glob(pattern, 0, NULL, &found) == 0) {
        plugin = copy_text(found.gl_pathv[0]);
        globfree(&found);
    }
    return plugin;
}

/* Our plugin in the build with this program, or with it below one prefix; NULL: neither. The caller
 * frees it. */
static char *own_plugin(void) {
    static const char *const beside[] = {"", "../"};
    char own[PATH_MAX], *plugin = NULL;
    if (!*STICTION_CHOREONOID_PLUGIN_SUBDIR || !realpath("/proc/self/exe", own)) return NULL;
    char *slash = strrchr(own, '/');
    if (slash) slash[1] = '\0';
    for (size_t k = 0; k < sizeof beside / sizeof beside[0] && !plugin; k++) {
        AUTO_FREE char *folder =
            format_text("%s%s%s", own, beside[k], STICTION_CHOREONOID_PLUGIN_SUBDIR);
        plugin = plugin_in(folder);
    }
    return plugin;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Choreonoid loads neither of two copies. `known` is one of them or NULL, and is freed; the result
 * is the only one, or NULL. */
static char *find_only_plugin(char *known, stiction_error *error, bool *fine) {
    const char *list = getenv("CNOID_PLUGIN_PATH");
    for (const char *at = list ? list : ""; *at && *fine; at += *at == ':') {
        const size_t length = strcspn(at, ":");
        char *folder = format_text("%.*s", (int)length, at), *plugin = plugin_in(folder);
        if (plugin && known && !is_same_file(plugin, known))
            *fine = fail(error,
                         "%s and %s are two copies of the Stiction plugin, and Choreonoid would "
                         "load neither; remove one of them, or its folder from CNOID_PLUGIN_PATH",
                         known, plugin);
        else if (plugin && !known) {
            known = plugin;
            plugin = NULL;
        }
        free(plugin);
        free(folder);
        at += length;
    }
    return known;
}

/* What CNOID_PLUGIN_PATH must be so that Choreonoid finds our plugin once: an installed one first,
 * since Choreonoid cannot be kept from it. NULL: as it is. The caller frees it. */
static char *choose_plugin_path(stiction_error *error, bool *fine) {
    AUTO_FREE char *found = find_only_plugin(installed_plugin(), error, fine), *own = own_plugin();
    char *path = NULL, *slash = own ? strrchr(own, '/') : NULL;
    const char *given = getenv("CNOID_PLUGIN_PATH");
    if (!found && slash) {
        *slash = '\0';
        path = format_text("%s%s%s", given ? given : "", given && *given ? ":" : "", own);
    }
    return path;
}

static void set_variable(const char *name, const char *text) {
    (void)(text ? setenv(name, text, 1) : unsetenv(name));
}

/* The same with a text that is freed. */
static void set_made(const char *name, char *text) {
    set_variable(name, text);
    free(text);
}

static void set_number(const char *name, double value) {
    char text[NUMBER_SIZE];
    set_variable(name, isnan(value) ? NULL : stiction_number_write(value, text));
}

static void set_gravity(const double g[3]) {
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    set_made("STICTION_GRAVITY",
             isnan(g[0])
                 ? NULL
                 : format_text("%s %s %s", stiction_number_write(g[0], x),
                               stiction_number_write(g[1], y), stiction_number_write(g[2], z)));
}

/* Values of the configuration. */
static char *friction_overrides(const friction_options *f) {
    const stiction_override choices[] = {{"coupling", f->coupling}, {"element", f->element}};
    char *all = NULL;
    for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++)
        if (choices[k].value) all = join_overrides(all, &choices[k], 1);
    return join_overrides(all, f->overrides, f->override_count);
}

/* In the child, before it becomes Choreonoid: all variables that the plugin reads. A value from the
 * caller's shell would change the run without a trace in its results, so a variable without a value
 * here is unset. */
static void set_environment(const request *q) {
    const simulation_options *o = &q->overrides->simulation;
    const friction_options *f = &o->friction;
    set_variable("STICTION_BATCH", q->batch_folder);
    set_variable("STICTION_PROGRESS", NULL);
    set_variable("STICTION_REPEAT", NULL);
    set_variable("STICTION_SIMULATOR", q->simulator);
    set_variable("STICTION_PROJECT", q->robot);
    set_number("STICTION_TIME", o->world.duration);
    set_number("STICTION_TIMESTEP", o->world.timestep);
    set_number("STICTION_INTERVAL", o->interval > 0 ? o->interval : (double)NAN);
    set_gravity(o->world.gravity);
    set_variable("STICTION_FRICTION", f->source == FRICTION_NONE ? "none" : NULL);
    set_variable("STICTION_LAW", f->law);
    set_variable("STICTION_CONFIGURATION", q->configuration);
    set_made("STICTION_OVERRIDE", friction_overrides(f));
    set_made("STICTION_CONTROLLER", join_texts(o->controller, o->controller_count));
    set_made("STICTION_CONTROLLERS", join_texts(o->specifications, o->specification_count));
    set_variable("STICTION_TARGETS", o->targets);
    set_made("STICTION_PUSHES", join_overrides(NULL, o->pushes, o->push_count));
    set_made("STICTION_REPLACED", join_texts(o->overrides, o->override_count));
    if (q->plugin_path) (void)setenv("CNOID_PLUGIN_PATH", q->plugin_path, 1);
    /* a plugin of Choreonoid's own may want a window system */
    if (!getenv("DISPLAY")) (void)setenv("QT_QPA_PLATFORM", "offscreen", 0);
}

/* The configuration that replaces that of the project; NULL: none. */
static bool find_configuration(const char *given, char **path, stiction_error *error) {
    *path = given ? realpath(given, NULL) : NULL;
    return !given || *path || fail_errno(error, given);
}

/* ---- the child ---- */

/* False at the end. An interrupt is passed on to Choreonoid, which then writes its results so far;
 * it is repeated after a while, since Choreonoid loses one that comes while it starts. */
static bool next_line(FILE *from, char **line, size_t *size, pid_t child, double *passed_on) {
    enum { a_while = 2 }; /* s */
    bool there;
    do {
        there = getline(line, size, from) >= 0;
        const double now = monotonic_seconds();
        if (run_interrupted() && !(now - *passed_on < a_while)) {
            *passed_on = now;
            (void)kill(child, SIGTERM);
        }
        if (there || feof(from) || errno != EINTR) break;
        clearerr(from);
    } while (true);
    return there;
}

/* A child, what it prints, and the pipe of plugin/choreonoid/BatchEvents.h. */
typedef struct choreonoid {
    pid_t process;
    FILE *output, *events;
} choreonoid;

/* Processor time of a process, s, and whether it only waits. */
static double processor_time(pid_t process, bool *waits) {
    char *path = format_text("/proc/%d/stat", (int)process), state = 'R';
    unsigned long user = 0, system = 0;
    FILE *file = fopen(path, "r");
    /* the name in parentheses is "choreonoid" */
    if (file && fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                       &state, &user, &system) != 3)
        state = 'R';
    if (file) (void)fclose(file);
    free(path);
    *waits = state == 'S';
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* The plugin reports itself as soon as it is loaded. Without it Choreonoid would wait for ever: it
 * has used next to no processor time for a while, however busy the machine is. */
static bool waits_for_plugin(const choreonoid *child) {
    enum { a_while = 10 }; /* s */
    double since = monotonic_seconds(), used = 0;
    struct pollfd events = {.fd = fileno(child->events), .events = POLLIN};
    while (!run_interrupted() && poll(&events, 1, 200) <= 0) {
        bool waits;
        const double now = monotonic_seconds(), time = processor_time(child->process, &waits);
        if (!waits || time > used + 0.02 * (now - since) + 0.02) {
            since = now;
            used = time;
        } else if (now - since > a_while) {
            return false;
        }
    }
    return true;
}

/* Progress moves the bar; the list of the other events is the caller's. */
static json_t *read_events(const choreonoid *child, const char *project_path) {
    json_t *events = must_have(json_array());
    if (!waits_for_plugin(child)) {
        (void)kill(child->process, SIGKILL);
        (void)json_array_append_new(
            events, json_pack("{ss}", "error",
                              "Choreonoid did not load the Stiction plugin; install it into "
                              "Choreonoid's prefix or name its folder in CNOID_PLUGIN_PATH"));
        return events;
    }
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    double passed_on = (double)NAN; /* s: when; never */
    progress bar = progress_begin(project_path, 1, false);
    while (next_line(child->events, &line, &size, child->process, &passed_on)) {
        json_auto_t *event = json_loads(line, 0, NULL);
        double simulated, duration;
        if (json_unpack(event, "{s[FF]}", "progress", &simulated, &duration) == 0) {
            char note[60];
            (void)snprintf(note, sizeof note, "%.2f s simulated", simulated);
            bar.total = duration;
            progress_update(&bar, simulated, note);
        } else if (event) {
            (void)json_array_append(events, event);
        }
    }
    progress_end(&bar);
    return events;
}

/* Passes the texts of all events with this key on. */
static void log_events(json_t *events, const char *key, stiction_log log, void *user,
                       stiction_log_level level) {
    size_t k;
    json_t *event;
    json_array_foreach(events, k, event) {
        const char *text = json_string_value(json_object_get(event, key));
        if (text && log) log(user, level, text);
    }
}

static const char *first_text(json_t *events, const char *key) {
    size_t k;
    json_t *event;
    json_array_foreach(events, k, event) {
        const char *text = json_string_value(json_object_get(event, key));
        if (text) return text;
    }
    return NULL;
}

/* Choreonoid colours its messages, also in files. */
static void remove_colours(char *line) {
    char *to = line;
    for (const char *from = line; *from; from++) {
        const size_t length =
            from[0] == '\033' && from[1] == '[' ? 2 + strcspn(from + 2, "m\n") : 0;
        if (length && from[length] == 'm')
            from += length;
        else if (*from != '\n')
            *to++ = *from;
    }
    *to = '\0';
}

static void log_output(FILE *output, const run_outputs *outputs) {
    AUTO_FREE char *line = NULL;
    size_t size = 0;
    rewind(output);
    while (getline(&line, &size, output) >= 0) {
        remove_colours(line);
        if (outputs->messages) outputs->messages(outputs->log_user, STICTION_LOG_INFO, line);
    }
}

/* In the child: becomes Choreonoid. */
static _Noreturn void execute(const request *q, int output, int events) {
    /* a sweep that is killed leaves nothing running */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* an interrupt of the terminal or of timeout(1) comes once, from us */
    (void)setpgid(0, 0);
    run_release_interrupts();
    if (!freopen("/dev/null", "r", stdin)) _exit(126);
    (void)dup2(output, STDOUT_FILENO);
    (void)dup2(output, STDERR_FILENO);
    set_environment(q);
    char descriptor[20];
    (void)snprintf(descriptor, sizeof descriptor, "%d", events);
    (void)setenv("STICTION_EVENTS", descriptor, 1);
    (void)execlp(program(), program(), "--no-window", q->project_path, (char *)NULL);
    (void)dprintf(events, "{\"errno\": %d}\n", errno);
    _exit(127);
}

static bool start(const request *q, choreonoid *child, stiction_error *error) {
    int ends[2];
    *child = (choreonoid){-1, tmpfile(), NULL};
    if (child->output && pipe(ends) == 0) {
        child->events = fdopen(ends[0], "r");
        child->process = child->events ? fork() : -1;
        if (child->process == 0) {
            (void)close(ends[0]);
            execute(q, fileno(child->output), ends[1]);
        }
        if (!child->events) (void)close(ends[0]);
        (void)close(ends[1]);
    }
    return child->process > 0 || fail(error, "cannot start %s: %s", program(), strerror(errno));
}

static void close_streams(const choreonoid *child) {
    if (child->output) (void)fclose(child->output);
    if (child->events) (void)fclose(child->events);
}

/* Choreonoid writes into a folder of its simulator's name; its files, also those that controllers
 * leave, belong one up, the list of them last. It may have died while it wrote. */
static bool take_results(const char *batch_folder, const char *folder) {
    AUTO_FREE char *sub = folder_only_child(batch_folder);
    AUTO(manifest_free) manifest list = {.entries = NULL};
    const char *reason;
    bool fine =
        sub && manifest_read(&list, sub) == MANIFEST_FINE && !manifest_check(&list, sub, &reason);
    for (size_t k = 0; fine && k <= list.count; k++) {
        const char *name = k < list.count ? list.entries[k].name : MANIFEST_NAME;
        AUTO_FREE char *from = format_text("%s/%s", sub, name),
                       *to = format_text("%s/%s", folder, name);
        fine = rename(from, to) == 0;
    }
    return fine;
}

/* The first error of the plugin, of Choreonoid, or what is known without one. */
static void take_failure(const request *q, json_t *events, bool ended_well, stiction_error *error) {
    const char *text = first_text(events, "error");
    int reason;
    if (!text) text = first_text(events, "choreonoid");
    if (text)
        (void)fail(error, "%s", text);
    else if (json_unpack(json_array_get(events, 0), "{si}", "errno", &reason) == 0)
        (void)fail(error, "cannot start %s: %s", program(), strerror(reason));
    else
        (void)fail(error, "%s: Choreonoid %s", q->project_path,
                   ended_well ? "wrote no results; give --simulator NAME where there are several"
                              : "failed, see above");
}

static run_verdict run_child(const request *q, const run_outputs *outputs, const char *folder,
                             stiction_error *error) {
    choreonoid child;
    if (!start(q, &child, error)) {
        close_streams(&child);
        return RUN_FAILED;
    }
    json_auto_t *events = read_events(&child, q->project_path);
    int status;
    while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) continue;
    const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    run_hold_interrupts(true);
    const bool taken = take_results(q->batch_folder, folder);
    run_hold_interrupts(false);
    const run_verdict verdict = run_interrupted()     ? RUN_STOPPED
                                : ended_well && taken ? RUN_FINE
                                                      : RUN_FAILED;
    log_events(events, "message", outputs->messages, outputs->log_user, STICTION_LOG_INFO);
    if (verdict != RUN_FAILED) {
        log_events(events, "warning", outputs->log, outputs->log_user, STICTION_LOG_WARNING);
    } else {
        log_output(child.output, outputs);
        take_failure(q, events, ended_well, error);
    }
    close_streams(&child);
    return verdict;
}

/* MJCF, in either way. */
#define NOT_LOADED                                                                                 \
    ", which Choreonoid does not load; `stiction new` writes a project with a .body of it"

/* Finds errors before Choreonoid starts. The caller frees `simulator` and `configuration` either
 * way. */
static bool check_request(const char *project_path, const overrides *values, chosen *simulator,
                          char **configuration, stiction_error *error) {
    const simulation_options *o = &values->simulation;
    *simulator = (chosen){.name = NULL};
    *configuration = NULL;
    if (o->world.floor || o->world.base != ROBOT_BASE_OF_FILE)
        return fail(error, "%s: floor and fixed_base are for a robot; a project has its own",
                    project_path);
    if (!*program())
        return fail(error, "this build found no Choreonoid; STICTION_CHOREONOID=PROGRAM names one");
    if (o->friction.source == FRICTION_FRICTIONLOSS || o->world.integrator == WORLD_RK4)
        return fail(error, "%s: friction=frictionloss and integrator=rk4 are the embedded engine's",
                    project_path);
    if (!project_is_fine(project_path, error)) return false;
    *simulator = choose_simulator(project_path, o->world.simulator);
    if (simulator->mjcf)
        return fail(error, "%s: the body '%s' is MJCF" NOT_LOADED, project_path, simulator->mjcf);
    if (isnan(o->world.duration) && simulator->endless)
        return fail(error, "%s: the simulator '%s' runs %s; " RUN_NEEDS_DURATION, project_path,
                    simulator->found, simulator->endless);
    const double duration = isnan(o->world.duration) ? simulator->duration : o->world.duration,
                 timestep = isnan(o->world.timestep) ? simulator->timestep : o->world.timestep;
    if (duration < timestep * (1 - 1e-9))
        return fail(error, "%s: duration %g s is shorter than a time step, %g s", project_path,
                    duration, timestep);
    return find_configuration(o->friction.configuration, configuration, error);
}

static run_verdict run_project(const char *project_path, const char *robot_path, const overrides *o,
                               const run_outputs *outputs, const char *folder,
                               stiction_error *error) {
    AUTO(free_chosen) chosen simulator;
    AUTO_FREE char *configuration = NULL;
    const char *given = o->simulation.world.simulator;
    bool fine = check_request(project_path, o, &simulator, &configuration, error);
    AUTO_FREE char *plugin_path = fine ? choose_plugin_path(error, &fine) : NULL;
    if (!fine) return RUN_FAILED;
    AUTO_FREE char *batch_folder = format_text("%s/choreonoid", folder);
    const request q = {.project_path = project_path,
                       .overrides = o,
                       .batch_folder = batch_folder,
                       .configuration = configuration,
                       .simulator = given ? given : simulator.found,
                       .robot = robot_path,
                       .plugin_path = plugin_path};
    const run_verdict verdict = run_child(&q, outputs, folder, error);
    folder_remove(batch_folder);
    return verdict;
}

/* ---- robots without a project ---- */

/* A project beside the results, which names the robot by its whole path. */
typedef struct robot_project {
    const char *robot, *folder, *path;
    const overrides *overrides;
    char *configuration; /* NULL: none */
} robot_project;

/* What a body is called in the project; the floor is written beside it. */
static const char *body_path(reader *r, const robot_project *q, const project_body *body) {
    AUTO_FREE char *whole = realpath(q->robot, NULL);
    const char *path = stiction_reader_format(r, "%s", whole ? whole : q->robot);
    if (!project_needs_body_file(body)) return path;
    FILE *out = fopen(stiction_reader_format(r, "%s/floor.body", q->folder), "w");
    if (!out)
        stiction_reader_refuse(r, (stiction_place){q->folder, 0, 0}, "cannot write floor.body: %s",
                               strerror(errno));
    body_write_yaml(r, out, body->file);
    (void)fclose(out);
    return "floor.body";
}

static void *write_project(reader *r, const void *context) {
    const robot_project *q = context;
    const world_options *o = &q->overrides->simulation.world;
    if (robot_format_of(q->robot) == ROBOT_MJCF)
        stiction_reader_refuse(r, (stiction_place){q->robot, 0, 0}, "is MJCF" NOT_LOADED);
    const project *p = project_of_robot(
        r, q->robot,
        &(project_robot_options){.floor = o->floor ? PROJECT_FLOOR : PROJECT_NO_FLOOR,
                                 .base = o->base,
                                 .posture = o->posture});
    const char **files = stiction_reader_alloc(r, p->body_count * sizeof *files);
    for (size_t k = 0; k < p->body_count; k++) files[k] = body_path(r, q, &p->bodies[k]);
    FILE *out = fopen(q->path, "w");
    if (!out)
        stiction_reader_refuse(r, (stiction_place){q->path, 0, 0}, "cannot be written: %s",
                               strerror(errno));
    project_file_write(out, &(project_file){.project = p,
                                            .files = files,
                                            .comment = "Written by stiction run for a robot.",
                                            .configuration = q->configuration});
    if (fclose(out) != 0)
        stiction_reader_refuse(r, (stiction_place){q->path, 0, 0}, "cannot be written: %s",
                               strerror(errno));
    return r;
}

static run_verdict run_robot(const char *robot_path, const overrides *o, const run_outputs *outputs,
                             const char *folder, stiction_error *error) {
    AUTO_FREE char *configuration = NULL;
    if (!find_configuration(o->simulation.friction.configuration, &configuration, error))
        return RUN_FAILED;
    reader r = {.log = outputs->log, .log_user = outputs->log_user, .error = error};
    AUTO_FREE char *name = path_stem(robot_path), *path = format_text("%s/%s.cnoid", folder, name);
    const robot_project q = {robot_path, folder, path, o, configuration};
    const bool written = stiction_reader_run(&r, write_project, &q);
    stiction_arena_free(&r.memory);
    overrides of_project = *o; /* which shares its memory */
    of_project.simulation.world.floor = false;
    of_project.simulation.world.base = ROBOT_BASE_OF_FILE;
    return written ? run_project(path, robot_path, &of_project, outputs, folder, error)
                   : RUN_FAILED;
}

/* The shapes for the replay, as the embedded engine reads them; what only Choreonoid can read has
 * none, which is a warning. */
static void write_scene(const char *path, const overrides *o, const run_outputs *outputs,
                        const run_data *data, const char *folder) {
    stiction_error error;
    world_options options = o->simulation.world;
    options.log = NULL; /* differences to Choreonoid do not matter to shapes */
    AUTO_FREE const char **names = allocate(data->joint_count + 1, sizeof *names);
    for (size_t k = 0; k < data->joint_count; k++) names[k] = data->joints[k].name;
    size_t missing;
    if (scene_write_of(path, &options, names, data->joint_count, &missing, folder, &error)) return;
    AUTO_FREE char *message = format_text("the report has no replay: %s", error.message);
    if (outputs->log) outputs->log(outputs->log_user, STICTION_LOG_WARNING, message);
}

/* Choreonoid writes joints.csv; the other outputs are made of it. */
static bool finish_files(const char *path, const overrides *o, const run_outputs *outputs,
                         const char *folder, stiction_error *error) {
    bool fine = true;
    if (outputs->report || outputs->pictures) {
        AUTO(run_data_release) run_data data;
        fine = run_data_load(&data, folder, error);
        if (fine && outputs->report) write_scene(path, o, outputs, &data, folder);
        fine = fine && run_write_report(&data, outputs, folder, error);
    }
    return fine && (outputs->series == SERIES_CSV ||
                    series_convert(folder, outputs->series, error) == STICTION_OK);
}

run_verdict run_choreonoid(const char *path, const overrides *o, const run_outputs *outputs,
                           const char *folder, stiction_error *error) {
    run_verdict verdict = robot_is_file(path) ? run_robot(path, o, outputs, folder, error)
                                              : run_project(path, NULL, o, outputs, folder, error);
    stiction_error unwritten;
    run_hold_interrupts(true);
    if (run_has_results(folder) && !finish_files(path, o, outputs, folder, &unwritten)) {
        if (verdict != RUN_FAILED) *error = unwritten;
        verdict = RUN_UNWRITTEN;
    }
    run_hold_interrupts(false);
    return verdict;
}

/* What only Choreonoid knows, such as the values of the configuration on its robot, is seen when
 * the run begins. */
bool run_check_choreonoid(const char *path, const overrides *o, stiction_error *error) {
    AUTO(free_chosen) chosen simulator = {.name = NULL};
    AUTO_FREE char *configuration = NULL;
    stiction_config *loaded = NULL;
    stiction_errors *errors = must_have(stiction_errors_create());
    /* of a robot the embedded engine reads what Choreonoid's project is made of */
    bool fine = robot_is_file(path) ? find_configuration(o->simulation.friction.configuration,
                                                         &configuration, error)
                                    : check_request(path, o, &simulator, &configuration, error);
    if (fine && configuration) {
        const stiction_status status = stiction_config_load(configuration, &loaded, errors);
        fine = status == STICTION_OK || fail_first(error, errors, status);
    }
    stiction_config_destroy(loaded);
    stiction_errors_destroy(errors);
    return fine;
}
