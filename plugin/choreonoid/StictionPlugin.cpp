/* SPDX-License-Identifier: MIT */
#include "Batch.h"
#include "StictionItem.h"
#include "StictionView.h"
#include <cnoid/Plugin>
#include <stiction/stiction.h>
#include "gettext.h"

using namespace cnoid;

namespace {

class StictionPlugin : public Plugin
{
public:
    StictionPlugin() : Plugin("Stiction")
    {
        require("Body");
    }

    virtual bool initialize() override
    {
        StictionItem::initializeClass(this);
        StictionView::initializeClass(this);
        initializeStictionBatch();
        return true;
    }

    virtual bool finalize() override
    {
        finalizeStictionBatch();
        return true;
    }

    virtual const char* description() const override
    {
        return "Joint friction that really sticks. MIT licence.";
    }
};

}

CNOID_IMPLEMENT_PLUGIN_ENTRY(StictionPlugin);
