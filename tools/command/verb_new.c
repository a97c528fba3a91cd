/* SPDX-License-Identifier: MIT
 * stiction new: a folder to start from with a robot: a project that runs here and opens in
 * Choreonoid, friction, a controller that holds the start, and a page with the commands.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_options.h"
#include "common/command.h"
#include "common/folder.h"
#include "common/verb.h"
#include "document/number.h"
#include "document/text.h"
#include "document/yaml_write.h"
#include "init.h"
#include "robots/standing.h"
#include "run/project_file.h"
#include "run/run.h"
#include "stability/inertia.h"
#include "stability/stability.h"
#include "storage/folders.h"

typedef struct new_options {
    const char *out, *posture;
    base_options base;
    bool untrusted;
} new_options;

/* How fast a joint with plain PD swings, and how soon that dies away: 1600 M and 64 M in N m. */
static const double swing = 40, damped = 0.8;
/* With inverse dynamics all joints have the same gains, s^-2 and s^-1. */
static const double usual_kp = 100, usual_kv = 20;

/* A file of the folder. All are made in memory first, so that an error leaves none behind. */
typedef struct new_file {
    const char *path;
    text_stream *stream;
} new_file;

typedef struct new_folder {
    const char *robot, *folder;
    const char *name; /* of the robot's file */
    base_options base;
    const char *posture;      /* NULL: the robot's own */
    const standing *standing; /* NULL: its base is fixed */
    const robot *inertias;
    const robot_mobility *mobility;
    bool is_copied; /* the robot is in the folder, too */
    new_file *files;
    size_t file_count;
    char *first_made; /* the first folder that did not exist; NULL: all did */
} new_folder;

/* ---- files ---- */

static FILE *begin(reader *r, new_folder *n, const char *file) {
    n->files = stiction_reader_grow(r, n->files, n->file_count, sizeof *n->files);
    new_file *made = &n->files[n->file_count++];
    *made =
        (new_file){stiction_reader_format(r, "%s/%s", n->folder, file), stiction_reader_stream(r)};
    return made->stream->file;
}

static bool write_file(const new_file *f, stiction_error *error) {
    FILE *out = fopen(f->path, "wxe");
    if (!out && errno == EEXIST)
        return fail(error, "%s exists, and nothing is overwritten", f->path);
    if (!out) return fail_errno(error, f->path);
    bool fine =
        fwrite(f->stream->text, 1, f->stream->size, out) == f->stream->size && fflush(out) == 0;
    fine = (fclose(out) == 0 && fine) || fail_errno(error, f->path);
    if (!fine) (void)unlink(f->path);
    return fine;
}

/* The folder must exist for paths relative to it. */
static void make_folders(reader *r, new_folder *n) {
    struct stat status;
    stiction_error error;
    if (lstat(n->folder, &status) == 0 && S_ISLNK(status.st_mode))
        stiction_reader_refuse(r, (stiction_place){0},
                               "%s is a symbolic link, through which nothing is written",
                               n->folder);
    if (!storage_make_folders(n->folder, &n->first_made, &error))
        stiction_reader_refuse_as(r, &error);
}

/* Removes the folders that were made, if they are empty; also where no memory is left. */
static void remove_folders(const new_folder *n) {
    char last[PATH_MAX];
    (void)snprintf(last, sizeof last, "%s", n->folder);
    while (n->first_made && strlen(last) >= strlen(n->first_made) && rmdir(last) == 0) {
        char *slash = strrchr(last, '/');
        if (!slash) break;
        *slash = '\0';
    }
}

/* All files or none. */
static bool write_files(const new_folder *n, stiction_error *error) {
    size_t written = 0;
    bool fine = true;
    for (; written < n->file_count && fine; written += fine)
        fine = write_file(&n->files[written], error);
    for (size_t k = 0; k < written && !fine; k++) (void)unlink(n->files[k].path);
    return fine;
}

/* ---- bodies ---- */

/* A file name of letters, digits and what else is safe. */
static const char *safe_name(reader *r, const char *name) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    char *copy = stiction_reader_format(r, "%s", name);
    for (char *c = copy + strspn(copy, safe); *c; c += strspn(c, safe)) *c = '_';
    return copy;
}

