#include "BodyFriction.h"
#include "FrictionJoints.h"
#include <cnoid/BodyCustomizerInterface>
#include <cnoid/Format>
#include <cnoid/Link>
#include <dlfcn.h>
#include <algorithm>
#include <new>
#include "gettext.h"

using namespace std;
using namespace cnoid;


vector<string> cnoid::distinctNames(const vector<Body*>& bodies)
{
    vector<string> names;
    for(auto body : bodies){
        string name = body->name();
        for(int number = 2; find(names.begin(), names.end(), name) != names.end(); ++number){
            name = formatR("{0}-{1}", body->name(), number);
        }
        names.push_back(name);
    }
    return names;
}


BodyFriction::BodyFriction(Body* body, double timeStep, const Report& report)
    : body_(body),
      timeStep_(timeStep),
      report_(report)
{

}


BodyFriction::~BodyFriction()
{
    stiction_effort_destroy(effort_);
    stiction_state_destroy(state_);
    stiction_model_destroy(model_);
}


unique_ptr<BodyFriction> BodyFriction::create
(Body* body, const stiction_config* config, double timeStep, const Report& report)
{
    unique_ptr<BodyFriction> friction(new BodyFriction(body, timeStep, report));
    if(!friction->collectLinks(config) || !friction->createModel(config, &friction->model_)){
        return nullptr;
    }
    stiction_error error;
    if(!friction->succeeds(
           stiction_state_create(friction->model_, &friction->state_, &error), error)){
        return nullptr;
    }
    return friction;
}


//! \return false, with the error told, unless the status is OK
bool BodyFriction::succeeds(stiction_status status, const stiction_error& error)
{
    if(status != STICTION_OK){
        char text[1700];
        stiction_error_format(&error, text, sizeof text);
        report_(Severity::Error, formatR("{0}: {1}", body_->name(), text));
    }
    return status == STICTION_OK;
}


bool BodyFriction::check
(Body* body, const stiction_config* config, double timeStep, const Report& report)
{
    // All joints are looked for in the configuration, so that one that is missing is told.
    vector<const char*> all;
    for(int i = 0; i < body->numAllJoints(); ++i){
        all.push_back(body->joint(i)->jointName().c_str());
    }
    stiction_errors* errors = stiction_errors_create();
    const auto status = stiction_config_check(config, all.data(), all.size(), timeStep, errors);
    for(size_t i = 0; i < stiction_errors_count(errors); ++i){
        char text[1700];
        stiction_error_format(stiction_errors_at(errors, i), text, sizeof text);
        report(Severity::Error, formatR("{0}: {1}", body->name(), text));
    }
    stiction_errors_destroy(errors);
    return status == STICTION_OK;
}


bool BodyFriction::isCustomized(Body* body)
{
    auto customizer = body->customizerInterface();
    Dl_info info;
    return customizer && dladdr(reinterpret_cast<void*>(customizer->create), &info) &&
        info.dli_fname && string(info.dli_fname).find("StictionCustomizer") != string::npos;
}


bool BodyFriction::collectLinks(const stiction_config* config)
{
    if(!check(body_, config, timeStep_, report_)){
        return false;
    }
    FrictionJoints joints;
    for(int i = 0; i < body_->numAllJoints(); ++i){
        Link* joint = body_->joint(i);
        stiction_joint_def def = stiction_joint_def_default();
        if(stiction_config_find_joint(config, joint->jointName().c_str(), &def) &&
           joints.take(joint)){
            links_.push_back(joint);
            names_.push_back(joint->jointName());
        }
    }
    joints.report(body_, report_);
    const size_t n = links_.size();
    for(auto values : { &velocities_, &efforts_, &friction_, &deflections_, &energies_ }){
        values->assign(n, 0.0);
    }
    slipping_.assign(n, 0);
    effort_ = stiction_effort_create(n);
    if(!effort_){
        throw bad_alloc();
    }
    commands_ = stiction_effort_command(effort_, efforts_.data());
    return true;
}


//! The model of exactly the joints that get friction; all joints were checked before.
bool BodyFriction::createModel(const stiction_config* config, stiction_model** model)
{
    vector<const char*> names;
    for(auto& name : names_){
        names.push_back(name.c_str());
    }
    stiction_model_def def = stiction_model_def_default();
    def.timestep = timeStep_;
    def.partial = true;
    def.log = onLog;
    def.log_user = this;
    stiction_error error;
    return succeeds(
        stiction_model_create(config, names.data(), names.size(), &def, model, &error), error);
}


void BodyFriction::onLog(void* self, stiction_log_level level, const char* message)
{
    auto friction = static_cast<BodyFriction*>(self);
    if(level != STICTION_LOG_INFO){
        friction->report_(Severity::Warning, formatR("{0}: {1}", friction->body_->name(), message));
    }
}


bool BodyFriction::reconfigure(const stiction_config* config)
{
    stiction_model* changed = nullptr;
    if(!createModel(config, &changed)){
        return false;
    }
    stiction_error error;
    auto status = STICTION_OK;
    for(int i = 0; i < numJoints() && status == STICTION_OK; ++i){
        stiction_joint_def def = stiction_joint_def_default();
        status = stiction_model_joint(changed, i, &def, &error);
        if(status == STICTION_OK){
            status = stiction_state_set_joint(state_, i, &def, &error);
        }
    }
    stiction_model_destroy(changed);
    return succeeds(status, error);
}


stiction_joint_def BodyFriction::jointDef(int index) const
{
    stiction_joint_def def = stiction_joint_def_default();
    stiction_state_joint(state_, index, &def, nullptr);
    return def;
}


void BodyFriction::step()
{
    if(hasFailed_ || links_.empty()){
        return;
    }
    for(size_t i = 0; i < links_.size(); ++i){
        efforts_[i] = links_[i]->u();
        velocities_[i] = links_[i]->dq();
    }
    commands_ = stiction_effort_command(effort_, efforts_.data());
    stiction_input input = stiction_input_default();
    stiction_output output = stiction_output_default();
    input.timestep = timeStep_;
    input.velocity = velocities_.data();
    input.effort = commands_;
    output.torque = friction_.data();
    output.deflection = deflections_.data();
    output.slipping = slipping_.data();
    output.dissipated_energy = energies_.data();
    stiction_error error;
    hasFailed_ = !succeeds(stiction_step_full(state_, &input, &output, &error), error);
    const double* remaining = stiction_effort_apply(effort_, friction_.data());
    for(size_t i = 0; i < links_.size(); ++i){
        links_[i]->u() = remaining[i];
    }
}
