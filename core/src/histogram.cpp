#include "sightline/histogram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace sightline {
namespace {

// -- elements

// An array is taken in blocks that stay in the first-level cache. Elements are widened to float where that holds the
// type exactly and to double otherwise, so that everything below has to know only these two.
constexpr size_t kBlock = 1024;

template <class T>
struct Block {
    const T* data;
    size_t size;
    T* scratch;  // room for kBlock elements; data may lie here
};

template <class Stored_, class Wide_>
struct Numbers {
    using Stored = Stored_;
    using Wide = Wide_;
    static Wide widen(Stored v) { return static_cast<Wide>(v); }
};

struct Bools {
    using Stored = uint8_t;
    using Wide = float;
    static float widen(uint8_t v) { return v != 0 ? 1.0F : 0.0F; }
};

struct Bfloats {
    using Stored = uint16_t;
    using Wide = float;
    static float widen(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

struct Halves {
    using Stored = uint16_t;
    using Wide = float;
    static float widen(uint16_t half) {
        constexpr uint32_t kExponent = 0x7C00U << 13;
        constexpr uint32_t kRebias = (127U - 15U) << 23;
        constexpr uint32_t kOne = 1U << 23;  // in the exponent
        const uint32_t bits = (half & 0x7FFFU) << 13;
        // Infinity and not a number have the largest exponent in both types. Numbers without a leading one get one,
        // which the subtraction takes away again.
        uint32_t wide = bits + kRebias;
        if ((bits & kExponent) == kExponent) wide += kRebias;
        const float small = std::bit_cast<float>(wide + kOne) - std::bit_cast<float>(kRebias + kOne);
        if ((bits & kExponent) == 0) wide = std::bit_cast<uint32_t>(small);
        return std::bit_cast<float>(wide | (half & 0x8000U) << 16);
    }
};

// Calls visit with an object of the type that describes the elements.
template <class Visit>
auto with_format(DType dtype, Visit visit) {
    switch (dtype) {
        case DType::kBool:
            return visit(Bools{});
        case DType::kInt8:
            return visit(Numbers<int8_t, float>{});
        case DType::kInt16:
            return visit(Numbers<int16_t, float>{});
        case DType::kInt32:
            return visit(Numbers<int32_t, double>{});
        case DType::kInt64:
            return visit(Numbers<int64_t, double>{});
        case DType::kUint8:
            return visit(Numbers<uint8_t, float>{});
        case DType::kUint16:
            return visit(Numbers<uint16_t, float>{});
        case DType::kUint32:
            return visit(Numbers<uint32_t, double>{});
        case DType::kUint64:
            return visit(Numbers<uint64_t, double>{});
        case DType::kFloat16:
            return visit(Halves{});
        case DType::kBfloat16:
            return visit(Bfloats{});
        case DType::kFloat32:
            return visit(Numbers<float, float>{});
        case DType::kFloat64:
            break;
    }
    return visit(Numbers<double, double>{});
}

template <class Format>
Block<typename Format::Wide> load(const uint8_t* source, size_t size, typename Format::Wide* scratch) {
    using Stored = typename Format::Stored;
    using Wide = typename Format::Wide;
    if constexpr (std::is_same_v<Stored, Wide>) {
        if (reinterpret_cast<uintptr_t>(source) % alignof(Wide) == 0)
            return {reinterpret_cast<const Wide*>(source), size, scratch};
        std::memcpy(scratch, source, size * sizeof(Wide));
    } else {
        for (size_t i = 0; i < size; ++i) {
            Stored v;
            std::memcpy(&v, source + i * sizeof(Stored), sizeof(Stored));
            scratch[i] = Format::widen(v);
        }
    }
    return {scratch, size, scratch};
}

template <class Format, class Visit>
void for_each_block(const void* data, size_t count, Visit visit) {
    using Wide = typename Format::Wide;
    alignas(64) Wide scratch[kBlock];
    const auto* source = static_cast<const uint8_t*>(data);
    for (size_t i = 0; i < count; i += kBlock) {
        Block<Wide> block =
            load<Format>(source + i * sizeof(typename Format::Stored), std::min(kBlock, count - i), scratch);
        visit(block);
    }
}

// -- smallest, largest and sums

// Adds doubles and keeps what rounding drops (Neumaier), so that many blocks sum up as well as NumPy's pairwise sums.
class Sum {
public:
    void add(double v) {
        const double total = total_ + v;
        const double lost = std::abs(total_) >= std::abs(v) ? (total_ - total) + v : (v - total) + total_;
        if (std::isfinite(lost)) lost_ += lost;
        total_ = total;
    }
    double value() const { return total_ + lost_; }

private:
    double total_ = 0;
    double lost_ = 0;
};

template <class T>
struct BlockFacts {
    T min, max;
    double sum, sum_squares;
};

// Sixteen bytes, which every 64-bit processor handles as one.
template <class T>
using Vector __attribute__((vector_size(16))) = T;

// The sums are kept in parts: they need not wait for each other, and short sums round less than a long one.
template <class T>
BlockFacts<T> facts_of(const Block<T>& block) {
    constexpr size_t kStride = 8;
    constexpr size_t kWidth = 16 / sizeof(T);
    const T* const data = block.data;
    Vector<T> min[kStride / kWidth];
    Vector<T> max[kStride / kWidth];
    Vector<double> sum[kStride / 2] = {};
    Vector<double> squares[kStride / 2] = {};
    for (Vector<T>& v : min) v = Vector<T>{} + data[0];
    for (Vector<T>& v : max) v = Vector<T>{} + data[0];
    size_t i = 0;
    for (; i + kStride <= block.size; i += kStride) {
        for (size_t k = 0; k < kStride / kWidth; ++k) {
            Vector<T> v;
            std::memcpy(&v, data + i + k * kWidth, sizeof v);
            min[k] = v < min[k] ? v : min[k];
            max[k] = v > max[k] ? v : max[k];
        }
        for (size_t k = 0; k < kStride / 2; ++k) {
            const Vector<double> v = {data[i + 2 * k], data[i + 2 * k + 1]};
            sum[k] += v;
            squares[k] += v * v;
        }
    }
    BlockFacts<T> facts{data[0], data[0], 0, 0};
    for (; i < block.size; ++i) {
        const double v = data[i];
        facts.min = std::min(facts.min, data[i]);
        facts.max = std::max(facts.max, data[i]);
        facts.sum += v;
        facts.sum_squares += v * v;
    }
    for (size_t k = 0; k < kStride; ++k) {
        facts.min = std::min(facts.min, min[k / kWidth][k % kWidth]);
        facts.max = std::max(facts.max, max[k / kWidth][k % kWidth]);
        facts.sum += sum[k / 2][k % 2];
        facts.sum_squares += squares[k / 2][k % 2];
    }
    return facts;
}

// Keeps only the finite elements, in the scratch room.
template <class T>
void drop_unusual(Block<T>& block, HistogramCounts& out) {
    size_t kept = 0;
    for (size_t i = 0; i < block.size; ++i) {
        const T v = block.data[i];
        out.nan_count += std::isnan(v) ? 1 : 0;
        out.inf_count += std::isinf(v) ? 1 : 0;
        if (std::isfinite(v)) block.scratch[kept++] = v;
    }
    block.data = block.scratch;
    block.size = kept;
}

// Everything of a HistogramCounts but the buckets.
class Facts {
public:
    // Takes in a block, and leaves only its finite elements in it.
    template <class T>
    void take(Block<T>& block) {
        BlockFacts<T> facts = facts_of(block);
        // One unusual element makes the sum unusual. So may many large doubles: then nothing is dropped.
        if (!std::isfinite(facts.sum)) {
            drop_unusual(block, out_);
            if (block.size == 0) return;
            facts = facts_of(block);
        }
        out_.min = out_.num == 0 ? facts.min : std::min<double>(out_.min, facts.min);
        out_.max = out_.num == 0 ? facts.max : std::max<double>(out_.max, facts.max);
        out_.num += block.size;
        sum_.add(facts.sum);
        sum_squares_.add(facts.sum_squares);
    }
    HistogramCounts finish() {
        out_.sum = sum_.value();
        out_.sum_squares = sum_squares_.value();
        return std::move(out_);
    }

private:
    HistogramCounts out_;
    Sum sum_;
    Sum sum_squares_;
};

template <class Format>
HistogramCounts facts_of_array(const void* data, size_t count) {
    Facts facts;
    for_each_block<Format>(data, count, [&](auto& block) { facts.take(block); });
    return facts.finish();
}

// A second look at an array whose facts are known: visit sees blocks of finite elements.
template <class Format, class Visit>
void for_each_finite_block(const void* data, size_t count, const HistogramCounts& facts, Visit visit) {
    const bool has_unusual = facts.nan_count + facts.inf_count > 0;
    HistogramCounts ignored;
    for_each_block<Format>(data, count, [&](auto& block) {
        if (has_unusual) drop_unusual(block, ignored);
        visit(block);
    });
}

// Counts by number. Two sets, taken in turn: an element that counts where its neighbour does need not wait for it.
class Tally {
public:
    explicit Tally(size_t size) : even_(size), odd_(size) {}

    template <class NumberOf>
    void count(size_t size, NumberOf number_of) {
        uint64_t* const even = even_.data();
        uint64_t* const odd = odd_.data();
        size_t i = 0;
        for (; i + 2 <= size; i += 2) {
            ++even[number_of(i)];
            ++odd[number_of(i + 1)];
        }
        if (i < size) ++even[number_of(i)];
    }
    double operator[](size_t number) const { return static_cast<double>(even_[number] + odd_[number]); }

private:
    std::vector<uint64_t> even_;
    std::vector<uint64_t> odd_;
};

// -- TensorFlow's grid

constexpr double kFirstEdge = 1e-12;
constexpr double kEndOfEdges = 1e20;

constexpr size_t kEdges = [] {
    size_t count = 0;
    for (double v = kFirstEdge; v < kEndOfEdges; v *= 1.1) ++count;
    return count;
}();

// The edges above 0. Each is the one before times 1.1, rounding and all, as torch makes them.
constexpr auto kPositiveEdges = [] {
    std::array<double, kEdges> edges{};
    double v = kFirstEdge;
    for (double& edge : edges) {
        edge = v;
        v *= 1.1;
    }
    return edges;
}();

// Finds the bucket of a float or double from its bits, without a logarithm or a search.
//
// The bits of a magnitude, read as a whole number, ascend with it. Their top part (exponent and four bits of mantissa)
// names a cell. The numbers of a cell lie within 1/16 of each other and the edges are 1/10 apart, so a cell holds one
// edge at most. A slot says how many edges a magnitude has passed. A bucket holds its left edge, which for negative
// numbers is the one of larger magnitude:
//
//     x = +m:  slot 0 | m >= e0: 1 | m >= e1: 2 | … | m > last: beyond the grid
//     x = -m:  slot 0 is -0 | m > 0: 1 | m > e0: 2 | m > e1: 3 | … | m > last: beyond the grid
//
// and slot = the first slot of the cell + (m has passed the cell's edge).
constexpr size_t kNegativeSlots = kEdges + 1;  // begin here
constexpr size_t kSlots = kNegativeSlots + kEdges + 2;

template <class T>
class Grid {
public:
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

    Grid() {
        std::array<Bits, kEdges + 1> passed{};  // the smallest magnitude that has passed the edge
        for (size_t k = 0; k < kEdges; ++k) passed[k] = bits_at(kPositiveEdges[k], k + 1 == kEdges);
        fill(&cells_[0], passed.data(), kEdges, 0);
        passed[0] = 1;
        for (size_t k = 0; k < kEdges; ++k) passed[k + 1] = bits_at(kPositiveEdges[k], true);
        fill(&cells_[kCells], passed.data(), kEdges + 1, kNegativeSlots);
    }

    size_t slot(T v) const {
        const Bits bits = std::bit_cast<Bits>(v);
        const Bits magnitude = bits & kMagnitude;
        const Cell& cell = cells_[cell_number(bits, magnitude)];
        return cell.slot + (magnitude >= cell.passed ? 1 : 0);
    }

private:
    struct Cell {
        Bits passed = std::numeric_limits<Bits>::max();  // no magnitude is as large
        uint32_t slot = 0;
    };

    // All cells of floats make a small table. Of doubles only those around the grid are kept, and one at either
    // end for everything beyond: 2^-40 < 1e-12 and 1e20 < 2^67.
    static constexpr bool kIsWhole = sizeof(T) == 4;
    static constexpr int kSignShift = sizeof(T) * 8 - 1;
    static constexpr int kCellShift = std::numeric_limits<T>::digits - 1 - 4;
    static constexpr Bits kMagnitude = (Bits{1} << kSignShift) - 1;
    static constexpr Bits kBias = std::numeric_limits<T>::max_exponent - 1;
    static constexpr Bits kFirstCell = kIsWhole ? 0 : ((kBias - 40) << 4) - 1;
    static constexpr Bits kLastCell = kIsWhole ? kMagnitude >> kCellShift : (kBias + 67) << 4;
    static constexpr size_t kCells = kLastCell - kFirstCell + 1;

    static size_t cell_number(Bits bits, Bits magnitude) {
        if constexpr (kIsWhole) return bits >> kCellShift;
        const Bits cell = std::clamp<Bits>(magnitude >> kCellShift, kFirstCell, kLastCell) - kFirstCell;
        return static_cast<size_t>((bits >> kSignShift) * kCells + cell);
    }

    // The smallest magnitude that is at least an edge, or above it.
    static Bits bits_at(double edge, bool is_above) {
        const T nearest = static_cast<T>(edge);
        const bool is_next = nearest < edge || (is_above && nearest == edge);
        return std::bit_cast<Bits>(nearest) + (is_next ? 1 : 0);
    }

    static void fill(Cell* cells, const Bits* passed, size_t edge_count, size_t first_slot) {
        size_t k = 0;
        for (size_t i = 0; i < kCells; ++i) {
            cells[i].slot = static_cast<uint32_t>(first_slot + k);
            const Bits end = (kFirstCell + i + 1) << kCellShift;
            if (k < edge_count && passed[k] < end) cells[i].passed = passed[k++];
        }
    }

    std::array<Cell, 2 * kCells> cells_{};
};

// Made when the library is loaded: a child that was forked while another thread was making them would wait for ever.
const Grid<float> kFloatGrid;
const Grid<double> kDoubleGrid;

template <class T>
const Grid<T>& grid() {
    if constexpr (std::is_same_v<T, float>)
        return kFloatGrid;
    else
        return kDoubleGrid;
}

// Needs min and max of `out`.
void put_geometric_buckets(const Tally& slots, HistogramCounts& out) {
    const double below = slots[kNegativeSlots + 1 + kEdges];
    const double above = slots[kEdges];
    const size_t first = below > 0 ? 1 : 0;
    out.edges.resize(first + 2 * kEdges + 1);
    out.counts.resize(first + 2 * kEdges);
    double* const edges = out.edges.data() + first;
    double* const counts = out.counts.data() + first;
    for (size_t k = 0; k < kEdges; ++k) {
        edges[kEdges - 1 - k] = -kPositiveEdges[k];
        edges[kEdges + 1 + k] = kPositiveEdges[k];
        counts[kEdges - 1 - k] = slots[kNegativeSlots + 1 + k];
        counts[kEdges + k] = slots[k];
    }
    counts[kEdges] += slots[kNegativeSlots];  // -0 is 0
    if (below > 0) {
        out.edges.front() = out.min;
        out.counts.front() = below;
    }
    if (above > 0) {
        out.edges.push_back(out.max);
        out.counts.push_back(above);
    }
}

// -- buckets of equal width

// Bucket numbers are (x - first) / width, rounded down: TensorFlow's own formula, to the bit.
struct EqualWidths {
    double scale = 1;  // a power of two on everything, where the range or the width does not fit a double
    double first = 0;
    double width = 0;
    double last_bucket = 0;

    EqualWidths(double min, double max, size_t buckets) {
        if (!std::isfinite(max - min)) scale = 0.25;
        if ((max - min) / static_cast<double>(buckets) == 0) scale = 0x1p200;
        first = min * scale;
        width = (max * scale - first) / static_cast<double>(buckets);
        last_bucket = static_cast<double>(buckets - 1);
    }
    double edge(size_t k) const {
        const volatile double offset = static_cast<double>(k) * width;  // rounded, where a processor could fuse the two
        return (offset + first) / scale;
    }
    template <class T>
    void number(const Block<T>& block, int32_t* out) const {
        for (size_t i = 0; i < block.size; ++i)
            out[i] = static_cast<int32_t>(std::min((block.data[i] * scale - first) / width, last_bucket));
    }
};

// -- any edges

// Finds how many of some ascending limits a number has passed.
//
// The range of the elements is cut into many equal cells; a number needs to be compared only with the limits that lie
// in its own cell, mostly none. Where a cell begins need not be exact: elements and limits are put into cells by the
// same formula, which never puts a larger number into an earlier cell.
class Limits {
public:
    Limits(std::vector<double> limits, double min, double max) : limits_(std::move(limits)) {
        const size_t cells = std::clamp<size_t>(4 * limits_.size(), kLeastCells, kMostCells);
        low_ = std::max(limits_.front(), min);
        high_ = std::min(limits_.back(), max);
        scale_ = static_cast<double>(cells - 1) / (high_ - low_);
        // One cell for all when there is no range, or when it or its inverse does not fit.
        if (!(low_ < high_) || !std::isfinite(high_ - low_) || !std::isfinite(scale_)) low_ = high_ = scale_ = 0;
        first_.assign(cells + 1, 0);
        for (const double limit : limits_) ++first_[static_cast<size_t>(cell(limit)) + 1];
        for (size_t c = 0; c < cells; ++c) first_[c + 1] += first_[c];
    }

    template <class T>
    void number(const Block<T>& block, int32_t* out) const {
        for (size_t i = 0; i < block.size; ++i) out[i] = cell(block.data[i]);
    }
    size_t passed(double v, int32_t cell) const {
        const double* p = limits_.data() + first_[static_cast<size_t>(cell)];
        const double* const end = limits_.data() + first_[static_cast<size_t>(cell) + 1];
        if (end - p > 8) p = std::upper_bound(p, end, v);
        while (p < end && *p <= v) ++p;
        return static_cast<size_t>(p - limits_.data());
    }

private:
    static constexpr size_t kLeastCells = 256;
    static constexpr size_t kMostCells = 1 << 14;

    int32_t cell(double v) const { return static_cast<int32_t>((std::min(std::max(v, low_), high_) - low_) * scale_); }

    std::vector<double> limits_;
    std::vector<uint32_t> first_;  // per cell: the limits in earlier ones
    double low_ = 0;
    double high_ = 0;
    double scale_ = 0;
};

}  // namespace

size_t size_bytes_of(DType dtype) {
    return with_format(dtype, [](auto format) { return sizeof(typename decltype(format)::Stored); });
}

HistogramCounts count_geometric(DType dtype, const void* data, size_t count) {
    return with_format(dtype, [&](auto format) {
        using Format = decltype(format);
        Facts facts;
        Tally slots(kSlots);
        for_each_block<Format>(data, count, [&](auto& block) {
            facts.take(block);
            const auto& to_slot = grid<typename Format::Wide>();
            slots.count(block.size, [&](size_t i) { return to_slot.slot(block.data[i]); });
        });
        HistogramCounts out = facts.finish();
        put_geometric_buckets(slots, out);
        return out;
    });
}

HistogramCounts count_uniform(DType dtype, const void* data, size_t count, size_t buckets) {
    return with_format(dtype, [&](auto format) {
        using Format = decltype(format);
        HistogramCounts out = facts_of_array<Format>(data, count);
        out.edges.assign(buckets + 1, out.max);
        out.counts.assign(buckets, 0);
        if (buckets == 0) return out;
        if (out.min == out.max) {
            out.counts.back() = static_cast<double>(out.num);
            return out;
        }
        const EqualWidths widths(out.min, out.max, buckets);
        Tally tally(buckets);
        int32_t numbers[kBlock];
        for_each_finite_block<Format>(data, count, out, [&](const auto& block) {
            widths.number(block, numbers);
            tally.count(block.size, [&](size_t i) { return static_cast<size_t>(numbers[i]); });
        });
        for (size_t k = 0; k < buckets; ++k) {
            out.edges[k] = k == 0 ? out.min : widths.edge(k);
            out.counts[k] = tally[k];
        }
        return out;
    });
}

HistogramCounts count_into(DType dtype, const void* data, size_t count, const double* edges, size_t edge_count) {
    return with_format(dtype, [&](auto format) {
        using Format = decltype(format);
        HistogramCounts out = facts_of_array<Format>(data, count);
        out.edges.assign(edges, edges + edge_count);
        out.counts.assign(edge_count - 1, 0);
        std::vector<double> begins = out.edges;
        // The last edge belongs to the last bucket: only what is above it is beyond.
        begins.back() = std::nextafter(begins.back(), std::numeric_limits<double>::infinity());
        const Limits limits(std::move(begins), out.min, out.max);
        Tally tally(edge_count + 1);
        int32_t cells[kBlock];
        for_each_finite_block<Format>(data, count, out, [&](const auto& block) {
            limits.number(block, cells);
            tally.count(block.size, [&](size_t i) { return limits.passed(block.data[i], cells[i]); });
        });
        for (size_t k = 0; k + 1 < edge_count; ++k) out.counts[k] = tally[k + 1];
        return out;
    });
}

LegacyBuckets legacy_buckets(const HistogramCounts& histogram, size_t max_bins) {
    const size_t size = histogram.counts.size();
    const size_t merged = max_bins > 0 && size > max_bins ? size / max_bins : 1;
    std::vector<double> counts((size + merged - 1) / merged);
    for (size_t i = 0; i < size; ++i) counts[i / merged] += histogram.counts[i];
    const auto is_filled = [](double v) { return v > 0; };
    const auto first = std::find_if(counts.begin(), counts.end(), is_filled) - counts.begin();
    const auto end = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), is_filled);
    if (first >= end) return {{histogram.num == 0 ? 0 : histogram.edges.back()}, {0}};
    LegacyBuckets out;
    out.bucket.push_back(0);
    out.bucket.insert(out.bucket.end(), counts.begin() + first, counts.begin() + end);
    for (size_t k = static_cast<size_t>(first); k <= static_cast<size_t>(end); ++k)
        out.bucket_limit.push_back(k == counts.size() ? histogram.edges.back() : histogram.edges[k * merged]);
    return out;
}

}  // namespace sightline
