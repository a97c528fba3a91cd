/* SPDX-License-Identifier: MIT
 * The frames of docs/controller_protocol.md: little-endian, written into a growing buffer and read
 * from memory. No sockets here.
 */
#ifndef STICTION_CONTROLLERS_REMOTE_FRAMES_H
#define STICTION_CONTROLLERS_REMOTE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_VERSION = 1, FRAME_HEAD = 8, FRAME_MOST = 67108864 };

#define FRAME_MAGIC "stiction"

typedef enum frame_type {
    FRAME_HELLO = 1,
    FRAME_STEP = 2,
    FRAME_RESET = 3,
    FRAME_NOTES = 4,
    FRAME_END = 6,
    FRAME_READY = 101,
    FRAME_COMMAND = 102,
    FRAME_NOTED = 104,
    FRAME_ERROR = 200,
    FRAME_LOG = 201
} frame_type;

/* "STEP"; "?" for an unknown type. */
const char *frame_name(uint32_t type);

/* The flags of READY. */
enum {
    FRAME_WANTS_MASS_MATRIX = 1,
    FRAME_WANTS_BIAS = 2,
    FRAME_WANTS_CONTACTS = 4,
    FRAME_HAS_NOTES = 8,
    FRAME_WANTS_LINK_STATES = 32
};

/* A frame that is being written. Start from zeros; free its data. */
typedef struct frame_writer {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* there was no memory, or it is too large */
} frame_writer;

void frame_begin(frame_writer *w, frame_type type);
/* Puts its size where it belongs; false: it failed. */
bool frame_end(frame_writer *w);
void frame_put_bytes(frame_writer *w, const void *bytes, size_t count);
void frame_put_u32(frame_writer *w, uint32_t value);
void frame_put_u64(frame_writer *w, uint64_t value);
void frame_put_numbers(frame_writer *w, const double *numbers, size_t count);
void frame_put_text(frame_writer *w, const char *text);

/* A payload that is being read; missing fields are 0. */
typedef struct frame_reader {
    const unsigned char *at, *end;
    bool failed; /* it was too short */
} frame_reader;

uint32_t frame_get_u32(frame_reader *r);
uint64_t frame_get_u64(frame_reader *r);
void frame_get_numbers(frame_reader *r, double *numbers, size_t count);
/* Its first byte and its length; NULL: it was too short. */
const char *frame_get_text(frame_reader *r, size_t *length);
/* Whether it was read to its end, and no further. */
bool frame_is_done(const frame_reader *r);

/* The head of a frame. */
typedef struct frame_head {
    uint32_t size, type;
} frame_head;
frame_head frame_read_head(const unsigned char bytes[FRAME_HEAD]);

#endif
