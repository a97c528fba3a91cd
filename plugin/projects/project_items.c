/* SPDX-License-Identifier: MIT
 * What the items of a project state. Names, old names and defaults are those that Choreonoid's own
 * items restore themselves with (BodyItem, SimulatorItem, AISTSimulatorItem, ControllerItem).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/names.h"
#include "document/text.h"
#include "meshes/mesh.h"
#include "project_reader.h"
#include "robots/rotation.h"
#include "stiction/stiction.h"

const tree_node *project_find(reader *r, const tree_node *map, const char *key, const char *old) {
    const tree_node *node = stiction_doc_find(r, map, key);
    return node || !old ? node : stiction_doc_find(r, map, old);
}

bool project_flag(reader *r, const tree_node *map, const char *key, bool otherwise) {
    const tree_node *node = stiction_doc_find(r, map, key);
    return node ? stiction_doc_flag(r, node, key) : otherwise;
}

static const char *text_of(reader *r, const tree_node *map, const char *key,
                           const char *otherwise) {
    const tree_node *node = stiction_doc_find(r, map, key);
    return node ? stiction_doc_text(r, node, key) : otherwise;
}

project_item project_read_item(reader *r, const tree_node *map) {
    static const tree_node nothing = {.kind = TREE_MAPPING};
    stiction_doc_expect(r, map, TREE_MAPPING, "an item");
    const tree_node *class_name = stiction_doc_find(r, map, "class");
    if (!class_name) {
        /* what belongs to its parent, such as the parts of a robot's scene */
        if (!project_flag(r, map, "is_sub_item", false))
            stiction_reader_refuse(r, map->at, "an item lacks its class");
    }
    project_item item = {.name = text_of(r, map, "name", ""),
                         .class_name =
                             class_name ? stiction_doc_text(r, class_name, "class") : "FolderItem",
                         .plugin = text_of(r, map, "plugin", ""),
                         .at = class_name ? class_name->at : map->at,
                         .checked = project_flag(r, map, "is_checked", false),
                         .data = stiction_doc_find(r, map, "data"),
                         .children = stiction_doc_find(r, map, "children")};
    robot_check_name(r, item.at, "an item", item.name);
    if (item.data)
        stiction_doc_expect(r, item.data, TREE_MAPPING, "data");
    else
        item.data = &nothing;
    if (item.children) stiction_doc_expect(r, item.children, TREE_LIST, "children");
    return item;
}

/* toolbars: TimeBar: { frame_rate: 1000, max_time: 10 } */
project_times project_read_times(reader *r, const tree_node *top) {
    project_times times = {1000, (double)NAN};
    const tree_node *bars = stiction_doc_find(r, top, "toolbars");
    const tree_node *bar =
        bars && bars->kind == TREE_MAPPING ? stiction_doc_find(r, bars, "TimeBar") : NULL;
    if (!bar || bar->kind != TREE_MAPPING) return times;
    const tree_node *rate = stiction_doc_find(r, bar, "frame_rate"),
                    *last = stiction_doc_find(r, bar, "max_time");
    if (rate) times.frame_rate = stiction_doc_number(r, rate, "frame_rate");
    if (!(times.frame_rate > 0))
        stiction_reader_refuse(r, rate->at, "frame_rate %g must be above 0", times.frame_rate);
    if (last) times.last = stiction_doc_number(r, last, "max_time");
    return times;
}

/* Paths */

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

