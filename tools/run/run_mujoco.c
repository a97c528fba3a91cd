/* SPDX-License-Identifier: MIT
 * A run on the embedded engine, with a progress bar, that an interrupt ends cleanly.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/command.h"
#include "common/folder.h"
#include "common/progress.h"
#include "document/memory_stream.h"
#include "engine/engine_parts.h"
#include "mujoco/video.h"
#include "run.h"
#include "scene.h"
#include "video_file.h"

/* Steps between two readings of the clock. */
enum { steps_at_a_time = 100 };

/* Within this time of the first interrupt another one is the same one, s of the clock. */
enum { one_interrupt = 2 };

static volatile sig_atomic_t interrupted, interrupted_at;

static void on_interrupt(int number) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const sig_atomic_t seconds = (sig_atomic_t)now.tv_sec;
    if (!interrupted) {
        interrupted_at = seconds;
        interrupted = 1;
    } else if (seconds - interrupted_at > one_interrupt) {
        (void)signal(number, SIG_DFL);
        (void)raise(number);
    }
}

/* Those that ask a run to end. */
static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
enum { interrupt_count = sizeof interrupts / sizeof interrupts[0] };

static bool is_ignored(int number) {
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

void run_catch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt}, ignore = {.sa_handler = SIG_IGN};
    for (size_t k = 0; k < interrupt_count; k++)
        /* keeps what nohup(1) set; a shell sets SIGINT to ignored for background jobs */
        if (interrupts[k] != SIGHUP || !is_ignored(SIGHUP))
            (void)sigaction(interrupts[k], &action, NULL);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void run_release_interrupts(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (size_t k = 0; k < interrupt_count; k++)
        if (!is_ignored(interrupts[k])) (void)sigaction(interrupts[k], &action, NULL);
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

void run_ignore_interrupts(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (size_t k = 0; k < interrupt_count; k++)
        if (interrupts[k] != SIGXCPU) (void)sigaction(interrupts[k], &ignore, NULL);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    (void)sigaction(SIGXFSZ, &ignore, NULL);
}

void run_hold_interrupts(bool on) {
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t k = 0; k < interrupt_count; k++) (void)sigaddset(&set, interrupts[k]);
    (void)sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

bool run_interrupted(void) {
    return interrupted;
}

static void show_progress(progress *bar, const simulation *s, double started) {
    const double simulated = simulation_time(s), elapsed = monotonic_seconds() - started;
    char note[80];
    (void)snprintf(note, sizeof note, "%.2f s simulated, %.1f x real time", simulated,
                   elapsed > 0 ? simulated / elapsed : 0);
    progress_update(bar, simulated, note);
}

/* Times between two moments whose contact forces the replay shows, s, and how many it has at most.
 */
static const double contact_interval = 1.0 / 30;
enum { most_contact_moments = 4000 };

/* `written` is false after a frame that could not be written. `contacts`: of the replay, or NULL.
 */
static bool simulate(simulation *s, video *frames, FILE *contacts, double duration, bool *written,
                     stiction_error *error) {
    const double interval = fmax(contact_interval, duration / most_contact_moments);
    double stretch = steps_at_a_time * simulation_world(s)->model->opt.timestep;
    if (contacts) stretch = fmin(stretch, interval);
    double next_contacts = 0;
    const double started = monotonic_seconds();
    bool fine = true, more = true;
    progress bar = progress_begin(simulation_world(s)->project->path, duration, false);
    while (fine && more && !interrupted) {
        double until = fmin(simulation_time(s) + stretch, duration);
        if (frames) until = fmin(until, video_next_time(frames));
        fine = simulation_run(s, until, error) == STICTION_OK;
        if (fine && frames) fine = *written = video_frame(frames, simulation_data(s), until, error);
        if (fine && contacts && simulation_time(s) >= next_contacts) {
            scene_add_contacts(contacts, simulation_world(s), simulation_data(s),
                               simulation_time(s));
            next_contacts += interval;
        }
        more = until < duration && !simulation_finished(s);
        show_progress(&bar, s, started);
    }
    progress_end(&bar);
    return fine;
}

/* *frames is NULL where the outputs have no video. */
static bool open_video(simulation *s, const run_outputs *outputs, const char *folder,
                       video **frames, stiction_error *error) {
    *frames = NULL;
    if (isnan(outputs->video_rate)) return true;
    AUTO_FREE char *path = format_text("%s/video", folder);
    if (folder_make(path, error))
        *frames = video_open(simulation_world(s)->model, path, outputs->video_rate,
                             outputs->video_width, outputs->video_height, error);
    return *frames != NULL;
}

static void warn(const run_outputs *outputs, const char *message) {
    if (outputs->log) outputs->log(outputs->log_user, STICTION_LOG_WARNING, message);
}

static void warn_of_interrupt(const run_outputs *outputs, results *r, double time,
                              double duration) {
    AUTO_FREE char *message =
        format_text("the run was interrupted at %g s of %g s", time, duration);
    warn(outputs, message);
    (void)results_warn(r, message);
}

/* An engine at time 0, with an end; NULL: see the error. */
static stiction_engine *make_engine(const char *project_path, const simulation_options *options,
                                    stiction_error *error) {
    stiction_engine *engine;
    if (stiction_engine_make(project_path, options, &engine, error) != STICTION_OK) return NULL;
    const world *w = simulation_world(stiction_engine_simulation(engine));
    const char *endless = project_endlessness(w->project, w->simulator);
    if (isfinite(stiction_engine_duration(engine))) return engine;
    (void)fail(error, "%s: the simulator '%s' runs %s; " RUN_NEEDS_DURATION, project_path,
               w->simulator->name, endless ? endless : "until its controllers end");
    stiction_engine_destroy(engine);
    return NULL;
}

bool run_check_mujoco(const char *project_path, const overrides *o, stiction_error *error) {
    stiction_engine *engine = make_engine(project_path, &o->simulation, error);
    stiction_engine_destroy(engine);
    return engine != NULL;
}

/* From memory: it need not be read back. */
static bool write_report(const results *r, const world *w, const char *contacts,
                         const run_outputs *outputs, const char *folder, stiction_error *error) {
    if (!outputs->report && !outputs->pictures) return true;
    AUTO(run_data_release) run_data data;
    return (!outputs->report || scene_write(w, contacts, folder, error)) &&
           run_data_take(&data, r, error) && run_write_report(&data, outputs, folder, error);
}

/* Controllers may end it earlier, so a long run is warned of, not refused. */
static void warn_of_room(const run_outputs *outputs, const simulation *s, double duration,
                         double interval) {
    const double step = simulation_world(s)->model->opt.timestep;
    const double rows = RESULTS_MOST_NUMBERS / (double)results_row_size(simulation_record(s));
    const double end = rows * fmax(interval, step);
    if (isnan(interval) || duration <= end) return; /* no series, or it ends before */
    AUTO_FREE char *message =
        format_text("of %g s the series has room for %.3g s: a longer --interval makes "
                    "its rows rarer",
                    duration, end);
    warn(outputs, message);
}

/* Summary and series, or the figures alone. */
static bool write_results(results *r, const run_outputs *outputs, const char *folder,
                          stiction_error *error) {
    return (outputs->figures ? results_print_summary(r, outputs->figures, error)
                             : results_write_as(r, folder, outputs->series, error)) == STICTION_OK;
}

run_verdict run_mujoco(const char *project_path, const overrides *o, const run_outputs *outputs,
                       const char *folder, stiction_error *error) {
    simulation_options options = o->simulation;
    options.log = outputs->log;
    options.controller_log = outputs->messages;
    options.log_user = options.controller_log_user = outputs->log_user;
    options.is_stopped = run_interrupted;
    stiction_engine *engine = make_engine(project_path, &options, error);
    if (!engine) return interrupted ? RUN_STOPPED : RUN_FAILED;
    simulation *s = stiction_engine_simulation(engine);
    const double duration = stiction_engine_duration(engine);
    warn_of_room(outputs, s, duration, options.interval);
    video *frames = NULL;
    bool written = true, fine = open_video(s, outputs, folder, &frames, error);
    AUTO_FREE char *contacts = NULL;
    if (fine) {
        size_t size;
        FILE *to_contacts = outputs->report ? stiction_memory_stream(&contacts, &size) : NULL;
        fine = simulate(s, frames, to_contacts, duration, &written, error);
        video_close(frames);
        if (written && frames)
            written = video_file_make(folder, outputs->video_format, outputs->video_rate, error);
        if (to_contacts && fclose(to_contacts) != 0 && contacts) *contacts = '\0';
        run_hold_interrupts(true);
        results *r =
            stiction_engine_finish(engine, fine && !interrupted, outputs->log, outputs->log_user);
        if (interrupted) warn_of_interrupt(outputs, r, simulation_time(s), duration);
        /* an error of the simulation comes first; without results there is nothing to see it in */
        stiction_error unwritten;
        stiction_error *to = fine ? error : &unwritten;
        if (!write_results(r, outputs, folder, to))
            fine = false;
        else if (!outputs->figures &&
                 !write_report(r, simulation_world(s), contacts, outputs, folder, to))
            written = false;
        run_hold_interrupts(false);
    }
    stiction_engine_destroy(engine);
    return !written ? RUN_UNWRITTEN : !fine ? RUN_FAILED : interrupted ? RUN_STOPPED : RUN_FINE;
}