/* Whether a robot's file names others, such as meshes, which a copy would not find. */
static bool names_files(const char *text) {
    return strstr(text, "filename") || strstr(text, "uri") || strstr(text, "model_file");
}

static const char *name_robot(reader *r, const new_folder *n) {
    const char *path = path_from(r, n->folder, n->robot);
    if (!path) stiction_reader_refuse(r, (stiction_place){n->robot, 0, 0}, "%s", strerror(errno));
    return path;
}

/* The robot is copied, unless it is in the folder of the project or names other files: then the
 * project names it where it is. */
static const char *place_robot(reader *r, new_folder *n) {
    char message[ACCESS_MESSAGE];
    const char *project_path = stiction_reader_format(r, "%s/%s.cnoid", n->folder, n->name);
    const char *slash = strrchr(n->robot, '/'), *file = slash ? slash + 1 : n->robot;
    size_t size;
    if (stiction_access_permits(project_path, n->robot, message)) return name_robot(r, n);
    const char *text = stiction_reader_file(r, (stiction_place){0}, n->robot, &size);
    if (names_files(text)) return name_robot(r, n);
    FILE *out = begin(r, n, file);
    (void)fwrite(text, 1, size, out);
    n->is_copied = true;
    return file;
}

/* What the project calls the file of a body: the robot's own where Choreonoid loads it, else a
 * .body that is written. */
static const char *write_body(reader *r, new_folder *n, const project *p, size_t index) {
    const project_body *body = &p->bodies[index];
    if (!project_needs_body_file(body)) return place_robot(r, n);
    const char *file =
        stiction_reader_format(r, "%s.body", index ? safe_name(r, body->file->name) : n->name);
    FILE *out = begin(r, n, file);
    fprintf(out, "# %s of %s, written by stiction new.\n", body->name, n->robot);
    body_write_yaml(r, out, body->file);
    return file;
}

/* ---- the controller ---- */

static double rounded(double value) {
    char text[32];
    double number = value;
    (void)snprintf(text, sizeof text, "%.3g", value);
    (void)stiction_decimal(text, &number);
    return number;
}

/* Gains from the inertia of what hangs on a joint, as far as a step leaves the joint stable with
 * all others giving way. */
typedef struct gains {
    double kp, kv;
} gains;

static gains choose_gains(const robot *r, const robot_mobility *mobility, double timestep,
                          const char *joint) {
    const double careful = 0.25; /* of 2 T kv = 4 M, half of that of friction */
    for (size_t k = 0; k < r->joint_count; k++) {
        if (strcmp(r->joints[k].link->joint_name, joint) != 0) continue;
        const double M = r->model->dof_M0[r->joints[k].velocity];
        const double kv = 2 * damped * swing * M;
        const double most = careful * 2 * robot_effective_inertia(mobility, k) / timestep;
        const double scale = fmin(1, most / kv);
        return (gains){rounded(scale * swing * swing * M), rounded(scale * kv)};
    }
    return (gains){usual_kp, usual_kv};
}

static void write_posture(reader *r, new_folder *n, const project *p, const char *file) {
    const project_body *body = &p->bodies[0];
    FILE *out = begin(r, n, file);
    fprintf(out,
            "# The controller of %s: it holds the posture that the robot starts with.\n"
            "# Targets are in degrees (m where a joint slides); `stiction run` reads this at\n"
            "# each start.\nposture: 1\n",
            n->name);
    if (body->fixed_root)
        fprintf(out,
                "mode: qp    # accelerations, made torques with the robot's own dynamics\n"
                "kp: %g     # s^-2\nkv: %g      # s^-1\njoints:\n",
                usual_kp, usual_kv);
    else
        fputs(
            "mode: pd    # plain PD: what a base that floats on contacts can be held with\n"
            "joints:    # kp in N m/rad, kv in N m s/rad, from the inertia of what hangs on each\n",
            out);
    for (size_t k = 0; k < body->file->count; k++) {
        const body_link *link = &body->file->links[k];
        if (link->joint_id < 0) continue;
        const double unit = link->joint == BODY_REVOLUTE ? 180 / mjPI : 1;
        char text[NUMBER_SIZE];
        fputs("  ", out);
        (void)stiction_yaml_write_text(out, link->joint_name);
        fprintf(out, ": { target: %s", stiction_number_write(unit * body->displacements[k], text));
        if (!body->fixed_root) {
            const gains g =
                choose_gains(n->inertias, n->mobility, p->simulators[0].timestep, link->joint_name);
            fprintf(out, ", kp: %s", stiction_number_write(g.kp, text));
            fprintf(out, ", kv: %s", stiction_number_write(g.kv, text));
        }
        fputs(" }\n", out);
    }
}

