/* SPDX-License-Identifier: MIT */
/* Waits with poll; MSG_NOSIGNAL prevents SIGPIPE. */
#include "channel.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

double channel_clock(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Until the socket is ready for `events`. */
static channel_verdict wait_for(const channel *c, short events, double deadline) {
    for (;;) {
        const double left = deadline - channel_clock();
        const int milliseconds = isinf(left) ? -1 : left > 0 ? (int)fmin(ceil(left * 1e3), 1e6) : 0;
        struct pollfd both[] = {{.fd = c->socket, .events = events},
                                {.fd = c->on_side ? *c->side : -1, .events = POLLIN}};
        const int ready = poll(both, 2, milliseconds);
        if (ready < 0 && errno != EINTR) return CHANNEL_BROKEN;
        if (ready > 0 && both[1].revents) c->on_side(c->context);
        if (ready > 0 && both[0].revents) return CHANNEL_OK;
        if (!(deadline - channel_clock() > 0)) return CHANNEL_LATE;
    }
}

/* What a failed call means: a closed connection, or one to wait for. */
static channel_verdict verdict_of_errno(const channel *c, short events, double deadline) {
    if (errno == EAGAIN || errno == EWOULDBLOCK) return wait_for(c, events, deadline);
    if (errno == EINTR) return CHANNEL_OK;
    return errno == EPIPE || errno == ECONNRESET ? CHANNEL_CLOSED : CHANNEL_BROKEN;
}

channel_verdict channel_send(channel *c, const frame_writer *frame, double timeout) {
    const double deadline = channel_clock() + timeout;
    channel_verdict verdict = CHANNEL_OK;
    for (size_t sent = 0; verdict == CHANNEL_OK && sent < frame->size;) {
        const ssize_t count =
            send(c->socket, frame->data + sent, frame->size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0)
            sent += (size_t)count;
        else
            verdict = verdict_of_errno(c, POLLOUT, deadline);
    }
    return verdict;
}

static channel_verdict receive_all(const channel *c, unsigned char *to, size_t size,
                                   double deadline) {
    channel_verdict verdict = CHANNEL_OK;
    for (size_t got = 0; verdict == CHANNEL_OK && got < size;) {
        const ssize_t count = recv(c->socket, to + got, size - got, MSG_DONTWAIT);
        if (count > 0)
            got += (size_t)count;
        else
            verdict = count == 0 ? CHANNEL_CLOSED : verdict_of_errno(c, POLLIN, deadline);
    }
    return verdict;
}

channel_verdict channel_receive(channel *c, double timeout, uint32_t *type, frame_reader *payload) {
    const double deadline = channel_clock() + timeout;
    unsigned char bytes[FRAME_HEAD];
    const channel_verdict verdict = receive_all(c, bytes, FRAME_HEAD, deadline);
    if (verdict != CHANNEL_OK) return verdict;
    const frame_head head = frame_read_head(bytes);
    *type = head.type;
    if (head.size > FRAME_MOST) return CHANNEL_TOO_LARGE;
    if (head.size > c->capacity) {
        unsigned char *buffer = realloc(c->buffer, head.size);
        if (!buffer) return CHANNEL_NO_MEMORY;
        c->buffer = buffer;
        c->capacity = head.size;
    }
    *payload = (frame_reader){c->buffer, c->buffer ? c->buffer + head.size : NULL, false};
    return receive_all(c, c->buffer, head.size, deadline);
}
