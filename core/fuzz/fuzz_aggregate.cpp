// Any series in any groups: nothing may crash, grids stay bounded and in order, and no centre lies outside of what its
// members have.
//
// The first bytes choose the options, the rest are points of 4 bytes: whose, how far x moves, and which value.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

#include "sightline/aggregate.hpp"

using namespace sightline;

namespace {

constexpr size_t kSeries = 7;

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
        case 5:
            return -std::numeric_limits<double>::max();
        default:
            return std::ldexp(static_cast<double>(byte) - 128, byte % 7 * 20);
    }
}

struct Series {
    std::vector<int64_t> step;
    std::vector<double> wall, value, x;
};

void check(const GroupAggregate& group, const AggregateOptions& options, double least, double greatest) {
    const size_t places = group.x.size();
    must(places <= options.buckets + 2 || options.buckets == 0, "the grid is bounded");
    must(group.center.size() == places && group.members.size() == places, "columns have one length");
    must(group.low.size() == (options.band == Band::kNone ? 0 : places), "a band has the length of the line");
    must(std::is_sorted(group.x.begin(), group.x.end()), "places are in order");
    for (size_t i = 0; i < places; ++i) {
        must(std::isfinite(group.x[i]), "places are numbers");
        must(group.members[i] > 0 && group.members[i] <= kSeries, "each place has members");
        const double slack = 1e-9 * std::max(std::abs(least), std::abs(greatest));
        must(group.center[i] >= least - slack && group.center[i] <= greatest + slack, "the centre is among the values");
        if (options.band == Band::kNone) continue;
        must(std::isnan(group.low[i]) == (group.members[i] == 1), "one member has no band");
        must(!(group.low[i] > group.high[i]), "a band has its ends in order");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t kHead = 7;
    if (size < kHead) return 0;
    AggregateOptions options;
    options.x = static_cast<XAxis>(data[0] % 4);
    options.is_log = data[0] & 8;
    options.has_neighbours = data[0] & 16;
    if (data[0] & 32) options.range = XRange{value_of(data[1]), value_of(data[2])};
    if (options.range && (std::isnan(options.range->low) || std::isnan(options.range->high))) return 0;
    options.buckets = data[3] % 32;
    options.smoothing = {static_cast<SmoothingKind>(data[4] % 5), std::ldexp(static_cast<double>(data[5]), -8)};
    options.center = static_cast<Center>(data[6] % 2);
    options.band = static_cast<Band>(data[6] / 2 % 6);

    std::vector<Series> all(kSeries);
    uint64_t at = 0;
    double least = 0;
    double greatest = 0;
    for (size_t i = kHead; i + 4 <= size; i += 4) {
        Series& s = all[data[i] % kSeries];
        at += data[i + 1] < 250 ? data[i + 1] : std::numeric_limits<uint64_t>::max() / 3 * (data[i + 1] - 249);
        s.step.push_back(static_cast<int64_t>(at));
        s.wall.push_back(value_of(data[i + 2]) + static_cast<double>(i));
        s.x.push_back(value_of(data[i + 2]));
        s.value.push_back(value_of(data[i + 3]));
        if (!std::isfinite(s.value.back())) continue;
        least = std::min(least, s.value.back());
        greatest = std::max(greatest, s.value.back());
    }
    std::vector<SeriesColumns> columns;
    for (const Series& s : all) {
        SeriesColumns one{s.step.data(), s.wall.data(), s.value.data(), s.step.size()};
        one.x = s.x.data();
        columns.push_back(one);
    }
    for (const GroupAggregate& group : aggregate(columns, {{0, 1, 2, 3, 4, 5, 6}, {0}, {}, {1, 3, 5}}, options))
        check(group, options, least, greatest);
    return 0;
}
