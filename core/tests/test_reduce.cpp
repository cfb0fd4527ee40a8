#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "check.hpp"
#include "sightline/reduce.hpp"

using namespace sightline;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Series {
    std::vector<int64_t> step;
    std::vector<double> wall;
    std::vector<double> value;

    void add(int64_t s, double v) {
        step.push_back(s);
        wall.push_back(1e9 + static_cast<double>(step.size()));
        value.push_back(v);
    }
    SeriesColumns columns() const { return {step.data(), wall.data(), value.data(), step.size()}; }
};

Series counted(size_t size) {
    Series s;
    for (size_t i = 0; i < size; ++i) s.add(static_cast<int64_t>(i), std::sin(static_cast<double>(i)));
    return s;
}

std::vector<size_t> rows_of(const ReducedSeries& reduced) {
    std::vector<size_t> rows;
    for (size_t i = 0; i < reduced.count; ++i) rows.push_back(reduced.row(i));
    return rows;
}

std::vector<size_t> rows_of(const Series& s, double low, double high, uint32_t buckets) {
    return rows_of(reduce(s.columns(), {XAxis::kStep, XRange{low, high}, false, buckets, {}}));
}

bool has(const std::vector<size_t>& rows, size_t row) { return std::find(rows.begin(), rows.end(), row) != rows.end(); }

}  // namespace

