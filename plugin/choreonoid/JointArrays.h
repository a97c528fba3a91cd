/* SPDX-License-Identifier: MIT
 * The quantities of joints (stiction/quantities.h) with the memory of their arrays.
 */
#ifndef CNOID_STICTION_PLUGIN_JOINT_ARRAYS_H
#define CNOID_STICTION_PLUGIN_JOINT_ARRAYS_H

#include <results/joint_arrays.h>
#include <vector>

namespace cnoid {

class JointArrays : public joint_arrays
{
public:
    JointArrays() : joint_arrays() { }
    JointArrays(const JointArrays&) = delete;
    JointArrays& operator=(const JointArrays&) = delete;

    //! All entries are 0 afterwards.
    void resize(size_t count)
    {
        memory_.assign(joint_arrays_place(this, nullptr, count) / sizeof(double), 0.0);
        joint_arrays_place(this, memory_.data(), count);
    }

private:
    std::vector<double> memory_;
};

}

#endif
