#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "sightline/aggregate.hpp"

using namespace sightline;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Series {
    std::vector<int64_t> step;
    std::vector<double> wall;
    std::vector<double> value;

    Series(const std::vector<int64_t>& steps, const std::vector<double>& values) : step(steps), value(values) {
        for (size_t i = 0; i < step.size(); ++i) wall.push_back(1e9 + static_cast<double>(i));
    }
    SeriesColumns columns() const { return {step.data(), wall.data(), value.data(), step.size()}; }
};

std::vector<int64_t> counted(size_t size, int64_t stride = 1) {
    std::vector<int64_t> steps(size);
    for (size_t i = 0; i < size; ++i) steps[i] = static_cast<int64_t>(i) * stride;
    return steps;
}

std::vector<SeriesColumns> columns_of(const std::vector<Series>& all) {
    std::vector<SeriesColumns> out;
    for (const Series& s : all) out.push_back(s.columns());
    return out;
}

GroupAggregate everyone(const std::vector<Series>& all, const AggregateOptions& options) {
    std::vector<uint32_t> members(all.size());
    std::iota(members.begin(), members.end(), 0U);
    return aggregate(columns_of(all), {members}, options)[0];
}

bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

bool is_same(const GroupAggregate& a, const GroupAggregate& b) {
    return is_same(a.x, b.x) && is_same(a.center, b.center) && is_same(a.low, b.low) && is_same(a.high, b.high) &&
           a.members == b.members && a.runs == b.runs && a.is_exact == b.is_exact;
}

std::vector<Series> random_series(size_t count, size_t points, double outlier = 0) {
    std::mt19937_64 random(count + points);
    std::normal_distribution<double> normal;
    std::vector<Series> all;
    for (size_t i = 0; i < count; ++i) {
        std::vector<double> values(points);
        for (double& v : values) v = random() % 20 == 0 ? kNan : normal(random) + (i == 0 ? outlier : 0);
        all.emplace_back(counted(points, 1 + static_cast<int64_t>(i % 3)), values);
    }
    return all;
}

}  // namespace

TEST("members that lack an x are interpolated there, inside their own ends") {
    const std::vector<Series> all{{{0, 4}, {0, 8}}, {{1, 2, 6}, {1, 1, 1}}};
    const GroupAggregate group = everyone(all, {});
    CHECK(group.is_exact);
    CHECK(group.x == std::vector<double>({0, 1, 2, 4, 6}));
    CHECK(group.members == std::vector<uint32_t>({1, 2, 2, 2, 1}));
    CHECK(group.center == std::vector<double>({0, 1.5, 2.5, 4.5, 1}));
    CHECK(std::isnan(group.low[0]) && std::isnan(group.high[4]));
    CHECK_EQUAL(group.runs, 2U);
}

TEST("a group of no series, of empty ones and of none that is finite has no place") {
    const std::vector<Series> all{{{}, {}}, {{1, 2}, {kNan, kNan}}};
    const std::vector<GroupAggregate> groups = aggregate(columns_of(all), {{}, {0}, {1}, {0, 1}}, {});
    for (const GroupAggregate& group : groups) {
        CHECK(group.x.empty() && group.center.empty() && group.low.empty() && group.members.empty());
        CHECK_EQUAL(group.runs, 0U);
        CHECK(std::isnan(group.y_low));
    }
    CHECK(aggregate({}, {}, {}).empty());
}

TEST("the line ends where no member goes on") {
    // Two members one after the other; a third that bridges them; a value that is no number.
    const std::vector<Series> all{
        {{0, 1, 2}, {1, 1, 1}}, {{5, 6}, {2, 2}}, {{0, 6}, {3, 3}}, {{0, 1, 2, 3}, {1, kNan, 1, 1}}};
    const auto groups = aggregate(columns_of(all), {{0, 1}, {0, 1, 2}, {3}, {0, 3}}, {});
    CHECK(groups[0].breaks == std::vector<uint32_t>({3}));
    CHECK(groups[1].breaks.empty());
    CHECK(groups[2].breaks == std::vector<uint32_t>({1}));
    CHECK(groups[3].breaks.empty());
}

TEST("breaks are found in cells, too") {
    std::vector<int64_t> late = counted(1000);
    for (int64_t& step : late) step += 2000;
    const std::vector<double> ones(1000, 1.0);
    AggregateOptions options;
    options.buckets = 30;
    const GroupAggregate group = everyone({{counted(1000), ones}, {late, ones}}, options);
    CHECK_EQUAL(group.breaks.size(), 1U);
    CHECK(group.x[group.breaks[0]] > 1999 && group.x[group.breaks[0] - 1] < 1001);
}

TEST("a series may be in several groups") {
    const std::vector<Series> all{{{0, 1}, {1, 1}}, {{0, 1}, {3, 3}}, {{0, 1}, {5, 5}}};
    const auto groups = aggregate(columns_of(all), {{0, 1}, {1, 2}, {0, 1, 2}}, {});
    CHECK_EQUAL(groups[0].center[0], 2.0);
    CHECK_EQUAL(groups[1].center[0], 4.0);
    CHECK_EQUAL(groups[2].center[0], 3.0);
}

