/*
 * Prints plugin/python/stiction/_tables.py: the quantities, inputs and parameters of joints, from
 * the lists of the C headers.
 */
#include <stdio.h>
#include <string.h>

#include "stiction/stiction.h"

static void print_field(const char *name, const char *type, const char *unit, const char *text) {
    printf("    %s: %s  #: %s%s%s\n", name, type, unit, *unit ? ", " : "", text);
}

#define PRINT_FIELD(type, name, unit, description)                                                 \
    print_field(#name, sizeof(type) == 1 ? "NDArray[np.bool_]" : "FloatArray", unit, description);
#define PRINT_TYPE(type, name, unit, description)                                                  \
    printf("    \"" #name "\": %s,\n", sizeof(type) == 1 ? "bool" : "float");
#define PRINT_LEVEL(type, name, unit, description)   printf("    \"" #name "\",\n");
#define PRINT_INPUT(name, unit, description, absent) printf("    \"" #name "\",\n");
#define PRINT_LAW_PARAMETER(name, ...)               printf("    \"" #name "\",\n");

/* The fields of stiction_joint_def after its law, in order: each key with its count of numbers. */
static void print_joint_fields(void) {
    stiction_parameter_info info;
    stiction_list_info list;
    size_t at = offsetof(stiction_joint_def, static_torque);
    printf("#: The fields of stiction_joint_def with their sizes, in order.\nJOINT_FIELDS = {\n");
    for (size_t next = at; at < sizeof(stiction_joint_def); at = next) {
        for (size_t k = 0; stiction_parameter_at(k, &info); k++)
            if (info.offset == at) {
                printf("    \"%s\": 1,\n", info.key);
                next = at + sizeof(double);
            }
        for (size_t k = 0; stiction_list_at(k, &list); k++)
            if (list.offset == at) {
                printf("    \"%s\": %zu,\n", list.key, list.most);
                next = at + list.most * sizeof(double);
            }
        if (next == at) break; /* a field without a row */
    }
    printf("}\n#: The parameters that are lists.\nLISTS = (\n");
    for (size_t k = 0; stiction_list_at(k, &list); k++) printf("    \"%s\",\n", list.key);
    printf(")\n");
}

static void print_parameters(void) {
    stiction_parameter_info info;
    stiction_list_info list;
    print_joint_fields();
    printf("#: The parameters of a law: stiction_law_parameters.\nLAW_PARAMETERS = (\n");
    STICTION_LAW_PARAMETERS(PRINT_LAW_PARAMETER)
    printf(")\n\n\n@dataclasses.dataclass(frozen=True)\nclass Parameters:\n"
           "    \"\"\"The friction law of a joint and its parameters; None: not given.\"\"\"\n\n"
           "    law: str = \"none\"\n");
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        print_field(info.key, "Optional[float] = None", strcmp(info.unit, "1") ? info.unit : "",
                    info.description);
    for (size_t k = 0; stiction_list_at(k, &list); k++)
        print_field(list.key, "Optional[tuple[float, ...]] = None", list.unit, list.description);
}

int main(void) {
    printf(
        "\"\"\"Quantities, inputs and parameters of joints.\n\n"
        "Written by `ninja python-tables` from the lists of the C headers; do not edit.\n\"\"\"\n"
        "from __future__ import annotations\n\nimport dataclasses\n"
        "from typing import NamedTuple, Optional\n\nimport numpy as np\n"
        "from numpy.typing import NDArray\n\nfrom ._arrays import FloatArray\n\n"
        "#: STICTION_JOINT_QUANTITIES with the types of their entries.\nQUANTITIES = {\n");
    STICTION_JOINT_QUANTITIES(PRINT_TYPE)
    printf("}\n#: STICTION_JOINT_LEVELS.\nLEVELS = (\n");
    STICTION_JOINT_LEVELS(PRINT_LEVEL)
    printf(")\n#: STICTION_JOINT_INPUTS, in the order of stiction_input.\nINPUTS = (\n");
    STICTION_JOINT_INPUTS(PRINT_INPUT)
    printf(")\n");
    print_parameters();
    printf("\n\n@dataclasses.dataclass(frozen=True)\nclass Quantities:\n"
           "    \"\"\"Friction in a step, one entry per joint.\"\"\"\n\n");
    STICTION_JOINT_QUANTITIES(PRINT_FIELD)
    printf("\n\n@dataclasses.dataclass\nclass Levels:\n"
           "    \"\"\"What friction depends on in a step, one entry per joint.\"\"\"\n\n");
    STICTION_JOINT_LEVELS(PRINT_FIELD)
    printf("\n\nclass Step(NamedTuple):\n"
           "    \"\"\"What a step of a state writes, one entry per joint.\"\"\"\n\n"
           "    torque: FloatArray  #: N m, friction, to be subtracted from the joint torque\n"
           "    deflection: FloatArray  #: rad, of the bristle\n"
           "    slope: FloatArray  #: N m s/rad, d torque/d velocity\n"
           "    slipping: NDArray[np.bool_]\n"
           "    dissipated_energy: FloatArray  #: J, since the start or the last reset\n");
    STICTION_JOINT_LEVELS(PRINT_FIELD)
    return 0;
}
