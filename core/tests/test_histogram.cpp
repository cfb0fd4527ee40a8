#include "sightline/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"

using namespace sightline;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, double>) return DType::kFloat64;
    if constexpr (std::is_same_v<T, float>) return DType::kFloat32;
    if constexpr (std::is_same_v<T, int8_t>) return DType::kInt8;
    if constexpr (std::is_same_v<T, int16_t>) return DType::kInt16;
    if constexpr (std::is_same_v<T, int32_t>) return DType::kInt32;
    if constexpr (std::is_same_v<T, int64_t>) return DType::kInt64;
    if constexpr (std::is_same_v<T, uint8_t>) return DType::kUint8;
    if constexpr (std::is_same_v<T, uint16_t>) return DType::kUint16;
    if constexpr (std::is_same_v<T, uint32_t>) return DType::kUint32;
    return DType::kUint64;
}

template <class T>
HistogramCounts geometric(const std::vector<T>& data) {
    return count_geometric(dtype_of<T>(), data.data(), data.size());
}

HistogramCounts into(const std::vector<double>& data, const std::vector<double>& edges) {
    return count_into(DType::kFloat64, data.data(), data.size(), edges.data(), edges.size());
}

// By the definition: the bucket begins at or before the number and ends behind it; the last one ends with its edge.
template <class T>
std::vector<double> counted_slowly(const std::vector<T>& data, const std::vector<double>& edges) {
    std::vector<double> counts(edges.size() - 1);
    for (const T element : data) {
        const auto v = static_cast<double>(element);
        for (size_t k = 0; k < counts.size(); ++k) {
            const bool is_last = k + 1 == counts.size();
            if (v >= edges[k] && (v < edges[k + 1] || (is_last && v == edges[k + 1]))) {
                counts[k] += 1;
                break;
            }
        }
    }
    return counts;
}

double total(const std::vector<double>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

// Every edge as T, and its neighbours; the ends of the type.
template <class T>
std::vector<T> numbers_at_edges() {
    constexpr T up = std::numeric_limits<T>::infinity();
    std::vector<T> numbers = {0,
                              -T{0},
                              std::numeric_limits<T>::denorm_min(),
                              -std::numeric_limits<T>::denorm_min(),
                              std::numeric_limits<T>::min(),
                              -std::numeric_limits<T>::min(),
                              std::numeric_limits<T>::max(),
                              std::numeric_limits<T>::lowest()};
    for (const double edge : geometric<double>({}).edges) {
        const T nearest = static_cast<T>(edge);
        for (const T v : {nearest, std::nextafter(nearest, up), std::nextafter(nearest, -up)}) numbers.push_back(v);
    }
    return numbers;
}

template <class T>
std::vector<T> whole_numbers() {
    std::vector<T> numbers = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 0, 1};
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i) numbers.push_back(static_cast<T>(random() >> (i % 64)));
    return numbers;
}

// Without the buckets for what lies beyond the grid, which must hold the rest.
template <class T>
void check_geometric(const std::vector<T>& data) {
    const std::vector<double> grid = geometric<double>({}).edges;
    HistogramCounts histogram = geometric(data);
    CHECK_EQUAL(total(histogram.counts), static_cast<double>(data.size()));
    if (histogram.min < grid.front()) {
        CHECK_EQUAL(histogram.edges.front(), histogram.min);
        histogram.edges.erase(histogram.edges.begin());
        histogram.counts.erase(histogram.counts.begin());
    }
    if (histogram.max > grid.back()) {
        CHECK_EQUAL(histogram.edges.back(), histogram.max);
        histogram.edges.pop_back();
        histogram.counts.pop_back();
    }
    CHECK(histogram.edges == grid);
    CHECK(histogram.counts == counted_slowly(data, grid));
    CHECK_EQUAL(histogram.num, data.size());
    CHECK_EQUAL(histogram.min, static_cast<double>(*std::min_element(data.begin(), data.end())));
    CHECK_EQUAL(histogram.max, static_cast<double>(*std::max_element(data.begin(), data.end())));
}

}  // namespace

