/* SANITIZED is defined where the address sanitizer watches, in gcc's way or in clang's. */
#ifndef STICTION_TESTS_SANITIZED_H
#define STICTION_TESTS_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

#endif
