/* The table of joint kinds: one row a law that sticks (from joint_models) or a reference model. */
#ifndef STICTION_CAPI_KINDS_H
#define STICTION_CAPI_KINDS_H

#include "joint_internal.h"

/* The info of the law of this name; false where there is none. */
bool kind_info(const char *name, stiction_law_info *info);

#endif
