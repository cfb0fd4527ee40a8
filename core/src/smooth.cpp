#include "sightline/smooth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace sightline {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kNegligible = 1e-20;  // beside 1; below it, numbers that get smaller and smaller only get slower

// ---------------------------------------------------------------- moving averages

void ema(double weight, const double* value, size_t size, double* out) {
    double sum = 0;
    double left = 1;  // weight^n: what is still missing of the weights' sum
    for (size_t i = 0; i < size; ++i) {
        const double v = value[i];
        if (!std::isfinite(v)) {
            out[i] = v;
            continue;
        }
        sum = weight * sum + (1 - weight) * v;
        left = left < kNegligible ? 0 : left * weight;
        out[i] = sum / (1 - left);
    }
}

// Median of the positive gaps; NaN without any.
double usual_gap(const double* wall, size_t size) {
    if (size < 2) return kNan;
    const size_t gaps = size - 1;
    const size_t looked_at = std::min(gaps, kMostGaps);
    std::vector<double> found;
    found.reserve(looked_at);
    for (size_t k = 0; k < looked_at; ++k) {
        const size_t i = gaps == looked_at ? k : k * (gaps - 1) / (looked_at - 1);
        const double gap = wall[i + 1] - wall[i];
        if (gap > 0 && std::isfinite(gap)) found.push_back(gap);
    }
    if (found.empty()) return kNan;
    const auto middle = found.begin() + static_cast<ptrdiff_t>(found.size() / 2);
    std::nth_element(found.begin(), middle, found.end());
    if (found.size() % 2 == 1) return *middle;
    return (*std::max_element(found.begin(), middle) + *middle) / 2;
}

// Sums of weight·value and of the weights: unlike (1−w)·v, two points of the same moment then count alike.
void time_ema(double weight, const double* value, const double* wall, size_t size, double* out) {
    const double usual = usual_gap(wall, size);
    const double rate = std::log(weight) / usual;  // NaN without a usual gap
    double sum = 0;
    double weights = 0;
    double before = kNan;
    double last_gap = kNan;
    double decay = weight;
    for (size_t i = 0; i < size; ++i) {
        const double v = value[i];
        if (!std::isfinite(v)) {
            out[i] = v;
            continue;
        }
        const double gap = wall[i] - before;
        before = wall[i];
        if (gap != last_gap) {
            const double power = rate * std::max(gap, 0.0);
            decay = std::isnan(gap) || std::isnan(rate) ? weight : std::exp(power);
            last_gap = gap;
        }
        sum = sum * decay + v;
        weights = weights * decay + 1;
        out[i] = sum / weights;
    }
}

// ---------------------------------------------------------------- centred windows

// Values with zeros in place of what is not finite, and a column that says which those are. Without any, nothing is copied.
class Finite {
public:
    Finite(const double* value, size_t size) : value_(value) {
        const auto is_finite = [](double v) { return std::isfinite(v); };
        if (std::all_of(value, value + size, is_finite)) return;
        filled_ = std::make_unique_for_overwrite<double[]>(size);
        present_ = std::make_unique_for_overwrite<double[]>(size);
        for (size_t i = 0; i < size; ++i) {
            present_[i] = std::isfinite(value[i]) ? 1.0 : 0.0;
            filled_[i] = std::isfinite(value[i]) ? value[i] : 0.0;
        }
        value_ = filled_.get();
    }
    bool is_complete() const { return present_ == nullptr; }
    const double* value() const { return value_; }
    const double* present() const { return present_.get(); }

private:
    const double* value_;
    std::unique_ptr<double[]> filled_;
    std::unique_ptr<double[]> present_;
};

// out[i] = sum of source over the window [i − before, i − before + width), cut at the ends.
//
// Blocks of the window's width: each window is the end of one block and the beginning of the next. Sums are only ever
// added to, never taken from, so one huge value leaves no trace outside its own windows.
void windowed_sums(const double* source, size_t size, size_t before, size_t width, double* out) {
    const auto at = [&](size_t shifted) {  // the series begins `before` behind the first window
        return shifted < before || shifted - before >= size ? 0.0 : source[shifted - before];
    };
    std::vector<double> ends(width);
    for (size_t begin = 0; begin < size; begin += width) {
        double sum = 0;
        for (size_t k = width; k-- > 0;) ends[k] = sum += at(begin + k);
        sum = 0;
        const size_t count = std::min(width, size - begin);
        for (size_t k = 0; k < count; ++k) {
            out[begin + k] = ends[k] + sum;
            sum += at(begin + width + k);
        }
    }
}

