/* SPDX-License-Identifier: MIT
 * SANITIZED is defined where a sanitizer watches memory or threads, in gcc's way or in clang's.
 * ROUNDS(n) is how often a test repeats itself (or how many seconds it goes on): under a sanitizer,
 * which is slow and sees as much in a few rounds, a twentieth.
 */
#ifndef STICTION_TESTS_SANITIZED_H
#define STICTION_TESTS_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined(SANITIZED) || defined(STICTION_FEW_ROUNDS) /* the latter by tools/coverage.py */
#define ROUNDS(n) ((n) / 20 + 1)
#else
#define ROUNDS(n) (n)
#endif

#endif
