/* SPDX-License-Identifier: MIT
 * stiction check: whether a configuration is legal at a time step, and with a robot which coupling
 * holds on it and which one a host takes.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_options.h"
#include "common/command.h"
#include "common/table.h"
#include "common/verb.h"
#include "projects/project.h"
#include "stability/inertia.h"
#include "stability/stability.h"
#include "stiction/stiction.h"
#include "valid.h"
#include "json/json_out.h"

typedef struct check_options {
    const char *body;
    double timestep;
    bool print, csv, json;
    base_options base;
    bool untrusted;
} check_options;

/* ---- the two ways to couple friction with a robot ---- */

typedef enum implicit_verdict {
    IMPLICIT_NO_FRICTION,
    IMPLICIT_HOLDS,       /* whatever the inertia */
    IMPLICIT_ILLEGAL,     /* Phi_Z does not exist */
    IMPLICIT_NO_POTENTIAL /* a model of the literature: it cannot be implicit */
} implicit_verdict;

/* Both couplings on one body, at one time step. */
typedef struct coupling_judgement {
    stiction_coupling configured;
    coupling_decision taken; /* what a host takes */
    bool judged;             /* explicit was, see STABILITY_UNJUDGED */
    bool safe;               /* explicit is stable by a factor of two */
    bool has_potential;      /* of every joint, so that all can be implicit */
    bool implicit_holds;
    bool holds;               /* the one that is taken */
    double implicit_timestep; /* implicit holds above it, s; 0: at any */
    bool lags; /* what is legal is known of this time step only: a lag changes it with others */
} coupling_judgement;

/* def->law may be NULL: no friction. */
static implicit_verdict implicit_judge(const stiction_joint_def *def, double timestep) {
    stiction_law_info info;
    if (!def->law || strcmp(def->law, "none") == 0) return IMPLICIT_NO_FRICTION;
    (void)stiction_law_info_find(def->law, &info);
    if (info.reference) return IMPLICIT_NO_POTENTIAL;
    const stability_spring spring = stability_spring_of(def, timestep);
    return stability_is_legal(&spring, timestep) ? IMPLICIT_HOLDS : IMPLICIT_ILLEGAL;
}

static const char *implicit_verdict_name(implicit_verdict verdict) {
    static const char *const names[] = {[IMPLICIT_NO_FRICTION] = "no friction",
                                        [IMPLICIT_HOLDS] = "holds",
                                        [IMPLICIT_ILLEGAL] = "illegal",
                                        [IMPLICIT_NO_POTENTIAL] = "no potential"};
    return names[verdict];
}

/* K and B from which on Phi_Z exists, the other one as it is. */
static double legal_stiffness(const stability_spring *spring, double timestep) {
    return fmax(0, (spring->needed - spring->damping) / timestep);
}

static double legal_damping(const stability_spring *spring, double timestep) {
    return fmax(0, spring->needed - spring->stiffness * timestep);
}

/* The time step above which it does, with K and B as they are, s; 0: it always does. */
static double legal_timestep(const stability_spring *spring) {
    return spring->damping > spring->needed
               ? 0
               : (spring->needed - spring->damping) / spring->stiffness;
}

/* `defs` and `springs` have one entry a joint. */
static coupling_judgement
coupling_judge(stiction_coupling configured, const coupling_decision *taken,
               const stability_body *explicit_body, const stiction_joint_def *defs,
               const stability_spring *springs, size_t count, double timestep) {
    coupling_judgement j = {.configured = configured,
                            .taken = *taken,
                            .judged = !isnan(taken->ratio),
                            .safe = taken->ratio <= STABILITY_SAFE,
                            .has_potential = true,
                            .implicit_holds = true};
    for (size_t k = 0; k < count; k++) {
        const implicit_verdict verdict = implicit_judge(&defs[k], timestep);
        if (verdict == IMPLICIT_NO_FRICTION) continue;
        j.has_potential = j.has_potential && verdict != IMPLICIT_NO_POTENTIAL;
        j.implicit_holds = j.implicit_holds && verdict == IMPLICIT_HOLDS;
        j.lags = j.lags || defs[k].lag > 0;
        j.implicit_timestep = fmax(j.implicit_timestep, legal_timestep(&springs[k]));
    }
    j.holds =
        j.taken.coupling == STICTION_COUPLING_IMPLICIT ? j.implicit_holds : explicit_body->stable;
    return j;
}

