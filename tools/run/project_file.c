/* SPDX-License-Identifier: MIT
 * A Choreonoid project for a robot: the items that it needs, with keys that Choreonoid 2.2 to 2.5
 * read. Where they differ that is the camelCase of 2.4, not the snake_case that 2.5 writes.
 */
#include "project_file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "document/number.h"
#include "document/text.h"
#include "document/yaml_write.h"

static void write_numbers(FILE *out, const char *key, const double *numbers, size_t count) {
    char text[NUMBER_SIZE];
    fprintf(out, "            %s: [ ", key);
    for (size_t k = 0; k < count; k++)
        fprintf(out, "%s%s", k ? ", " : "", stiction_number_write(numbers[k], text));
    fputs(" ]\n", out);
}

static void write_text(FILE *out, const char *key, const char *text) {
    fputs(key, out);
    (void)stiction_yaml_write_text(out, text);
    fputc('\n', out);
}

/* By joint_id, in degrees also for joints that slide, as Choreonoid has it; each with its name. */
static void write_displacements(FILE *out, const project_body *body) {
    const body_file *file = body->file;
    AUTO_FREE double *degrees = allocate(file->count + 1, sizeof *degrees);
    AUTO_FREE const char **names = allocate(file->count + 1, sizeof *names);
    size_t count = 0;
    for (size_t k = 0; k < file->count; k++)
        if (file->links[k].joint_id >= 0) {
            const size_t id = (size_t)file->links[k].joint_id;
            if (id >= file->count) continue;
            degrees[id] = body->displacements[k] * 180 / mjPI;
            names[id] = file->links[k].joint_name;
            if (id + 1 > count) count = id + 1;
        }
    if (count) {
        char text[NUMBER_SIZE];
        write_numbers(out, "jointDisplacements", degrees, count);
        fputs("            initialJointDisplacements:  # the start, deg\n", out);
        for (size_t k = 0; k < count; k++) {
            AUTO_FREE char *name = shown_text(names[k] ? names[k] : "");
            fprintf(out, "              - %-20s # %s\n", stiction_number_write(degrees[k], text),
                    name);
        }
    }
}

static void write_body(FILE *out, const project_file *p, size_t index) {
    const project_body *body = &p->project->bodies[index];
    const char *file = p->files[index];
    double attitude[9];
    mju_quat2Mat(attitude, body->rotation);
    fprintf(out, "        -\n          id: %zu\n", 10 + 2 * index);
    write_text(out, "          name: ", body->name);
    fputs("          plugin: Body\n          class: BodyItem\n          is_checked: true\n"
          "          data:\n",
          out);
    write_text(out, "            file: ", file);
    if (robot_format_of(file) == ROBOT_BODY) fputs("            format: CHOREONOID-BODY\n", out);
    write_numbers(out, "rootPosition", body->translation, 3);
    write_numbers(out, "rootAttitude", attitude, 9);
    write_numbers(out, "initialRootPosition", body->translation, 3);
    write_numbers(out, "initialRootAttitude", attitude, 9);
    write_displacements(out, body);
    fprintf(out,
            "            fix_root: %s\n            collisionDetection: true\n"
            "            selfCollisionDetection: false\n            scene_sensitive: true\n",
            body->fixed_root ? "true" : "false");
    if (index || !p->controller_options) return;
    fprintf(out,
            "          children:\n            -\n              id: %zu\n"
            "              name: Controller\n              plugin: Body\n"
            "              class: SimpleControllerItem\n              data:\n"
            "                isNoDelayMode: true\n",
            11 + 2 * index);
    write_text(out, "                controllerOptions: ", p->controller_options);
    write_text(out, "                controller: ", p->controller);
    fputs("                base_directory: \"Controller directory\"\n"
          "                reloading: false\n",
          out);
}

static void write_simulator(FILE *out, const project_file *p) {
    const project_simulator *s = &p->project->simulators[0];
    char step[NUMBER_SIZE], length[NUMBER_SIZE];
    fprintf(out,
            "        -\n          id: 2\n          name: AISTSimulator\n          plugin: Body\n"
            "          class: AISTSimulatorItem\n          data:\n"
            "            time_step: %s\n            realtime_sync_mode: off\n"
            "            recording: full\n            time_range_mode: specified\n"
            "            time_length: %s\n            dynamicsMode: \"Forward dynamics\"\n"
            "            integrationMode: semi-implicit_euler\n",
            stiction_number_write(s->timestep, step), stiction_number_write(s->duration, length));
    write_numbers(out, "gravity", s->gravity, 3);
    fputs("          children:\n            -\n              id: 3\n"
          "              name: Stiction\n              plugin: Stiction\n"
          "              class: StictionItem\n              data:\n                enabled: true\n",
          out);
    if (p->configuration) write_text(out, "                configuration_file: ", p->configuration);
    fputs("                record: true\n", out);
}

void project_file_write(FILE *out, const project_file *p) {
    fprintf(out,
            "# %s\nitems:\n  id: 0\n  name: Root\n  plugin: Base\n  class: RootItem\n"
            "  children:\n    -\n      id: 1\n      name: World\n      plugin: Body\n"
            "      class: WorldItem\n      is_checked: true\n      data:\n"
            "        collisionDetection: true\n"
            "        collision_detector: AISTCollisionDetector\n      children:\n",
            p->comment);
    for (size_t k = 0; k < p->project->body_count; k++) write_body(out, p, k);
    write_simulator(out, p);
    fprintf(out,
            "\nviews:\n  - { id: 1, plugin: Base, class: ItemTreeView, mounted: true }\n"
            "  - { id: 2, plugin: Base, class: ItemPropertyView, mounted: true }\n"
            "  - { id: 3, plugin: Base, class: SceneView, mounted: true }\n"
            "  - { id: 4, plugin: Stiction, class: StictionView, mounted: true }\n"
            "  - { id: 5, plugin: Base, class: MultiValueSeqGraphView, mounted: true }\n"
            "  - { id: 6, plugin: Base, class: MessageView, mounted: true }\n"
            "toolbars:\n  \"TimeBar\": { min_time: 0, max_time: %g }\n",
            p->project->simulators[0].duration);
}

bool project_needs_body_file(const project_body *body) {
    const body_file *file = body->file;
    const robot_format format = robot_format_of(file->path);
    if (format != ROBOT_URDF && format != ROBOT_BODY) return true;
    /* the floor of --floor is in no file */
    const body_link *root = &file->links[file->root];
    return root->shape_count && root->shapes[0].kind == BODY_PLANE;
}

/* ---- paths ---- */

const char *path_from(reader *r, const char *folder, const char *path) {
    char from[PATH_MAX], to[PATH_MAX];
    if (!realpath(folder, from) || !realpath(path, to)) return NULL;
    /* after the last '/' that both have */
    size_t common = 0, k = 0;
    for (; from[k] && from[k] == to[k]; k++)
        if (from[k] == '/') common = k + 1;
    if (!from[k] && to[k] == '/') common = k + 1;
    const char *relative = stiction_reader_text(r, to + common);
    /* a step up for each folder that is not */
    const char *rest = strlen(from) >= common ? from + common : "";
    for (; *rest; rest += strcspn(rest, "/"), rest += *rest == '/')
        relative = stiction_reader_format(r, "../%s", relative);
    return relative;
}