void mean(double amount, const double* value, size_t size, double* out) {
    // Wider than twice the series changes nothing.
    const auto width = static_cast<size_t>(std::clamp(std::round(amount), 1.0, 2.0 * static_cast<double>(size) + 1));
    const size_t before = (width - 1) / 2;
    const Finite finite(value, size);
    windowed_sums(finite.value(), size, before, width, out);
    std::unique_ptr<double[]> counts;
    if (!finite.is_complete()) {
        counts = std::make_unique_for_overwrite<double[]>(size);
        windowed_sums(finite.present(), size, before, width, counts.get());
    }
    for (size_t i = 0; i < size; ++i) {
        const size_t first = i < before ? 0 : i - before;
        const size_t end = std::min(size, i - before + width);  // wraps around and back when i < before
        const double count = counts ? counts[i] : static_cast<double>(end - first);
        out[i] = std::isfinite(value[i]) ? out[i] / count : value[i];
    }
}

// ---------------------------------------------------------------- Gaussian, summed directly

// out[i] = sum of kernel[|k|] · source[i + k]. In tiles, so that the inner loop is a plain multiply-add over arrays.
void convolve(const double* source, size_t size, const std::vector<double>& kernel, double* out) {
    constexpr size_t kTile = 512;
    const size_t radius = kernel.size() - 1;
    std::array<double, kTile> sums;
    for (size_t begin = 0; begin < size; begin += kTile) {
        const size_t end = std::min(size, begin + kTile);
        sums.fill(0);
        for (size_t k = 0; k <= radius; ++k) {
            const double weight = kernel[k];
            const size_t last = size > k ? std::min(end, size - k) : 0;
            for (size_t i = begin; i < last; ++i) sums[i - begin] += weight * source[i + k];
            if (k == 0) continue;
            for (size_t i = std::max(begin, k); i < end; ++i) sums[i - begin] += weight * source[i - k];
        }
        std::copy_n(sums.begin(), end - begin, out + begin);
    }
}

void gaussian_direct(double sigma, const Finite& finite, size_t size, double* out) {
    const size_t radius = std::min(static_cast<size_t>(4 * sigma + 0.5), size - 1);
    std::vector<double> kernel(radius + 1);
    std::vector<double> half_sums(radius + 1);  // of kernel[1..k]
    for (size_t k = 0; k <= radius; ++k) {
        const double t = static_cast<double>(k) / sigma;
        kernel[k] = k == 0 ? 1.0 : std::exp(-0.5 * t * t);
        half_sums[k] = k == 0 ? 0.0 : half_sums[k - 1] + kernel[k];
    }
    convolve(finite.value(), size, kernel, out);
    if (finite.is_complete()) {
        for (size_t i = 0; i < size; ++i)
            out[i] /= 1 + half_sums[std::min(radius, i)] + half_sums[std::min(radius, size - 1 - i)];
        return;
    }
    const auto weights = std::make_unique_for_overwrite<double[]>(size);
    convolve(finite.present(), size, kernel, weights.get());
    for (size_t i = 0; i < size; ++i) out[i] /= weights[i];
}

// ---------------------------------------------------------------- Gaussian, by blocks
//
// For wide kernels. The series is cut into blocks of σ/16 points, of which only the moments up to the third are kept; the
// kernel, expanded around a block's centre, then gives the sum over the block within 1e-7. Sums are made at the centres
// of blocks only (nodes) and interpolated between them by polynomials through six: the sum is as smooth as the kernel.
//
// All inner loops go over arrays, and blocks are taken some hundred at a time, so that their moments stay in the cache.

constexpr size_t kMoments = 4;
constexpr size_t kBlocksPerSigma = 16;
constexpr size_t kReachSigmas = 6;  // e^-18: what is further away is less than the error we allow
constexpr size_t kNodes = 6;
constexpr size_t kNodesBefore = 2;           // of the six, lie before the interval that is interpolated
constexpr size_t kMargin = kNodes / 2;       // nodes outside of the series, on each side
constexpr size_t kNodesAround = kNodes + 1;  // that a point of a block may need: the six of either side of its centre

// How a series is cut.
struct Blocks {
    Blocks(double sigma_, size_t size_)
        : sigma(sigma_), size(size_), width(static_cast<size_t>(sigma_ / kBlocksPerSigma)) {
        count = (size + width - 1) / width;
        // Further away than all blocks together there is nothing to reach.
        const double blocks_in_reach = std::ceil(kReachSigmas * sigma / static_cast<double>(width));
        reach = std::min(static_cast<size_t>(blocks_in_reach), count + kMargin);
    }
    double distance_from_centre(size_t k) const {  // of point k of a block
        return static_cast<double>(k) - (static_cast<double>(width) - 1) / 2;
    }
    size_t node_count() const { return count + 2 * kMargin; }