/* Descriptions of one line, which the caller frees. */

static char *coupling_describe_implicit(const coupling_judgement *j) {
    if (!j->has_potential)
        return copy_text("not possible: a law without a potential cannot be implicit");
    if (!j->implicit_holds) return copy_text("illegal: the notes say which B or K would do");
    if (j->lags) return copy_text("holds for any inertia, at this time step");
    if (j->implicit_timestep > 0)
        return format_text("holds for any inertia, at time steps above %.3g s",
                           j->implicit_timestep);
    return copy_text("holds for any inertia, at any time step");
}

static char *coupling_describe_choice(const coupling_judgement *j) {
    const char *name = stiction_coupling_name(j->configured);
    if (j->configured != STICTION_COUPLING_AUTO)
        return format_text("coupling: %s, as the file says", name);
    if (j->safe)
        return copy_text("coupling: auto takes explicit here, which is safe by a factor of two");
    return format_text("coupling: auto takes %s here, since explicit is not %s%s",
                       stiction_coupling_name(j->taken.coupling),
                       j->judged ? "safe by a factor of two" : "judged",
                       j->has_potential ? "" : ", but not every law can be implicit");
}

/* What to do where explicit coupling is not safe. `none_hold`: for some joints no K and B do. */
static char *coupling_advise(const coupling_judgement *j, const stability_body *body,
                             bool none_hold) {
    const char *first = !j->has_potential   ? "coupling: implicit, with laws that have a potential "
                                              "(coulomb, stribeck, rational)"
                        : j->implicit_holds ? "coupling: implicit"
                                            : "coupling: implicit, with K and B that are legal";
    const char *by_itself = j->configured == STICTION_COUPLING_AUTO && j->has_potential
                                ? ", which auto takes by itself"
                                : "";
    if (!j->judged) return format_text("%s%s", first, by_itself);
    if (body->stable)
        return format_text("%s%s; explicit is stable, but near its limit", first, by_itself);
    return format_text("%s%s; else, for explicit, the K and B that hold (whole body: %.4g%s)",
                       first, by_itself, body->holding,
                       none_hold ? ", no friction where none do" : "");
}

/* ---- what there is to check ---- */

/* One row: a joint of the robot, or without a robot an entry of the configuration. */
typedef struct entry {
    const char *name;
    stiction_joint_def def; /* law NULL: nothing in the configuration matches */
    stability_spring spring;
    bool legal;
} entry;

typedef struct check {
    const check_options *given;
    const char *path;
    stiction_config *config;
    double timestep;
    bool assumed; /* the time step is the usual one */
    robot *robot; /* NULL: none was given */
    entry *entries;
    size_t count;
    stability_joint *joints; /* one an entry; only with a robot */
    stability_body body;
    coupling_judgement coupling;
    bool fine; /* nothing is wrong so far */
} check;

static void add_entry(check *c, const char *name, const stiction_joint_def *def) {
    entry *e = &c->entries[c->count++];
    *e = (entry){.name = name, .def = *def};
    e->spring = stability_spring_of(def, c->timestep);
    e->legal = stability_is_legal(&e->spring, c->timestep);
}

static void add_patterns(check *c) {
    const size_t count = stiction_config_joint_count(c->config);
    c->entries = allocate(count, sizeof *c->entries);
    for (size_t k = 0; k < count; k++) {
        stiction_joint_def def = stiction_joint_def_default();
        const char *pattern = stiction_config_joint_at(c->config, k, &def);
        (void)stiction_config_draw(c->config, pattern, 0, c->timestep, &def, NULL);
        add_entry(c, pattern, &def);
    }
}

static void add_joints(check *c) {
    c->entries = allocate(c->robot->joint_count, sizeof *c->entries);
    for (size_t k = 0; k < c->robot->joint_count; k++) {
        const char *name = c->robot->joints[k].link->joint_name;
        stiction_joint_def def = stiction_joint_def_default();
        if (stiction_config_find_joint(c->config, name, &def))
            (void)stiction_config_draw(c->config, name, 0, c->timestep, &def, NULL);
        add_entry(c, name, &def);
    }
}

