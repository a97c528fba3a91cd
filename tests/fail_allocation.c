/* SPDX-License-Identifier: MIT
 * Loaded before the C library (LD_PRELOAD): from main on, allocation number FAIL_AT gives NULL.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static long countdown; /* 0: none fails */

static int fails(void) {
    if (countdown == 0 || --countdown != 0) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return fails() ? NULL : __libc_realloc(memory, size);
}

typedef int main_function(int, char **, char **);
static main_function *program;

static int counted_main(int argc, char **argv, char **environment) {
    const char *number = getenv("FAIL_AT");
    countdown = number ? atol(number) : 0;
    const int status = program(argc, argv, environment);
    countdown = 0;
    return status;
}

int __libc_start_main(main_function *of, int argc, char **argv, void (*start)(void),
                      void (*end)(void), void (*loader_end)(void), void *stack);
int __libc_start_main(main_function *of, int argc, char **argv, void (*start)(void),
                      void (*end)(void), void (*loader_end)(void), void *stack) {
    __typeof__(&__libc_start_main) real;
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&real, &found, sizeof real);
    program = of;
    return real(counted_main, argc, argv, start, end, loader_end, stack);
}
