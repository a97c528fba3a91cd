/* SPDX-License-Identifier: MIT
 * A state as a flat buffer: a header that identifies it, then one entry per joint. It includes the
 * parameters, which may have changed during the run.
 */
#include <math.h>
#include <string.h>

#include "document/fail.h"
#include "document/text.h"
#include "state_internal.h"

enum { buffer_version = 4, law_name_size = 32 };

static const char magic[8] = "stiction";

typedef struct buffer_header {
    char magic[8];
    uint64_t version, size, count;
    uint64_t checksum; /* of all that follows */
    double timestep;
} buffer_header;

typedef struct buffer_joint {
    char law[law_name_size];
    stiction_joint_def def; /* its law pointer is not meant to be read */
    joint_memory memory;
    uint64_t faults;
} buffer_joint;

static uint64_t payload_checksum(const void *buffer, size_t size) {
    const size_t start = offsetof(buffer_header, timestep);
    return stiction_checksum((const unsigned char *)buffer + start, size - start);
}

size_t stiction_state_buffer_size(const stiction_state *state) {
    return state ? sizeof(buffer_header) + state->model->count * sizeof(buffer_joint) : 0;
}

/* The entry of one joint, with every byte defined. */
static void write_joint(unsigned char *place, const joint *j, const joint_memory *memory,
                        uint64_t faults) {
    buffer_joint entry;
    memset(&entry, 0, sizeof entry);
    strncpy(entry.law, j->def.law, sizeof entry.law - 1);
    entry.def = stiction_joint_underived(j);
    entry.def.law = NULL;
    entry.memory = *memory;
    entry.faults = faults;
    memcpy(place, &entry, sizeof entry);
}

stiction_status stiction_state_save(const stiction_state *state, void *buffer, size_t size,
                                    stiction_error *error) {
    TRY(stiction_state_check(state, error));
    const size_t needed = stiction_state_buffer_size(state);
    REQUIRE(buffer, error, "the buffer is NULL");
    REQUIRE(size >= needed, error, "the buffer has %zu bytes but needs %zu", size, needed);

    unsigned char *place = (unsigned char *)buffer + sizeof(buffer_header);
    for (size_t k = 0; k < state->model->count; k++, place += sizeof(buffer_joint)) {
        const joint_memory memory = stiction_state_memory(state, k);
        write_joint(place, &state->joints[k], &memory, state->faults[k]);
    }
    buffer_header header = {.version = buffer_version,
                            .size = needed,
                            .count = state->model->count,
                            .timestep = state->timestep};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(buffer, &header, sizeof header);
    header.checksum = payload_checksum(buffer, needed);
    memcpy(buffer, &header, sizeof header);
    return stiction_succeed(error);
}

static stiction_status check_header(const buffer_header *header, const stiction_state *state,
                                    const void *buffer, size_t size, stiction_error *error) {
    FAIL_IF(memcmp(header->magic, magic, sizeof magic) != 0, error, STICTION_INVALID_BUFFER,
            "the buffer does not hold a saved state");
    const uint64_t other_order = (uint64_t)buffer_version << 56;
    FAIL_IF(header->version == other_order, error, STICTION_INVALID_BUFFER,
            "the buffer was saved on a machine of another byte order");
    FAIL_IF(header->version != buffer_version, error, STICTION_INVALID_BUFFER,
            "the buffer has version %llu, this library reads %d",
            (unsigned long long)header->version, buffer_version);
    FAIL_IF(header->count != state->model->count, error, STICTION_INVALID_BUFFER,
            "the buffer holds %llu joints, the model has %zu", (unsigned long long)header->count,
            state->model->count);
    FAIL_IF(header->size != stiction_state_buffer_size(state) || header->size != size, error,
            STICTION_INVALID_BUFFER,
            "the buffer has %zu bytes, and says it has %llu; a state of this model has %zu", size,
            (unsigned long long)header->size, stiction_state_buffer_size(state));
    FAIL_IF(header->checksum != payload_checksum(buffer, (size_t)header->size), error,
            STICTION_INVALID_BUFFER, "the buffer was changed after it was saved");
    return stiction_check_timestep("the buffer's time step", header->timestep,
                                   STICTION_INVALID_BUFFER, error);
}

/* Reads entry k into a joint at the buffer's time step. */
static stiction_status read_joint(const stiction_state *state, const void *buffer, double timestep,
                                  size_t k, buffer_joint *entry, joint *j, stiction_error *error) {
    memcpy(entry, (const unsigned char *)buffer + sizeof(buffer_header) + k * sizeof(buffer_joint),
           sizeof *entry);
    entry->law[law_name_size - 1] = '\0';
    entry->def.law = entry->law;
    const char *name = state->model->names[k];
    TRY(stiction_joint_init(j, name, &entry->def, timestep, error));
    return stiction_joint_check_memory(name, j, &entry->memory, STICTION_INVALID_BUFFER, error);
}

stiction_status stiction_state_restore(stiction_state *state, const void *buffer, size_t size,
                                       stiction_error *error) {
    TRY(stiction_state_check(state, error));
    REQUIRE(buffer, error, "the buffer is NULL");
    FAIL_IF(size < sizeof(buffer_header), error, STICTION_INVALID_BUFFER,
            "the buffer has only %zu bytes", size);
    buffer_header header;
    memcpy(&header, buffer, sizeof header);
    TRY(check_header(&header, state, buffer, size, error));

    /* first whether all of it can be read, then read it */
    buffer_joint entry;
    joint j;
    for (size_t k = 0; k < state->model->count; k++)
        TRY(read_joint(state, buffer, header.timestep, k, &entry, &j, error));

    state->timestep = header.timestep;
    state->needs = 0;
    state->in_columns = false;
    for (size_t k = 0; k < state->model->count; k++) {
        (void)read_joint(state, buffer, header.timestep, k, &entry, &state->joints[k], NULL);
        state->memories[k] = entry.memory;
        state->faults[k] = entry.faults;
        state->needs |= state->joints[k].needs;
    }
    stiction_state_group(state);
    return stiction_succeed(error);
}
