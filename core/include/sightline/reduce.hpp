// Series reduced to pixels: what a chart of some columns can show of a stretch of the x axis, and nothing less.
//
// Points are walked in their order. Each visit to a column of pixels keeps its first, last, least and greatest point, the
// least and greatest of the smoothed line, and the first that is NaN, +Inf and −Inf: drawn as a line, those cover the same
// pixels as all points (M4), so a spike of one step is there at every zoom. On both sides of the stretch the neighbouring
// point is kept too, for the line that leaves the chart. A series with few points in the stretch is kept whole.
//
// Points usually come in order of x; then the stretch is found by bisection and only it is looked at. Points that jump
// back and forth so much that a walk would reduce nothing are reduced column by column instead: see reduce.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sightline/smooth.hpp"

namespace sightline {

enum class XAxis : uint8_t {
    kStep,
    kRelative,
    kWall,
    kGiven,  // a column of its own
};

// A series to be reduced: columns that others own and keep still.
struct SeriesColumns {
    const int64_t* step = nullptr;
    const double* wall = nullptr;
    const double* value = nullptr;
    size_t size = 0;
    // Wall time of zero on the relative axis; NaN: that of the series' first point (with a finite one).
    double origin_wall = std::numeric_limits<double>::quiet_NaN();
    // x is known to be finite and never to fall; false: it is looked at.
    bool is_sorted = false;
    const double* x = nullptr;  // of each row, on the axis kGiven
};

struct XRange {
    double low = 0;
    double high = 0;
};

struct ReduceOptions {
    XAxis x = XAxis::kStep;
    std::optional<XRange> range;  // none: all series share the one that holds all their points
    bool is_log = false;          // columns are equally wide in the logarithm of x; only x above 0 has a place
    uint32_t buckets = 512;       // columns of pixels, at least 1
    Smoothing smoothing;
};

// What is left of a series: which of its rows, and their smoothed values.
struct ReducedSeries {
    size_t total = 0;       // points of the whole series
    bool is_exact = false;  // every point in the range is here
    double origin_wall = 0;
    // Least and greatest finite value in the range; 5th and 95th percentile of the line on top (the smoothed one if there
    // is one), of kMostRanked points evenly chosen. NaN without any.
    double y_low = 0, y_high = 0;
    double core_low = 0, core_high = 0;
    size_t count = 0;
    size_t first_row = 0;
    std::vector<size_t> rows;      // empty: the rows from first_row on
    std::vector<double> smoothed;  // empty without smoothing

    size_t row(size_t i) const { return rows.empty() ? first_row + i : rows[i]; }
};

// Many of them, with the columns of all one behind the other: those of series i are at offsets[i] to offsets[i + 1].
struct ReducedBatch {
    std::vector<ReducedSeries> series;
    std::vector<uint64_t> offsets;
    std::unique_ptr<int64_t[]> step;
    std::unique_ptr<double[]> wall, value;
    std::unique_ptr<double[]> smoothed;  // null without smoothing
    std::unique_ptr<double[]> x;         // null on any axis but kGiven

    size_t count() const { return offsets.back(); }
};

inline constexpr size_t kMostRanked = 100'000;
inline constexpr size_t kExactPerBucket = 4;  // a series with up to so many points per column is kept whole

// The stretch of x that holds all points of all series; none when there is no point that has a place.
std::optional<XRange> x_extent(const std::vector<SeriesColumns>& all, XAxis x, bool is_log);

// One series; the range must be given. When the walk makes more than 2 visits per column, each column keeps what
// is kept of a visit once, for all its points, and columns follow each other in order of x.
ReducedSeries reduce(const SeriesColumns& series, const ReduceOptions& options);

// Many series, by several threads when there is enough to do. The result does not depend on their number.
ReducedBatch reduce_all(const std::vector<SeriesColumns>& all, ReduceOptions options);

// How many rows from the first on are finite and never fall. `known`: so many have been found so before.
size_t sorted_rows(const int64_t* step, size_t size, size_t known);
size_t sorted_rows(const double* wall, size_t size, size_t known);

}  // namespace sightline
