/* SPDX-License-Identifier: MIT
 * Tasks, contacts and joints apart, from the sections of a file to a definition.
 */
#include "whole_body_config.h"

#include <math.h>
#include <string.h>

#include "controllers/posture/words.h"
#include "section_fields.h"

static const double degree = 3.141592653589793 / 180;

/* ---- tasks ---- */

enum { KIND_POSTURE = WHOLE_BODY_POSE + 1 };
static const char kinds[] = "com | orientation | position | pose | posture";

/* As it is read. */
typedef struct task_fields {
    int kind, shape;
    size_t link;
    double point[3], kp, kv, feedforward, weight;
    const char *axes;
    const tree_node *moves;
} task_fields;

#define TASK(field) offsetof(task_fields, field)

enum { TASK_TYPE, TASK_LINK, TASK_POINT, TASK_WEIGHT };

static const section_field task_table[] = {
    [TASK_TYPE] = {"type", FIELD_WORD, TASK(kind), 0, false, kinds},
    [TASK_LINK] = {"link", FIELD_LINK, TASK(link), 0, false, NULL},
    [TASK_POINT] = {"point", FIELD_VECTOR, TASK(point), 0, false, NULL},
    [TASK_WEIGHT] = {"weight", FIELD_NUMBER, TASK(weight), 0, true, NULL},
    {"kp", FIELD_NUMBER, TASK(kp), 0, false, NULL},
    {"kv", FIELD_NUMBER, TASK(kv), 0, false, NULL},
    {"feedforward", FIELD_NUMBER, TASK(feedforward), 0, false, NULL},
    {"axes", FIELD_NAME, TASK(axes), 0, false, NULL},
    {"shape", FIELD_WORD, TASK(shape), 0, false, "smooth | ramp | step"},
    {"moves", FIELD_NODE, TASK(moves), 0, false, NULL},
};

typedef struct move_fields {
    double time, duration, offset[3], to[3], turn[3];
} move_fields;

#define MOVE(field) offsetof(move_fields, field)

enum { MOVE_TIME, MOVE_DURATION, MOVE_OFFSET, MOVE_TO, MOVE_TURN };