/* All that a model of this robot and time step would be refused for, on stderr. */
static void report_invalid(check *c) {
    const char **names = NULL;
    if (c->robot) {
        names = allocate(c->robot->joint_count, sizeof *names);
        for (size_t k = 0; k < c->robot->joint_count; k++)
            names[k] = c->robot->joints[k].link->joint_name;
    }
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status = stiction_config_check(
        c->config, names, c->robot ? c->robot->joint_count : 0, c->timestep, errors);
    (void)report_errors(errors);
    c->fine = c->fine && status == STICTION_OK;
    stiction_errors_destroy(errors);
    free(names);
}

static bool judge_robot(check *c, stiction_error *error) {
    AUTO_FREE stiction_joint_def *defs = allocate(c->count, sizeof *defs);
    AUTO_FREE stability_spring *springs = allocate(c->count, sizeof *springs);
    for (size_t k = 0; k < c->count; k++) {
        defs[k] = c->entries[k].def;
        springs[k] = c->entries[k].spring;
    }
    c->joints = allocate(c->count, sizeof *c->joints);
    robot_mobility mobility = {0};
    coupling_decision taken;
    const stiction_coupling configured = stiction_config_coupling(c->config);
    stiction_status status =
        robot_couple(c->robot, configured, defs, c->timestep, &mobility, &taken, error);
    if (status == STICTION_OK)
        status = stability_judge(&mobility, springs, c->timestep, c->joints, &c->body, error);
    if (status == STICTION_OK)
        c->coupling =
            coupling_judge(configured, &taken, &c->body, defs, springs, c->count, c->timestep);
    c->fine = c->fine && c->coupling.holds;
    robot_mobility_release(&mobility);
    return status == STICTION_OK;
}

/* ---- where friction was identified ---- */

static const robot_joint *robot_joint_of(const robot *r, const char *name) {
    for (size_t k = 0; r && k < r->joint_count; k++)
        if (strcmp(r->joints[k].link->joint_name, name) == 0) return &r->joints[k];
    return NULL;
}

static void warn_of_range(const check *c, const entry *e, valid_quantity quantity, double reached,
                          const char *what) {
    valid_ranges ranges;
    if (!stiction_config_find_valid(c->config, e->name, &ranges) || !isfinite(reached) ||
        (reached >= ranges.low[quantity] && reached <= ranges.high[quantity]))
        return;
    print_note("%s: warning: joint '%s': its %s is %.4g, and its friction was identified from %.4g "
               "to %.4g (valid): beyond, it is extrapolated",
               c->path, e->name, what, reached, ranges.low[quantity], ranges.high[quantity]);
}

static void warn_of_ranges(const check *c) {
    for (size_t k = 0; k < c->count; k++) {
        const entry *e = &c->entries[k];
        if (!e->def.law) continue;
        warn_of_range(c, e, VALID_TEMPERATURE, e->def.temperature, "temperature");
        const robot_joint *of = robot_joint_of(c->robot, e->name);
        if (!of) continue;
        warn_of_range(c, e, VALID_SPEED, of->link->velocity_limit,
                      "largest speed by the robot's file");
        warn_of_range(c, e, VALID_LOAD, of->link->effort.value,
                      "largest torque by the robot's file");
    }
}

/* ---- the table ---- */

enum { Z_COLUMN = 4, plain_columns = 6, INERTIA_COLUMN = plain_columns };

/* Units go by the joints of the robot. */
typedef enum kind_of_joints { ALL_TURN, ALL_SLIDE, SOME_SLIDE } kind_of_joints;
static const char *const Z_heads[] = {"Z rad/s/(N m)", "Z m/s/N", "Z rad/s/(N m), m/s/N"};
static const char *const inertia_heads[] = {"inertia kg m^2", "inertia kg", "inertia kg m^2, kg"};

static kind_of_joints joints_of(const robot *r) {
    size_t sliding = 0;
    for (size_t k = 0; k < r->joint_count; k++)
        sliding += r->joints[k].link->joint == BODY_PRISMATIC;
    return sliding == 0 ? ALL_TURN : sliding == r->joint_count ? ALL_SLIDE : SOME_SLIDE;
}

static const table_column columns[] = {
    {"joint", "joint", 0},
    {"law", "law", 0},
    {"stiffness", "K", 4}, /* in force, where the file has auto */
    {"damping", "B", 4},
    {"Z", "Z rad/s/(N m)", 4}, /* heads with units: for joints that turn */
    {"margin", "margin", 3},
    /* with a robot */
    {"inertia", "inertia kg m^2", 4},
    {"number", "number", 4},
    {"verdict", "explicit", 0},
    {"holding_stiffness", "K that holds", 4},
    {"holding_damping", "B that holds", 4},
    {"implicit", "implicit", 0},
    {"note", "note", 0},
};

