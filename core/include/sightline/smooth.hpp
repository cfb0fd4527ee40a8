// Smoothed lines: one number per point, always from all points of the series.
//
// Common to all kinds: a point that is not finite keeps its value and has no part in the value of any other, and a
// series whose values are all equal stays as it is, to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sightline {

enum class SmoothingKind : uint8_t {
    kNone,
    // TensorBoard's moving average: s = w·s + (1−w)·v from 0, shown as s / (1 − wⁿ), n counting finite points.
    // amount: w, from 0 to below 1.
    kEma,
    // The same with the weight w^(Δt / usual Δt), Δt being the time since the finite point before. On points that come
    // evenly it equals kEma. Usual: the median of the positive gaps (of at most kMostGaps, evenly chosen).
    kTimeEma,
    // Weights of a normal distribution. amount: standard deviation in points. Cut off at 4 of them; from kBlockSigma on
    // at 6, and then summed by blocks, which agrees with the direct sum within 1e-6 of the values around.
    kGaussian,
    // Mean of the `amount` points around each (rounded; one more behind than before when even), fewer at the ends.
    kMean,
};

struct Smoothing {
    SmoothingKind kind = SmoothingKind::kNone;
    double amount = 0;
};

inline constexpr size_t kMostGaps = 10'001;
inline constexpr double kBlockSigma = 64;

// Is the amount one that its kind can work with?
bool is_valid(const Smoothing& how);

// Writes `size` numbers to `out`, which must not overlap the input. `wall` is looked at by kTimeEma only.
void smooth(const Smoothing& how, const double* value, const double* wall, size_t size, double* out);

}  // namespace sightline
