/* SPDX-License-Identifier: MIT
 * MuJoCo's reader and compiler of models are C++ and throw when memory runs out, which would end a
 * C program. Streams of the C++ library catch the exception and fail, which MuJoCo reports as an
 * error in the file; so a handler of `new` notes it.
 */
#include "fence_catch.h"

#include <new>

namespace {

thread_local bool ran_out;
std::new_handler before;

void note_and_throw() {
    ran_out = true;
    throw std::bad_alloc();
}

} // namespace

void fence_catch_begin() {
    before = std::set_new_handler(note_and_throw);
}

void fence_catch_end() {
    std::set_new_handler(before);
}

bool fence_catch(void (*call)(void *), void *context) {
    ran_out = false;
    try {
        call(context);
    } catch (const std::bad_alloc &) {
        ran_out = true;
    }
    return !ran_out;
}
