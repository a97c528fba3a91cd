/* SPDX-License-Identifier: MIT */
/* Models for MuJoCo 3 with elements of the plugin. */
#ifndef STICTION_TESTS_MUJOCO3_MODELS_H
#define STICTION_TESTS_MUJOCO3_MODELS_H

#include <stdarg.h>

#include "check.h"
#include "mujoco_compile/mujoco_versions.h"

/* MuJoCo would write a file into the folder of the tests as well. */
static inline void print_warning(const char *message) {
    printf("WARNING: %s\n", message);
}

static inline void load_plugin(void) {
    static bool is_loaded;
    if (!mju_user_warning) mju_user_warning = print_warning;
    if (!is_loaded) mj_loadPluginLibrary(PLUGIN_LIBRARY);
    is_loaded = true;
}

/* A text; those of a test end with it. */
__attribute__((format(printf, 1, 2))) static inline const char *text(const char *format, ...) {
    enum { size = 20000 };
    char *made = malloc(size);
    va_list arguments;
    va_start(arguments, format);
    if (!made || vsnprintf(made, size, format, arguments) >= size) abort();
    va_end(arguments);
    return made;
}

/* NULL: `message` has MuJoCo's error. */
static inline mjModel *try_model(const char *xml, char message[1000]) {
    load_plugin();
    mjVFS *files = malloc(sizeof *files);
    if (!files) abort();
    mj_defaultVFS(files);
    message[0] = 0;
    if (mj_addBufferVFS(files, "model.xml", xml, (int)strlen(xml)) != 0) abort();
    mjModel *model = mj_loadXML("model.xml", files, message, 1000);
    mj_deleteVFS(files);
    free(files);
    return model;
}

static inline mjModel *model_of(const char *xml) {
    char message[1000];
    mjModel *model = try_model(xml, message);
    if (!model) {
        FAIL("%s", message);
        exit(1);
    }
    return model;
}

/* The law of the paper's wrist, as elements of a plugin and as YAML. */
static const char wrist_law[] = "<config key='law' value='stribeck'/>"
                                "<config key='static_torque' value='2.5'/>"
                                "<config key='coulomb_torque' value='0.4'/>"
                                "<config key='stribeck_velocity' value='0.06'/>"
                                "<config key='viscous' value='4.5'/>"
                                "<config key='stiffness' value='5000'/>"
                                "<config key='damping' value='50'/>";
static const char wrist_yaml[] = "{stiction: 1, joints: {RWRR: {law: stribeck, static_torque: 2.5, "
                                 "coulomb_torque: 0.4, stribeck_velocity: 0.06, viscous: 4.5, "
                                 "stiffness: 5000, damping: 50}}}";
/* Of a finger. */
static const char finger_law[] = "<config key='law' value='stribeck'/>"
                                 "<config key='static_torque' value='0.05'/>"
                                 "<config key='coulomb_torque' value='0.03'/>"
                                 "<config key='stribeck_velocity' value='0.05'/>"
                                 "<config key='viscous' value='0.01'/>"
                                 "<config key='stiffness' value='100'/>"
                                 "<config key='damping' value='1'/>";

static const char all_plugins[] =
    "<plugin plugin='stiction.friction'/><plugin plugin='stiction.torque'/>"
    "<plugin plugin='stiction.sticks'/><plugin plugin='stiction.heat'/>";

static inline const char *element(const char *config) {
    return text("<plugin plugin='stiction.friction'>%s</plugin>", config);
}

/* One joint without gravity, of an inertia, with attributes of its own, what is in its body, what
 * the model declares, and what follows the bodies. */
typedef struct one_joint {
    const char *option, *joint, *body, *extension, *rest;
    double inertia;
} one_joint;

static inline const char *xml_of(one_joint of) {
    const double I = of.inertia > 0 ? of.inertia : 0.1675;
    return text("<mujoco><option gravity='0 0 0' %s/><extension>%s</extension>"
                "<worldbody><body name='arm'><joint name='RWRR' axis='0 0 1' %s/>"
                "<inertial pos='0 0 0' mass='1' diaginertia='%g %g %g'/>%s</body></worldbody>"
                "%s</mujoco>",
                of.option ? of.option : "", of.extension ? of.extension : all_plugins,
                of.joint ? of.joint : "", I, I, I, of.body ? of.body : "", of.rest ? of.rest : "");
}

/* The paper's wrist. */
static inline const char *wrist(const char *option) {
    return xml_of((one_joint){.option = option, .body = element(wrist_law)});
}

