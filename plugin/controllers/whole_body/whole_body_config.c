/* SPDX-License-Identifier: MIT
 * Tasks, contacts and joints apart, from the sections of a file to a definition.
 */
#include "whole_body_config.h"

#include <math.h>
#include <string.h>

#include "controllers/posture/posture_settings.h"

static const double degree = 3.141592653589793 / 180;

typedef struct request {
    const posture_config *config;
    const stiction_controller_setup *setup;
    whole_body_def *def;
} request;

/* ---- mappings ---- */

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* A row of a table of keys whose values are fields of `type`. */
#define NUMBER(type, key, field, domain)                                                           \
    { {#key, "", ""}, KEY_PLAIN, false, offsetof(type, field), &(domain) }
#define WORD(type, key, field, words)                                                              \
    { {#key, words, ""}, KEY_WORD, false, offsetof(type, field), NULL }
#define OTHER(type, key, field, kind)                                                              \
    { {#key, "", ""}, kind, false, offsetof(type, field), NULL }

static size_t read_link(reader *r, setting_place at, const stiction_controller_setup *s,
                        const char *name) {
    char hint[NAME_HINT_SIZE];
    for (size_t k = 0; k < s->link_count; k++)
        if (strcmp(s->links[k], name) == 0) return k;
    config_refuse(r, at, "the robot has no link '%.100s'%s", name,
                  stiction_name_hint(name, s->links, s->link_count, hint));
}

static void read_field(reader *r, const request *q, setting_place owner, const posture_key *key,
                       const tree_node *node, void *to) {
    const char *name = key->info.name;
    void *field = (char *)to + key->offset;
    if (key->kind == KEY_NODE) {
        *(const tree_node **)field = node;
    } else if (key->kind == KEY_VECTOR) {
        config_read_vector(r, owner, node, name, field);
    } else {
        const char *text = config_read_text(r, owner, node, name);
        owner.at = node->at;
        if (key->kind == KEY_LINK)
            *(size_t *)field = read_link(r, owner, q->setup, text);
        else if (key->kind == KEY_TEXT)
            *(const char **)field = text;
        else if (key->kind == KEY_WORD)
            *(int *)field = (int)config_read_value(r, owner, key, text);
        else
            *(double *)field = config_read_value(r, owner, key, text);
    }
}

/* Reads a mapping into a struct; bit k of the result: keys[k] is given. */
static unsigned read_mapping(reader *r, const request *q, setting_place owner,
                             const tree_node *mapping, const posture_key *keys, size_t count,
                             void *to) {
    enum { most = 32 };
    const char *names[most];
    char hint[NAME_HINT_SIZE];
    unsigned given = 0;
    for (size_t k = 0; k < count; k++) names[k] = keys[k].info.name;
    if (mapping->kind != TREE_MAPPING)
        config_refuse(r, config_at(owner, mapping), "it must be a mapping of keys");
    for (const tree_entry *e = mapping->first; e; e = e->next) {
        size_t k = 0;
        while (k < count && strcmp(names[k], e->key->text) != 0) k++;
        if (k == count)
            config_refuse(r, config_at(owner, e->key), "there is no key '%.100s'%s", e->key->text,
                          stiction_name_hint(e->key->text, names, count, hint));
        read_field(r, q, owner, &keys[k], e->value, to);
        given |= 1u << k;
    }
    return given;
}

/* A section that is a mapping of names, with an array of as many items; NULL: there is none. */
static const tree_node *read_section(reader *r, const request *q, const char *name,
                                     size_t item_size, void **items) {
    const tree_entry *section = posture_config_section(q->config, name);
    if (!section) return NULL;
    if (section->value->kind != TREE_MAPPING)
        config_refuse(r, (setting_place){.at = section->value->at, .what = name},
                      "it must be a mapping of names");
    *items = stiction_reader_alloc(r, (section->value->count + 1) * item_size);
    return section->value;
}

/* ---- moves ---- */

typedef struct move_fields {
    double time, duration, offset[3], to[3], turn[3];
} move_fields;

enum { MOVE_TIME, MOVE_DURATION, MOVE_OFFSET, MOVE_TO, MOVE_TURN };

static const posture_key move_keys[] = {
    [MOVE_TIME] = NUMBER(move_fields, time, time, domain_not_negative),
    [MOVE_DURATION] = NUMBER(move_fields, duration, duration, domain_not_negative),
    [MOVE_OFFSET] = OTHER(move_fields, offset, offset, KEY_VECTOR),
    [MOVE_TO] = OTHER(move_fields, to, to, KEY_VECTOR),
    [MOVE_TURN] = OTHER(move_fields, turn, turn, KEY_VECTOR),
};

static whole_body_move read_move(reader *r, const request *q, setting_place owner,
                                 const tree_node *node, whole_body_kind kind) {
    move_fields f = {0};
    const unsigned given = read_mapping(r, q, owner, node, move_keys, COUNT(move_keys), &f);
    const bool offset = given >> MOVE_OFFSET & 1, to = given >> MOVE_TO & 1;
    const bool turn = given >> MOVE_TURN & 1;
    owner.at = node->at;
    if (!(given >> MOVE_TIME & 1)) config_refuse(r, owner, "a move needs its time");
    if (offset && to) config_refuse(r, owner, "a move has an offset or to, not both");
    if (kind == WHOLE_BODY_ORIENTATION && (offset || to))
        config_refuse(r, owner, "an orientation moves by turn alone");
    if ((kind == WHOLE_BODY_COM || kind == WHOLE_BODY_POSITION) && turn)
        config_refuse(r, owner, "a position does not turn");
    if (!offset && !to && !turn) config_refuse(r, owner, "a move needs an offset, to or turn");
    whole_body_move move = {.time = f.time, .duration = f.duration, .is_absolute = to};
    for (int k = 0; k < 3; k++) {
        move.to[k] = to ? f.to[k] : f.offset[k];
        move.turn[k] = f.turn[k] * degree;
    }
    return move;
}

static void read_moves(reader *r, const request *q, setting_place owner, const tree_node *list,
                       whole_body_task *task) {
    if (list->kind != TREE_LIST)
        config_refuse(r, config_at(owner, list),
                      "moves must be a list such as [ { time: 1, duration: 2, offset: [ 0, 0, -0.1 "
                      "] } ]");
    whole_body_move *moves = stiction_reader_alloc(r, (list->count + 1) * sizeof *moves);
    double end = 0; /* s, of the move before */
    for (const tree_entry *e = list->first; e; e = e->next) {
        const whole_body_move move = read_move(r, q, owner, e->value, task->kind);
        if (move.time < end)
            config_refuse(r, config_at(owner, e->value),
                          "a move at %g s begins before the one before it ends, at %g s", move.time,
                          end);
        end = move.time + move.duration;
        moves[task->move_count++] = move;
    }
    task->moves = moves;
}

/* ---- tasks ---- */

enum { KIND_POSTURE = WHOLE_BODY_POSE + 1 };
static const char kinds[] = "com | orientation | position | pose | posture";

typedef struct task_fields {
    whole_body_task task;
    int kind, shape;
    const char *axes;
    const tree_node *moves;
} task_fields;

enum { TASK_TYPE, TASK_LINK, TASK_POINT, TASK_WEIGHT };

static const posture_key task_keys[] = {
    [TASK_TYPE] = WORD(task_fields, type, kind, kinds),
    [TASK_LINK] = OTHER(task_fields, link, task.link, KEY_LINK),
    [TASK_POINT] = OTHER(task_fields, point, task.point, KEY_VECTOR),
    [TASK_WEIGHT] = NUMBER(task_fields, weight, task.weight, domain_positive),
    NUMBER(task_fields, kp, task.kp, domain_not_negative),
    NUMBER(task_fields, kv, task.kv, domain_not_negative),
    NUMBER(task_fields, feedforward, task.feedforward, domain_not_negative),
    OTHER(task_fields, axes, axes, KEY_TEXT),
    WORD(task_fields, shape, shape, "smooth | ramp | step"),
    OTHER(task_fields, moves, moves, KEY_NODE),
};

static void read_axes(reader *r, setting_place at, const char *text, bool axes[3]) {
    static const char names[] = "xyz";
    if (!*text) config_refuse(r, at, "axes is empty");
    memset(axes, 0, 3 * sizeof *axes);
    for (const char *c = text; *c; c++) {
        const char *found = strchr(names, *c);
        if (!found || axes[found - names])
            config_refuse(r, at, "axes must be some of xyz, not '%.100s'", text);
        axes[found - names] = true;
    }
}

static double general(const posture_config *config, const char *key, double fallback) {
    double value;
    return posture_config_general(config, key, &value) ? value : fallback;
}

/* Adds a task, or sets the weight of the posture. */
static void read_task(reader *r, const request *q, const tree_entry *entry,
                      whole_body_task *tasks) {
    static const posture_shape shapes[] = {POSTURE_SMOOTH, POSTURE_RAMP, POSTURE_STEP};
    const setting_place owner = {.at = entry->key->at, .what = "task", .name = entry->key->text};
    const posture_joint_def usual = posture_joint_def_default();
    task_fields f = {.task = {.name = owner.name,
                              .kp = general(q->config, "kp", usual.kp),
                              .kv = general(q->config, "kv", usual.kv),
                              .feedforward = 1,
                              .weight = 1,
                              .axes = {true, true, true}}};
    const unsigned given = read_mapping(r, q, owner, entry->value, task_keys, COUNT(task_keys), &f);
    size_t kind = (size_t)f.kind;
    if (!(given >> TASK_TYPE & 1) && !config_choose(kinds, owner.name, &kind))
        config_refuse(r, owner, "its type must be %s", kinds);
    if (kind == KIND_POSTURE) {
        if (given & ~(1u << TASK_TYPE | 1u << TASK_WEIGHT))
            config_refuse(r, owner, "a posture has a weight; the rest is of the joints");
        q->def->posture_weight = f.task.weight;
        return;
    }
    f.task.kind = (whole_body_kind)kind;
    f.task.shape = shapes[f.shape];
    const bool needs_link = kind == WHOLE_BODY_POSITION || kind == WHOLE_BODY_POSE;
    if (kind == WHOLE_BODY_COM && !q->def->floating)
        config_refuse(r, owner,
                      "the centre of mass is a task of a base that floats; this one is fixed");
    if (kind == WHOLE_BODY_COM && given >> TASK_LINK & 1)
        config_refuse(r, owner, "the centre of mass has no link");
    if (needs_link && !(given >> TASK_LINK & 1)) config_refuse(r, owner, "it needs a link");
    if (!needs_link && given >> TASK_POINT & 1)
        config_refuse(r, owner, "only a position or pose has a point");
    if (f.axes) read_axes(r, config_at(owner, entry->value), f.axes, f.task.axes);
    if (f.moves) read_moves(r, q, owner, f.moves, &f.task);
    tasks[q->def->task_count++] = f.task;
}

/* ---- contacts ---- */

typedef struct contact_fields {
    whole_body_contact contact;
    int closing;
    const tree_node *corners;
} contact_fields;

enum { CONTACT_LINK };

static const posture_key contact_keys[] = {
    [CONTACT_LINK] = OTHER(contact_fields, link, contact.link, KEY_LINK),
    OTHER(contact_fields, corners, corners, KEY_NODE),
    OTHER(contact_fields, normal, contact.normal, KEY_VECTOR),
    NUMBER(contact_fields, friction, contact.friction, domain_positive),
    NUMBER(contact_fields, kv, contact.kv, domain_not_negative),
    WORD(contact_fields, closing, closing, "force | told"),
    NUMBER(contact_fields, from, contact.from, domain_not_negative),
    NUMBER(contact_fields, until, contact.until, domain_not_negative),
    NUMBER(contact_fields, close_force, contact.close_force, domain_positive),
    NUMBER(contact_fields, open_force, contact.open_force, domain_not_negative),
};

static void read_corners(reader *r, setting_place owner, const tree_node *list,
                         whole_body_contact *contact) {
    if (list) owner.at = list->at;
    if (!list || list->kind != TREE_LIST)
        config_refuse(r, owner, "it needs corners: a list of points of the link");
    if (list->count == 0 || list->count == 2 || list->count > WHOLE_BODY_CORNERS)
        config_refuse(r, owner, "it has %zu corners and must have 1, for a point, or 3 to %d",
                      list->count, WHOLE_BODY_CORNERS);
    for (const tree_entry *e = list->first; e; e = e->next)
        config_read_vector(r, owner, e->value, "a corner",
                           contact->corners[contact->corner_count++]);
}

static whole_body_contact read_contact(reader *r, const request *q, const tree_entry *entry) {
    const setting_place owner = {.at = entry->key->at, .what = "contact", .name = entry->key->text};
    contact_fields f = {.contact = {.name = owner.name,
                                    .normal = {0, 0, 1},
                                    .friction = 0.5,
                                    .until = (double)INFINITY,
                                    .close_force = 20,
                                    .open_force = 2}};
    whole_body_contact *c = &f.contact;
    const unsigned given =
        read_mapping(r, q, owner, entry->value, contact_keys, COUNT(contact_keys), &f);
    const setting_place at = config_at(owner, entry->value);
    if (!(given >> CONTACT_LINK & 1)) config_refuse(r, owner, "it needs a link");
    const double length = sqrt(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] +
                               c->normal[2] * c->normal[2]);
    if (!(length > 1e-6)) config_refuse(r, at, "its normal has no direction");
    if (c->open_force >= c->close_force)
        config_refuse(r, at, "open_force %g must be below close_force %g", c->open_force,
                      c->close_force);
    if (c->until <= c->from)
        config_refuse(r, at, "until %g must be above from %g", c->until, c->from);
    for (int k = 0; k < 3; k++) c->normal[k] /= length;
    c->closing = (whole_body_closing)f.closing;
    read_corners(r, owner, f.corners, c);
    return *c;
}

/* ---- joints apart, and links ---- */

static void read_apart(reader *r, const request *q) {
    const stiction_controller_setup *setup = q->setup;
    const tree_entry *section = posture_config_section(q->config, "apart");
    if (!section) return;
    const setting_place owner = {.at = section->value->at, .what = "apart"};
    if (section->value->kind != TREE_LIST)
        config_refuse(r, owner, "it must be a list of joints or patterns");
    bool *apart = stiction_reader_alloc(r, (setup->joint_count + 1) * sizeof *apart);
    size_t count = 0;
    for (const tree_entry *e = section->value->first; e; e = e->next) {
        const char *name = config_read_text(r, owner, e->value, "a joint's name");
        bool found = false;
        for (size_t k = 0; k < setup->joint_count; k++)
            if (stiction_name_matches(name, setup->joints[k].name)) {
                count += !apart[k];
                apart[k] = found = true;
            }
        if (!found)
            config_refuse(r, config_at(owner, e->value), "the robot has no joint '%.100s'", name);
    }
    if (count == setup->joint_count)
        config_refuse(r, owner, "no joint is left for the program to move");
    q->def->apart = apart;
}

static void add_link(size_t *links, size_t *count, size_t link) {
    for (size_t k = 0; k < *count; k++)
        if (links[k] == link) return;
    links[(*count)++] = link;
}

static void list_links(reader *r, whole_body_def *def) {
    size_t *links =
        stiction_reader_alloc(r, (def->task_count + def->contact_count + 1) * sizeof *links);
    for (size_t k = 0; k < def->task_count; k++)
        if (def->tasks[k].kind != WHOLE_BODY_COM)
            add_link(links, &def->link_count, def->tasks[k].link);
    for (size_t k = 0; k < def->contact_count; k++)
        add_link(links, &def->link_count, def->contacts[k].link);
    def->links = links;
}

static void *read_sections(reader *r, const void *context) {
    const request *q = context;
    whole_body_def *def = q->def;
    void *tasks = NULL, *contacts = NULL;
    const tree_node *section = read_section(r, q, "tasks", sizeof(whole_body_task), &tasks);
    for (const tree_entry *e = section ? section->first : NULL; e; e = e->next)
        read_task(r, q, e, tasks);
    def->tasks = tasks;
    section = read_section(r, q, "contacts", sizeof(whole_body_contact), &contacts);
    for (const tree_entry *e = section ? section->first : NULL; e; e = e->next)
        ((whole_body_contact *)contacts)[def->contact_count++] = read_contact(r, q, e);
    def->contacts = contacts;
    read_apart(r, q);
    list_links(r, def);
    return def;
}

stiction_status whole_body_config_apply(const posture_config *config,
                                        const stiction_controller_setup *setup, arena *memory,
                                        whole_body_def *def, stiction_error *error) {
    stiction_error own;
    reader r = {.memory = *memory, .error = error ? error : &own};
    def->floating = setup->floating;
    def->timestep = fmax(setup->timestep, def->posture.period);
    memcpy(def->gravity, setup->gravity, sizeof def->gravity);
    def->posture_weight = 1;
    def->force_weight = 1e-6;
    def->base_lambda = general(config, "lambda", 0);
    const bool fine = stiction_reader_run(&r, read_sections, &(request){config, setup, def});
    *memory = r.memory;
    return fine ? STICTION_OK : r.error->status;
}
