/* SPDX-License-Identifier: MIT
 * Starting the interpreter with the package beside this program on its path, and seeing it end.
 */
#define _GNU_SOURCE /* pipe2 */
#include "python_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "controllers/host/controller_source.h"
#include "document/fail.h"
#include "document/shown.h"

extern char **environ;

/*
 * Relative to the folder of the program or library that contains this code; a build has python3/ at
 * its top. No folder is compiled in: an installed program must not run code of its build tree.
 */
static const char *const near_us[] = {"../lib/python3/dist-packages", "python3/dist-packages",
                                      "../python3/dist-packages", "../../python3/dist-packages",
                                      "../../../python3/dist-packages"};

static bool has_package(const char *folder) {
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/stiction/controller.py", folder);
    return *folder && length < PATH_MAX && access(path, R_OK) == 0;
}

/* "": not beside us; Python may find it by itself. */
static void find_package(char folder[PATH_MAX]) {
    char own[PATH_MAX];
    controller_own_folder(own);
    for (size_t k = 0; *own && k < sizeof near_us / sizeof near_us[0]; k++) {
        const int length = snprintf(folder, PATH_MAX, "%s/%s", own, near_us[k]);
        if (length < PATH_MAX && has_package(folder)) return;
    }
    folder[0] = '\0';
}

/* The environment with the package in front of PYTHONPATH; free the list and its first entry. */
static char **environment(void) {
    static const char key[] = "PYTHONPATH=";
    char folder[PATH_MAX];
    size_t count = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    if (!list) return NULL;
    find_package(folder);
    const char *given = getenv("PYTHONPATH");
    const bool both = *folder && given && *given;
    const size_t size = sizeof key + strlen(folder) + 1 + (given ? strlen(given) : 0);
    list[0] = malloc(size);
    if (!list[0]) {
        free(list);
        return NULL;
    }
    (void)snprintf(list[0], size, "%s%s%s%s", key, folder, both ? ":" : "", given ? given : "");
    size_t used = 1;
    for (size_t k = 0; k < count; k++)
        if (strncmp(environ[k], key, strlen(key)) != 0) list[used++] = environ[k];
    return list;
}

/* Debian's, to which its python3-numpy belongs. */
static const char system_python[] = "/usr/bin/python3";

/* Whether the first python3 of PATH is the system's, which needs no check. */
static bool is_system_first(void) {
    const char *path = getenv("PATH");
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        char file[PATH_MAX];
        (void)snprintf(file, sizeof file, "%.*s/python3", (int)length, path);
        if (access(file, X_OK) == 0) return strcmp(file, system_python) == 0;
        path += length + (path[length] == ':');
    }
    return true;
}

static bool has_numpy(const char *python) {
    const char *const arguments[] = {python, "-c", "import numpy", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0) return true;
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, python, &actions, NULL, (char *const *)(uintptr_t)arguments,
                     environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    (void)posix_spawn_file_actions_destroy(&actions);
    return status == 0;
}

/* Another interpreter that comes first and lacks numpy is skipped. */
static const char *interpreter(void) {
    const char *given = getenv("STICTION_PYTHON");
    if (given && *given) return given;
    const bool other = !is_system_first() && access(system_python, X_OK) == 0;
    return other && !has_numpy("python3") ? system_python : "python3";
}

/* Ends of the socket pair and of the pipe. */
typedef struct ends {
    int ours, theirs, output, printed;
} ends;

static void close_ends(const ends *e) {
    const int all[] = {e->ours, e->theirs, e->output, e->printed};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (all[k] >= 0) (void)close(all[k]);
}