/* ---- the controller of a robot that stands ---- */

static bool stands(const new_folder *n) {
    return n->standing && !n->standing->obstacle;
}

static void write_vector(FILE *out, const double v[3]) {
    fprintf(out, "[%.5g, %.5g, %.5g]", v[0] + 0.0, v[1] + 0.0, v[2] + 0.0);
}

/* Fingers and the like, which are too light to matter in the program. */
static void write_apart(reader *r, FILE *out, const new_folder *n, const body_file *file) {
    const double light = 0.003; /* of the robot */
    const double all = standing_mass_below(file, file->root);
    const char *between = "apart: [";
    (void)r;
    for (size_t k = 0; k < file->count; k++) {
        const body_link *link = &file->links[k];
        if (link->joint_id < 0 || n->standing->in_legs[k] ||
            standing_mass_below(file, k) > light * all)
            continue;
        fputs(between, out);
        (void)stiction_yaml_write_text(out, link->joint_name);
        between = ", ";
    }
    if (*between == ',') fputs("]    # too light to matter to the rest\n", out);
}

static void write_whole_body(reader *r, new_folder *n, const project *p, const char *file) {
    const project_body *body = &p->bodies[0];
    const standing *s = n->standing;
    FILE *out = begin(r, n, file);
    fprintf(
        out,
        "# The whole-body controller of %s: it stands. Targets are in degrees (m where a joint\n"
        "# slides), corners of the soles in m in the frames of their links; both were found by\n"
        "# `stiction new`. `stiction run` reads this at each start, and takes it for --posture\n"
        "# and --targets.\n"
        "posture: 1\nkp: 50     # s^-2\nkv: 14     # s^-1\ntasks:\n"
        "  com: { weight: 1000 }\n"
        "  trunk: { type: orientation, link: ",
        n->name);
    (void)stiction_yaml_write_text(out, body->file->links[body->file->root].name);
    fputs(", weight: 1000 }\n  posture: { weight: 10 }\ncontacts:\n", out);
    for (size_t k = 0; k < s->sole_count; k++) {
        const standing_sole *sole = &s->soles[k];
        const char *name = body->file->links[sole->link].name;
        fputs("  ", out);
        (void)stiction_yaml_write_text(out, name);
        fputs(": { link: ", out);
        (void)stiction_yaml_write_text(out, name);
        fputs(", normal: ", out);
        write_vector(out, sole->normal);
        fputs(", friction: 0.4,\n    corners: [", out);
        for (size_t c = 0; c < sole->corner_count; c++) {
            fputs(c ? ", " : "", out);
            write_vector(out, sole->corners[c]);
        }
        fputs("] }\n", out);
    }
    write_apart(r, out, n, body->file);
    fputs("joints:\n", out);
    for (size_t k = 0; k < body->file->count; k++) {
        const body_link *link = &body->file->links[k];
        if (link->joint_id < 0) continue;
        fputs("  ", out);
        (void)stiction_yaml_write_text(out, link->joint_name);
        fprintf(out, ": { target: %.8g }\n",
                (link->joint == BODY_REVOLUTE ? 180 / mjPI : 1) * body->displacements[k] + 0.0);
    }
}

/* ---- the page ---- */

