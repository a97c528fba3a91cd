/* SPDX-License-Identifier: MIT */
/* What `stiction import` reads: its first byte says which format. */
#include <math.h>
#include <string.h>

#include "documents.h"
#include "import/import.h"
#include "stiction/load.h"

static const import_options given = {.load_limit = (double)NAN,
                                     .stiffness = (double)NAN,
                                     .damping = (double)NAN,
                                     .timestep = (double)NAN};

/* A result is a file that loads, or is refused for a number. */
static void *read_as(reader *r, const void *path, size_t kind) {
    import_result *result = import_within(r, path, &import_kinds[kind], &given);
    stiction_config *config = NULL;
    const stiction_status status =
        stiction_config_parse(result->text, strlen(result->text), NULL, &config, NULL);
    must(status == STICTION_OK || status == STICTION_INVALID_CONFIG);
    stiction_config_destroy(config);
    return result;
}

static void *read_bam(reader *r, const void *path) {
    return read_as(r, path, 0);
}
static void *read_mujoco(reader *r, const void *path) {
    return read_as(r, path, 1);
}

static void read_import(const uint8_t *data, size_t size) {
    if (size == 0) return;
    const bool json = data[0] == '{';
    fuzz_document(json ? "f.json" : "f.xml", data, size, json ? read_bam : read_mujoco);
}

const fuzz_reader fuzz_import = {.name = "import", .read = read_import};
