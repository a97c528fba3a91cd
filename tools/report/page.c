/* SPDX-License-Identifier: MIT
 * An HTML page with plots in one file.
 */
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "common/command.h"
#include "common/whole_file.h"
#include "document/file.h"
#include "results/digits.h"

struct page {
    whole_file file;
    FILE *out;            /* of the file */
    arena memory;         /* of dygraphs */
    const char *dygraphs; /* the script; NULL: SVGs instead */
    bool needs_dygraphs;
    const char *three, *controls; /* scripts of a replay; NULL: the page has none */
    bool choice_open;
    size_t plots; /* of the open choice */
    const plot_band *last_bands;
    const char *script; /* after page.js; NULL: none */
};

/* ---- text ---- */

void page_text(FILE *out, const char *text) {
    static const struct {
        char c;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    enum { count = sizeof entities / sizeof entities[0] };
    AUTO_FREE char *all = shown_text(text);
    for (const char *c = all; *c; c++) {
        size_t k = 0;
        while (k < count && entities[k].c != *c) k++;
        if (k < count)
            fputs(entities[k].entity, out);
        else
            fputc(*c, out);
    }
}

void page_address(FILE *out, const char *text) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";
    for (; *text; text++)
        fprintf(out, strchr(plain, *text) ? "%c" : "%%%02X", (unsigned char)*text);
}

void page_element(FILE *out, const char *tag, const char *text) {
    fprintf(out, "<%s>", tag);
    page_text(out, text);
    fprintf(out, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

void page_warning(page *p, const char *text) {
    page_element(p->out, "p class=\"warning\"", text);
}

void page_json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || strchr("\"\\<>&", c))
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void page_json_member(FILE *out, const char *before, const char *key, const char *text) {
    fprintf(out, "%s\"%s\":", before, key);
    page_json_text(out, text);
}

void page_json_number(FILE *out, double value, double range) {
    if (!isfinite(value)) {
        fputs("null", out);
        return;
    }
    char text[64];
    const double decimals = 6 - floor(log10(range));
    if (!(decimals >= 0 && decimals <= 15) || fabs(value) > 1e9) {
        fprintf(out, "%.7g", value);
        return;
    }
    size_t length = digits_write_fixed(value, (int)decimals, text);
    if (!length) length = (size_t)snprintf(text, sizeof text, "%.*f", (int)decimals, value);
    if (memchr(text, '.', length)) {
        while (text[length - 1] == '0') length--;
        if (text[length - 1] == '.') length--;
    }
    const bool is_zero = length == 2 && memcmp(text, "-0", 2) == 0;
    (void)fwrite(is_zero ? "0" : text, 1, is_zero ? 1 : length, out);
}

/* ---- the page ---- */

/* A file of dygraphs; NULL if it is missing or would end the element that contains it. */
static char *read_embeddable(page *p, const char *folder, const char *name, const char *end) {
    file_problem problem;
    size_t size;
    AUTO_FREE char *path = format_text("%s/%s", folder, name);
    char *text = stiction_file_read(&p->memory, path, FILE_MOST_CONFIGURATION, &size, &problem);
    return text && !strstr(text, end) ? text : NULL;
}

bool page_can_replay(page *p) {
    const char *given = getenv(PAGE_THREE);
    const char *folder = given ? given : STICTION_THREE_FOLDER;
    p->three = read_embeddable(p, folder, "three.min.js", "</script");
    p->controls = read_embeddable(p, folder, "examples/js/controls/OrbitControls.js", "</script");
    if (!p->controls) p->three = NULL;
    return p->three != NULL;
}

bool page_replay(page *p) {
    if (page_can_replay(p)) {
        fputs("<section class=\"replay\"></section>\n", p->out);
        return true;
    }
    page_element(p->out, "p class=\"note\"",
                 "There is no 3D replay: three.js (Debian package libjs-three) was not installed "
                 "when this page was written.");
    return false;
}

/* The script without the reference to its source map. */
static const char *read_dygraphs(page *p, const char *folder) {
    char *script = read_embeddable(p, folder, "dygraph.min.js", "</script");
    char *reference = script ? strstr(script, "//# sourceMappingURL") : NULL;
    if (reference) *reference = '\0';
    return script;
}

static void print_style(page *p, const char *folder, const char *more) {
    const char *style = read_embeddable(p, folder, "dygraph.css", "</style");
    fputs("<style>\n", p->out);
    if (style) fputs(style, p->out);
    fputs(page_css, p->out);
    if (more) fputs(more, p->out);
    fputs("</style>\n", p->out);
}

/* Colours and dashes of the other outputs, for the script. */
static void print_styles(page *p) {
    enum { count = 7 };
    page_json_begin(p, "styles");
    for (size_t k = 0; k < count; k++) {
        const plot_style *style = plot_style_of(k);
        fprintf(p->out, "%s{\"colour\":\"#%06x\",\"dashes\":\"%s\"}", k ? "," : "[", style->colour,
                style->dashes ? style->dashes : "");
    }
    fputs("]", p->out);
    page_json_end(p);
}

page *page_begin(const char *path, const char *title, stiction_error *error) {
    return page_begin_styled(path, title, NULL, error);
}

page *page_begin_styled(const char *path, const char *title, const char *style,
                        stiction_error *error) {
    page *p = allocate(1, sizeof *p);
    if (!whole_file_begin(&p->file, path, error)) {
        free(p);
        return NULL;
    }
    p->out = p->file.out;
    const char *given = getenv(PAGE_DYGRAPHS);
    const char *folder = given ? given : STICTION_DYGRAPHS_FOLDER;
    p->dygraphs = read_dygraphs(p, folder);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          p->out);
    page_element(p->out, "title", title);
    print_style(p, folder, style);
    fputs("</head>\n<body>\n<main>\n", p->out);
    page_element(p->out, "h1", title);
    print_styles(p);
    return p;
}

