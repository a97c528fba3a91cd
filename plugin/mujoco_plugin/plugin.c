/* SPDX-License-Identifier: MIT
 * What MuJoCo calls: the passive force stiction.friction, and the sensors stiction.torque,
 * stiction.sticks and stiction.heat, which read it. An error in an element is an error of the
 * compiler, so that mj_loadXML fails with our message.
 */
#include <stdio.h>
#include <string.h>

#include "document/names.h"
#include "instance.h"

/* ---- finding elements ---- */

static const char *plugin_name(const mjModel *model, int id) {
    const mjpPlugin *plugin = mjp_getPluginAtSlot(model->plugin[id]);
    return plugin ? plugin->name : "";
}

/* In a call for an element of ours: looking up the plugin's name locks a mutex. NULL: MuJoCo's
 * compiler steps data without plugins and passive forces, to find the ranges of actuators. */
static instance *own_instance(const mjData *data, int id) {
    return (instance *)data->plugin_data[id]; // NOLINT(performance-no-int-to-ptr)
}

instance *instance_of(const mjModel *model, const mjData *data, int id) {
    return strcmp(plugin_name(model, id), FRICTION_PLUGIN) == 0 ? own_instance(data, id) : NULL;
}

/* As MuJoCo's own plugins report errors: the warning is part of the compiler's message. */
static int refuse(const mjModel *model, int id, const char *message) {
    const char *name = mj_id2name(model, mjOBJ_PLUGIN, id);
    mju_warning("%s%s%s%s: %.400s", plugin_name(model, id), name && *name ? " '" : "",
                name && *name ? name : "", name && *name ? "'" : "", message);
    return -1;
}

/* ---- stiction.friction ---- */

static int friction_state_size(const mjModel *model, int id) {
    return instance_state_size(model, id);
}

/* The element of an earlier instance that gives the same joint friction. */
static bool is_taken(const mjModel *model, const mjData *data, const instance *made, char *message,
                     size_t size) {
    for (int other = 0; other < made->id; other++) {
        const instance *before = instance_of(model, data, other);
        for (size_t k = 0; before && k < made->count; k++) {
            const long at = instance_find(before, made->joint[k]);
            if (at < 0 || !instance_has_friction(made, k) ||
                !instance_has_friction(before, (size_t)at))
                continue;
            (void)snprintf(message, size,
                           "joint '%.100s' has friction from another element of " FRICTION_PLUGIN
                           " already: it is not applied twice",
                           made->names[k]);
            return true;
        }
    }
    return false;
}

static int friction_init(const mjModel *model, mjData *data, int id) {
    stiction_error error;
    char message[1700];
    data->plugin_data[id] = 0;
    if (mj_version() != mjVERSION_HEADER)
        return refuse(
            model, id,
            "this library was built for another version of MuJoCo; build it for this one");
    instance *made = instance_create(model, id, &error);
    if (!made) {
        (void)stiction_error_format(&error, message, sizeof message);
        return refuse(model, id, message);
    }
    if (is_taken(model, data, made, message, sizeof message)) {
        instance_destroy(made);
        return refuse(model, id, message);
    }
    data->plugin_data[id] = (uintptr_t)made;
    return 0;
}

static void friction_destroy(mjData *data, int id) {
    instance_destroy(own_instance(data, id));
    data->plugin_data[id] = 0;
}

/* MuJoCo has copied plugin_state. */
static void friction_copy(mjData *to, const mjModel *model, const mjData *from, int id) {
    (void)model;
    if (own_instance(to, id) && own_instance(from, id))
        instance_copy(own_instance(to, id), own_instance(from, id));
}

static void friction_reset(const mjModel *model, mjtNum *state, void *memory, int id) {
    instance *of = memory;
    mju_zero(state, model->plugin_statenum[id]);
    if (!of) return;
    of->has_next = false;
    memset(of->last.torque, 0, of->count * sizeof *of->last.torque);
    memset(of->last.dissipated_energy, 0, of->count * sizeof *of->last.dissipated_energy);
    memset(of->last.slipping, 0, of->count);
}

/* A run must not go on without its friction. */
static void stop(const mjModel *model, int id, const char *message) {
    mju_error("%s: %.900s", plugin_name(model, id), message);
}

