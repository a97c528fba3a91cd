/* SPDX-License-Identifier: MIT
 * Prints plugin/python/stiction/_tables.py: the quantities, inputs and parameters of joints, from
 * the lists of the C headers.
 */
#include <stdio.h>
#include <string.h>

#include "results/joint_figures.h"
#include "stiction/stiction.h"

static size_t column; /* of the list that is printed */

static void begin_list(const char *comment, const char *opening) {
    printf("#: %s\n%s\n   ", comment, opening);
    column = 3;
}

/* An item, several per line: "key", or "key": value if there is a value. */
static void print_item(const char *key, const char *value) {
    char item[100];
    const int length =
        snprintf(item, sizeof item, *value ? " \"%s\": %s," : " \"%s\",", key, value);
    if (column + (size_t)length > 100) column = (size_t)printf("\n   ") - 1;
    column += (size_t)printf("%s", item);
}

static void print_field(const char *name, const char *type, const char *unit, const char *text) {
    printf("    %s: %s  #: %s%s%s\n", name, type, unit, *unit ? ", " : "", text);
}

/* For the lists of stiction/quantities.h and stiction/models/parameters.h. */
#define PRINT_TYPE(type, name, unit, description)                                                  \
    print_item(#name, sizeof(type) == 1 ? "bool" : "float");
#define PRINT_NAME(type, name, unit, description)    print_item(#name, "");
#define PRINT_INPUT(name, unit, description, absent) print_item(#name, "");
#define PRINT_LAW_PARAMETER(name, ...)               print_item(#name, "");
#define PRINT_FIELD(type, name, unit, description)                                                 \
    print_field(#name, sizeof(type) == 1 ? "NDArray[np.bool_]" : "FloatArray", unit, description);

/* The fields of stiction_joint_def after its law, each with its count of numbers. */
static void print_joint_fields(void) {
    stiction_parameter_info info;
    stiction_list_info list;
    size_t at = offsetof(stiction_joint_def, static_torque);
    begin_list("The fields of stiction_joint_def with their sizes, in order.", "JOINT_FIELDS = {");
    for (size_t next = at; at < sizeof(stiction_joint_def); at = next) {
        for (size_t k = 0; stiction_parameter_at(k, &info); k++)
            if (info.offset == at) {
                print_item(info.key, "1");
                next = at + sizeof(double);
            }
        for (size_t k = 0; stiction_list_at(k, &list); k++)
            if (list.offset == at) {
                char count[24];
                (void)snprintf(count, sizeof count, "%zu", list.most);
                print_item(list.key, count);
                next = at + list.most * sizeof(double);
            }
        if (next == at) break; /* a field without a row */
    }
    printf("\n}\n");
}

static void print_parameters(void) {
    stiction_parameter_info info;
    stiction_list_info list;
    printf("\n\n@dataclasses.dataclass(frozen=True)\nclass Parameters:\n"
           "    \"\"\"The friction law of a joint and its parameters; None: not given.\"\"\"\n\n"
           "    law: str = \"none\"\n");
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        print_field(info.key, "Optional[float] = None", strcmp(info.unit, "1") ? info.unit : "",
                    info.description);
    for (size_t k = 0; stiction_list_at(k, &list); k++)
        print_field(list.key, "Optional[tuple[float, ...]] = None", list.unit, list.description);
}

int main(void) {
    stiction_list_info list;
    printf(
        "# SPDX-License-Identifier: MIT\n\"\"\"Quantities, inputs and parameters of joints.\n\n"
        "Written by `ninja python-tables` from the lists of the C headers; do not edit.\n\"\"\"\n"
        "from __future__ import annotations\n\nimport dataclasses\n"
        "from typing import NamedTuple, Optional\n\nimport numpy as np\n"
        "from numpy.typing import NDArray\n\nfrom ._arrays import FloatArray\n\n");
    begin_list("STICTION_JOINT_QUANTITIES with the types of their entries.", "QUANTITIES = {");
    STICTION_JOINT_QUANTITIES(PRINT_TYPE)
    printf("\n}\n");
    begin_list("STICTION_JOINT_LEVELS.", "LEVELS = (");
    STICTION_JOINT_LEVELS(PRINT_NAME)
    printf("\n)\n");
    begin_list("STICTION_JOINT_INPUTS, in the order of stiction_input.", "INPUTS = (");
    STICTION_JOINT_INPUTS(PRINT_INPUT)
    printf("\n)\n");
    begin_list("The figures of a joint in summary.json.", "FIGURES = (");
    for (size_t k = 0; joint_figure_at(k); k++) print_item(joint_figure_at(k)->name, "");
    printf("\n)\n");
    print_joint_fields();
    begin_list("The parameters that are lists.", "LISTS = (");
    for (size_t k = 0; stiction_list_at(k, &list); k++) print_item(list.key, "");
    printf("\n)\n");
    begin_list("The parameters of a law: stiction_law_parameters.", "LAW_PARAMETERS = (");
    STICTION_LAW_PARAMETERS(PRINT_LAW_PARAMETER)
    printf("\n)\n");
    print_parameters();
    printf("\n\n@dataclasses.dataclass(frozen=True)\nclass Quantities:\n"
           "    \"\"\"Friction in a step, one entry per joint.\"\"\"\n\n");
    STICTION_JOINT_QUANTITIES(PRINT_FIELD)
    printf("\n\n@dataclasses.dataclass\nclass Levels:\n"
           "    \"\"\"What friction depends on in a step, one entry per joint.\"\"\"\n\n");
    STICTION_JOINT_LEVELS(PRINT_FIELD)
    printf("\n\nclass Step(NamedTuple):\n"
           "    \"\"\"The outputs of a step of a state, one entry per joint.\"\"\"\n\n"
           "    torque: FloatArray  #: N m, friction, to be subtracted from the joint torque\n"
           "    deflection: FloatArray  #: rad, of the bristle\n"
           "    slope: FloatArray  #: N m s/rad, d torque/d velocity\n"
           "    slipping: NDArray[np.bool_]\n"
           "    dissipated_energy: FloatArray  #: J, since the start or the last reset\n");
    STICTION_JOINT_LEVELS(PRINT_FIELD)
    return 0;
}
