/* SPDX-License-Identifier: MIT
 * stiction run: projects and robots, headlessly, each into a folder of its own.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_options.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "controllers/host/controller_host.h"
#include "document/number.h"
#include "plot/plot.h"
#include "report/report.h"
#include "report/run_data.h"
#include "robots/robot_bodies.h"
#include "run/project_traits.h"
#include "run/run.h"
#include "run/run_table.h"
#include "run/video_file.h"
#include "storage/folders.h"
#include "storage/place.h"

typedef struct run_options {
    const char *engine, *out, *name, *simulator;
    text_list set, controllers;
    bool untrusted;
    const char *targets;
    double interval, video, duration, timestep;
    const char *video_size, *video_format, *config, *posture;
    bool floor;
    base_options base;
    const char *series;
    bool force, no_report, pictures, csv, json, strict;
} run_options;

/* What there is to run. */
typedef struct job {
    const char *project;
    char *name, *folder;
    place place;  /* where the folder is made */
    bool written; /* the folder has the results of this run */
    run_verdict verdict;
} job;

/* ---- before anything runs ---- */

static bool check_job(const job *jobs, size_t k) {
    const job *j = &jobs[k];
    for (size_t other = 0; other < k; other++)
        if (strcmp(jobs[other].name, j->name) == 0)
            return print_error("%s and %s would share the folder %s; give another --out for one",
                               jobs[other].project, j->project, j->folder);
    return file_exists(j->project) || print_error("%s: there is no such file", j->project);
}

/* From here on the folders are ours: nobody else writes there. */
static bool open_places(const run_options *o, job *jobs, size_t count) {
    bool fine = true;
    for (size_t k = 0; k < count; k++) fine = check_job(jobs, k) && fine;
    stiction_error error;
    if (fine && !o->no_report && count > 1)
        fine = place_may_write(o->out, "index.html", o->force, &error) || report_error(&error);
    for (size_t k = 0; k < count && fine; k++)
        fine = place_open(&jobs[k].place, jobs[k].folder, o->force ? PLACE_REPLACE : PLACE_FREE,
                          &error) ||
               report_error(&error);
    return fine;
}

static job *make_jobs(const run_options *o, const text_list *projects) {
    job *jobs = allocate(projects->count, sizeof *jobs);
    for (size_t k = 0; k < projects->count; k++) {
        jobs[k].project = projects->items[k];
        jobs[k].name = o->name ? copy_text(o->name) : path_stem(projects->items[k]);
        jobs[k].folder = format_text("%s/%s", o->out, jobs[k].name);
        jobs[k].verdict = RUN_STOPPED;
        jobs[k].place = (place){.lock = -1};
    }
    return jobs;
}

static void free_jobs(job *jobs, size_t count) {
    for (size_t k = 0; k < count; k++) {
        place_close(&jobs[k].place);
        free(jobs[k].name);
        free(jobs[k].folder);
    }
    free(jobs);
}

/* ---- running ---- */

static void run_job(job *j, run_engine *engine, const overrides *o, const run_outputs *outputs) {
    stiction_error error = {.status = STICTION_OK};
    j->verdict = run_into_place(&j->place, j->project, engine, o, outputs, &j->written, &error);
    if (j->verdict != RUN_FINE && error.status != STICTION_OK) (void)report_error(&error);
}

/* Of results that are there. */
static bool is_stable(const job *j) {
    run_data data;
    stiction_error error;
    if (!run_data_load_summary(&data, j->folder, &error)) return report_error(&error);
    const bool stable = run_data_is_stable(&data);
    run_data_release(&data);
    return stable;
}

static int exit_code(const job *jobs, size_t count, bool strict) {
    int code = EXIT_FINE;
    for (size_t k = 0; k < count; k++)
        if (jobs[k].verdict != RUN_FINE || (strict && !is_stable(&jobs[k]))) code = EXIT_DATA;
    return code;
}

static bool is_any_written(const job *jobs, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (jobs[k].written) return true;
    return false;
}

static bool write_index(const run_options *o, const char *const *names, size_t count) {
    AUTO(place_close) place p;
    stiction_error error;
    const bool fine = place_open_folder(&p, o->out, &error) &&
                      place_may_write(o->out, "index.html", o->force, &error) &&
                      report_index(o->out, p.fresh, names, count, &error) &&
                      place_add(&p, o->force, &error);
    return fine || report_error(&error);
}