const char *project_resolve(reader *r, const char *project_path, const tree_node *node,
                            const char *what) {
    static const char project_dir[] = "${PROJECT_DIR}";
    static const struct {
        const char *variable, *environment;
    } folders[] = {{"${SHARE}", "STICTION_CHOREONOID_SHARE"}, {"${HOME}", "HOME"}};
    const char *name = stiction_doc_text(r, node, what);
    if (!*name) stiction_reader_refuse(r, node->at, "%s is empty", what);
    if (starts_with(name, "package://")) {
        const char *found = mesh_locate(r, node->at, project_path, name);
        if (!found) stiction_reader_refuse(r, node->at, "'%s' was not found", name);
        return found;
    }
    if (starts_with(name, project_dir)) {
        name += strlen(project_dir);
        while (*name == '/') name++;
    }
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++) {
        if (!starts_with(name, folders[k].variable)) continue;
        const char *folder = getenv(folders[k].environment);
        if (!folder || !*folder)
            stiction_reader_refuse(
                r, node->at,
                "'%s' needs the environment variable %s: the folder for which %s stands", name,
                folders[k].environment, folders[k].variable);
        name = stiction_reader_format(r, "%s%s", folder, name + strlen(folders[k].variable));
    }
    if (strstr(name, "${"))
        stiction_reader_refuse(
            r, node->at, "'%s' has a variable other than ${SHARE}, ${PROJECT_DIR} and ${HOME}",
            name);
    return stiction_reader_beside(r, project_path, name);
}

/* "controllers/Posture.so" -> "Posture" */
static const char *module_name(reader *r, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    return stiction_reader_format(r, "%.*s", (int)(dot ? dot - start : (long)strlen(start)), start);
}

/* Bodies */

static bool read_vector(reader *r, const tree_node *map, const char *key, const char *old,
                        double vector[3]) {
    const tree_node *node = project_find(r, map, key, old);
    if (node) stiction_doc_numbers(r, node, key, 3, vector);
    return node;
}

/* An axis and an angle in degrees; of old a matrix. */
static bool read_rotation(reader *r, const tree_node *map, const char *key, const char *old,
                          double quaternion[4]) {
    const tree_node *node = stiction_doc_find(r, map, key),
                    *matrix = stiction_doc_find(r, map, old);
    mju_unit4(quaternion);
    if (node) {
        double n[4];
        stiction_doc_numbers(r, node, key, 4, n);
        if (mju_normalize3(n) < 1e-6)
            stiction_reader_refuse(r, node->at, "the axis of %s must not be zero", key);
        mju_axisAngle2Quat(quaternion, n, n[3] * mjPI / 180);
    } else if (matrix) {
        double R[9];
        stiction_doc_numbers(r, matrix, old, 9, R);
        if (!rotation_is_proper(R))
            stiction_reader_refuse(r, matrix->at, "%s is not the matrix of a rotation", old);
        mju_mat2Quat(quaternion, R);
        mju_normalize4(quaternion);
    }
    return node || matrix;
}

/* Every start of a simulation goes back to the initial state, which a body without one has at the
 * origin. */
static void read_root(reader *r, const project_item *item, project_body *body) {
    const body_link *root = &body->file->links[body->file->root];
    double position[3], turn[4];
    mju_copy3(position, root->translation);
    (void)read_vector(r, item->data, "root_translation", "root_position", position);
    if (!read_rotation(r, item->data, "root_rotation", "root_attitude", turn))
        mju_copy4(turn, root->rotation);
    const bool moved = read_vector(r, item->data, "initial_root_translation",
                                   "initial_root_position", body->translation);
    const bool turned = read_rotation(r, item->data, "initial_root_rotation",
                                      "initial_root_attitude", body->rotation);
    if ((!moved && mju_norm3(position) > 0) || (!turned && fabs(turn[0]) < 1 - 1e-12))
        stiction_reader_warn(
            r, item->at,
            "body '%s' has no initial_root_%s: it starts at the origin, as in Choreonoid",
            body->name, moved ? "rotation" : "translation");
}

/* The links by the numbers that Choreonoid gives their joints: by joint_id, then those without. */
static const body_link *link_of_joint(const body_file *file, const int *order, size_t index) {
    size_t ids = 0;
    for (size_t k = 0; k < file->count; k++)
        if (file->links[k].joint_id >= 0 && (size_t)file->links[k].joint_id + 1 > ids)
            ids = (size_t)file->links[k].joint_id + 1;
    for (size_t k = 0; k < file->count; k++) {
        const body_link *link = &file->links[order[k]];
        if (index < ids) {
            if (link->joint_id == (int)index) return link;
        } else if (k > 0 && link->joint_id < 0 && link->joint != BODY_FIXED) {
            if (index == ids++) return link;
        }
    }
    return NULL;
}

