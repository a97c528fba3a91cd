/* SPDX-License-Identifier: MIT */
#include <cnoid/Config>
#define CNOID_GETTEXT_DOMAIN_NAME "CnoidStictionPlugin-" CNOID_VERSION_STRING
#include <cnoid/GettextUtil>
