/*
 * Conditions over names: a reader by descent, which makes an array of nodes, and a walk over them.
 * No libm but for sqrt and fabs, which are exact: a condition holds everywhere or nowhere.
 */
#include "sweep/condition.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

/* Longer texts are a mistake, and so are deeper ones: the walk goes down no farther than that. */
enum { most_length = 4000, most_depth = 100, most_arguments = 50 };

typedef enum node_kind {
    NODE_NUMBER,
    NODE_TEXT,
    NODE_NAME,
    NODE_WORD, /* a name, or a text where nothing is called so */
    NODE_OR,
    NODE_AND,
    NODE_NOT,
    NODE_LESS,
    NODE_LESS_EQUAL,
    NODE_GREATER,
    NODE_GREATER_EQUAL,
    NODE_EQUAL,
    NODE_UNEQUAL,
    NODE_PLUS,
    NODE_MINUS,
    NODE_TIMES,
    NODE_OVER,
    NODE_NEGATIVE,
    NODE_MINIMUM,
    NODE_MAXIMUM,
    NODE_ABSOLUTE,
    NODE_ROOT
} node_kind;

/* Leaves have a text, and their place in it; all others one or two children. */
typedef struct node {
    node_kind kind;
    size_t left, right;
    double number;
    char *text;
    size_t column;
} node;

struct condition {
    node *nodes; /* children before their parents; the last is the whole */
    size_t count, room;
    size_t root;
    bool is_truth; /* or a number */
    size_t *names; /* nodes */
    size_t name_count;
};

/* ---- reading ---- */

typedef struct scan {
    condition *c;
    const char *text, *at;
    int depth;
    char *mistake; /* the first one; then all readers return at once */
} scan;

__attribute__((format(printf, 3, 4))) static size_t refuse(scan *s, const char *at,
                                                           const char *format, ...) {
    if (s->mistake) return 0;
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    s->mistake = format_text("column %zu: %s", (size_t)(at - s->text) + 1, sentence);
    return 0;
}

static size_t add(scan *s, node n) {
    condition *c = s->c;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->nodes = reallocate(c->nodes, c->room, sizeof *c->nodes);
    }
    c->nodes[c->count] = n;
    return c->count++;
}

static void skip_spaces(scan *s) {
    while (isspace((unsigned char)*s->at)) s->at++;
}