static void read_displacement_list(reader *r, const tree_node *list, const char *key, double unit,
                                   const body_file *file, double *displacements) {
    stiction_doc_expect(r, list, TREE_LIST, key);
    const int *order = body_order(r, file);
    size_t k = 0;
    for (const tree_entry *e = list->first; e; e = e->next) {
        const double value = stiction_doc_number(r, e->value, key);
        const body_link *link = link_of_joint(file, order, k++);
        if (link) displacements[link - file->links] = value * unit;
    }
}

/* Lists by joint_id, in degrees also for joints that slide; of old in radian. */
static const double *read_displacements(reader *r, const project_item *item,
                                        const body_file *file) {
    double *displacements = stiction_reader_alloc(r, file->count * sizeof *displacements);
    for (size_t k = 0; k < file->count; k++) displacements[k] = file->links[k].displacement;
    static const char *const now[] = {"joint_displacements", "initial_joint_displacements"};
    static const char *const old[] = {"joint_positions", "initial_joint_positions"};
    const bool is_new = stiction_doc_find(r, item->data, now[0]);
    for (int k = 0; k < 2; k++) {
        const char *key = is_new ? now[k] : old[k];
        const tree_node *list = stiction_doc_find(r, item->data, key);
        if (list)
            read_displacement_list(r, list, key, is_new ? mjPI / 180 : 1, file, displacements);
    }
    return displacements;
}

void project_check_body_file(reader *r, const project_item *item) {
    const tree_node *file = project_find(r, item->data, "file", "model_file");
    struct stat status;
    char message[ACCESS_MESSAGE];
    if (!file || file->kind != TREE_SCALAR || !*file->text || strchr(file->text, '$') ||
        starts_with(file->text, "package://"))
        return;
    const char *path = project_resolve(r, file->at.path, file, "file");
    /* an untrusted project does not learn whether a file outside its folder exists */
    if (robot_is_file(path) && stiction_access_permits(r->untrusted, path, message) &&
        stat(path, &status) != 0 && errno == ENOENT)
        stiction_reader_refuse(r, file->at, "cannot read '%s': %s", path, strerror(errno));
}

void project_check_displacements(reader *r, const project_item *item) {
    const tree_node *initial = stiction_doc_find(r, item->data, "initial_joint_displacements");
    if (initial && !stiction_doc_find(r, item->data, "joint_displacements"))
        stiction_reader_refuse(r, initial->at,
                               "body '%s': initial_joint_displacements has no effect without "
                               "joint_displacements, as in Choreonoid: give both",
                               item->name);
}

/* Older projects have static_model instead, which is false also for an arm on a fixed root: false
 * frees only bodies without joints. */
static bool read_fixed_root(reader *r, const project_item *item, const body_file *file) {
    const tree_node *now = stiction_doc_find(r, item->data, "fix_root");
    if (now) return stiction_doc_flag(r, now, "fix_root");
    const tree_node *old = stiction_doc_find(r, item->data, "static_model");
    bool has_joint = false;
    for (size_t k = 0; k < file->count; k++)
        has_joint = has_joint || (k != file->root && file->links[k].joint != BODY_FIXED);
    const bool fixed = file->links[file->root].joint == BODY_FIXED;
    if (!old) return fixed;
    return stiction_doc_flag(r, old, "static_model") || (fixed && has_joint);
}

static void refuse_linkage(reader *r, const project_item *item) {
    const tree_node *linkage = stiction_doc_find(r, item->data, "parent_body_linkage");
    const tree_node *attached =
        linkage ? NULL : stiction_doc_find(r, item->data, "enable_attachment");
    if ((linkage &&
         strcmp(stiction_doc_text(r, linkage, "parent_body_linkage"), "attached") == 0) ||
        (attached && stiction_doc_flag(r, attached, "enable_attachment")))
        stiction_reader_refuse(r, item->at, "body '%s' is attached to another, which is not read",
                               item->name);
}

