/* SPDX-License-Identifier: MIT
 * Every error in a configuration is reported with its place and a message: golden cases in
 * tests/load, cases of bytes and sizes here, and the tables of docs/configuration.md.
 * STICTION_WRITE_GOLDEN=1 in the environment writes what is expected anew.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "auto.h"
#include "load.h"
#include "load_internal.h"

/* Golden cases: NAME.yaml and NAME.txt. A first line "# check TIMESTEP JOINT..." makes the robot
 * that it is checked for; "-" is a robot without joints, nothing is no robot. */

static void check_for_robot(const stiction_config *config, char *line, stiction_errors *errors) {
    const char *names[16];
    size_t count = 0;
    char *next, *word = strtok_r(line, " \n", &next);
    const double timestep = strtod(word, NULL);
    bool robot = false;
    while ((word = strtok_r(NULL, " \n", &next)) && count < 16) {
        robot = true;
        if (strcmp(word, "-") != 0) names[count++] = word;
    }
    stiction_config_check(config, robot ? names : NULL, count, timestep, errors);
}

/* All that is said of the file, by its name without the folder. */
static char *golden_errors(const char *folder, const char *name) {
    static const char mark[] = "# check ";
    char path[512];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_whole(path, &size);
    stiction_config *config;
    stiction_errors *errors = stiction_errors_create();
    (void)stiction_config_parse(text, size, name, &config, errors);
    if (config && strncmp(text, mark, strlen(mark)) == 0) {
        text[strcspn(text, "\n")] = '\0';
        check_for_robot(config, text + strlen(mark), errors);
    }
    char *said = errors_text(errors);
    stiction_config_destroy(config);
    stiction_errors_destroy(errors);
    free(text);
    return said;
}

/* Calls `see` with what is said of each case, and what is expected. */
static size_t for_each_golden(void (*see)(const char *path, const char *said)) {
    size_t count = 0;
    DIR *folder = opendir("load");
    CHECK(folder != NULL);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end = strstr(entry->d_name, ".yaml");
        if (!end) continue;
        char *said = golden_errors("load", entry->d_name), path[512];
        (void)snprintf(path, sizeof path, "load/%.*s.txt", (int)(end - entry->d_name),
                       entry->d_name);
        see(path, said);
        free(said);
        count++;
    }
    if (folder) closedir(folder);
    return count;
}

static void compare(const char *path, const char *said) {
    size_t size;
    if (getenv("STICTION_WRITE_GOLDEN")) {
        FILE *file = fopen(path, "wb");
        if (file) (void)(fputs(said, file) + fclose(file));
    }
    AUTO(free_text) char *expected = read_whole(path, &size);
    if (!expected || strcmp(expected, said) != 0)
        FAIL("%s expects\n%sbut this is said:\n%s", path, expected ? expected : "(nothing)\n",
             said);
    CHECK(*said != '\0');
}

TEST(every_error_has_its_place_and_a_message) {
    CHECK(for_each_golden(compare) > 60);
}

/* What libyaml says of its contexts and problems, which is about its parser and not about the file.
 */
static void find_no_jargon(const char *path, const char *said) {
    static const char *const jargon[] = {
        "while parsing",  "while scanning", "did not find",
        "could not find", "found ",         "not allowed in this context",
        "hexdecimal",     "node content",   "indicator",
        "simple key",     "plain scalar",   "block mapping",
        "flow ",          "token",          "octet",
        "collection",     "directive name"};
    for (size_t k = 0; k < sizeof jargon / sizeof jargon[0]; k++)
        if (strstr(said, jargon[k])) FAIL("%s says \"%s\":\n%s", path, jargon[k], said);
    CHECK(!strstr(path, "syntax") || !strstr(said, "cannot be read from here on"));
}

TEST(messages_have_no_words_of_the_parser) {
    CHECK(for_each_golden(find_no_jargon) > 100);
}

/* Cases of bytes and sizes: head, then a part several times, then a tail. */

#define TEXT(literal) literal, sizeof literal - 1