static void friction_compute(const mjModel *model, mjData *data, int id, int capability) {
    instance *of = own_instance(data, id);
    stiction_error error;
    if (capability != mjPLUGIN_PASSIVE || !of || of->is_solved) return;
    if (mujoco_may_sleep(model)) {
        stop(model, id, "bodies that sleep (flag sleep) have no friction: switch it off");
        return;
    }
    if (of->judged_timestep > 0 && model->opt.timestep > 1.000001 * of->judged_timestep) {
        mju_warning(FRICTION_PLUGIN
                    ": coupling auto took explicit for a time step of %g s, and now "
                    "it is %g s: make mjData after changing it",
                    of->judged_timestep, model->opt.timestep);
        of->judged_timestep = model->opt.timestep; /* once is enough */
    }
    if (instance_compute(of, model, data, &error) != STICTION_OK) {
        stop(model, id, error.message);
        return;
    }
    for (size_t k = 0; k < of->count; k++) data->qfrc_passive[of->dof[k]] -= of->last.torque[k];
}

static void friction_advance(const mjModel *model, mjData *data, int id) {
    instance *of = own_instance(data, id);
    if (!of) return;
    if (of->has_next)
        instance_advance(of, model, data);
    else if (!of->is_solved)
        stop(model, id,
             "a time step without friction: flags switch all passive forces off, or the step is "
             "not one of MuJoCo's own");
}

/* ---- sensors ---- */

typedef enum quantity { QUANTITY_TORQUE, QUANTITY_STICKS, QUANTITY_HEAT, QUANTITY_COUNT } quantity;

static const char *const sensor_names[] = {"stiction.torque", "stiction.sticks", "stiction.heat"};

static bool has_axis(const mjModel *model, int joint) {
    return model->jnt_type[joint] == mjJNT_HINGE || model->jnt_type[joint] == mjJNT_SLIDE;
}

static bool is_named(const mjModel *model, int joint, const char *pattern) {
    const char *name = mj_id2name(model, mjOBJ_JOINT, joint);
    return name && stiction_name_matches(pattern, name);
}

/* Copies the first name of a list, as far as a name may be long, and gives what follows it; NULL:
 * the list ends. */
static const char *next_name(const char *list, char name[NAME_MOST + 1]) {
    list += strspn(list, " \t\r\n");
    const size_t length = strcspn(list, " \t\r\n");
    (void)snprintf(name, NAME_MOST + 1, "%.*s", (int)(length < NAME_MOST ? length : NAME_MOST),
                   list);
    return length ? list + length : NULL;
}

/* A sensor reads the hinges and slides that its `joints` names, or all, in the order of the model.
 * (MuJoCo asks for the size of a sensor before it knows its objname.) */
static bool reads(const mjModel *model, int id, int joint) {
    char pattern[NAME_MOST + 1];
    const char *list = mj_getPluginConfig(model, id, "joints");
    if (!has_axis(model, joint)) return false;
    if (!list || !*list) return true;
    while ((list = next_name(list, pattern)))
        if (is_named(model, joint, pattern)) return true;
    return false;
}

/* The first name of a sensor's `joints` that is of no joint; false: there is none. */
static bool find_unknown(const mjModel *model, int id, char name[NAME_MOST + 1]) {
    const char *list = mj_getPluginConfig(model, id, "joints");
    while (list && (list = next_name(list, name))) {
        bool any = false;
        for (int k = 0; k < model->njnt; k++)
            any = any || (has_axis(model, k) && is_named(model, k, name));
        if (!any) return true;
    }
    return false;
}

static int count_joints(const mjModel *model, int id) {
    int count = 0;
    for (int k = 0; k < model->njnt; k++) count += reads(model, id, k);
    return count;
}

static int sensor_state_size(const mjModel *model, int id) {
    (void)model, (void)id;
    return 0;
}

static int sensor_size(const mjModel *model, int id, int sensor) {
    (void)sensor;
    return count_joints(model, id);
}

