/* SPDX-License-Identifier: MIT
 * Boost's Lambert W for the bench. C++ only because Boost is; built only where Boost is found.
 */
#include <boost/math/special_functions/lambert_w.hpp>

#include "bench_rivals.h"

static double w0(double z) {
    return boost::math::lambert_w0(z);
}

static double wm1(double z) {
    return boost::math::lambert_wm1(z);
}

extern "C" const bench_function bench_boost_w0 = w0, bench_boost_wm1 = wm1;
