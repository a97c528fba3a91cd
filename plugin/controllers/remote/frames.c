/* SPDX-License-Identifier: MIT */
/* Frames, byte by byte, on machines of any order. */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

const char *frame_name(uint32_t type) {
    static const struct {
        uint32_t type;
        const char *name;
    } names[] = {
        {FRAME_HELLO, "HELLO"},     {FRAME_STEP, "STEP"},   {FRAME_RESET, "RESET"},
        {FRAME_NOTES, "NOTES"},     {FRAME_END, "END"},     {FRAME_READY, "READY"},
        {FRAME_COMMAND, "COMMAND"}, {FRAME_NOTED, "NOTED"}, {FRAME_ERROR, "ERROR"},
        {FRAME_LOG, "LOG"},
    };
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (names[k].type == type) return names[k].name;
    return "?";
}

/* ---- writing ---- */

/* Room for `count` more bytes at the end; NULL: out of memory. */
static unsigned char *extend(frame_writer *w, size_t count) {
    if (w->failed || count > FRAME_HEAD + (size_t)FRAME_MOST - w->size) {
        w->failed = true;
        return NULL;
    }
    if (w->size + count > w->capacity) {
        const size_t capacity = 2 * (w->size + count);
        unsigned char *data = realloc(w->data, capacity);
        if (!data) {
            w->failed = true;
            return NULL;
        }
        w->data = data;
        w->capacity = capacity;
    }
    w->size += count;
    return w->data + w->size - count;
}

static void store(unsigned char *to, uint64_t value, int bytes) {
    for (int k = 0; to && k < bytes; k++) to[k] = (unsigned char)(value >> 8 * k);
}

void frame_begin(frame_writer *w, frame_type type) {
    w->size = 0;
    w->failed = false;
    frame_put_u32(w, 0);
    frame_put_u32(w, (uint32_t)type);
}

bool frame_end(frame_writer *w) {
    if (!w->failed) store(w->data, w->size - FRAME_HEAD, 4);
    return !w->failed;
}

void frame_put_bytes(frame_writer *w, const void *bytes, size_t count) {
    unsigned char *to = extend(w, count);
    if (to && count) memcpy(to, bytes, count);
}

void frame_put_u32(frame_writer *w, uint32_t value) {
    store(extend(w, 4), value, 4);
}

void frame_put_u64(frame_writer *w, uint64_t value) {
    store(extend(w, 8), value, 8);
}

void frame_put_numbers(frame_writer *w, const double *numbers, size_t count) {
    unsigned char *to = extend(w, count > FRAME_MOST / 8 ? SIZE_MAX : 8 * count);
    for (size_t k = 0; to && k < count; k++) {
        uint64_t bits;
        memcpy(&bits, numbers + k, sizeof bits);
        store(to + 8 * k, bits, 8);
    }
}

void frame_put_text(frame_writer *w, const char *text) {
    const size_t length = strlen(text);
    if (length > FRAME_MOST) {
        w->failed = true;
        return;
    }
    frame_put_u32(w, (uint32_t)length);
    frame_put_bytes(w, text, length);
}

/* ---- reading ---- */

static const unsigned char *take(frame_reader *r, size_t count) {
    if (r->failed || (size_t)(r->end - r->at) < count) {
        r->failed = true;
        return NULL;
    }
    r->at += count;
    return r->at - count;
}

static uint64_t load(const unsigned char *from, int bytes) {
    uint64_t value = 0;
    for (int k = 0; from && k < bytes; k++) value |= (uint64_t)from[k] << 8 * k;
    return value;
}

uint32_t frame_get_u32(frame_reader *r) {
    return (uint32_t)load(take(r, 4), 4);
}

uint64_t frame_get_u64(frame_reader *r) {
    return load(take(r, 8), 8);
}

void frame_get_numbers(frame_reader *r, double *numbers, size_t count) {
    const unsigned char *from = take(r, count > FRAME_MOST / 8 ? SIZE_MAX : 8 * count);
    for (size_t k = 0; k < count; k++) {
        const uint64_t bits = from ? load(from + 8 * k, 8) : 0;
        memcpy(numbers + k, &bits, sizeof bits);
    }
}

const char *frame_get_text(frame_reader *r, size_t *length) {
    *length = frame_get_u32(r);
    const char *text = (const char *)take(r, *length);
    if (!text) *length = 0;
    return text;
}

bool frame_is_done(const frame_reader *r) {
    return !r->failed && r->at == r->end;
}

frame_head frame_read_head(const unsigned char bytes[FRAME_HEAD]) {
    return (frame_head){(uint32_t)load(bytes, 4), (uint32_t)load(bytes + 4, 4)};
}