/* Appends a separator and a part to a text, which may move. */
static void append(char **to, const char *between, const char *part) {
    append_text(to, "%s%s", **to ? between : "", part);
}

/* Adds a remark to a note, which may move. */
__attribute__((format(printf, 2, 3))) static void remark(char **note, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append(note, "; ", text);
}

static void add_word(char **text, const char *key, double value) {
    AUTO_FREE char *word = format_text("%s%s%.6g", key, *key ? " " : "", value);
    append(text, ", ", word);
}

/* ---- drives ---- */

static const char first_of_drives[] = "load_motor";
static const char *const static_loads[] = {"load_motor_static", "load_external_static"};

static size_t index_of(const char *key) {
    stiction_parameter_info info;
    size_t k = 0;
    while (stiction_parameter_at(k, &info) && strcmp(info.key, key) != 0) k++;
    return k;
}

/* Whether a law is one that drives have. */
static bool is_of_drives(const stiction_law_info *law) {
    return law->parameters >> index_of(first_of_drives) & 1;
}

/* Parameters that the file gives and the law does not read. */
static void remark_unread(char **note, const stiction_joint_def *def) {
    stiction_law_info info;
    stiction_parameter_info parameter;
    (void)stiction_law_info_find(def->law, &info);
    for (size_t k = 0; stiction_parameter_at(k, &parameter); k++) {
        double value;
        memcpy(&value, (const char *)def + parameter.offset, sizeof value);
        if (!isnan(value) && !(info.parameters >> k & 1))
            remark(note, "does not read %s", parameter.key);
    }
    stiction_list_info list;
    for (size_t k = 0; stiction_list_at(k, &list); k++)
        if (!is_of_drives(&info) && stiction_joint_def_list(def, k, NULL) > 0)
            remark(note, "does not read %s", list.key);
    /* what is at rest only is nothing where rest is as motion */
    if (is_of_drives(&info) && !(info.parameters >> index_of("static_torque") & 1))
        for (size_t k = 0; k < sizeof static_loads / sizeof static_loads[0]; k++)
            if (stiction_joint_def_value(def, index_of(static_loads[k])) > 0)
                remark(note, "%s makes no difference, as static_torque would not", static_loads[k]);
}

/* What a drive has, as far as it is not neutral. */
static void remark_drive(char **note, const stiction_joint_def *def) {
    stiction_law_info info;
    stiction_parameter_info parameter;
    stiction_list_info list;
    (void)stiction_law_info_find(def->law, &info);
    if (!is_of_drives(&info)) return;
    AUTO_FREE char *text = copy_text("");
    for (size_t k = index_of(first_of_drives); stiction_parameter_at(k, &parameter); k++)
        if (!stiction_parameter_is_neutral(k, stiction_joint_def_value(def, k)))
            add_word(&text, parameter.key, stiction_joint_def_value(def, k));
    for (size_t k = 0; stiction_list_at(k, &list); k++) {
        const double *numbers;
        const size_t count = stiction_joint_def_list(def, k, &numbers);
        if (!count) continue;
        AUTO_FREE char *numbers_of = copy_text("");
        for (size_t n = 0; n < count; n++) add_word(&numbers_of, "", numbers[n]);
        AUTO_FREE char *word = format_text("%s [%s]", list.key, numbers_of);
        append(&text, ", ", word);
    }
    if (*text) remark(note, "drive: %s", text);
}

/* The time step below which K and B hold as they are, alone: 2 T B + T^2 K = 0.8 times 4 M. */
static double holding_timestep(const stability_spring *spring, double inertia) {
    const double K = spring->stiffness + spring->beside, B = spring->damping;
    const double load = STABILITY_MARGIN * STABILITY_LIMIT * inertia;
    return load / (B + sqrt(B * B + K * load));
}

/* Which K or B would do where Phi_Z does not exist. */
static void remark_illegal(char **note, const entry *e, double timestep) {
    if (e->legal) return;
    const double stiffness = legal_stiffness(&e->spring, timestep);
    remark(note, "legal with B above %.4g, or K above %.4g", legal_damping(&e->spring, timestep),
           stiffness);
}

