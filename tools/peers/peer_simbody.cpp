/* SPDX-License-Identifier: MIT */
/* Simbody: it has no dry friction of joints, so a custom force with tanh, by its semi-explicit
 * Euler integrator with the step of the others. */
#include <Simbody.h>

#include <cmath>
#include <memory>
#include <vector>

#include "peer.h"

namespace {

struct Torques : SimTK::Force::Custom::Implementation {
    const SimTK::SimbodyMatterSubsystem &matter;
    chain of;
    std::vector<double> torque;

    Torques(const SimTK::SimbodyMatterSubsystem &m, const chain &c)
        : matter(m), of(c), torque(static_cast<size_t>(c.count)) {}
    double level(double speed) const {
        const double falling = of.static_torque - of.coulomb_torque;
        return of.coulomb_torque + (falling > 0 ? falling * std::exp(-speed / of.stribeck) : 0);
    }
    void calcForce(const SimTK::State &state, SimTK::Vector_<SimTK::SpatialVec> &,
                   SimTK::Vector_<SimTK::Vec3> &, SimTK::Vector &forces) const override {
        for (int k = 0; k < of.count; k++) {
            const double v = state.getU()[k];
            forces[k] += torque[static_cast<size_t>(k)] - of.viscous * v -
                         (of.static_torque > 0 ? level(std::fabs(v)) * std::tanh(v / 0.01) : 0);
        }
    }
    SimTK::Real calcPotentialEnergy(const SimTK::State &) const override {
        return 0;
    }
    bool dependsOnlyOnPositions() const override {
        return false;
    }
};

struct Made {
    chain of;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    Torques *torques = nullptr; /* the force subsystem's */
    std::unique_ptr<SimTK::SemiExplicitEulerIntegrator> integrator;
    std::unique_ptr<SimTK::TimeStepper> stepper;
    bool failed = false;
};

void start(Made *m, const SimTK::State &state) {
    m->integrator = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(m->system, m->of.timestep);
    m->stepper = std::make_unique<SimTK::TimeStepper>(m->system, *m->integrator);
    m->stepper->initialize(state);
}

void *create(const chain *c) {
    if (c->stands) return nullptr; /* its contacts are compliant elements of their own */
    auto *m = new Made;
    std::vector<SimTK::MobilizedBody> links;
    m->of = *c;
    if (c->gravity != 0)
        SimTK::Force::UniformGravity(m->forces, m->matter, SimTK::Vec3(0, -c->gravity, 0));
    const SimTK::Body::Rigid link(SimTK::MassProperties(
        c->mass, SimTK::Vec3(c->centre, 0, 0),
        SimTK::Inertia(c->inertia).shiftFromMassCenter(SimTK::Vec3(c->centre, 0, 0), c->mass)));
    for (int k = 0; k < c->count; k++)
        links.push_back(SimTK::MobilizedBody::Pin(
            k ? links[static_cast<size_t>(peer_parent(c, k))] : m->matter.updGround(),
            SimTK::Transform(SimTK::Vec3(k ? c->length : 0, 0, 0)), link, SimTK::Transform()));
    if (c->weight > 0) { /* a rope that is tight is a rod */
        const SimTK::Vec3 tip(c->count * c->length, 0, 0), rope(0, PEER_ROPE, 0);
        SimTK::MobilizedBody::Planar weight(m->matter.updGround(), SimTK::Transform(tip - rope),
                                            SimTK::Body::Rigid(SimTK::MassProperties(
                                                c->weight, SimTK::Vec3(0), SimTK::Inertia(0.1))),
                                            SimTK::Transform());
        SimTK::Constraint::Ball(links.back(), SimTK::Vec3(c->length, 0, 0), weight, rope);
    }
    m->torques = new Torques(m->matter, *c);
    SimTK::Force::Custom(m->forces, m->torques);
    start(m, m->system.realizeTopology());
    return m;
}

void destroy(void *of) {
    delete static_cast<Made *>(of);
}

void step(void *of, const double *torque) {
    auto *m = static_cast<Made *>(of);
    std::copy(torque, torque + m->of.count, m->torques->torque.begin());
    try {
        if (!m->failed) m->stepper->stepTo(m->integrator->getTime() + m->of.timestep);
    } catch (const std::exception &) {
        m->failed = true; /* it diverged */
    }
}

void read_state(void *of, double *position, double *velocity) {
    auto *m = static_cast<Made *>(of);
    for (int k = 0; k < m->of.count; k++) {
        position[k] = m->failed ? NAN : m->integrator->getState().getQ()[k];
        velocity[k] = m->integrator->getState().getU()[k];
    }
}

void place(void *of, const double *position, const double *velocity) {
    auto *m = static_cast<Made *>(of);
    SimTK::State state = m->system.getDefaultState();
    for (int k = 0; k < m->of.count; k++) {
        state.updQ()[k] = position[k];
        state.updU()[k] = velocity[k];
    }
    start(m, state);
}

void set_level(void *of, double level) {
    auto *m = static_cast<Made *>(of);
    m->torques->of.static_torque = m->torques->of.coulomb_torque = level;
}

const char *version() {
    return PEER_SIMBODY_VERSION;
}

} // namespace

extern "C" const peer simbody_tanh;
const peer simbody_tanh = {
    "Simbody",
    "custom force with tanh(v/0.01 rad/s), semi-explicit Euler with the step of the rest",
    true,
    false,
    version,
    create,
    destroy,
    step,
    read_state,
    place,
    set_level};
