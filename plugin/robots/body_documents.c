/* SPDX-License-Identifier: MIT
 * The files of YAML that a .body is made of: its own, bodies inside of it, parts and scenes. A file
 * may be named many times, under many names: it is read once, and all together are bounded.
 */
#include <string.h>
#include <sys/stat.h>

#include "body_reader.h"
#include "document/file.h"

typedef struct body_document {
    dev_t device;
    ino_t number;
    const char *what;          /* it was read as, */
    const tree_anchors *known; /* and with which anchors: with others it may mean something else */
    tree_document document;
    const struct body_document *next;
} body_document;

static const body_document *find(const body_document *list, const struct stat *file,
                                 const tree_options *options) {
    while (list && (list->device != file->st_dev || list->number != file->st_ino ||
                    list->known != options->known || strcmp(list->what, options->what) != 0))
        list = list->next;
    return list;
}

tree_document body_read_document(body_reader *b, stiction_place at, const char *path,
                                 const tree_options *options) {
    reader *r = b->r;
    body_whole *whole = b->whole;
    struct stat file;
    stiction_file_notes_add(r->notes, path);
    /* the reader reports a missing file */
    if (stat(path, &file) != 0) return stiction_doc_read(r, at, path, options);
    const body_document *known = find(whole->documents, &file, options);
    if (known) return known->document;
    whole->bytes += (uint64_t)file.st_size;
    if (whole->documents && whole->bytes > FILE_MOST_DOCUMENT)
        stiction_reader_refuse(r, at, "with '%s' the files of this robot have more than 64 MiB",
                               path);
    body_document *read = stiction_reader_alloc(r, sizeof *read);
    *read = (body_document){.device = file.st_dev,
                            .number = file.st_ino,
                            .what = options->what,
                            .known = options->known,
                            .document = stiction_doc_read(r, at, path, options),
                            .next = whole->documents};
    whole->documents = read;
    return read->document;
}
