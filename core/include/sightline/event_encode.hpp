// Events as bytes, framed as records and ready to be written: the other direction of event.hpp and record.hpp.
//
// The layout of a scalar is byte for byte that of protobuf's own encoder: fields in order, zeros left out except where
// their presence means something (a simple_value is one of several kinds of value, so 0 is written).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace sightline {

struct HistogramCounts;

// Bytes that grow at the end. Unlike a vector it does not zero what is about to be overwritten.
class RecordBuffer {
public:
    const uint8_t* data() const { return data_.get(); }
    size_t size() const { return size_; }
    size_t capacity() const { return capacity_; }

    // Room for `count` more bytes, at the returned place; `advance` then says how many were used.
    uint8_t* room_for(size_t count) {
        if (capacity_ - size_ < count) grow(count);
        return data_.get() + size_;
    }
    void advance(size_t count) { size_ += count; }
    void cut(size_t size) { size_ = size; }
    void clear() { size_ = 0; }
    void release() { *this = RecordBuffer(); }

private:
    void grow(size_t count);

    std::unique_ptr<uint8_t[]> data_;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

// One (tag, value) of a summary. The tag is not terminated.
struct ScalarValue {
    std::string_view tag;
    float value;
};

// Length, checksums, payload: what stands in the file for one event.
void append_record(RecordBuffer& out, const void* payload, size_t size);

void append_file_version(RecordBuffer& out, double wall_time, std::string_view source_writer);
void append_session_start(RecordBuffer& out, double wall_time, int64_t step);

// One event with all values.
void append_scalars(RecordBuffer& out, double wall_time, int64_t step, const ScalarValue* values, size_t count);

// Value.histo as torch writes it; `metadata` is a serialized SummaryMetadata or empty.
void append_histogram(RecordBuffer& out, double wall_time, int64_t step, std::string_view tag,
                      std::string_view metadata, const HistogramCounts& counts, size_t max_bins);

// A float64 tensor [buckets, 3] of left edges, right edges and counts, as TensorFlow 2 writes it.
void append_histogram_tensor(RecordBuffer& out, double wall_time, int64_t step, std::string_view tag,
                             std::string_view metadata, const HistogramCounts& counts);

// What the first `size` bytes of a row of records hold in whole records: where to cut a file that ends within one.
struct WholeRecords {
    size_t size_bytes = 0;
    uint64_t count = 0;
};
WholeRecords whole_records(const uint8_t* records, size_t size);

}  // namespace sightline
