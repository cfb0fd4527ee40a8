// Any columns, reduced and smoothed in any way: nothing may crash, the output stays bounded, and nothing that a chart
// must show is lost.
//
// The first bytes choose the options, the rest are points of 3 bytes: how far the step moves, and which value.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

#include "sightline/reduce.hpp"

using namespace sightline;

namespace {

void must(bool is_so, const char* what) {
    if (is_so) return;
    std::cerr << "not so: " << what << "\n";
    std::abort();
}

double value_of(uint8_t byte) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (byte) {
        case 0:
            return std::numeric_limits<double>::quiet_NaN();
        case 1:
            return kInfinity;
        case 2:
            return -kInfinity;
        case 3:
            return std::numeric_limits<double>::max();
        case 4:
            return std::numeric_limits<double>::denorm_min();
        default:
            return std::ldexp(static_cast<double>(byte) - 128, byte % 7 * 20);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t kHead = 6;
    if (size < kHead) return 0;
    ReduceOptions options;
    options.x = static_cast<XAxis>(data[0] % 3);
    options.is_log = data[0] & 8;
    if (data[0] & 16) options.range = XRange{value_of(data[1]), value_of(data[2])};
    if (options.range && (std::isnan(options.range->low) || std::isnan(options.range->high))) return 0;
    options.buckets = data[3] % 32;
    options.smoothing = {static_cast<SmoothingKind>(data[4] % 5), std::ldexp(static_cast<double>(data[5]), -8)};
    if (options.smoothing.kind >= SmoothingKind::kGaussian) options.smoothing.amount *= 300;
    must(is_valid(options.smoothing), "the amounts made here are valid");

    std::vector<int64_t> step;
    std::vector<double> wall;
    std::vector<double> value;
    uint64_t at = 0;
    for (size_t i = kHead; i + 3 <= size; i += 3) {
        at += data[i] < 250 ? data[i] : std::numeric_limits<uint64_t>::max() / 3 * (data[i] - 249);  // may wrap around
        step.push_back(static_cast<int64_t>(at));
        wall.push_back(value_of(data[i + 1]) + static_cast<double>(i));
        value.push_back(value_of(data[i + 2]));
    }
    const ReducedBatch batch = reduce_all({{step.data(), wall.data(), value.data(), step.size()}}, options);
    const ReducedSeries& reduced = batch.series[0];
    const size_t buckets = std::max(options.buckets, 1U);
    must(reduced.total == step.size() && batch.count() == reduced.count, "counts agree");
    // An exact series has its inner points and up to two outer neighbours of each.
    must(reduced.count <= (reduced.is_exact ? 12 : 22) * buckets + 2, "the output is bounded");
    for (size_t i = 0; i < reduced.count; ++i) {
        must(reduced.row(i) < step.size(), "rows exist");
        must(batch.step[i] == step[reduced.row(i)], "columns belong to the rows");
    }
    if (options.range || options.is_log || options.x != XAxis::kStep || value.empty()) return 0;
    const auto is_finite = [](double v) { return std::isfinite(v); };
    double least = std::numeric_limits<double>::infinity();
    for (const double v : value)
        if (is_finite(v)) least = std::min(least, v);
    const bool has_any = std::any_of(value.begin(), value.end(), is_finite);
    must(has_any ? reduced.y_low == least : std::isnan(reduced.y_low), "the least value of all is known");
    bool has_least = !has_any;
    for (size_t i = 0; i < reduced.count; ++i) has_least = has_least || batch.value[i] == least;
    must(has_least, "the least value of all is kept");
    return 0;
}
