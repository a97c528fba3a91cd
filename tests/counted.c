/* SPDX-License-Identifier: MIT
 * For tools/coverage.py, which links it into every program: a child process writes its counts
 * before _exit, limits on files do not hinder it, and it has 2 s for that before it is killed.
 */
#define _GNU_SOURCE /* usleep */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);
int __real_setrlimit(int what, const struct rlimit *limits);
int __wrap_setrlimit(int what, const struct rlimit *limits);
int __real_kill(pid_t process, int number);
int __wrap_kill(pid_t process, int number);

_Noreturn void __wrap__exit(int code) {
    __gcov_dump();
    __real__exit(code);
}

int __wrap_setrlimit(int what, const struct rlimit *limits) {
    return what == RLIMIT_NOFILE || what == RLIMIT_FSIZE ? 0 : __real_setrlimit(what, limits);
}

int __wrap_kill(pid_t process, int number) {
    for (int k = 0; k < 200 && process > 0 && number == SIGKILL; k++) {
        siginfo_t ended = {.si_pid = 0};
        if (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid)
            break;
        (void)usleep(10000);
    }
    return __real_kill(process, number);
}
