/* SPDX-License-Identifier: MIT
 * Computed torque with Eigen: tau = M (kp (target - q) - kv dq) + bias, so that all joints move as
 * if each were a mass of 1 kg m^2 on a spring, whatever hangs on them. A base that floats counts as
 * standing. To build and run it:
 *
 *     c++ -O2 -shared -fPIC $(pkg-config --cflags stiction eigen3) computed_torque.cpp \
 *         -o computed_torque.so
 *     stiction run arm7.cnoid --controller ./computed_torque.so:"kp=100 kv=20"
 */
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <stiction/controller.h>

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

struct ComputedTorque {
    double kp, kv; // s^-2, s^-1
    bool hasStarted = false;
    Vector start, target, acceleration; // made once: a step allocates nothing
};

const char *const records[] = {"largest_error"}; // rad

double option(const char *options, const char *name, double otherwise) {
    for (const char *at = options; (at = std::strstr(at, name)) != nullptr; at += std::strlen(name))
        if (at == options || std::strchr(" \n", at[-1]))
            otherwise = std::strtod(at + std::strlen(name), nullptr);
    return otherwise;
}

stiction_status create(const stiction_controller_setup *setup, stiction_controller_needs *needs,
                       void **self, stiction_error *error) {
    auto made = new (std::nothrow) ComputedTorque;
    if (!made) return STICTION_OUT_OF_MEMORY;
    made->kp = option(setup->options, "kp=", 100);
    made->kv = option(setup->options, "kv=", 20);
    if (!(made->kp >= 0 && made->kv >= 0)) {
        std::snprintf(error->message, sizeof error->message, "kp %g and kv %g must be at least 0",
                      made->kp, made->kv);
        delete made;
        return STICTION_INVALID_CONFIG;
    }
    const auto n = Eigen::Index(setup->joint_count);
    made->start.setZero(n);
    made->target.setZero(n);
    made->acceleration.setZero(n);
    needs->mass_matrix = 1;
    needs->bias = 1;
    needs->record_count = 1;
    needs->records = records;
    *self = made;
    return STICTION_OK;
}

stiction_status step(void *self, const stiction_controller_input *in,
                     stiction_controller_output *out, stiction_error *) {
    auto &c = *static_cast<ComputedTorque *>(self);
    const auto n = Eigen::Index(in->joint_count), dof = Eigen::Index(in->dof);
    const Eigen::Map<const Vector> q(in->q, n), dq(in->dq, n), bias(in->bias, dof);
    const Eigen::Map<const Matrix> M(in->mass_matrix, dof, dof);
    Eigen::Map<Vector> torque(out->torque, n), shown(out->target, n);

    if (!c.hasStarted) c.start = q; // where joints without a target stay
    c.hasStarted = true;
    for (Eigen::Index k = 0; k < n; ++k)
        c.target[k] = std::isnan(in->target[k]) ? c.start[k] : in->target[k];
    c.acceleration = c.kp * (c.target - q) - c.kv * dq;
    torque = bias.tail(n);
    torque.noalias() += M.bottomRightCorner(n, n) * c.acceleration;
    shown = c.target;
    out->records[0] = (c.target - q).cwiseAbs().maxCoeff();
    return STICTION_OK;
}

void reset(void *self) {
    static_cast<ComputedTorque *>(self)->hasStarted = false;
}

void destroy(void *self) {
    delete static_cast<ComputedTorque *>(self);
}

} // namespace

STICTION_CONTROLLER = {STICTION_CONTROLLER_HEAD, .create = create, .step = step,
                       .destroy = destroy,       .reset = reset,   .note = nullptr,
                       .gains = nullptr};