/* A disk that is full has the results and not the page. */
static bool has_report(const char *folder) {
    AUTO_FREE char *path = format_text("%s/report.html", folder);
    return access(path, F_OK) == 0;
}

/* False after an error message: the index could not be written. */
static bool show_results(const run_options *o, const job *jobs, size_t count) {
    AUTO_FREE const char **folders = allocate(count, sizeof *folders);
    AUTO_FREE const char **names = allocate(count, sizeof *names);
    const bool for_people = !o->csv && !o->json;
    size_t written = 0;
    for (size_t k = 0; k < count; k++)
        if (jobs[k].written) {
            folders[written] = jobs[k].folder;
            names[written++] = jobs[k].name;
        }
    if (written) {
        stiction_errors *errors = must_have(stiction_errors_create());
        run_table_write(stdout, folders, written,
                        o->json  ? TABLE_JSON
                        : o->csv ? TABLE_CSV
                                 : TABLE_TEXT,
                        errors);
        (void)report_errors(errors);
        stiction_errors_destroy(errors);
    }
    const bool several = !o->no_report && written > 1;
    const bool fine = !several || write_index(o, names, written);
    const bool has_index = several && fine && for_people;
    const bool has_page = !o->no_report && written == 1 && for_people && has_report(folders[0]);
    if (has_index || has_page) (void)putchar('\n');
    if (has_index) show_line("report: %s/index.html", o->out);
    if (has_page) show_line("report: %s/report.html", folders[0]);
    return fine;
}

static int run_jobs(const run_options *o, const overrides *values, const run_outputs *outputs,
                    run_engine *engine, const text_list *projects) {
    const size_t count = projects->count;
    job *jobs = make_jobs(o, projects);
    int code = EXIT_DATA;
    run_catch_interrupts();
    if (open_places(o, jobs, count)) {
        for (size_t k = 0; k < count && !run_interrupted() && !controller_host_has_crashed(); k++)
            run_job(&jobs[k], engine, values, outputs);
        const bool shown = show_results(o, jobs, count);
        code = shown ? exit_code(jobs, count, o->strict) : EXIT_DATA;
        if (controller_host_has_crashed()) code = EXIT_DATA;
        if (run_interrupted())
            (void)(is_any_written(jobs, count)
                       ? print_error("stopped; what was computed so far is in %s", o->out)
                       : print_error("stopped; nothing of it was written"));
    }
    free_jobs(jobs, count);
    return code;
}

static bool read_video(const run_options *o, run_outputs *outputs, stiction_error *error) {
    char rest;
    outputs->video_rate = o->video;
    if (isnan(o->video))
        return (!o->video_size && !o->video_format) ||
               fail(error, "--video-%s is for --video", o->video_size ? "size" : "format");
    if (strcmp(o->engine, "mujoco") != 0)
        return fail(error, "--video is for the embedded engine alone");
    const char *size = o->video_size ? o->video_size : "640x480";
    if (sscanf(size, "%dx%d%c", &outputs->video_width, &outputs->video_height, &rest) != 2)
        return fail(error, "--video-size %s: must be WIDTHxHEIGHT", size);
    outputs->video_format = video_format_find(o->video_format);
    return outputs->video_format ||
           fail(error, "--video-format %s: must be " VIDEO_FORMATS, o->video_format);
}

/* Which files are written, and what is recorded for them. */
static bool read_files(const run_options *o, run_outputs *outputs, double *interval,
                       stiction_error *error) {
    if (!series_format_find(o->series, &outputs->series))
        return fail(error, "--series %s: must be " SERIES_FORMATS, o->series);
    if (o->pictures && !plot_png_possible()) return fail(error, "--pictures: " REPORT_NO_PNGS);
    outputs->report = !o->no_report;
    outputs->pictures = o->pictures;
    const bool is_used = outputs->series != SERIES_NONE || outputs->report || outputs->pictures;
    if (!is_used && !isnan(o->interval))
        return fail(error, "--interval is for rows of the series, which nothing is made of here");
    const bool embedded = strcmp(o->engine, "mujoco") == 0;
    *interval = !isnan(o->interval) ? o->interval
                : is_used           ? 0
                : embedded          ? (double)NAN
                                    : 1e300; /* one row */
    return true;
}

/* Options that are short for --set, before what is given with that. */
typedef struct short_settings {
    char *texts[6];
    size_t count;
    text_list all;
} short_settings;

static void add_setting(short_settings *s, char *text) {
    text_list_add(&s->all, s->texts[s->count++] = text);
}

