/* SPDX-License-Identifier: MIT
 * MuJoCo, fenced in: guarded calls, and models from text in memory.
 */
#include "fence.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fence_catch.h"
#include "hull_contacts.h"
#include "meshes/sandbox.h"

/* The guard of the call that is under way. */
typedef struct guard {
    struct guard *outer; /* of the call that this one is made in; NULL: none */
    jmp_buf out;
    char *message;
    stiction_log log;
    void *log_user;
} guard;

static _Thread_local guard *current;

/* Where its compiler is left by an exception, or by us, its own handler of this thread stays, which
 * would jump into a call that has ended. They are private, and not of every version. */
/* NOLINTBEGIN(bugprone-reserved-identifier,cert-*): so MuJoCo calls them */
extern void _mjPRIVATE__set_tls_error_fn(void (*)(const char *)) __attribute__((weak));
extern void _mjPRIVATE__set_tls_warning_fn(void (*)(const char *)) __attribute__((weak));
/* NOLINTEND(bugprone-reserved-identifier,cert-*) */

static void remove_inner_handlers(void) {
    if (_mjPRIVATE__set_tls_error_fn) _mjPRIVATE__set_tls_error_fn(NULL);
    if (_mjPRIVATE__set_tls_warning_fn) _mjPRIVATE__set_tls_warning_fn(NULL);
}

static const char no_memory[] = "MuJoCo: out of memory";

/* Also where a model or its data would be too large. */
static bool is_of_memory(const char *message) {
    return strstr(message, "allocate memory") || strstr(message, "could not create mj");
}

/* MuJoCo does not expect this to return. A thread that is not ours may meet it, too. */
static void on_error(const char *message) {
    if (!current) {
        fprintf(stderr, "MuJoCo: %s\n", message);
        exit(EXIT_FAILURE);
    }
    if (is_of_memory(message))
        (void)snprintf(current->message, ENGINE_MESSAGE, no_memory);
    else
        (void)snprintf(current->message, ENGINE_MESSAGE, "MuJoCo: %s", message);
    longjmp(current->out, 1);
}

static void on_warning(const char *message) {
    if (!current || !current->log) return;
    char line[ENGINE_MESSAGE];
    (void)snprintf(line, sizeof line, "MuJoCo: %s", message);
    current->log(current->log_user, STICTION_LOG_WARNING, line);
}

/* MuJoCo's handlers, its collision functions and its callback are global: how many use ours, and
 * what was there before. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int users, callback_users;
    void (*error)(const char *);
    void (*warning)(const char *);
    void (*callback)(const mjModel *, mjData *);
} before;

static void restore_handlers(void) {
    mju_user_error = before.error;
    mju_user_warning = before.warning;
    hull_contacts_end();
    fence_catch_end();
}

/* ---- forks ---- */

/* MuJoCo's reader of XML has one model in hand. */
static pthread_mutex_t loading_lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool loads; /* this thread has it, and a log may fork */

/* A child has only the thread that forked. It must not inherit a lock or a handler of another. */
static void before_fork(void) {
    if (!loads) (void)pthread_mutex_lock(&loading_lock);
    (void)pthread_mutex_lock(&lock);
}

static void after_fork(void) {
    (void)pthread_mutex_unlock(&lock);
    if (!loads) (void)pthread_mutex_unlock(&loading_lock);
}

static void after_fork_in_child(void) {
    const bool was_used = before.users > 0;
    before.users = current ? 1 : 0;
    if (was_used && before.users == 0) restore_handlers();
    if (before.callback_users > 0 && before.users == 0) {
        before.callback_users = 0;
        mjcb_control = before.callback;
    }
    after_fork();
}

static void watch_forks(void) {
    (void)pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static void expect_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, watch_forks);
}

/* ---- guarded calls ---- */

/* A call within another of its thread finds the handlers in place. */
static void enter(void) {
    if (current) return;
    expect_forks();
    (void)pthread_mutex_lock(&lock);
    if (before.users++ == 0) {
        before.error = mju_user_error;
        before.warning = mju_user_warning;
        mju_user_error = on_error;
        mju_user_warning = on_warning;
        hull_contacts_begin();
        fence_catch_begin();
    }
    (void)pthread_mutex_unlock(&lock);
}

static void leave(void) {
    if (current) return;
    (void)pthread_mutex_lock(&lock);
    if (--before.users == 0) restore_handlers();
    (void)pthread_mutex_unlock(&lock);
}

void engine_begin_callback(void (*callback)(const mjModel *, mjData *)) {
    (void)pthread_mutex_lock(&lock);
    if (before.callback_users++ == 0) {
        before.callback = mjcb_control;
        mjcb_control = callback;
    }
    (void)pthread_mutex_unlock(&lock);
}

void engine_end_callback(void) {
    (void)pthread_mutex_lock(&lock);
    if (--before.callback_users == 0) mjcb_control = before.callback;
    (void)pthread_mutex_unlock(&lock);
}