TEST("the geometric grid is 0 and 774 products of 1.1 on either side") {
    const HistogramCounts histogram = geometric<float>({});
    CHECK_EQUAL(histogram.edges.size(), size_t{1549});
    CHECK_EQUAL(histogram.counts.size(), size_t{1548});
    CHECK_EQUAL(histogram.edges[774], 0.0);
    CHECK_EQUAL(histogram.edges[775], 1e-12);
    CHECK_EQUAL(histogram.edges[776], 1e-12 * 1.1);
    for (size_t k = 0; k < 774; ++k) CHECK_EQUAL(histogram.edges[k], -histogram.edges[1548 - k]);
    CHECK(histogram.edges.back() < 1e20);
    CHECK(histogram.edges.back() * 1.1 >= 1e20);
}

TEST("numbers on and beside every geometric edge fall where comparisons put them") {
    check_geometric(numbers_at_edges<double>());
    check_geometric(numbers_at_edges<float>());
}

TEST("numbers of any size fall into the geometric bucket that comparisons find") {
    std::mt19937_64 random(3);
    std::vector<double> doubles;
    std::vector<float> floats;
    while (doubles.size() < 3000) {
        const auto v = std::bit_cast<double>(random());
        const auto w = std::bit_cast<float>(static_cast<uint32_t>(random()));
        if (std::isfinite(v)) doubles.push_back(v);
        if (std::isfinite(w)) floats.push_back(w);
    }
    check_geometric(doubles);
    check_geometric(floats);
}

TEST("whole numbers of every width are counted as doubles") {
    check_geometric(whole_numbers<int8_t>());
    check_geometric(whole_numbers<int16_t>());
    check_geometric(whole_numbers<int32_t>());
    check_geometric(whole_numbers<int64_t>());
    check_geometric(whole_numbers<uint8_t>());
    check_geometric(whole_numbers<uint16_t>());
    check_geometric(whole_numbers<uint32_t>());
    check_geometric(whole_numbers<uint64_t>());
}

TEST("bools are 0 and 1, whatever their bytes") {
    const std::vector<uint8_t> bytes = {0, 1, 255, 0, 2};
    const HistogramCounts histogram = count_geometric(DType::kBool, bytes.data(), bytes.size());
    CHECK_EQUAL(histogram.sum, 3.0);
    CHECK_EQUAL(histogram.max, 1.0);
    CHECK_EQUAL(histogram.counts[774], 2.0);
}

TEST("all halves are widened exactly") {
    std::vector<uint16_t> patterns(65536);
    std::iota(patterns.begin(), patterns.end(), uint16_t{0});
    for (const uint16_t pattern : patterns) {
        const int exponent = (pattern >> 10) & 31;
        const int mantissa = pattern & 1023;
        const double sign = (pattern & 0x8000) != 0 ? -1 : 1;
        const double value =
            sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
        const HistogramCounts histogram = count_into(DType::kFloat16, &pattern, 1, std::vector<double>{0, 1}.data(), 2);
        if (exponent == 31) {
            CHECK_EQUAL(histogram.num, 0U);
            CHECK_EQUAL(histogram.nan_count, mantissa == 0 ? 0U : 1U);
            CHECK_EQUAL(histogram.inf_count, mantissa == 0 ? 1U : 0U);
        } else {
            CHECK_EQUAL(histogram.min, value);
        }
    }
    const HistogramCounts all = count_geometric(DType::kFloat16, patterns.data(), patterns.size());
    CHECK_EQUAL(all.num, 63488U);
    CHECK_EQUAL(all.sum, 0.0);
}

TEST("a bfloat is the upper half of a float") {
    const std::vector<uint16_t> patterns = {0x3F80, 0xC000, 0x0001, 0x7F80, 0xFF80, 0x7FC0};
    const HistogramCounts histogram = count_geometric(DType::kBfloat16, patterns.data(), patterns.size());
    CHECK_EQUAL(histogram.num, 3U);
    CHECK_EQUAL(histogram.min, -2.0);
    CHECK_EQUAL(histogram.max, 1.0);
    CHECK_EQUAL(histogram.inf_count, 2U);
    CHECK_EQUAL(histogram.nan_count, 1U);
}