static short_settings write_settings(const run_options *o) {
    short_settings s = {.count = 0};
    char number[NUMBER_SIZE];
    if (o->config) add_setting(&s, format_text("configuration=%s", o->config));
    if (!isnan(o->duration))
        add_setting(&s, format_text("duration=%s", stiction_number_write(o->duration, number)));
    if (!isnan(o->timestep))
        add_setting(&s, format_text("timestep=%s", stiction_number_write(o->timestep, number)));
    if (o->posture) add_setting(&s, format_text("posture=%s", o->posture));
    if (o->floor) add_setting(&s, copy_text("floor=true"));
    if (base_of(&o->base) != ROBOT_BASE_OF_FILE)
        add_setting(&s, copy_text(o->base.fixed ? "fixed_base=true" : "fixed_base=false"));
    for (size_t k = 0; k < o->set.count; k++) text_list_add(&s.all, o->set.items[k]);
    return s;
}

static void free_settings(short_settings *s) {
    for (size_t k = 0; k < s->count; k++) free(s->texts[k]);
    free((void *)s->all.items);
}

/* Whether --set controller.KEY goes to a controller that is not ours. */
static bool takes_any_option(const run_options *o, const text_list *projects) {
    bool is_given = false, any = false;
    for (size_t k = 0; k < o->set.count; k++) {
        AUTO_FREE char *key =
            format_text("%.*s", (int)strcspn(o->set.items[k], "="), o->set.items[k]);
        is_given = is_given || override_is_of_controllers(key);
    }
    for (size_t k = 0; k < o->controllers.count; k++) {
        size_t length;
        const char *name = controller_without_body(o->controllers.items[k], &length);
        any = any || strcspn(name, ":") != strlen("posture") || strncmp(name, "posture", 7) != 0;
    }
    for (size_t k = 0; is_given && !o->controllers.count && k < projects->count; k++)
        any = any || project_has_other_controllers(projects->items[k], o->untrusted);
    return is_given && any;
}

/* What is wrong with --set is bad usage; a lack of memory is not, and ends the command. */
static bool report_override(const stiction_error *error) {
    if (error->status == STICTION_OUT_OF_MEMORY) (void)must_have(NULL);
    return report_error(error);
}

/* Reports each bad --set. */
static bool read_overrides(const run_options *o, const text_list *projects, const text_list *set,
                           overrides *values) {
    stiction_error error;
    const bool any = takes_any_option(o, projects);
    bool fine = true;
    for (size_t k = 0; k < set->count; k++)
        if (!overrides_check(set->items[k], (stiction_place){.path = NULL}, any, &error))
            fine = report_override(&error);
    bool noted = overrides_read(values, set->items, set->count, any, &error);
    values->simulation.specifications = o->controllers.items;
    values->simulation.specification_count = o->controllers.count;
    values->simulation.targets = o->targets;
    for (size_t k = 0; k < o->controllers.count && noted; k++)
        noted = overrides_note(values, "controller", o->controllers.items[k], &error);
    if (o->targets && noted) noted = overrides_note(values, "targets", o->targets, &error);
    return fine && (noted || report_override(&error));
}

/* A sweep may well combine what has no effect together; one run is another matter. */
static bool has_effect(const overrides *values) {
    const friction_options *f = &values->simulation.friction;
    if (getenv(RUN_IN_SCRATCH)) return true;
    if (f->source == FRICTION_NONE && (f->law || f->coupling || f->element || f->override_count))
        return print_error("--set friction=none: laws and values of joints that are set have no "
                           "effect with it");
    if (f->coupling && strcmp(f->coupling, "explicit") == 0 && f->element &&
        strcmp(f->element, "rigid") == 0)
        return print_error("--set element=rigid has no effect with coupling=explicit, which is "
                           "always of bristles");
    return true;
}

static bool is_any_robot(const text_list *arguments) {
    for (size_t k = 0; k < arguments->count; k++)
        if (robot_is_file(arguments->items[k])) return true;
    return false;
}