    double sigma;
    size_t size;
    size_t width;  // points of a block; the last one may have fewer
    size_t count;
    size_t reach;  // blocks on each side of a node that count
};

// Of e^(−(t+u)²/2) as a polynomial in u: what the moments of a block at distance t are multiplied by.
std::array<double, kMoments> expansion(double t) {
    const double g = std::exp(-0.5 * t * t);
    return {g, -g * t, g * (t * t - 1) / 2, -g * t * (t * t - 3) / 6};
}

// Sums of u^k · source in blocks [first, first + count), u being the distance from a block's centre in σ; zero for blocks
// that the series does not have. No source: of ones.
void block_moments(const Blocks& blocks, const double* source, ptrdiff_t first, size_t count,
                   std::array<std::vector<double>, kMoments>& moments) {
    for (size_t i = 0; i < count; ++i) {
        std::array<double, kMoments> sums{};
        const ptrdiff_t block = first + static_cast<ptrdiff_t>(i);
        if (block >= 0 && static_cast<size_t>(block) < blocks.count) {
            const size_t begin = static_cast<size_t>(block) * blocks.width;
            const size_t points = std::min(blocks.width, blocks.size - begin);
            for (size_t k = 0; k < points; ++k) {
                const double u = blocks.distance_from_centre(k) / blocks.sigma;
                double term = source == nullptr ? 1.0 : source[begin + k];
                for (double& sum : sums) {
                    sum += term;
                    term *= u;
                }
            }
        }
        for (size_t m = 0; m < kMoments; ++m) moments[m][i] = sums[m];
    }
}

// Kernel sums at the nodes: the centres of blocks −kMargin … count + kMargin − 1.
std::vector<double> sums_at_nodes(const Blocks& blocks, const double* source) {
    constexpr size_t kTile = 256;
    const size_t around = 2 * blocks.reach + 1;
    const double spacing = static_cast<double>(blocks.width) / blocks.sigma;
    std::vector<std::array<double, kMoments>> weights(around);
    for (size_t d = 0; d < around; ++d)
        weights[d] = expansion((static_cast<double>(d) - static_cast<double>(blocks.reach)) * spacing);
    std::array<std::vector<double>, kMoments> moments;
    for (auto& column : moments) column.resize(kTile + around - 1);
    std::vector<double> sums(blocks.node_count());
    for (size_t begin = 0; begin < sums.size(); begin += kTile) {
        const size_t count = std::min(kTile, sums.size() - begin);
        const ptrdiff_t first = static_cast<ptrdiff_t>(begin) - static_cast<ptrdiff_t>(kMargin + blocks.reach);
        block_moments(blocks, source, first, count + around - 1, moments);
        std::array<double, kTile> tile{};
        for (size_t d = 0; d < around; ++d) {
            const auto [w0, w1, w2, w3] = weights[d];
            const double* m0 = moments[0].data() + d;
            const double* m1 = moments[1].data() + d;
            const double* m2 = moments[2].data() + d;
            const double* m3 = moments[3].data() + d;
            for (size_t i = 0; i < count; ++i) tile[i] += w0 * m0[i] + w1 * m1[i] + (w2 * m2[i] + w3 * m3[i]);
        }
        std::copy_n(tile.begin(), count, sums.begin() + static_cast<ptrdiff_t>(begin));
    }
    return sums;
}

// Sums of the weights alone: for a series without gaps they differ only near its ends, so those of a shorter one do.
class NodeWeights {
public:
    NodeWeights(const Blocks& blocks, const Finite& finite) {
        const size_t near_ends = 2 * (blocks.reach + kNodesAround);
        if (finite.is_complete() && blocks.count > near_ends) skipped_ = blocks.count - near_ends;
        middle_ = (blocks.count - skipped_) / 2;
        const Blocks cut(blocks.sigma, blocks.size - skipped_ * blocks.width);
        sums_ = sums_at_nodes(cut, finite.present());
    }
    // Of the nodes around a block: kNodesAround of them.
    const double* around(size_t block) const {
        return sums_.data() + (block < middle_ ? block : std::max(middle_, block - std::min(block, skipped_)));
    }

private:
    size_t skipped_ = 0;  // blocks left out in the middle
    size_t middle_ = 0;
    std::vector<double> sums_;
};

