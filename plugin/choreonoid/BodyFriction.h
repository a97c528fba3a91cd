/* SPDX-License-Identifier: MIT
 * Friction of one simulated body: the bridge between Choreonoid's links and the C ABI. It does not
 * depend on items or views; messages go through a function.
 */
#ifndef CNOID_STICTION_PLUGIN_BODY_FRICTION_H
#define CNOID_STICTION_PLUGIN_BODY_FRICTION_H

#include "BodyDynamics.h"
#include "JointArrays.h"
#include <stability/chatter.h>
#include <stability/coupling.h>
#include <stiction/stiction.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cnoid {

//! The names of bodies, made distinct by a number: "Wrist", "Wrist-2".
std::vector<std::string> distinctNames(const std::vector<Body*>& bodies);
//! The labels of all joints: "JOINT", or "BODY.JOINT" if several bodies have joints. Gaps are "#ID".
std::vector<std::string> jointLabels(const std::vector<Body*>& bodies);


class BodyFriction
{
public:
    enum class Severity { Information, Warning, Error };
    typedef std::function<void(Severity severity, const std::string& message)> Report;

    /**
       \param body The body that is simulated (a clone of the one in the item tree).
       \return nullptr with a report if the configuration does not fit.
    */
    static std::unique_ptr<BodyFriction> create(
        Body* body, const stiction_config* config, double timeStep, const Report& report,
        unsigned sample = 0);

    //! Checks a configuration for a body. \return false with a report of every error
    static bool check(
        Body* body, const stiction_config* config, double timeStep, const Report& report);

    //! Whether StictionCustomizer works on a body already.
    static bool isCustomized(Body* body);

    ~BodyFriction();

    //! Takes another configuration from the next step on, keeping what the bristles hold. Joints
    //! that it adds come after those that were there.
    bool reconfigure(const stiction_config* config);

    /**
       Decides how friction is coupled, before the first step: as the configuration says, or for
       auto as coupling_decide does for every host.
       \param gravity m/s^2
       \param hasRotors Whether the simulator gives the joints their rotors' inertia
       \return false with a report if implicit coupling is requested and not possible
    */
    bool couple(const stiction_config* config, const Vector3& gravity, bool hasRotors);

    /**
       The simulator evaluates the dynamics within a step and not only at its start, as AIST's
       Runge-Kutta mode does in four stages. Mass and bias are then those of the middle of the step.
       With those of its start, the difference would be taken for a contact.
    */
    void setMidpoint(bool on) { lead_ = on ? timeStep_ / 2.0 : 0.0; }

    bool isImplicit() const { return solver_ != nullptr; }
    //! Whether friction of a joint was drawn, and with which seed.
    bool isDrawn(int index) const { return stiction_model_joint_is_random(model_, index); }
    uint64_t seed() const { return stiction_model_seed(model_); }

    //! Subtracts friction from the commanded efforts. Called once a step, in the simulation thread.
    void step();

    Body* body() const { return body_; }
    int numJoints() const { return static_cast<int>(links_.size()); }
    const Link* link(int index) const { return links_[index]; }
    stiction_joint_def jointDef(int index) const;

    // Of the last step, one entry per joint.
    const double* commands() const { return commands_; }
    //! The external torque is 0 if friction does not read it, the levels are 0 if none changes.
    const joint_arrays& quantities() const { return last_; }

private:
    BodyFriction(Body* body, double timeStep, const Report& report);
    bool collectLinks(const stiction_config* config);
    bool createState(const stiction_config* config);
    bool addJoints(const stiction_config* config);
    bool createModel(const stiction_config* config, stiction_model** model);
    bool succeeds(stiction_status status, const stiction_error& error);
    bool createSolver(const stiction_config* config);
    bool createSolver();
    void watchChatter();
    bool decideCoupling(coupling_decision& decision);
    void setPose(const double* positions);
    static stiction_status findColumns(
        void* self, const double* positions, size_t first, size_t count, double* columns,
        stiction_error* error);
    void findNeeds();
    void createDynamics();
    void findForces();
    void findExternalTorques();
    void followPositions();
    void stepExplicit();
    void stepImplicit();
    static void onLog(void* self, stiction_log_level level, const char* message);

    BodyPtr body_; // kept, so that no other body of the next simulation has its address
    double timeStep_;
    double lead_ = 0.0; // s from the state of the links to that of the dynamics
    unsigned sample_ = 0; // of random parameters
    Report report_;
    std::set<const Link*> known_; // joints of the configuration that were tried
    std::vector<Link*> links_;
    std::vector<std::string> names_;
    stiction_model* model_ = nullptr;
    stiction_state* state_ = nullptr;
    stiction_effort* effort_ = nullptr; // Choreonoid keeps a link's effort from step to step
    unsigned needs_ = 0; // STICTION_NEEDS_...
    bool isModified_ = false; // a level or temperature of it may move
    std::vector<double> levels_; // the larger of static and Coulomb torque
    const double* commands_ = nullptr;
    std::vector<double> positions_, velocities_, efforts_;
    std::vector<double> lastPositions_; // of the step before; empty: there was none
    std::vector<int> stuckSteps_; // since the last slip
    JointArrays last_;
    Vector3 gravity_ = Vector3::Zero();
    bool hasRotors_ = true;
    std::unique_ptr<BodyDynamics> dynamics_; // where friction is implicit or reads external torques
    std::vector<int> dofs_; // of the joints
    std::vector<Link*> movable_; // while the coupling is decided, as the next
    std::vector<double> forces_; // of the degrees of freedom: all but friction and constraints
    std::vector<double> constraints_; // of the last step, where external torques are read
    stiction_implicit* solver_ = nullptr; // where friction is implicit, as all below
    std::vector<double> dofPositions_, dofEfforts_;
    JointArrays dofLast_;
    std::set<std::string> warnings_; // each is reported once
    bool isWatched_ = false; // auto took explicit coupling and could take the other one
    std::vector<chatter> chatter_; // of each joint, where it is watched
    bool hasFailed_ = false;
};

}

#endif
