/* The whole of a file. */
#include "file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Why it cannot be read as a whole; NULL: it can. Pipes have no size. */
static const char *examine(FILE *file, struct stat *status) {
    if (fstat(fileno(file), status) != 0) return strerror(errno);
    if (S_ISDIR(status->st_mode)) return strerror(EISDIR);
    return S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) ? NULL : "it is not a file";
}

static char *read_all(arena *memory, FILE *file, size_t expected, size_t most, size_t *size,
                      char problem[FILE_PROBLEM]) {
    char *text = NULL;
    size_t capacity = expected < most ? expected : most;
    *size = 0;
    for (;;) {
        char *larger = stiction_arena_take(memory, capacity + 1);
        if (!larger) {
            (void)snprintf(problem, FILE_PROBLEM, "out of memory");
            return NULL;
        }
        if (*size) memcpy(larger, text, *size);
        text = larger;
        *size += fread(text + *size, 1, capacity + 1 - *size, file);
        if (ferror(file)) {
            (void)snprintf(problem, FILE_PROBLEM, "%s", strerror(errno));
            return NULL;
        }
        if (*size <= capacity) {
            text[*size] = '\0';
            return text;
        }
        if (capacity == most) {
            (void)snprintf(problem, FILE_PROBLEM, "it is larger than %zu MiB", most >> 20);
            return NULL;
        }
        capacity = capacity < most / 2 ? 2 * capacity + 4096 : most;
    }
}

char *stiction_file_read(arena *memory, const char *path, size_t most, size_t *size,
                         char problem[FILE_PROBLEM]) {
    struct stat status;
    FILE *file = fopen(path, "rbe");
    const char *refusal = file ? examine(file, &status) : strerror(errno);
    char *text = NULL;
    if (refusal)
        (void)snprintf(problem, FILE_PROBLEM, "%s", refusal);
    else
        text = read_all(memory, file, (size_t)status.st_size, most, size, problem);
    if (file) (void)fclose(file);
    return text;
}
