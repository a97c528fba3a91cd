/* SPDX-License-Identifier: MIT */
/* stiction_config_edit_file as a command. usage: faults_edit FILE KEY VALUE */
#include <stdio.h>

#include "stiction/stiction.h"

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const stiction_override change = {argv[2], argv[3]};
    stiction_errors *errors = stiction_errors_create();
    const stiction_status status = stiction_config_edit_file(argv[1], &change, 1, NULL, 0, errors);
    for (size_t k = 0; k < stiction_errors_count(errors); k++) {
        char line[2000];
        (void)stiction_error_format(stiction_errors_at(errors, k), line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    if (status != STICTION_OK && !stiction_errors_count(errors))
        fprintf(stderr, "%s\n", stiction_status_name(status));
    stiction_errors_destroy(errors);
    return status == STICTION_OK ? 0 : 1;
}