/* Differences of a URDF in Choreonoid. */
static void warn_of_urdf(reader *r, const project_item *item, const body_file *file) {
    const body_link *root = &file->links[file->root];
    if (root->joint == BODY_FIXED && !stiction_doc_find(r, item->data, "fix_root"))
        stiction_reader_warn(r, item->at,
                             "body '%s': its root is taken as fixed; in Choreonoid it would fall: "
                             "give fix_root",
                             item->name);
    size_t massless = 0;
    for (size_t k = 0; k < file->count; k++)
        massless += file->links[k].mass == 0 && !(k == file->root && root->joint == BODY_FIXED);
    if (massless)
        stiction_reader_warn(r, item->at,
                             "body '%s': %zu link%s without mass, of which each weighs 1 kg in "
                             "Choreonoid where it has no <inertial>",
                             item->name, massless, massless > 1 ? "s" : "");
}

/* Things of an MJCF file stand where it puts them. */
static const project_body *place_others(reader *r, const project_item *item,
                                        const robot_bodies *all, bool collides) {
    project_body *others = stiction_reader_alloc(r, all->count * sizeof *others);
    for (size_t k = 1; k < all->count; k++) {
        const body_file *file = all->files[k];
        const body_link *root = &file->links[file->root];
        project_body *body = &others[k - 1];
        *body = (project_body){.name = stiction_reader_format(r, "%s/%s", item->name, file->name),
                               .at = item->at,
                               .file = file,
                               .fixed_root = root->joint == BODY_FIXED,
                               .collides = collides};
        mju_copy3(body->translation, root->translation);
        mju_copy4(body->rotation, root->rotation);
        body->displacements = project_start_of(r, item->at, file);
    }
    return others;
}

/* Choreonoid does not load MJCF: values that the item does not have are those of the file. */
static void read_root_of_file(reader *r, const project_item *item, project_body *body) {
    const body_link *root = &body->file->links[body->file->root];
    mju_copy3(body->translation, root->translation);
    (void)read_vector(r, item->data, "initial_root_translation", "initial_root_position",
                      body->translation);
    if (!read_rotation(r, item->data, "initial_root_rotation", "initial_root_attitude",
                       body->rotation))
        mju_copy4(body->rotation, root->rotation);
}

static robot_bodies read_once(reader *r, stiction_place at, const char *path,
                              const project_robot_file **known) {
    for (const project_robot_file *k = *known; k; k = k->next)
        if (strcmp(k->path, path) == 0) return k->bodies;
    project_robot_file *read = stiction_reader_alloc(r, sizeof *read);
    *read = (project_robot_file){path, robot_read_bodies(r, at, path), *known};
    *known = read;
    return read->bodies;
}

project_body project_read_body(reader *r, const char *path, const project_item *item,
                               const project_robot_file **known, const project_body **others,
                               size_t *count) {
    const tree_node *file = project_find(r, item->data, "file", "model_file");
    if (!file) stiction_reader_refuse(r, item->at, "body '%s' lacks its file", item->name);
    const char *body_path = project_resolve(r, path, file, "file");
    if (!robot_is_file(body_path) && !body_is_scene(body_path))
        stiction_reader_refuse(r, file->at, "'%s' is not a " ROBOT_ENDINGS " file, nor a mesh",
                               body_path);
    if (robot_is_openhrp(r, file->at, body_path))
        stiction_reader_refuse(r, file->at, "'%s' is a robot of OpenHRP, which is not read%s",
                               body_path, robot_openhrp_hint(body_path));
    refuse_linkage(r, item);
    const robot_bodies all = read_once(r, file->at, body_path, known);
    const robot_format format = robot_format_of(body_path);
    project_body body = {.name = item->name,
                         .at = item->at,
                         .file =
                             format == ROBOT_BODY ? all.files[0] : project_named(r, all.files[0]),
                         .collides = project_flag(r, item->data, "collision_detection", true)};
    body.collides_with_itself =
        body.collides && project_flag(r, item->data, "self_collision_detection", false);
    body.fixed_root = read_fixed_root(r, item, body.file);
    if (format == ROBOT_URDF) warn_of_urdf(r, item, body.file);
    if (format == ROBOT_MJCF)
        read_root_of_file(r, item, &body);
    else
        read_root(r, item, &body);
    body.displacements = read_displacements(r, item, body.file);
    *others = place_others(r, item, &all, body.collides);
    *count = all.count - 1;
    return body;
}

