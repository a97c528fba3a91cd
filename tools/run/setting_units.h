/* SPDX-License-Identifier: MIT */
/* The units of what --set replaces, for axes and tables. */
#ifndef STICTION_TOOLS_RUN_SETTING_UNITS_H
#define STICTION_TOOLS_RUN_SETTING_UNITS_H

/* "controller.kp" -> "s^-2"; "": it has none, or it is not known. */
const char *setting_unit(const char *key);

#endif
