/*
 * Calls into code that is not ours, whose crash is a verdict instead of the end of the process:
 * SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT of the calling thread while the call is under way.
 * What the crashed code had locked or allocated stays so: it must not be called again.
 */
#ifndef STICTION_CONTROLLERS_HOST_CRASH_GUARD_H
#define STICTION_CONTROLLERS_HOST_CRASH_GUARD_H

#include <stdbool.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* The handlers are there between the first take and the last drop. A signal outside of a guarded
 * call goes to the handler that was there before. */
void crash_guard_take(void);
void crash_guard_drop(void);

/* call(context); 0: it returned, else the signal that it crashed with. Costs no system call but for
 * the first one of a thread. */
int crash_guard_run(void (*call)(void *context), void *context);

/* "segmentation fault (SIGSEGV)" */
const char *crash_guard_signal_name(int number);

STICTION_END_C

#endif
