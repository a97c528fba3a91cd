/* SPDX-License-Identifier: MIT
 * A serial chain of revolute links: forward dynamics, inverse dynamics, energy.
 * Kikuuwe and Yamamoto, (8); Featherstone, Rigid Body Dynamics Algorithms, chapters 5 and 7.
 * May not allocate. All spatial vectors are in the world frame about its origin, so that they add
 * without transformation.
 */
#include "joint_models/comparison/serial_link.h"

#include "joint_models/comparison/vec3.h"

/* A motion (angular, linear at the origin) or a force (moment about the origin, force). */
typedef struct spatial {
    vec3 angular, linear;
} spatial;

/* Force of motion: (angular: a w + h v, linear: h' w + m v), a and m symmetric. */
typedef struct spatial_inertia {
    mat3 a, h, m;
} spatial_inertia;

static spatial spatial_add(spatial a, spatial b) {
    return (spatial){vec3_add(a.angular, b.angular), vec3_add(a.linear, b.linear)};
}

static spatial spatial_scale(double s, spatial a) {
    return (spatial){vec3_scale(s, a.angular), vec3_scale(s, a.linear)};
}

static double spatial_dot(spatial a, spatial b) {
    return vec3_dot(a.angular, b.angular) + vec3_dot(a.linear, b.linear);
}

/* The rate of a motion vector that is carried along by the motion v. */
static spatial cross_motion(spatial v, spatial m) {
    return (spatial){vec3_cross(v.angular, m.angular),
                     vec3_add(vec3_cross(v.angular, m.linear), vec3_cross(v.linear, m.angular))};
}

/* The rate of a force vector that is carried along by the motion v. */
static spatial cross_force(spatial v, spatial f) {
    return (spatial){vec3_add(vec3_cross(v.angular, f.angular), vec3_cross(v.linear, f.linear)),
                     vec3_cross(v.angular, f.linear)};
}

static spatial inertia_times(const spatial_inertia *I, spatial v) {
    return (spatial){vec3_add(mat3_times(I->a, v.angular), mat3_times(I->h, v.linear)),
                     vec3_add(mat3_transposed_times(I->h, v.angular), mat3_times(I->m, v.linear))};
}

static mat3 mat3_add(mat3 p, mat3 q) {
    for (int k = 0; k < 3; k++) p.column[k] = vec3_add(p.column[k], q.column[k]);
    return p;
}

/* p + s u v' */
static mat3 mat3_add_outer(mat3 p, double s, vec3 u, vec3 v) {
    return mat3_add(
        p, (mat3){{vec3_scale(s * v.x, u), vec3_scale(s * v.y, u), vec3_scale(s * v.z, u)}});
}

static void inertia_add(spatial_inertia *I, const spatial_inertia *other) {
    I->a = mat3_add(I->a, other->a);
    I->h = mat3_add(I->h, other->h);
    I->m = mat3_add(I->m, other->m);
}

static void inertia_add_outer(spatial_inertia *I, double s, spatial u) {
    I->a = mat3_add_outer(I->a, s, u.angular, u.angular);
    I->h = mat3_add_outer(I->h, s, u.angular, u.linear);
    I->m = mat3_add_outer(I->m, s, u.linear, u.linear);
}

static vec3 unit(int k) {
    return (vec3){k == 0, k == 1, k == 2};
}

/* Inertia about the origin of a body with centre of mass c, turned by R. */
static spatial_inertia inertia_of(const stiction_link *link, mat3 R, vec3 c) {
    const mat3 J = mat3_load(link->inertia);
    spatial_inertia I;
    for (int k = 0; k < 3; k++) {
        const vec3 spin = mat3_transposed_times(R, unit(k));
        I.m.column[k] = vec3_scale(link->mass, unit(k));
        I.h.column[k] = vec3_cross(c, I.m.column[k]);
        I.a.column[k] = vec3_add(mat3_times(R, mat3_times(J, spin)),
                                 vec3_cross(c, vec3_cross(I.m.column[k], c)));
    }
    return I;
}

/* Rodrigues' formula. */
static vec3 rotate(vec3 axis, double angle, vec3 v) {
    const double c = cos(angle), half = sin(angle / 2), versine = 2 * half * half;
    return vec3_add(vec3_add(vec3_scale(c, v), vec3_scale(sin(angle), vec3_cross(axis, v))),
                    vec3_scale(versine * vec3_dot(axis, v), axis));
}

/* One link in motion. */
typedef struct moving_link {
    vec3 com;
    spatial_inertia inertia;
    spatial axis;     /* S: motion for a joint velocity of 1 */
    spatial velocity; /* V */
    spatial bias;     /* c: acceleration for a joint acceleration of 0, less the parent's */
    spatial force;    /* p: force that keeps V, of the link alone */
} moving_link;

