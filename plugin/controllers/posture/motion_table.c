/*
 * Lines and cells of a CSV file that is in memory as a whole: a step of a simulation reads nothing.
 */
#include "motion_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r";
/* beyond it, /dev/zero is likelier than a motion; a minute of 37 joints in 1 ms takes 300 MB */
static const size_t largest = (size_t)4 << 30;

/* All of a file and a 0 behind it; NULL, or why not. */
static const char *read_all(FILE *file, char **text, size_t *size) {
    for (size_t capacity = 1 << 16; capacity <= largest; capacity *= 2) {
        char *larger = realloc(*text, capacity);
        if (!larger) return strerror(ENOMEM);
        *text = larger;
        *size += fread(larger + *size, 1, capacity - 1 - *size, file);
        if (ferror(file)) return strerror(errno);
        larger[*size] = '\0';
        if (*size < capacity - 1) return NULL;
    }
    return "it is too large";
}

const char *motion_table_open(motion_table *table, const char *path) {
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8, from spreadsheets */
    *table = (motion_table){0};
    FILE *file = fopen(path, "rb");
    if (!file) return strerror(errno);
    size_t size = 0;
    const char *problem = read_all(file, &table->text, &size);
    (void)fclose(file);
    if (problem) return problem;
    if (strlen(table->text) != size) return "it is not a text";
    table->next = table->text + (strncmp(table->text, mark, strlen(mark)) == 0 ? strlen(mark) : 0);
    return NULL;
}

void motion_table_close(motion_table *table) {
    free(table->text);
    *table = (motion_table){0};
}

size_t motion_table_row_bound(const motion_table *table) {
    size_t rows = 1;
    for (const char *c = table->next; (c = strchr(c, '\n')); c++) rows++;
    return rows;
}

bool motion_table_next_row(motion_table *table) {
    while (*table->next) {
        char *end = strchr(table->next, '\n');
        table->row = table->at = table->next;
        table->next = end ? end + 1 : table->next + strlen(table->next);
        if (end) *end = '\0';
        table->line++;
        if (table->row[strspn(table->row, blanks)]) return true;
    }
    return false;
}

/* Takes the quotes off the cell at *at, which goes behind it; false: something is wrong with them.
 */
static bool cut_quoted(char **at) {
    char *from = *at + 1, *to = *at;
    for (; *from && (*from != '"' || from[1] == '"'); from++) {
        if (*from == '"') from++;
        *to++ = *from;
    }
    const bool closed = *from == '"';
    from += closed;
    from += strspn(from, blanks);
    *to = '\0';
    *at = from;
    return closed && (*from == ',' || *from == '\0');
}

bool motion_table_next_cell(motion_table *table, motion_cell *cell) {
    if (!table->at) return false;
    char *at = table->at + strspn(table->at, blanks);
    *cell = (motion_cell){at, (int)(at - table->row) + 1, true};
    char *end = at;
    if (*at == '"')
        cell->closed = cut_quoted(&end);
    else
        end += strcspn(end, ",");
    table->at = *end == ',' ? end + 1 : NULL;
    *end = '\0';
    for (size_t n = strlen(at); n > 0 && strchr(blanks, at[n - 1]); n--) at[n - 1] = '\0';
    return true;
}
