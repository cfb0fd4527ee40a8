// Arrays counted into buckets, for the histograms that a training loop logs.
//
// Three ways to lay the buckets: TensorFlow's geometric grid, buckets of equal width, and any edges. All of them look
// at each element as a double, as NumPy, torch and TensorFlow do, and give exactly the counts that those give: where
// speed asks for a guess, a comparison with the edge itself decides. Not a number and infinite elements are left out
// of everything and counted apart; the peers either fail on them or write sums that are not numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sightline {

// What an array holds. Elements lie close together, in the byte order of the machine; any alignment will do.
enum class DType : uint8_t {
    kBool,
    kInt8,
    kInt16,
    kInt32,
    kInt64,
    kUint8,
    kUint16,
    kUint32,
    kUint64,
    kFloat16,
    kBfloat16,
    kFloat32,
    kFloat64,
};

size_t size_bytes_of(DType dtype);

struct HistogramCounts {
    std::vector<double> edges;   // ascending; one more than counts
    std::vector<double> counts;  // whole numbers; doubles because every format stores them so
    double min = 0;              // of the finite elements; 0 without any, and so are the sums
    double max = 0;
    uint64_t num = 0;  // finite elements, also those that no bucket holds
    double sum = 0;
    double sum_squares = 0;
    uint64_t nan_count = 0;
    uint64_t inf_count = 0;
};

// TensorFlow's grid as torch and tensorboardX lay it: 0 and ±1e-12 · 1.1^k below 1e20. A bucket holds its left edge;
// the last one of the grid holds both. Elements beyond an end of the grid are in one more bucket there, which ends at
// the smallest or largest of them: torch and tensorboardX leave them out, and so lose gradients that explode.
HistogramCounts count_geometric(DType dtype, const void* data, size_t count);

// `buckets` (fewer than 2^31) of equal width from the smallest to the largest element, as tf.summary.histogram of TF 2:
// all elements equal: every edge is that value and the last bucket holds all; no finite element: edges and counts 0.
HistogramCounts count_uniform(DType dtype, const void* data, size_t count, size_t buckets);

// Buckets between edge_count (2 or more) ascending edges, as numpy.histogram counts. Edges may repeat and be infinite.
HistogramCounts count_into(DType dtype, const void* data, size_t count, const double* edges, size_t edge_count);

// The two lists of a HistogramProto. bucket_limit[i] is the right edge of bucket i.
struct LegacyBuckets {
    std::vector<double> bucket_limit;
    std::vector<double> bucket;
};

// As torch fills them: empty buckets at both ends are left out, but for one at the left whose limit is the left edge
// of the first filled one. With max_bins (0: no limit) neighbours are merged first, which may leave somewhat more than
// max_bins. When no bucket is filled there is one empty bucket; torch raises an error then.
LegacyBuckets legacy_buckets(const HistogramCounts& histogram, size_t max_bins = 0);

}  // namespace sightline
