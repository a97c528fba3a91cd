/* SPDX-License-Identifier: MIT */
#include "FrictionConfiguration.h"

using namespace std;
using namespace cnoid;

namespace {

struct ConfigDeleter
{
    void operator()(stiction_config* config) const { stiction_config_destroy(config); }
};

vector<const char*> pointersTo(const vector<string>& texts)
{
    vector<const char*> pointers;
    for(auto& text : texts){
        pointers.push_back(text.c_str());
    }
    return pointers;
}

void append(vector<stiction_override>& all, const FrictionConfiguration::Overrides& values)
{
    for(auto& value : values){
        all.push_back({ value.first.c_str(), value.second.c_str() });
    }
}

}


//! \return false, with every error reported, unless the status is OK
bool FrictionConfiguration::succeeds(stiction_status status, stiction_errors* errors) const
{
    for(size_t i = 0; i < stiction_errors_count(errors); ++i){
        char text[1700];
        stiction_error_format(stiction_errors_at(errors, i), text, sizeof text);
        report_(BodyFriction::Severity::Error, text);
    }
    stiction_errors_destroy(errors);
    return status == STICTION_OK;
}


FrictionConfigPtr FrictionConfiguration::load(const vector<string>& jointNames) const
{
    stiction_config* loaded = nullptr;
    auto errors = stiction_errors_create();
    if(!succeeds(stiction_config_load(file.c_str(), &loaded, errors), errors)){
        return nullptr;
    }
    unique_ptr<stiction_config, ConfigDeleter> config(loaded);
    if(jointNames.empty()){
        return config;
    }
    vector<stiction_override> all;
    if(!law.empty()){
        all.push_back({ "law", law.c_str() });
    }
    if(!coupling.empty()){
        all.push_back({ "coupling", coupling.c_str() });
    }
    append(all, values);
    for(auto& edit : edits_){
        append(all, edit.values);
    }
    const auto names = pointersTo(jointNames);
    errors = stiction_errors_create();
    const bool isOverridden = succeeds(
        stiction_config_override(
            loaded, all.data(), all.size(), names.data(), names.size(), errors), errors);
    return isOverridden ? FrictionConfigPtr(move(config)) : nullptr;
}


FrictionConfiguration::Edit FrictionConfiguration::removeEdit()
{
    const auto last = edits_.back();
    edits_.pop_back();
    return last;
}


bool FrictionConfiguration::isEdited(const string& key) const
{
    for(auto& edit : edits_){
        for(auto& value : edit.values){
            if(value.first == key){
                return true;
            }
        }
    }
    return false;
}


bool FrictionConfiguration::writeEdits(const vector<string>& jointNames)
{
    vector<stiction_override> all;
    for(auto& edit : edits_){
        append(all, edit.values);
    }
    const auto names = pointersTo(jointNames);
    auto errors = stiction_errors_create();
    if(!succeeds(
           stiction_config_edit_file(
               file.c_str(), all.data(), all.size(), names.data(), names.size(), errors), errors)){
        return false;
    }
    edits_.clear();
    return true;
}
