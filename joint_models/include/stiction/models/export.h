/* SPDX-License-Identifier: MIT */
/* Symbols that the shared library exports. */
#ifndef STICTION_MODELS_EXPORT_H
#define STICTION_MODELS_EXPORT_H

#if defined(__GNUC__)
#define STICTION_API __attribute__((visibility("default")))
#else
#define STICTION_API
#endif

#ifdef __cplusplus
#define STICTION_BEGIN_C extern "C" {
#define STICTION_END_C   }
#else
#define STICTION_BEGIN_C
#define STICTION_END_C
#endif

#endif
