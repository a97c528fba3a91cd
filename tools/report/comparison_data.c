/* SPDX-License-Identifier: MIT
 * The table of a comparison for its script, column by column: nothing is held but one column.
 */
#include "comparison_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/folder.h"
#include "results/body_figures.h"

/* Numbers of figures on a page, 5.4 bytes each. */
enum { most_numbers = 4000000 };

/* ---- values ---- */

bool comparison_failed(const comparison *c, size_t run) {
    return c->failure(c->user, run, 0) != NULL;
}

double comparison_figure(const comparison *c, size_t run, size_t figure) {
    return comparison_failed(c, run) ? (double)NAN : c->figure(c->user, run, figure);
}

static const char *after_dot(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* That of a joint or of a body; NULL: there is none of this name. */
static const joint_figure *kind_of(const char *name) {
    const joint_figure *f = joint_figure_find(name);
    return f ? f : body_figure_find(name);
}

/* ---- base64 ---- */

typedef struct base64 {
    FILE *out;
    uint32_t bits;
    int count; /* bytes in bits */
} base64;

static void put_group(base64 *b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = b->bits << (8 * (3 - b->count));
    for (int k = 0; k < 4; k++)
        fputc(k <= b->count ? digits[bits >> (18 - 6 * k) & 63] : '=', b->out);
    *b = (base64){.out = b->out};
}

/* The low bytes of a number, the lowest first, as typed arrays of scripts have them. */
static void put_bytes(base64 *b, uint32_t value, int bytes) {
    for (int k = 0; k < bytes; k++) {
        b->bits = b->bits << 8 | (value >> 8 * k & 255);
        if (++b->count == 3) put_group(b);
    }
}

static void put_float(base64 *b, double value) {
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_bytes(b, bits, 4);
}

static base64 begin_base64(FILE *out) {
    fputc('"', out);
    return (base64){.out = out};
}

static void end_base64(base64 *b) {
    if (b->count) put_group(b);
    fputc('"', b->out);
}

void comparison_print_floats(FILE *out, const float *values, size_t count) {
    base64 b = begin_base64(out);
    for (size_t k = 0; k < count; k++) put_float(&b, (double)values[k]);
    end_base64(&b);
}

/* ---- columns of texts: the texts that differ, and the number of each run's ---- */

typedef struct text_entry {
    char *text;
    size_t run, number;
} text_entry;

static int by_text(const void *a, const void *b) {
    const text_entry *one = a, *other = b;
    const int order = strcmp(one->text, other->text);
    return order ? order : one->run < other->run ? -1 : 1;
}

static int by_run(const void *a, const void *b) {
    const text_entry *one = a, *other = b;
    return one->run < other->run ? -1 : 1;
}

/* Numbers the texts in the order of their first appearance. */
static size_t number_texts(text_entry *entries, size_t count) {
    size_t *firsts = allocate(count + 1, sizeof *firsts), groups = 0;
    qsort(entries, count, sizeof *entries, by_text);
    /* until a text has a number, its first run is used */
    for (size_t k = 0; k < count; k++)
        entries[k].number = k && strcmp(entries[k].text, entries[k - 1].text) == 0
                                ? entries[k - 1].number
                                : entries[k].run;
    qsort(entries, count, sizeof *entries, by_run);
    for (size_t k = 0; k < count; k++) {
        if (entries[k].number == k) firsts[k] = groups++;
        entries[k].number = firsts[entries[k].number];
    }
    free(firsts);
    return groups;
}

/* {"values": [...], "at": "base64", "bytes": 2} */
static void print_texts(FILE *out, const comparison *c, comparison_text *text, size_t column) {
    text_entry *entries = allocate(c->run_count + 1, sizeof *entries);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *of_run = text(c->user, k, column);
        entries[k] = (text_entry){.text = copy_text(of_run ? of_run : ""), .run = k};
    }
    const size_t groups = number_texts(entries, c->run_count);
    size_t shown = 0;
    fputs("{\"values\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        if (entries[k].number != shown) continue;
        if (shown++) fputc(',', out);
        page_json_text(out, entries[k].text);
    }
    const int bytes = groups > 65536 ? 4 : groups > 256 ? 2 : 1;
    fprintf(out, "],\"bytes\":%d,\"at\":", bytes);
    base64 b = begin_base64(out);
    for (size_t k = 0; k < c->run_count; k++) {
        put_bytes(&b, (uint32_t)entries[k].number, bytes);
        free(entries[k].text);
    }
    end_base64(&b);
    fputc('}', out);
    free(entries);
}

static void print_settings(FILE *out, const comparison *c) {
    fputs("\"settings\":[", out);
    for (size_t k = 0; k < c->parameter_count; k++) {
        page_json_member(out, k ? ",\n{" : "\n{", "key", c->parameters[k].name);
        page_json_member(out, ",", "unit", c->parameters[k].unit);
        fputs(",\"column\":", out);
        print_texts(out, c, c->setting, k);
        fputc('}', out);
    }
    fputs("],\n\"failures\":", out);
    print_texts(out, c, c->failure, 0);
    fputs(",\n\"warnings\":", out);
    print_texts(out, c, c->warnings, 0);
}

