/*
 * The compliant posture controller of Cisneros et al. for Choreonoid: thin over plugin/controllers/posture,
 * which the embedded engine uses as well. Options: kp=20 kv=2 lambda=0 target=RWRR:90 ...
 */
#include "PostureController.h"
#include <cnoid/MassMatrix>
#include <cnoid/ProjectManager>
#include <cnoid/SimpleController>
#include <controllers/posture/posture_config.h>
#include <stiction/load.h>
#include <velocities/velocity_check.h>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <ostream>
#include <vector>

using namespace std;
using namespace cnoid;

namespace {

class StictionPostureController : public SimpleController, public PostureController
{
public:
    virtual ~StictionPostureController();
    virtual bool initialize(SimpleControllerIO* io) override;
    virtual bool control() override;
    virtual void stop() override;
    virtual void copyTargets(double* targets) const override;
    virtual void copyGains(
        const double* mass, double* stiffness, double* damping, double* period) const override;
    virtual void setGravity(const Vector3& gravity) override;
    virtual string refusal() const override { return refusedFor; }
    virtual string modeName() const override { return posture_mode_name(mode); }
    virtual string usedOptions() const override { return options; }
    virtual Events events() const override;

private:
    bool readOptions(const string& projectOptions);
    void release();
    bool complain(const stiction_error& error);
    void showEvents(unsigned events, size_t blocking);
    void updateTargets();
    void readJoints();

    SimpleControllerIO* io = nullptr;
    BodyPtr body;
    posture* controller = nullptr;
    posture_state* state = nullptr;
    posture_mode mode = POSTURE_QP;
    string options, refusedFor;
    unsigned shownEvents = 0;
    Vector3 gravity;
    mutable mutex targetMutex; // controllers may have threads of their own
    vector<double> targets;
    MatrixXd M;
    VectorXd b;
    vector<double> q, dq, jointM, jointB, torque;
    vector<velocity_check> velocityChecks;
    bool isGuessShown = false; // that velocities are those of positions
};

//! What the robot itself says of a joint.
posture_joint_def jointDef(const Link* joint)
{
    posture_joint_def def = posture_joint_def_default();
    def.name = joint->jointName().c_str();
    def.prismatic = joint->isPrismaticJoint();
    const double unlimited = numeric_limits<double>::max();
    if(joint->q_lower() > -unlimited && joint->q_upper() < unlimited){
        def.lower_limit = joint->q_lower();
        def.upper_limit = joint->q_upper();
    }
    if(joint->dq_upper() > 0.0 && joint->dq_upper() < unlimited){
        def.velocity_limit = joint->dq_upper();
    }
    if(joint->u_upper() > 0.0 && joint->u_upper() < unlimited){
        def.torque_limit = joint->u_upper();
    }
    return def;
}

//! What an event did, once it happened and as a count at the end.
const struct
{
    posture_event event;
    const char* sentence;
} limitEvents[] = {
    { POSTURE_RELAXED_JOINT_LIMITS, "joint limits were relaxed" },
    { POSTURE_RELAXED_VELOCITY_LIMITS, "velocity limits were relaxed" },
    { POSTURE_HELD, "the last torque was held" },
    { POSTURE_FAULT, "a state that is not finite gave no torque" }
};

}


StictionPostureController::~StictionPostureController()
{
    release();
}


void StictionPostureController::release()
{
    posture_state_destroy(state);
    posture_destroy(controller);
    state = nullptr;
    controller = nullptr;
}


bool StictionPostureController::complain(const stiction_error& error)
{
    char text[1700];
    stiction_error_format(&error, text, sizeof text);
    io->os() << "StictionPostureController: " << text << endl;
    refusedFor = text;
    return false;
}


bool StictionPostureController::readOptions(const string& projectOptions)
{
    // of a batch run: beats what the project says
    const char* overrides = getenv("STICTION_CONTROLLER");
    options = projectOptions;
    if(overrides){
        options += ' ';
        options += overrides;
    }
    stiction_error error = {};
    vector<posture_joint_def> joints;
    for(int i = 0; i < body->numJoints(); ++i){
        joints.push_back(jointDef(body->joint(i)));
    }
    posture_def def = posture_def_default();
    posture_config* config = posture_config_create();
    // an io knows no folder; a project that was never saved has none
    const string directory = ProjectManager::instance()->currentProjectDirectory();
    auto status = config ? posture_config_add_options(
                               config, projectOptions.c_str(), directory.c_str(), &error)
                         : STICTION_OUT_OF_MEMORY;
    if(status == STICTION_OK && overrides){
        status = posture_config_add_options(config, overrides, directory.c_str(), &error);
    }
    if(status == STICTION_OK){
        status = posture_config_apply(config, &def, joints.data(), joints.size(), &error);
    }
    if(status == STICTION_OK){
        status = posture_create(&def, &controller, &error);
    }
    if(status == STICTION_OK){
        status = posture_state_create(controller, &state, &error);
    }
    posture_config_destroy(config);
    mode = def.mode;
    return status == STICTION_OK || complain(error);
}


