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

    //! Some values, and a number that those of several items share if they are undone together.
    struct Edit
    {
        Overrides values;
        int number;
    };
    void addEdit(const Edit& edit) { edits_.push_back(edit); }
    //! The last one; there must be one.
    Edit removeEdit();
    //! Its number; 0: there is none.
    int lastEdit() const { return edits_.empty() ? 0 : edits_.back().number; }
    void clearEdits() { edits_.clear(); }
    size_t numEdits() const { return edits_.size(); }
    bool isEdited(const std::string& key) const;
    //! Writes all edits into the file and forgets them. \return false, with the errors reported
    bool writeEdits(const std::vector<std::string>& jointNames);

private:
    bool succeeds(stiction_status status, stiction_errors* errors) const;

    BodyFriction::Report report_;
    std::vector<Edit> edits_;
};

}

#endif
