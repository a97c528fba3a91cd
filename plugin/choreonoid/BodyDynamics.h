/* SPDX-License-Identifier: MIT
 * The mass matrix and the bias force of a body, for implicit friction: of all its joints that can
 * move and, where it is free, of its root. Computed on a clone, so that the simulator's own links
 * stay as they are.
 */
#ifndef CNOID_STICTION_PLUGIN_BODY_DYNAMICS_H
#define CNOID_STICTION_PLUGIN_BODY_DYNAMICS_H

#include <cnoid/Body>
#include <cnoid/Link>
#include <vector>

namespace cnoid {

//! Whether a joint only fills a gap in the ids of a body's joints. It has no name and no link.
inline bool isGap(const Link* joint) { return joint->index() < 0; }

class BodyDynamics
{
public:
    /**
       \param body That is simulated, and outlives this.
       \param hasRotors Whether the simulator gives the joints their rotors' inertia.
    */
    BodyDynamics(Body* body, const Vector3& gravity, bool hasRotors = true);

    //! Degrees of freedom: six of a free root, its linear velocity first; then joint by joint,
    //! parents first.
    int numDofs() const { return static_cast<int>(parents_.size()); }
    //! The degree of freedom before each on the way to the root; -1: none.
    const std::vector<int>& parents() const { return parents_; }
    //! -1: the link's joint does not move.
    int dofOf(const Link* link) const { return isGap(link) ? -1 : dofs_[link->index()]; }
    //! The last degree of freedom on the way to a link; -1: none moves it.
    int dofBefore(const Link* link) const { return last_[link->index()]; }

    /**
       From where the body is.
       \param lead s; mass and bias are those of the state that the body then has, if it keeps the
       acceleration since the last update, which was two leads ago. Velocities and efforts are the
       body's.
    */
    void update(double lead = 0.0);

    //! As update() found them. The mass matrix lies row by row along the parents.
    const std::vector<double>& mass() const { return mass_; }
    const std::vector<double>& velocities() const { return velocities_; }
    //! What the body's motion and gravity need to go on as it is.
    const std::vector<double>& bias() const { return bias_; }
    //! Adds what forces from outside on the links (Link::F_ext) are to each degree of freedom.
    void addExternalForces(std::vector<double>& forces) const;
    //! Keeps a step for findConstraints: its forces, as far as they are known, where update() found it.
    void remember(const std::vector<double>& forces);
    //! Adds to a force that was kept.
    void addToRemembered(int dof, double force) { rememberedForces_[dof] += force; }
    //! What contacts, limits and loops were to each degree of freedom in the step that was kept, from
    //! the velocities that update() found since: all that its forces do not explain. 0: none was kept.
    void findConstraints(double timeStep, std::vector<double>& forces) const;
    //! The efforts in the links, 0 for the root.
    const std::vector<double>& efforts() const { return efforts_; }
    //! What a degree of freedom that moves a link makes of it at unit speed: the velocity of its
    //! origin and its angular velocity.
    Vector6 motionAt(const Link* link, int dof) const;
    //! The acceleration of a link's origin and its angular one where no velocity changes.
    Vector6 accelerationAt(const Link* link) const;
    //! Where update() found a link.
    const Isometry3& positionOf(const Link* link) const { return clone_->link(link->index())->T(); }

private:
    //! A motion or a force, as of a frame in the world's origin.
    struct Spatial
    {
        Vector3 linear, angular;
        double dot(const Spatial& other) const {
            return linear.dot(other.linear) + angular.dot(other.angular);
        }
    };

    //! Of a link with all that hangs on it, about the world's origin.
    struct Inertia
    {
        double mass;
        Vector3 moment;
        Matrix3 inertia;
        Spatial operator*(const Spatial& motion) const;
    };

    void copyState(double lead);
    void findMotions();
    void findInertias();
    void findMass();
    void findBias();

    BodyPtr body_, clone_;
    Vector3 gravity_;
    bool hasRotors_, isRootFree_;
    std::vector<int> dofs_, last_; // of the links
    std::vector<int> linkIndices_, parents_; // of the degrees of freedom
    std::vector<Spatial> motions_; // of the degrees of freedom
    std::vector<Inertia> inertias_; // of the links, as the next two
    std::vector<Spatial> accelerations_, forces_;
    std::vector<double> mass_, velocities_, bias_, efforts_;
    std::vector<double> rememberedMass_, rememberedVelocities_, rememberedForces_; // empty: none
};

}

#endif