project_controller project_read_controller(reader *r, const project_item *item) {
    return (project_controller){
        .name = item->name,
        .at = item->at,
        .class_name = item->class_name,
        .module = module_name(r, text_of(r, item->data, "controller", "")),
        .file = text_of(r, item->data, "controller", ""),
        .options = text_of(r, item->data, "controller_options", ""),
    };
}

/* Simulators */

static double read_timestep(reader *r, const project_item *item, project_times times) {
    const tree_node *step = project_find(r, item->data, "time_step", "timestep");
    const tree_node *rate = step ? NULL : project_find(r, item->data, "frame_rate", "framerate");
    const double value = step   ? stiction_doc_number(r, step, "time_step")
                         : rate ? stiction_doc_number(r, rate, "frame_rate")
                                : times.frame_rate;
    if (!(value > 0))
        stiction_reader_refuse(r, step ? step->at : rate->at, "%s %g must be above 0",
                               step ? "time_step" : "frame_rate", value);
    return step ? value : 1 / value;
}

/* Of old a mode of its own, now a flag: with controllers, the simulation ends when the last one of
 * them says that it has finished. */
static const char active_control[] = "Active control period";

static bool read_ends_with_controllers(reader *r, const project_item *item) {
    const bool is_mode = strcmp(text_of(r, item->data, "time_range_mode", ""), active_control) == 0;
    const tree_node *flag = project_find(r, item->data, "is_active_control_time_range_mode",
                                         "active_control_time_range_mode");
    return flag ? stiction_doc_flag(r, flag, "is_active_control_time_range_mode") : is_mode;
}

typedef struct time_range {
    const char *name;
    enum { UNLIMITED, SPECIFIED, TIMEBAR } mode;
    bool is_old; /* a name that Choreonoid no longer writes */
} time_range;

static const time_range time_ranges[] = {
    {"unlimited", UNLIMITED, false},   {"specified", SPECIFIED, false},
    {"timebar", TIMEBAR, false},       {"Unlimited", UNLIMITED, true},
    {active_control, UNLIMITED, true}, {"Specified time", SPECIFIED, true},
    {"TimeBar range", TIMEBAR, true},  {"Time bar range", TIMEBAR, true},
};
enum { time_range_count = sizeof time_ranges / sizeof time_ranges[0] };

static const time_range *read_time_range(reader *r, const tree_node *mode) {
    const char *name = stiction_doc_text(r, mode, "time_range_mode"), *known = "";
    for (size_t k = 0; k < time_range_count; k++) {
        if (strcmp(time_ranges[k].name, name) == 0) return &time_ranges[k];
        if (!time_ranges[k].is_old)
            known =
                stiction_reader_format(r, "%s%s%s", known, *known ? ", " : "", time_ranges[k].name);
    }
    stiction_reader_refuse(r, mode->at, "time_range_mode must be one of %s, not '%s'", known, name);
}

void project_check_time_range(reader *r, const project_item *item) {
    const tree_node *mode = stiction_doc_find(r, item->data, "time_range_mode");
    if (mode) (void)read_time_range(r, mode);
}

static double read_duration(reader *r, const project_item *item, project_times times) {
    const double unlimited = (double)INFINITY;
    const tree_node *mode = stiction_doc_find(r, item->data, "time_range_mode");
    const tree_node *length = stiction_doc_find(r, item->data, "time_length");
    const double seconds = length ? stiction_doc_number(r, length, "time_length") : 300;
    if (!mode) return unlimited;
    const time_range *range = read_time_range(r, mode);
    if (range->mode == UNLIMITED) return unlimited;
    if (range->mode == TIMEBAR) {
        if (isnan(times.last))
            stiction_reader_refuse(r, mode->at,
                                   "time_range_mode is timebar, but no TimeBar has a max_time");
        return times.last;
    }
    if (!(seconds > 0))
        stiction_reader_refuse(r, length->at, "time_length %g must be above 0", seconds);
    return seconds;
}