static const struct bytes_case {
    const char *head, *part;
    size_t times;
    const char *tail;
    size_t tail_size;
    const char *said;
} bytes_cases[] = {
    {"", "", 0, TEXT(""), "1:1: the file is empty; it must say stiction: 1"},
    {"stiction: 1\n", "", 0, TEXT("joints: {}\0\n"), "2:11: byte 0x00 is not allowed here: YAML"},
    {"stiction: 1\n", "", 0, TEXT("models: \xE8\x82\xA9\xFF\n"), "2:10: byte 0xFF is not allowed"},
    {"stiction: 1\n", "", 0, TEXT("models: \xE8\x82"), "2:9: byte 0xE8 is not allowed"},
    {"stiction: 1\n", "", 0, TEXT("models: \x07\n"), "2:9: byte 0x07 is not allowed"},
    {"", "", 0, TEXT("\xFF\xFEs\0t\0"), "1:1: byte 0xFF is not allowed"}, /* UTF-16 */
    {"", "", 0, TEXT("\xEF\xBB\xBFstikt: 1\n"), "1:1: there is no key 'stikt'"},
    {"\x7F"
     "ELF\x02\x01\x01",
     "", 0, TEXT("\0\0\0"), "1:1: byte 0x7F is not allowed"},
    {"stiction: 1\njoints: ", "[", 10000, TEXT(""),
     "2:108: lists and mappings are nested more than 100"},
    {"stiction: 1\njoints: ", "{a: ", 10000, TEXT(""), "nested more than 100 deep"},
    {"stiction: 1\njoints:\n  ", "- ", 10000, TEXT(""), "nested more than 100 deep"},
    {"", "? ", 10000, TEXT(""), "nested more than 100 deep"},
    {"", "#", (16 << 20) + 1, TEXT(""), "f.yaml: the file is larger than 16 MiB"},
    {"#", "-", (16 << 20) - 1, TEXT(""), "the file is empty"},
    {"stiction: 1\njoints: [", "a,", 2000000, TEXT("]"), "more than 2000000 keys and values"},
    {"stiction: 1\njoints:\n", "  '*aaaaaaaaaaaab': {}\n", 1171, TEXT(""),
     "the patterns of joints have more than 16384 bytes in all"},
    {"stiction: 1\njoints: [", "a,", 1999990, TEXT("]"), "joints must be a mapping of names"},
    {"stiction: 1\njoints: {}\nmodels: [", "A,", 1001, TEXT("]"),
     ": models has more than 1000 names"},
    /* a billion laughs, plain and merged */
    {"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c "
     "[*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e "
     "[*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n",
     "", 0, TEXT("g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n"),
     "keys and values, with the aliases expanded"},
    {"a: &a {x: 1, y: 2}\nb: &b {<<: [*a,*a,*a,*a,*a,*a,*a,*a,*a]}\nc: &c {<<: "
     "[*b,*b,*b,*b,*b,*b,*b,*b,*b]}\nd: &d {<<: [*c,*c,*c,*c,*c,*c,*c,*c,*c]}\ne: &e {<<: "
     "[*d,*d,*d,*d,*d,*d,*d,*d,*d]}\nf: &f {<<: [*e,*e,*e,*e,*e,*e,*e,*e,*e]}\n",
     "", 0, TEXT("g: {<<: [*f,*f,*f,*f,*f,*f,*f,*f,*f]}\n"),
     "keys and values, with the aliases expanded"},
    {"stiction: 1\njoints: {? ", "a", 1001, TEXT(": {law: none}}"),
     "2:12: a joint's name has more than 1000 bytes"},
    {"", "%TAG !a! x\n", 101, TEXT("---\nstiction: 1\n"), "101:1: there are more than 100 %TAG"},
    /* one long text, as a value and as a key */
    {"stiction: 1\njoints: {}\nmodels: [&a \"", "k", 12000000,
     TEXT("\",*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"), "and 64 bytes of a long text as one"},
    {"stiction: 1\njoints: {}\nprofiles:\n  p: &a\n    ? \"", "k", 12000000,
     TEXT("\"\n    : 1\n  q: { <<: [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a] }\n"),
     "7:40: more than 2000000 keys and values"},
};