static int run_projects(const void *given, const text_list *arguments, stiction_error *error) {
    const run_options *o = given;
    if (!base_options_fit(&o->base)) return fail_usage(error, "run: " BASE_CONFLICT);
    run_engine *engine = run_find_engine(o->engine);
    if (!engine) {
        AUTO_FREE char *names = run_engine_names();
        (void)fail(error, "--engine %s: must be %s", o->engine, names);
        return EXIT_USAGE;
    }
    if (o->csv && o->json) return fail_usage(error, "give --csv or --json, not both");
    if (o->name && arguments->count > 1) return fail_usage(error, "--name is for one project");
    if (o->name && (!*o->name || *o->name == '.' || strchr(o->name, '/')))
        return fail_usage(
            error, "--name %s: must be the name of a folder, without / and no dot first", o->name);
    if (o->untrusted && strcmp(o->engine, "mujoco") != 0)
        return fail_usage(error,
                          "--untrusted is for the embedded engine: Choreonoid reads what it likes");
    AUTO(overrides_free) overrides values;
    run_outputs outputs = run_outputs_default();
    /* of a robot also what was decided: its base, its coupling */
    outputs.log = is_any_robot(arguments) ? print_messages : print_log;
    outputs.messages = print_messages;
    int code = EXIT_USAGE;
    short_settings all = write_settings(o);
    if (read_overrides(o, arguments, &all.all, &values) && read_video(o, &outputs, error) &&
        read_files(o, &outputs, &values.simulation.interval, error)) {
        values.simulation.world.simulator = o->simulator;
        values.simulation.world.untrusted = o->untrusted;
        if (has_effect(&values)) code = run_jobs(o, &values, &outputs, engine, arguments);
    }
    free_settings(&all);
    return code;
}

static const run_options defaults = {
    .engine = "mujoco",
    .out = "results",
    .interval = (double)NAN,
    .duration = (double)NAN,
    .timestep = (double)NAN,
    .video = (double)NAN,
    .series = "csv",
};

#define FIELD(name) offsetof(run_options, name)

static const option options_of_run[] = {
    {"out", OPTION_TEXT, "DIR", "a folder for each project goes here (default results)",
     FIELD(out)},
    {"name", OPTION_TEXT, "NAME", "name of the folder in DIR (default: that of the project)",
     FIELD(name)},
    {"force", OPTION_FLAG, NULL, "replace results that are there", FIELD(force)},
    {"config", OPTION_TEXT, "FILE", "friction of a robot, or instead of the project's",
     FIELD(config)},
    {"duration", OPTION_POSITIVE, "S", "time to simulate in s (of a robot 10)", FIELD(duration)},
    {"timestep", OPTION_POSITIVE, "S", "time step in s (of a robot 0.001 or its MJCF file's)",
     FIELD(timestep)},
    {"posture", OPTION_TEXT, "POSTURE", "start of a robot: JOINT:DEG,..., a file or a keyframe",
     FIELD(posture)},
    {"floor", OPTION_FLAG, NULL, "a robot gets a floor, the plane z = 0", FIELD(floor)},
    BASE_OPTIONS(run_options, base),
    {"set", OPTION_TEXTS, "KEY=VALUE", "replace a value, see above", FIELD(set)},
    {"controller", OPTION_TEXTS, "SPEC", "instead of the project's, see above", FIELD(controllers)},
    UNTRUSTED_OPTION(run_options, untrusted),
    {"targets", OPTION_TEXT, "TARGETS", "target positions of the joints, for controllers",
     FIELD(targets)},
    {"engine", OPTION_TEXT, "ENGINE", "mujoco (embedded, the default) or choreonoid",
     FIELD(engine)},
    {"simulator", OPTION_TEXT, "NAME", "the simulator item of the project (default: the first)",
     FIELD(simulator)},
    {"interval", OPTION_POSITIVE, "S", "time between rows of the series in s (default: every step)",
     FIELD(interval)},
    {"series", OPTION_TEXT, "FILES", "csv (the default), npz (joints.npz), both or none",
     FIELD(series)},
    {"pictures", OPTION_FLAG, NULL, "PNGs of the joints that move the most, for documents",
     FIELD(pictures)},
    {"video", OPTION_POSITIVE, "FPS", "DIR/NAME/video.mp4, FPS frames a simulated second",
     FIELD(video)},
    {"video-size", OPTION_TEXT, "WxH", "of the frames (default 640x480)", FIELD(video_size)},
    {"video-format", OPTION_TEXT, "F", "mp4 (default with ffmpeg), gif or png",
     FIELD(video_format)},
    {"no-report", OPTION_FLAG, NULL, "write no report.html", FIELD(no_report)},
    {"strict", OPTION_FLAG, NULL, "exit code 1 also if a run is not stable", FIELD(strict)},
    {"csv", OPTION_FLAG, NULL, "the table as CSV", FIELD(csv)},
    {"json", OPTION_FLAG, NULL, "the table as JSON", FIELD(json)},
    {.name = NULL},
};

