/* SPDX-License-Identifier: MIT
 * Calls into code that is not ours. A crash (SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT of the
 * calling thread) returns from the call, and so does a call of exit or pthread_exit, once in the
 * life of a process: what the code has locked or overwritten is not known, so the process may
 * report the crash, write its results and end.
 */
#ifndef STICTION_CONTROLLERS_HOST_CRASH_GUARD_H
#define STICTION_CONTROLLERS_HOST_CRASH_GUARD_H

#include <stdbool.h>

#include "stiction/models/export.h"

STICTION_BEGIN_C

/* Calls call(context). 0: it returned; otherwise the kind of crash, see crash_guard_name. After
 * a crash nothing is called any more and the same value is returned. Only the first call of a
 * thread costs system calls. */
int crash_guard_run(void (*call)(void *context), void *context);

/* Whether a call has crashed in this process. */
bool crash_guard_has_crashed(void);

/* "segmentation fault (SIGSEGV)" */
const char *crash_guard_name(int number);

STICTION_END_C

#endif