static char *make_bytes(const struct bytes_case *c, size_t *size) {
    const size_t head = strlen(c->head), part = strlen(c->part);
    *size = head + part * c->times + c->tail_size;
    char *text = malloc(*size + 1);
    if (!text) abort();
    memcpy(text, c->head, head);
    for (size_t k = 0; k < c->times; k++) memcpy(text + head + k * part, c->part, part);
    memcpy(text + head + part * c->times, c->tail, c->tail_size);
    return text;
}

static void for_each_bytes(void (*see)(const char *expected, const char *said)) {
    for (size_t k = 0; k < sizeof bytes_cases / sizeof bytes_cases[0]; k++) {
        size_t size;
        AUTO(free_text)
        char *text = make_bytes(&bytes_cases[k], &size), *said = parse_errors(text, size);
        see(bytes_cases[k].said, said);
    }
}

static void expect(const char *expected, const char *said) {
    CHECK_CONTAINS(said, expected);
}

/* The time is bounded by CTest's TIMEOUT; it takes a second or two. */
TEST(rubbish_and_bombs_are_refused_in_bounded_time) {
    for_each_bytes(expect);
}

/* A chain of all that were there would make many of them and their aliases quadratic. */

TEST(ten_megabytes_are_read) {
    const size_t count = ROUNDS(370000);
    AUTO(free_text) char *text = malloc(count * 32 + 256);
    size_t size =
        (size_t)sprintf(text, "stiction: 1\nprofiles:\n  p: { law: coulomb, coulomb_torque:"
                              " 1, stiffness: 1, damping: 1 }\njoints:\n");
    for (size_t k = 0; k < count; k++)
        size += (size_t)sprintf(text + size, "  J%07zu: { profile: p }\n", k);
    CHECK(size > 25 * count); /* of all rounds that is 9 MiB */
    AUTO(free_config) stiction_config *config = NULL;
    CHECK(stiction_config_parse(text, size, NULL, &config, NULL) == STICTION_OK);
    CHECK(stiction_config_joint_count(config) == count);
}

/* Profiles p0 to p(count - 1), each on the one before; in the file from either end. */
static char *chain_errors(int count, bool backwards) {
    char *text = malloc((size_t)count * 32 + 64);
    size_t size = (size_t)sprintf(text, "stiction: 1\njoints: {}\nprofiles:\n");
    for (int k = 0; k < count; k++) {
        const int n = backwards ? count - 1 - k : k;
        size +=
            (size_t)sprintf(text + size, n ? "  p%d: { profile: p%d }\n" : "  p%d: {}\n", n, n - 1);
    }
    char *said = parse_errors(text, size);
    free(text);
    return said;
}

TEST(a_hundred_profiles_may_build_on_each_other) {
    for (int backwards = 0; backwards < 2; backwards++) {
        AUTO(free_text)
        char *fine = chain_errors(101, backwards), *refused = chain_errors(102, backwards);
        CHECK(*fine == '\0');
        CHECK_CONTAINS(refused, "more than 100 profiles build on each other\n");
        CHECK(strchr(refused, '\n')[1] == '\0'); /* once */
    }
}

/* Files. */

static char *load_errors(const char *path) {
    stiction_config *config;
    stiction_errors *errors = stiction_errors_create();
    CHECK(stiction_config_load(path, &config, errors) == STICTION_INVALID_CONFIG);
    CHECK(config == NULL);
    char *said = errors_text(errors);
    stiction_errors_destroy(errors);
    return said;
}

TEST(a_file_that_cannot_be_read) {
    AUTO(free_text)
    char *missing = load_errors("load/no_such_file.yaml"), *folder = load_errors("load");
    CHECK(strcmp(missing, "load/no_such_file.yaml: the file cannot be read: "
                          "No such file or directory\n") == 0);
    CHECK(strcmp(folder, "load: the file cannot be read: Is a directory\n") == 0);
}

/* The list. */