/* A finger of 1e-4 kg m^2 at 5 ms. */
static inline const char *finger(const char *option, const char *rest) {
    return xml_of((one_joint){.option = text("timestep='0.005' %s", option),
                              .body = element(finger_law),
                              .rest = rest,
                              .inertia = 1e-4});
}

/* Two links that swing over a floor and touch it, one with a motor, with sensors. */
static inline const char *two_joints(const char *coupling) {
    return text("<mujoco><option timestep='0.001'/><extension>%s</extension><worldbody>"
                "<geom type='plane' size='2 2 0.1' pos='0 0 -0.45'/>"
                "<body name='upper'><joint name='shoulder' axis='0 1 0' armature='0.1'/>"
                "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03'/>"
                "<body name='lower' pos='0.3 0 0'><joint name='elbow' axis='0 1 0' armature='0.1'/>"
                "<geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/></body>%s"
                "</body></worldbody><actuator><motor joint='elbow' gear='3'/></actuator><sensor>"
                "<plugin name='torque' plugin='stiction.torque'>"
                "<config key='joints' value='elbow'/></plugin>"
                "<plugin name='sticks' plugin='stiction.sticks'>"
                "<config key='joints' value='elbow'/></plugin>"
                "<plugin name='heat' plugin='stiction.heat'/></sensor></mujoco>",
                all_plugins,
                element(text("%s<config key='coupling' value='%s'/>", wrist_law, coupling)));
}

/* ---- a humanoid ---- */

typedef struct xml_text {
    char *text;
    size_t used;
} xml_text;

enum { TEXT_SIZE = 100000 };

__attribute__((format(printf, 2, 3))) static inline void add(xml_text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->text + t->used, TEXT_SIZE - t->used, format, arguments);
    va_end(arguments);
    if (t->used >= TEXT_SIZE) abort();
}

/* A chain of links along a direction, each turning about another axis; what follows is inside. */
static inline void add_chain(xml_text *t, const char *name, int count, const char *place,
                             double length, double thick, const char *joint) {
    static const char *const axes[] = {"0 1 0", "1 0 0", "0 0 1"};
    for (int k = 0; k < count; k++) {
        if (k)
            add(t, "<body pos='0 0 %g'>", -length);
        else
            add(t, "<body pos='%s'>", place);
        add(t, "<joint name='%s%d' axis='%s' %s/>", name, k, axes[k % 3], joint);
        add(t, "<geom type='capsule' size='%g' fromto='0 0 0 0 0 %g' contype='0' conaffinity='0'/>",
            thick, -length);
    }
    if (strstr(name, "LEG"))
        add(t, "<geom type='box' size='0.12 0.06 0.02' pos='0.03 0 %g' mass='1'/>", -length);
    for (int k = 0; k < count; k++) add(t, "</body>");
}

/* 2 legs of 6, 2 arms of 7, 2 hands of 12, a waist and a neck of 2. */
static inline mjModel *humanoid(const char *option, const char *joint, const char *plugin) {
    xml_text t = {.text = calloc(1, TEXT_SIZE)};
    add(&t, "<mujoco><option %s/><extension>%s</extension><worldbody>", option, all_plugins);
    add(&t, "<geom type='plane' size='3 3 0.1' contype='1'/>");
    add(&t,
        "<body pos='0 0 0.96'><freejoint/><geom type='box' size='0.1 0.15 0.1' mass='10' "
        "contype='0' conaffinity='0'/>%s",
        plugin);
    add_chain(&t, "LLEG", 6, "0 0.1 -0.1", 0.14, 0.05, joint);
    add_chain(&t, "RLEG", 6, "0 -0.1 -0.1", 0.14, 0.05, joint);
    add_chain(&t, "WAIST", 1, "0 0 0.3", 0.1, 0.08, joint);
    add_chain(&t, "NECK", 2, "0 0 0.6", 0.05, 0.04, joint);
    add_chain(&t, "LARM", 7, "0 0.25 0.5", 0.1, 0.03, joint);
    add_chain(&t, "RARM", 7, "0 -0.25 0.5", 0.1, 0.03, joint);
    for (int k = 0; k < 8; k++)
        add_chain(&t, text("HAND%d", k), 3, text("0 %g 0.2", 0.01 * k), 0.02, 0.008, joint);
    add(&t, "</body></worldbody></mujoco>");
    mjModel *model = model_of(t.text);
    free(t.text);
    return model;
}

/* The first number of a sensor. */
static inline double sensor(const mjModel *model, const mjData *data, const char *name) {
    const int id = mj_name2id(model, mjOBJ_SENSOR, name);
    if (id < 0) abort();
    return data->sensordata[model->sensor_adr[id]];
}

#endif