TEST("a spike of one step is in every window that holds it") {
    Series s = counted(100'000);
    s.value[77'777] = 1e9;
    for (const double low : {0.0, 50'000.0, 77'000.0, 77'777.0})
        for (const double high : {77'777.0, 77'778.0, 80'000.0, 99'999.0, 1e12})
            for (const uint32_t buckets : {1U, 7U, 512U}) CHECK(has(rows_of(s, low, high, buckets), 77'777));
}

TEST("each column keeps its first, last, least and greatest point") {
    const Series s = counted(10'000);
    const auto rows = rows_of(s, 0, 9'999, 10);
    for (size_t b = 0; b < 10; ++b) {
        std::vector<size_t> in_column;
        for (size_t i = 0; i < 10'000; ++i)
            if (std::min<size_t>(static_cast<size_t>(static_cast<double>(i) / 9999 * 10), 9) == b)
                in_column.push_back(i);
        const auto by_value = [&](size_t a, size_t c) { return s.value[a] < s.value[c]; };
        CHECK(has(rows, in_column.front()));
        CHECK(has(rows, in_column.back()));
        CHECK(has(rows, *std::min_element(in_column.begin(), in_column.end(), by_value)));
        CHECK(has(rows, *std::max_element(in_column.begin(), in_column.end(), by_value)));
    }
    CHECK(rows.size() <= 40);
    CHECK(std::is_sorted(rows.begin(), rows.end()));
}

TEST("a series with few points in the range is kept whole, with its neighbours") {
    const Series s = counted(1000);
    CHECK(rows_of(s, 10, 13, 1) == std::vector<size_t>({9, 10, 11, 12, 13, 14}));
    CHECK(rows_of(s, 0, 3, 1) == std::vector<size_t>({0, 1, 2, 3, 4}));
    CHECK(rows_of(s, 996, 2000, 1) == std::vector<size_t>({995, 996, 997, 998, 999}));
    CHECK(rows_of(s, 10.2, 10.8, 1) == std::vector<size_t>({10, 11}));
    CHECK(rows_of(s, -5, -1, 1) == std::vector<size_t>({0}));
    CHECK(rows_of(s, 5000, 6000, 1) == std::vector<size_t>({999}));
    CHECK(reduce(s.columns(), {XAxis::kStep, XRange{10, 13}, false, 1, {}}).is_exact);
    CHECK(!reduce(s.columns(), {XAxis::kStep, XRange{10, 14}, false, 1, {}}).is_exact);
    CHECK_EQUAL(reduce(s.columns(), {XAxis::kStep, XRange{10, 14}, false, 1, {}}).total, 1000U);
}

TEST("the first NaN and infinite point of a column is kept and counts for no limit") {
    Series s = counted(1000);
    s.value[100] = s.value[101] = kNan;
    s.value[200] = kInfinity;
    s.value[300] = -kInfinity;
    const ReducedSeries reduced = reduce(s.columns(), {XAxis::kStep, XRange{0, 999}, false, 1, {}});
    const auto rows = rows_of(reduced);
    CHECK(has(rows, 100) && !has(rows, 101) && has(rows, 200) && has(rows, 300));
    CHECK(reduced.y_low >= -1 && reduced.y_low < -0.99);
    CHECK(reduced.y_high <= 1 && reduced.y_high > 0.99);
}

TEST("empty series, single points and equal x are no trouble") {
    Series s;
    CHECK(rows_of(s, 0, 1, 10).empty());
    CHECK(std::isnan(reduce(s.columns(), {XAxis::kWall, XRange{0, 1}, false, 10, {}}).y_low));
    s.add(5, 1);
    CHECK(rows_of(s, 5, 5, 10) == std::vector<size_t>({0}));
    for (int i = 0; i < 1000; ++i) s.add(5, i == 500 ? -3 : i == 600 ? 4000 : 2);
    const auto rows = rows_of(s, 5, 5, 10);
    CHECK(rows == std::vector<size_t>({0, 501, 601, 1000}));
    const ReducedBatch none = reduce_all({}, {});
    CHECK_EQUAL(none.count(), 0U);
}

TEST("steps at both ends of int64 survive and have a place") {
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    Series s;
    for (const int64_t step : {kLeast, kLeast + 1, int64_t{0}, kMost - 1, kMost}) s.add(step, 1);
    const ReducedBatch batch = reduce_all({s.columns()}, {XAxis::kStep, std::nullopt, false, 1, {}});
    CHECK_EQUAL(batch.series[0].is_exact, false);
    CHECK_EQUAL(batch.step[0], kLeast);
    CHECK_EQUAL(batch.step[batch.count() - 1], kMost);
}

TEST("points that jump back and forth are bounded, and lose no extreme") {
    Series s;
    for (int i = 0; i < 100'000; ++i) s.add(i % 1000, std::cos(i));
    s.value[54'321] = 99;
    const ReducedSeries reduced = reduce(s.columns(), {XAxis::kStep, XRange{100, 899}, false, 50, {}});
    CHECK(reduced.count <= 50 * 9 + 2);
    CHECK(has(rows_of(reduced), 54'321));
    double before = -1;
    for (const size_t row : rows_of(reduced)) {
        const double column = std::floor((static_cast<double>(s.step[row]) - 100) / 799 * 50);
        CHECK(column >= before || s.step[row] == 899);
        before = column;
    }
    // A restart that went back once is walked in the order it was written.
    Series back;
    for (int i = 0; i < 10'000; ++i) back.add(i < 6'000 ? i : i - 2'000, i);
    const auto rows = rows_of(back, 0, 8'000, 100);
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    CHECK(has(rows, 5'999) && has(rows, 6'000));
}

TEST("without a range all series share the one that holds them all") {
    Series a;
    Series b;
    for (int i = 0; i < 100; ++i) a.add(i, 1.0 * i);
    for (int i = 1000; i < 2000; ++i) b.add(i, 2.0 * i);
    const auto extent = x_extent({a.columns(), b.columns()}, XAxis::kStep, false);
    CHECK(extent && extent->low == 0 && extent->high == 1999);
    CHECK(x_extent({a.columns()}, XAxis::kStep, true)->low == 1);
    CHECK(!x_extent({}, XAxis::kStep, false));
    // The hundred points of one are a twentieth of the axis: one column of twenty.
    const ReducedBatch batch = reduce_all({a.columns(), b.columns()}, {XAxis::kStep, std::nullopt, false, 20, {}});
    CHECK_EQUAL(batch.series[0].count, 2U);
}

TEST("relative time begins with the series and wall time does not") {
    const Series s = counted(100);
    const ReduceOptions relative{XAxis::kRelative, XRange{10, 12}, false, 100, {}};
    CHECK(rows_of(reduce(s.columns(), relative)) == std::vector<size_t>({9, 10, 11, 12, 13}));
    const ReduceOptions wall{XAxis::kWall, XRange{1e9 + 11, 1e9 + 13}, false, 100, {}};
    CHECK(rows_of(reduce(s.columns(), wall)) == std::vector<size_t>({9, 10, 11, 12, 13}));
    SeriesColumns later = s.columns();
    later.origin_wall = 1e9 - 9;
    CHECK(rows_of(reduce(later, relative)) == std::vector<size_t>({0, 1, 2, 3}));
}

TEST("a logarithmic axis gives the first decades as much room as the last") {
    const Series s = counted(100'000);
    const ReducedSeries reduced = reduce(s.columns(), {XAxis::kStep, XRange{1, 99'999}, true, 100, {}});
    size_t below_hundred = 0;
    for (const size_t row : rows_of(reduced)) below_hundred += row > 0 && row < 100;
    CHECK(below_hundred > 50);
    CHECK(reduced.count < 700);
    CHECK_EQUAL(rows_of(reduced).front(), 0U);  // the neighbour that has no logarithm
}

TEST("times that are no numbers have no place and end nothing") {
    Series s = counted(1000);
    s.wall[3] = kNan;
    s.wall[500] = kInfinity;
    const ReducedBatch batch = reduce_all({s.columns()}, {XAxis::kWall, std::nullopt, false, 300, {}});
    CHECK_EQUAL(batch.series[0].count, 998U);
    CHECK(batch.series[0].is_exact);
}

TEST("the core of the line is its 5th to 95th percentile, the smoothed one's if there is one") {
    Series s;
    for (int i = 0; i <= 100; ++i) s.add(i, 100 - i);
    ReduceOptions options{XAxis::kStep, XRange{0, 100}, false, 10, {}};
    const ReducedSeries plain = reduce(s.columns(), options);
    CHECK(std::abs(plain.core_low - 5) < 1e-12 && std::abs(plain.core_high - 95) < 1e-12);
    options.smoothing = {SmoothingKind::kMean, 1000};
    const ReducedSeries flat = reduce(s.columns(), options);
    CHECK(std::abs(flat.core_low - 50) < 1e-12 && std::abs(flat.core_high - 50) < 1e-12);
}

TEST("the extremes of the smoothed line are kept, made from points outside the range too") {
    Series s = counted(10'000);
    s.value[4'999] = 1e6;  // just before the range
    const ReduceOptions options{XAxis::kStep, XRange{5'000, 9'999}, false, 5, {SmoothingKind::kEma, 0.9}};
    const ReducedSeries reduced = reduce(s.columns(), options);
    const auto rows = rows_of(reduced);
    CHECK(has(rows, 4'999) && has(rows, 5'000));
    CHECK(reduced.smoothed[1] > 1e4);
    CHECK(reduced.y_high < 2);  // the neighbour is not in the range
}

TEST("many series by many threads give what each gives alone") {
    std::vector<Series> all;
    for (unsigned i = 0; i < 64; ++i) all.push_back(counted(1'000 + 500 * (i % 16)));
    std::vector<SeriesColumns> columns;
    for (const Series& s : all) columns.push_back(s.columns());
    const ReduceOptions options{XAxis::kStep, XRange{100, 7'000}, false, 64, {SmoothingKind::kEma, 0.6}};
    const ReducedBatch together = reduce_all(columns, options);
    for (size_t i = 0; i < all.size(); ++i) {
        const ReducedSeries alone = reduce(columns[i], options);
        CHECK(rows_of(alone) == rows_of(together.series[i]));
        CHECK(alone.smoothed == together.series[i].smoothed);
        CHECK_EQUAL(together.step[together.offsets[i]], all[i].step[alone.row(0)]);
    }
}

TEST("what is known to be sorted is looked at only from there on") {
    std::vector<int64_t> step{1, 2, 2, 3, 1, 5};
    CHECK_EQUAL(sorted_rows(step.data(), 4, 0), 4U);
    CHECK_EQUAL(sorted_rows(step.data(), 6, 4), 4U);
    const std::vector<double> wall{1, 2, kNan, 3};
    CHECK_EQUAL(sorted_rows(wall.data(), 4, 0), 2U);
    CHECK_EQUAL(sorted_rows(wall.data(), 0, 0), 0U);
}

TEST("a line so long that it lies in large pages is the smoothed one") {
    const Series s = counted(1'200'000);
    const Smoothing how{SmoothingKind::kEma, 0.9};
    std::vector<double> line(s.step.size());
    smooth(how, s.value.data(), s.wall.data(), line.size(), line.data());
    const auto reduced = reduce(s.columns(), {XAxis::kStep, XRange{0, 1.2e6}, false, 100, how});
    CHECK(reduced.count > 100);
    for (size_t i = 0; i < reduced.count; ++i) CHECK(reduced.smoothed[i] == line[reduced.row(i)]);
}

TEST("a series with an x of its own is reduced on that") {
    Series s = counted(10'000);
    std::vector<double> x(s.step.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] = std::sqrt(static_cast<double>(i));
    x[5] = kNan;  // has no place
    SeriesColumns columns = s.columns();
    columns.x = x.data();
    const ReducedBatch reduced = reduce_all({columns}, {XAxis::kGiven, XRange{50, 51}, false, 100, {}});
    const ReducedSeries& one = reduced.series[0];
    CHECK(one.is_exact);
    CHECK_EQUAL(reduced.step[0], 2499);
    CHECK_EQUAL(reduced.x[0], x[2499]);
    CHECK_EQUAL(reduced.step[reduced.count() - 1], 2602);
    const ReducedBatch all = reduce_all({columns}, {XAxis::kGiven, std::nullopt, true, 10, {}});
    CHECK(!all.series[0].is_exact);
    for (size_t i = 0; i < all.count(); ++i)
        CHECK(all.x[i] == x[static_cast<size_t>(all.step[i])] && std::isfinite(all.x[i]));
    CHECK(!reduce_all({s.columns()}, {}).x);
}
