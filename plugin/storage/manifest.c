/* SPDX-License-Identifier: MIT
 * SHA256SUMS: reading, writing and checking it. Nettle computes the checksums.
 */
#include "manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "document/auto.h"
#include "folders.h"
#include "whole.h"

/* "# stiction: files of this folder, 3, DIGEST": how many, and the checksum of the lines below. */
static const char first_line[] = "# stiction: files of this folder, ";

/* A longer list is damaged: a million frames need less. */
enum { most_bytes = 1 << 28 };

/* ---- checksums ---- */

static void print_digest(struct sha256_ctx *sum, char digest[MANIFEST_DIGEST_SIZE]) {
    uint8_t bytes[SHA256_DIGEST_SIZE];
    sha256_digest(sum, sizeof bytes, bytes);
    for (size_t k = 0; k < sizeof bytes; k++) (void)sprintf(digest + 2 * k, "%02x", bytes[k]);
}

static void digest_of_text(const char *text, size_t size, char digest[MANIFEST_DIGEST_SIZE]) {
    struct sha256_ctx sum;
    sha256_init(&sum);
    sha256_update(&sum, size, (const uint8_t *)text);
    print_digest(&sum, digest);
}

/* A regular file, without following a link and without waiting; NULL: errno says why. */
static FILE *open_file(const char *path) {
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (file < 0) return NULL;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
        errno = EISDIR;
    else {
        FILE *in = fdopen(file, "rb");
        if (in) return in;
    }
    const int why = errno;
    (void)close(file);
    errno = why;
    return NULL;
}

/* Closes it; false: errno says why it could not be read to its end. */
static bool close_file(FILE *in) {
    const bool fine = !ferror(in);
    const int why = errno;
    (void)fclose(in);
    errno = why;
    return fine;
}

static bool digest_of_file(const char *path, char digest[MANIFEST_DIGEST_SIZE]) {
    FILE *in = open_file(path);
    if (!in) return false;
    struct sha256_ctx sum;
    uint8_t bytes[1 << 16];
    sha256_init(&sum);
    setvbuf(in, NULL, _IONBF, 0); /* large pieces already */
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
        sha256_update(&sum, size, bytes);
    if (!close_file(in)) return false;
    print_digest(&sum, digest);
    return true;
}

/* ---- entries ---- */

void manifest_free(manifest *m) {
    for (size_t k = 0; k < m->count; k++) free(m->entries[k].name);
    free(m->entries);
    *m = (manifest){.entries = NULL};
}

