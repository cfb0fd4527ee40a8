#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "sightline/smooth.hpp"

using namespace sightline;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> seconds(size_t size) {
    std::vector<double> wall(size);
    for (size_t i = 0; i < size; ++i) wall[i] = 1000 + static_cast<double>(i);
    return wall;
}

std::vector<double> smoothed(SmoothingKind kind, double amount, const std::vector<double>& value,
                             std::vector<double> wall = {}) {
    if (wall.empty()) wall = seconds(value.size());
    std::vector<double> out(value.size());
    smooth({kind, amount}, value.data(), wall.data(), value.size(), out.data());
    return out;
}

std::vector<double> noise(size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> value(size);
    for (double& v : value) v = normal(random);
    return value;
}

// Greatest difference, by the size of the numbers compared with.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = a.size() == b.size() ? 0 : kInfinity;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        if (a[i] == b[i]) continue;
        const double scale = std::max({1.0, std::abs(a[i]), std::abs(b[i])});
        worst = std::max(worst, std::isfinite(a[i] - b[i]) ? std::abs(a[i] - b[i]) / scale : kInfinity);
    }
    return worst;
}

// The plain definition of both centred kinds: weights by distance, over finite points.
template <class Weight>
std::vector<double> weighted(const std::vector<double>& value, Weight weight) {
    std::vector<double> out(value);
    const auto size = static_cast<ptrdiff_t>(value.size());
    for (ptrdiff_t i = 0; i < size; ++i) {
        if (!std::isfinite(value[static_cast<size_t>(i)])) continue;
        double sum = 0;
        double weights = 0;
        for (ptrdiff_t j = 0; j < size; ++j) {
            const double v = value[static_cast<size_t>(j)];
            if (!std::isfinite(v)) continue;
            sum += weight(j - i) * v;
            weights += weight(j - i);
        }
        out[static_cast<size_t>(i)] = sum / weights;
    }
    return out;
}

constexpr SmoothingKind kAll[] = {SmoothingKind::kEma, SmoothingKind::kTimeEma, SmoothingKind::kGaussian,
                                  SmoothingKind::kMean};
double some_amount(SmoothingKind kind) {
    return kind == SmoothingKind::kEma || kind == SmoothingKind::kTimeEma ? 0.9 : 5;
}

}  // namespace

TEST("the moving average begins at the first point and forgets it by the weight") {
    CHECK(difference(smoothed(SmoothingKind::kEma, 0.5, {1, 2, 4}), {1, 5.0 / 3, 3}) < 1e-15);
}

TEST("what is not finite passes through the moving average and changes nothing") {
    const auto with = smoothed(SmoothingKind::kEma, 0.5, {1, kNan, 2, kInfinity, 4});
    CHECK(difference(with, {1, kNan, 5.0 / 3, kInfinity, 3}) < 1e-15);
}

TEST("constant and empty series and single points stay as they are") {
    for (const SmoothingKind kind : kAll) {
        CHECK(smoothed(kind, some_amount(kind), {0.1, 0.1, 0.1}) == std::vector<double>({0.1, 0.1, 0.1}));
        CHECK(smoothed(kind, some_amount(kind), {3}) == std::vector<double>({3}));
        CHECK(smoothed(kind, some_amount(kind), {}).empty());
        CHECK(std::isnan(smoothed(kind, some_amount(kind), {kNan})[0]));
    }
}

TEST("on even times the time-weighted average is the plain one") {
    const auto value = noise(500, 1);
    CHECK(difference(smoothed(SmoothingKind::kTimeEma, 0.97, value), smoothed(SmoothingKind::kEma, 0.97, value)) <
          1e-12);
}

TEST("after a long pause the time-weighted average begins anew, and points of one moment count alike") {
    const auto out = smoothed(SmoothingKind::kTimeEma, 0.9, {1, 2, 3, 100, 200}, {0, 1, 2, 1e6, 1e6});
    CHECK(std::abs(out[3] - 100) < 1e-9);
    CHECK(std::abs(out[4] - 150) < 1e-9);
}

TEST("times that are missing, equal or fall leave a time-weighted average of finite numbers") {
    for (const double v : smoothed(SmoothingKind::kTimeEma, 0.9, {1, 2, 3, 4}, {5, kNan, 4, -kInfinity}))
        CHECK(std::isfinite(v));
    const std::vector<double> same(4, 7.0);
    CHECK(difference(smoothed(SmoothingKind::kTimeEma, 0.5, {1, 2, 4, 8}, same),
                     smoothed(SmoothingKind::kEma, 0.5, {1, 2, 4, 8})) < 1e-15);
}

TEST("the running mean is that of the points around, fewer at the ends") {
    CHECK(difference(smoothed(SmoothingKind::kMean, 3, {1, 2, 6, 10}), {1.5, 3, 6, 8}) < 1e-15);
    CHECK(difference(smoothed(SmoothingKind::kMean, 4, {1, 2, 6, 10}), {3, 4.75, 6, 8}) < 1e-15);
    CHECK(difference(smoothed(SmoothingKind::kMean, 1e5, {1, 2, 6, 10}), {4.75, 4.75, 4.75, 4.75}) < 1e-15);
    auto value = noise(300, 2);
    value[7] = kNan;
    value[200] = -kInfinity;
    const auto is_near = [](ptrdiff_t distance) { return std::abs(distance) <= 5 ? 1.0 : 0.0; };
    CHECK(difference(smoothed(SmoothingKind::kMean, 11, value), weighted(value, is_near)) < 1e-13);
}

TEST("a huge value leaves no trace outside its own windows") {
    auto value = noise(1000, 3);
    value[500] = 1e30;
    for (const double amount : {3.0, 100.0}) {
        const auto kind = SmoothingKind::kMean;
        auto without = value;
        without[500] = 0;
        const auto a = smoothed(kind, amount, value);
        const auto b = smoothed(kind, amount, without);
        for (size_t i = 0; i < 1000; ++i)
            if (i < 430 || i > 570) CHECK(a[i] == b[i]);
    }
}

TEST("Gaussian smoothing agrees with the plain sum, also where it is made by blocks") {
    auto value = noise(3001, 4);  // so that the last block is not full
    for (size_t i = 0; i < value.size(); ++i) value[i] += std::sin(static_cast<double>(i) / 300);
    for (const bool has_gaps : {false, true}) {
        if (has_gaps)
            for (size_t i = 0; i < value.size(); i += i < 1500 ? 7 : 2) value[i] = i % 3 == 0 ? kInfinity : kNan;
        for (const double sigma : {0.3, 1.0, 10.0, 63.0, 64.0, 79.0, 100.0, 1000.0, 50'000.0}) {
            const double cut = sigma < kBlockSigma ? std::floor(4 * sigma + 0.5) : kInfinity;
            const auto weight = [&](ptrdiff_t distance) {
                const double t = static_cast<double>(distance) / sigma;
                return std::abs(static_cast<double>(distance)) <= cut ? std::exp(-0.5 * t * t) : 0.0;
            };
            CHECK(difference(smoothed(SmoothingKind::kGaussian, sigma, value), weighted(value, weight)) < 1e-6);
        }
    }
}

TEST("only amounts that make sense are valid") {
    CHECK(is_valid({SmoothingKind::kEma, 0.999}));
    CHECK(!is_valid({SmoothingKind::kEma, 1}));
    CHECK(!is_valid({SmoothingKind::kMean, -1}));
    CHECK(!is_valid({SmoothingKind::kGaussian, kNan}));
    CHECK(is_valid({SmoothingKind::kMean, 100}));
}
