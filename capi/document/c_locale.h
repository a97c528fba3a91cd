/* SPDX-License-Identifier: MIT
 * The "C" locale for the calling thread, so that numbers in files and messages have a point.
 */
#ifndef STICTION_CAPI_DOCUMENT_C_LOCALE_H
#define STICTION_CAPI_DOCUMENT_C_LOCALE_H

#include <locale.h>

typedef struct c_locale {
    locale_t own, previous;
} c_locale;

static inline c_locale c_locale_enter(void) {
    const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (c_locale){own, own ? uselocale(own) : (locale_t)0};
}

static inline void c_locale_leave(c_locale locale) {
    if (!locale.own) return;
    (void)uselocale(locale.previous);
    freelocale(locale.own);
}

#endif
