#include "sightline/histogram_statistics.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"

using namespace sightline;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Values {
    std::vector<uint32_t> size;
    std::vector<double> left, right, counts;

    BucketColumns columns() const {
        return {size.data(), size.size(), left.data(), right.data(), counts.data(), left.size()};
    }
};

Values one_value(std::vector<double> left, std::vector<double> right, std::vector<double> counts) {
    return {{static_cast<uint32_t>(left.size())}, std::move(left), std::move(right), std::move(counts)};
}

HistogramStatistics statistics_of(const Values& values) { return histogram_statistics(values.columns()).front(); }

}  // namespace

TEST("values are spread evenly in their buckets") {
    const HistogramStatistics found = statistics_of(one_value({0, 2}, {2, 4}, {1, 3}));
    CHECK_EQUAL(found.count, 4.0);
    CHECK_EQUAL(found.min, 0.0);
    CHECK_EQUAL(found.max, 4.0);
    CHECK_EQUAL(found.mean, 2.5);
    CHECK(std::abs(found.std - std::sqrt(0.75 + 4.0 / 12)) < 1e-12);
    CHECK_EQUAL(found.zeros, 0.25);
    CHECK_EQUAL(found.quantiles[4], 2 + 2 * (2500.0 / 7500));
}

TEST("empty buckets at the ends change neither least nor greatest") {
    const HistogramStatistics found = statistics_of(one_value({-9, 1, 2}, {1, 2, 9}, {0, 5, 0}));
    CHECK_EQUAL(found.min, 1.0);
    CHECK_EQUAL(found.max, 2.0);
    CHECK_EQUAL(found.zeros, 0.0);
}

TEST("all values at one place are there, and nowhere else") {
    const Values values = one_value({0, 0}, {0, 0}, {0, 7});
    const HistogramStatistics found = statistics_of(values);
    CHECK_EQUAL(found.mean, 0.0);
    CHECK_EQUAL(found.std, 0.0);
    CHECK_EQUAL(found.zeros, 1.0);
    CHECK(histogram_map(values.columns(), {-2, -1, 0, 1}) == std::vector<float>({0, 0, 7}));
    CHECK(histogram_map(values.columns(), {-2, -1, 0}) == std::vector<float>({0, 7}));
}

TEST("zeros that have a bucket of their own are not in the one beside it") {
    CHECK_EQUAL(statistics_of(one_value({0, 0}, {0, 1}, {5, 5})).zeros, 0.5);
    CHECK_EQUAL(statistics_of(one_value({-1, 0, 0}, {0, 0, 1}, {2, 1, 1})).zeros, 0.25);
    CHECK_EQUAL(statistics_of(one_value({0, 0}, {0, 1}, {0, 5})).zeros, 1.0);
}

TEST("without values there is no mean, and the quantiles are TensorBoard's") {
    CHECK(std::isnan(statistics_of(one_value({}, {}, {})).mean));
    CHECK_EQUAL(statistics_of(one_value({}, {}, {})).quantiles[4], 0.0);
    CHECK_EQUAL(statistics_of(one_value({1}, {3}, {0})).quantiles[4], 3.0);
    CHECK_EQUAL(statistics_of(one_value({1}, {3}, {kNan})).count, 0.0);
}

TEST("a map holds every value that lies between its edges") {
    const Values values = one_value({0, 2}, {2, 6}, {4, 8});
    CHECK(histogram_map(values.columns(), {0, 1, 2, 4, 6}) == std::vector<float>({2, 2, 4, 4}));
    CHECK(histogram_map(values.columns(), {1, 3}) == std::vector<float>({4}));
    CHECK(histogram_map(values.columns(), {-5, 10}) == std::vector<float>({12}));
    CHECK(histogram_map(values.columns(), {7, 10}) == std::vector<float>({0}));
}

TEST("a bucket with exchanged edges holds what lies between them, and one without an end is beyond any map") {
    CHECK(histogram_map(one_value({2}, {0}, {4}).columns(), {0, 1, 2}) == std::vector<float>({2, 2}));
    CHECK(histogram_map(one_value({-kInf}, {kInf}, {4}).columns(), {0, 1, 2}) == std::vector<float>({0, 0}));
    CHECK(histogram_map(one_value({kNan}, {1}, {4}).columns(), {0, 1, 2}) == std::vector<float>({0, 0}));
}

TEST("many values are computed side by side, each by itself") {
    Values values;
    for (int i = 0; i < 20'000; ++i) {
        values.size.push_back(static_cast<uint32_t>(i % 30));
        for (int k = 0; k < i % 30; ++k) {
            values.left.push_back(k);
            values.right.push_back(k + 1);
            values.counts.push_back(i);
        }
    }
    const std::vector<HistogramStatistics> found = histogram_statistics(values.columns());
    const std::vector<float> map = histogram_map(values.columns(), {0, 10, 30});
    for (size_t i = 0; i < found.size(); ++i) {
        CHECK_EQUAL(found[i].count, static_cast<double>(i * (i % 30)));
        CHECK_EQUAL(map[2 * i], static_cast<float>(i * std::min<size_t>(i % 30, 10)));
    }
}