TEST("not a number and infinite elements are left out of everything and counted apart, wherever they stand") {
    for (const size_t size : {1U, 7U, 1023U, 1024U, 1025U, 5000U}) {
        for (const size_t place : {size_t{0}, size / 2, size - 1}) {
            std::vector<double> data(size, 2.0);
            data[place] = kNan;
            data.push_back(kInfinity);
            data.push_back(-kInfinity);
            const std::vector<double> edges = {0, 1, 3};
            for (const HistogramCounts& histogram :
                 {geometric(data), into(data, edges), count_uniform(DType::kFloat64, data.data(), data.size(), 3)}) {
                const auto finite = static_cast<double>(size - 1);
                CHECK_EQUAL(histogram.num, size - 1);
                CHECK_EQUAL(histogram.nan_count, 1U);
                CHECK_EQUAL(histogram.inf_count, 2U);
                CHECK_EQUAL(histogram.sum, 2 * finite);
                CHECK_EQUAL(histogram.sum_squares, 4 * finite);
                CHECK_EQUAL(histogram.max, size == 1 ? 0.0 : 2.0);
                CHECK_EQUAL(total(histogram.counts), finite);
            }
        }
    }
}

TEST("large numbers are not taken for infinite ones because their sum is") {
    const double large = std::numeric_limits<double>::max();
    const HistogramCounts histogram = geometric<double>({large, large, -large, 1});
    CHECK_EQUAL(histogram.num, 4U);
    CHECK_EQUAL(histogram.inf_count, 0U);
    CHECK_EQUAL(histogram.min, -large);
    CHECK_EQUAL(total(histogram.counts), 4.0);
}

TEST("what lies beyond the geometric grid is in a bucket up to the smallest or largest element") {
    const HistogramCounts histogram = geometric<double>({1, 2, 3, 1e25, -3e30, -1e22});
    CHECK_EQUAL(histogram.counts.size(), size_t{1550});
    CHECK_EQUAL(histogram.edges.size(), size_t{1551});
    CHECK_EQUAL(histogram.edges.front(), -3e30);
    CHECK_EQUAL(histogram.edges.back(), 1e25);
    CHECK_EQUAL(histogram.counts.front(), 2.0);
    CHECK_EQUAL(histogram.counts.back(), 1.0);
    CHECK_EQUAL(total(histogram.counts), 6.0);
    const HistogramCounts one_sided = geometric<float>({1e25F, 3e30F});
    const LegacyBuckets written = legacy_buckets(one_sided);
    CHECK(written.bucket == std::vector<double>({0, 2}));
    CHECK(written.bucket_limit == std::vector<double>({one_sided.edges[1548], static_cast<double>(3e30F)}));
}

TEST("long sums keep their small parts") {
    std::vector<float> data(3'000'000, 0.1F);
    data[5] = 1e9F;
    data[2'000'000] = -1e9F;
    const HistogramCounts histogram = geometric(data);
    const double wanted = 2'999'998 * static_cast<double>(0.1F);
    CHECK(std::abs(histogram.sum - wanted) < 1e-4);
    const HistogramCounts plain = geometric(std::vector<float>(3'000'000, 0.1F));
    CHECK(std::abs(plain.sum / (3'000'000 * static_cast<double>(0.1F)) - 1) < 1e-13);
}

TEST("arrays need not be aligned") {
    const std::vector<double> data = {1, 2, 3, -4, 5};
    std::vector<uint8_t> bytes(data.size() * 8 + 8);
    for (size_t shift = 0; shift < 8; ++shift) {
        std::memcpy(bytes.data() + shift, data.data(), data.size() * 8);
        CHECK(count_geometric(DType::kFloat64, bytes.data() + shift, data.size()).counts == geometric(data).counts);
    }
}

TEST("equal widths go from the smallest to the largest element, and the last bucket holds both its edges") {
    const std::vector<float> data = {0, 1, 2, 3, 4, 0.5F, 3.999F};
    const HistogramCounts histogram = count_uniform(DType::kFloat32, data.data(), data.size(), 4);
    CHECK(histogram.edges == std::vector<double>({0, 1, 2, 3, 4}));
    CHECK(histogram.counts == std::vector<double>({2, 1, 1, 3}));
}

TEST("equal elements and none at all make buckets without width") {
    const std::vector<int32_t> same = {7, 7, 7};
    const HistogramCounts one = count_uniform(DType::kInt32, same.data(), same.size(), 3);
    CHECK(one.edges == std::vector<double>({7, 7, 7, 7}));
    CHECK(one.counts == std::vector<double>({0, 0, 3}));
    const HistogramCounts none = count_uniform(DType::kInt32, nullptr, 0, 3);
    CHECK(none.edges == std::vector<double>({0, 0, 0, 0}));
    CHECK(none.counts == std::vector<double>({0, 0, 0}));
    CHECK_EQUAL(count_uniform(DType::kInt32, same.data(), same.size(), 0).counts.size(), size_t{0});
}