const verb verb_run = {
    .name = "run",
    .summary = "simulate projects and robots headlessly and report",
    .arguments = "PROJECT|ROBOT...",
    .least = 1,
    .most = 0,
    VERB_OPTIONS(options_of_run, defaults),
    .description =

        "Simulates Choreonoid projects with friction and controllers, on the embedded\n"
        "engine (MuJoCo) or in an installed Choreonoid. The results of a project are\n"
        "written to DIR/NAME, where NAME is that of the project: summary.json (figures of\n"
        "every joint), joints.csv (time series, 17 digits) and report.html (one page with\n"
        "plots). With --series npz the series are written to joints.npz, which\n"
        "numpy.load reads, in half the space. With --pictures the plots are also written\n"
        "as PNGs. Existing results are never overwritten without --force. An interrupt\n"
        "(Ctrl-C) ends the run cleanly; what was computed so far is written and marked as\n"
        "incomplete.\n"
        "\n"
        "A robot (.urdf, MJCF .xml, .body) needs no project. It starts at rest in the\n"
        "pose of its file, with its joints at 0 or, if 0 is out of range, at the nearest\n"
        "limit. With --floor, a robot whose base floats starts standing on the floor.\n"
        "stiction new writes a project for a robot.\n"
        "\n"
        "--set replaces values:\n"
        "  timestep=S  duration=S  gravity=G or X,Y,Z  integrator=euler|rk4\n"
        "  friction=stiction|frictionloss|none    our friction, MuJoCo's, or none\n"
        "  law=LAW                                law of all joints\n"
        "  coupling=auto|explicit|implicit        friction from the velocity before or\n"
        "                                         after a step; auto: the safe one\n"
        "  element=auto|bristle|rigid             element of implicit joints\n"
        "  seed=N                                 seed of drawn values\n"
        "  repetition=K                           adds K - 1 to the seed\n"
        "  configuration=FILE                     instead of the project's\n"
        "  floor=true|false  fixed_base=true|false  posture=...  of a robot\n"
        "  joints.NAME.KEY, profiles.NAME.KEY     a value of the configuration; NAME of a\n"
        "                                         joint may be a pattern, a value may be\n"
        "                                         drawn: \"{uniform: [2, 3]}\"\n"
        "  scale.KEY=FACTOR                       multiply a parameter of all joints\n"
        "  control_period=S                       period of the controllers\n"
        "  controller.KEY                         an option of the controllers\n"
        "  push=\"link=L force=X,Y,Z time=S duration=S\"  a force on a link; push.KEY and\n"
        "                                         push.NAME.KEY replace a value of it\n"
        "\n"
        "--controller SPEC controls all bodies that have joints, --controller BODY=SPEC\n"
        "one of them. SPEC is one of\n"
        "  posture[:OPTIONS]      the compliant posture controller, built in\n"
        "  whole_body[:OPTIONS]   the whole-body controller, for a robot that stands\n"
        "  mc_rtc[:OPTIONS]       the controllers of mc_rtc, if built with it\n"
        "  LIB.so[:OPTIONS]       a library of yours, see stiction/controller.h\n"
        "  FILE.py[:OPTIONS]      a Python file\n"
        "  unix:PATH[:OPTIONS]    a process that listens on this socket\n"
        "  none                   no controller\n"
        "--targets gives the controllers the target positions of the joints. A controller\n"
        "that fails or crashes ends the run with an error; what was computed so far is\n"
        "written.\n"
        "\n"
        "A project may name any file, and controllers, which are code. For projects that\n"
        "you do not trust, --untrusted refuses controllers (except posture and\n"
        "whole_body) and every file outside the project's folder, and allows meshes and\n"
        "MJCF files a tenth of the time. Files that you name yourself may be anywhere.",
    .example = "  stiction run sample_projects/*/*.cnoid --out results\n"
               "  stiction run arm.urdf --config arm.yaml --fixed-base --duration 5\n"
               "  stiction run wrist.cnoid --set joints.RWRR.law=rational --set controller.kp=50\n"
               "  stiction run wrist.cnoid --controller ./pd.so:kp=50 --targets RWRR:90\n"
               "  stiction run wrist.cnoid --engine choreonoid --set timestep=0.002",
    .run = run_projects,
};
