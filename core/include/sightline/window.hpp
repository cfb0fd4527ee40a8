// A sliding window of bytes over a file: what the record reader looks through.
//
// Bytes come in large blocks from a Source, so that memory stays bounded by the block size (or by the largest single
// record), whatever the size of the file. Files are read with pread and never mapped: a file that is truncated
// while we look at it then ends a read early instead of killing the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace sightline {

class Source {
public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;
    virtual uint64_t size() const = 0;
    // False when more bytes are known to follow: what is missing then is on its way, not lost.
    virtual bool is_whole() const { return true; }
    // Up to `size` bytes from `offset`; fewer only at the end of the file or on an error.
    virtual size_t read(uint64_t offset, uint8_t* out, size_t size) = 0;
};

class Window {
public:
    // 512 KiB: fits the second-level cache of common processors, so that the bytes are still there when they
    // are decoded (benchmarks/results: 256 KiB and 1 MiB are within 3 %).
    static constexpr size_t kBlockBytes = 512 << 10;

    // Starts over on another source.
    void reset(Source& source);

    uint64_t file_size() const { return file_size_; }
    bool is_whole() const { return source_->is_whole(); }

    // Bytes available at `offset` without reading; 0 when it lies outside.
    size_t available(uint64_t offset) const {
        return offset >= begin_ && offset < begin_ + filled_ ? static_cast<size_t>(begin_ + filled_ - offset) : 0;
    }
    const uint8_t* at(uint64_t offset) const { return start_ + (offset - begin_); }

    // True once the source gave fewer bytes than its size promised: the file shrank, or reading failed. What was
    // missed must then not be mistaken for damage.
    bool has_failed() const { return has_failed_; }

    // Makes [offset, offset + size) available. False when the file ends (or fails) before that.
    bool load(uint64_t offset, size_t size);

private:
    Source* source_ = nullptr;
    uint64_t file_size_ = 0;
    bool has_failed_ = false;
    uint64_t begin_ = 0;
    size_t filled_ = 0;
    size_t capacity_ = 0;
    struct Free {
        void operator()(uint8_t* p) const { std::free(p); }
    };
    using Buffer = std::unique_ptr<uint8_t[], Free>;
    static Buffer allocate(size_t bytes);
    Buffer buffer_;
    uint8_t* start_ = nullptr;  // of the window, in the buffer
};

}  // namespace sightline
