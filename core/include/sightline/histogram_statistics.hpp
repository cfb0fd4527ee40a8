// What is computed from many logged histograms at once: statistics, and maps of where their values lie.
//
// Logged buckets are not all what they should be: widths of zero (TensorFlow, when all values are equal), edges in the
// wrong order, edges and counts that are not finite. A bucket counts when its count is above 0 and finite; one with its
// edges exchanged holds what lies between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sightline {

// Of all values laid end to end, as DecodedValues has them.
struct BucketColumns {
    const uint32_t* size;  // buckets of each value; together `buckets`
    size_t values;
    const double* left;
    const double* right;
    const double* counts;
    size_t buckets;
};

// Hundredths of a percent: the normal distribution at −∞, −1.5, −1, −0.5, 0, 0.5, 1, 1.5 and +∞ sigma.
inline constexpr std::array<double, 9> kBasisPoints = {0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};

struct HistogramStatistics {
    double count = 0;
    // NaN without values, and so is the rest, but for the quantiles.
    double min;
    double max;
    double mean;   // with all values of a bucket in its middle
    double std;    // with the values of a bucket spread evenly in it
    double zeros;  // share of values in the bucket that holds 0
    // On straight lines between the edges; 0 without buckets.
    std::array<double, kBasisPoints.size()> quantiles;
};

// One for each value.
std::vector<HistogramStatistics> histogram_statistics(const BucketColumns& columns);

// For each value, how many lie between each two neighbouring edges, in the order of the edges, which ascend (2 or more).
// The values of a bucket are spread evenly in it; those beyond the outer edges are in no place of the map.
std::vector<float> histogram_map(const BucketColumns& columns, const std::vector<double>& edges);

}  // namespace sightline
