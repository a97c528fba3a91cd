/* SPDX-License-Identifier: MIT */
/* What a foreign-function interface does: the library by its path, functions by their names. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "usage: consumer_ffi LIBRARY");
        return 1;
    }
    double (*w0)(double);
    const char *(*version)(void);
    void *symbol = dlsym(library, "stiction_lambert_w0");
    memcpy(&w0, &symbol, sizeof w0);
    symbol = dlsym(library, "stiction_version");
    memcpy(&version, &symbol, sizeof version);
    if (!w0 || !version) return 1;
    printf("stiction %s: W0(e) = %.17g\n", version(), w0(2.718281828459045));
    /* nothing but the ABI is visible */
    const char *hidden[] = {"fail", "stiction_joint_init", "stiction_dd_exp", "text_matches"};
    for (int k = 0; k < 4; k++)
        if (dlsym(library, hidden[k])) {
            fprintf(stderr, "%s is visible\n", hidden[k]);
            return 1;
        }
    return dlclose(library);
}
