/* SPDX-License-Identifier: MIT
 * Controllers that a batch run is given instead of the project's.
 */
#ifndef CNOID_STICTION_PLUGIN_BATCH_CONTROLLERS_H
#define CNOID_STICTION_PLUGIN_BATCH_CONTROLLERS_H

#include <string>
#include <vector>

namespace cnoid {

/**
   Replaces the controllers of the bodies of all worlds by StictionControllers.
   \param specifications "SPEC" or "BODY=SPEC", see controllers/host/controller_host.h
   \return an error message, with nothing changed, or an empty string
*/
std::string replaceControllers(const std::vector<std::string>& specifications);

}

#endif
