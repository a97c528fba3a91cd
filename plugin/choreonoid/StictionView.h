/* SPDX-License-Identifier: MIT */
#ifndef CNOID_STICTION_PLUGIN_STICTION_VIEW_H
#define CNOID_STICTION_PLUGIN_STICTION_VIEW_H

#include <cnoid/View>
#include <memory>

namespace cnoid {

/**
   The joints with friction of a simulator item: what friction does to them, and its parameters,
   which can be turned while the simulation runs, taken back, and written into the file. Of several
   simulators it shows the one that runs, that was selected, or that it showed before.
*/
class StictionView : public View
{
public:
    static void initializeClass(ExtensionManager* ext);

    StictionView();
    ~StictionView();

protected:
    virtual void onActivated() override;
    virtual void onDeactivated() override;

private:
    class Impl;
    std::unique_ptr<Impl> impl;
};

}

#endif
