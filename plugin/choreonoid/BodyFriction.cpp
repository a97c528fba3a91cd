/* SPDX-License-Identifier: MIT */
#include "BodyFriction.h"
#include "FrictionJoints.h"
#include <results/joint_columns.h>
#include <stability/stability.h>
#include <cnoid/BodyCustomizerInterface>
#include <cnoid/Format>
#include <cnoid/Link>
#include <Eigen/Cholesky>
#include <dlfcn.h>
#include <algorithm>
#include <cmath>
#include <new>
#include "gettext.h"

using namespace std;
using namespace cnoid;
using Eigen::LDLT;


// Of a bristle that has stopped slipping.
static constexpr int ringingSteps = 20;


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


vector<string> cnoid::jointLabels(const vector<Body*>& bodies)
{
    const auto names = distinctNames(bodies);
    vector<string> labels;
    for(size_t b = 0; b < bodies.size(); ++b){
        for(auto& joint : bodies[b]->allJoints()){
            const string name = isGap(joint) ? formatR("#{0}", joint->jointId()) : joint->jointName();
            labels.push_back(bodies.size() == 1 ? name : names[b] + "." + name);
        }
    }
    return labels;
}


BodyFriction::BodyFriction(Body* body, double timeStep, const Report& report)
    : body_(body),
      timeStep_(timeStep),
      report_(report)
{

}


BodyFriction::~BodyFriction()
{
    stiction_implicit_destroy(solver_);
    stiction_effort_destroy(effort_);
    stiction_state_destroy(state_);
    stiction_model_destroy(model_);
}


unique_ptr<BodyFriction> BodyFriction::create
(Body* body, const stiction_config* config, double timeStep, const Report& report, unsigned sample)
{
    unique_ptr<BodyFriction> friction(new BodyFriction(body, timeStep, report));
    friction->sample_ = sample;
    if(!check(body, config, timeStep, report)){
        return nullptr;
    }
    friction->collectLinks(config);
    return friction->createState(config) ? move(friction) : nullptr;
}


//! What a step needs to know of the parameters.
void BodyFriction::findNeeds()
{
    needs_ = stiction_state_needs(state_);
    isModified_ = false;
    levels_.resize(links_.size());
    for(int i = 0; i < numJoints(); ++i){
        const auto def = jointDef(i);
        isModified_ = isModified_ || joint_friction_moves(&def);
        const double level = std::fmax(def.static_torque, def.coulomb_torque);
        levels_[i] = level > 0.0 ? level : 0.0;
    }
}


