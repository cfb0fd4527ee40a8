#include "bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sightline {
namespace {

constexpr size_t kLanes = 16;  // resamples whose sums stay in registers
static_assert(kResamples % kLanes == 0);
constexpr double kLowFraction = 0.025;
constexpr double kHighFraction = 0.975;
constexpr double kNormalQuantile = 1.959963984540054;  // of kHighFraction

// splitmix64: small, fast, and the same everywhere, which the distributions of the standard library are not.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x5157A11E) {}

    uint64_t bits() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // Above 0, below 1.
    double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }
    size_t below(size_t end) { return static_cast<size_t>(uniform() * static_cast<double>(end)); }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }
    // Shape of 1 or more (Marsaglia and Tsang, A simple method for generating gamma variables, 2000).
    double gamma(double shape) {
        const double d = shape - 1.0 / 3;
        const double c = 1 / std::sqrt(9 * d);
        while (true) {
            const double x = normal();
            const double root = 1 + c * x;
            if (root <= 0) continue;
            const double v = root * root * root;
            if (std::log(uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
        }
    }

private:
    uint64_t state_;
};

// The middle order statistics of n uniform numbers, as ranks among n: the k-th is a beta variable, and the next one the
// least of the n − k that are left above it.
std::vector<Bootstrap::Ranks> middle_ranks(size_t n) {
    Random random(n);
    const size_t k = (n + 1) / 2;
    const auto rank_of = [n](double u) {
        return static_cast<uint32_t>(std::min(n - 1, static_cast<size_t>(u * static_cast<double>(n))));
    };
    std::vector<Bootstrap::Ranks> out(kResamples);
    for (Bootstrap::Ranks& ranks : out) {
        const double below = random.gamma(static_cast<double>(k));
        const double above = random.gamma(static_cast<double>(n + 1 - k));
        const double lower = below / (below + above);
        ranks.lower = ranks.upper = rank_of(lower);
        if (n % 2 == 1) continue;
        const double share = std::pow(random.uniform(), 1 / static_cast<double>(n - k));
        ranks.upper = std::max(ranks.lower, rank_of(1 - (1 - lower) * share));
    }
    return out;
}

// Sums of products for kLanes resamples at once.
void sum_products(const double* weight, std::span<const double> values, double* out) {
    std::array<double, kLanes> sums{};
    for (const double value : values) {
        for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += weight[lane] * value;
        weight += kLanes;
    }
    std::copy(sums.begin(), sums.end(), out);
}

void sum_all(const std::vector<double>& count, size_t members, std::span<const double> values, double* out) {
    for (size_t begin = 0; begin < kResamples; begin += kLanes)
        sum_products(count.data() + begin * members, values, out + begin);
}

Interval middle_of(std::vector<double>& centers) {
    // What lies below the upper end is all that the lower one needs.
    const auto quantile = [&](double fraction) {
        const double rank = fraction * static_cast<double>(centers.size() - 1);
        const auto at = centers.begin() + static_cast<ptrdiff_t>(rank);
        std::nth_element(centers.begin(), at, centers.end());
        const double pair[2] = {*at, *std::min_element(at + 1, centers.end())};
        return percentile_of_sorted(pair, rank - std::floor(rank));
    };
    const double high = quantile(kHighFraction);
    return {quantile(kLowFraction), high};
}

// The bootstrap distribution of a mean.
struct Moments {
    double deviation = 0;
    double skewness = 0;
    double excess = 0;  // of the kurtosis

    explicit Moments(std::span<const double> deviations) {
        double squares = 0, cubes = 0, fourths = 0;
        for (const double d : deviations) {
            const double d2 = d * d;
            squares += d2;
            cubes += d2 * d;
            fourths += d2 * d2;
        }
        const auto n = static_cast<double>(deviations.size());
        const double variance = squares / n;
        if (!(variance > 0)) return;
        deviation = std::sqrt(variance / n);
        skewness = cubes / n / (variance * std::sqrt(variance)) / std::sqrt(n);
        excess = (fourths / n / (variance * variance) - 3) / n;
    }
    bool is_nearly_normal() const { return std::abs(skewness) <= 0.3 && std::abs(excess) <= 0.3; }
    double quantile(double z) const {
        const double z3 = z * z * z;
        return deviation * (z + (z * z - 1) * skewness / 6 + (z3 - 3 * z) * excess / 24 -
                            (2 * z3 - 5 * z) * skewness * skewness / 36);
    }
};

}  // namespace

