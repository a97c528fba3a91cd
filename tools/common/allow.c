/* Folders from which files may be read that a file names. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "allow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

static const char variable[] = "STICTION_ALLOW";

/* With its whole path: what runs later may be elsewhere. */
static bool allow(const char *folder) {
    struct stat status;
    char *real = realpath(folder, NULL);
    if (!real || stat(real, &status) != 0) {
        const int why = errno;
        free(real);
        return complain("--allow %s: %s", folder, strerror(why));
    }
    const bool is_folder = S_ISDIR(status.st_mode);
    /* the list is one of colons */
    bool fine = is_folder && !strchr(real, ':');
    if (fine) {
        const char *before = getenv(variable);
        char *all = format_text("%s%s%s", real, before && *before ? ":" : "", before ? before : "");
        fine = setenv(variable, all, 1) == 0;
        free(all);
    }
    free(real);
    return fine || complain("--allow %s: %s", folder,
                            is_folder ? "a folder with ':' in its path cannot be allowed"
                                      : "it is not a folder");
}

bool allow_folders(const text_list *folders) {
    bool fine = true;
    for (size_t k = 0; k < folders->count; k++) fine = allow(folders->items[k]) && fine;
    return fine;
}
