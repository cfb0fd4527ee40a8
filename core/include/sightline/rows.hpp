// Columns of 8-byte cells: how the rows of a series lie in memory.
//
// Every series has the columns step (int64) and wall time (double). A scalar series adds its value (double); any
// other series adds the offset and length (uint64) of the value's bytes in the file. Readers see immutable
// snapshots: rows are only ever added behind the ones already published, and memory that a snapshot points to
// is kept alive by its `Storage` until the last snapshot is gone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sightline {

enum class Form : uint8_t {
    kScalar,
    kTensor,
    kScalarTensor,  // one-element numeric tensor of a plugin other than "scalars"; its value is also a kScalar row
    kImage,
    kAudio,
    kHistogram,
    kMetadata,  // a value with metadata and no data (hparams)
    kGraph,
    kMetaGraph,
    kRunMetadata,
    kLogMessage,
};
inline constexpr size_t kFormCount = 11;
inline constexpr std::array<const char*, kFormCount> kFormNames = {
    "scalar",   "tensor", "scalar_tensor", "image",        "audio",      "histogram",
    "metadata", "graph",  "meta_graph",    "run_metadata", "log_message"};

inline constexpr size_t kMaxColumns = 4;
constexpr size_t column_count(Form form) { return form == Form::kScalar ? 3 : 4; }

// Memory that rows point into. Subclasses own it; rows hold it by shared_ptr.
struct Storage {
    Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    virtual ~Storage() = default;
};

// A block of cells that can grow. Large ones grow by remapping pages: no copy, and no memory until it is written.
class GrowBuffer {
public:
    GrowBuffer() = default;
    GrowBuffer(const GrowBuffer&) = delete;
    GrowBuffer& operator=(const GrowBuffer&) = delete;
    ~GrowBuffer();
    void grow(size_t cells);  // at least; keeps the content
    uint64_t* data() const { return data_; }

private:
    uint64_t* data_ = nullptr;
    size_t bytes_ = 0;
    bool is_mapped_ = false;
};

// Gives out cells from blocks that are shared by many files: ten thousand small runs need a dozen allocations instead
// of ten thousand. A block lives as long as anything in it.
class Slab {
public:
    // `owner` keeps the cells alive.
    uint64_t* take(size_t cells, std::shared_ptr<Storage>& owner);

private:
    struct Block;
    std::shared_ptr<Block> block_;
    size_t used_ = 0;
    size_t capacity_ = 0;
};

// A published view of a series: stays valid and unchanged whatever happens to the series afterwards.
struct RowView {
    std::shared_ptr<const Storage> storage;
    std::array<const uint64_t*, kMaxColumns> column{};
    size_t size = 0;
};

// Place in a series where a SessionLog START stands in the file: rows before `row` with a step of at least
// `start_step` were written by a session that the job was later restarted from.
struct Break {
    uint64_t row = 0;
    int64_t start_step = 0;
    double start_wall_time = 0;
};

// Rows that grow at the end. Not thread-safe; the owner locks.
class Rows {
public:
    size_t size() const { return size_; }
    const uint64_t* column(size_t i) const { return column_[i]; }
    RowView view() const;

    // Adds `count` rows given as columns.
    void append(const std::array<const uint64_t*, kMaxColumns>& source, size_t count, size_t columns);

    // Takes rows that already lie in `storage` (a slab or a mapped cache file); only for empty Rows.
    void adopt(std::shared_ptr<Storage> storage, const std::array<uint64_t*, kMaxColumns>& column, size_t count);

private:
    void reserve(size_t rows, size_t columns);

    std::shared_ptr<Storage> storage_;
    struct Grown* grown_ = nullptr;  // storage_ when it is of the growing kind
    std::array<uint64_t*, kMaxColumns> column_{};
    size_t size_ = 0;
    size_t capacity_ = 0;
};

inline uint64_t cell(int64_t v) { return std::bit_cast<uint64_t>(v); }
inline uint64_t cell(double v) { return std::bit_cast<uint64_t>(v); }

}  // namespace sightline
