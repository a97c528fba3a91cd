/* SPDX-License-Identifier: MIT */
/* Texts as YAML takes them for texts. */
#include "yaml_write.h"

#include <string.h>
#include <strings.h>

#include "shown.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A word that no reader of YAML takes for anything but a text. */
static bool is_plain(const char *text) {
    static const char *const taken[] = {"true", "false", "yes", "no",  "on",
                                        "off",  "y",     "n",   "null"};
    for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++)
        if (strcasecmp(text, taken[k]) == 0) return false;
    if (!is_letter(*text)) return false;
    while (is_letter(*text) || (*text >= '0' && *text <= '9')) text++;
    return *text == '\0';
}

/* What YAML allows between quotes as it is, and shows. */
static bool is_printable(uint32_t c) {
    if (stiction_is_escaped(c)) return false;
    return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c < 0x2028) || (c > 0x2029 && c < 0xFEFF) ||
           (c > 0xFEFF && c < 0xFFFE) || c > 0xFFFF;
}

/* False: it is not UTF-8. */
static bool write_quoted(FILE *out, const char *text) {
    (void)fputc('"', out);
    while (*text) {
        const char *next = text;
        const uint32_t c = stiction_utf8_next(&next);
        if (c == UTF8_INVALID) return false;
        if (c == '"' || c == '\\')
            (void)fprintf(out, "\\%c", (int)c);
        else if (is_printable(c))
            (void)fwrite(text, 1, (size_t)(next - text), out);
        else
            (void)fprintf(out, c > 0xFFFF ? "\\U%08X" : "\\u%04X", (unsigned)c);
        text = next;
    }
    (void)fputc('"', out);
    return true;
}

bool stiction_yaml_write_text(FILE *out, const char *text) {
    if (!is_plain(text)) return write_quoted(out, text);
    (void)fputs(text, out);
    return true;
}