FILE *page_out(page *p) {
    return p->out;
}

void page_script(page *p, const char *script) {
    p->script = script;
}

bool page_end(page *p, stiction_error *error) {
    fputs("</main>\n", p->out);
    if (p->dygraphs && p->needs_dygraphs) {
        fputs("<script>\n", p->out);
        fputs(p->dygraphs, p->out);
        fputs("</script>\n", p->out);
    }
    fputs("<script>\n", p->out);
    fputs(page_js, p->out);
    if (p->script) fputs(p->script, p->out);
    if (p->three) {
        const char *const scripts[] = {p->three, p->controls, replay_js};
        for (size_t k = 0; k < sizeof scripts / sizeof scripts[0]; k++) {
            fputs("</script>\n<script>\n", p->out);
            fputs(scripts[k], p->out);
        }
    }
    fputs("</script>\n</body>\n</html>\n", p->out);
    const bool fine = whole_file_end(&p->file, error);
    stiction_arena_free(&p->memory);
    free(p);
    return fine;
}

void page_json_begin(page *p, const char *id) {
    fprintf(p->out, "<script type=\"application/json\" id=\"%s\">", id);
}

void page_json_end(page *p) {
    fputs("</script>\n", p->out);
}

/* ---- plots ---- */

/* ` name="text"` */
static void print_attribute(FILE *out, const char *name, const char *text) {
    fprintf(out, " %s=\"", name);
    page_text(out, text);
    fputc('"', out);
}

void page_plots_begin(page *p, const char *key, const char *label, const char *first,
                      bool overlay) {
    p->needs_dygraphs = true;
    fputs("<section class=\"plots\"", p->out);
    print_attribute(p->out, "data-key", key);
    print_attribute(p->out, "data-label", label);
    print_attribute(p->out, "data-first", first ? first : "");
    fputs(overlay ? " data-overlay>\n" : ">\n", p->out);
    if (p->dygraphs)
        fputs("<noscript><p class=\"warning\">The plots need JavaScript.</p></noscript>\n", p->out);
    else
        page_element(
            p->out, "p class=\"note\"",
            "These plots are static: dygraphs (Debian package libjs-dygraphs), which makes "
            "them interactive, was not installed when this page was written.");
}

static void end_choice(page *p) {
    if (p->choice_open) fputs(p->dygraphs ? "]</script>\n" : "</div>\n", p->out);
    p->choice_open = false;
}

void page_choice(page *p, const char *name, const char *layer, const char *note) {
    end_choice(p);
    fputs(p->dygraphs ? "<script type=\"application/json\"" : "<div class=\"choice\"", p->out);
    print_attribute(p->out, "data-choice", name);
    if (layer) print_attribute(p->out, "data-layer", layer);
    print_attribute(p->out, "data-note", note ? note : "");
    fputs(p->dygraphs ? ">[" : ">\n", p->out);
    p->choice_open = true;
    p->plots = 0;
    p->last_bands = NULL;
}

void page_plots_end(page *p) {
    end_choice(p);
    fputs("</section>\n", p->out);
}

static void print_numbers(FILE *out, const char *key, const double *values, size_t count) {
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (size_t k = 0; k < count; k++)
        if (isfinite(values[k])) {
            low = fmin(low, values[k]);
            high = fmax(high, values[k]);
        }
    /* of a constant: the digits of its size */
    const double range = high > low ? high - low : fabs(high);
    fprintf(out, ",\"%s\":[", key);
    for (size_t k = 0; k < count; k++) {
        if (k) fputc(',', out);
        page_json_number(out, values[k], range);
    }
    fputc(']', out);
}

/* x is omitted if it is that of the previous series. */
static void print_series(FILE *out, const plot *what) {
    for (size_t s = 0; s < what->count; s++) {
        const plot_series *series = &what->series[s];
        page_json_member(out, s ? ",\n{" : "\n{", "label", series->label);
        fprintf(out, ",\"points\":%s", series->points ? "true" : "false");
        if (!s || series->x != series[-1].x) print_numbers(out, "x", series->x, series->count);
        print_numbers(out, "y", series->y, series->count);
        fputc('}', out);
    }
}

/* Bands are omitted if they are those of the previous plot. */
static void print_bands(page *p, const plot *what) {
    page_json_member(p->out, "],", "bandLabel", what->band_label ? what->band_label : "");
    if (what->bands && what->bands == p->last_bands) {
        fputs(",\"bands\":\"same\"}", p->out);
        return;
    }
    fputs(",\"bands\":[", p->out);
    for (size_t k = 0; k < what->band_count; k++)
        fprintf(p->out, "%s[%.7g,%.7g]", k ? "," : "", what->bands[k].from, what->bands[k].to);
    fputs("]}", p->out);
    p->last_bands = what->bands;
}

void page_plot(page *p, const plot *what) {
    if (!p->dygraphs) {
        fputs("<figure>\n", p->out);
        plot_svg(what, p->out);
        fputs("</figure>\n", p->out);
        return;
    }
    page_json_member(p->out, p->plots++ ? ",\n{" : "\n{", "title", what->title);
    page_json_member(p->out, ",", "x", what->x_label);
    page_json_member(p->out, ",", "y", what->y_label);
    fputs(",\"series\":[", p->out);
    print_series(p->out, what);
    print_bands(p, what);
}