TEST(the_list_ends_after_a_thousand_and_says_how_many_more) {
    AUTO(free_text) char *text = malloc(1 << 20);
    /* profiles are read before what joints inherit from them is known */
    size_t size = (size_t)sprintf(text, "stiction: 1\njoints:\n");
    for (int k = 0; k < 800; k++) size += (size_t)sprintf(text + size, "  J%d: {}\n", k);
    size += (size_t)sprintf(text + size, "profiles:\n");
    for (int k = 0; k < 700; k++) size += (size_t)sprintf(text + size, "  P%d: { x: 1 }\n", k);

    AUTO(free_config) stiction_config *config = NULL;
    AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
    CHECK(stiction_config_parse(text, size, "f.yaml", &config, errors) == STICTION_INVALID_CONFIG);
    CHECK(stiction_errors_count(errors) == 1001);
    int line = 0;
    for (size_t k = 0; k < 1000; k++) {
        const stiction_error *error = stiction_errors_at(errors, k);
        CHECK(error->line > line);
        line = error->line;
    }
    CHECK_CONTAINS(stiction_errors_at(errors, 299)->message, "joint 'J299': law is not given");
    CHECK_CONTAINS(stiction_errors_at(errors, 999)->message, "profile 'P699': there is no key 'x'");
    CHECK(strcmp(stiction_errors_at(errors, 1000)->message, "and 500 more") == 0);
    CHECK(stiction_errors_at(errors, 1001) == NULL);

    /* a list that is full still distinguishes a bad file from a good one */
    CHECK(stiction_config_parse(text, size, "f.yaml", &config, errors) == STICTION_INVALID_CONFIG);
    CHECK(strcmp(stiction_errors_at(errors, 1000)->message, "and 2000 more") == 0);
    static const char good[] = "stiction: 1\njoints: {}\n";
    CHECK(stiction_config_parse(good, strlen(good), NULL, &config, errors) == STICTION_OK);
}

TEST(errors_of_several_files_stay_in_the_order_of_the_calls) {
    stiction_config *config;
    AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
    (void)stiction_config_parse("\n\n\nx", 4, "first.yaml", &config, errors);
    (void)stiction_config_parse("x", 1, "second.yaml", &config, errors);
    AUTO(free_text) char *said = errors_text(errors);
    CHECK_CONTAINS(said, "first.yaml:4:1: ");
    CHECK_CONTAINS(said, "\nsecond.yaml:1:1: ");
}

TEST(an_error_as_text) {
    stiction_error error = {.line = 3, .column = 4, .path = "a.yaml", .message = "wrong"};
    char buffer[32];
    CHECK(stiction_error_format(&error, buffer, sizeof buffer) == 17);
    CHECK(strcmp(buffer, "a.yaml:3:4: wrong") == 0);
    CHECK(stiction_error_format(&error, buffer, 5) == 17);
    CHECK(strcmp(buffer, "a.ya") == 0);
    CHECK(stiction_error_format(&error, NULL, 0) == 17);
    error.line = 0;
    CHECK(stiction_error_format(&error, buffer, sizeof buffer) == 13);
    CHECK(strcmp(buffer, "a.yaml: wrong") == 0);
    error.path[0] = '\0';
    CHECK(stiction_error_format(&error, buffer, sizeof buffer) == 5);
    CHECK(stiction_error_format(NULL, buffer, sizeof buffer) == 0 && *buffer == '\0');
}