static atomic_ulong surrenders;

unsigned long engine_surrenders(void) {
    return atomic_load(&surrenders);
}

bool engine_run(void (*call)(void *), void *context, stiction_log log, void *log_user,
                char message[ENGINE_MESSAGE]) {
    guard own = {.outer = current, .message = message, .log = log, .log_user = log_user};
    enter();
    current = &own;
    bool done = false;
    if (setjmp(own.out) == 0) {
        done = fence_catch(call, context);
        if (!done) (void)snprintf(message, ENGINE_MESSAGE, no_memory);
    }
    if (!done) {
        remove_inner_handlers();
        atomic_fetch_add(&surrenders, 1);
    }
    current = own.outer;
    leave();
    return done;
}

stiction_status engine_status(const char *message, stiction_status otherwise) {
    return strcmp(message, no_memory) == 0 ? STICTION_OUT_OF_MEMORY : otherwise;
}

static const char memory_file[] = "robot.xml", binary_file[] = "robot.mjb";

typedef struct loading {
    engine_text text;
    char *binary; /* of `binary_size` bytes: the file as the child process compiled it */
    size_t binary_size;
    mjVFS files;
    mjModel *model;
    char error[ENGINE_MESSAGE];
} loading;

static void finish_loading(void *memory) {
    loading *l = memory;
    free(l->binary);
    mj_deleteVFS(&l->files);
    if (l->model) mj_deleteModel(l->model);
}

static void load(void *context) {
    loading *l = context;
    if (!mujoco_add_text(&l->files, memory_file, l->text.text, l->text.size))
        on_error("cannot allocate memory");
    l->model = mj_loadXML(memory_file, &l->files, l->error, sizeof l->error);
    mj_freeLastXML();
}

static void load_binary(void *context) {
    loading *l = context;
    if (!mujoco_add_text(&l->files, binary_file, l->binary, l->binary_size))
        on_error("cannot allocate memory");
    l->model = mj_loadModel(binary_file, &l->files);
}

