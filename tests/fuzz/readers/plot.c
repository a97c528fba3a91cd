/* What `stiction sweep --plot` is asked to draw. */
#include <stdlib.h>

#include "catch.h"
#include "sweep/picture_spec.h"

static bool read_spec(void *text) {
    picture_spec s;
    const bool fine = picture_spec_read(&s, text);
    if (fine) must(s.x && s.y && !(s.z && s.by) && !(s.low >= s.high));
    picture_spec_free(&s);
    return fine;
}

static void read_plot(const uint8_t *data, size_t size) {
    char *text = fuzz_text((fuzz_part){data, size});
    (void)fuzz_catch(read_spec, text);
    free(text);
}

const fuzz_reader fuzz_plot = {.name = "plot", .read = read_plot};