/* `joint` is NULL without a robot. */
static char *make_note(const check *c, const entry *e, const stability_joint *joint) {
    char *note = copy_text("");
    remark_illegal(&note, e, c->timestep);
    if (e->def.law) remark_unread(&note, &e->def);
    if (e->def.law) remark_drive(&note, &e->def);
    if (e->spring.stiffness > 0 && e->spring.damping == 0)
        remark(&note, "rings, since its damping is 0");
    if (joint && joint->verdict == STABILITY_IMPOSSIBLE)
        remark(&note, "explicit needs a time step below %.3g s",
               STABILITY_LIMIT * joint->inertia / e->spring.needed);
    else if (joint && c->coupling.judged && isnan(joint->holding_stiffness) &&
             joint->verdict != STABILITY_NONE)
        remark(&note, "explicit: no K and B hold here; its own do below %.3g s",
               holding_timestep(&e->spring, joint->inertia));
    return note;
}

static bool has_friction(const entry *e) {
    return e->def.law && strcmp(e->def.law, "none") != 0;
}

/* Z and the margin 1 - Z needed of Phi_Z; empty for what has none. */
static void add_law(table *t, const check *c, const entry *e) {
    const bool element = isfinite(e->spring.needed);
    const double inverse = fma(e->spring.stiffness, c->timestep, e->spring.damping);
    table_text(t, e->def.law ? e->def.law : "none");
    table_number_or_empty(t, e->spring.stiffness > 0 ? e->spring.stiffness : (double)NAN);
    table_number_or_empty(t, e->spring.stiffness > 0 ? e->def.damping : (double)NAN);
    table_number_or_empty(t, element ? 1 / inverse : (double)NAN);
    table_number_or_empty(t, element ? 1 - fmax(e->spring.needed, 0) / inverse : (double)NAN);
}

static void add_stability(table *t, const entry *e, const stability_joint *joint) {
    const bool judged = joint->verdict != STABILITY_NONE;
    table_number(t, joint->inertia);
    table_number_or_empty(t, judged ? joint->number : (double)NAN);
    table_text(t, has_friction(e) ? stability_verdict_name(joint->verdict) : "no friction");
    table_number_or_empty(t, judged ? joint->holding_stiffness : (double)NAN);
    table_number_or_empty(t, judged ? joint->holding_damping : (double)NAN);
}

static void add_implicit(table *t, const check *c, const entry *e) {
    table_text(t, implicit_verdict_name(implicit_judge(&e->def, c->timestep)));
}

static table *make_table(const check *c) {
    const size_t last = sizeof columns / sizeof columns[0] - 1;
    table_column chosen[sizeof columns / sizeof columns[0]];
    memcpy(chosen, columns, sizeof columns);
    if (c->robot) {
        const kind_of_joints kind = joints_of(c->robot);
        chosen[Z_COLUMN].head = Z_heads[kind];
        chosen[INERTIA_COLUMN].head = inertia_heads[kind];
    } else {
        chosen[plain_columns] = (table_column){"verdict", "verdict", 0}; /* on Z alone */
        chosen[plain_columns + 1] = columns[last - 1];
        chosen[plain_columns + 2] = columns[last];
    }
    const size_t count = c->robot ? last + 1 : plain_columns + 3;
    table *t = table_create(chosen, count);
    table_rank(t, plain_columns + (c->robot ? 2 : 0), 0); /* the verdicts */
    table_rank(t, count - 2, 0);
    for (size_t k = 0; k < c->count; k++) {
        const entry *e = &c->entries[k];
        const stability_joint *joint = c->joints ? &c->joints[k] : NULL;
        AUTO_FREE char *note = make_note(c, e, joint);
        table_text(t, e->name);
        add_law(t, c, e);
        if (joint)
            add_stability(t, e, joint);
        else
            table_text(t, e->legal ? "legal" : "illegal");
        add_implicit(t, c, e);
        table_text(t, note);
    }
    return t;
}

/* ---- what comes out ---- */

static bool some_have_none(const check *c) {
    bool some = false;
    for (size_t k = 0; k < c->count; k++) some = some || isnan(c->joints[k].holding_damping);
    return some;
}

/* Prints a line and frees its text. */
static void print_line(const char *what, char *text) {
    show_line("%s%s", what, text);
    free(text);
}

