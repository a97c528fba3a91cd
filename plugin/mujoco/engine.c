/*
 * MuJoCo, fenced in: guarded calls, and models from text in memory.
 */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The guard of the call that is under way. */
typedef struct guard {
    jmp_buf out;
    char *message;
    stiction_log log;
    void *log_user;
} guard;

static _Thread_local guard *current;

/* MuJoCo does not expect this to return. */
static void on_error(const char *message) {
    (void)snprintf(current->message, ENGINE_MESSAGE, "MuJoCo: %s", message);
    longjmp(current->out, 1);
}

static void on_warning(const char *message) {
    if (!current->log) return;
    char line[ENGINE_MESSAGE];
    (void)snprintf(line, sizeof line, "MuJoCo: %s", message);
    current->log(current->log_user, STICTION_LOG_WARNING, line);
}

bool engine_run(void (*call)(void *), void *context, stiction_log log, void *log_user,
                char message[ENGINE_MESSAGE]) {
    guard own = {.message = message, .log = log, .log_user = log_user};
    guard *const outer = current;
    void (*const outer_error)(const char *) = mju_user_error;
    void (*const outer_warning)(const char *) = mju_user_warning;
    current = &own;
    mju_user_error = on_error;
    mju_user_warning = on_warning;
    const bool done = setjmp(own.out) == 0;
    if (done) call(context);
    mju_user_error = outer_error;
    mju_user_warning = outer_warning;
    current = outer;
    return done;
}

static const char memory_file[] = "robot.xml";

typedef struct loading {
    const char *path;
    mjVFS files;
    mjModel *model;
    char error[ENGINE_MESSAGE];
} loading;

static void finish_loading(void *memory) {
    loading *l = memory;
    mj_deleteVFS(&l->files);
    if (l->model) mj_deleteModel(l->model);
}

static void load(void *context) {
    loading *l = context;
    const bool in_memory = l->files.nfile > 0;
    l->model = mj_loadXML(in_memory ? memory_file : l->path, in_memory ? &l->files : NULL, l->error,
                          sizeof l->error);
    mj_freeLastXML();
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

/* "Error: no such thing\nObject name = X, id = 3" and its kin, in one line and in parts. */
static void understand(char *text, engine_complaint *complaint) {
    static const char name_key[] = "Object name = ", line_key[] = ", line ";
    memset(complaint, 0, sizeof *complaint);
    const char *line = strstr(text, line_key);
    if (line) complaint->line = atoi(line + strlen(line_key));
    char *name = strstr(text, name_key);
    if (name) {
        const char *start = name + strlen(name_key);
        (void)snprintf(complaint->object, sizeof complaint->object, "%.*s",
                       (int)strcspn(start, ","), start);
        *name = '\0';
    }
    one_line(text);
    (void)snprintf(complaint->message, sizeof complaint->message, "MuJoCo: %.900s", text);
}

mjModel *engine_load(reader *r, const char *path, const char *text, size_t size,
                     engine_complaint *complaint) {
    loading *l = reader_own(r, sizeof *l, finish_loading);
    l->path = path;
    mj_defaultVFS(&l->files);
    if (text) {
        if (mj_makeEmptyFileVFS(&l->files, memory_file, (int)size) != 0)
            reader_refuse(r, (place){path, 0, 0}, "out of memory");
        memcpy(l->files.filedata[0], text, size);
    }
    char crash[ENGINE_MESSAGE];
    const bool done = engine_run(load, l, r->log, r->log_user, crash);
    if (!done) reader_refuse(r, (place){path, 0, 0}, "%s", crash);
    if (!l->model) {
        understand(l->error, complaint);
    } else if (l->error[0]) {
        one_line(l->error);
        reader_warn(r, (place){path, 0, 0}, "MuJoCo: %s", l->error);
    }
    return l->model;
}

static void update(void *context) {
    mjModel *model = context;
    mjData *data = mj_makeData(model);
    mj_setConst(model, data);
    mj_deleteData(data);
}

void engine_update(reader *r, place at, mjModel *model) {
    char crash[ENGINE_MESSAGE];
    if (!engine_run(update, model, r->log, r->log_user, crash)) reader_refuse(r, at, "%s", crash);
}