static bool make_ends(ends *e) {
    int pair[2], tube[2];
    *e = (ends){-1, -1, -1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    e->ours = pair[0];
    e->theirs = pair[1];
    if (pipe2(tube, O_CLOEXEC) != 0) return false;
    e->output = tube[0];
    e->printed = tube[1];
    return fcntl(e->output, F_SETFL, O_NONBLOCK) == 0;
}

static int spawn(pid_t *child, const char *file, const ends *e, char **variables) {
    char number[16];
    (void)snprintf(number, sizeof number, "%d", e->theirs);
    const char *const arguments[] = {interpreter(), "-m", "stiction.controller", file, "--fd",
                                     number,        NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    (void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, e->printed, STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&actions, e->printed, STDERR_FILENO);
    /* onto itself: it stays open */
    (void)posix_spawn_file_actions_adddup2(&actions, e->theirs, e->theirs);
    /* the host handles interrupts of the terminal */
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int problem = posix_spawnp(child, arguments[0], &actions, &attributes,
                                     (char *const *)(uintptr_t)arguments, variables);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attributes);
    return problem;
}

stiction_status python_process_start(python_process *p, const char *file, stiction_error *error) {
    ends e;
    int problem = make_ends(&e) ? 0 : errno;
    char **variables = environment();
    if (!problem) problem = variables ? spawn(&p->child, file, &e, variables) : ENOMEM;
    if (variables) free(variables[0]);
    free(variables);
    p->socket = p->output = -1;
    if (problem) {
        close_ends(&e);
        p->child = 0;
        return stiction_fail(error, STICTION_INVALID_CONFIG, "cannot start %.200s: %s",
                             interpreter(), strerror(problem));
    }
    p->socket = e.ours;
    p->output = e.output;
    (void)close(e.theirs);
    (void)close(e.printed);
    return STICTION_OK;
}

static void end_line(python_process *p) {
    p->line[p->length] = '\0';
    if (p->length) {
        stiction_show_in_place(p->line, sizeof p->line);
        memcpy(p->last, p->line, sizeof p->last);
        if (p->log) p->log(p->log_user, STICTION_LOG_INFO, p->line);
    }
    p->length = 0;
}

void python_process_listen(void *process) {
    python_process *p = process;
    char text[1024];
    ssize_t count;
    while ((count = read(p->output, text, sizeof text)) > 0)
        for (ssize_t k = 0; k < count; k++) {
            if (text[k] == '\n')
                end_line(p);
            else if (p->length < PYTHON_LINE - 1)
                p->line[p->length++] = text[k];
        }
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    /* it has closed its end */
    end_line(p);
    (void)close(p->output);
    p->output = -1;
}

/* Waits for the end; false: the process still runs. */
static bool wait_for_end(python_process *p, double timeout, int *status) {
    const double deadline = channel_clock() + timeout;
    for (;;) {
        const pid_t ended = waitpid(p->child, status, WNOHANG);
        if (p->output >= 0) python_process_listen(p);
        if (ended == p->child) return true;
        if (ended < 0 && errno != EINTR) {
            *status = 0; /* other code has waited for it */
            return true;
        }
        if (!(channel_clock() < deadline)) return false;
        const struct timespec moment = {.tv_nsec = 2000000};
        (void)nanosleep(&moment, NULL);
    }
}

void python_process_end(python_process *p, double timeout, char how[2 * PYTHON_LINE]) {
    static const int ways[] = {SIGTERM, SIGKILL};
    int status = 0;
    how[0] = '\0';
    if (p->socket >= 0) (void)close(p->socket);
    if (p->child > 0) {
        bool ended = wait_for_end(p, timeout, &status);
        const bool by_itself = ended;
        for (size_t k = 0; !ended && k < sizeof ways / sizeof ways[0]; k++) {
            (void)kill(p->child, ways[k]);
            ended = wait_for_end(p, 2, &status);
        }
        char code[64] = "did not end by itself";
        if (by_itself && WIFSIGNALED(status))
            (void)snprintf(code, sizeof code, "was ended by signal %d", WTERMSIG(status));
        else if (by_itself)
            (void)snprintf(code, sizeof code, "ended with code %d", WEXITSTATUS(status));
        (void)snprintf(how, 2 * PYTHON_LINE, "%s%s%s%s", code, p->last[0] ? " after '" : "",
                       p->last, p->last[0] ? "'" : "");
    }
    if (p->output >= 0) (void)close(p->output);
    p->child = 0;
    p->socket = p->output = -1;
}
