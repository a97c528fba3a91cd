/* Parts of the command, which complain on stderr and end where there is no memory. */
#ifndef STICTION_FUZZ_CATCH_H
#define STICTION_FUZZ_CATCH_H

#include "../fuzz.h"
#include "common/command.h"

/* Whether call(context) went well; else its complaint must be one that can be shown. */
static inline bool fuzz_catch(bool (*call)(void *), void *context) {
    stiction_error error;
    if (command_catch(call, context, &error)) return true;
    must_be_told(&error);
    return false;
}

#endif