static const section_field move_table[] = {
    [MOVE_TIME] = {"time", FIELD_NUMBER, MOVE(time), 0, false, NULL},
    [MOVE_DURATION] = {"duration", FIELD_NUMBER, MOVE(duration), 0, false, NULL},
    [MOVE_OFFSET] = {"offset", FIELD_VECTOR, MOVE(offset), 0, false, NULL},
    [MOVE_TO] = {"to", FIELD_VECTOR, MOVE(to), 0, false, NULL},
    [MOVE_TURN] = {"turn", FIELD_VECTOR, MOVE(turn), 0, false, NULL},
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static stiction_status no_memory(stiction_error *error) {
    return config_out_of_memory(error);
}

static stiction_status read_move(const section_owner *owner, const tree_node *node,
                                 whole_body_kind kind, whole_body_move *move,
                                 stiction_error *error) {
    move_fields f = {0};
    unsigned given;
    const stiction_status status =
        section_read(owner, node, move_table, COUNT(move_table), &f, &given, error);
    if (status != STICTION_OK) return status;
    const bool offset = given >> MOVE_OFFSET & 1, to = given >> MOVE_TO & 1;
    const bool turn = given >> MOVE_TURN & 1;
    if (!(given >> MOVE_TIME & 1))
        return section_refuse(owner, node, error, "a move needs its time");
    if (offset && to)
        return section_refuse(owner, node, error, "a move has an offset or to, not both");
    if (kind == WHOLE_BODY_ORIENTATION && (offset || to))
        return section_refuse(owner, node, error, "an orientation moves by turn alone");
    if ((kind == WHOLE_BODY_COM || kind == WHOLE_BODY_POSITION) && turn)
        return section_refuse(owner, node, error, "a position does not turn");
    if (!offset && !to && !turn)
        return section_refuse(owner, node, error, "a move needs an offset, to or turn");
    *move = (whole_body_move){.time = f.time, .duration = f.duration, .is_absolute = to};
    for (int k = 0; k < 3; k++) {
        move->to[k] = to ? f.to[k] : f.offset[k];
        move->turn[k] = f.turn[k] * degree;
    }
    return STICTION_OK;
}

static stiction_status read_moves(const section_owner *owner, const tree_node *list, arena *memory,
                                  whole_body_task *task, stiction_error *error) {
    if (list->kind != TREE_LIST)
        return section_refuse(owner, list, error,
                              "moves must be a list such as [ { time: 1, duration: 2, offset: [ 0, "
                              "0, -0.1 ] } ]");
    whole_body_move *moves = stiction_arena_take(memory, (list->count + 1) * sizeof *moves);
    if (!moves) return no_memory(error);
    stiction_status status = STICTION_OK;
    for (const tree_entry *e = list->first; e && status == STICTION_OK; e = e->next) {
        whole_body_move *move = &moves[task->move_count];
        status = read_move(owner, e->value, task->kind, move, error);
        if (status == STICTION_OK && task->move_count > 0 &&
            move->time < move[-1].time + move[-1].duration)
            status = section_refuse(owner, e->value, error,
                                    "a move at %g s begins before the one before it ends, at %g s",
                                    move->time, move[-1].time + move[-1].duration);
        task->move_count++;
    }
    task->moves = moves;
    return status;
}

static stiction_status read_axes(const section_owner *owner, const tree_node *node,
                                 const char *text, bool axes[3], stiction_error *error) {
    static const char names[] = "xyz";
    if (!text) return STICTION_OK;
    memset(axes, 0, 3 * sizeof *axes);
    for (const char *c = text; *c; c++) {
        const char *found = strchr(names, *c);
        if (!found || axes[found - names])
            return section_refuse(owner, node, error, "axes must be some of xyz, not '%.100s'",
                                  text);
        axes[found - names] = true;
    }
    return *text ? STICTION_OK : section_refuse(owner, node, error, "axes is empty");
}

static double general(const posture_config *config, const char *key, double fallback) {
    double value;
    return posture_config_general(config, key, &value) ? value : fallback;
}

/* Adds a task, or takes the weight of the posture. */
static stiction_status read_task(const posture_config *config, const section_owner *owner,
                                 const tree_entry *entry, arena *memory, whole_body_def *def,
                                 whole_body_task *tasks, stiction_error *error) {
    const posture_joint_def usual = posture_joint_def_default();
    task_fields f = {.kp = general(config, "kp", usual.kp),
                     .kv = general(config, "kv", usual.kv),
                     .feedforward = 1,
                     .weight = 1};
    unsigned given;
    stiction_status status =
        section_read(owner, entry->value, task_table, COUNT(task_table), &f, &given, error);
    if (status != STICTION_OK) return status;
    size_t kind = (size_t)f.kind;
    if (!(given >> TASK_TYPE & 1) && !words_choose(kinds, owner->name, &kind))
        return section_refuse(owner, entry->key, error, "its type must be %s", kinds);
    if (kind == KIND_POSTURE) {
        const unsigned its_own = 1u << TASK_TYPE | 1u << TASK_WEIGHT;
        def->posture_weight = f.weight;
        return given & ~its_own
                   ? section_refuse(owner, entry->key, error,
                                    "a posture has a weight; the rest is of the joints")
                   : STICTION_OK;
    }
    whole_body_task *task = &tasks[def->task_count++];
    static const posture_shape shapes[] = {POSTURE_SMOOTH, POSTURE_RAMP, POSTURE_STEP};
    *task = (whole_body_task){.name = owner->name,
                              .kind = (whole_body_kind)kind,
                              .link = f.link,
                              .kp = f.kp,
                              .kv = f.kv,
                              .feedforward = f.feedforward,
                              .weight = f.weight,
                              .axes = {true, true, true},
                              .shape = shapes[f.shape]};
    memcpy(task->point, f.point, sizeof f.point);
    const bool needs_link = kind == WHOLE_BODY_POSITION || kind == WHOLE_BODY_POSE;
    if (kind == WHOLE_BODY_COM && !def->floating)
        return section_refuse(owner, entry->key, error,
                              "the centre of mass is a task of a base that floats; this one is "
                              "fixed");
    if (kind == WHOLE_BODY_COM && given >> TASK_LINK & 1)
        return section_refuse(owner, entry->key, error, "the centre of mass has no link");
    if (needs_link && !(given >> TASK_LINK & 1))
        return section_refuse(owner, entry->key, error, "it needs a link");
    if (!needs_link && given >> TASK_POINT & 1)
        return section_refuse(owner, entry->key, error, "only a position or pose has a point");
    status = read_axes(owner, entry->value, f.axes, task->axes, error);
    if (status == STICTION_OK && f.moves) status = read_moves(owner, f.moves, memory, task, error);
    return status;
}

static stiction_status read_tasks(const posture_config *config,
                                  const stiction_controller_setup *setup, arena *memory,
                                  whole_body_def *def, stiction_error *error) {
    const tree_entry *section = posture_config_section(config, "tasks");
    if (!section) return STICTION_OK;
    const section_owner all = {"tasks", NULL, setup};
    if (section->value->kind != TREE_MAPPING)
        return section_refuse(&all, section->value, error, "it must be a mapping of names");
    whole_body_task *tasks =
        stiction_arena_take(memory, (section->value->count + 1) * sizeof *tasks);
    if (!tasks) return no_memory(error);
    def->tasks = tasks;
    stiction_status status = STICTION_OK;
    for (const tree_entry *e = section->value->first; e && status == STICTION_OK; e = e->next) {
        const section_owner owner = {"task", e->key->text, setup};
        status = read_task(config, &owner, e, memory, def, tasks, error);
    }
    return status;
}

/* ---- contacts ---- */

typedef struct contact_fields {
    size_t link;
    const tree_node *corners;
    double normal[3], friction, kv, from, until, close_force, open_force;
    int closing;
} contact_fields;

#define CONTACT(field) offsetof(contact_fields, field)

enum { CONTACT_LINK };

static const section_field contact_table[] = {
    [CONTACT_LINK] = {"link", FIELD_LINK, CONTACT(link), 0, false, NULL},
    {"corners", FIELD_NODE, CONTACT(corners), 0, false, NULL},
    {"normal", FIELD_VECTOR, CONTACT(normal), 0, false, NULL},
    {"friction", FIELD_NUMBER, CONTACT(friction), 0, true, NULL},
    {"kv", FIELD_NUMBER, CONTACT(kv), 0, false, NULL},
    {"closing", FIELD_WORD, CONTACT(closing), 0, false, "force | told"},
    {"from", FIELD_NUMBER, CONTACT(from), 0, false, NULL},
    {"until", FIELD_NUMBER, CONTACT(until), 0, false, NULL},
    {"close_force", FIELD_NUMBER, CONTACT(close_force), 0, true, NULL},
    {"open_force", FIELD_NUMBER, CONTACT(open_force), 0, false, NULL},
};

static stiction_status read_corners(const section_owner *owner, const tree_entry *entry,
                                    const tree_node *list, whole_body_contact *contact,
                                    stiction_error *error) {
    if (!list || list->kind != TREE_LIST)
        return section_refuse(owner, list ? list : entry->key, error,
                              "it needs corners: a list of points of the link");
    if (list->count == 0 || list->count == 2 || list->count > WHOLE_BODY_CORNERS)
        return section_refuse(owner, list, error,
                              "it has %zu corners and must have 1, for a point, or 3 to %d",
                              list->count, WHOLE_BODY_CORNERS);
    stiction_status status = STICTION_OK;
    for (const tree_entry *e = list->first; e && status == STICTION_OK; e = e->next)
        status = section_vector(owner, e->value, "a corner",
                                contact->corners[contact->corner_count++], error);
    return status;
}

static stiction_status read_contact(const section_owner *owner, const tree_entry *entry,
                                    whole_body_contact *contact, stiction_error *error) {
    contact_fields f = {.normal = {0, 0, 1},
                        .friction = 0.5,
                        .until = (double)INFINITY,
                        .close_force = 20,
                        .open_force = 2};
    unsigned given;
    const stiction_status status =
        section_read(owner, entry->value, contact_table, COUNT(contact_table), &f, &given, error);
    if (status != STICTION_OK) return status;
    if (!(given >> CONTACT_LINK & 1))
        return section_refuse(owner, entry->key, error, "it needs a link");
    const double length =
        sqrt(f.normal[0] * f.normal[0] + f.normal[1] * f.normal[1] + f.normal[2] * f.normal[2]);
    if (!(length > 1e-6))
        return section_refuse(owner, entry->value, error, "its normal has no direction");
    if (f.open_force >= f.close_force)
        return section_refuse(owner, entry->value, error,
                              "open_force %g must be below close_force %g", f.open_force,
                              f.close_force);
    if (f.until <= f.from)
        return section_refuse(owner, entry->value, error, "until %g must be above from %g", f.until,
                              f.from);
    *contact = (whole_body_contact){.name = owner->name,
                                    .link = f.link,
                                    .friction = f.friction,
                                    .kv = f.kv,
                                    .closing = (whole_body_closing)f.closing,
                                    .from = f.from,
                                    .until = f.until,
                                    .close_force = f.close_force,
                                    .open_force = f.open_force};
    for (int k = 0; k < 3; k++) contact->normal[k] = f.normal[k] / length;
    return read_corners(owner, entry, f.corners, contact, error);
}

static stiction_status read_contacts(const posture_config *config,
                                     const stiction_controller_setup *setup, arena *memory,
                                     whole_body_def *def, stiction_error *error) {
    const tree_entry *section = posture_config_section(config, "contacts");
    if (!section) return STICTION_OK;
    const section_owner all = {"contacts", NULL, setup};
    if (section->value->kind != TREE_MAPPING)
        return section_refuse(&all, section->value, error, "it must be a mapping of names");
    whole_body_contact *contacts =
        stiction_arena_take(memory, (section->value->count + 1) * sizeof *contacts);
    if (!contacts) return no_memory(error);
    def->contacts = contacts;
    stiction_status status = STICTION_OK;
    for (const tree_entry *e = section->value->first; e && status == STICTION_OK; e = e->next) {
        const section_owner owner = {"contact", e->key->text, setup};
        status = read_contact(&owner, e, &contacts[def->contact_count++], error);
    }
    return status;
}

/* ---- joints apart, and links ---- */

static stiction_status read_apart(const posture_config *config,
                                  const stiction_controller_setup *setup, arena *memory,
                                  whole_body_def *def, stiction_error *error) {
    const tree_entry *section = posture_config_section(config, "apart");
    if (!section) return STICTION_OK;
    const section_owner owner = {"apart", NULL, setup};
    if (section->value->kind != TREE_LIST)
        return section_refuse(&owner, section->value, error,
                              "it must be a list of joints or patterns");
    bool *apart = stiction_arena_take(memory, (setup->joint_count + 1) * sizeof *apart);
    if (!apart) return no_memory(error);
    size_t count = 0;
    for (const tree_entry *e = section->value->first; e; e = e->next) {
        bool found = false;
        if (e->value->kind != TREE_SCALAR)
            return section_refuse(&owner, e->value, error, "a joint's name is a word");
        for (size_t k = 0; k < setup->joint_count; k++)
            if (stiction_name_matches(e->value->text, setup->joints[k].name)) {
                count += !apart[k];
                apart[k] = found = true;
            }
        if (!found)
            return section_refuse(&owner, e->value, error, "the robot has no joint '%.100s'",
                                  e->value->text);
    }
    if (count == setup->joint_count)
        return section_refuse(&owner, section->value, error,
                              "no joint is left for the program to move");
    def->apart = apart;
    return STICTION_OK;
}

static void add_link(size_t *links, size_t *count, size_t link) {
    for (size_t k = 0; k < *count; k++)
        if (links[k] == link) return;
    links[(*count)++] = link;
}

static stiction_status list_links(arena *memory, whole_body_def *def, stiction_error *error) {
    size_t *links =
        stiction_arena_take(memory, (def->task_count + def->contact_count + 1) * sizeof *links);
    if (!links) return no_memory(error);
    for (size_t k = 0; k < def->task_count; k++)
        if (def->tasks[k].kind != WHOLE_BODY_COM)
            add_link(links, &def->link_count, def->tasks[k].link);
    for (size_t k = 0; k < def->contact_count; k++)
        add_link(links, &def->link_count, def->contacts[k].link);
    def->links = links;
    return STICTION_OK;
}

stiction_status whole_body_config_apply(const posture_config *config,
                                        const stiction_controller_setup *setup, arena *memory,
                                        whole_body_def *def, stiction_error *error) {
    def->floating = setup->floating;
    def->timestep = fmax(setup->timestep, def->posture.period);
    memcpy(def->gravity, setup->gravity, sizeof def->gravity);
    def->posture_weight = 1;
    def->force_weight = 1e-6;
    def->base_lambda = general(config, "lambda", 0);
    stiction_status status = read_tasks(config, setup, memory, def, error);
    if (status == STICTION_OK) status = read_contacts(config, setup, memory, def, error);
    if (status == STICTION_OK) status = read_apart(config, setup, memory, def, error);
    if (status == STICTION_OK) status = list_links(memory, def, error);
    return status;
}