static void write_page(reader *r, new_folder *n, const project *p, bool jointed) {
    FILE *out = begin(r, n, "README.md");
    fprintf(out,
            "# %s\n\n"
            "Begun by `stiction new` from `%s`. Run from the folder above this one:\n\n"
            "```sh\n"
            "stiction run %s/%s.cnoid\n",
            n->name, n->robot, n->folder, n->name);
    if (jointed)
        fprintf(out,
                "stiction check %s/%s.yaml --body %s%s\n"
                "stiction curve %s/%s.yaml JOINT\n",
                n->folder, n->name, n->robot, base_option(&n->base), n->folder, n->name);
    fprintf(out,
            "choreonoid %s/%s.cnoid\n```\n\n| file | what it is |\n|---|---|\n"
            "| `%s.cnoid` | the project: the robot%s, a simulator with friction%s |\n",
            n->folder, n->name, n->name, p->body_count > 1 ? ", what stands around it" : "",
            jointed ? ", a controller" : "");
    if (jointed)
        fprintf(out,
                "| `%s.yaml` | friction, as `stiction init` estimates it: put measured numbers in "
                "|\n"
                "| `%s_%s.yaml` | the controller: it holds the start posture%s |\n",
                n->name, n->name, stands(n) ? "whole_body" : "posture",
                stands(n) ? " and balance" : "");
    for (size_t k = 0; k < p->body_count; k++)
        if (project_needs_body_file(&p->bodies[k]))
            fprintf(out, "| `%s.body` | '%s' for Choreonoid |\n",
                    k ? safe_name(r, p->bodies[k].file->name) : n->name, p->bodies[k].name);
    if (n->is_copied)
        fprintf(out, "| `%s` | the robot, a copy of `%s` |\n",
                strrchr(n->robot, '/') ? strrchr(n->robot, '/') + 1 : n->robot, n->robot);
    else if (!project_needs_body_file(&p->bodies[0]))
        fprintf(out,
                "\nThe robot itself stays where it is, at `%s`; the project names it from "
                "here.\n",
                n->robot);
    if (jointed && !p->bodies[0].fixed_root && !stands(n))
        fputs(
            "\nThe robot floats: whether it stays upright under a controller that only holds its\n"
            "joints is another matter. `--fixed-base` holds its base.\n",
            out);
    fprintf(out,
            "\nThe robot alone, without the project and its controller:\n\n```sh\n"
            "stiction run %s%s%s%s%s --duration 2 --out alone\n```\n",
            n->robot, jointed ? " --config " : "",
            jointed ? stiction_reader_format(r, "%s/%s.yaml", n->folder, n->name) : "",
            base_option(&n->base), p->bodies[0].fixed_root ? "" : " --floor");
}

/* ---- the whole ---- */

static void write_friction(reader *r, new_folder *n, double timestep) {
    stiction_error error;
    AUTO_FREE char *note = NULL;
    AUTO_FREE char *text = init_write(n->inertias, timestep, &note, &error);
    if (!text) stiction_reader_refuse_as(r, &error);
    fputs(text, begin(r, n, stiction_reader_format(r, "%s.yaml", n->name)));
    if (note) (void)print_error("%s", note);
}

static void *write_all(reader *r, const void *context) {
    new_folder *n = *(new_folder *const *)context;
    const project_robot_options start = {.floor = PROJECT_FLOOR_IF_FLOATING,
                                         .base = base_of(&n->base),
                                         .posture = n->posture,
                                         .standing = &n->standing};
    const project *p = project_of_robot(r, n->robot, &start);
    const bool jointed = n->inertias->joint_count > 0;
    if (jointed) write_friction(r, n, p->simulators[0].timestep);
    make_folders(r, n);
    const char **files = stiction_reader_alloc(r, p->body_count * sizeof *files);
    for (size_t k = 0; k < p->body_count; k++) files[k] = write_body(r, n, p, k);
    const char *posture_file =
        stiction_reader_format(r, "%s_%s.yaml", n->name, stands(n) ? "whole_body" : "posture");
    if (jointed && stands(n))
        write_whole_body(r, n, p, posture_file);
    else if (jointed)
        write_posture(r, n, p, posture_file);
    if (jointed && n->standing && n->standing->obstacle)
        print_note("new: '%s' gets no whole-body controller: %s", n->name, n->standing->obstacle);
    project_file_write(
        begin(r, n, stiction_reader_format(r, "%s.cnoid", n->name)),
        &(project_file){
            .project = p,
            .files = files,
            .comment = stiction_reader_format(r,
                                              "%s with friction and a controller that holds its "
                                              "posture, begun by stiction new.",
                                              n->name),
            .configuration = jointed ? stiction_reader_format(r, "%s.yaml", n->name) : NULL,
            .controller_options =
                !jointed    ? NULL
                : stands(n) ? stiction_reader_format(r, "whole_body:config=%s", posture_file)
                            : stiction_reader_format(r, "config=%s", posture_file),
            .controller = stands(n) ? "StictionController" : "StictionPostureController"});
    write_page(r, n, p, jointed);
    for (size_t k = 0; k < n->file_count; k++)
        (void)stiction_reader_stream_text(r, n->files[k].stream);
    return r;
}