void project_note_obstacle(project_simulator *simulator, stiction_place at, const char *obstacle) {
    if (simulator->obstacle) return;
    simulator->obstacle = obstacle;
    simulator->obstacle_at = at;
}

static void note_flag(reader *r, const project_item *item, const char *key, project_simulator *s) {
    const tree_node *node = stiction_doc_find(r, item->data, key);
    if (node && stiction_doc_flag(r, node, key))
        project_note_obstacle(
            s, node->at,
            stiction_reader_format(r, "%s of '%s' is not read, but would change the simulation",
                                   key, item->name));
}

static void note_other_dynamics(reader *r, const project_item *item, project_simulator *s) {
    const tree_node *mode = stiction_doc_find(r, item->data, "dynamics_mode");
    if (mode && strcmp(stiction_doc_text(r, mode, "dynamics_mode"), "Forward dynamics") != 0)
        project_note_obstacle(
            s, mode->at,
            stiction_reader_format(r, "dynamics_mode must be \"Forward dynamics\", not '%s'",
                                   mode->text));
    note_flag(r, item, "use_2d_mode", s);
    note_flag(r, item, "2Dmode", s);
    note_flag(r, item, "enable_kinematic_walking", s);
    note_flag(r, item, "kinematic_walking", s);
}

project_simulator project_read_simulator(reader *r, const project_item *item, project_times times) {
    const char *integration = text_of(r, item->data, "integration_mode", "");
    project_simulator simulator = {
        .name = item->name,
        .class_name = item->class_name,
        .at = item->at,
        .timestep = read_timestep(r, item, times),
        .duration = read_duration(r, item, times),
        .gravity = {0, 0, -9.80665},
        .runge_kutta =
            strcmp(integration, "runge-kutta") == 0 || strcmp(integration, "Runge Kutta") == 0,
        .ends_with_controllers = read_ends_with_controllers(r, item),
    };
    (void)read_vector(r, item->data, "gravity", NULL, simulator.gravity);
    note_other_dynamics(r, item, &simulator);
    return simulator;
}

static const char *law_hint(const char *law, char hint[NAME_HINT_SIZE]) {
    enum { most_laws = 100 };
    const char *names[most_laws];
    stiction_law_info info;
    size_t count = 0;
    while (count < most_laws && stiction_law_info_at(count, &info)) names[count++] = info.name;
    return stiction_name_hint(law, names, count, hint);
}

static void check_friction_keys(reader *r, const project_item *item) {
    static const char *const keys[] = {"enabled", "configuration_file", "law", "coupling", "record",
                                       "pushes"};
    enum { key_count = sizeof keys / sizeof keys[0] };
    char hint[NAME_HINT_SIZE];
    for (size_t k = 0; k < key_count; k++) (void)stiction_doc_find(r, item->data, keys[k]);
    for (const tree_entry *e = item->data->first; e; e = e->next)
        if (!e->used)
            stiction_reader_refuse(r, e->key->at, "StictionItem '%s': there is no key '%s'%s",
                                   item->name, e->key->text,
                                   stiction_name_hint(e->key->text, keys, key_count, hint));
}

/* Without a law or coupling, or with the word for none, the configuration decides. */
static bool is_given(const char *word) {
    return *word && strcmp(word, "as configured") != 0;
}

static bool is_coupling(const char *word) {
    const char *name;
    for (int k = 0; (name = stiction_coupling_name((stiction_coupling)k)) != NULL; k++)
        if (strcmp(word, name) == 0) return true;
    return false;
}

/* ---- pushes: a list of mappings, whose keys are those of pushes/push.h ---- */

static _Noreturn void refuse_push(reader *r, const project_item *item, stiction_place at,
                                  const char *sentence) {
    stiction_reader_refuse(r, at, "StictionItem '%s': a push: %s", item->name, sentence);
}

