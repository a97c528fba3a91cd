/*
 * Boost's Lambert W0 for the bench. C++ only because Boost is; built only where Boost is found.
 */
#include <boost/math/special_functions/lambert_w.hpp>

#include "bench_rivals.h"

static double w0(double z) {
    return boost::math::lambert_w0(z);
}

extern "C" const bench_function bench_boost_w0 = w0;
