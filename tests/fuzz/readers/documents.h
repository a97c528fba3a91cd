/* SPDX-License-Identifier: MIT */
/* Readers of documents that end at the first mistake (document/reader.h). */
#ifndef STICTION_FUZZ_DOCUMENTS_H
#define STICTION_FUZZ_DOCUMENTS_H

#include "../fuzz.h"
#include "document/reader.h"

typedef void *fuzz_call(reader *r, const void *path);

/* Reads a file of these bytes: it must be read, or refused at a place in a file. */
void fuzz_document(const char *name, const uint8_t *data, size_t size, fuzz_call *call);

#endif
