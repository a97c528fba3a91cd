/*
 * Where tools/coverage.py counts lines, a child writes its counts to files before it ends by _exit,
 * and nobody may end it meanwhile: half a file would be none.
 */
#ifndef STICTION_TOOLS_SWEEP_COUNTED_H
#define STICTION_TOOLS_SWEEP_COUNTED_H

#include <stdbool.h>

#ifdef STICTION_COUNTED
#include <sys/prctl.h>

void __gcov_dump(void);
static const bool is_counted = true;
static inline void write_counts(void) {
    (void)prctl(PR_SET_PDEATHSIG, 0); /* a parent that ends would kill it */
    __gcov_dump();
}
#else
static const bool is_counted = false;
static inline void write_counts(void) {}
#endif

#endif