static bool is_first_of_word(char c) {
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_of_word(char c) {
    return is_first_of_word(c) || isdigit((unsigned char)c) || c == '.' || c == ':';
}

static size_t word_length(const char *at) {
    size_t length = 0;
    if (is_first_of_word(*at))
        while (is_of_word(at[length])) length++;
    return length;
}

/* Takes a sign, or a word that stands for one. */
static bool take(scan *s, const char *text) {
    skip_spaces(s);
    const size_t length = strlen(text);
    if (isalpha((unsigned char)*text) ? word_length(s->at) != length : false) return false;
    if (strncmp(s->at, text, length) != 0) return false;
    s->at += length;
    return true;
}

typedef struct sign {
    const char *text;
    node_kind kind;
} sign;

/* A sign that is the beginning of another one stands behind it. */
static const sign comparisons[] = {
    {"<=", NODE_LESS_EQUAL}, {">=", NODE_GREATER_EQUAL}, {"==", NODE_EQUAL},
    {"!=", NODE_UNEQUAL},    {"<", NODE_LESS},           {">", NODE_GREATER},
};
static const sign sums[] = {{"+", NODE_PLUS}, {"-", NODE_MINUS}};
static const sign products[] = {{"*", NODE_TIMES}, {"/", NODE_OVER}};
static const sign functions[] = {
    {"min", NODE_MINIMUM}, {"max", NODE_MAXIMUM}, {"abs", NODE_ABSOLUTE}, {"sqrt", NODE_ROOT}};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const sign *take_one(scan *s, const sign *list, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (take(s, list[k].text)) return &list[k];
    return NULL;
}

/* What a node gives, where that is known before a value is. */
typedef enum node_type { TYPE_ANY, TYPE_TRUTH, TYPE_NUMBER, TYPE_TEXT } node_type;

static node_type type_of(const scan *s, size_t n) {
    const node_kind kind = s->c->nodes[n].kind;
    if (kind == NODE_NAME || kind == NODE_WORD) return TYPE_ANY;
    if (kind == NODE_TEXT) return TYPE_TEXT;
    return kind >= NODE_OR && kind <= NODE_UNEQUAL ? TYPE_TRUTH : TYPE_NUMBER;
}

static void expect_number(scan *s, size_t n, const char *at) {
    if (s->mistake) return;
    const node_type type = type_of(s, n);
    if (type == TYPE_TRUTH) (void)refuse(s, at, "a number must stand here, not a comparison");
    if (type == TYPE_TEXT)
        (void)refuse(s, at, "a number must stand here, not the text '%s'", s->c->nodes[n].text);
}

static void expect_truth(scan *s, size_t n, const char *at) {
    if (s->mistake) return;
    const node_type type = type_of(s, n);
    if (type == TYPE_NUMBER || type == TYPE_TEXT)
        (void)refuse(s, at, "a condition must stand here, such as kp > 20, not a %s",
                     type == TYPE_NUMBER ? "number" : "text");
}

static size_t read_or(scan *s);

static char *copy_part(const char *text, size_t length) {
    return format_text("%.*s", (int)length, text);
}

/* 'text', or `name` */
static size_t read_quoted(scan *s) {
    const char quote = *s->at, *begin = s->at + 1, *end = strchr(begin, quote);
    if (!end) return refuse(s, s->at, "the %c is not closed", quote);
    if (quote == '`' && end == begin) return refuse(s, s->at, "a name must stand in the ``");
    s->at = end + 1;
    return add(s, (node){.kind = quote == '`' ? NODE_NAME : NODE_TEXT,
                         .text = copy_part(begin, (size_t)(end - begin)),
                         .column = (size_t)(begin - s->text)});
}

static size_t read_literal(scan *s) {
    const char *begin = s->at, *p = begin;
    while (isdigit((unsigned char)*p) || *p == '.') p++;
    if ((*p == 'e' || *p == 'E') &&
        (isdigit((unsigned char)p[1]) ||
         ((p[1] == '-' || p[1] == '+') && isdigit((unsigned char)p[2])))) {
        p += 2;
        while (isdigit((unsigned char)*p)) p++;
    }
    while (is_of_word(*p)) p++; /* 20rad is no number and a name */
    char *text = copy_part(begin, (size_t)(p - begin));
    double value;
    if (!read_number(text, &value) || !isfinite(value)) {
        (void)refuse(s, begin, "'%s' is no number", text);
        free(text);
        return 0;
    }
    s->at = p;
    return add(s, (node){.kind = NODE_NUMBER, .number = value, .text = text});
}

static size_t read_call(scan *s, const sign *function) {
    size_t result = 0, count = 0;
    do {
        skip_spaces(s);
        const char *at = s->at;
        const size_t argument = read_or(s);
        expect_number(s, argument, at);
        if (s->mistake) return 0;
        result = count++ == 0
                     ? argument
                     : add(s, (node){.kind = function->kind, .left = result, .right = argument});
        if (count > most_arguments)
            return refuse(s, at, "%s takes at most %d numbers", function->text, most_arguments);
        if (function->kind >= NODE_ABSOLUTE) break;
    } while (take(s, ","));
    if (!take(s, ")"))
        return refuse(s, s->at, "the ( of %s is not closed%s", function->text,
                      function->kind >= NODE_ABSOLUTE ? "; it takes one number" : "");
    /* of one number: its own minimum; a function of its own makes it a number */
    if (count == 1)
        result = add(s, (node){.kind = function->kind, .left = result, .right = result});
    return result;
}

static size_t read_word(scan *s) {
    const char *begin = s->at;
    const size_t length = word_length(begin);
    for (size_t k = 0; k < COUNT(functions); k++)
        if (strlen(functions[k].text) == length && strncmp(begin, functions[k].text, length) == 0) {
            s->at = begin + length;
            if (take(s, "(")) return read_call(s, &functions[k]);
            s->at = begin;
        }
    s->at = begin + length;
    if (begin[length - 1] == '.' || *s->at == '?' || *s->at == '[')
        return refuse(s, begin,
                      "a name with * ? [ or - in it stands in backquotes: `joints.*.law`");
    if (*s->at == '(')
        return refuse(s, begin, "there is no function '%.*s'; there are min, max, abs and sqrt",
                      (int)length, begin);
    return add(s, (node){.kind = NODE_NAME,
                         .text = copy_part(begin, length),
                         .column = (size_t)(begin - s->text) + 1});
}

static size_t read_primary(scan *s) {
    skip_spaces(s);
    const char *begin = s->at;
    if (take(s, "(")) {
        const size_t inside = read_or(s);
        if (!take(s, ")")) return refuse(s, begin, "the ( is not closed");
        return inside;
    }
    if (*begin == '\'' || *begin == '"' || *begin == '`') return read_quoted(s);
    if (isdigit((unsigned char)*begin) || (*begin == '.' && isdigit((unsigned char)begin[1])))
        return read_literal(s);
    if (word_length(begin)) return read_word(s);
    if (!*begin) return refuse(s, begin, "something must stand behind this");
    return refuse(s, begin, "a name, a number or a text must stand here, not '%c'", *begin);
}

static size_t read_sign(scan *s) {
    skip_spaces(s);
    const char *at = s->at;
    if (!take(s, "-")) return read_primary(s);
    if (++s->depth > most_depth) return refuse(s, at, "it is nested more than %d deep", most_depth);
    const size_t of = read_sign(s);
    s->depth--;
    expect_number(s, of, at);
    return s->mistake ? 0 : add(s, (node){.kind = NODE_NEGATIVE, .left = of, .right = of});
}

/* a + b - c and a * b / c: from the left. */
static size_t read_row(scan *s, size_t (*read)(scan *s), const sign *list, size_t count) {
    skip_spaces(s);
    const char *at = s->at;
    size_t left = read(s);
    for (const sign *o; !s->mistake && (o = take_one(s, list, count)) != NULL;) {
        expect_number(s, left, at);
        skip_spaces(s);
        const char *behind = s->at;
        const size_t right = read(s);
        expect_number(s, right, behind);
        if (!s->mistake) left = add(s, (node){.kind = o->kind, .left = left, .right = right});
    }
    return left;
}

static size_t read_product(scan *s) {
    return read_row(s, read_sign, products, COUNT(products));
}

static size_t read_sum(scan *s) {
    return read_row(s, read_product, sums, COUNT(sums));
}

/* a < b <= c is a < b and b <= c. */
static size_t read_comparison(scan *s) {
    skip_spaces(s);
    const char *at = s->at;
    size_t left = read_sum(s), all = left;
    bool first = true;
    for (const sign *o; !s->mistake && (o = take_one(s, comparisons, COUNT(comparisons)));) {
        const bool equality = o->kind == NODE_EQUAL || o->kind == NODE_UNEQUAL;
        skip_spaces(s);
        const char *behind = s->at;
        const size_t right = read_sum(s);
        if (s->mistake) break;
        /* in backquotes it is a name in any case */
        if (equality && s->c->nodes[right].kind == NODE_NAME && *behind != '`')
            s->c->nodes[right].kind = NODE_WORD;
        if (!equality) {
            expect_number(s, left, at);
            expect_number(s, right, behind);
        } else if (type_of(s, left) == TYPE_TRUTH || type_of(s, right) == TYPE_TRUTH) {
            return refuse(s, at, "comparisons cannot be compared; join them by and, or");
        }
        const size_t one = add(s, (node){.kind = o->kind, .left = left, .right = right});
        all = first ? one : add(s, (node){.kind = NODE_AND, .left = all, .right = one});
        first = false;
        left = right;
        at = behind;
    }
    if (!s->mistake && take(s, "=")) /* also of => and =< */
        return refuse(s, s->at - 1, "equal is ==, and there are < <= > >= and !=");
    return all;
}

static size_t read_not(scan *s) {
    skip_spaces(s);
    const char *at = s->at;
    const bool negated = take(s, "not") || (!(at[0] == '!' && at[1] == '=') && take(s, "!"));
    if (!negated) return read_comparison(s);
    if (++s->depth > most_depth) return refuse(s, at, "it is nested more than %d deep", most_depth);
    skip_spaces(s);
    const char *behind = s->at;
    const size_t of = read_not(s);
    s->depth--;
    expect_truth(s, of, behind);
    return s->mistake ? 0 : add(s, (node){.kind = NODE_NOT, .left = of, .right = of});
}

static size_t read_joined(scan *s, size_t (*read)(scan *s), const char *symbol, const char *word,
                          node_kind kind) {
    skip_spaces(s);
    const char *at = s->at;
    size_t left = read(s);
    while (!s->mistake && (take(s, symbol) || take(s, word))) {
        expect_truth(s, left, at);
        skip_spaces(s);
        const char *behind = s->at;
        const size_t right = read(s);
        expect_truth(s, right, behind);
        if (!s->mistake) left = add(s, (node){.kind = kind, .left = left, .right = right});
    }
    return left;
}

static size_t read_and(scan *s) {
    return read_joined(s, read_not, "&&", "and", NODE_AND);
}

static size_t read_or(scan *s) {
    if (++s->depth > most_depth)
        return refuse(s, s->at, "it is nested more than %d deep", most_depth);
    const size_t result = read_joined(s, read_and, "||", "or", NODE_OR);
    s->depth--;
    return result;
}

/* Each name once. They are few: a text has most_length characters. */
static void list_names(condition *c) {
    c->names = allocate(c->count, sizeof *c->names);
    for (size_t k = 0; k < c->count; k++) {
        if (c->nodes[k].kind != NODE_NAME) continue;
        size_t n = 0;
        while (n < c->name_count && strcmp(condition_name(c, n), c->nodes[k].text) != 0) n++;
        if (n == c->name_count) c->names[c->name_count++] = k;
    }
}

static condition *read_any(const char *text, bool truth, char **mistake) {
    scan s = {.c = allocate(1, sizeof *s.c), .text = text, .at = text};
    s.c->is_truth = truth;
    if (strlen(text) > most_length) {
        (void)refuse(&s, text, "it has more than %d characters", most_length);
    } else {
        skip_spaces(&s);
        const char *begin = s.at;
        if (*begin)
            s.c->root = read_or(&s);
        else
            (void)refuse(&s, text, "nothing stands here; a %s must",
                         truth ? "condition" : "number");
        skip_spaces(&s);
        if (*s.at) (void)refuse(&s, s.at, "'%s' is too much", s.at);
        if (truth)
            expect_truth(&s, s.c->root, begin);
        else
            expect_number(&s, s.c->root, begin);
    }
    *mistake = s.mistake;
    if (s.mistake) {
        condition_free(s.c);
        return NULL;
    }
    list_names(s.c);
    return s.c;
}

condition *condition_read(const char *text, char **mistake) {
    return read_any(text, true, mistake);
}

condition *condition_read_number(const char *text, char **mistake) {
    return read_any(text, false, mistake);
}

void condition_free(condition *c) {
    if (!c) return;
    for (size_t k = 0; k < c->count; k++) free(c->nodes[k].text);
    free(c->nodes);
    free(c->names);
    free(c);
}

size_t condition_name_count(const condition *c) {
    return c->name_count;
}

const char *condition_name(const condition *c, size_t k) {
    return c->nodes[c->names[k]].text;
}

bool condition_has_word(const condition *c, bool (*is)(const char *word)) {
    for (size_t k = 0; k < c->count; k++)
        if (c->nodes[k].kind == NODE_WORD && is(c->nodes[k].text)) return true;
    return false;
}

size_t condition_name_column(const condition *c, size_t k) {
    return c->nodes[c->names[k]].column;
}

/* ---- asking ---- */

typedef struct walk {
    const condition *c;
    const condition_names *names;
    bool wants_problem;
    char *problem;
    bool failed;
} walk;

__attribute__((format(printf, 2, 3))) static void fail_in(walk *w, const char *format, ...) {
    if (w->failed) return;
    w->failed = true;
    if (!w->wants_problem) return;
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    w->problem = copy_text(sentence);
}

/* The text of a leaf; NULL: it has none. */
static const char *text_of(walk *w, size_t n) {
    const node *leaf = &w->c->nodes[n];
    if (leaf->kind == NODE_TEXT || leaf->kind == NODE_NUMBER) return leaf->text;
    if (leaf->kind != NODE_NAME && leaf->kind != NODE_WORD) return NULL;
    const char *text = w->names->text(w->names->user, leaf->text);
    if (!text && leaf->kind == NODE_WORD) return leaf->text;
    if (!text) fail_in(w, "nothing is called '%s'", leaf->text);
    return text;
}

static bool is_null(const char *text) {
    return !*text || strcmp(text, "null") == 0;
}

static bool is_number(const char *text, double *value) {
    if (read_number(text, value)) return true;
    *value = (double)NAN;
    return is_null(text);
}

static double number_of(walk *w, size_t n);

static double combine(walk *w, const node *n) {
    const double a = number_of(w, n->left), b = n->right == n->left ? a : number_of(w, n->right);
    switch (n->kind) {
    case NODE_PLUS:
        return a + b;
    case NODE_MINUS:
        return a - b;
    case NODE_TIMES:
        return a * b;
    case NODE_OVER:
        return a / b;
    case NODE_NEGATIVE:
        return -a;
    case NODE_MINIMUM: /* of a null there is none */
        return isnan(a) || a < b ? a : b;
    case NODE_MAXIMUM:
        return isnan(a) || a > b ? a : b;
    case NODE_ABSOLUTE:
        return fabs(a);
    default:
        return sqrt(a);
    }
}

static double number_of(walk *w, size_t n) {
    const node *of = &w->c->nodes[n];
    if (of->kind == NODE_NUMBER) return of->number;
    const char *text = text_of(w, n);
    if (w->failed) return (double)NAN;
    if (!text) return combine(w, of);
    double value;
    if (!is_number(text, &value))
        fail_in(w, "%s%s%s'%s', which is no number", of->kind == NODE_TEXT ? "" : "'",
             of->kind == NODE_TEXT ? "" : of->text, of->kind == NODE_TEXT ? "" : "' is ", text);
    return value;
}

/* By their numbers where both have one, else by their texts; what is computed has none. */
static bool are_equal(walk *w, const node *n) {
    const char *a = text_of(w, n->left), *b = w->failed ? NULL : text_of(w, n->right);
    if (w->failed) return false;
    double x, y;
    const bool numbers = a ? is_number(a, &x) : true, both = b ? is_number(b, &y) : true;
    if (!a) x = number_of(w, n->left);
    if (!b) y = number_of(w, n->right);
    if (numbers && both && !isnan(x) && !isnan(y)) return x == y;
    if (numbers && both) return isnan(x) && isnan(y) && (!a || is_null(a)) && (!b || is_null(b));
    return a && b && strcmp(a, b) == 0;
}

static bool truth_of(walk *w, size_t n);

static bool compare(walk *w, const node *n) {
    const double a = number_of(w, n->left), b = w->failed ? a : number_of(w, n->right);
    switch (n->kind) {
    case NODE_LESS:
        return a < b;
    case NODE_LESS_EQUAL:
        return a <= b;
    case NODE_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

/* A setting by itself: true and false, or a number that is not 0. */
static bool truth_of_leaf(walk *w, size_t n) {
    const char *text = text_of(w, n);
    if (w->failed) return false;
    double value;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return *text == 't';
    if (is_number(text, &value)) return value < 0 || value > 0;
    fail_in(w, "'%s' is '%s', which is neither true nor false", w->c->nodes[n].text, text);
    return false;
}

static bool truth_of(walk *w, size_t k) {
    const node *n = &w->c->nodes[k];
    switch (n->kind) {
    case NODE_OR:
        return truth_of(w, n->left) || (!w->failed && truth_of(w, n->right));
    case NODE_AND:
        return truth_of(w, n->left) && truth_of(w, n->right);
    case NODE_NOT:
        return !truth_of(w, n->left);
    case NODE_EQUAL:
        return are_equal(w, n);
    case NODE_UNEQUAL:
        return !are_equal(w, n);
    case NODE_NAME:
    case NODE_WORD:
        return truth_of_leaf(w, k);
    default:
        return compare(w, n);
    }
}

bool condition_holds(const condition *c, const condition_names *names, bool *holds) {
    walk w = {.c = c, .names = names};
    *holds = truth_of(&w, c->root) && !w.failed;
    return !w.failed;
}

bool condition_number(const condition *c, const condition_names *names, double *value) {
    walk w = {.c = c, .names = names};
    *value = number_of(&w, c->root);
    if (w.failed) *value = (double)NAN;
    return !w.failed;
}

char *condition_problem(const condition *c, const condition_names *names) {
    walk w = {.c = c, .names = names, .wants_problem = true};
    if (c->is_truth)
        (void)truth_of(&w, c->root);
    else
        (void)number_of(&w, c->root);
    return w.problem;
}