/* Where a name is or belongs. */
static size_t place_of(const manifest *m, const char *name) {
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(m->entries[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const manifest *m, size_t place, const char *name) {
    return place < m->count && strcmp(m->entries[place].name, name) == 0;
}

const manifest_entry *manifest_find(const manifest *m, const char *name) {
    const size_t place = place_of(m, name);
    return is_at(m, place, name) ? &m->entries[place] : NULL;
}

bool manifest_has(const manifest *m, const char *name) {
    return manifest_find(m, name) != NULL;
}

bool manifest_has_below(const manifest *m, const char *folder_name) {
    const size_t length = strlen(folder_name);
    for (size_t k = place_of(m, folder_name); k < m->count; k++) {
        const char *name = m->entries[k].name;
        if (strncmp(name, folder_name, length) != 0) return false;
        if (name[length] == '/') return true;
    }
    return false;
}

static bool put(manifest *m, const char *name, const char *digest) {
    const size_t place = place_of(m, name);
    if (!is_at(m, place, name)) {
        manifest_entry *more = realloc(m->entries, (m->count + 1) * sizeof *more);
        if (!more) return false;
        m->entries = more;
        char *copy = strdup(name);
        if (!copy) return false;
        memmove(more + place + 1, more + place, (m->count - place) * sizeof *more);
        more[place].name = copy;
        m->count++;
    }
    memcpy(m->entries[place].digest, digest, MANIFEST_DIGEST_SIZE);
    return true;
}

bool manifest_add_entry(manifest *m, const manifest_entry *entry) {
    return put(m, entry->name, entry->digest);
}

bool manifest_add(manifest *m, const char *folder, const char *name) {
    char digest[MANIFEST_DIGEST_SIZE];
    AUTO_FREE char *path = storage_join(folder, name);
    return path && digest_of_file(path, digest) && put(m, name, digest);
}

void manifest_drop(manifest *m, const char *name) {
    const size_t place = place_of(m, name);
    if (!is_at(m, place, name)) return;
    free(m->entries[place].name);
    m->count--;
    memmove(m->entries + place, m->entries + place + 1, (m->count - place) * sizeof *m->entries);
}

bool manifest_add_all(manifest *m, const char *folder) {
    return manifest_add_rest(m, folder, &(manifest){.entries = NULL});
}

typedef struct adding {
    manifest *list;
    const char *folder;
    const manifest *known;
} adding;

static bool add_file(void *user, const char *path) {
    const adding *a = user;
    struct stat status;
    if (lstat(path, &status) != 0) return false;
    if (S_ISDIR(status.st_mode)) return storage_visit(path, add_file, user);
    const char *name = path + strlen(a->folder) + 1;
    if (!S_ISREG(status.st_mode) || strcmp(name, MANIFEST_NAME) == 0) return true;
    const manifest_entry *known = manifest_find(a->known, name);
    return known ? manifest_add_entry(a->list, known) : manifest_add(a->list, a->folder, name);
}

bool manifest_add_rest(manifest *m, const char *folder, const manifest *known) {
    return storage_visit(folder, add_file, &(adding){m, folder, known});
}

/* ---- writing ---- */

static char *print_lines(const manifest *m, size_t *size) {
    static const char format[] = "%s  %s\n";
    size_t most = 1;
    for (size_t k = 0; k < m->count; k++)
        most += MANIFEST_DIGEST_SIZE + sizeof format + strlen(m->entries[k].name);
    char *lines = malloc(most);
    *size = 0;
    for (size_t k = 0; lines && k < m->count; k++)
        *size += (size_t)snprintf(lines + *size, most - *size, format, m->entries[k].digest,
                                  m->entries[k].name);
    return lines;
}

static bool write_lines(const manifest *m, const char *path) {
    size_t size = 0;
    char digest[MANIFEST_DIGEST_SIZE];
    AUTO_FREE char *lines = print_lines(m, &size);
    storage_file file;
    if (!lines || !storage_file_begin(&file, path)) return false;
    digest_of_text(lines, size, digest);
    fprintf(file.out, "%s%zu, %s\n", first_line, m->count, digest);
    (void)fwrite(lines, 1, size, file.out);
    return storage_file_end(&file);
}

bool manifest_write(const manifest *m, const char *folder) {
    AUTO_FREE char *path = storage_join(folder, MANIFEST_NAME);
    return path && (m->count ? write_lines(m, path) : unlink(path) == 0 || errno == ENOENT);
}

/* ---- reading ---- */

/* The whole file with a terminating 0; NULL: see errno. */
static char *read_all(const char *path) {
    FILE *in = open_file(path);
    struct stat status;
    if (!in) return NULL;
    size_t size = 0;
    char *text = NULL;
    if (fstat(fileno(in), &status) != 0 || status.st_size > most_bytes)
        errno = EISDIR;
    else if ((text = malloc((size_t)status.st_size + 1)))
        size = fread(text, 1, (size_t)status.st_size, in);
    if (text) text[size] = '\0';
    if (close_file(in)) return text;
    free(text);
    return NULL;
}

static bool is_digest(const char *text) {
    return strspn(text, "0123456789abcdef") >= MANIFEST_DIGEST_SIZE - 1;
}

/* A path that stays below its folder. */
static bool is_below(const char *name) {
    if (!*name || *name == '/' || strchr(name, '\\')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 0 || strncmp(part, ".", length) == 0 ||
            (length == 2 && strncmp(part, "..", 2) == 0))
            return false;
    }
    return true;
}

static bool read_line(manifest *m, char *line) {
    enum { digits = MANIFEST_DIGEST_SIZE - 1 };
    if (!is_digest(line) || strncmp(line + digits, "  ", 2) != 0) return false;
    line[digits] = '\0';
    const char *name = line + digits + 2;
    return is_below(name) && !manifest_has(m, name) && put(m, name, line);
}

/* Whether all of it is as it was written. */
static bool read_text(manifest *m, char *text) {
    size_t count;
    int length = 0;
    char digest[MANIFEST_DIGEST_SIZE], sum[MANIFEST_DIGEST_SIZE];
    if (strncmp(text, first_line, sizeof first_line - 1) != 0) return false;
    char *rest = text + sizeof first_line - 1;
    if (sscanf(rest, "%zu, %64[0-9a-f]%n", &count, digest, &length) != 2 || rest[length] != '\n')
        return false;
    rest += length + 1;
    digest_of_text(rest, strlen(rest), sum);
    if (strcmp(sum, digest) != 0) return false;
    for (char *end; (end = strchr(rest, '\n')); rest = end + 1) {
        *end = '\0';
        if (!read_line(m, rest)) return false;
    }
    return !*rest && m->count == count;
}

manifest_state manifest_read(manifest *m, const char *folder) {
    *m = (manifest){.entries = NULL};
    AUTO_FREE char *path = storage_join(folder, MANIFEST_NAME);
    AUTO_FREE char *text = path ? read_all(path) : NULL;
    int why = errno;
    manifest_state state = MANIFEST_FINE;
    if (!text) {
        state = why == ENOENT || why == ENOTDIR ? MANIFEST_ABSENT
                : why == ELOOP || why == EISDIR ? MANIFEST_DAMAGED
                                                : MANIFEST_UNREAD;
    } else {
        errno = 0;
        if (!read_text(m, text)) state = errno == ENOMEM ? MANIFEST_UNREAD : MANIFEST_DAMAGED;
        why = errno;
    }
    if (state != MANIFEST_FINE) manifest_free(m);
    errno = why;
    return state;
}

/* ---- checking ---- */

static const char *find_fault(const manifest_entry *entry, const char *folder) {
    char digest[MANIFEST_DIGEST_SIZE];
    AUTO_FREE char *path = storage_join(folder, entry->name);
    const bool read = path && digest_of_file(path, digest);
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    if (read || missing) errno = 0;
    if (!read) return missing ? "is missing" : "cannot be read";
    return strcmp(digest, entry->digest) == 0 ? NULL : "is not as it was written (checksum)";
}

bool manifest_entry_holds(const manifest_entry *entry, const char *folder) {
    return !find_fault(entry, folder);
}

const char *manifest_check(const manifest *m, const char *folder, const char **reason) {
    for (size_t k = 0; k < m->count; k++)
        if ((*reason = find_fault(&m->entries[k], folder))) return m->entries[k].name;
    *reason = NULL;
    return NULL;
}
