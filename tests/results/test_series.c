/* SPDX-License-Identifier: MIT
 * The series of a run in files: the same bits from joints.csv and joints.npz, and an error message
 * about what is no such file.
 */
#include <float.h>
#include <stdint.h>

#include "check.h"
#include "results/digits.h"
#include "results/npz.h"
#include "results/results.h"
#include "storage/manifest.h"
#include "temporary_folder.h"

/* ---- digits ---- */

static uint64_t random_bits(void) {
    static uint64_t state = UINT64_C(88172645463325252);
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void check_digits(double value) {
    static int turn;
    const int decimals = turn++ % 16;
    char ours[DIGITS_SIZE + 1], printed[400];
    if (isnan(value)) return;
    ours[digits_write(value, ours)] = '\0';
    (void)snprintf(printed, sizeof printed, "%.17g", value);
    if (strcmp(ours, printed) != 0) FAIL("%a: %s instead of %s", value, ours, printed);
    ours[digits_write_fixed(value, decimals, ours)] = '\0';
    (void)snprintf(printed, sizeof printed, "%.*f", decimals, value);
    if (strcmp(ours, printed) != 0 && (*ours || strlen(printed) <= DIGITS_SIZE))
        FAIL("%a: %s instead of %s", value, ours, printed);
}

TEST(digits_are_those_of_printf) {
    for (int k = 0; k < ROUNDS(100000); k++) {
        const uint64_t any = random_bits();
        /* where numbers of runs are, and around the ends of what needs no printf */
        const uint64_t usual = (any & UINT64_C(0x800fffffffffffff)) | (1023 - 135 + any % 200)
                                                                          << 52;
        double value;
        memcpy(&value, &any, sizeof value);
        check_digits(value);
        memcpy(&value, &usual, sizeof value);
        check_digits(value);
        check_digits((double)(any % 2000001) / 1000 - 1000);
        check_digits(ldexp((double)(any % 1024), -(int)(any >> 32) % 130)); /* ties */
        check_digits((double)(any >> any % 60));
    }
    for (int power = -330; power < 310; power++) {
        char text[16];
        (void)snprintf(text, sizeof text, "1e%d", power);
        const double value = strtod(text, NULL);
        check_digits(value);
        check_digits(-5 * value);
        check_digits(nextafter(value, 0));
        check_digits(nextafter(value, HUGE_VAL));
    }
    check_digits(0.0);
    check_digits(-0.0);
    check_digits(HUGE_VAL);
    check_digits(-HUGE_VAL);
    check_digits(DBL_MAX);
    check_digits(99999999999999999.0);
}

/* ---- both files ---- */

static const char *const names[] = {"time", "J1.position",    "a, \"b\"\n'c'.x", "../../etc/x",
                                    "/x",   "ns/J\xc3\xa4.y", "\xff.z"};
enum { column_count = sizeof names / sizeof names[0], row_count = 9 };
static double numbers[row_count][column_count];

static series_view a_view(void) {
    static const double odd[] = {0.1,       -0.0,     1e-310,  DBL_MAX,     HUGE_VAL,
                                 -HUGE_VAL, 2.5e-200, 1.0 / 3, -123456789.5};
    for (size_t k = 0; k < row_count; k++) {
        numbers[k][0] = 0.001 * (double)k;
        for (size_t c = 1; c < column_count; c++) numbers[k][c] = odd[(k + c) % 9];
        numbers[k][column_count - 1] = k % 2 ? (double)NAN : 1;
    }
    return (series_view){names, column_count, numbers[0], row_count};
}

static void print_to(const char *folder, const char *name,
                     bool (*print)(FILE *file, const series_view *s), const series_view *view) {
    FILE *file = fopen(temporary_path(folder, name), "wb");
    CHECK(file && print(file, view));
    if (file) CHECK(fclose(file) == 0);
}

/* The arrays of a_view. */
static void print_npz(const char *folder) {
    const series_view view = a_view();
    print_to(folder, SERIES_NPZ_NAME, series_print_npz, &view);
}

typedef enum outcome { ALL_SAME, REFUSED, OTHER_COLUMNS, OTHER_NUMBERS } outcome;

/* What a folder gives back; where it is refused, the error says why. */
static outcome look_at(const char *folder, stiction_error *error) {
    size_t columns[column_count];
    double row[column_count];
    series_reader *r = series_open(folder, error);
    if (!r) return REFUSED;
    outcome found = series_column_count(r) == column_count ? ALL_SAME : OTHER_COLUMNS;
    for (size_t c = 0; c < column_count; c++) {
        columns[c] = series_find(r, names[c], 3);
        if (columns[c] != c) found = OTHER_COLUMNS;
    }
    for (size_t k = 0; found == ALL_SAME; k++) {
        const series_verdict verdict = series_next(r, columns, column_count, row, error);
        if (verdict == SERIES_WRONG) found = REFUSED;
        if (verdict == SERIES_END ? k != row_count : verdict == SERIES_ROW && k >= row_count)
            found = OTHER_NUMBERS;
        if (verdict != SERIES_ROW || found != ALL_SAME) break;
        for (size_t c = 0; c < column_count; c++)
            if (isnan(row[c]) ? !isnan(numbers[k][c])
                              : memcmp(&row[c], &numbers[k][c], sizeof row[c]) != 0)
                found = OTHER_NUMBERS;
    }
    series_close(r);
    return found;
}

static bool gives_all(const char *folder, stiction_error *error) {
    return look_at(folder, error) == ALL_SAME;
}

TEST(both_files_give_the_same_bits) {
    const series_view view = a_view();
    const char *folder = temporary_folder_make();
    stiction_error error;
    CHECK(!series_is_there(folder));
    print_to(folder, SERIES_CSV_NAME, series_print_csv, &view);
    CHECK(series_is_there(folder) && gives_all(folder, &error));
    CHECK(remove(temporary_path(folder, SERIES_CSV_NAME)) == 0);
    print_to(folder, SERIES_NPZ_NAME, series_print_npz, &view);
    CHECK(series_is_there(folder) && gives_all(folder, &error));
    /* of both it is the arrays */
    temporary_write(folder, SERIES_CSV_NAME, "nonsense");
    CHECK(gives_all(folder, &error));
    temporary_folder_remove();
}

TEST(who_unpacks_arrays_stays_in_a_folder) {
    static const char *const pairs[][2] = {{"../x", ".._x"},  {"/x", "_x"},   {"a/../b", "a_.._b"},
                                           {"..\\x", ".._x"}, {"a/b", "a/b"}, {"a..b/c", "a..b/c"},
                                           {"x\ny", "x\\ny"}, {"..", ".."},   {"a/..b", "a/..b"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        char *name = npz_name(pairs[k][0]);
        CHECK(name && strcmp(name, pairs[k][1]) == 0);
        free(name);
    }
}

/* ---- what is no such file ---- */

static void write_bytes(const char *folder, const unsigned char *bytes, size_t size) {
    FILE *file = fopen(temporary_path(folder, SERIES_NPZ_NAME), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
}

static unsigned char *read_bytes(const char *folder, size_t *size) {
    static unsigned char bytes[1 << 14];
    FILE *file = fopen(temporary_path(folder, SERIES_NPZ_NAME), "rb");
    if (!file) abort();
    *size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    return bytes;
}

TEST(damaged_arrays_are_refused_or_harmless) {
    const char *folder = temporary_folder_make();
    stiction_error error;
    size_t size;
    print_npz(folder);
    unsigned char *bytes = read_bytes(folder, &size);
    CHECK(size > 1000 && size < 1 << 14);
    for (size_t k = 0; k < size; k++) {
        write_bytes(folder, bytes, k);
        if (look_at(folder, &error) != REFUSED)
            FAIL("the first %zu bytes of %zu are taken", k, size);
    }
    for (size_t k = 0; k < size; k++) {
        const unsigned char bit = (unsigned char)(1u << k % 8);
        bytes[k] ^= bit;
        write_bytes(folder, bytes, size);
        if (look_at(folder, &error) == OTHER_NUMBERS) FAIL("byte %zu gives other numbers", k);
        bytes[k] ^= bit;
    }
    temporary_folder_remove();
}

/* Replaces `at` in the file and expects the error message. */
static void check_refused(const char *folder, size_t at, const char *by, size_t length,
                          const char *sentence) {
    stiction_error error = {.status = STICTION_OK};
    size_t size;
    print_npz(folder);
    unsigned char *bytes = read_bytes(folder, &size);
    memcpy(bytes + at, by, length);
    write_bytes(folder, bytes, size);
    CHECK(!gives_all(folder, &error));
    CHECK_CONTAINS(error.path, "/joints.npz");
    CHECK_CONTAINS(error.message, sentence);
}

static size_t find(const char *folder, const char *text, size_t length) {
    size_t size;
    print_npz(folder);
    const unsigned char *bytes = read_bytes(folder, &size);
    for (size_t k = 0; k + length <= size; k++)
        if (memcmp(bytes + k, text, length) == 0) return k;
    FAIL("the file lacks %s", text);
    return 0;
}

TEST(sentences_say_what_is_wrong_with_arrays) {
    const char *folder = temporary_folder_make();
    const size_t entry = find(folder, "PK\1\2", 4), end = find(folder, "PK\5\6", 4);
    const size_t type = find(folder, "'<f8'", 5), shape = find(folder, "(9,)", 4);
    check_refused(folder, end, "XX", 2, "it is not an npz file, or its end is missing");
    check_refused(folder, end + 10, "\x08\0", 2, "fewer entries than it says");
    check_refused(folder, end + 10, "\xff\xff", 2, "more than 65534 arrays");
    check_refused(folder, end + 10, "\0\0", 2, "there is no array in it");
    check_refused(folder, end + 16, "\xff\xff\xff\x7f", 4, "its directory is outside of the file");
    check_refused(folder, end + 12, "\xff\xff\xff\x7f", 4, "its directory is outside of the file");
    check_refused(folder, entry + 8, "\1", 1, "'time' in it is encrypted");
    check_refused(folder, entry + 10, "\x08", 1, "'time' in it is compressed");
    check_refused(folder, entry + 24, "\xff\xff\xff\x7f", 4, "'time' in it is compressed");
    check_refused(folder, entry + 20, "\xff\xff\xff\x7f\xff\xff\xff\x7f", 8,
                  "'time' in it is larger than what the file has for it");
    check_refused(folder, entry + 42, "\x07", 1, "'time' in it is not where the directory says");
    check_refused(folder, entry + 46 + 4, ".txt", 4, "something else than arrays");
    const char *other = "'time' in it is not an array of doubles of one dimension";
    check_refused(folder, 30 + 8, "X", 1, other);
    check_refused(folder, 30 + 8 + 6, "\x09", 1, other);
    check_refused(folder, type, "'<f4'", 5, other);
    check_refused(folder, type, "'>f8'", 5, other);
    check_refused(folder, 30 + 8 + 8, "\xff\x7f", 2, other);
    check_refused(folder, entry + 20, "\5\0\0\0\5\0\0\0", 8, other);
    check_refused(folder, entry, "XX", 2, "fewer entries than it says");
    check_refused(folder, entry + 28, "\xff\xff", 2, "its directory ends in an entry");
    check_refused(folder, entry + 28, "\3", 1, "something else than arrays");
    check_refused(folder, entry + 46, "t\0me", 4, "something else than arrays");
    check_refused(folder, 0, "XX", 2, "'time' in it is not where the directory says");
    check_refused(folder, find(folder, "'descr'", 7) + 1, "D", 1, other);
    check_refused(folder, find(folder, "'fortran", 8) + 1, "F", 1, other);
    check_refused(folder, find(folder, "'shape'", 7) + 1, "S", 1, other);
    check_refused(folder, shape, "[9,)", 4, other);
    check_refused(folder, shape, "(8,)", 4, other);
    check_refused(folder, shape, "(9,9", 4, other);
    check_refused(folder, shape + 70, "\1", 1, "'time' in it is damaged: its checksum");
    temporary_folder_remove();
}

/* Members that lie over each other would be numbers without end from a small file. */
TEST(arrays_are_no_larger_than_their_file) {
    const char *folder = temporary_folder_make();
    stiction_error error;
    size_t size;
    print_npz(folder);
    unsigned char *bytes = read_bytes(folder, &size);
    static unsigned char bomb[1 << 16];
    const size_t first = find(folder, "PK\1\2", 4), entry = 46 + 8;
    enum { copies = 900 };
    CHECK(first + copies * entry + 22 < sizeof bomb);
    memcpy(bomb, bytes, first);
    for (size_t k = 0; k < copies; k++) memcpy(bomb + first + k * entry, bytes + first, entry);
    unsigned char *end = bomb + first + copies * entry;
    memcpy(end, bytes + size - 22, 22);
    const size_t length = copies * entry;
    const unsigned char low = copies & 0xff, high = copies >> 8 & 0xff;
    const unsigned char counts[] = {low, high, low, high, length & 0xff, length >> 8 & 0xff, 0, 0};
    memcpy(end + 8, counts, sizeof counts);
    write_bytes(folder, bomb, (size_t)(end - bomb) + 22);
    CHECK(!series_open(folder, &error));
    CHECK_CONTAINS(error.message, "is larger than what the file has for it");
    temporary_folder_remove();
}

TEST(what_is_no_file_is_not_waited_for) {
    const char *folder = temporary_folder_make();
    stiction_error error;
    CHECK(!series_open(folder, &error));
    CHECK_CONTAINS(error.message, "the run has no series (--series none keeps none)");
    CHECK(mkfifo(temporary_path(folder, SERIES_NPZ_NAME), 0600) == 0);
    CHECK(!series_open(folder, &error));
    CHECK_CONTAINS(error.message, "it is not a file but a pipe");
    temporary_folder_remove();
}

TEST(cells_are_numbers_or_a_sentence) {
    const char *folder = temporary_folder_make();
    stiction_error error;
    const struct {
        const char *text;
        double value;
    } cells[] = {{"1e-400", 0},
                 {"1e400", (double)INFINITY},
                 {"-1e400", -(double)INFINITY},
                 {"inf", (double)INFINITY},
                 {"-Inf", -(double)INFINITY},
                 {"-007", -7}};
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        FILE *file = fopen(temporary_path(folder, SERIES_CSV_NAME), "w");
        if (!file || fprintf(file, "time\n%s\nx\n", cells[k].text) < 0 || fclose(file) != 0)
            abort();
        series_reader *r = series_open(folder, &error);
        CHECK(r);
        double value;
        CHECK(series_next(r, &(size_t){0}, 1, &value, &error) == SERIES_ROW);
        CHECK_SAME(value, cells[k].value);
        CHECK(series_next(r, &(size_t){0}, 1, &value, &error) == SERIES_WRONG);
        CHECK_CONTAINS(error.message, "'x'");
        CHECK(error.line == 3);
        series_close(r);
    }
    FILE *file = fopen(temporary_path(folder, SERIES_CSV_NAME), "w");
    if (!file || fclose(file) != 0) abort();
    CHECK(!series_open(folder, &error));
    CHECK_CONTAINS(error.message, "there is no sample in it");
    temporary_folder_remove();
}

TEST(blame_has_the_row_of_an_array) {
    const char *folder = temporary_folder_make();
    stiction_error error;
    print_npz(folder);
    series_reader *r = series_open(folder, &error);
    CHECK(r && series_blame(r, &error, "no %s", "time") == SERIES_WRONG);
    CHECK_CONTAINS(error.message, "no time");
    double value[2];
    const size_t columns[] = {0, SIZE_MAX}; /* one that is not there is not known */
    CHECK(series_next(r, columns, 2, value, &error) == SERIES_ROW && isnan(value[1]));
    CHECK(series_blame(r, &error, "time %g", 0.5) == SERIES_WRONG);
    CHECK_CONTAINS(error.message, "row 1: time 0.5");
    series_close(r);
    temporary_folder_remove();
}

/* ---- a run ---- */

static results *a_run(void) {
    static const char *const joint = "J";
    const stiction_joint_def friction = {.size = sizeof friction, .law = "none"};
    const results_def def = {.project = "p",
                             .simulator = "S",
                             .engine = "test",
                             .timestep = 0.01,
                             .count = 1,
                             .names = &joint,
                             .friction = &friction};
    results *r = results_create(&def);
    for (int k = 0; r && k < 20; k++) {
        const double q = sin(k), v = cos(k);
        const unsigned char slipping = k % 2 != 0;
        CHECK(results_add(r, &(results_sample){.time = 0.01 * k,
                                               .position = &q,
                                               .velocity = &v,
                                               .friction.slipping = &slipping}));
    }
    CHECK(r && results_finish(r, true, NULL, 0));
    return r;
}

/* The files of a folder by its list, as letters. */
static const char *files_of(const char *folder) {
    static char letters[8];
    manifest list;
    const char *reason;
    letters[0] = '\0';
    CHECK(manifest_read(&list, folder) == MANIFEST_FINE && !manifest_check(&list, folder, &reason));
    if (manifest_has(&list, "joints.csv")) (void)strcat(letters, "c");
    if (manifest_has(&list, "joints.npz")) (void)strcat(letters, "n");
    if (manifest_has(&list, "summary.json")) (void)strcat(letters, "s");
    const bool other = (access(temporary_path(folder, "joints.csv"), F_OK) == 0) !=
                           manifest_has(&list, "joints.csv") ||
                       (access(temporary_path(folder, "joints.npz"), F_OK) == 0) !=
                           manifest_has(&list, "joints.npz");
    if (other) (void)strcat(letters, "?");
    manifest_free(&list);
    return letters;
}

TEST(run_has_the_files_that_are_asked_for) {
    static const struct {
        series_format format;
        const char *letters;
    } cases[] = {{SERIES_CSV, "cs"}, {SERIES_NPZ, "ns"}, {SERIES_BOTH, "cns"}, {SERIES_NONE, "s"}};
    results *r = a_run();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *folder = temporary_folder_make();
        CHECK(results_write_as(r, folder, cases[k].format, NULL) == STICTION_OK);
        CHECK(strcmp(files_of(folder), cases[k].letters) == 0);
        temporary_folder_remove();
    }
    results_destroy(r);
}

TEST(series_of_another_engine_become_those_that_are_asked_for) {
    results *r = a_run();
    const char *folder = temporary_folder_make();
    stiction_error error;
    size_t whole, converted;
    CHECK(results_write_as(r, folder, SERIES_NPZ, &error) == STICTION_OK);
    unsigned char *bytes = read_bytes(folder, &whole), *before = malloc(whole + 1);
    if (!before) abort();
    memcpy(before, bytes, whole);
    CHECK(results_write(r, folder, &error) == STICTION_OK);
    CHECK(series_convert(folder, SERIES_BOTH, &error) == STICTION_OK);
    CHECK(strcmp(files_of(folder), "cns") == 0);
    bytes = read_bytes(folder, &converted);
    CHECK(converted == whole && memcmp(bytes, before, whole) == 0);
    CHECK(series_convert(folder, SERIES_NPZ, &error) == STICTION_OK);
    CHECK(strcmp(files_of(folder), "ns") == 0);
    CHECK(series_convert(folder, SERIES_NONE, &error) == STICTION_OK);
    CHECK(strcmp(files_of(folder), "s") == 0);
    CHECK(series_convert(folder, SERIES_CSV, &error) != STICTION_OK);
    free(before);
    results_destroy(r);
    temporary_folder_remove();
}
