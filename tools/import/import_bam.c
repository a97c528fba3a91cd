/* SPDX-License-Identifier: MIT
 * The parameter files of BAM (Rhoban's "Better Actuator Models", Duclusaud and Passault): the
 * friction of six models, of which each adds terms to the one before. The formulas are those of
 * bam/model.py:
 *   K_v |v| + K_c + |K_m tau_m - K_e tau_e|
 *   + exp(-|v/v_s|^alpha) (K_cs + |K_ms tau_m - K_es tau_e| + the quadratic terms of M6).
 */
#include <math.h>
#include <string.h>

#include "document/document.h"
#include "import.h"
#include "stiction/models/parameters.h"

typedef enum bam_part {
    BAM_STRIBECK = 1,
    BAM_LOAD = 2,
    BAM_DIRECTIONAL = 4,
    BAM_QUADRATIC = 8,
} bam_part;

static const struct bam_model {
    const char *name, *title;
    unsigned parts;
} models[] = {
    {"m1", "Coulomb", 0},
    {"m2", "Stribeck", BAM_STRIBECK},
    {"m3", "load-dependent", BAM_LOAD},
    {"m4", "Stribeck, load-dependent", BAM_STRIBECK | BAM_LOAD},
    {"m5", "Stribeck, load-dependent, directional", BAM_STRIBECK | BAM_LOAD | BAM_DIRECTIONAL},
    {"m6", "Stribeck, load-dependent, directional, quadratic",
     BAM_STRIBECK | BAM_LOAD | BAM_DIRECTIONAL | BAM_QUADRATIC},
};
enum { model_count = sizeof models / sizeof models[0] };

/* A number of the file: a model reads it that has all the parts `with` and none of `without`. The
 * keys are what it becomes; static_torque is a sum, which is made apart. */
static const struct bam_row {
    const char *name;
    unsigned with, without;
    const char *keys[2];
} rows[] = {
    {"friction_base", 0, 0, {"coulomb_torque", NULL}},
    {"friction_stribeck", BAM_STRIBECK, 0, {"static_torque", NULL}},
    {"dtheta_stribeck", BAM_STRIBECK, 0, {"stribeck_velocity", NULL}},
    {"alpha", BAM_STRIBECK, 0, {"stribeck_exponent", NULL}},
    {"friction_viscous", 0, 0, {"viscous", NULL}},
    {"load_friction_base", BAM_LOAD, BAM_DIRECTIONAL, {"load_motor", "load_external"}},
    {"load_friction_motor", BAM_LOAD | BAM_DIRECTIONAL, 0, {"load_motor", NULL}},
    {"load_friction_external", BAM_LOAD | BAM_DIRECTIONAL, 0, {"load_external", NULL}},
    {"load_friction_stribeck",
     BAM_LOAD | BAM_STRIBECK,
     BAM_DIRECTIONAL,
     {"load_motor_static", "load_external_static"}},
    {"load_friction_motor_stribeck",
     BAM_LOAD | BAM_STRIBECK | BAM_DIRECTIONAL,
     0,
     {"load_motor_static", NULL}},
    {"load_friction_external_stribeck",
     BAM_LOAD | BAM_STRIBECK | BAM_DIRECTIONAL,
     0,
     {"load_external_static", NULL}},
    {"load_friction_motor_quad", BAM_QUADRATIC, 0, {NULL, NULL}},
    {"load_friction_external_quad", BAM_QUADRATIC, 0, {NULL, NULL}},
};
enum { row_count = sizeof rows / sizeof rows[0] };

/* What of the motor is in the files. */
static const struct {
    const char *name, *meaning;
} motor[] = {
    {"kt", "torque constant"},
    {"R", "resistance"},
    {"armature", "rotor inertia, which belongs into the robot's file"},
    {"q_offset", "offset of the test bench"},
};
enum { motor_count = sizeof motor / sizeof motor[0] };

typedef struct bam {
    import_result *result;
    reader *r;
    const tree_node *root;
    const struct bam_model *model;
    import_joint *joint;
} bam;

static bool reads(const struct bam_model *model, const struct bam_row *row) {
    return (model->parts & row->with) == row->with && (model->parts & row->without) == 0;
}

static const struct bam_row *find_row(const char *name) {
    for (size_t k = 0; k < row_count; k++)
        if (strcmp(rows[k].name, name) == 0) return &rows[k];
    return NULL;
}

static const tree_node *required(const bam *b, const char *name, const char *why) {
    const tree_entry *entry = stiction_yaml_find(b->root, name);
    if (!entry) stiction_reader_refuse(b->r, b->root->at, "lacks '%s', %s", name, why);
    return entry->value;
}

static const struct bam_model *find_model(const bam *b) {
    const tree_node *node =
        required(b, "model", "which says what formula the numbers belong to: m1 to m6 of BAM");
    const char *name = stiction_doc_text(b->r, node, "model");
    for (size_t k = 0; k < model_count; k++)
        if (strcmp(models[k].name, name) == 0) return &models[k];
    stiction_reader_refuse(b->r, node->at, "unknown model '%s': BAM has m1 to m6", name);
}

/* A number that the model reads: BAM itself would silently take a default where it is missing. */
static double read_number_of(const bam *b, const char *name) {
    const char *why = stiction_reader_format(b->r, "which model %s needs", b->model->name);
    const tree_node *node = required(b, name, why);
    const double value = stiction_doc_number(b->r, node, name);
    if (!(value >= 0)) stiction_reader_refuse(b->r, node->at, "%s %g is below 0", name, value);
    if (strcmp(name, "alpha") == 0 && value < 1)
        stiction_reader_refuse(
            b->r, node->at,
            "alpha %.17g is below 1: such a Stribeck curve falls infinitely "
            "steeply at rest, so that no damping and no time step make it legal; "
            "fit it again with alpha >= 1",
            value);
    return value;
}

