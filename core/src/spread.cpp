#include "spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Between these exponents of 2, squares and fourth powers of as many numbers as there are runs are numbers too.
constexpr int kLeastExponent = -200;
constexpr int kMostExponent = 200;

// Value at a fraction of the way through the numbers, which are reordered; those before `sorted_from` are known to be the
// least ones. Says where it is, for the next and greater fraction.
struct Ranked {
    double value;
    size_t at;
};
Ranked percentile(std::span<double> values, double fraction, size_t sorted_from) {
    const double rank = fraction * static_cast<double>(values.size() - 1);
    const auto lower = static_cast<size_t>(rank);
    const auto at = values.begin() + static_cast<ptrdiff_t>(lower);
    std::nth_element(values.begin() + static_cast<ptrdiff_t>(sorted_from), at, values.end());
    if (lower + 1 == values.size()) return {*at, lower};
    const double pair[2] = {*at, *std::min_element(at + 1, values.end())};
    return {percentile_of_sorted(pair, rank - static_cast<double>(lower)), lower};
}

double deviation(std::span<const double> values, double mean) {
    double squares = 0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Spread measured(std::span<double> values, Center center, Band band, Bootstrap& bootstrap, SpreadRoom& room) {
    const bool is_median = center == Center::kMedian;
    Spread out{values[0], kNan, kNan};
    if (values.size() == 1) return out;
    const double mean = stable_mean(values);
    switch (band) {
        case Band::kNone:
        case Band::kExtremes:
            out.center = is_median ? percentile(values, 0.5, 0).value : mean;
            break;
        case Band::kDeviation:
        case Band::kError: {
            out.center = is_median ? percentile(values, 0.5, 0).value : mean;
            double width = deviation(values, mean);
            if (band == Band::kError) width /= std::sqrt(static_cast<double>(values.size()));
            out.low = out.center - width;
            out.high = out.center + width;
            break;
        }
        case Band::kQuartiles: {
            const Ranked low = percentile(values, 0.25, 0);
            const Ranked middle = percentile(values, 0.5, low.at);
            out.center = is_median ? middle.value : mean;
            out.low = low.value;
            out.high = percentile(values, 0.75, middle.at).value;
            break;
        }
        case Band::kConfidence:
            if (is_median) {
                std::sort(values.begin(), values.end());
                const Interval interval = bootstrap.of_median(values, room.bootstrap);
                return {percentile_of_sorted(values, 0.5), interval.low, interval.high};
            }
            room.deviations.clear();
            for (const double v : values) room.deviations.push_back(v - mean);
            const Interval interval = bootstrap.of_mean(room.deviations, room.bootstrap);
            return {mean, mean + interval.low, mean + interval.high};
    }
    return out;
}

}  // namespace

double stable_mean(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    const double first = values[0];
    double sum = 0;
    for (const double v : values) sum += v - first;
    const double mean = first + sum / count;
    if (std::isfinite(mean)) [[likely]]
        return mean;
    // So far apart that a difference, or the sum of them, is no number any more: each one's share of the mean is.
    double shares = 0;
    for (const double v : values) shares += v / count;
    return shares;
}

Spread spread_of(std::span<double> values, Center center, Band band, Bootstrap& bootstrap, SpreadRoom& room) {
    double greatest = 0;
    for (const double v : values) greatest = std::max(greatest, std::abs(v));
    int exponent = 0;
    std::frexp(greatest, &exponent);
    if (exponent >= kLeastExponent && exponent <= kMostExponent) [[likely]]
        return measured(values, center, band, bootstrap, room);
    for (double& v : values) v = std::ldexp(v, -exponent);
    Spread out = measured(values, center, band, bootstrap, room);
    for (double* number : {&out.center, &out.low, &out.high}) *number = std::ldexp(*number, exponent);
    return out;
}

}  // namespace sightline
