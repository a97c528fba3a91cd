/* SPDX-License-Identifier: MIT */
/* Choreonoid's projects; robots that they name are not there. */
#include "projects/project.h"
#include "documents.h"

static void *read_file(reader *r, const void *path) {
    return (void *)(size_t)(const void *)project_read(r, path);
}

static void read_project(const uint8_t *data, size_t size) {
    fuzz_document("f.cnoid", data, size, read_file);
}

const fuzz_reader fuzz_project = {.name = "project", .read = read_project};
