// Many histograms, or many precision-recall curves, as columns of doubles laid end to end.
//
// A histogram is a tensor of k rows (left edge, right edge, count) or the older HistogramProto; a curve is a tensor of six
// rows with one number per threshold. What cannot be decoded is marked and takes no place in the columns: one damaged
// value costs nobody else's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/tensor.hpp"
#include "sightline/value_reader.hpp"
#include "sightline/wire.hpp"

namespace sightline {

enum class TableKind : uint8_t {
    kHistogram,  // columns: left, right, counts; one element per bucket
    kPrCurve,    // true and false positives, true and false negatives, precision, recall; one element per threshold
};

enum class ValueState : uint8_t {
    kGood,
    kDamaged,  // the bytes are no such value, or one beyond the limits
    kGone,     // the file was removed or replaced
};

// Longer values are damaged: kMostElements doubles take half of this.
inline constexpr uint64_t kMostValueBytes = 64 << 20;

class DecodedValues {
public:
    explicit DecodedValues(TableKind kind);

    void reserve(size_t values, size_t rows);
    // Adds the value in the bytes of a Summary.Value.
    void add(wire::Span value);
    void add_without_numbers(ValueState state);

    // One element per value.
    std::vector<uint32_t> size;  // buckets or thresholds
    std::vector<ValueState> state;
    // As many elements as all sizes together.
    std::vector<std::vector<double>> columns;

    uint64_t number_count() const { return columns.size() * columns.front().size(); }

private:
    bool add_histogram(wire::Span value);
    bool add_legacy_histogram(wire::Span histogram);
    bool add_curve(wire::Span value);

    TableKind kind_;
    // Kept from value to value, so that memory is asked for once.
    NumberTable table_;
    std::vector<double> limits_;
    std::vector<double> counts_;
    std::string joined_;
};

// Where a value is: at a place of a local file, or in bytes that the caller brought.
struct ValueSource {
    ValuePlace place;
    wire::Span brought;  // empty: at the place
};

// None when the values hold more numbers than `most_numbers`.
std::optional<DecodedValues> decode_values(TableKind kind, Index& index, const std::vector<ValueSource>& sources,
                                           uint64_t most_numbers);

}  // namespace sightline