// Weights of the polynomial through nodes −2 … 3 at position t, 0 <= t <= 1.
std::array<double, kNodes> interpolation(double t) {
    std::array<double, kNodes> weights;
    for (size_t j = 0; j < kNodes; ++j) {
        double weight = 1;
        const double own = static_cast<double>(j) - kNodesBefore;
        for (size_t k = 0; k < kNodes; ++k) {
            const double other = static_cast<double>(k) - kNodesBefore;
            if (k != j) weight *= (t - other) / (own - other);
        }
        weights[j] = weight;
    }
    return weights;
}

void gaussian_by_blocks(double sigma, const Finite& finite, size_t size, double* out) {
    const Blocks blocks(sigma, size);
    const std::vector<double> values = sums_at_nodes(blocks, finite.value());
    const NodeWeights weights(blocks, finite);

    // By node, for each point of a block: one of the two outermost is not needed.
    const size_t points = std::min(blocks.width, size);
    std::array<std::vector<double>, kNodesAround> shares;
    for (auto& column : shares) column.resize(points);
    for (size_t k = 0; k < points; ++k) {
        const double distance = blocks.distance_from_centre(k) / static_cast<double>(blocks.width);  // −½ … ½
        const size_t first = distance < 0 ? 0 : 1;
        const auto six = interpolation(distance < 0 ? distance + 1 : distance);
        for (size_t j = 0; j < kNodes; ++j) shares[first + j][k] = six[j];
    }
    std::vector<double> divisors(points);
    const double* known_weights = nullptr;  // whose divisors those are
    const auto interpolate = [&](const double* nodes, size_t count, double* to) {
        for (size_t k = 0; k < count; ++k)
            to[k] = shares[0][k] * nodes[0] + shares[1][k] * nodes[1] +
                    (shares[2][k] * nodes[2] + shares[3][k] * nodes[3]) +
                    (shares[4][k] * nodes[4] + shares[5][k] * nodes[5] + shares[6][k] * nodes[6]);
    };
    for (size_t block = 0; block < blocks.count; ++block) {
        double* to = out + block * blocks.width;
        const size_t count = std::min(blocks.width, size - block * blocks.width);
        if (const double* now = weights.around(block); now != known_weights) {
            interpolate(now, points, divisors.data());
            known_weights = now;
        }
        interpolate(values.data() + block, count, to);
        for (size_t k = 0; k < count; ++k) to[k] /= divisors[k];
    }
}

void gaussian(double sigma, const double* value, size_t size, double* out) {
    const Finite finite(value, size);
    // Far wider than the series, all weights are equal; the limit keeps blocks from becoming longer than the series.
    const double widest = std::max(kBlockSigma, 1e4 * static_cast<double>(size));
    sigma = std::min(sigma, widest);
    if (sigma < kBlockSigma) {
        gaussian_direct(sigma, finite, size, out);
    } else {
        gaussian_by_blocks(sigma, finite, size, out);
    }
    for (size_t i = 0; i < size; ++i)
        if (!std::isfinite(value[i])) out[i] = value[i];
}

bool is_constant(const double* value, size_t size) {
    return std::all_of(value, value + size, [&](double v) { return v == value[0]; });
}

// Smaller standard deviations give every other point a weight of zero.
constexpr double kLeastSigma = 0.02;

bool changes_nothing(const Smoothing& how) {
    switch (how.kind) {
        case SmoothingKind::kNone:
            return true;
        case SmoothingKind::kEma:
        case SmoothingKind::kTimeEma:
            return how.amount == 0;
        case SmoothingKind::kGaussian:
            return how.amount < kLeastSigma;
        case SmoothingKind::kMean:
            return how.amount < 1.5;
    }
    return true;
}

}  // namespace

bool is_valid(const Smoothing& how) {
    if (how.kind == SmoothingKind::kNone) return true;
    const bool is_weight = how.kind == SmoothingKind::kEma || how.kind == SmoothingKind::kTimeEma;
    return std::isfinite(how.amount) && how.amount >= 0 && (!is_weight || how.amount < 1);
}

void smooth(const Smoothing& how, const double* value, const double* wall, size_t size, double* out) {
    if (size == 0) return;
    if (changes_nothing(how) || is_constant(value, size)) {
        std::copy_n(value, size, out);
        return;
    }
    switch (how.kind) {
        case SmoothingKind::kNone:
            break;
        case SmoothingKind::kEma:
            return ema(how.amount, value, size, out);
        case SmoothingKind::kTimeEma:
            return time_ema(how.amount, value, wall, size, out);
        case SmoothingKind::kGaussian:
            return gaussian(how.amount, value, size, out);
        case SmoothingKind::kMean:
            return mean(how.amount, value, size, out);
    }
}

}  // namespace sightline
