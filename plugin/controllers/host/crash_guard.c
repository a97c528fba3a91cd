/*
 * A signal handler that leaves a guarded call by siglongjmp. The mask of signals is not saved,
 * which would be a system call a step: the handler runs with SA_NODEFER and blocks nothing.
 */
#include "crash_guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

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
enum { signal_count = sizeof signals / sizeof signals[0] };

const char *crash_guard_signal_name(int number) {
    for (size_t k = 0; k < signal_count; k++)
        if (signals[k].number == number) return signals[k].name;
    return "unknown signal";
}

typedef struct guarded_call {
    sigjmp_buf out;
    volatile int signal;
    struct guarded_call *outer;
} guarded_call;

static _Thread_local guarded_call *under_way;

static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t users;
static struct sigaction before[signal_count];

/* As if our handler were not there. */
static void hand_on(size_t which, siginfo_t *info, void *context) {
    const struct sigaction *old = &before[which];
    const int number = signals[which].number;
    const bool has_handler =
        old->sa_flags & SA_SIGINFO || (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN);
    if (has_handler && old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
    } else if (has_handler) {
        old->sa_handler(number);
    } else {
        /* a fault happens again when we return; what was sent does not */
        (void)sigaction(number, old, NULL);
        if (info->si_code <= 0) (void)raise(number);
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    guarded_call *call = under_way;
    if (call) {
        call->signal = number;
        siglongjmp(call->out, 1);
    }
    for (size_t k = 0; k < signal_count; k++)
        if (signals[k].number == number) hand_on(k, info, context);
}

/*
 * A stack of its own for the handler, since that of a runaway recursion has no room. It is the
 * thread's and goes with it; a thread that has one already keeps that.
 */
enum { stack_size = 65536 };
static _Thread_local char stack_memory[stack_size];
static _Thread_local bool has_looked, is_ours;

static void provide_stack(void) {
    stack_t old;
    has_looked = true;
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE)) return;
    is_ours = sigaltstack(&(stack_t){.ss_sp = stack_memory, .ss_size = stack_size}, NULL) == 0;
}

static void withdraw_stack(void) {
    if (is_ours) (void)sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    has_looked = is_ours = false;
}

void crash_guard_take(void) {
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    ours.sa_sigaction = on_signal;
    (void)pthread_mutex_lock(&users_lock);
    for (size_t k = 0; users == 0 && k < signal_count; k++)
        (void)sigaction(signals[k].number, &ours, &before[k]);
    users++;
    (void)pthread_mutex_unlock(&users_lock);
}

void crash_guard_drop(void) {
    (void)pthread_mutex_lock(&users_lock);
    users--;
    for (size_t k = 0; users == 0 && k < signal_count; k++) {
        /* whoever came after us stays */
        struct sigaction now;
        if (sigaction(signals[k].number, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
            now.sa_sigaction == on_signal)
            (void)sigaction(signals[k].number, &before[k], NULL);
    }
    if (users == 0) withdraw_stack();
    (void)pthread_mutex_unlock(&users_lock);
}

int crash_guard_run(void (*call)(void *), void *context) {
    guarded_call own; /* its buffer is large, and setjmp fills it */
    own.outer = under_way;
    own.signal = 0;
    if (!has_looked) provide_stack();
    if (sigsetjmp(own.out, 0) == 0) {
        under_way = &own;
        call(context);
    }
    under_way = own.outer;
    return own.signal;
}