static void print_couplings(const check *c) {
    const bool stable = c->body.number < STABILITY_LIMIT;
    if (c->coupling.judged)
        printf("\nexplicit, whole body: %.4g, %s %g: %s\n", c->body.number,
               stable ? "below" : "not below", STABILITY_LIMIT, stable ? "stable" : "unstable");
    else
        printf("\nexplicit, whole body: not judged: at most %d joints are, with little else in "
               "the model\n",
               STABILITY_MOST_JOINTS);
    print_line("implicit, whole body: ", coupling_describe_implicit(&c->coupling));
    print_line("", coupling_describe_choice(&c->coupling));
    const bool implicit = c->coupling.configured == STICTION_COUPLING_IMPLICIT && c->coupling.holds;
    if (!implicit && (!c->coupling.safe || !c->body.stable))
        print_line("advice: ", coupling_advise(&c->coupling, &c->body, some_have_none(c)));
}

static void print_text(const check *c, const table *t) {
    char *on_robot =
        c->robot ? format_text(", on %s: %zu joints, root %s", c->robot->name,
                               c->robot->joint_count, c->robot->free_root ? "free" : "fixed")
                 : copy_text("");
    AUTO_FREE char *seed = stiction_config_is_random(c->config)
                               ? format_text(", drawn with seed %llu",
                                             (unsigned long long)stiction_config_seed(c->config))
                               : copy_text("");
    show_line("%s at a time step of %g s%s%s%s", c->path, c->timestep,
              c->assumed ? " (assumed: neither --timestep nor the file gives one)" : "", on_robot,
              seed);
    (void)putchar('\n');
    free(on_robot);
    table_print(t, TABLE_TEXT, stdout);
    if (c->robot) print_couplings(c);
}

static json_t *make_coupling_json(const coupling_judgement *j) {
    json_t *coupling = json_object();
    (void)json_out_set(coupling, "configured",
                       json_out_text(stiction_coupling_name(j->configured)));
    (void)json_out_set(coupling, "taken", json_out_text(stiction_coupling_name(j->taken.coupling)));
    (void)json_out_set(coupling, "explicit_safe", json_boolean(j->safe));
    (void)json_out_set(coupling, "implicit_holds", json_boolean(j->implicit_holds));
    (void)json_out_set(coupling, "implicit_above_timestep",
                       j->has_potential && !j->lags ? json_out_number(j->implicit_timestep)
                                                    : json_null());
    return coupling;
}

static void print_json(const check *c, const table *t) {
    json_auto_t *all = json_object();
    (void)json_out_set(all, "config", json_out_text(c->path));
    (void)json_out_set(all, "timestep", json_out_number(c->timestep));
    (void)json_out_set(all, "fine", json_boolean(c->fine));
    if (stiction_config_is_random(c->config))
        (void)json_out_set(all, "seed", json_integer((json_int_t)stiction_config_seed(c->config)));
    (void)json_out_set(all, "joints", table_json(t));
    if (c->robot) {
        json_t *body = json_object();
        (void)json_out_set(body, "number", json_out_number(c->body.number));
        (void)json_out_set(body, "limit", json_out_number(STABILITY_LIMIT));
        (void)json_out_set(body, "holding_number", json_out_number(c->body.holding));
        (void)json_out_set(all, "robot", json_out_text(c->robot->name));
        (void)json_out_set(all, "body", body);
        (void)json_out_set(all, "coupling", make_coupling_json(&c->coupling));
    }
    (void)json_out_print(all, stdout);
}

static void print_result(const check *c) {
    if (c->given->print) {
        char *text = must_have(stiction_config_write(c->config));
        fputs(text, stdout);
        stiction_free(text);
        return;
    }
    table *t = make_table(c);
    if (c->given->json)
        print_json(c, t);
    else if (c->given->csv)
        table_print(t, TABLE_CSV, stdout);
    else
        print_text(c, t);
    table_destroy(t);
}

/* That of a run: the robot's own comes before the configuration's, which is for hosts without. */
static void choose_timestep(check *c) {
    const double own = stiction_config_timestep(c->config);
    const bool robot_has = c->robot && c->robot->has_timestep;
    c->assumed = isnan(c->given->timestep) && !robot_has && !(own > 0);
    c->timestep = !isnan(c->given->timestep) ? c->given->timestep
                  : robot_has                ? c->robot->timestep
                  : own > 0                  ? own
                                             : ROBOT_USUAL_TIMESTEP;
}