/* ---- figures ---- */

/* Kinds of figures, "final_position", with their titles and explanations. */
static void print_kinds(FILE *out, const comparison *c, size_t count) {
    fputs(",\n\"kinds\":{", out);
    size_t shown = 0;
    for (size_t k = 0; k < count; k++) {
        const char *name = after_dot(c->figures[k].name);
        bool known = false;
        for (size_t n = 0; n < k && !known; n++)
            known = strcmp(after_dot(c->figures[n].name), name) == 0;
        const joint_figure *f = kind_of(name);
        if (known || !f) continue;
        if (shown++) fputs(",\n", out);
        page_json_text(out, name);
        page_json_member(out, ":{", "title", f->title);
        page_json_member(out, ",", "none", f->none ? f->none : "");
        page_json_member(out, ",", "description", f->description);
        fputc('}', out);
    }
    fputc('}', out);
}

/* A column as base64, or the one number that all have; a run that failed does not count. */
static void print_figure(FILE *out, const comparison *c, size_t figure) {
    bool constant = true, any = false;
    double same = (double)NAN;
    for (size_t k = 0; k < c->run_count && constant; k++) {
        if (comparison_failed(c, k)) continue;
        const double value = comparison_figure(c, k, figure);
        if (!any) same = value;
        any = true;
        constant = value == same || (isnan(value) && isnan(same));
    }
    if (constant) {
        page_json_number(out, same, fabs(same));
        return;
    }
    base64 b = begin_base64(out);
    for (size_t k = 0; k < c->run_count; k++) put_float(&b, comparison_figure(c, k, figure));
    end_base64(&b);
}

static void print_figures(FILE *out, const comparison *c, size_t count) {
    print_kinds(out, c, count);
    fputs(",\n\"figures\":[", out);
    for (size_t k = 0; k < count; k++) {
        page_json_member(out, k ? ",\n{" : "\n{", "name", c->figures[k].name);
        page_json_member(out, ",", "unit", c->figures[k].unit);
        fputs(",\"values\":", out);
        print_figure(out, c, k);
        fputc('}', out);
    }
    fputs("]", out);
}

/* ---- runs ---- */

/* The folders, "" where there is none, and a digit a run: 2 where it has a report. */
static void print_folders(FILE *out, const comparison *c, const char *folder) {
    fputs(",\n\"folders\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *of_run = c->folder(c->user, k, 0);
        if (k) fputc(',', out);
        page_json_text(out, of_run ? of_run : "");
    }
    fputs("],\n\"reports\":\"", out);
    for (size_t k = 0; k < c->run_count; k++) {
        const char *of_run = c->folder(c->user, k, 0);
        char *report = of_run ? format_text("%s/%s/report.html", folder, of_run) : NULL;
        fputc(!report ? '0' : file_exists(report) ? '2' : '1', out);
        free(report);
    }
    fputs("\",\n\"names\":[", out);
    for (size_t k = 0; k < c->run_count; k++) {
        if (k) fputc(',', out);
        page_json_text(out, c->name(c->user, k, 0));
    }
    fputs("]", out);
}

/* The colours of values from low to high, those of the pictures. */
static void print_scale(FILE *out) {
    enum { stops = 17 };
    fputs(",\n\"scale\":[", out);
    for (int k = 0; k < stops; k++) {
        const unsigned colour = plot_scale_colour((double)k / (stops - 1));
        fprintf(out, "%s[%u,%u,%u]", k ? "," : "", colour >> 16, colour >> 8 & 255, colour & 255);
    }
    fputs("]", out);
}

/* How many of the figures there is room for, in whole kinds: the worst joint must be among them. */
static size_t shown_figures(const comparison *c) {
    size_t count = c->run_count ? most_numbers / c->run_count : c->figure_count;
    if (count >= c->figure_count) return c->figure_count;
    while (count &&
           strcmp(after_dot(c->figures[count].name), after_dot(c->figures[count - 1].name)) == 0)
        count--;
    return count;
}

void comparison_print_data(page *p, const comparison *c, const char *folder) {
    FILE *out = page_out(p);
    const size_t count = shown_figures(c);
    if (count < c->figure_count) {
        char *text = format_text("The page has %zu of %zu figures; sweep.csv has all.", count,
                                 c->figure_count);
        page_element(out, "p class=\"note\"", text);
        free(text);
    }
    page_json_begin(p, "comparison");
    fprintf(out, "{\"count\":%zu,\n", c->run_count);
    print_settings(out, c);
    print_figures(out, c, count);
    print_folders(out, c, folder);
    print_scale(out);
    fputc('}', out);
    page_json_end(p);
}