static int sensor_init(const mjModel *model, mjData *data, int id) {
    char name[NAME_MOST + 1], message[NAME_MOST + 100];
    data->plugin_data[id] = 0;
    if (find_unknown(model, id, name)) {
        (void)snprintf(
            message, sizeof message,
            "joints: there is no hinge and no slide '%.100s' (programs that merge models put "
            "a prefix before names: '*%.100s' has any)",
            name, name);
        return refuse(model, id, message);
    }
    if (count_joints(model, id) == 0)
        return refuse(model, id, "no hinge and no slide is one of its 'joints'");
    for (int k = 0; k < model->nsensor; k++)
        if (model->sensor_type[k] == mjSENS_PLUGIN && model->sensor_plugin[k] == id &&
            model->sensor_objtype[k] != mjOBJ_UNKNOWN)
            return refuse(model, id, "objtype and objname are not read: name its 'joints'");
    return 0;
}

static void sensor_reset(const mjModel *model, mjtNum *state, void *memory, int id) {
    (void)model, (void)state, (void)memory, (void)id;
}

static double value_of(const mjModel *model, const mjData *data, quantity q, int joint) {
    for (int id = 0; id < model->nplugin; id++) {
        const instance *of = instance_of(model, data, id);
        const long k = of ? instance_find(of, joint) : -1;
        if (k < 0 || !instance_has_friction(of, (size_t)k)) continue;
        return q == QUANTITY_TORQUE   ? of->last.torque[k]
               : q == QUANTITY_STICKS ? !of->last.slipping[k]
                                      : of->last.dissipated_energy[k];
    }
    return 0;
}

static void sensor_compute(const mjModel *model, mjData *data, int id, int capability) {
    if (capability != mjPLUGIN_SENSOR) return;
    quantity q = QUANTITY_TORQUE;
    while (q < QUANTITY_COUNT && strcmp(plugin_name(model, id), sensor_names[q]) != 0) q++;
    for (int k = 0; k < model->nsensor; k++) {
        if (model->sensor_type[k] != mjSENS_PLUGIN || model->sensor_plugin[k] != id) continue;
        mjtNum *value = data->sensordata + model->sensor_adr[k];
        for (int joint = 0; joint < model->njnt; joint++)
            if (reads(model, id, joint)) *value++ = value_of(model, data, q, joint);
    }
}

void instance_compute_sensors(const mjModel *model, mjData *data) {
    for (int id = 0; id < model->nplugin; id++)
        for (quantity q = QUANTITY_TORQUE; q < QUANTITY_COUNT; q++)
            if (strcmp(plugin_name(model, id), sensor_names[q]) == 0)
                sensor_compute(model, data, id, mjPLUGIN_SENSOR);
}

/* ---- registration ---- */

static void register_friction(void) {
    enum { MOST = 100 };
    static const char *const own[] = {"config", "yaml", "joints", "prefix", "coupling", "law"};
    const char *attributes[MOST]; /* MuJoCo copies them */
    int count = 0;
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) attributes[count++] = own[k];
    stiction_parameter_info info;
    for (size_t k = 0; stiction_parameter_at(k, &info) && count < MOST; k++)
        attributes[count++] = info.key;
    stiction_list_info list;
    for (size_t k = 0; stiction_list_at(k, &list) && count < MOST; k++)
        attributes[count++] = list.key;

    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    plugin.name = FRICTION_PLUGIN;
    plugin.nattribute = count;
    plugin.attributes = attributes;
    plugin.capabilityflags = mjPLUGIN_PASSIVE;
    plugin.nstate = friction_state_size;
    plugin.init = friction_init;
    plugin.destroy = friction_destroy;
    plugin.copy = friction_copy;
    plugin.reset = friction_reset;
    plugin.compute = friction_compute;
    plugin.advance = friction_advance;
    mjp_registerPlugin(&plugin);
}

static void register_sensor(const char *name) {
    mjpPlugin plugin;
    mjp_defaultPlugin(&plugin);
    static const char *const attributes[] = {"joints"};
    plugin.name = name;
    plugin.nattribute = 1;
    plugin.attributes = attributes;
    plugin.capabilityflags = mjPLUGIN_SENSOR;
    plugin.needstage = mjSTAGE_VEL; /* passive forces are known then */
    plugin.nstate = sensor_state_size;
    plugin.nsensordata = sensor_size;
    plugin.init = sensor_init;
    plugin.reset = sensor_reset;
    plugin.compute = sensor_compute;
    mjp_registerPlugin(&plugin);
}

MUJOCO_PLUGIN_INIT {
    register_friction();
    for (quantity q = QUANTITY_TORQUE; q < QUANTITY_COUNT; q++) register_sensor(sensor_names[q]);
}