//! \return false, with the error reported, unless the status is OK
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
    // All joints are looked up in the configuration, so that a missing one is reported.
    vector<const char*> all;
    for(auto& joint : body->allJoints()){
        if(!isGap(joint)){
            all.push_back(joint->jointName().c_str());
        }
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


//! \return whether there are joints that friction did not act on before
bool BodyFriction::collectLinks(const stiction_config* config)
{
    FrictionJoints joints;
    const size_t before = links_.size();
    for(auto& joint : body_->allJoints()){
        stiction_joint_def def = stiction_joint_def_default();
        if(!isGap(joint) &&
           stiction_config_find_joint(config, joint->jointName().c_str(), &def) &&
           known_.insert(joint).second && joints.take(joint)){
            links_.push_back(joint);
            names_.push_back(joint->jointName());
        }
    }
    joints.report(body_, report_);
    return links_.size() > before;
}


//! For the joints as they are now, at rest.
bool BodyFriction::createState(const stiction_config* config)
{
    const size_t n = links_.size();
    for(auto values : { &positions_, &velocities_, &efforts_ }){
        values->assign(n, 0.0);
    }
    lastPositions_.clear();
    stuckSteps_.assign(n, ringingSteps);
    last_.resize(n);
    stiction_effort_destroy(effort_);
    effort_ = stiction_effort_create(n);
    if(!effort_){
        throw bad_alloc();
    }
    commands_ = stiction_effort_command(effort_, efforts_.data());
    stiction_model* model = nullptr;
    stiction_state* state = nullptr;
    stiction_error error;
    if(!createModel(config, &model) ||
       !succeeds(stiction_state_create(model, &state, &error), error)){
        stiction_model_destroy(model);
        return false;
    }
    stiction_state_destroy(state_);
    stiction_model_destroy(model_);
    state_ = state;
    model_ = model;
    findNeeds();
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
    def.sample = sample_;
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


//! What the bristles hold is kept, and the efforts are those of the controllers again.
bool BodyFriction::addJoints(const stiction_config* config)
{
    const size_t before = links_.size();
    vector<double> memory(stiction_state_memory_size(state_));
    stiction_state_get_memory(state_, memory.data(), nullptr);
    if(!collectLinks(config)){
        return true;
    }
    for(size_t i = 0; i < before; ++i){
        efforts_[i] = links_[i]->u();
    }
    const double* commands = stiction_effort_command(effort_, efforts_.data());
    for(size_t i = 0; i < before; ++i){
        links_[i]->u() = commands[i];
    }
    const bool wasImplicit = isImplicit();
    stiction_implicit_destroy(solver_);
    solver_ = nullptr;
    if(!createState(config)){
        hasFailed_ = true;
        return false;
    }
    memory.resize(stiction_state_memory_size(state_), 0.0);
    stiction_error error;
    if(!succeeds(stiction_state_set_memory(state_, memory.data(), &error), error)){
        return false;
    }
    if(!wasImplicit){
        return couple(config, gravity_, hasRotors_);
    }
    createDynamics();
    return createSolver(config);
}


bool BodyFriction::reconfigure(const stiction_config* config)
{
    stiction_model* changed = nullptr;
    if(!addJoints(config) || !createModel(config, &changed)){
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
    findNeeds();
    return succeeds(status, error);
}


stiction_joint_def BodyFriction::jointDef(int index) const
{
    stiction_joint_def def = stiction_joint_def_default();
    stiction_state_joint(state_, index, &def, nullptr);
    return def;
}


namespace {

//! The dense matrix of one that lies along the parents.
MatrixXd unpacked(const BodyDynamics& dynamics)
{
    const int n = dynamics.numDofs();
    MatrixXd M = MatrixXd::Zero(n, n);
    auto entry = dynamics.mass().begin();
    for(int i = 0; i < n; ++i){
        for(int j = i; j >= 0; j = dynamics.parents()[j]){
            M(i, j) = M(j, i) = *entry++;
        }
    }
    return M;
}

}


void BodyFriction::setPose(const double* positions)
{
    for(size_t i = 0; i < movable_.size(); ++i){
        movable_[i]->q() = positions[i];
    }
    dynamics_->update();
}


//! For coupling_decide.
stiction_status BodyFriction::findColumns
(void* self, const double* positions, size_t first, size_t count, double* columns, stiction_error*)
{
    auto friction = static_cast<BodyFriction*>(self);
    const auto& movable = friction->movable_;
    friction->setPose(positions);
    const LDLT<MatrixXd> factors(unpacked(*friction->dynamics_));
    for(size_t k = 0; k < count; ++k){
        VectorXd column = VectorXd::Zero(friction->dynamics_->numDofs());
        column[friction->dynamics_->dofOf(movable[first + k])] = 1.0;
        column = factors.solve(column).eval();
        for(size_t i = 0; i < movable.size(); ++i){
            columns[k * movable.size() + i] = column[friction->dynamics_->dofOf(movable[i])];
        }
    }
    return STICTION_OK;
}


//! As `stiction check` and the engine decide: all of the body's joints take part, those without
//! friction as well.
bool BodyFriction::decideCoupling(coupling_decision& decision)
{
    vector<pose_joint> joints;
    vector<stiction_joint_def> defs;
    vector<double> start;
    movable_.clear();
    for(auto& joint : body_->allJoints()){
        if(dynamics_->dofOf(joint) < 0){
            continue;
        }
        const auto found = find(links_.begin(), links_.end(), joint);
        stiction_joint_def none = stiction_joint_def_default();
        none.law = "none";
        defs.push_back(found == links_.end() ? none : jointDef(found - links_.begin()));
        joints.push_back({ joint->jointName().c_str(), joint->isPrismaticJoint(),
                           joint->q_lower(), joint->q_upper() });
        movable_.push_back(joint);
        start.push_back(joint->q());
    }
    coupling_robot robot = {};
    robot.poses.joints = joints.data();
    robot.poses.joint_count = joints.size();
    robot.poses.dof_count = dynamics_->numDofs();
    robot.poses.columns = findColumns;
    robot.poses.host = this;
    robot.friction = defs.data();
    robot.timestep = timeStep_;
    stiction_error error;
    const auto status = coupling_decide(
        STICTION_COUPLING_AUTO, &robot, nullptr, nullptr, &decision, &error);
    setPose(start.data());
    return succeeds(status, error);
}


bool BodyFriction::couple
(const stiction_config* config, const Vector3& gravity, bool hasRotors)
{
    auto coupling = stiction_config_coupling(config);
    gravity_ = gravity;
    hasRotors_ = hasRotors;
    if(coupling == STICTION_COUPLING_EXPLICIT || links_.empty()){
        return true;
    }
    createDynamics();
    if(coupling == STICTION_COUPLING_AUTO){
        coupling_decision decision;
        if(!decideCoupling(decision)){
            return false;
        }
        if(decision.coupling == STICTION_COUPLING_EXPLICIT){
            dynamics_.reset();
            isWatched_ = decision.reason == COUPLING_SAFE &&
                stiction_config_element(config) != STICTION_ELEMENT_RIGID;
            return true;
        }
        if(decision.reason != COUPLING_UNJUDGED){
            report_(Severity::Information,
                    formatR(_("{0}: friction is implicit, since explicit coupling is not safe by a factor of two at this time step."),
                            body_->name()));
        } else {
            report_(Severity::Warning,
                    formatR(_("{0}: friction is implicit, since explicit coupling is not judged of more than {1} joints."),
                            body_->name(), static_cast<int>(STABILITY_MOST_JOINTS)));
        }
    }
    return createSolver(config);
}


void BodyFriction::createDynamics()
{
    dynamics_ = make_unique<BodyDynamics>(body_, gravity_, hasRotors_);
    dynamics_->update();
    dofs_.clear();
    for(auto link : links_){
        dofs_.push_back(dynamics_->dofOf(link));
    }
    forces_.assign(dynamics_->numDofs(), 0.0);
    constraints_.assign(dynamics_->numDofs(), 0.0);
}


bool BodyFriction::createSolver(const stiction_config* config)
{
    if(stiction_config_element(config) == STICTION_ELEMENT_RIGID){
        report_(Severity::Error,
                formatR(_("{0}: element rigid is not possible in Choreonoid, whose simulators solve contacts after friction: such joints would creep. Use the element bristle, or auto."),
                        body_->name()));
        return false;
    }
    return createSolver();
}


bool BodyFriction::createSolver()
{
    stiction_implicit_def def = stiction_implicit_def_default();
    def.count = dynamics_->numDofs();
    def.parent = dynamics_->parents().data();
    def.packed = true;
    def.constraints_later = true;
    stiction_error error;
    if(!succeeds(stiction_implicit_create(&def, &solver_, &error), error) ||
       !succeeds(stiction_implicit_add(solver_, state_, dofs_.data(), &error), error)){
        return false;
    }
    dofPositions_.assign(dynamics_->numDofs(), 0.0);
    dofEfforts_.assign(dynamics_->numDofs(), 0.0);
    dofLast_.resize(dynamics_->numDofs());
    return true;
}


void BodyFriction::step()
{
    if(hasFailed_ || links_.empty()){
        return;
    }
    for(size_t i = 0; i < links_.size(); ++i){
        efforts_[i] = links_[i]->u();
        velocities_[i] = links_[i]->dq();
        positions_[i] = links_[i]->q();
    }
    commands_ = stiction_effort_command(effort_, efforts_.data());
    if(lead_ > 0.0){
        followPositions();
    }
    const bool isLoaded = needs_ & STICTION_NEEDS_EXTERNAL_TORQUE;
    if(isLoaded && !dynamics_){
        createDynamics(); // a configuration that was reloaded may ask for it only now
    }
    if(isLoaded || isImplicit()){
        findForces();
    }
    if(isLoaded){
        findExternalTorques();
    }
    if(isImplicit()){
        stepImplicit();
    } else {
        stepExplicit();
        if(isWatched_){
            watchChatter();
        }
    }
    if(isLoaded){
        dynamics_->remember(forces_);
        for(int i = 0; i < numJoints(); ++i){
            dynamics_->addToRemembered(dofs_[i], -last_.torque[i]);
        }
    }
    const double* remaining = stiction_effort_apply(effort_, last_.torque);
    for(size_t i = 0; i < links_.size(); ++i){
        links_[i]->u() = remaining[i];
    }
}


//! Where auto took explicit coupling and friction chatters all the same, it is implicit from the next
//! step on, as in the embedded engine.
void BodyFriction::watchChatter()
{
    chatter_.resize(links_.size());
    for(int i = 0; i < numJoints(); ++i){
        if(!chatter_add(&chatter_[i], levels_[i], links_[i]->dq(), last_.torque[i], commands_[i])){
            continue;
        }
        isWatched_ = false;
        createDynamics();
        if(createSolver()){
            report_(Severity::Warning,
                    formatR(_("{0}: explicit friction of joint '{1}' chattered; friction of this body is implicit from now on."),
                            body_->name(), names_[i]));
        }
        return;
    }
}


/**
   AIST's Runge-Kutta mode moves a joint by another distance than its velocity at the end of the step
   times the step, by which a bristle is bent. A bristle that sticks is bent by the distance. One that
   has just stopped slipping rings, where this would give it energy.
*/
void BodyFriction::followPositions()
{
    if(!lastPositions_.empty()){
        vector<double> deflections(links_.size());
        stiction_state_get_deflections(state_, deflections.data(), nullptr);
        for(int i = 0; i < numJoints(); ++i){
            stuckSteps_[i] = last_.slipping[i] ? 0 : stuckSteps_[i] + 1;
            if(stuckSteps_[i] > ringingSteps){
                deflections[i] += positions_[i] - lastPositions_[i] - timeStep_ * velocities_[i];
            }
        }
        stiction_state_set_deflections(state_, deflections.data(), nullptr);
    }
    lastPositions_ = positions_;
}


//! All but friction and what the simulator solves later: contacts, limits and loops.
void BodyFriction::findForces()
{
    dynamics_->update(lead_);
    for(int i = 0; i < dynamics_->numDofs(); ++i){
        forces_[i] = dynamics_->efforts()[i] - dynamics_->bias()[i];
    }
    for(int i = 0; i < numJoints(); ++i){
        forces_[dofs_[i]] = commands_[i] - dynamics_->bias()[dofs_[i]];
    }
    dynamics_->addExternalForces(forces_);
}


//! docs/drives.md, "The external torque".
void BodyFriction::findExternalTorques()
{
    dynamics_->findConstraints(timeStep_, constraints_);
    for(int i = 0; i < numJoints(); ++i){
        const int dof = dofs_[i];
        last_.external_torque[i] = forces_[dof] - commands_[i] + constraints_[dof];
    }
}


//! Contacts, limits and loops are solved later, by the simulator.
void BodyFriction::stepImplicit()
{
    for(int i = 0; i < numJoints(); ++i){
        dofPositions_[dofs_[i]] = positions_[i];
        dofEfforts_[dofs_[i]] = commands_[i];
        dofLast_.external_torque[dofs_[i]] = last_.external_torque[i];
    }
    stiction_implicit_input input = stiction_implicit_input_default();
    stiction_implicit_output output = joint_arrays_implicit_output(&dofLast_);
    input.timestep = timeStep_;
    input.mass = dynamics_->mass().data();
    input.velocity = dynamics_->velocities().data();
    input.force = forces_.data();
    input.position = dofPositions_.data();
    input.effort = dofEfforts_.data();
    input.external_torque = dofLast_.external_torque;
    stiction_error error;
    hasFailed_ = !succeeds(stiction_implicit_step(solver_, &input, &output, &error), error);
    const joint_quantities ofDofs = joint_arrays_view(&dofLast_);
    for(int i = 0; i < numJoints(); ++i){
        joint_arrays_copy(&last_, i, &ofDofs, dofs_[i]);
    }
    if(output.warning && warnings_.insert(output.warning).second){
        const auto joint = find(dofs_.begin(), dofs_.end(), static_cast<int>(output.warning_dof));
        report_(Severity::Warning,
                formatR("{0}: joint '{1}': {2}", body_->name(),
                        joint == dofs_.end() ? "" : names_[joint - dofs_.begin()], output.warning));
    }
}


void BodyFriction::stepExplicit()
{
    stiction_input input = stiction_input_default();
    const stiction_output output = joint_arrays_output(&last_, 0, isModified_);
    input.timestep = timeStep_;
    input.velocity = velocities_.data();
    input.effort = commands_;
    input.position = positions_.data();
    if(needs_ & STICTION_NEEDS_EXTERNAL_TORQUE){
        input.external_torque = last_.external_torque;
    }
    stiction_error error;
    hasFailed_ = !succeeds(stiction_step_full(state_, &input, &output, &error), error);
}