TEST("equal widths work for ranges that a double cannot hold or divide") {
    for (const double half : {1.5e308, 5e-324}) {
        const std::vector<double> data = {-half, 0, half};
        const HistogramCounts histogram = count_uniform(DType::kFloat64, data.data(), data.size(), 30);
        CHECK_EQUAL(total(histogram.counts), 3.0);
        CHECK(std::is_sorted(histogram.edges.begin(), histogram.edges.end()));
        CHECK_EQUAL(histogram.counts.front(), 1.0);
        CHECK_EQUAL(histogram.counts[15], 1.0);
        CHECK_EQUAL(histogram.counts.back(), 1.0);
    }
}

TEST("any edges count as comparisons do: repeated, infinite, far apart, close together") {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<double> data(3000);
    for (double& v : data) v = normal(random);
    for (const double v : {0.0, -0.0, 1.0, 2.0, -1.0, 1e300, -1e300, 5e-324}) data.push_back(v);
    std::vector<double> many;
    for (int k = -400; k <= 400; ++k) many.push_back(k * 0.01);
    std::vector<double> close(40, 1.0);
    for (size_t k = 1; k < close.size(); ++k) close[k] = std::nextafter(close[k - 1], 2.0);
    const std::vector<std::vector<double>> all = {{-1, 1},
                                                  {0, 1, 1, 1, 2},
                                                  {2, 2},
                                                  {-kInfinity, 0, kInfinity},
                                                  {-kInfinity, -kInfinity, 1, 1},
                                                  {-1e308, -1e-308, 0, 1e-308, 1e308},
                                                  {5, 6, 7},
                                                  {-7, -6},
                                                  {0, 5e-324, 1e-323},
                                                  many,
                                                  close,
                                                  geometric<double>({}).edges};
    for (const std::vector<double>& edges : all) CHECK(into(data, edges).counts == counted_slowly(data, edges));
}

TEST("the legacy form keeps one empty bucket at the left and trims the rest") {
    HistogramCounts histogram;
    histogram.edges = {0, 1, 2, 3, 4, 5};
    histogram.num = 3;
    histogram.counts = {0, 0, 1, 0, 2};
    CHECK(legacy_buckets(histogram).bucket_limit == std::vector<double>({2, 3, 4, 5}));
    CHECK(legacy_buckets(histogram).bucket == std::vector<double>({0, 1, 0, 2}));
    histogram.counts = {1, 2, 0, 0, 0};
    CHECK(legacy_buckets(histogram).bucket_limit == std::vector<double>({0, 1, 2}));
    CHECK(legacy_buckets(histogram).bucket == std::vector<double>({0, 1, 2}));
}

TEST("the legacy form merges neighbours, and the last bucket may be of fewer") {
    HistogramCounts histogram;
    histogram.edges = {0, 1, 2, 3, 4, 5};
    histogram.counts = {1, 1, 1, 1, 1};
    histogram.num = 5;
    CHECK(legacy_buckets(histogram, 2).bucket_limit == std::vector<double>({0, 2, 4, 5}));
    CHECK(legacy_buckets(histogram, 2).bucket == std::vector<double>({0, 2, 2, 1}));
    CHECK(legacy_buckets(histogram, 3).bucket.size() == 6);  // five of one each: 5 / 3 is 1
    CHECK(legacy_buckets(histogram, 5).bucket == legacy_buckets(histogram).bucket);
}

TEST("the legacy form of nothing is one empty bucket") {
    const HistogramCounts unusual = geometric<double>({kNan});
    CHECK(legacy_buckets(unusual).bucket_limit == std::vector<double>({0}));
    CHECK(legacy_buckets(unusual).bucket == std::vector<double>({0}));
    const HistogramCounts beyond = into({5}, {0, 1});
    CHECK(legacy_buckets(beyond).bucket_limit == std::vector<double>({1}));
    CHECK(legacy_buckets(beyond).bucket == std::vector<double>({0}));
}
