#include "sightline/event_encode.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "sightline/crc32c.hpp"
#include "sightline/histogram.hpp"
#include "sightline/record.hpp"
#include "sightline/wire.hpp"

// Numbers are copied into the file as they lie in memory.
static_assert(std::endian::native == std::endian::little, "event files are little-endian");

namespace sightline {
namespace {

constexpr size_t kMaxVarintBytes = 10;
constexpr uint64_t kTensorDouble = 2;  // DataType.DT_DOUBLE

constexpr uint8_t tag_byte(uint32_t field, wire::Type type) { return static_cast<uint8_t>(field << 3 | type); }

size_t varint_size(uint64_t v) { return static_cast<size_t>(std::bit_width(v | 1) + 6) / 7; }

uint8_t* put_varint(uint8_t* p, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *p++ = static_cast<uint8_t>(v | 0x80);
    *p++ = static_cast<uint8_t>(v);
    return p;
}

template <class T>
uint8_t* put(uint8_t* p, const T& v) {
    std::memcpy(p, &v, sizeof(T));
    return p + sizeof(T);
}

uint8_t* put_bytes(uint8_t* p, std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(p, bytes.data(), bytes.size());
    return p + bytes.size();
}

// Writes the frame around a payload that lies at p + kHeaderBytes already; returns where the record ends.
uint8_t* put_frame(uint8_t* p, size_t payload_size) {
    const uint64_t length = payload_size;
    put(p, length);
    put(p + 8, mask_crc(crc32c(p, 8)));
    uint8_t* end = p + kHeaderBytes + payload_size;
    return put(end, mask_crc(crc32c(p + kHeaderBytes, payload_size)));
}

// Wall time and step, which begin every event.
uint8_t* put_place(uint8_t* p, double wall_time, int64_t step) {
    if (std::bit_cast<uint64_t>(wall_time) != 0) {
        *p++ = tag_byte(1, wire::kFixed64);
        p = put(p, wall_time);
    }
    if (step != 0) {
        *p++ = tag_byte(2, wire::kVarint);
        p = put_varint(p, static_cast<uint64_t>(step));
    }
    return p;
}
constexpr size_t kMaxPlaceBytes = 9 + 1 + kMaxVarintBytes;

size_t value_size(const ScalarValue& v) {
    return (v.tag.empty() ? 0 : 1 + varint_size(v.tag.size()) + v.tag.size()) + 5;
}

// A message of moderate size, put together from strings where speed does not matter.
void add_number(std::string& out, uint32_t field, uint64_t v) {
    uint8_t bytes[2 * kMaxVarintBytes];
    uint8_t* end = put_varint(put_varint(bytes, field << 3), v);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(end - bytes));
}

void add_bytes(std::string& out, uint32_t field, std::string_view data) {
    uint8_t bytes[2 * kMaxVarintBytes];
    uint8_t* end = put_varint(put_varint(bytes, field << 3 | wire::kBytes), data.size());
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(end - bytes));
    out.append(data);
}

void add_double(std::string& out, uint32_t field, double v) {
    if (std::bit_cast<uint64_t>(v) == 0) return;
    out.push_back(static_cast<char>(tag_byte(field, wire::kFixed64)));
    out.append(reinterpret_cast<const char*>(&v), sizeof(v));
}