double percentile_of_sorted(std::span<const double> sorted, double fraction) {
    const size_t size = sorted.size();
    const double rank = fraction * static_cast<double>(size - 1);
    const auto lower = std::min(static_cast<size_t>(rank), size - 1);
    const double share = rank - static_cast<double>(lower);
    if (lower + 1 == size || share == 0) return sorted[lower];
    const double gap = sorted[lower + 1] - sorted[lower];
    return share < 0.5 ? sorted[lower] + gap * share : sorted[lower + 1] - gap * (1 - share);
}

const Bootstrap::Weights& Bootstrap::drawn(size_t members) {
    Weights& table = drawn_[members];
    std::call_once(table.is_made, [&] {
        table.members = members;
        table.count.resize(members * kResamples);
        Random random(members);
        for (size_t resample = 0; resample < kResamples; ++resample) {
            double* lane = table.count.data() + resample / kLanes * kLanes * members + resample % kLanes;
            for (size_t i = 0; i < members; ++i) lane[random.below(members) * kLanes] += 1;
        }
    });
    return table;
}

const Bootstrap::Weights& Bootstrap::poisson() {
    std::call_once(poisson_.is_made, [&] {
        poisson_.members = kMostResampled;
        poisson_.count.resize(kMostResampled * kResamples);
        std::array<double, 12> at_most{};  // P(count ≤ i); more than 12 of a member come once in a billion draws
        double term = std::exp(-1.0);
        double sum = 0;
        for (size_t i = 0; i < at_most.size(); ++i, term /= static_cast<double>(i)) at_most[i] = sum += term;
        Random random(0);
        for (double& count : poisson_.count) {
            const double u = random.uniform();
            size_t i = 0;
            while (i < at_most.size() && u > at_most[i]) ++i;
            count = static_cast<double>(i);
        }
    });
    return poisson_;
}

Interval Bootstrap::of_mean(std::span<const double> deviations, Room& room) {
    const size_t n = deviations.size();
    if (n > kMostDrawn) {
        const Moments moments(deviations);
        if (n > kMostResampled || moments.is_nearly_normal())
            return {moments.quantile(-kNormalQuantile), moments.quantile(kNormalQuantile)};
    }
    const Weights& weights = n <= kMostDrawn ? drawn(n) : poisson();
    sum_all(weights.count, weights.members, deviations, room.centers.data());
    if (room.totals_for != n) {
        room.totals.resize(kResamples);
        sum_all(weights.count, weights.members, std::vector<double>(n, 1.0), room.totals.data());
        room.totals_for = n;
    }
    for (size_t i = 0; i < kResamples; ++i) room.centers[i] /= room.totals[i];
    return middle_of(room.centers);
}

Interval Bootstrap::of_median(std::span<const double> sorted, Room& room) {
    const size_t n = sorted.size();
    const std::vector<Ranks>* ranks = &room.ranks;
    if (n <= kMostDrawn) {
        RankTable& table = ranks_[n];
        std::call_once(table.is_made, [&] { table.ranks = middle_ranks(n); });
        ranks = &table.ranks;
    } else if (room.ranks_for != n) {
        room.ranks = middle_ranks(n);
        room.ranks_for = n;
    }
    for (size_t i = 0; i < kResamples; ++i)
        room.centers[i] = sorted[(*ranks)[i].lower] / 2 + sorted[(*ranks)[i].upper] / 2;
    return middle_of(room.centers);
}

}  // namespace sightline
