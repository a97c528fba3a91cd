/* SPDX-License-Identifier: MIT */
/* How any text from outside is shown to people. */
#include "shown.h"

#include <stdlib.h>
#include <string.h>

uint32_t stiction_utf8_next(const char **text) {
    /* the smallest character of each length: a longer form of a smaller one is invalid */
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*text;
    const unsigned char first = *p++;
    const unsigned more = first < 0x80   ? 0
                          : first < 0xC0 ? 4
                          : first < 0xE0 ? 1
                          : first < 0xF0 ? 2
                          : first < 0xF8 ? 3
                                         : 4;
    *text += 1;
    if (more > 3) return UTF8_INVALID;

    uint32_t c = more ? first & (0x3Fu >> more) : first;
    for (unsigned k = 0; k < more; k++) {
        if ((p[k] & 0xC0) != 0x80) return UTF8_INVALID;
        c = c << 6 | (p[k] & 0x3F);
    }
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (c < smallest[more] || c > 0x10FFFF || surrogate) return UTF8_INVALID;
    *text += more;
    return c;
}

/* Ranges, both ends included. */
static const struct {
    uint32_t first, last;
} escaped[] = {
    {0x00, 0x1F},       /* control characters, line ends */
    {0x7F, 0x9F},       /* the same of eight bits */
    {0xAD, 0xAD},       /* seen only at the end of a line */
    {0x61C, 0x61C},     /* turns the direction */
    {0x180E, 0x180E},   /* without width */
    {0x200B, 0x200F},   /* without width, or turns the direction */
    {0x2028, 0x202E},   /* line ends, directions */
    {0x2060, 0x206F},   /* without width, directions */
    {0xFEFF, 0xFEFF},   /* byte order mark */
    {0xFFF9, 0xFFFB},   /* notes between lines */
    {0xE0000, 0xE007F}, /* tags, which nobody sees */
    {UTF8_INVALID, UTF8_INVALID},
};

bool stiction_is_escaped(uint32_t character) {
    for (size_t k = 0; k < sizeof escaped / sizeof escaped[0]; k++)
        if (character >= escaped[k].first && character <= escaped[k].last) return true;
    return false;
}

/* The next character as it is shown; *text moves past it. */
enum { longest_piece = 12 };
static size_t next_piece(const char **text, char piece[longest_piece]) {
    const char *start = *text;
    const unsigned char byte = (unsigned char)*start;
    const uint32_t c = stiction_utf8_next(text);
    if (!stiction_is_escaped(c)) {
        const size_t length = (size_t)(*text - start);
        memcpy(piece, start, length);
        return length;
    }
    const char *letter = strchr("\nn\tt\rr", (int)byte);
    if (c == '\n' || c == '\t' || c == '\r')
        return (size_t)snprintf(piece, longest_piece, "\\%c", letter[1]);
    if (c == UTF8_INVALID || c < 0x80)
        return (size_t)snprintf(piece, longest_piece, "\\x%02x", byte);
    return (size_t)snprintf(piece, longest_piece, c > 0xFFFF ? "\\U%08x" : "\\u%04x", (unsigned)c);
}

bool stiction_is_plain(const char *text) {
    while (*text)
        if (stiction_is_escaped(stiction_utf8_next(&text))) return false;
    return true;
}

size_t stiction_show(const char *text, char *out, size_t size) {
    size_t length = 0, written = 0;
    char piece[longest_piece];
    while (*text) {
        const size_t more = next_piece(&text, piece);
        if (written == length && length + more < size) {
            memcpy(out + written, piece, more);
            written += more;
        }
        length += more;
    }
    if (size) out[written] = '\0';
    return length;
}

void stiction_show_in_place(char *text, size_t size) {
    char copy[SHOWN_MOST];
    if (stiction_is_plain(text)) return;
    (void)snprintf(copy, sizeof copy, "%s", text);
    /* NOLINTNEXTLINE(readability-suspicious-call-argument): back from the copy */
    (void)stiction_show(copy, text, size < sizeof copy ? size : sizeof copy);
}

char *stiction_shown_copy(const char *text) {
    const size_t size = stiction_show(text, NULL, 0) + 1;
    char *copy = malloc(size);
    if (copy) (void)stiction_show(text, copy, size);
    return copy;
}

char *stiction_shown_text(arena *memory, const char *text) {
    const size_t size = stiction_show(text, NULL, 0) + 1;
    char *copy = stiction_arena_take(memory, size);
    if (copy) (void)stiction_show(text, copy, size);
    return copy;
}

bool stiction_show_part(FILE *out, const char *text, const char *end) {
    char piece[longest_piece];
    bool fine = true;
    while (text < end) {
        const size_t length = next_piece(&text, piece);
        fine = fwrite(piece, 1, length, out) == length && fine;
    }
    return fine;
}

bool stiction_show_to(FILE *out, const char *text) {
    return stiction_show_part(out, text, text + strlen(text));
}