TEST("cells cover the range, each with the mean of what lies in it") {
    std::vector<double> values(1000);
    std::iota(values.begin(), values.end(), 0.0);
    AggregateOptions options;
    options.buckets = 10;
    options.band = Band::kExtremes;
    const GroupAggregate group = everyone({{counted(1000), values}, {counted(1000), values}}, options);
    CHECK(!group.is_exact);
    CHECK_EQUAL(group.x.size(), 10U);
    CHECK(std::abs(group.x[0] - 49.95) < 1e-9);
    CHECK_EQUAL(group.center[0], 49.5);
    CHECK_EQUAL(group.low[9], 900.0);
    CHECK_EQUAL(group.high[9], 999.0);
}

TEST("cells are found for ends that are as far apart as numbers can be, or next to each other") {
    constexpr double kMost = std::numeric_limits<double>::max();
    std::vector<int64_t> steps = counted(100);
    std::vector<double> values(100, 1.0);
    Series s(steps, values);
    std::vector<double> x(100);
    SeriesColumns columns = s.columns();
    columns.x = x.data();
    AggregateOptions options;
    options.x = XAxis::kGiven;
    options.buckets = 7;
    for (const bool is_log : {false, true}) {
        options.is_log = is_log;
        for (size_t i = 0; i < 100; ++i) x[i] = kMost * (static_cast<double>(i) - 50) / 50;
        const GroupAggregate wide = aggregate({columns}, {{0}}, options)[0];
        for (const double v : wide.center) CHECK_EQUAL(v, 1.0);
        CHECK(!wide.center.empty() && std::is_sorted(wide.x.begin(), wide.x.end()));
        for (size_t i = 0; i < 100; ++i) x[i] = i == 0 ? 1.0 : std::nextafter(x[i - 1], 2.0);
        const GroupAggregate narrow = aggregate({columns}, {{0}}, options)[0];
        for (const double v : narrow.center) CHECK_EQUAL(v, 1.0);
        CHECK(!narrow.center.empty() && std::is_sorted(narrow.x.begin(), narrow.x.end()));
    }
}

TEST("large groups by several threads are what their parts are alone") {
    std::vector<Series> all = random_series(600, 700);
    for (const Band band : {Band::kDeviation, Band::kExtremes, Band::kQuartiles, Band::kConfidence}) {
        for (const Center center : {Center::kMean, Center::kMedian}) {
            AggregateOptions options;
            options.center = center;
            options.band = band;
            options.buckets = 256;
            const GroupAggregate first = everyone(all, options);
            CHECK(is_same(first, everyone(all, options)));
            // The same range, in small groups beside each other: each is as if alone.
            std::vector<std::vector<uint32_t>> groups;
            for (uint32_t i = 0; i < 600; i += 40) groups.push_back({i, i + 1, i + 2});
            const auto together = aggregate(columns_of(all), groups, options);
            for (size_t i = 0; i < groups.size(); ++i)
                CHECK(is_same(together[i], aggregate(columns_of(all), {groups[i]}, options)[0]));
        }
    }
}

TEST("more members than fit into one block are the same numbers") {
    // 5,000 members at 2,000 places are 10 million numbers: three blocks.
    std::vector<double> values(2000);
    std::iota(values.begin(), values.end(), 0.0);
    const Series s(counted(2000), values);
    const std::vector<SeriesColumns> all(5000, s.columns());
    std::vector<uint32_t> members(all.size());
    std::iota(members.begin(), members.end(), 0U);
    AggregateOptions options;
    options.buckets = 2000;
    options.band = Band::kExtremes;
    const GroupAggregate group = aggregate(all, {members}, options)[0];
    CHECK_EQUAL(group.x.size(), 2000U);
    CHECK_EQUAL(group.runs, 5000U);
    for (size_t i = 0; i < 2000; ++i)
        CHECK(group.center[i] == values[i] && group.low[i] == values[i] && group.high[i] == values[i]);
}

TEST("an interval holds its centre, and grows with the outliers") {
    for (const size_t count : {2, 3, 64, 65, 300, 1100}) {
        for (const Center center : {Center::kMean, Center::kMedian}) {
            AggregateOptions options;
            options.center = center;
            options.band = Band::kConfidence;
            const GroupAggregate tame = everyone(random_series(count, 5), options);
            const GroupAggregate wild = everyone(random_series(count, 5, 1e6), options);
            for (size_t i = 0; i < tame.x.size(); ++i) {
                if (tame.members[i] < 2) continue;
                CHECK(tame.low[i] <= tame.center[i] && tame.center[i] <= tame.high[i]);
                CHECK(wild.low[i] <= wild.center[i] && wild.center[i] <= wild.high[i]);
                if (center == Center::kMean && wild.center[i] > 100)
                    CHECK(wild.high[i] - wild.low[i] > tame.high[i] - tame.low[i]);
            }
        }
    }
}

TEST("smoothing, jumps in wall time and repeated steps go together") {
    Series jumping({0, 1, 1, 2, 3}, {1, 2, 4, kNan, 5});
    jumping.wall = {5, 3, kNan, 4, 1};
    AggregateOptions options;
    options.x = XAxis::kWall;
    options.smoothing = {SmoothingKind::kEma, 0.5};
    const GroupAggregate by_wall = everyone({jumping, jumping}, options);
    CHECK(by_wall.x == std::vector<double>({1, 3, 5}));
    options = {};
    const GroupAggregate by_step = everyone({jumping}, options);
    CHECK(by_step.x == std::vector<double>({0, 1, 3}));
    CHECK(by_step.center == std::vector<double>({1, 3, 5}));
}
