#include "sightline/histogram_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel.hpp"

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kValuesAtOnce = 256;

// The buckets of one value.
struct Buckets {
    const double* left;
    const double* right;
    const double* counts;
    size_t size;

    double low(size_t i) const { return std::min(left[i], right[i]); }
    double high(size_t i) const { return std::max(left[i], right[i]); }
    // What counts of a bucket.
    double count(size_t i) const { return counts[i] > 0 && std::isfinite(counts[i]) ? counts[i] : 0; }
};

// Calls work(i, buckets) for each value, from several threads.
template <class Work>
void for_each_value(const BucketColumns& columns, Work&& work) {
    std::vector<size_t> begin(columns.values + 1);
    for (size_t i = 0; i < columns.values; ++i) begin[i + 1] = begin[i] + columns.size[i];
    const size_t portions = (columns.values + kValuesAtOnce - 1) / kValuesAtOnce;
    for_each_in_parallel(portions, columns.buckets >= kWorthThreads, [&](size_t portion) {
        const size_t end = std::min(columns.values, (portion + 1) * kValuesAtOnce);
        for (size_t i = portion * kValuesAtOnce; i < end; ++i)
            work(i, Buckets{columns.left + begin[i], columns.right + begin[i], columns.counts + begin[i],
                            columns.size[i]});
    });
}

// Those that tensorboard computes: each lies in the first bucket at whose end more of the values have been counted.
void find_quantiles(const Buckets& buckets, double count, std::array<double, kBasisPoints.size()>& quantiles) {
    if (buckets.size == 0) return quantiles.fill(0);
    const double first = buckets.left[0];
    const double last = buckets.right[buckets.size - 1];
    quantiles.fill(last);
    if (count == 0) return;
    double before = 0;
    size_t next = 0;
    for (size_t i = 0; i < buckets.size; ++i) {
        const double behind = before + buckets.count(i) * kBasisPoints.back() / count;
        const double low = before == 0 ? first : std::max(buckets.right[i - 1], first);
        const double high = std::min(buckets.right[i], last);
        for (; next < kBasisPoints.size() && kBasisPoints[next] < behind; ++next)
            quantiles[next] = low + (kBasisPoints[next] - before) * (high - low) / (behind - before);
        before = behind;
    }
}

bool is_at_zero(const Buckets& buckets, size_t i) { return buckets.left[i] == 0 && buckets.right[i] == 0; }

bool holds_zero(const Buckets& buckets, size_t i) {
    const double low = buckets.low(i);
    const double high = buckets.high(i);
    if (low > 0 || high < 0) return false;
    // A bucket holds its left edge; the last one both.
    return high > 0 || low == 0 || i + 1 == buckets.size;
}

HistogramStatistics statistics_of(const Buckets& buckets) {
    HistogramStatistics found{0, kNan, kNan, kNan, kNan, kNan, {}};
    double sum = 0;
    double zeros = 0;
    double at_zero = 0;  // in buckets without a width: then those beside them hold no zeros
    for (size_t i = 0; i < buckets.size; ++i) {
        const double count = buckets.count(i);
        if (count == 0) continue;
        if (found.count == 0) found.min = found.max = buckets.low(i);
        found.min = std::min(found.min, buckets.low(i));
        found.max = std::max(found.max, buckets.high(i));
        found.count += count;
        sum += count * (0.5 * buckets.low(i) + 0.5 * buckets.high(i));
        if (is_at_zero(buckets, i)) at_zero += count;
        if (holds_zero(buckets, i)) zeros += count;
    }
    find_quantiles(buckets, found.count, found.quantiles);
    if (found.count == 0) return found;
    found.mean = sum / found.count;
    found.zeros = (at_zero > 0 ? at_zero : zeros) / found.count;
    double squares = 0;
    for (size_t i = 0; i < buckets.size; ++i) {
        if (buckets.count(i) == 0) continue;
        const double width = buckets.high(i) - buckets.low(i);
        const double away = 0.5 * buckets.low(i) + 0.5 * buckets.high(i) - found.mean;
        squares += buckets.count(i) * (away * away + width * width / 12);
    }
    found.std = std::sqrt(squares / found.count);
    return found;
}

void spread_over(const Buckets& buckets, const std::vector<double>& edges, float* places) {
    for (size_t i = 0; i < buckets.size; ++i) {
        const double count = buckets.count(i);
        const double low = buckets.low(i);
        const double high = buckets.high(i);
        if (count == 0 || !(low <= edges.back() && high >= edges.front())) continue;
        // The place that holds the lower end; the last one holds both of its edges.
        const auto above = std::upper_bound(edges.begin() + 1, edges.end() - 1, low);
        auto place = static_cast<size_t>(above - edges.begin()) - 1;
        if (!(high > low)) {
            places[place] += static_cast<float>(count);
            continue;
        }
        for (; place + 1 < edges.size() && edges[place] < high; ++place) {
            const double inside = std::min(high, edges[place + 1]) - std::max(low, edges[place]);
            if (inside > 0) places[place] += static_cast<float>(count * (inside / (high - low)));
        }
    }
}

}  // namespace

std::vector<HistogramStatistics> histogram_statistics(const BucketColumns& columns) {
    std::vector<HistogramStatistics> out(columns.values);
    for_each_value(columns, [&](size_t i, const Buckets& buckets) { out[i] = statistics_of(buckets); });
    return out;
}

std::vector<float> histogram_map(const BucketColumns& columns, const std::vector<double>& edges) {
    const size_t places = edges.size() - 1;
    std::vector<float> out(columns.values * places);
    for_each_value(columns,
                   [&](size_t i, const Buckets& buckets) { spread_over(buckets, edges, out.data() + i * places); });
    return out;
}

}  // namespace sightline
