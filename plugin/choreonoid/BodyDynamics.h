/* SPDX-License-Identifier: MIT
 * The mass matrix and the bias force of a body, for implicit friction: of all its joints that can
 * move and, where it is free, of its root. Poses and velocities of the links are computed here from
 * those of the joints: not every simulator keeps them in its links.
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
    int dofOf(const Link* link) const { return isGap(link) ? -1 : parts_[link->index()].dof; }
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
    Isometry3 positionOf(const Link* link) const;

private:
    //! Constants of a link and its joint.
    struct Part
    {
        int parent = -1; // -1: none
        int dof = -1; // of its joint; -1: it does not move
        int axisIndex = -1; // 0 to 2 if the joint's axis is this axis of its frame, or its opposite
        bool isRevolute, isTurned; // isTurned: the frame of the joint is not parallel to the parent's
        Matrix3 turn;
        Vector3 offset, axis, center;
        Matrix3 inertia; // about the center
        double mass, rotor;
    };

    //! Mass, its first moment, and its second moments xx, yy, zz, xy, xz, yz, about the origin.
    typedef Eigen::Matrix<double, 10, 1> Inertia;

    static Vector6 product(const Inertia& inertia, const Vector6& motion);
    static void turnAbout(Matrix3& R, const Part& part, double angle);
    void copyState(double lead);
    void findPoses();
    void findInertias();
    void findMass();
    void findBias();

    BodyPtr body_;
    Vector3 gravity_;
    bool isRootFree_;
    std::vector<Part> parts_; // of the links
    std::vector<int> last_; // of the links
    std::vector<int> linkIndices_, parents_; // of the degrees of freedom
    std::vector<int> lengths_; // of the rows of the mass matrix
    std::vector<int> columns_; // of the entries of the mass matrix
    // Motions and forces are linear and angular, in the world's axes, about the origin of the root,
    // which keeps numbers small wherever the body is.
    Vector3 origin_;
    std::vector<Matrix3> rotations_; // of the links, as all up to forces_
    std::vector<Vector3> positions_; // from the origin
    std::vector<Inertia> inertias_;
    std::vector<Vector6> twists_, accelerations_, forces_;
    std::vector<Vector6> motions_; // of the degrees of freedom
    std::vector<double> angles_, rates_; // of the degrees of freedom, at the state of update()
    std::vector<double> mass_, velocities_, bias_, efforts_;
    std::vector<double> rememberedMass_, rememberedVelocities_, rememberedForces_; // empty: none
};

}

#endif