/* What is found when a model is made has its place, too. */
TEST(a_model_names_the_place_in_the_file) {
    static const char text[] =
        "stiction: 1\n"
        "strict: true\n"
        "timestep: 0.001\n"
        "joints:\n"
        "  A: { law: coulomb, coulomb_torque: 1, stiffness: 1, damping: 1 }\n"
        "  B: { law: stribeck, static_torque: 2, coulomb_torque: 1,\n"
        "       stribeck_velocity: 0.1, stiffness: 1, damping: 1 }\n";
    static const struct {
        const char *names[3];
        size_t count;
        int line, column;
        const char *message;
    } cases[] = {
        {{"A"}, 1, 6, 3, "joint 'B': the robot has no such joint; the nearest is 'A'"},
        {{"A", "C", "B"}, 3, 4, 1, "joint 'C': nothing in the configuration matches it"},
        {{"A", "B"}, 2, 7, 55, "joint 'B': at time step 0.001 s"},
    };
    AUTO(free_config) stiction_config *config = parse_fine(text);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        stiction_model *model;
        stiction_error error;
        AUTO(free_errors) stiction_errors *errors = stiction_errors_create();
        CHECK(stiction_model_create(config, cases[k].names, cases[k].count, NULL, &model, &error) !=
              STICTION_OK);
        CHECK(model == NULL);
        CHECK(strcmp(error.path, "fine.yaml") == 0);
        CHECK(error.line == cases[k].line && error.column == cases[k].column);
        CHECK_CONTAINS(error.message, cases[k].message);

        CHECK(stiction_config_check(config, cases[k].names, cases[k].count, 0, errors) ==
              stiction_errors_at(errors, 0)->status);
        AUTO(free_text) char *said = errors_text(errors);
        CHECK_CONTAINS(said, cases[k].message);
    }
}

/* docs/configuration.md. */

static char *document;

static const char *read_document(void) {
    size_t size;
    if (!document) document = read_whole("../docs/configuration.md", &size);
    CHECK(document != NULL);
    return document ? document : "";
}

/* A table as it must stand in the document; shows it where it does not. */
static void check_table(const char *table) {
    if (!strstr(read_document(), table))
        FAIL("docs/configuration.md lacks this table, as it is:\n%s", table);
}

TEST(the_document_lists_every_parameter) {
    char table[8192], *end = table + sizeof table;
    char *p = table + sprintf(table, "| key | symbol | unit | from | to | default | what it is |\n"
                                     "|---|---|---|---|---|---|---|\n");
    stiction_parameter_info info;
    double least, most;
    for (size_t k = 0; stiction_parameter_at(k, &info); k++) {
        char fallback[32] = "required";
        if (info.fallback == STICTION_AUTO)
            (void)snprintf(fallback, sizeof fallback, "auto");
        else if (!isnan(info.fallback))
            (void)snprintf(fallback, sizeof fallback, "%g", info.fallback);
        CHECK(stiction_parameter_range(k, &least, &most));
        p += snprintf(p, (size_t)(end - p), "| `%s` | %s | %s | %g | %g | %s | %s |\n", info.key,
                      info.symbol, info.unit, least, most, fallback, info.description);
    }
    (void)snprintf(p, (size_t)(end - p), "\n"); /* and no more */
    check_table(table);
}

TEST(the_document_lists_every_parameter_that_is_a_list) {
    char table[1024], *end = table + sizeof table;
    char *p =
        table + sprintf(table, "| key | symbol | unit | from | to | numbers | what they are |\n"
                               "|---|---|---|---|---|---|---|\n");
    stiction_list_info info;
    for (size_t k = 0; stiction_list_at(k, &info); k++)
        p += snprintf(p, (size_t)(end - p), "| `%s` | %s | %s | %g | %g | up to %zu | %s |\n",
                      info.key, info.symbol, info.unit, STICTION_LEAST, STICTION_MOST, info.most,
                      info.description);
    (void)snprintf(p, (size_t)(end - p), "\n"); /* and no more */
    check_table(table);
}

/* A text for a cell of a table, where a bar would end it. */
static const char *in_cell(const char *text, char *buffer) {
    char *out = buffer;
    for (; *text; *out++ = *text++)
        if (*text == '|') *out++ = '\\';
    *out = '\0';
    return buffer;
}