static void add_row(const bam *b, const struct bam_row *row) {
    const double value = read_number_of(b, row->name);
    if (strcmp(row->name, "friction_base") == 0) {
        import_add(b->result, b->joint, row->keys[0], import_coulomb(b->result, row->name, value),
                   "%s", row->name);
    } else if (strcmp(row->name, "friction_stribeck") == 0) {
        import_add(b->result, b->joint, row->keys[0],
                   import_value(b->joint, "coulomb_torque") + value, "friction_base + %s",
                   row->name);
    } else {
        for (size_t k = 0; k < 2 && row->keys[k]; k++)
            import_add(b->result, b->joint, row->keys[k], value, "%s", row->name);
    }
}

/* How far torques count: a bound is needed where load adds to friction at rest alone, for it
 * decides which damping is legal. */
static void add_load_limit(const bam *b, const import_options *options) {
    static const double usual = 20, of_friction = 10;
    const bool is_static = import_value(b->joint, "load_motor_static") > 0 ||
                           import_value(b->joint, "load_external_static") > 0;
    if (!isnan(options->load_limit)) {
        import_add(b->result, b->joint, "load_limit", options->load_limit, "--load-limit");
    } else if (is_static) {
        const double most =
            ceil(fmax(usual, of_friction * import_value(b->joint, "static_torque")));
        import_add(b->result, b->joint, "load_limit", most, "chosen; --load-limit");
        import_note(b->result,
                    "load_limit was chosen, for BAM has none: torques above %g N m add no more "
                    "friction (the larger of 20 N m and ten times the static torque); "
                    "--load-limit gives another, and a lower one needs less damping",
                    most);
    }
}

/* ---- what is not taken over ---- */

static void note_quadratic(const bam *b) {
    if (!(b->model->parts & BAM_QUADRATIC)) return;
    const double of_motor = read_number_of(b, "load_friction_motor_quad");
    const double of_external = read_number_of(b, "load_friction_external_quad");
    import_note(b->result,
                "not taken over: the quadratic load terms of M6, load_friction_motor_quad %g and "
                "load_friction_external_quad %g 1/(N m); without them the curves are those of M5",
                of_motor, of_external);
}

static const char *append(const bam *b, const char *list, const char *item) {
    return stiction_reader_format(b->r, "%s%s%s", list, *list ? ", " : "", item);
}

static const char *motor_meaning(const char *name) {
    for (size_t k = 0; k < motor_count; k++)
        if (strcmp(motor[k].name, name) == 0) return motor[k].meaning;
    return NULL;
}

static void note_others(const bam *b) {
    const char *of_motor = "", *unknown = "", *unread = "";
    for (const tree_entry *e = b->root->first; e; e = e->next) {
        const char *name = e->key->text, *meaning = motor_meaning(name);
        const struct bam_row *row = find_row(name);
        if (strcmp(name, "model") == 0 || strcmp(name, "actuator") == 0) continue;
        if (meaning)
            of_motor = append(b, of_motor, stiction_reader_format(b->r, "%s (%s)", name, meaning));
        else if (!row)
            unknown = append(b, unknown, name);
        else if (!reads(b->model, row))
            unread = append(b, unread, name);
    }
    if (*of_motor) import_note(b->result, "not taken over, since it is not friction: %s", of_motor);
    if (*unread)
        import_note(b->result, "not taken over, since model %s does not read it: %s",
                    b->model->name, unread);
    if (*unknown) import_note(b->result, "not taken over, since it is not known: %s", unknown);
}

/* ---- the format ---- */

void import_bam(import_result *result, const import_options *options) {
    reader *r = result->r;
    const tree_options format = {.what = "a parameter file of BAM", .doubles = TREE_REFUSE_DOUBLES};
    const stiction_place whole = {result->path, 0, 0};
    bam b = {.result = result, .r = r};
    b.root = stiction_doc_read(r, whole, result->path, &format).root;
    stiction_doc_expect(r, b.root, TREE_MAPPING, "a parameter file of BAM");
    b.model = find_model(&b);
    const tree_entry *named = stiction_yaml_find(b.root, "actuator");
    const char *actuator =
        named ? stiction_doc_text(r, named->value, "actuator") : "an actuator without a name";
    result->what = stiction_reader_format(r, "BAM's model %s (%s) of %s", b.model->name,
                                          b.model->title, actuator);
    result->timestep_origin = isnan(options->timestep) ? "BAM states none" : "--timestep";
    b.joint =
        import_add_joint(result, NULL, b.model->parts & BAM_STRIBECK ? "stribeck" : "coulomb");
    for (size_t k = 0; k < row_count; k++)
        if (reads(b.model, &rows[k]) && rows[k].keys[0]) add_row(&b, &rows[k]);
    add_load_limit(&b, options);
    import_bristle(result, b.joint, options);
    import_remark(
        result, "The torque of steady sliding is BAM's to the last digits. A number is followed by "
                "its unit and the name that it has there.");
    note_quadratic(&b);
    if (isnan(options->stiffness) || isnan(options->damping))
        import_note(result,
                    "BAM's friction has no bristle: stiffness %g and damping %g were chosen, see "
                    "--stiffness and --damping",
                    import_value(b.joint, "stiffness"), import_value(b.joint, "damping"));
    note_others(&b);
    import_name_joints(result, options, "a parameter file of BAM");
}
