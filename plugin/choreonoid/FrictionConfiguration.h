/* SPDX-License-Identifier: MIT
 * The configuration of a StictionItem: a file, the values that are replaced for a run, and the
 * user's edits, which can be undone or written into the file.
 */
#ifndef CNOID_STICTION_PLUGIN_FRICTION_CONFIGURATION_H
#define CNOID_STICTION_PLUGIN_FRICTION_CONFIGURATION_H

#include "BodyFriction.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cnoid {

typedef std::shared_ptr<const stiction_config> FrictionConfigPtr;

class FrictionConfiguration
{
public:
    //! A value that replaces one of the file, see stiction_config_override.
    typedef std::pair<std::string, std::string> Override;
    typedef std::vector<Override> Overrides;

    std::string file;
    std::string law;  //!< of all joints; empty: as configured
    std::string coupling; //!< the same
    Overrides values; //!< of a batch run

    FrictionConfiguration(const BodyFriction::Report& report) : report_(report) { }

    /**
       \param jointNames Of the robots: without them nothing is replaced, since keys may name
       joints.
       \return nullptr, with every error reported, if it cannot be used
    */
    FrictionConfigPtr load(const std::vector<std::string>& jointNames) const;

    void addEdit(const Overrides& values) { edits_.push_back(values); }
    //! The last one; there must be one.
    Overrides removeEdit();
    void clearEdits() { edits_.clear(); }
    size_t numEdits() const { return edits_.size(); }
    bool isEdited(const std::string& key) const;
    //! Writes all edits into the file and forgets them. \return false, with the errors reported
    bool writeEdits(const std::vector<std::string>& jointNames);

private:
    bool succeeds(stiction_status status, stiction_errors* errors) const;

    BodyFriction::Report report_;
    std::vector<Overrides> edits_;
};

}

#endif