/* A scalar, or the entries of a list with blanks between them. */
static const char *text_of_value(reader *r, const tree_node *value, const char *key) {
    if (value->kind != TREE_LIST) return stiction_doc_text(r, value, key);
    const char *text = "";
    for (const tree_entry *e = value->first; e; e = e->next)
        text = stiction_reader_format(r, "%s %s", text, stiction_doc_text(r, e->value, key));
    return text;
}

static push read_push(reader *r, const project_item *item, const tree_node *map) {
    char sentence[PUSH_SENTENCE];
    push p = push_default();
    stiction_doc_expect(r, map, TREE_MAPPING, "a push");
    p.at = map->at;
    for (tree_entry *e = map->first; e; e = e->next) {
        e->used = true;
        if (!push_set(&p, e->key->text, text_of_value(r, e->value, e->key->text), sentence))
            refuse_push(r, item, e->value->at, sentence);
    }
    push tried = p; /* the impulse is kept, so that the user may change its values */
    if (!push_check(&tried, sentence)) refuse_push(r, item, map->at, sentence);
    return p;
}

static size_t read_pushes(reader *r, const project_item *item, const push **pushes) {
    const tree_node *list = stiction_doc_find(r, item->data, "pushes");
    *pushes = NULL;
    if (!list) return 0;
    stiction_doc_expect(r, list, TREE_LIST, "pushes");
    push *read = stiction_reader_alloc(r, (list->count + 1) * sizeof *read);
    push_list all = {.items = read};
    for (const tree_entry *e = list->first; e; e = e->next)
        read[all.count++] = read_push(r, item, e->value);
    char sentence[PUSH_SENTENCE];
    size_t which;
    if (!push_list_check(&all, &which, sentence)) refuse_push(r, item, read[which].at, sentence);
    *pushes = read;
    return all.count;
}

void project_check_friction(reader *r, const project_item *item) {
    if (*item->plugin && strcmp(item->plugin, "Stiction") != 0)
        stiction_reader_refuse(r, item->at,
                               "StictionItem '%s': no such item in the plugin '%s'; its plugin is "
                               "Stiction",
                               item->name, item->plugin);
    check_friction_keys(r, item);
    (void)project_flag(r, item->data, "enabled", true);
    (void)project_flag(r, item->data, "record", true);
    (void)text_of(r, item->data, "configuration_file", "");
    const push *pushes;
    (void)read_pushes(r, item, &pushes);
    const char *coupling = text_of(r, item->data, "coupling", "");
    if (is_given(coupling) && !is_coupling(coupling))
        stiction_reader_refuse(r, stiction_doc_find(r, item->data, "coupling")->at,
                               "StictionItem '%s': the coupling must be auto, explicit or "
                               "implicit, not '%s'",
                               item->name, coupling);
    char hint[NAME_HINT_SIZE];
    stiction_law_info info;
    const char *law = text_of(r, item->data, "law", "");
    if (is_given(law) && !stiction_law_info_find(law, &info))
        stiction_reader_refuse(r, stiction_doc_find(r, item->data, "law")->at,
                               "StictionItem '%s': there is no law '%s'%s", item->name, law,
                               law_hint(law, hint));
}

project_friction project_read_friction(reader *r, const char *path, const project_item *item) {
    const tree_node *file = stiction_doc_find(r, item->data, "configuration_file");
    if (file && file->kind == TREE_SCALAR && !*file->text) file = NULL; /* none was chosen */
    const char *law = text_of(r, item->data, "law", "");
    const char *coupling = text_of(r, item->data, "coupling", "");
    const push *pushes;
    const size_t push_count = read_pushes(r, item, &pushes);
    return (project_friction){
        .pushes = pushes,
        .push_count = push_count,
        .name = item->name,
        .at = item->at,
        .enabled = project_flag(r, item->data, "enabled", true),
        .configuration = file ? project_resolve(r, path, file, "configuration_file") : NULL,
        .configuration_at = file ? file->at : item->at,
        .law = is_given(law) ? law : NULL,
        .coupling = is_given(coupling) ? coupling : NULL,
    };
}
