/* SPDX-License-Identifier: MIT
 * Decides which joints of a body friction can act on, and reports the others, once per body and by
 * name.
 */
#ifndef CNOID_STICTION_PLUGIN_FRICTION_JOINTS_H
#define CNOID_STICTION_PLUGIN_FRICTION_JOINTS_H

#include "BodyFriction.h"
#include <map>

namespace cnoid {

class FrictionJoints
{
public:
    /**
       Friction acts through the effort of a joint. One that is driven by position or velocity
       follows its command whatever the effort; a passive one is set to effort mode, since some
       simulators ignore the effort of a passive joint.
       \return whether it is a joint for friction
    */
    bool take(Link* joint);

    //! Of what take() met.
    void report(const Body* body, const BodyFriction::Report& report) const;

private:
    typedef std::vector<std::string> Names;
    Names passive_;
    std::map<std::string, Names> others_; // by what drives them
};

}

#endif