bool StictionPostureController::initialize(SimpleControllerIO* io)
{
    this->io = io;
    body = io->body();
    release();
    shownEvents = 0;
    refusedFor.clear();
    if(!readOptions(io->optionString())){
        return false;
    }
    for(auto& joint : body->joints()){
        joint->setActuationMode(Link::JointEffort);
        io->enableInput(joint, Link::JointDisplacement | Link::JointVelocity);
        io->enableOutput(joint, Link::JointEffort);
    }
    const size_t n = body->numJoints();
    for(auto values : { &q, &dq, &jointB, &torque }){
        values->assign(n, 0.0);
    }
    jointM.assign(n * n, 0.0);
    velocityChecks.assign(n, {});
    isGuessShown = false;
    targets.assign(n, numeric_limits<double>::quiet_NaN());
    gravity << 0.0, 0.0, -9.80665; // unless a StictionItem tells it
    return true;
}


/**
   Where a StictionItem is below the simulator, velocities are true already; without one, some
   simulators give none.
*/
void StictionPostureController::readJoints()
{
    for(int i = 0; i < body->numJoints(); ++i){
        auto joint = body->joint(i);
        auto& check = velocityChecks[i];
        joint->dq() = velocity_check_step(&check, io->timeStep(), joint->q(), joint->dq());
        q[i] = joint->q();
        dq[i] = joint->dq();
        if(check.source != VELOCITY_GIVEN && !isGuessShown){
            isGuessShown = true;
            io->os() << "StictionPostureController: " << io->currentTime() << " s: for joint '"
                     << joint->jointName() << "' the simulator gives "
                     << velocity_source_fault(check.source)
                     << ": velocities are taken from positions" << endl;
        }
    }
}


bool StictionPostureController::control()
{
    const int n = body->numJoints();
    readJoints();
    // a root that floats counts as standing: the posture is the joints' alone
    body->calcForwardKinematics(true);
    calcMassMatrix(body, -gravity, M, b);
    const int offset = static_cast<int>(M.rows()) - n;
    for(int i = 0; i < n; ++i){
        jointB[i] = b(offset + i);
        for(int j = 0; j < n; ++j){
            jointM[i * n + j] = M(offset + i, offset + j);
        }
    }
    posture_input input = posture_input_default();
    posture_output output = posture_output_default();
    input.t = io->currentTime();
    input.dt = io->timeStep();
    input.q = q.data();
    input.dq = dq.data();
    input.M = jointM.data();
    input.c = jointB.data();
    size_t blocking = n;
    output.torque = torque.data();
    output.blocking = &blocking;
    const unsigned events = posture_step(state, &input, &output);
    showEvents(events, blocking);
    updateTargets();
    for(int i = 0; i < n; ++i){
        body->joint(i)->u() = torque[i];
    }
    return true;
}


//! The first time that something happens; how often it did is told at the end.
void StictionPostureController::showEvents(unsigned events, size_t blocking)
{
    for(auto& e : limitEvents){
        if((events & e.event) && !(shownEvents & e.event)){
            io->os() << "StictionPostureController: " << io->currentTime() << " s: " << e.sentence;
            if(blocking < q.size()){
                io->os() << ", as the limits of joint '" << body->joint(blocking)->jointName()
                         << "' contradict others";
            }
            io->os() << endl;
        }
    }
    shownEvents |= events;
}


void StictionPostureController::stop()
{
    for(auto& e : limitEvents){
        if(const uint64_t count = state ? posture_state_count(state, e.event) : 0){
            io->os() << "StictionPostureController: " << e.sentence << " in " << count
                     << (count == 1 ? " step" : " steps") << endl;
        }
    }
}


PostureController::Events StictionPostureController::events() const
{
    return { posture_state_count(state, POSTURE_CLAMPED),
             posture_state_count(state, POSTURE_RELAXED_JOINT_LIMITS),
             posture_state_count(state, POSTURE_HELD),
             posture_state_count(state, POSTURE_FAULT) };
}


void StictionPostureController::updateTargets()
{
    if(mode == POSTURE_TORQUE){
        return; // it steers to no position
    }
    lock_guard<mutex> lock(targetMutex);
    for(size_t i = 0; i < targets.size(); ++i){
        targets[i] = posture_desired(state, i, io->currentTime(), q[i]).q;
    }
}


void StictionPostureController::copyTargets(double* to) const
{
    lock_guard<mutex> lock(targetMutex);
    copy(targets.begin(), targets.end(), to);
}


void StictionPostureController::copyGains
(const double* mass, double* stiffness, double* damping, double* period) const
{
    posture_gains(controller, mass, stiffness, damping);
    *period = posture_period(controller);
}


void StictionPostureController::setGravity(const Vector3& gravity)
{
    this->gravity = gravity;
}


CNOID_IMPLEMENT_SIMPLE_CONTROLLER_FACTORY(StictionPostureController)
