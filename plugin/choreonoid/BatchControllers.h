/*
 * Controllers that a batch run is given instead of the project's.
 */
#ifndef CNOID_STICTION_PLUGIN_BATCH_CONTROLLERS_H
#define CNOID_STICTION_PLUGIN_BATCH_CONTROLLERS_H

#include <string>
#include <vector>

namespace cnoid {

/**
   Takes away what drives the bodies of all worlds, and puts StictionControllers there.
   \param specifications "SPEC" or "BODY=SPEC", see controllers/host/controller_choice.h
   \return a sentence, with nothing changed, where that cannot be; or nothing
*/
std::string replaceControllers(const std::vector<std::string>& specifications);

}

#endif