/* One space for all white space between words. */
static void one_line(char *text) {
    char *to = text;
    for (const char *c = text; *c; c++) {
        if (!strchr(" \t\r\n", *c))
            *to++ = *c;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ') to--;
    *to = '\0';
}

/* "Error: no such thing\nObject name = X, id = 3", "XML Error: what\nElement 'a', line 7" */
static _Noreturn void refuse(reader *r, const loading *l, char *text) {
    static const char *const name_keys[] = MUJOCO_NAME_KEYS;
    static const char line_key[] = ", line ";
    const engine_text *t = &l->text;
    if (strstr(text, "ELEMENT_DEPTH_EXCEEDED"))
        stiction_reader_refuse(r, (stiction_place){t->path, 0, 0},
                               "a chain of links is too long for the XML reader of MuJoCo %s",
                               mj_versionString());
    char *line = strstr(text, line_key);
    const int number = line ? atoi(line + strlen(line_key)) : 0;
    if (line) *line = '\0'; /* of a text that the user has not seen */
    char object[100] = "";
    for (size_t k = 0; k < sizeof name_keys / sizeof name_keys[0] && !*object; k++) {
        char *name = strstr(text, name_keys[k]);
        if (!name) continue;
        const char *start = name + strlen(name_keys[k]);
        (void)snprintf(object, sizeof object, "%.*s", (int)strcspn(start, MUJOCO_NAME_END), start);
        if (k == 0) *name = '\0'; /* it follows the message; others are part of it */
    }
    char *element = t->foreign ? NULL : strstr(text, "\nElement '");
    if (element) *element = '\0';
    one_line(text);
    const bool unknown = strstr(text, "unrecognized") || strstr(text, "invalid keyword");
    stiction_reader_refuse(r, t->locate(t->context, object, number), "MuJoCo: %s%s%s%s%s%s", text,
                           *object ? " (" : "", object, *object ? ")" : "",
                           unknown ? "; this is MuJoCo " : "", unknown ? mj_versionString() : "");
}

/* Whether MuJoCo refuses a mesh only for its faces: takes its name over. */
static bool is_unoriented(const loading *l) {
    static const char key[] = "inconsistent orientation: ";
    const char *name = strstr(l->error, key);
    if (!name || !l->text.unoriented) return false;
    name += strlen(key);
    (void)snprintf(l->text.unoriented, ENGINE_MESSAGE, "%.*s", (int)strcspn(name, "\n"), name);
    return true;
}

_Noreturn void engine_refuse(reader *r, stiction_place at, const char *message) {
    stiction_error error;
    (void)stiction_fail_at(&error, engine_status(message, STICTION_INVALID_CONFIG), at, "%s",
                           message);
    stiction_reader_refuse_as(r, &error);
}

/* ---- what others wrote ---- */

/*
 * A file can ask MuJoCo for any time and memory, or lead it into a mistake of its own. So it is
 * compiled in a child process with limits, which sends the model back in MuJoCo's binary format.
 */
#ifdef STICTION_FUZZED /* a fuzzer has limits of its own, and no time for processes */
static const bool has_child = false;
#else
static const bool has_child = true;
#endif

/* What the child sends, followed by the model. */
typedef struct compiled {
    bool whole;                   /* MuJoCo came to an end */
    char error[ENGINE_MESSAGE];   /* why there is no model, or what the compiler warns of */
    char warning[ENGINE_MESSAGE]; /* the first that went to the log; "": none */
    size_t size;                  /* of the model; 0: no model */
} compiled;

static void save(void *context) {
    loading *l = context;
    load(l);
    if (!l->model) return;
    l->binary_size = (size_t)mj_sizeModel(l->model);
    l->binary = malloc(l->binary_size);
    if (!l->binary) on_error("cannot allocate memory");
    mj_saveModel(l->model, NULL, l->binary, (int)l->binary_size);
}

static void keep_warning(void *user, stiction_log_level level, const char *message) {
    compiled *c = user;
    (void)level;
    if (!c->warning[0]) (void)snprintf(c->warning, sizeof c->warning, "%s", message);
}

static void compile_there(void *context, int out) {
    loading *l = context;
    compiled c = {.whole = false};
    c.whole = engine_run(save, l, keep_warning, &c, c.error);
    if (c.whole) memcpy(c.error, l->error, sizeof c.error);
    if (c.whole && l->model) c.size = l->binary_size;
    sandbox_write(out, &c, sizeof c);
    if (c.size > 0) sandbox_write(out, l->binary, c.size);
}

static void compile_in_child(reader *r, loading *l) {
    const stiction_place at = {l->text.path, 0, 0};
    const sandbox_limits limits = sandbox_limits_of(r->untrusted, r->is_stopped);
    compiled c = {.whole = false};
    sandbox box;
    if (r->seconds > limits.all_seconds)
        stiction_reader_refuse(r, at, "the files before it took more than %d s of processor time",
                               limits.all_seconds);
    expect_forks();
    sandbox_start(&box, &limits, compile_there, l);
    if (sandbox_read(&box, &c, sizeof c) && c.size > 0) {
        l->binary_size = c.size;
        l->binary = malloc(c.size);
        if (l->binary) (void)sandbox_read(&box, l->binary, c.size);
    }
    sandbox_end(&box);
    r->seconds += box.used;
    if (box.problem[0]) stiction_reader_refuse(r, at, "MuJoCo: %s", box.problem);
    memcpy(l->error, c.error, sizeof l->error);
    if (c.size > 0) {
        if (!l->binary) stiction_reader_no_memory(r);
        if (c.warning[0] && r->log) r->log(r->log_user, STICTION_LOG_WARNING, c.warning);
        return;
    }
    if (!c.whole && strcmp(c.error, no_memory) != 0) engine_refuse(r, at, c.error);
    if (c.whole && is_unoriented(l)) return;
    if (c.whole && !is_of_memory(c.error)) refuse(r, l, c.error);
    stiction_error error;
    (void)stiction_fail_at(&error, STICTION_OUT_OF_MEMORY, at, "%s: it has at most %zu MB",
                           no_memory, limits.memory / 1000000);
    stiction_reader_refuse_as(r, &error);
}

mjModel *engine_load(reader *r, const engine_text *text) {
    const stiction_place at = {text->path, 0, 0};
    loading *l = stiction_reader_own(r, sizeof *l, finish_loading);
    l->text = *text;
    mj_defaultVFS(&l->files);
    if (text->unoriented) text->unoriented[0] = '\0';
    if (text->foreign && has_child) compile_in_child(r, l);
    if (text->unoriented && text->unoriented[0]) return NULL;
    char crash[ENGINE_MESSAGE];
    expect_forks();
    (void)pthread_mutex_lock(&loading_lock);
    loads = true;
    const bool whole = engine_run(l->binary ? load_binary : load, l, r->log, r->log_user, crash);
    loads = false;
    (void)pthread_mutex_unlock(&loading_lock);
    if (!whole) engine_refuse(r, at, crash);
    if (!l->model && is_of_memory(l->error)) engine_refuse(r, at, no_memory);
    if (!l->model && is_unoriented(l)) return NULL;
    if (!l->model) refuse(r, l, l->error);
    free(l->binary);
    l->binary = NULL;
    mj_deleteVFS(&l->files);
    mj_defaultVFS(&l->files);
    one_line(l->error);
    if (l->error[0]) stiction_reader_warn(r, at, "MuJoCo: %s", l->error);
    return l->model;
}

static void update(void *context) {
    mjModel *model = context;
    mjData *data = mj_makeData(model);
    mj_setConst(model, data);
    mj_deleteData(data);
}

void engine_update(reader *r, stiction_place at, mjModel *model) {
    char crash[ENGINE_MESSAGE];
    if (!engine_run(update, model, r->log, r->log_user, crash)) engine_refuse(r, at, crash);
}
