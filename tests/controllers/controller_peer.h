/* SPDX-License-Identifier: MIT
 * The controller's side of docs/controller_protocol.md, to test the host's: any table of
 * stiction/controller.h behind a socket.
 */
#ifndef STICTION_TESTS_CONTROLLER_PEER_H
#define STICTION_TESTS_CONTROLLER_PEER_H

#include "stiction/controller.h"

STICTION_BEGIN_C

/* A socket that listens at a path, which must be free; -1: see errno. */
int controller_peer_listen(const char *path);

/*
 * Answers one host over a connected socket, from HELLO until END or until it is gone, which is
 * fine. Unless OK, see *error: the controller could not be made or failed in a step (the host was
 * told), or the host does not speak the protocol.
 */
stiction_status controller_peer_serve(int socket, const stiction_controller_api *api,
                                      stiction_error *error);

STICTION_END_C

#endif
