#include "sightline/decoded_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sightline {
namespace {

using wire::Span;

constexpr size_t kHistogramColumns = 3;
constexpr size_t kCurveRows = 6;
// Members of the oneof of Summary.Value.
constexpr uint32_t kSimpleValue = 2;
constexpr uint32_t kHistogramProto = 5;
constexpr uint32_t kTensor = 8;
// What a bucket takes in a file, at least where nearly all come from: an edge and a count. A threshold takes more.
constexpr uint64_t kLeastRowBytes = 16;

bool is_message_of_oneof(uint32_t field) { return (field >= 3 && field <= 6) || field == kTensor; }

// The member of the oneof that counts, which is the last one. One that comes in pieces is their concatenation, as protobuf
// merges messages; `joined` then holds it.
bool find_data(Span value, uint32_t& member, Span& data, std::string& joined) {
    const uint8_t* p = value.data;
    const uint8_t* end = value.end();
    member = 0;
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type)) return false;
        if (type != wire::kBytes || !is_message_of_oneof(field)) {
            if (field == kSimpleValue && type == wire::kFixed32) member = field;
            if (!wire::skip_value(p, end, field, type)) return false;
            continue;
        }
        Span piece;
        if (!wire::read_bytes(p, end, piece)) return false;
        if (member == field) {
            if (data.data != reinterpret_cast<const uint8_t*>(joined.data()))
                joined.assign(reinterpret_cast<const char*>(data.data), data.size);
            joined.append(reinterpret_cast<const char*>(piece.data), piece.size);
            piece = {reinterpret_cast<const uint8_t*>(joined.data()), joined.size()};
        }
        member = field;
        data = piece;
    }
    return true;
}

bool read_doubles(Span message, uint32_t field, std::vector<double>& out) {
    out.clear();
    return wire::for_each_run(message, field, wire::kFixed64, [&](Span run) {
        if (run.size % sizeof(double) != 0) return false;
        const size_t before = out.size();
        out.resize(before + run.size / sizeof(double));
        if (run.size > 0) std::memcpy(out.data() + before, run.data, run.size);
        return true;
    });
}

// The least and the greatest value that was counted.
bool read_extent(Span histogram, double& min, double& max) {
    const uint8_t* p = histogram.data;
    const uint8_t* end = histogram.end();
    while (p < end) {
        uint32_t field;
        uint32_t type;
        if (!wire::read_tag(p, end, field, type)) return false;
        if (type == wire::kFixed64 && (field == 1 || field == 2)) {
            if (!wire::read_fixed(p, end, field == 1 ? min : max)) return false;
        } else if (!wire::skip_value(p, end, field, type)) {
            return false;
        }
    }
    return true;
}

}  // namespace

DecodedValues::DecodedValues(TableKind kind)
    : columns(kind == TableKind::kHistogram ? kHistogramColumns : kCurveRows), kind_(kind) {}

// Memory that is never used costs nothing; moving columns that outgrow theirs does.
void DecodedValues::reserve(size_t values, size_t rows) {
    size.reserve(values);
    state.reserve(values);
    for (std::vector<double>& column : columns) column.reserve(rows);
}

void DecodedValues::add(Span value) {
    const size_t before = columns.front().size();
    const bool is_good = kind_ == TableKind::kHistogram ? add_histogram(value) : add_curve(value);
    if (!is_good) return add_without_numbers(ValueState::kDamaged);
    size.push_back(static_cast<uint32_t>(columns.front().size() - before));
    state.push_back(ValueState::kGood);
}

void DecodedValues::add_without_numbers(ValueState why) {
    size.push_back(0);
    state.push_back(why);
}

bool DecodedValues::add_histogram(Span value) {
    uint32_t member;
    Span data;
    if (!find_data(value, member, data, joined_)) return false;
    if (member == kHistogramProto) return add_legacy_histogram(data);
    if (member != kTensor || !read_table(data, table_) || table_.columns != kHistogramColumns) return false;
    for (size_t i = 0; i < table_.numbers.size(); ++i) columns[i % kHistogramColumns].push_back(table_.numbers[i]);
    return true;
}

// An outer edge: min or max. Where one of the values was NaN or infinite that says nothing, and the bucket ends
// where it was logged.
double outer_edge(double extent, double logged, double inner) {
    constexpr double kEndOfNumbers = 1e300;
    if (std::isfinite(extent)) return extent;
    return std::abs(logged) < kEndOfNumbers ? logged : inner;
}

// Right edges and counts. Empty buckets at the ends stand for the rest of the number line: they go before min and max
// become the outer edges, since an outer one that was kept would end before it starts.
bool DecodedValues::add_legacy_histogram(Span histogram) {
    double min = 0;
    double max = 0;
    if (!read_extent(histogram, min, max) || !read_doubles(histogram, 6, limits_) ||
        !read_doubles(histogram, 7, counts_))
        return false;
    if (limits_.size() != counts_.size() || counts_.size() > kMostElements / kHistogramColumns) return false;
    const auto is_filled = [](double count) { return count != 0; };
    const auto first = std::find_if(counts_.begin(), counts_.end(), is_filled);
    if (first == counts_.end()) return true;
    const auto behind_last = std::find_if(counts_.rbegin(), counts_.rend(), is_filled).base();
    const auto first_limit = limits_.begin() + (first - counts_.begin());
    const auto last_limit = limits_.begin() + (behind_last - counts_.begin()) - 1;
    columns[0].push_back(
        outer_edge(min, first_limit == limits_.begin() ? std::numeric_limits<double>::quiet_NaN() : first_limit[-1],
                   *first_limit));
    columns[0].insert(columns[0].end(), first_limit, last_limit);
    columns[1].insert(columns[1].end(), first_limit, last_limit);
    columns[1].push_back(outer_edge(max, *last_limit, first_limit == last_limit ? *last_limit : last_limit[-1]));
    columns[2].insert(columns[2].end(), first, behind_last);
    return true;
}

bool DecodedValues::add_curve(Span value) {
    uint32_t member;
    Span data;
    if (!find_data(value, member, data, joined_) || member != kTensor) return false;
    if (!read_table(data, table_) || table_.rows != kCurveRows) return false;
    const auto width = static_cast<ptrdiff_t>(table_.numbers.size() / kCurveRows);
    auto row = table_.numbers.begin();
    for (std::vector<double>& column : columns) {
        column.insert(column.end(), row, row + width);
        row += width;
    }
    return true;
}

std::optional<DecodedValues> decode_values(TableKind kind, Index& index, const std::vector<ValueSource>& sources,
                                           uint64_t most_numbers) {
    std::optional<DecodedValues> out(kind);
    uint64_t bytes_together = 0;
    for (const ValueSource& source : sources)
        bytes_together += source.brought ? source.brought.size : std::min(source.place.length, kMostValueBytes);
    out->reserve(sources.size(), std::min(bytes_together / kLeastRowBytes, most_numbers / out->columns.size()));
    ValueReader reader(index);
    std::string bytes;
    for (const ValueSource& source : sources) {
        if (source.brought) {
            out->add(source.brought);
        } else if (source.place.length > kMostValueBytes) {
            out->add_without_numbers(ValueState::kDamaged);
        } else if (!reader.read(source.place, bytes).empty()) {
            out->add_without_numbers(ValueState::kGone);
        } else {
            out->add({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
        }
        if (out->number_count() > most_numbers) return std::nullopt;
    }
    return out;
}

}  // namespace sightline
