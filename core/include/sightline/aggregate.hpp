// Groups of series as one line each: their centre and a band around it, on a common grid of x, from all their points.
//
// The grid of a group holds every different x of its members in the range where there are at most `buckets` of them;
// else the range (which all groups share) in so many cells of equal width, each with its middle as x. A member's value at
// a place of the grid is the mean of its finite points there: at that very x, or in that cell. Where it has no point
// at all it is interpolated linearly between its neighbouring points, never beyond its ends, never next to a point that
// is not finite. Centre and band are made of the members that have a value there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/reduce.hpp"
#include "sightline/smooth.hpp"

namespace sightline {

enum class Center : uint8_t { kMean, kMedian };

enum class Band : uint8_t {
    kNone,
    kDeviation,  // centre ± standard deviation (n − 1)
    kError,      // centre ± standard deviation / √n
    kExtremes,   // least and greatest of the members' own points at the place; of interpolated ones where there is none
    kQuartiles,  // 25th and 75th percentile, between the two nearest in rank
    kConfidence,  // 95 % of the centre of resampled members: see bootstrap.hpp
};

struct AggregateOptions {
    XAxis x = XAxis::kStep;
    std::optional<XRange> range;  // none: the one that holds all points of all series
    bool is_log = false;          // cells are equally wide in the logarithm of x; only x above 0 has a place
    uint32_t buckets = 512;
    Smoothing smoothing;  // of each member, before anything else
    Center center = Center::kMean;
    Band band = Band::kDeviation;
    // Also the nearest x of any member on each side of the range: for the line that leaves the chart.
    bool has_neighbours = false;
};

// Columns of one length: the places of the grid at which any member has a value.
struct GroupAggregate {
    bool is_exact = false;  // the grid holds every x of every member
    uint64_t runs = 0;      // members that have a value somewhere in the range
    // Least and greatest finite number of centre and band in the range; NaN without any.
    double y_low = 0, y_high = 0;
    std::vector<double> x, center;
    std::vector<double> low, high;  // empty without a band; NaN where there is one member
    std::vector<uint32_t> members;  // how many have a value there
    // Places before which the line ends: no member has a value there and at the place before, or the grid has a place
    // between them at which nobody has one.
    std::vector<uint32_t> breaks;
};

// Members of a group are positions in `all`; a series may be in several groups. By several threads when there is enough
// to do; the result does not depend on their number.
std::vector<GroupAggregate> aggregate(const std::vector<SeriesColumns>& all,
                                      const std::vector<std::vector<uint32_t>>& groups, AggregateOptions options);

}  // namespace sightline
