/* SPDX-License-Identifier: MIT
 * Frames over a socket, with a deadline in each direction: a peer that is gone or stalls gives a
 * verdict, not a signal or a hang.
 */
#ifndef STICTION_CONTROLLERS_REMOTE_CHANNEL_H
#define STICTION_CONTROLLERS_REMOTE_CHANNEL_H

#include "frames.h"

typedef enum channel_verdict {
    CHANNEL_OK,
    CHANNEL_CLOSED,
    CHANNEL_LATE,
    CHANNEL_TOO_LARGE, /* the header announces more than FRAME_MOST bytes */
    CHANNEL_NO_MEMORY,
    CHANNEL_BROKEN /* see errno */
} channel_verdict;

/* Start from zeros and a socket; free its buffer. */
typedef struct channel {
    int socket;
    const int *side;                /* another descriptor to poll while waiting; -1: none */
    void (*on_side)(void *context); /* it has something to read, or is at its end; NULL: none */
    void *context;
    unsigned char *buffer; /* of the payload that came last */
    size_t capacity;
} channel;

/* Within `timeout` seconds, which may be infinite. */
channel_verdict channel_send(channel *c, const frame_writer *frame, double timeout);
channel_verdict channel_receive(channel *c, double timeout, uint32_t *type, frame_reader *payload);

/* s, of a clock that only goes forward */
double channel_clock(void);

#endif
