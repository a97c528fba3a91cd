/* SPDX-License-Identifier: MIT */
#include "Batch.h"
#include "StictionItem.h"
#include "StictionView.h"
#include <cnoid/Plugin>
#include <stiction/stiction.h>
#include <dlfcn.h>
#include <filesystem>
#include "gettext.h"

using namespace cnoid;

namespace {

//! Choreonoid looks only in its own prefix, the plugin may be in a build (CNOID_PLUGIN_PATH).
void bindTranslations()
{
    Dl_info info;
    if(dladdr(reinterpret_cast<void*>(&bindTranslations), &info) && info.dli_fname){
        std::error_code code;
        const auto plugins = std::filesystem::canonical(info.dli_fname, code).parent_path();
        const auto locales = plugins.parent_path().parent_path() / "share" / "locale";
        if(std::filesystem::exists(
               locales / "ja" / "LC_MESSAGES" / CNOID_GETTEXT_DOMAIN_NAME ".mo", code)){
            bindtextdomain(CNOID_GETTEXT_DOMAIN_NAME, locales.c_str());
        }
    }
}

class StictionPlugin : public Plugin
{
public:
    StictionPlugin() : Plugin("Stiction")
    {
        require("Body");
    }

    virtual bool initialize() override
    {
        bindTranslations();
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
