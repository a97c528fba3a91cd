/* SPDX-License-Identifier: MIT */
/* Serves a controller library over a socket: peer LIB.so PATH answers one host and ends. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "controller_peer.h"

int main(int argc, char **argv) {
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const stiction_controller_api *api =
        library ? dlsym(library, STICTION_CONTROLLER_SYMBOL) : NULL;
    const int listening = api ? controller_peer_listen(argv[2]) : -1;
    const int connection = listening >= 0 ? accept(listening, NULL, NULL) : -1;
    stiction_error error = {.message = "usage: peer LIB.so PATH"};
    const bool served =
        connection >= 0 && controller_peer_serve(connection, api, &error) == STICTION_OK;
    if (!served) fprintf(stderr, "%s\n", error.message);
    if (listening >= 0) (void)unlink(argv[2]);
    return served ? 0 : 1;
}