static void move_links(const stiction_serial_link *chain, const double *state,
                       moving_link moving[STICTION_LINKS_MAX]) {
    const double *theta = state, *omega = state + chain->count;
    mat3 R = {{unit(0), unit(1), unit(2)}};
    vec3 joint = {0, 0, 0};
    spatial V = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = 0; i < chain->count; i++) {
        const stiction_link *link = &chain->links[i];
        moving_link *m = &moving[i];
        const vec3 axis_in_link = vec3_load(link->axis), axis = mat3_times(R, axis_in_link);

        joint = vec3_add(joint, mat3_times(R, vec3_load(link->offset)));
        m->axis = (spatial){axis, vec3_cross(joint, axis)};
        mat3 turned;
        for (int k = 0; k < 3; k++)
            turned.column[k] = mat3_times(R, rotate(axis_in_link, theta[i], unit(k)));
        R = turned;

        const spatial joint_velocity = spatial_scale(omega[i], m->axis);
        m->bias = cross_motion(V, joint_velocity);
        V = m->velocity = spatial_add(V, joint_velocity);
        m->com = vec3_add(joint, mat3_times(R, vec3_load(link->com)));
        m->inertia = inertia_of(link, R, m->com);
        m->force = cross_force(V, inertia_times(&m->inertia, V));
    }
}

/* Gravity is the base accelerating the other way. */
static spatial base_acceleration(const stiction_serial_link *chain) {
    return (spatial){{0, 0, 0}, vec3_scale(-1, vec3_load(chain->gravity))};
}

/* Featherstone's articulated-body algorithm: inertia and force become those of all that hangs on
 * the link, seen through free joints. */
static void serial_link_rate(const void *self, const double *x, const double *tau, double *xdot) {
    const stiction_serial_link *chain = self;
    const size_t n = chain->count;
    moving_link moving[STICTION_LINKS_MAX];
    spatial U[STICTION_LINKS_MAX];
    double D[STICTION_LINKS_MAX], u[STICTION_LINKS_MAX];
    move_links(chain, x, moving);

    for (size_t i = n; i-- > 0;) {
        moving_link *m = &moving[i];
        U[i] = inertia_times(&m->inertia, m->axis);
        D[i] = spatial_dot(m->axis, U[i]);
        u[i] = tau[i] - spatial_dot(m->axis, m->force);
        if (i == 0) break;
        inertia_add_outer(&m->inertia, -1 / D[i], U[i]);
        const spatial through =
            spatial_add(inertia_times(&m->inertia, m->bias), spatial_scale(u[i] / D[i], U[i]));
        inertia_add(&moving[i - 1].inertia, &m->inertia);
        moving[i - 1].force = spatial_add(moving[i - 1].force, spatial_add(m->force, through));
    }

    spatial acceleration = base_acceleration(chain);
    for (size_t i = 0; i < n; i++) {
        acceleration = spatial_add(acceleration, moving[i].bias);
        xdot[i] = x[n + i];
        xdot[n + i] = (u[i] - spatial_dot(U[i], acceleration)) / D[i]; /* (8) */
        acceleration = spatial_add(acceleration, spatial_scale(xdot[n + i], moving[i].axis));
    }
}

void stiction_serial_link_torque(const stiction_serial_link *chain, const double *state,
                                 const double *omega_rate, double *torque) {
    moving_link moving[STICTION_LINKS_MAX];
    move_links(chain, state, moving);

    spatial acceleration = base_acceleration(chain);
    for (size_t i = 0; i < chain->count; i++) {
        moving_link *m = &moving[i];
        acceleration = spatial_add(acceleration, m->bias);
        acceleration = spatial_add(acceleration, spatial_scale(omega_rate[i], m->axis));
        m->force = spatial_add(m->force, inertia_times(&m->inertia, acceleration));
    }
    spatial carried = {{0, 0, 0}, {0, 0, 0}};
    for (size_t i = chain->count; i-- > 0;) {
        carried = spatial_add(carried, moving[i].force);
        torque[i] = spatial_dot(moving[i].axis, carried);
    }
}

double stiction_serial_link_energy(const stiction_serial_link *chain, const double *state) {
    moving_link moving[STICTION_LINKS_MAX];
    move_links(chain, state, moving);

    double energy = 0;
    for (size_t i = 0; i < chain->count; i++) {
        const moving_link *m = &moving[i];
        energy += spatial_dot(m->velocity, inertia_times(&m->inertia, m->velocity)) / 2 -
                  chain->links[i].mass * vec3_dot(vec3_load(chain->gravity), m->com);
    }
    return energy;
}

static bool link_valid(const stiction_link *link) {
    const vec3 axis = vec3_load(link->axis), offset = vec3_load(link->offset);
    const vec3 com = vec3_load(link->com);
    return fabs(vec3_dot(axis, axis) - 1) < 1e-12 && isfinite(vec3_dot(offset, offset)) &&
           isfinite(vec3_dot(com, com)) && link->mass > 0 && isfinite(link->mass) &&
           mat3_is_positive_definite(mat3_load(link->inertia));
}

static bool serial_link_valid(const void *self) {
    const stiction_serial_link *chain = self;
    const vec3 g = vec3_load(chain->gravity);
    if (!chain->links || chain->count == 0 || chain->count > STICTION_LINKS_MAX) return false;
    for (size_t i = 0; i < chain->count; i++)
        if (!link_valid(&chain->links[i])) return false;
    return isfinite(vec3_dot(g, g));
}

stiction_admittance stiction_serial_link_admittance(const stiction_serial_link *chain) {
    return (stiction_admittance){.self = chain,
                                 .states = 2 * chain->count,
                                 .inputs = chain->count,
                                 .rate = serial_link_rate,
                                 .valid = serial_link_valid};
}
