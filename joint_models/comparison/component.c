/* SPDX-License-Identifier: MIT
 * The components of a network: rigid bodies, friction, contacts, joints.
 * Kikuuwe and Yamamoto, (11), (12), (19), (23) to (26), (29).
 * Keeps no state, and does not depend on how a network is integrated.
 */
#include "joint_models/comparison/component.h"

#include "joint_models/comparison/vec3.h"

/* ---- rigid body ------------------------------------------------------------------------------ */

static double squared_length(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/* The rotation of q/|q|: within a step q is of unit length only to the order of RK4. */
static mat3 rotation_of(const double q[4]) {
    const double s = 2 / squared_length(q), w = q[0], x = q[1], y = q[2], z = q[3];
    return (mat3){{{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                   {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                   {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}}};
}

/* Q(omega, q): half the product of omega, which is the world's, and q. */
static void quaternion_rate(vec3 w, const double q[4], double qdot[4]) {
    const vec3 v = vec3_load(q + 1);
    qdot[0] = -vec3_dot(w, v) / 2;
    vec3_store(vec3_scale(0.5, vec3_add(vec3_scale(q[0], w), vec3_cross(w, v))), qdot + 1);
}

static void rigid_body_rate(const void *self, const double *x, const double *wrench, double *xdot) {
    const stiction_rigid_body *body = self;
    const vec3 w = vec3_load(x + STICTION_RIGID_W);

    /* Euler's equation in the body frame, where J is constant */
    const mat3 R = rotation_of(x + STICTION_RIGID_Q), J = mat3_load(body->inertia);
    const vec3 spin = mat3_transposed_times(R, w);
    const vec3 moment = mat3_transposed_times(R, vec3_load(wrench + 3));
    const vec3 gyroscopic = vec3_cross(spin, mat3_times(J, spin));
    const vec3 spin_rate = mat3_solve(J, vec3_sub(moment, gyroscopic));

    /* (26) */
    vec3_store(vec3_load(x + STICTION_RIGID_V), xdot + STICTION_RIGID_P);
    vec3_store(vec3_scale(1 / body->mass, vec3_load(wrench)), xdot + STICTION_RIGID_V);
    quaternion_rate(w, x + STICTION_RIGID_Q, xdot + STICTION_RIGID_Q);
    vec3_store(mat3_times(R, spin_rate), xdot + STICTION_RIGID_W);
}

static void rigid_body_normalise(const void *self, double *x) {
    (void)self;
    double *const q = x + STICTION_RIGID_Q;
    const double length = sqrt(squared_length(q));
    for (int i = 0; i < 4; i++) q[i] /= length;
}

stiction_admittance stiction_rigid_body_admittance(const stiction_rigid_body *body) {
    return (stiction_admittance){.self = body,
                                 .states = STICTION_RIGID_STATES,
                                 .inputs = 6,
                                 .rate = rigid_body_rate,
                                 .normalise = rigid_body_normalise};
}

void stiction_rigid_body_frame(const double body[STICTION_RIGID_STATES], const double offset[3],
                               double frame[STICTION_RIGID_STATES]) {
    const vec3 s = mat3_times(rotation_of(body + STICTION_RIGID_Q), vec3_load(offset));
    const vec3 w = vec3_load(body + STICTION_RIGID_W);
    for (int i = 0; i < STICTION_RIGID_STATES; i++) frame[i] = body[i];
    vec3_store(vec3_add(vec3_load(body + STICTION_RIGID_P), s), frame + STICTION_RIGID_P);
    vec3_store(vec3_add(vec3_load(body + STICTION_RIGID_V), vec3_cross(w, s)),
               frame + STICTION_RIGID_V);
}

void stiction_rigid_body_apply(const double body[STICTION_RIGID_STATES],
                               const double frame[STICTION_RIGID_STATES], double sign,
                               const double wrench[6], double input[6]) {
    const vec3 arm =
        vec3_sub(vec3_load(frame + STICTION_RIGID_P), vec3_load(body + STICTION_RIGID_P));
    const vec3 force = vec3_scale(sign, vec3_load(wrench));
    const vec3 moment = vec3_add(vec3_scale(sign, vec3_load(wrench + 3)), vec3_cross(arm, force));
    vec3_store(vec3_add(vec3_load(input), force), input); /* (29n), (29o) */
    vec3_store(vec3_add(vec3_load(input + 3), moment), input + 3);
}

/* ---- friction -------------------------------------------------------------------------------- */

stiction_law_verdict stiction_fric_k_init(stiction_fric_k *fric, const stiction_law *law,
                                          const stiction_law_parameters *parameters,
                                          double stiffness, double damping, double tau) {
    *fric = (stiction_fric_k){.stiffness = stiffness, .damping = damping, .tau = tau};
    return stiction_phi_z_prepare_inverse(&fric->phi_z, law, parameters,
                                          fma(tau, stiffness, damping));
}

/* (19c). While the bristle holds, this is v; to say so keeps p - e constant to the last bit. */
static void deflection_rate(bool holds, double K, double inverse_Z, size_t n, const double *v,
                            const double *e, const double *f, double *edot) {
    for (size_t i = 0; i < n; i++) edot[i] = holds ? v[i] : fma(-K, e[i], f[i]) / inverse_Z;
}

void stiction_fric_k_evaluate(const stiction_fric_k *fric, size_t n, const double *v,
                              const double *e, double *f, double *edot) {
    const stiction_phi_z *phi_z = &fric->phi_z;
    const double K = fric->stiffness;

    /* the argument of Phi_Z is v + Z K e; it waits in f, which is free until then */
    for (size_t i = 0; i < n; i++) f[i] = fma(phi_z->Z, K * e[i], v[i]);
    const bool sticks = stiction_phi_z_sticks(phi_z, stiction_norm(n, f));
    stiction_phi_z_vector(phi_z, n, f, f); /* (19b) */

    /* at the edge itself K e may exceed the breakaway force by less than an ulp of it: there (19c)
     * sees what the argument's rounding has hidden */
    const bool holds = sticks && stiction_norm(n, f) < phi_z->breakaway;
    deflection_rate(holds, K, phi_z->inverse_Z, n, v, e, f, edot);
}

void stiction_fric_kn_evaluate(const stiction_fric_kn *fric, double tau, double p_z,
                               const double v[3], const double e[2], double f[3], double edot[2]) {
    const double K = fric->stiffness, B = fric->damping, inverse_Z = fma(tau, K, B);

    /* (23a): the surface pushes, it never pulls */
    f[2] = p_z > 0 ? 0 : fmin(0, K * p_z + B * v[2]);
    const double limit = fric->coefficient * -f[2];

    /* (23b), (23c): gsat (15) of the force that would hold the contact point */
    for (int i = 0; i < 2; i++) f[i] = fma(K, e[i], inverse_Z * v[i]);
    const double trial = hypot(f[0], f[1]);
    const bool holds = trial <= limit;
    for (int i = 0; i < 2 && !holds; i++) f[i] *= limit / trial;
    deflection_rate(holds, K, inverse_Z, 2, v, e, f, edot); /* (23d) */
}

stiction_law_verdict stiction_staged_friction_init(stiction_staged_friction *friction, size_t n,
                                                   const stiction_law *law,
                                                   const stiction_law_parameters *parameters,
                                                   double stiffness, double damping,
                                                   double timestep) {
    friction->n = n;
    const stiction_law_verdict verdict =
        stiction_fric_k_init(&friction->half, law, parameters, stiffness, damping, timestep / 2);
    const stiction_law_verdict other =
        stiction_fric_k_init(&friction->full, law, parameters, stiffness, damping, timestep);
    return verdict != STICTION_LAW_OK ? verdict : other;
}

static void staged_friction_evaluate(const void *self, double t, double tau, const double *v,
                                     const double *e, double *f, double *edot) {
    const stiction_staged_friction *friction = self;
    const stiction_fric_k *stage = tau == friction->half.tau ? &friction->half : &friction->full;
    (void)t;
    stiction_fric_k_evaluate(stage, friction->n, v, e, f, edot);
}

stiction_impedance stiction_staged_friction_impedance(const stiction_staged_friction *friction) {
    return (stiction_impedance){.self = friction,
                                .states = friction->n,
                                .inputs = friction->n,
                                .outputs = friction->n,
                                .evaluate = staged_friction_evaluate};
}

/* ---- contact with a plane -------------------------------------------------------------------- */

static void fric_kn_evaluate(const void *self, double t, double tau, const double *motion,
                             const double *e, double *f, double *edot) {
    (void)t;
    stiction_fric_kn_evaluate(self, tau, motion[0], motion + 1, e, f, edot);
}

stiction_impedance stiction_fric_kn_impedance(const stiction_fric_kn *contact) {
    return (stiction_impedance){
        .self = contact, .states = 2, .inputs = 4, .outputs = 3, .evaluate = fric_kn_evaluate};
}

/* ---- Dahl, LuGre, elasto-plastic ------------------------------------------------------------- */

static void single_state_evaluate(const void *self, double t, double tau, const double *v,
                                  const double *z, double *f, double *zdot) {
    (void)t, (void)tau;
    stiction_single_state_rate(self, *v, *z, f, zdot); /* (11), (12) */
}

stiction_impedance stiction_single_state_impedance(const stiction_single_state *model) {
    return (stiction_impedance){
        .self = model, .states = 1, .inputs = 1, .outputs = 1, .evaluate = single_state_evaluate};
}

/* ---- penalty joint --------------------------------------------------------------------------- */

static vec3 spring_force(double stiffness, vec3 displacement, double damping, vec3 velocity) {
    return vec3_add(vec3_scale(stiffness, displacement), vec3_scale(damping, velocity));
}

static void penalty_joint_evaluate(const void *self, double t, double tau, const double *motion,
                                   const double *e, double *wrench, double *edot) {
    const stiction_penalty_joint *joint = self;
    const double *parent = motion, *child = motion + STICTION_RIGID_STATES;
    const vec3 axis_in_body = vec3_load(joint->axis);

    /* how the child's frame lies and moves in the parent's */
    double relative[STICTION_RIGID_STATES];
    for (int i = 0; i < STICTION_RIGID_STATES; i++) relative[i] = child[i] - parent[i];
    const vec3 axis = mat3_times(rotation_of(parent + STICTION_RIGID_Q), axis_in_body);
    const vec3 bent = mat3_times(rotation_of(child + STICTION_RIGID_Q), axis_in_body);
    const vec3 w = vec3_load(relative + STICTION_RIGID_W);
    const double turning = vec3_dot(axis, w);

    double f;
    staged_friction_evaluate(joint->friction, t, tau, &turning, e, &f, edot);

    const vec3 force = spring_force(joint->stiffness, vec3_load(relative + STICTION_RIGID_P),
                                    joint->damping, vec3_load(relative + STICTION_RIGID_V));
    const vec3 bending = spring_force(joint->bend_stiffness, vec3_cross(axis, bent),
                                      joint->bend_damping, vec3_sub(w, vec3_scale(turning, axis)));
    vec3_store(force, wrench);
    vec3_store(vec3_add(bending, vec3_scale(f, axis)), wrench + 3);
}

stiction_impedance stiction_penalty_joint_impedance(const stiction_penalty_joint *joint) {
    return (stiction_impedance){.self = joint,
                                .states = 1,
                                .inputs = 2 * STICTION_RIGID_STATES,
                                .outputs = 6,
                                .evaluate = penalty_joint_evaluate};
}