static bool make_folder(new_folder *n, const robot *made_of, bool untrusted,
                        stiction_error *error) {
    robot_mobility mobility = {0};
    reader r = {.log = print_log, .error = error, .untrusted = untrusted ? n->robot : NULL};
    n->inertias = made_of;
    n->mobility = &mobility;
    bool fine =
        !made_of->joint_count || robot_mobility_compute(made_of, &mobility, error) == STICTION_OK;
    if (fine && (fine = stiction_reader_run(&r, write_all, &n) != NULL)) {
        fine = write_files(n, error);
        stiction_arena_free(&r.memory);
    }
    if (!fine) remove_folders(n);
    free(n->first_made);
    robot_mobility_release(&mobility);
    return fine;
}

static int make_project(const void *options, const text_list *arguments, stiction_error *error) {
    const new_options *given = options;
    if (!base_options_fit(&given->base)) return fail_usage(error, "new: " BASE_CONFLICT);
    const char *path = arguments->items[0];
    AUTO_FREE char *name = path_stem(path);
    new_folder n = {.robot = path,
                    .name = name,
                    .folder = given->out ? given->out : name,
                    .base = given->base,
                    .posture = given->posture};
    bool fine = false;
    if (!robot_is_file(path))
        (void)fail(error, "%s: is not a robot file: its name must end in " ROBOT_ENDINGS "%s", path,
                   robot_openhrp_hint(path));
    else if (!file_exists(path))
        (void)fail(error, "%s: there is no such file", path);
    else {
        robot *r = robot_load(path,
                              &(robot_options){.log = print_log,
                                               .base = base_of(&given->base),
                                               .untrusted = given->untrusted},
                              error);
        fine = r && make_folder(&n, r, given->untrusted, error);
        robot_destroy(r);
    }
    if (fine) show_line("%s/README.md has the commands; the first is", n.folder);
    if (fine) show_line("  stiction run %s/%s.cnoid", n.folder, name);
    return fine ? EXIT_FINE : EXIT_DATA;
}

static const new_options defaults = {.out = NULL};

#define FIELD(name) offsetof(new_options, name)

static const option options_of_new[] = {
    {"out", OPTION_TEXT, "DIR", "the folder (default: the robot's name, here)", FIELD(out)},
    {"posture", OPTION_TEXT, "POSTURE", "the start: JOINT:DEG,..., a file or a keyframe",
     FIELD(posture)},
    BASE_OPTIONS(new_options, base),
    UNTRUSTED_OPTION(new_options, untrusted),
    {.name = NULL},
};

const verb verb_new = {
    .name = "new",
    .summary = "a folder to start from: project, friction, controller, page",
    .arguments = "ROBOT",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_new, defaults),
    .description =

        "Reads a .urdf, an MJCF .xml or a Choreonoid .body and writes a folder with\n"
        "NAME.cnoid, a project that stiction run simulates and Choreonoid opens;\n"
        "NAME.yaml, friction as stiction init estimates it; NAME_posture.yaml, a\n"
        "controller that holds the posture at the start; and README.md with the\n"
        "commands. A legged robot that floats gets bent knees and, as\n"
        "NAME_whole_body.yaml, the whole-body controller with soles found from its\n"
        "shapes: it stands. The robot's file is copied, unless it names others (meshes):\n"
        "then the project names it where it is. What Choreonoid does not load (MJCF, the\n"
        "floor of a robot that floats) is written as a .body: links, masses and\n"
        "shapes, meshes as hulls. Nothing is overwritten.",
    .example = "  stiction new arm.urdf --out arm\n"
               "  stiction run arm/arm.cnoid",
    .run = make_project,
};