void add_doubles(std::string& out, uint32_t field, const std::vector<double>& values) {
    if (values.empty()) return;
    add_bytes(out, field, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

// An event with one summary value whose data is field `data_field`.
void append_value(RecordBuffer& out, double wall_time, int64_t step, std::string_view tag, uint32_t data_field,
                  std::string_view data, std::string_view metadata) {
    std::string value;
    value.reserve(tag.size() + data.size() + metadata.size() + 4 * kMaxVarintBytes);
    if (!tag.empty()) add_bytes(value, 1, tag);
    add_bytes(value, data_field, data);
    if (!metadata.empty()) add_bytes(value, 9, metadata);
    std::string summary;
    add_bytes(summary, 1, value);
    std::string event(kMaxPlaceBytes, 0);
    uint8_t* begin = reinterpret_cast<uint8_t*>(event.data());
    event.resize(static_cast<size_t>(put_place(begin, wall_time, step) - begin));
    add_bytes(event, 5, summary);
    append_record(out, event.data(), event.size());
}

}  // namespace

void RecordBuffer::grow(size_t count) {
    const size_t capacity = std::max(size_ + count, 2 * capacity_);
    std::unique_ptr<uint8_t[]> larger(new uint8_t[capacity]);
    if (size_ > 0) std::memcpy(larger.get(), data_.get(), size_);
    data_ = std::move(larger);
    capacity_ = capacity;
}

void append_record(RecordBuffer& out, const void* payload, size_t size) {
    uint8_t* p = out.room_for(kFrameBytes + size);
    if (size > 0) std::memcpy(p + kHeaderBytes, payload, size);
    out.advance(static_cast<size_t>(put_frame(p, size) - p));
}

void append_file_version(RecordBuffer& out, double wall_time, std::string_view source_writer) {
    std::string source;
    add_bytes(source, 1, source_writer);
    std::string event;
    add_double(event, 1, wall_time);
    add_bytes(event, 3, "brain.Event:2");
    add_bytes(event, 10, source);
    append_record(out, event.data(), event.size());
}

void append_session_start(RecordBuffer& out, double wall_time, int64_t step) {
    std::string session;
    add_number(session, 1, 1);  // START
    std::string event;
    add_double(event, 1, wall_time);
    if (step != 0) add_number(event, 2, static_cast<uint64_t>(step));
    add_bytes(event, 7, session);
    append_record(out, event.data(), event.size());
}

void append_scalars(RecordBuffer& out, double wall_time, int64_t step, const ScalarValue* values, size_t count) {
    size_t summary_size = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t size = value_size(values[i]);
        summary_size += 1 + varint_size(size) + size;
    }
    constexpr size_t kMaxAroundBytes = kFrameBytes + kMaxPlaceBytes + 1 + kMaxVarintBytes;
    uint8_t* begin = out.room_for(kMaxAroundBytes + summary_size);
    uint8_t* payload = begin + kHeaderBytes;
    uint8_t* p = put_place(payload, wall_time, step);
    *p++ = tag_byte(5, wire::kBytes);
    p = put_varint(p, summary_size);
    for (size_t i = 0; i < count; ++i) {
        const ScalarValue& value = values[i];
        *p++ = tag_byte(1, wire::kBytes);
        p = put_varint(p, value_size(value));
        if (!value.tag.empty()) {
            *p++ = tag_byte(1, wire::kBytes);
            p = put_bytes(put_varint(p, value.tag.size()), value.tag);
        }
        *p++ = tag_byte(2, wire::kFixed32);
        p = put(p, value.value);
    }
    out.advance(static_cast<size_t>(put_frame(begin, static_cast<size_t>(p - payload)) - begin));
}

void append_histogram(RecordBuffer& out, double wall_time, int64_t step, std::string_view tag,
                      std::string_view metadata, const HistogramCounts& counts, size_t max_bins) {
    const LegacyBuckets buckets = legacy_buckets(counts, max_bins);
    std::string histo;
    add_double(histo, 1, counts.min);
    add_double(histo, 2, counts.max);
    add_double(histo, 3, static_cast<double>(counts.num));
    add_double(histo, 4, counts.sum);
    add_double(histo, 5, counts.sum_squares);
    add_doubles(histo, 6, buckets.bucket_limit);
    add_doubles(histo, 7, buckets.bucket);
    append_value(out, wall_time, step, tag, 5, histo, metadata);
}

void append_histogram_tensor(RecordBuffer& out, double wall_time, int64_t step, std::string_view tag,
                             std::string_view metadata, const HistogramCounts& counts) {
    std::vector<double> rows;
    rows.reserve(3 * counts.counts.size());
    for (size_t i = 0; i < counts.counts.size(); ++i)
        rows.insert(rows.end(), {counts.edges[i], counts.edges[i + 1], counts.counts[i]});
    std::string shape;
    for (const uint64_t size : {static_cast<uint64_t>(counts.counts.size()), uint64_t{3}}) {
        std::string dimension;
        if (size != 0) add_number(dimension, 1, size);
        add_bytes(shape, 2, dimension);
    }
    std::string tensor;
    add_number(tensor, 1, kTensorDouble);
    add_bytes(tensor, 2, shape);
    if (!rows.empty()) add_doubles(tensor, 4, rows);  // tensor_content
    append_value(out, wall_time, step, tag, 8, tensor, metadata);
}

WholeRecords whole_records(const uint8_t* records, size_t size) {
    WholeRecords whole;
    while (size - whole.size_bytes >= kFrameBytes) {
        uint64_t length;
        std::memcpy(&length, records + whole.size_bytes, sizeof(length));
        if (length > size - whole.size_bytes - kFrameBytes) break;
        whole.size_bytes += kFrameBytes + static_cast<size_t>(length);
        whole.count += 1;
    }
    return whole;
}

}  // namespace sightline