static bool prepare(check *c, stiction_error *error) {
    if (robot_is_file(c->path))
        return fail(error, "%s: is a robot; expected a configuration, and the robot after --body",
                    c->path);
    c->config = load_config(c->path);
    if (!c->config) return false;
    choose_timestep(c);
    if (!c->given->body) {
        add_patterns(c);
        return true;
    }
    c->robot = robot_load(c->given->body,
                          &(robot_options){.log = print_log,
                                           .base = base_of(&c->given->base),
                                           .untrusted = c->given->untrusted},
                          error);
    if (!c->robot) return false;
    choose_timestep(c);
    add_joints(c);
    return true;
}

static int check_configuration(const void *options, const text_list *arguments,
                               stiction_error *error) {
    check c = {.given = options, .path = arguments->items[0], .fine = true};
    if (c.given->print + c.given->csv + c.given->json > 1)
        return fail_usage(error, "check: --print, --csv and --json exclude each other");
    if (!base_options_fit(&c.given->base)) return fail_usage(error, "check: " BASE_CONFLICT);
    if (base_of(&c.given->base) != ROBOT_BASE_OF_FILE && !c.given->body)
        return fail_usage(error, "check:%s is for a robot, --body", base_option(&c.given->base));
    bool whole = prepare(&c, error);
    if (whole) {
        report_invalid(&c);
        warn_of_ranges(&c);
        if (c.robot) whole = judge_robot(&c, error);
    }
    if (whole) print_result(&c);
    free(c.entries);
    free(c.joints);
    robot_destroy(c.robot);
    stiction_config_destroy(c.config);
    return whole && c.fine ? EXIT_FINE : EXIT_DATA;
}

static const check_options defaults = {.timestep = (double)NAN};

#define FIELD(name) offsetof(check_options, name)

static const option options_of_check[] = {
    {"body", OPTION_TEXT, "FILE", "the robot: a Choreonoid .body, a .urdf or an MJCF .xml",
     FIELD(body)},
    {"timestep", OPTION_POSITIVE, "T", "time step in s, instead of the file's", FIELD(timestep)},
    BASE_OPTIONS(check_options, base),
    {"print", OPTION_FLAG, NULL, "write the configuration back as YAML, profiles resolved",
     FIELD(print)},
    {"csv", OPTION_FLAG, NULL, "the table as CSV, 17 digits", FIELD(csv)},
    {"json", OPTION_FLAG, NULL, "the result as JSON", FIELD(json)},
    UNTRUSTED_OPTION(check_options, untrusted),
    {.name = NULL},
};

const verb verb_check = {
    .name = "check",
    .summary = "whether a configuration is valid, and stable on a robot",
    .arguments = "CONFIG",
    .least = 1,
    .most = 1,
    VERB_OPTIONS(options_of_check, defaults),
    .description =

        "Reads a configuration, reports all errors in it on stderr, and prints a table:\n"
        "the law of each joint (or pattern); Z = 1/(K T + B); the legality margin, which\n"
        "is 1 far from the limit and 0 at the limit, where Phi_Z ceases to exist; and\n"
        "whether implicit coupling holds. It holds where Z is legal, for any inertia; a\n"
        "reference model, which has no potential, cannot be coupled implicitly.\n"
        "\n"
        "With --body the table also has, for each joint, the smallest inertia that it\n"
        "feels at any pose (including rotors and a floating base), the stability number\n"
        "2 T B/M + T^2 K/M of explicit coupling, which must be below 4, and a verdict:\n"
        "  stable             explicit coupling is stable\n"
        "  unstable           it is not\n"
        "  unstable together  each joint alone is stable, but not all joints together\n"
        "  illegal            Z is beyond the limit\n"
        "  cannot be both     no K and B are legal and stable\n"
        "  no spring          the law has no bristle whose stability could be judged\n"
        "  no friction        the joint has none\n"
        "  not judged         the robot has more than 100 joints\n"
        "The last columns are values of K and B that are legal and stable, with a margin,\n"
        "for all joints together: the joint's own if they are, empty if none were found.\n"
        "The line below the table is the coupling that simulators will use: the one in\n"
        "the file, or with auto explicit coupling if the stability number is below 2,\n"
        "half of the limit, and else implicit coupling.\n"
        "\n"
        "The exit code is 1 if that coupling is unstable or illegal.",
    .example = "  stiction check config/hrp5p.yaml\n"
               "  stiction check arm.yaml --body arm.urdf --timestep 0.002",
    .run = check_configuration,
};