TEST(the_document_lists_every_law_and_its_keys) {
    char table[8192], cell[256], *end = table + sizeof table;
    char *p = table + sprintf(table, "| law | kind | what it is | keys that it reads |\n"
                                     "|---|---|---|---|\n");
    stiction_law_info law;
    stiction_parameter_info info;
    uint64_t drive = 0; /* parameters from load_motor on, which the document calls (drive) */
    for (size_t k = 0; stiction_parameter_at(k, &info); k++)
        if (drive || strcmp(info.key, "load_motor") == 0) drive |= UINT64_C(1) << k;
    for (size_t n = 0; stiction_law_info_at(n, &law); n++) {
        p += snprintf(p, (size_t)(end - p), "| `%s` | %s%s | %s |", law.name,
                      law.reference ? "to compare with" : "ours",
                      law.needs_effort ? ", needs the effort" : "", in_cell(law.description, cell));
        uint64_t rest = law.parameters;
        if ((rest & drive) == drive) rest &= ~drive;
        for (size_t k = 0; stiction_parameter_at(k, &info); k++)
            if (rest >> k & 1)
                p += snprintf(p, (size_t)(end - p), isnan(info.fallback) ? " `%s`" : " (`%s`)",
                              info.key);
        p += snprintf(p, (size_t)(end - p), "%s |\n", rest == law.parameters ? "" : " (drive)");
    }
    (void)snprintf(p, (size_t)(end - p), "\n");
    check_table(table);
}

TEST(the_document_lists_every_key_of_a_file) {
    const char *table = strstr(read_document(), "| key | value | must it be there? |");
    const char *end = table ? strstr(table, "\n\n") : NULL;
    CHECK(end != NULL);
    for (size_t k = 0; end && k < stiction_top_level_count; k++) {
        char row[64];
        (void)snprintf(row, sizeof row, "\n| `%s` | ", stiction_top_level[k].key);
        const char *found = strstr(table, row);
        if (!found || found > end)
            FAIL("docs/configuration.md lacks the key '%s'", stiction_top_level[k].key);
    }
}

TEST(the_examples_of_the_document_load) {
    int count = 0;
    for (const char *p = read_document(); (p = strstr(p, "```yaml\n")); count++) {
        p += strlen("```yaml\n");
        const char *end = strstr(p, "```\n");
        char *text = calloc((size_t)(end - p) + 1, 1);
        memcpy(text, p, (size_t)(end - p));
        stiction_config_destroy(parse_fine(text));
        free(text);
        p = end;
    }
    CHECK(count > 0);
}

/* The common errors in the document: rows "| `message` | ...", with three dots for what varies. */
enum { most_messages = 128 };
static struct {
    char text[256];
    bool seen;
} messages[most_messages];
static size_t message_count;

static void read_messages(void) {
    const char *p = strstr(read_document(), "| message |");
    CHECK(p != NULL);
    while (p && (p = strstr(p, "\n| `")) && message_count < most_messages) {
        p += strlen("\n| `");
        (void)snprintf(messages[message_count++].text, sizeof messages[0].text, "%.*s",
                       (int)strcspn(p, "`"), p);
    }
}

static bool matches(const char *pattern, const char *text) {
    const char *dots = strstr(pattern, "...");
    if (!dots) return strcmp(pattern, text) == 0;
    if (strncmp(pattern, text, (size_t)(dots - pattern)) != 0) return false;
    for (text += dots - pattern;; text++) {
        if (matches(dots + 3, text)) return true;
        if (!*text) return false;
    }
}

/* The message of a line, without "file:line:column: " and "joint 'X': ". */
static const char *message_of(const char *line) {
    const char *colon = strstr(line, ": ");
    const char *rest = strstr(line, "yaml") && colon ? colon + 2 : line;
    const char *name_end = strstr(rest, "': ");
    const bool named = strncmp(rest, "joint '", 7) == 0 || strncmp(rest, "profile '", 9) == 0;
    return named && name_end ? name_end + 3 : rest;
}

static void match_lines(const char *path, const char *said) {
    (void)path;
    while (*said) {
        char line[2048];
        const size_t length = strcspn(said, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)length, said);
        said += length + 1;
        const char *message = message_of(line);
        for (size_t k = 0; k < message_count; k++)
            if (matches(messages[k].text, message)) messages[k].seen = true;
    }
}

TEST(the_messages_in_the_document_occur) {
    read_messages();
    CHECK(message_count > 4);
    (void)for_each_golden(match_lines);
    for_each_bytes(match_lines);
    for (size_t k = 0; k < message_count; k++)
        if (!messages[k].seen) FAIL("no input causes this message: %s", messages[k].text);
}
