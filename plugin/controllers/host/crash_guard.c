/* SPDX-License-Identifier: MIT
 * A signal handler that leaves the call by siglongjmp. The signal mask is not saved, which would be
 * a system call per step: the handler runs with SA_NODEFER and blocks nothing. exit, quick_exit
 * and pthread_exit are left in the same way, from a handler that each of them calls.
 */
#include "crash_guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

/* Beside the signals, which are above 0. */
enum { called_exit = -1, called_thread_exit = -2 };

static const struct {
    int number;
    const char *name;
} signals[] = {
    {SIGSEGV, "segmentation fault (SIGSEGV)"},
    {SIGBUS, "bus error (SIGBUS)"},
    {SIGFPE, "arithmetic fault (SIGFPE)"},
    {SIGILL, "illegal instruction (SIGILL)"},
    {SIGABRT, "abort (SIGABRT)"},
};
enum { signal_count = sizeof signals / sizeof signals[0], stack_size = 65536 };

const char *crash_guard_name(int number) {
    for (size_t k = 0; k < signal_count; k++)
        if (signals[k].number == number) return signals[k].name;
    return number == called_exit          ? "it called exit"
           : number == called_thread_exit ? "it called pthread_exit"
                                          : "unknown signal";
}

static struct sigaction before[signal_count];
static volatile sig_atomic_t crashed_with; /* 0: nothing has crashed */
static _Thread_local sigjmp_buf *way_out;  /* NULL: no call is under way */

/* Of exit: only where a call is under way; the exit of the program itself goes on. */
static void on_exit_call(void) {
    if (!way_out) return;
    crashed_with = called_exit;
    siglongjmp(*way_out, 1);
}

/* Of pthread_exit, and of a cancelled thread. */
static void on_thread_exit(void *unused) {
    (void)unused;
    if (!way_out) return;
    crashed_with = called_thread_exit;
    siglongjmp(*way_out, 1);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    if (way_out) {
        crashed_with = number;
        siglongjmp(*way_out, 1);
    }
    /* as if our handler did not exist: a fault happens again on return, a sent signal does not */
    for (size_t k = 0; k < signal_count; k++)
        if (signals[k].number == number) (void)sigaction(number, &before[k], NULL);
    if (info->si_code <= 0) (void)raise(number);
}

static void install(void) {
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    ours.sa_sigaction = on_signal;
    for (size_t k = 0; k < signal_count; k++) (void)sigaction(signals[k].number, &ours, &before[k]);
    (void)atexit(on_exit_call);
    (void)at_quick_exit(on_exit_call);
}

/* A stack for the handler, since a runaway recursion has none left. A thread that has one keeps it.
 */
static void provide_stack(void) {
    static _Thread_local char memory[stack_size];
    static _Thread_local bool is_provided;
    stack_t old;
    if (!is_provided && sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
        (void)sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = stack_size}, NULL);
    is_provided = true;
}

int crash_guard_run(void (*call)(void *), void *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (crashed_with) return crashed_with;
    (void)pthread_once(&once, install);
    provide_stack();
    sigjmp_buf out, *const outer = way_out;
    if (sigsetjmp(out, 0) == 0) {
        way_out = &out;
        pthread_cleanup_push(on_thread_exit, NULL);
        call(context);
        pthread_cleanup_pop(0);
    }
    way_out = outer;
    return crashed_with;
}

bool crash_guard_has_crashed(void) {
    return crashed_with != 0;
}
