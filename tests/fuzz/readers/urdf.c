/* URDF, as a simulation and as `stiction init` read it. */
#include "documents.h"
#include "robots/robot_bodies.h"

static void *read_simulated(reader *r, const void *path) {
    return urdf_read(r, (stiction_place){path, 0, 0}, path, true);
}

static void *read_bare(reader *r, const void *path) {
    return urdf_read(r, (stiction_place){path, 0, 0}, path, false);
}

static void read_urdf(const uint8_t *data, size_t size) {
    fuzz_document("f.urdf", data, size, read_simulated);
    fuzz_document("f.urdf", data, size, read_bare);
}

const fuzz_reader fuzz_urdf = {.name = "urdf", .read = read_urdf};
