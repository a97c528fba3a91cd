/* SPDX-License-Identifier: MIT */
/* What `stiction sweep --plot` is asked to draw. */
#include <stdlib.h>

#include "../fuzz.h"
#include "common/command.h"
#include "sweep/picture.h"

static void read_spec(const char *text) {
    sweep_picture s;
    stiction_error error;
    const char *file = "a.svg";
    const text_list arguments = {&file, 1};
    const bool fine = succeeds(sweep_picture_read(&s, text, &arguments, "out", &error), &error);
    if (fine) must(s.x && s.y && !(s.z && s.by) && !(s.low >= s.high));
    sweep_picture_free(&s);
}

static void read_plot(const uint8_t *data, size_t size) {
    char *text = fuzz_text((fuzz_part){data, size});
    read_spec(text);
    free(text);
}

const fuzz_reader fuzz_plot = {.name = "plot", .read = read_plot};
